/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/go_frames.h"

static void set_reg(struct cfi_state *state, u8 column, u8 kind, s32 value)
{
	state->regs[column] = (struct cfi_reg){ .column = column, .kind = kind, .value = value };
}

/* What calls and prologues of the machine leave on the stack; depth: bytes since the function was
 * called. */
static void describe(const struct unwind_abi *abi, s32 depth, struct cfi_state *state)
{
	*state = (struct cfi_state){
		.cfa = { .kind = CFI_REGISTER, .reg = abi->sp, .value = depth }
	};
	if (abi->link_register) {
		/* the instruction that makes the frame stores the return address at its end */
		if (depth)
			set_reg(state, abi->ra, CFI_OFFSET, -depth);
		return;
	}
	state->cfa.value += abi->word;
	set_reg(state, abi->ra, CFI_OFFSET, -abi->word);
}

/* A function that changes the stack pointer in ways that are not told. */
static void describe_switch(const struct unwind_abi *abi, s32 depth, struct cfi_state *state)
{
	describe(abi, depth, state);
	if (!depth || abi->link_register) {
		set_reg(state, abi->ra, CFI_UNDEFINED, 0);
		return;
	}
	state->cfa.reg = abi->fp;
	state->cfa.value = 2 * abi->word;
	set_reg(state, abi->fp, CFI_OFFSET, -2 * abi->word);
}

bool go_frames_run(struct go_table *t, const struct go_function *fn, const struct unwind_abi *abi,
		   cfi_row_fn *row, void *ctx)
{
	enum { DEEP = 1 << 28 };
	u8 flags = go_function_flags(t, fn);
	bool switches = flags & GO_WRITES_SP && go_function_id(t, fn) != GO_ID_CGOCALLBACK;
	struct cfi_state state;
	struct go_values v;

	if (!go_values_begin(t, fn, GO_STACK, &v))
		return false;
	while (go_values_next(&v)) {
		if (v.value < 0 || v.value > DEEP)
			return false;
		if (switches)
			describe_switch(abi, v.value, &state);
		else
			describe(abi, v.value, &state);
		if (flags & GO_TOP_FRAME)
			set_reg(&state, abi->ra, CFI_UNDEFINED, 0);
		row(ctx, v.from, &state);
	}
	return true;
}
