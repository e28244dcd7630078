/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the code around an address, asked for the way out of it. Input: a byte of flags (1:
 * 64 bits, 2: behind a call), 2 bytes that say where the address is, the code. The answer is the
 * same each time, and of a depth that a stack can have. (What it costs is bounded by the number of
 * instructions that are looked at; libFuzzer's time limit sees to it.)
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/way_out.h"

enum { HEAD = 3, DEEPEST = (1 << 24) + 8 };

static bool is_within(s32 at, s32 most)
{
	return at >= -most && at <= most;
}

static void ask(struct way_out_code code, bool called)
{
	struct cfi_step step = { 0 }, again = { 0 };
	bool found = way_out_find(code, called, &step);

	if (way_out_find(code, called, &again) != found || step.kind != again.kind ||
	    step.cfa != again.cfa || step.fp != again.fp)
		abort();
	if (found && step.kind != CFI_STEP_SP && step.kind != CFI_STEP_FP &&
	    step.kind != CFI_STEP_FP_AND_SP)
		abort();
	if (found && step.kind == CFI_STEP_SP && step.cfa < (code.is64 ? 8 : 4))
		abort();
	if (!is_within(step.cfa, DEEPEST) || !is_within(step.fp, 2 * DEEPEST))
		abort();
	if (way_out_leaves_by_sp(code) != way_out_leaves_by_sp(code))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t nr = size - HEAD;
	u8 *bytes;

	if (size < HEAD)
		return 0;
	bytes = malloc(nr); /* on its own, so that a byte in front of it is found, too */
	if (!bytes)
		return 0;
	memcpy(bytes, data + HEAD, nr);
	ask((struct way_out_code){ bytes, (u32)nr, data[1] | (u32)data[2] << 8, data[0] & 1 },
	    data[0] & 2);
	free(bytes);
	return 0;
}
