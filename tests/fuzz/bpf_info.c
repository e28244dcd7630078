/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded BPF program and its type information: functions, names, code and lines. The input
 * begins with the sizes of bpf_prog_info, of its arrays, and with the mask of those.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/bpf.h"
#include "base/bits.h"
#include "base/mem.h"

enum { HEAD = 12, FUNCTIONS = 64, INFO_LEAST = 80 };

static u8 *copy_of(const u8 *p, size_t n)
{
	u8 *copy = xmalloc(n + !n);

	memcpy(copy, p, n);
	return copy;
}

static void look_at(const struct perfdata_info *info)
{
	struct bpf_programs_code c = { 0 };
	struct bpf_function f;

	for (u32 i = 0; i < bpf_info_functions(info->bpf_progs) && i < FUNCTIONS; i++) {
		struct strbuf name = STRBUF_INIT;

		bpf_info_function(info->bpf_progs, info->btfs, i, &f, &name);
		strbuf_release(&name);
	}
	bpf_code_read(&c, info);
	for (size_t i = 0; i < c.places.nr && i < FUNCTIONS; i++) {
		const struct bpf_place *place = &c.places.v[i];
		struct bpf_source source = { 0 };
		volatile u8 byte = place->code[place->at.size - 1];

		(void)byte;
		bpf_code_find(&c, place->at.addr, place->name);
		bpf_source_read(&source, info, place);
		VEC_FOR(&source.lines, l)
			if (strlen(l->file) + strlen(l->text) > info->btfs->size)
				abort();
		bpf_source_find(&source, place->at.addr + place->at.size / 2);
		bpf_source_release(&source);
	}
	bpf_code_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct info_bpf_prog p = { .id = 1, .name = "p" };
	struct info_btf types = { .id = 1 };
	struct perfdata_info info = {
		.bpf_progs = &p, .nr_bpf_progs = 1, .btfs = &types, .nr_btfs = 1
	};
	size_t rest;
	u8 *own, *btf;

	if (size < HEAD)
		return 0;
	rest = size - HEAD;
	p.info_size = (u32)MIN(bits_u16(data), rest);
	p.data_size = (u32)MIN(bits_u16(data + 2), rest - p.info_size);
	p.arrays = bits_u64(data + 4);
	own = copy_of(data + HEAD, p.info_size + p.data_size);
	types.size = (u32)(rest - p.info_size - p.data_size);
	btf = copy_of(data + HEAD + p.info_size + p.data_size, types.size);
	p.info = p.info_size < INFO_LEAST ? NULL : own; /* as the reader has it */
	types.data = btf;
	types.id = bpf_info_types(&p);
	look_at(&info);
	free(own);
	free(btf);
	return 0;
}
