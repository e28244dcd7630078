/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes as x86 code, instruction by instruction, in both modes. */
#include <stdint.h>
#include <stdlib.h>

#include "arch/x86_insn.h"

static void walk(const uint8_t *data, size_t size, bool is64)
{
	for (size_t at = 0; at < size;) {
		unsigned int n = x86_insn_length(data + at, size - at, is64);

		x86_insn_is_branch(data + at, size - at, is64);

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
