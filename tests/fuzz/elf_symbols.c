/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF headers, symbol tables, PLTs, slots, build ids, trace points, debug links, packed debug
 * information.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/elf/debug.h"
#include "dso/elf/file.h"
#include "dso/elf/plt.h"
#include "dso/elf/symbols.h"
#include "dso/symbols/go_symbols.h"
#include "dso/symbols/sdt_notes.h"

enum { SLOTS_TRIED = 64 };

/* Names of slots, each twice: of one file they stay the same. */
static void name_slots(const struct elf_file *f)
{
	_cleanup_(strbuf_releasep) struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	struct elf_got *got = elf_got_new();

	for (u32 i = 0; i < f->nr_sections && i < SLOTS_TRIED; i++) {
		for (u64 at = 0; at < SLOTS_TRIED * 8; at += 8) {
			u64 addr = f->sections[i].addr + at;

			strbuf_reset(&first);
			strbuf_reset(&second);
			if (elf_got_name(got, f, addr, &first) !=
				    elf_got_name(got, f, addr, &second) ||
			    strcmp(first.buf, second.buf))
				abort();
		}
	}
	elf_got_free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file inner = ELF_FILE_INIT;
	_cleanup_(mem_freep) void *unpacked = NULL;
	_cleanup_(mem_freep) char *link = NULL;
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	_cleanup_(strbuf_releasep) struct strbuf probes = STRBUF_INIT;
	struct symtab *st;
	struct build_id id;
	u32 crc;

	if (elf_open_memory(&f, data, size, NULL) < 0)
		return 0;
	elf_build_id(&f, &id);
	sdt_notes_probes(&f, "/bin/fuzzed", &probes);
	link = elf_debuglink(&f, &crc);
	elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_FILE, &b);
	elf_symbols_read_module(&f, 0x1000, &b);
	if (elf_mini_debug(&f, &inner, &unpacked))
		elf_symbols_read(&inner, elf_symbols_kind(&inner), &f, ELF_SPACE_FILE, &b);
	go_symbols_read(&f, &b);
	elf_plt_read(&f, &b);
	name_slots(&f);
	st = symtab_build(&b, SYMTAB_DEMANGLE);
	for (u32 i = 0; i < symtab_count(st); i++) {
		/* Itself, or a function around a label. */
		u32 found = symtab_find(st, symtab_start(st, i));

		if (found > i && symtab_end(st, i) > symtab_start(st, i))
			abort();
		symtab_name(st, i);
	}
	for (u64 at = 0; at < 0x4000; at += 61)
		symtab_find(st, at);
	symtab_free(st);
	return 0;
}
