/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as x86 code, instruction by instruction, in both modes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/x86_insn.h"

/* What the parts say has to lie in the instruction, and nothing behind it counts. */
static void parse(const uint8_t *p, size_t n, bool is64)
{
	struct x86_insn whole = x86_insn_parse(p, n, is64), alone;
	uint8_t *copy;

	if (!whole.len)
		return;
	if (whole.len > n || whole.modrm >= whole.len || whole.map > X86_MAP_OTHER ||
	    (whole.rex && whole.rex >> 4 != 4))
		abort();
	copy = malloc(whole.len);
	if (!copy)
		return;
	memcpy(copy, p, whole.len);
	alone = x86_insn_parse(copy, whole.len, is64);
	if (alone.len != whole.len || alone.op != whole.op || alone.map != whole.map ||
	    alone.modrm != whole.modrm)
		abort();
	free(copy);
}

static void walk(const uint8_t *data, size_t size, bool is64)
{
	for (size_t at = 0; at < size;) {
		unsigned int n = x86_insn_length(data + at, size - at, is64);

		x86_insn_is_branch(data + at, size - at, is64);
		parse(data + at, size - at, is64);
		if (n > X86_INSN_MAX || n > size - at)
			abort();
		at += n ? n : 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	walk(data, size, true);
	walk(data, size, false);
	return 0;
}
