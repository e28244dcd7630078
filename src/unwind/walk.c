/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/walk.h"

#include <string.h>

#include "unwind/expr.h"

/* State of one walk. */
struct unwind_walk {
	const struct unwind_abi *abi;
	const struct unwind_stack *stack;
	unwind_lookup_fn *lookup;
	void *ctx; /* of lookup */
	const struct unwind_code_reader *code;
	const struct unwind_known *known, *next; /* all; where the next address has its place */
	unwind_learn_fn *learn;
	const struct unwind_span *span; /* of the address that was looked for last */
	unwind_find_span_fn *find_span;
	u64 addr; /* the next address in its object */
	u32 object; /* 0 = nothing of it is remembered */
	struct unwind_trail *trail; /* that is laid by this walk, NULL = none */
	u64 whole_words; /* how many bytes of the copy a word of 8 may begin at */
	u64 *pcs;
	size_t nr, max;
	u64 *sp, *fp; /* in regs */
	u64 left_sp; /* of the frame that is being left */
	u64 cfa; /* of the step that is being made */
	u64 fp_at;
	enum unwind_end end;
	size_t guessed; /* as in the job */
	bool stepping; /* there is one, with a word for the frame pointer */
	bool with_fp;
	bool called; /* pc is a return address */
	bool steps; /* follow no more registers than are needed */
	bool can_step; /* and they are known */
	bool stale; /* registers other than pc, stack and frame pointer are not those of this frame
		     */
	bool lacking; /* a rule needs registers that were not followed */
	u32 expr_steps; /* left for expressions */
	struct unwind_regs *regs, own;
};

static bool give_up(struct unwind_walk *w, enum unwind_end why)
{
	w->end = why;
	return false;
}

/* A word of the stack. What lies behind the end of the copy was cut off. */
static bool load(struct unwind_walk *w, u64 addr, u64 *value)
{
	if (unwind_stack_word(w->stack, addr, w->abi->word, value))
		return true;
	if (addr < w->stack->addr + w->stack->size)
		return give_up(w, UNWIND_BROKEN);
	return give_up(w, UNWIND_TRUNCATED);
}

static bool has_reg(const struct unwind_regs *r, unsigned int column)
{
	return r->valid >> column & 1;
}

/* The value of a rule's expression. When it fails, it is not known whether the short copy of the
 * stack is the reason. */
static bool evaluate(struct unwind_walk *w, const struct unwind_rule *code, s32 at, u16 len,
		     const u64 *initial, u64 *result)
{
	const struct unwind_expr expr = { cfi_expression(code->cfi, code->rule, at), len, initial };

	return unwind_expr(w->abi, w->regs, w->stack, &expr, &w->expr_steps, result) ||
	       give_up(w, UNWIND_BROKEN);
}

static bool find_cfa(struct unwind_walk *w, const struct unwind_rule *code, u64 *cfa)
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
static bool recover(struct unwind_walk *w, const struct unwind_rule *code, const struct cfi_reg *r,
		    u64 cfa, u64 *value, bool *known)
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
		*known = (u32)r->value < w->abi->nr_regs &&
			 has_reg(w->regs, (unsigned int)r->value);
		if (*known)
			*value = w->regs->v[r->value];
		return true;
	default:
		*known = false;
		return true;
	}
}

/* Registers of the caller, by the rule of the code. */
static bool apply_rule(struct unwind_walk *w, const struct unwind_rule *code)
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
static inline bool load_word(struct unwind_walk *w, u64 addr, u64 *value)
{
	u64 at = addr - w->stack->addr;

	if (UNLIKELY(at >= w->whole_words))
		return load(w, addr, value);
	memcpy(value, w->stack->bytes + at, sizeof(*value));
	return true;
}

static inline void fetch_word(const struct unwind_walk *w, u64 addr)
{
	u64 at = addr - w->stack->addr;

	if (LIKELY(at < w->whole_words))
		__builtin_prefetch(w->stack->bytes + at);
}

static inline void leave_trace(struct unwind_walk *w)
{
	struct unwind_trail *trail = w->trail;

	if (trail->nr < ARRAY_SIZE(trail->traces))
		trail->traces[trail->nr++] = (struct unwind_trace){
			.ra_at = w->cfa - 8, .fp_at = w->fp_at, .known = (u32)(w->next - w->known)
		};
}

/* begin_step() and end_step() together do what apply_rule() does, for pc, stack and frame pointer
 * alone. This one finds where the words are, and prefetches them. */
static inline bool begin_step(struct unwind_walk *w, u64 pc, struct cfi_step step)
{
	w->pcs[w->nr++] = pc;
	if (UNLIKELY(step.kind == CFI_STEP_OUTERMOST))
		return give_up(w, UNWIND_COMPLETE);
	w->left_sp = *w->sp;
	w->cfa = (step.kind == CFI_STEP_FP ? *w->fp : *w->sp) + (u64)(s64)step.cfa;
	w->fp_at = w->cfa + (u64)(s64)step.fp;
	if (w->trail)
		leave_trace(w);
	/* below the top of the stack it has been restored already, as in recover() */
	w->with_fp = step.fp && w->fp_at >= w->stack->addr;
	w->stepping = w->stale = true;
	fetch_word(w, w->cfa - 8);
	if (w->with_fp)
		fetch_word(w, w->fp_at);
	return true;
}

/* Reads the words. The stack grows down with calls, so the caller's stack pointer must be higher.
 */
static inline bool end_step(struct unwind_walk *w)
{
	w->stepping = false;
	if (w->with_fp && !load_word(w, w->fp_at, w->fp))
		return false;
	if (!load_word(w, w->cfa - 8, &w->regs->pc))
		return false;
	*w->sp = w->cfa;
	w->called = true;
	return LIKELY(w->cfa > w->left_sp) || give_up(w, UNWIND_BROKEN);
}

/* What is known of the code that an address returns to. */
static struct unwind_code code_before(struct unwind_walk *w, u64 ra)
{
	struct unwind_code code = { 0 };

	if (ra)
		w->lookup(w->ctx, ra - 1, &code);
	return code;
}

static bool has_rule_before(struct unwind_walk *w, u64 ra)
{
	struct unwind_code code = code_before(w, ra);

	return code.rule && code.rule->has_rule;
}

/*
 * What the kernel started: the frame pointer is 0, the stack begins with the number of arguments,
 * their addresses and a 0 (System V ABI, "Process Initialization"). The loader's own code there has
 * no rules.
 */
static bool is_process_start(struct unwind_walk *w)
{
	enum { ARGS_MAX = 1 << 20 };
	const struct unwind_abi *abi = w->abi;
	u64 sp = w->regs->v[abi->sp], nr, first, end;

	if (!w->called || !has_reg(w->regs, abi->fp) || w->regs->v[abi->fp] ||
	    !unwind_stack_word(w->stack, sp, abi->word, &nr) || !nr || nr > ARGS_MAX ||
	    !unwind_stack_word(w->stack, sp + abi->word, abi->word, &first) || first <= sp)
		return false;
	return !unwind_stack_word(w->stack, sp + (nr + 1) * abi->word, abi->word, &end) || !end;
}

static void return_to(struct unwind_walk *w, u64 ra, u64 sp)
{
	w->regs->pc = ra;
	w->regs->v[w->abi->sp] = sp;
	w->regs->valid = 1ULL << w->abi->fp | 1ULL << w->abi->sp;
	w->stale = false;
}

/* Where the chain of frame pointers leads, if this looks like one. */
struct fp_frame {
	u64 fp, up, ra;
	bool looks_right, read;
};

static struct fp_frame read_fp_frame(struct unwind_walk *w)
{
	const struct unwind_abi *abi = w->abi;
	struct fp_frame f = { .fp = w->regs->v[abi->fp] };

	f.looks_right = has_reg(w->regs, abi->fp) && f.fp % abi->word == 0 &&
			f.fp >= w->regs->v[abi->sp] && f.fp >= w->stack->addr;
	f.read = f.looks_right && load(w, f.fp, &f.up) && load(w, f.fp + abi->word, &f.ra);
	return f;
}

/* Code that handlers of signals return to, without a table. */
static const struct trampoline *trampoline_of(const struct unwind_walk *w,
					      const struct unwind_code *code)
{
	const struct trampoline *t = code->rule ? code->rule->trampoline : NULL;

	return t && !strcmp(t->abi, w->abi->name) ? t : NULL;
}

/* Whether code has a table's rule, of this machine. */
static bool has_rule(const struct unwind_walk *w, const struct unwind_code *code)
{
	return code->rule && code->rule->has_rule && code->rule->cfi &&
	       cfi_abi(code->rule->cfi) == w->abi;
}

static struct unwind_rule find_rule(const struct unwind_code *code)
{
	if (!code->rule->rule && code->rule->has_rule && code->rule->cfi)
		code->rule->rule = cfi_find(code->rule->cfi, code->rule->offset);
	return *code->rule;
}

/* Whether a handler of signals returns to an address. */
static bool is_signal_return(struct unwind_walk *w, u64 ra)
{
	struct unwind_code code = code_before(w, ra);
	const struct cfi_rule *rule;

	if (trampoline_of(w, &code))
		return true;
	rule = has_rule(w, &code) && code.step.kind == CFI_STEP_RULE ? find_rule(&code).rule : NULL;
	return rule && rule->cfa.flags & CFI_RULE_SIGNAL;
}

/*
 * The rule of code that handlers of signals return to, if it was interrupted itself: mostly in its
 * system call. The address is then that of the next instruction, which may be behind the function.
 * The rule is the same for all of that code.
 */
static bool signal_rule(struct unwind_walk *w, struct unwind_rule *out)
{
	u64 pc = w->regs->pc;

	if (w->called || w->nr)
		return false;
	for (u64 back = 0; back <= TRAMPOLINE_BYTES; back++) {
		struct unwind_code code = code_before(w, pc - back);
		const struct trampoline *t = trampoline_of(w, &code);

		if (t && back > t->size)
			t = NULL;
		if (!t && (back || !is_signal_return(w, pc)))
			continue;
		code = code_before(w, pc - back);
		*out = find_rule(&code);
		if (t)
			out->rule = t->rule;
		return true;
	}
	return false;
}

/* The caller's stack pointer as an interpreter's frame has it: behind its arguments, 255 at most,
 * and variables of the method. */
static bool load_saved_sp(struct unwind_walk *w, u64 fp, u64 *sp)
{
	enum { FAR = 1 << 19 };
	u64 saved;

	if (!load(w, fp - w->abi->word, &saved) || saved < *sp || saved - *sp > FAR ||
	    saved % w->abi->word)
		return false;
	*sp = saved;
	return true;
}

enum way_result { WAY_NONE, WAY_FOLLOWED, WAY_ENDS };

/* By the instructions that the code will leave by. */
static enum way_result apply_way_out(struct unwind_walk *w)
{
	const struct unwind_abi *abi = w->abi;
	struct unwind_regs *regs = w->regs;
	struct cfi_step step;
	u64 cfa, ra, sp, fp = regs->v[abi->fp], own_fp = fp;
	bool has_fp = has_reg(regs, abi->fp), by_fp;

	if (!w->code || !w->code->way_out(w->ctx, abi, regs->pc, w->called, &step))
		return WAY_NONE;
	by_fp = step.kind != CFI_STEP_SP;
	if (by_fp && (!has_fp || fp % abi->word || fp < regs->v[abi->sp]))
		return WAY_NONE;
	cfa = (by_fp ? fp : regs->v[abi->sp]) + (u64)(s64)step.cfa;
	if (!load(w, cfa - abi->word, &ra) || (step.fp && !load(w, cfa + (u64)(s64)step.fp, &fp)))
		return w->end == UNWIND_TRUNCATED && cfa - w->stack->addr < w->stack->size * 2
			       ? WAY_ENDS
			       : WAY_NONE;
	if (ra && !w->code->returns_to(w->ctx, ra) && !is_signal_return(w, ra))
		return WAY_NONE;
	sp = cfa;
	if (step.kind == CFI_STEP_FP_AND_SP && !load_saved_sp(w, own_fp, &sp))
		return WAY_NONE;
	return_to(w, ra, sp);
	regs->v[abi->fp] = fp;
	if (!step.fp && !has_fp)
		regs->valid &= ~(1ULL << abi->fp);
	return WAY_FOLLOWED;
}

/* Wherever the frame pointer leads: a guess. */
static bool guess(struct unwind_walk *w, enum unwind_end why)
{
	struct fp_frame f = read_fp_frame(w);

	if (!f.read || !code_before(w, f.ra).mapped)
		return give_up(w, why);
	if (!w->guessed)
		w->guessed = w->nr;
	return_to(w, f.ra, f.fp + 2ULL * w->abi->word);
	w->regs->v[w->abi->fp] = f.up;
	return true;
}

/* Code without a rule; in_object: one that has rules elsewhere. */
static bool apply_no_rule(struct unwind_walk *w, bool mapped, bool in_object)
{
	u64 pc = w->regs->pc;

	/* A return address is never that of a function's first byte: this stack was set up to begin
	 * there (makecontext()). */
	if (is_process_start(w) || (w->called && in_object && has_rule_before(w, pc + 1) &&
				    !(w->code && w->code->returns_to(w->ctx, pc))))
		return give_up(w, UNWIND_COMPLETE);
	switch (apply_way_out(w)) {
	case WAY_FOLLOWED:
		return true;
	case WAY_ENDS:
		return false;
	default:
		return guess(w, mapped ? UNWIND_NO_RULE : UNWIND_UNMAPPED);
	}
}

/* Whether the stack pointer is too far from the copy for the same stack to go on there. */
static bool is_elsewhere(const struct unwind_walk *w)
{
	enum { FAR = 1 << 20 };

	return *w->sp - w->stack->addr >= w->stack->size + FAR;
}

/*
 * Whether the frame is of a function that ends by __builtin_eh_return() (the unwinder of
 * exceptions, which returns to the handler) and is about to: by then it has overwritten the
 * registers that it saved, its own return address included.
 */
static bool has_lost_caller(const struct unwind_walk *w, const struct cfi_rule *rule)
{
	u64 saved = 0;

	if (!w->code || w->abi->link_register || rule->cfa.flags & CFI_RULE_SIGNAL)
		return false;
	for (u8 i = 0; i < rule->cfa.nr; i++)
		saved |= (u64)(rule->regs[i].kind == CFI_OFFSET) << rule->regs[i].column;
	/* rax and rdx, not rcx */
	return (saved & 7) == (w->abi->word == 8 ? 3 : 5) &&
	       w->code->leaves_soon(w->ctx, w->abi, w->regs->pc);
}

/* From a frame whose rule asks for more, or that has none, to its caller. */
static bool go_on(struct unwind_walk *w, const struct unwind_code *code)
{
	const struct trampoline *t = w->called ? trampoline_of(w, code) : NULL;
	struct unwind_rule rule = { 0 };
	bool by_rule = t || has_rule(w, code), in_object = code->rule && code->rule->cfi;
	bool was_signal;
	u64 sp = *w->sp;

	w->lacking = by_rule && w->stale;
	if (w->lacking)
		return false;
	if (by_rule)
		rule = find_rule(code);
	if (t)
		rule.rule = t->rule;
	by_rule = rule.rule != NULL;
	if (!by_rule && signal_rule(w, &rule))
		by_rule = true;
	was_signal = by_rule && rule.rule->cfa.flags & CFI_RULE_SIGNAL;
	w->pcs[w->nr++] = w->regs->pc - (w->called && !was_signal);
	if (by_rule && has_lost_caller(w, rule.rule))
		return give_up(w, UNWIND_BROKEN);
	if (by_rule ? !apply_rule(w, &rule) : !apply_no_rule(w, code->mapped, in_object))
		return false;
	if (was_signal && is_elsewhere(w)) {
		if (w->nr < w->max)
			w->pcs[w->nr++] = w->regs->pc;
		return give_up(w, UNWIND_OTHER_STACK);
	}
	w->can_step = w->steps && has_reg(w->regs, w->abi->fp);
	w->called = !was_signal;
	/* Only a signal handler may run on another stack; else the caller's stack pointer is
	 * higher. */
	if (!was_signal && (*w->sp < sp || (*w->sp == sp && !w->abi->link_register)))
		return give_up(w, UNWIND_BROKEN);
	return true;
}

static __attribute__((noinline)) bool look_closely(struct unwind_walk *w, u64 at)
{
	struct unwind_code code;

	if (!w->regs->pc)
		return give_up(w, UNWIND_COMPLETE);
	w->lookup(w->ctx, at, &code);
	if (w->called && !code.mapped)
		return give_up(w, UNWIND_UNMAPPED);
	if (w->can_step && code.step.kind != CFI_STEP_RULE)
		return begin_step(w, at, code.step);
	return go_on(w, &code);
}

/* The next address has been met before. */
static inline bool is_known(const struct unwind_walk *w)
{
	const struct unwind_known *k = w->next;

	return k->addr == w->addr && k->object == w->object;
}

/* Whether what is to be known of the next address may be no more than a step. */
static inline bool is_to_learn(const struct unwind_walk *w)
{
	return !is_known(w) && w->object && w->can_step && w->nr < w->max;
}

/* The next frame, and where its caller is: known now, or after the step that is begun. False: that
 * was all. */
static inline bool look(struct unwind_walk *w)
{
	const struct unwind_known *k = w->next;
	u64 at = w->regs->pc - w->called;

	if (UNLIKELY(w->nr == w->max))
		return give_up(w, UNWIND_FULL);
	if (UNLIKELY(!is_known(w) || k->step.kind == CFI_STEP_RULE || !w->can_step))
		return look_closely(w, at);
	return begin_step(w, at, k->step);
}

/* Have the CPU fetch what is known of the next address. Most callers are in the same object. */
static inline void aim(struct unwind_walk *w)
{
	u64 at = w->regs->pc - w->called;

	if (!w->known)
		return;
	w->addr = at;
	w->object = 0;
	if (LIKELY(at - w->span->start < w->span->len) ||
	    (w->regs->pc && w->find_span(w->ctx, at))) {
		w->addr += w->span->shift;
		w->object = w->span->object;
	}
	w->next = &w->known[unwind_known_at(w->object, w->addr)];
	__builtin_prefetch(w->next);
}

static void learn(struct unwind_walk *const *walks, size_t nr)
{
	struct unwind_address addresses[UNWIND_SIDE_BY_SIDE];

	for (size_t i = 0; i < nr; i++)
		addresses[i] = (struct unwind_address){ walks[i]->ctx,
							walks[i]->regs->pc - walks[i]->called };
	walks[0]->learn(addresses, nr);
}

static void walk(struct unwind_walk *walks, size_t nr)
{
	struct unwind_walk *live[UNWIND_SIDE_BY_SIDE], *learning[UNWIND_SIDE_BY_SIDE];
	size_t looked, left = nr, nr_learning;

	for (size_t i = 0; i < nr; i++) {
		live[i] = &walks[i];
		aim(live[i]);
	}
	while (left) {
		looked = left;
		left = nr_learning = 0;
		for (size_t i = 0; i < looked; i++) {
			if (UNLIKELY(is_to_learn(live[i])))
				learning[nr_learning++] = live[i];
			else if (look(live[i]))
				live[left++] = live[i];
		}
		if (nr_learning)
			learn(learning, nr_learning);
		for (size_t i = 0; i < nr_learning; i++) {
			if (look(learning[i]))
				live[left++] = learning[i];
		}
		looked = left;
		left = 0;
		for (size_t i = 0; i < looked; i++) {
			if (live[i]->stepping && !end_step(live[i]))
				continue;
			aim(live[i]);
			live[left++] = live[i];
		}
	}
}

static void begin(struct unwind_walk *w, const struct unwind_job *job, unwind_lookup_fn *lookup,
		  bool steps)
{
	static const struct unwind_known nothing = { .step = { .kind = CFI_STEP_RULE } };
	const struct unwind_abi *abi = job->abi;

	w->abi = abi;
	w->own = job->regs;
	w->regs = &w->own;
	w->sp = &w->own.v[abi->sp];
	w->fp = &w->own.v[abi->fp];
	w->stack = &job->stack;
	w->lookup = lookup;
	w->ctx = job->ctx;
	w->code = job->code;
	w->known = job->known;
	w->learn = job->learn;
	w->span = job->span;
	w->find_span = job->find_span;
	w->addr = w->object = 0;
	w->trail = NULL;
	w->next = &nothing;
	w->whole_words = job->stack.size >= 8 ? job->stack.size - 7 : 0;
	w->pcs = job->pcs;
	w->nr = 0;
	w->max = job->max;
	w->guessed = 0;
	w->expr_steps = UNWIND_EXPR_STEPS;
	w->stepping = w->called = w->stale = w->lacking = false;
	w->steps = steps && abi->word == 8 && !abi->link_register;
	w->can_step = w->steps && has_reg(w->regs, abi->fp);
}

/* A guess that leads nowhere is none. */
static bool leads_nowhere(const struct unwind_walk *w)
{
	return w->end == UNWIND_UNMAPPED || w->end == UNWIND_BROKEN || w->end == UNWIND_NO_RULE;
}

static void finish(struct unwind_walk *w, struct unwind_job *job)
{
	if (w->guessed && (leads_nowhere(w) || w->nr == w->guessed)) {
		w->nr = w->guessed;
		w->guessed = 0;
		w->end = UNWIND_NO_RULE;
	}
	job->nr = w->nr;
	job->guessed = w->guessed;
	job->sp = *w->sp;
	job->end = w->guessed ? UNWIND_GUESSED : w->end;
}

static void follow_trail(const struct unwind_walk *w, const struct unwind_job *job)
{
	const struct unwind_trail *trail = job->trail;

	if (!trail || trail->tid != job->tid)
		return;
	for (u32 i = 0; i < trail->nr; i++) {
		const struct unwind_trace *t = &trail->traces[i];

		fetch_word(w, t->ra_at);
		fetch_word(w, t->fp_at);
		__builtin_prefetch(&w->known[t->known]);
	}
}

/* One walk of those side by side is enough. */
static void lay_trail(struct unwind_walk *w, const struct unwind_job *job)
{
	w->trail = job->known ? job->trail : NULL;
	if (!w->trail)
		return;
	w->trail->tid = job->tid;
	w->trail->nr = 0;
}

/*
 * Nearly all walks need nothing but pc, stack and frame pointer, so only these are followed at
 * first. Where a rule needs another register, the walk begins again, with all of them.
 */
void unwind_walk(struct unwind_job *jobs, size_t nr, unwind_lookup_fn *lookup)
{
	struct unwind_walk walks[UNWIND_SIDE_BY_SIDE];

	for (size_t i = 0; i < nr; i++) {
		begin(&walks[i], &jobs[i], lookup, true);
		follow_trail(&walks[i], &jobs[i]);
	}
	if (nr)
		lay_trail(&walks[nr - 1], &jobs[nr - 1]);
	walk(walks, nr);
	for (size_t i = 0; i < nr; i++) {
		if (walks[i].lacking) {
			begin(&walks[i], &jobs[i], lookup, false);
			walk(&walks[i], 1);
		}
		finish(&walks[i], &jobs[i]);
	}
}
