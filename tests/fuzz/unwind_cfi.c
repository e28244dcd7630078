/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call frame information of a made-up object, walks that follow its rules over a made-up stack, and
 * what it says of frame pointers. */
#include <stdint.h>

#include "base/mem.h"
#include "dso/elf/file.h"
#include "unwind/frame_pointers.h"
#include "unwind/walk.h"

enum { CODE_BASE = 0x400000, STACK_BASE = 0x7ff000, MAX = 32 };

static void lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	static struct unwind_rule found;
	struct cfi *c = ctx;

	*out = (struct unwind_code){ .mapped = pc - CODE_BASE < 0x100000 };
	if (!out->mapped)
		return;
	found = (struct unwind_rule){ .cfi = c, .offset = pc - CODE_BASE };
	found.has_rule = cfi_find_step(c, found.offset, &out->step);
	if (found.has_rule)
		out->rule = &found;
	/* some walks follow all registers */
	if (pc % 7 == 0)
		out->step.kind = CFI_STEP_RULE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct unwind_stack stack = { .bytes = data, .addr = STACK_BASE, .size = size };
	struct frame_pointers fp;
	struct cfi *c;

	if (elf_open_memory(&f, data, size, NULL) < 0)
		return 0;
	c = cfi_open(&f, &f);
	for (u64 at = 0; c && at < 0x3000; at += 13) {
		u64 pcs[MAX];
		struct unwind_job job = {
			.abi = cfi_abi(c), .stack = stack, .ctx = c, .pcs = pcs, .max = MAX
		};

		job.regs.pc = CODE_BASE + at;
		job.regs.valid = (1ULL << cfi_abi(c)->nr_regs) - 1;
		for (int i = 0; i < cfi_abi(c)->nr_regs; i++)
			job.regs.v[i] = STACK_BASE + (at & ~15ULL) % (size + 1);
		unwind_walk(&job, 1, lookup);
	}
	cfi_free(c);
	frame_pointers_read(&f, NULL, FP_CLOSE_LOOK, &fp);
	return 0;
}
