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
	if (LIKELY(size == sizeof(*value)))
		memcpy(value, stack->bytes + at, sizeof(*value));
	else
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
	u64 whole_words; /* how many bytes of the copy a word of 8 may begin at */
	enum unwind_end end;
	bool steps;   /* follow no more registers than are needed */
	bool stale;   /* others than pc, stack and frame pointer are not those of the frame */
	bool lacking;
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
static bool evaluate(struct walk *w, const struct unwind_rule *code, s32 at, u16 len,
		     const u64 *initial, u64 *result)
{
	return unwind_expr(w->abi, w->regs, w->stack, cfi_expression(code->cfi, code->rule, at), len,
			   initial, result) ||
	       give_up(w, UNWIND_BROKEN);
}

static bool find_cfa(struct walk *w, const struct unwind_rule *code, u64 *cfa)
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
static bool recover(struct walk *w, const struct unwind_rule *code, const struct cfi_reg *r, u64 cfa,
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
static bool apply_rule(struct walk *w, const struct unwind_rule *code)
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
		if (rule->regs[i].column == abi->ra || rule->regs[i].column == UNWIND_PC)
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

/* A word of 8 bytes. */
static inline bool load_word(struct walk *w, u64 addr, u64 *value)
{
	u64 at = addr - w->stack->addr;

	if (UNLIKELY(at >= w->whole_words))
		return load(w, addr, value);
	memcpy(value, w->stack->bytes + at, sizeof(*value));
	return true;
}

/* What apply_rule() does, for pc, stack and frame pointer alone. */
static inline bool apply_step(struct walk *w, struct cfi_step step)
{
	const struct unwind_abi *abi = w->abi;
	u64 *v = w->regs->v;
	u64 cfa = v[step.kind == CFI_STEP_FP ? abi->fp : abi->sp] + (u64)(s64)step.cfa;
	u64 fp_at = cfa + (u64)(s64)step.fp;

	if (step.kind == CFI_STEP_OUTERMOST)
		return give_up(w, UNWIND_COMPLETE);
	/* below the top of the stack it has been restored already, as in recover() */
	if (step.fp && fp_at >= w->stack->addr && !load_word(w, fp_at, &v[abi->fp]))
		return false;
	if (!load_word(w, cfa - 8, &w->regs->pc))
		return false;
	v[abi->sp] = cfa;
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

static bool has_rule_before(struct walk *w, u64 ra)
{
	struct unwind_code code = code_before(w, ra);

	return code.rule && code.rule->rule;
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
	    !has_rule_before(w, ra))
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
	bool bare = called && code->mapped && !(code->rule && code->rule->cfi);
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
	w->stale = false;
	return true;
}

/* How a walk goes on from code. */
enum way { WAY_STEP, WAY_RULE, WAY_FRAME_POINTER };

/* By a rule: *rule is the one. */
static inline enum way way_from(const struct walk *w, const struct unwind_code *code, bool called,
				struct unwind_rule *rule)
{
	const struct trampoline *t;

	if (code->step.kind != CFI_STEP_RULE && w->steps && has_reg(w->regs, w->abi->fp))
		return WAY_STEP;
	if (!code->rule)
		return WAY_FRAME_POINTER;
	*rule = *code->rule;
	t = rule->trampoline;
	if (called && t && !strcmp(t->abi, w->abi->name)) {
		rule->rule = t->rule;
		return WAY_RULE;
	}
	return rule->rule && rule->cfi && cfi_abi(rule->cfi) == w->abi ? WAY_RULE : WAY_FRAME_POINTER;
}

static inline bool go_on(struct walk *w, const struct unwind_code *code, enum way way,
			 const struct unwind_rule *rule, bool called)
{
	switch (way) {
	case WAY_STEP:
		w->stale = true;
		return apply_step(w, code->step);
	case WAY_RULE:
		return apply_rule(w, rule);
	default:
		return apply_frame_pointer(w, code, called);
	}
}

/* Returns the number of frames. w->lacking: a rule needs registers that were not followed. */
static size_t walk(struct walk *w, u64 *pcs, size_t max)
{
	const struct unwind_abi *abi = w->abi;
	struct unwind_regs *regs = w->regs;
	bool called = false; /* pc is a return address */
	size_t nr = 0;

	w->end = UNWIND_FULL;
	while (nr < max) {
		u64 sp = regs->v[abi->sp];
		u64 at = regs->pc - (called ? 1 : 0);
		struct unwind_code code;
		struct unwind_rule rule;
		bool was_signal;
		enum way way;

		if (!regs->pc) {
			w->end = UNWIND_COMPLETE;
			break;
		}
		w->lookup(w->ctx, at, &code);
		if (called && !code.mapped) {
			w->end = UNWIND_UNMAPPED;
			break;
		}
		way = way_from(w, &code, called, &rule);
		w->lacking = way == WAY_RULE && w->stale;
		if (w->lacking)
			break;
		was_signal = way == WAY_RULE && rule.rule->cfa.flags & CFI_RULE_SIGNAL;
		pcs[nr++] = was_signal ? regs->pc : at;
		if (!go_on(w, &code, way, &rule, called))
			break;
		/* Only a signal handler may run on another stack; calls go down, returns go up. */
		if (!was_signal && (regs->v[abi->sp] < sp ||
				    (regs->v[abi->sp] == sp && !abi->link_register))) {
			w->end = UNWIND_BROKEN;
			break;
		}
		called = !was_signal;
	}
	return nr;
}

/*
 * Nearly all walks need nothing but pc, stack and frame pointer. The first rule that wants more, behind
 * frames where the rest was not followed, begins the walk again, with all registers.
 */
size_t unwind_walk(const struct unwind_abi *abi, struct unwind_regs *regs,
		   const struct unwind_stack *stack, unwind_lookup_fn *lookup, void *ctx, u64 *pcs,
		   size_t max, enum unwind_end *end)
{
	const struct unwind_regs first = *regs;
	struct walk w = { .abi = abi, .regs = regs, .stack = stack, .lookup = lookup, .ctx = ctx };
	size_t nr;

	w.steps = abi->word == 8 && !abi->link_register;
	w.whole_words = stack->size >= 8 ? stack->size - 7 : 0;
	nr = walk(&w, pcs, max);
	if (w.lacking) {
		*regs = first;
		w.stale = w.steps = false;
		nr = walk(&w, pcs, max);
	}
	*end = w.end;
	return nr;
}
