/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/walk.h"

#include <string.h>

#include "unwind/expr.h"

bool unwind_stack_word(const struct unwind_stack *stack, u64 addr, unsigned int size, u64 *value)
{
	u64 at = addr - stack->addr;

	if (at >= stack->size || stack->size - at < size)
		return false;
	*value = 0;
	memcpy(value, stack->bytes + at, size);
	return true;
}

/* State of one walk. */
struct walk {
	const struct unwind_abi *abi;
	struct unwind_regs *regs;
	const struct unwind_stack *stack;
	unwind_lookup_fn *lookup;
	void *ctx; /* of lookup */
	enum unwind_end end;
};

static bool give_up(struct walk *w, enum unwind_end why)
{
	w->end = why;
	return false;
}

/* A word from memory; what lies above the copy was cut off. */
static bool load(struct walk *w, u64 addr, u64 *value)
{
	if (unwind_stack_word(w->stack, addr, w->abi->word, value))
		return true;
	return give_up(w, addr >= w->stack->addr + w->stack->size ? UNWIND_TRUNCATED : UNWIND_BROKEN);
}

static bool has_reg(const struct unwind_regs *r, unsigned int column)
{
	return r->valid >> column & 1;
}

/* The expression of a rule; whether it failed since the stack was cut short is not known. */
static bool evaluate(struct walk *w, const struct unwind_code *code, s32 at, u16 len,
		     const u64 *initial, u64 *result)
{
	return unwind_expr(w->abi, w->regs, w->stack, cfi_expression(code->cfi, code->rule, at), len,
			   initial, result) ||
	       give_up(w, UNWIND_BROKEN);
}

static bool find_cfa(struct walk *w, const struct unwind_code *code, u64 *cfa)
{
	const struct cfi_cfa *rule = &code->rule->cfa;

	switch (rule->kind) {
	case CFI_REGISTER:
		if (!has_reg(w->regs, rule->reg))
			return give_up(w, UNWIND_BROKEN);
		*cfa = w->regs->v[rule->reg] + (u64)(s64)rule->value;
		return true;
	case CFI_VAL_EXPR:
		return evaluate(w, code, rule->value, rule->len, NULL, cfa);
	default:
		return give_up(w, UNWIND_BROKEN);
	}
}

/* The caller's value of one register into *value; *known false where it is lost. */
static bool recover(struct walk *w, const struct unwind_code *code, const struct cfi_reg *r, u64 cfa,
		    u64 *value, bool *known)
{
	u64 at;

	*known = true;
	switch (r->kind) {
	case CFI_OFFSET:
		at = cfa + (u64)(s64)r->value;
		/* In an epilogue: below the top of the stack it has been restored already. */
		if (at < w->stack->addr && r->column != w->abi->ra) {
			*known = has_reg(w->regs, r->column);
			return true;
		}
		return load(w, at, value);
	case CFI_VAL_OFFSET:
		*value = cfa + (u64)(s64)r->value;
		return true;
	case CFI_EXPR:
		return evaluate(w, code, r->value, r->len, &cfa, &at) && load(w, at, value);
	case CFI_VAL_EXPR:
		return evaluate(w, code, r->value, r->len, &cfa, value);
	case CFI_REGISTER:
		*known = (u32)r->value < w->abi->nr_regs && has_reg(w->regs, (unsigned int)r->value);
		if (*known)
			*value = w->regs->v[r->value];
		return true;
	default:
		*known = false;
		return true;
	}
}

/* Registers of the caller, by the rule of the code. */
static bool apply_rule(struct walk *w, const struct unwind_code *code)
{
	const struct cfi_rule *rule = code->rule;
	const struct unwind_abi *abi = w->abi;
	struct unwind_regs *regs = w->regs;
	u64 value[UNWIND_REGS]; /* by place in the rule: all are found by the old ones */
	u64 valid = regs->valid, pc;
	u64 cfa;

	if (!find_cfa(w, code, &cfa))
		return false;
	if (!abi->link_register)
		valid &= ~(1ULL << abi->ra);
	for (u8 i = 0; i < rule->cfa.nr; i++) {
		const struct cfi_reg *r = &rule->regs[i];
		bool known;

		value[i] = regs->v[r->column];
		if (!recover(w, code, r, cfa, &value[i], &known)) {
			/* Other registers may be lost without harm. */
			if (r->column == abi->ra || r->column == abi->sp || r->column == abi->fp)
				return false;
			known = false;
		}
		if (known)
			valid |= 1ULL << r->column;
		else
			valid &= ~(1ULL << r->column);
	}
	if (!(valid >> abi->ra & 1))
		return give_up(w, UNWIND_COMPLETE);
	pc = regs->v[abi->ra];
	for (u8 i = 0; i < rule->cfa.nr; i++)
		if (rule->regs[i].column == abi->ra)
			pc = value[i];
	/* Signed return addresses carry the signature above the 48 bits of an address. */
	if (rule->cfa.flags & CFI_RULE_RA_SIGNED)
		pc &= (1ULL << 48) - 1;
	if (abi->link_register && rule->cfa.nr == 0 && pc == regs->pc && cfa == regs->v[abi->sp])
		return give_up(w, UNWIND_BROKEN);
	/* The CFA is the caller's stack pointer, unless a rule says otherwise. */
	regs->v[abi->sp] = cfa;
	for (u8 i = 0; i < rule->cfa.nr; i++)
		regs->v[rule->regs[i].column] = value[i];
	regs->valid = valid;
	regs->pc = pc;
	return true;
}

/* What is known of the code that an address returns to. */
static struct unwind_code code_before(struct walk *w, u64 ra)
{
	struct unwind_code code = { 0 };

	if (ra)
		w->lookup(w->ctx, ra - 1, &code);
	return code;
}

/*
 * Code of a JIT compiler between two functions with rules that only calls the inner one, with the stack
 * aligned and no register touched, as CPython's `-X perf` writes it (sub $8, %rsp; call; add $8, %rsp; ret):
 * its return address is the word but one.
 */
static bool apply_bare_call(struct walk *w)
{
	const struct unwind_abi *abi = w->abi;
	u64 sp = w->regs->v[abi->sp];
	u64 ra;

	if (abi->link_register || !unwind_stack_word(w->stack, sp + abi->word, abi->word, &ra) ||
	    !code_before(w, ra).rule)
		return false;
	w->regs->pc = ra;
	w->regs->v[abi->sp] = sp + 2ULL * abi->word;
	return true;
}

/* Code without a rule: the chain of frame pointers, if this looks like one. */
static bool apply_frame_pointer(struct walk *w, const struct unwind_code *code, bool called)
{
	const struct unwind_abi *abi = w->abi;
	enum unwind_end why = code->mapped ? UNWIND_NO_RULE : UNWIND_UNMAPPED;
	bool bare = called && code->mapped && !code->cfi;
	u64 fp = w->regs->v[abi->fp];
	u64 up = 0, ra = 0;
	bool has_frame = has_reg(w->regs, abi->fp) && fp % abi->word == 0 && fp >= w->regs->v[abi->sp] &&
			 fp >= w->stack->addr;
	bool read = has_frame && load(w, fp, &up) && load(w, fp + abi->word, &ra);

	if (bare && !(read && code_before(w, ra).mapped) && apply_bare_call(w))
		return true;
	if (!has_frame)
		return give_up(w, why);
	/* Just above the copy it is a frame that was cut off; far from it, the register held something else. */
	if (!read)
		return give_up(w, fp - w->stack->addr < w->stack->size * 2 ? w->end : why);
	w->regs->pc = ra;
	w->regs->v[abi->fp] = up;
	w->regs->v[abi->sp] = fp + 2ULL * abi->word;
	w->regs->valid = 1ULL << abi->fp | 1ULL << abi->sp;
	return true;
}

/* The rule that holds for an address; false: frame pointers are all there is. */
static bool choose_rule(const struct unwind_abi *abi, bool called, struct unwind_code *code)
{
	if (called && code->trampoline && !strcmp(code->trampoline->abi, abi->name)) {
		code->rule = code->trampoline->rule;
		return true;
	}
	return code->rule && code->cfi && cfi_abi(code->cfi) == abi;
}

size_t unwind_walk(const struct unwind_abi *abi, struct unwind_regs *regs,
		   const struct unwind_stack *stack, unwind_lookup_fn *lookup, void *ctx, u64 *pcs,
		   size_t max, enum unwind_end *end)
{
	struct walk w = { .abi = abi, .regs = regs, .stack = stack, .lookup = lookup,
			  .ctx = ctx, .end = UNWIND_FULL };
	bool called = false; /* pc is a return address */
	size_t nr = 0;

	while (nr < max) {
		u64 sp = regs->v[abi->sp];
		u64 at = regs->pc - (called ? 1 : 0);
		struct unwind_code code;
		bool was_signal, has_rule, ok;

		if (!regs->pc) {
			w.end = UNWIND_COMPLETE;
			break;
		}
		lookup(ctx, at, &code);
		if (called && !code.mapped) {
			w.end = UNWIND_UNMAPPED;
			break;
		}
		has_rule = choose_rule(abi, called, &code);
		was_signal = code.rule && code.rule->cfa.flags & CFI_RULE_SIGNAL;
		pcs[nr++] = was_signal ? regs->pc : at;
		ok = has_rule ? apply_rule(&w, &code) : apply_frame_pointer(&w, &code, called);
		if (!ok)
			break;
		/* Only a signal handler may run on another stack; calls go down, returns go up. */
		if (!was_signal && (regs->v[abi->sp] < sp ||
				    (regs->v[abi->sp] == sp && !abi->link_register))) {
			w.end = UNWIND_BROKEN;
			break;
		}
		called = !was_signal;
	}
	*end = w.end;
	return nr;
}
