/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/walk.h"

#include <string.h>

#include "unwind/expr.h"

bool unwind_stack_word(const struct unwind_stack *stack, u64 addr, unsigned int size, u64 *value)
{
	u64 at = addr - stack->addr;

	while (UNLIKELY(at >= stack->size || stack->size - at < size)) {
		stack = stack->above;
		if (!stack)
			return false;
		at = addr - stack->addr;
	}
	*value = 0;
	if (LIKELY(size == sizeof(*value)))
		memcpy(value, stack->bytes + at, sizeof(*value));
	else
		memcpy(value, stack->bytes + at, size);
	return true;
}

/* At words of the stack, in search of return addresses, and how often the same search goes on or is followed by another. */
enum { LOOKS_MAX = 4096, SEARCHES_MAX = 64, CALL_WORDS = 1024 };

/* For the caller of code without a rule: what is needed to go on with it where the walk does not lead on. */
struct search {
	u64 pc;
	u64 at;	   /* the address that was taken for the caller's */
	u64 fp;	   /* of the code */
	bool with_fp;
	size_t nr; /* of the frames up to the code; 0 = there was none */
	u64 words; /* so far from the code's stack pointer, or the last address, it may be */
	bool cut;  /* it came to the end of the copy */
};

/* State of one walk. */
struct walk {
	const struct unwind_abi *abi;
	const struct unwind_stack *stack;
	unwind_lookup_fn *lookup;
	void *ctx; /* of lookup */
	unwind_calls_fn *calls;
	const struct unwind_known *known, *next; /* all; where the next address has its place */
	u64 time;
	u32 space;
	u64 whole_words; /* how many bytes of the copy a word of 8 may begin at */
	u64 *pcs;
	size_t nr, max;
	u64 *sp, *fp; /* in regs */
	u64 left_sp;  /* of the frame that is being left */
	u64 needs;    /* what load() did not find above the copy */
	u64 cfa;      /* of the step that is being made */
	u64 fp_at;
	enum unwind_end end;
	u32 looks_left; /* at words that may be return addresses */
	u32 searches_left;
	struct search search; /* the last one */
	bool stepping; /* there is one, with a word for the frame pointer */
	bool with_fp;
	bool called;   /* pc is a return address */
	bool steps;    /* follow no more registers than are needed */
	bool can_step; /* and they are known */
	bool stale;    /* others than pc, stack and frame pointer are not those of the frame */
	bool by_fp;    /* frame pointers led here, from code without a rule */
	bool by_search; /* that it is truncated, if it is */
	bool lacking;  /* a rule needs registers that were not followed */
	const struct unwind_regs *first; /* of the sampled function; NULL: its caller has been searched for */
	struct unwind_regs *regs, own;
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
	if (addr < w->stack->addr + w->stack->size)
		return give_up(w, UNWIND_BROKEN);
	w->needs = addr;
	return give_up(w, UNWIND_TRUNCATED);
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

static inline void fetch_word(const struct walk *w, u64 addr)
{
	u64 at = addr - w->stack->addr;

	if (LIKELY(at < w->whole_words))
		__builtin_prefetch(w->stack->bytes + at);
}

/* What apply_rule() does, for pc, stack and frame pointer alone. In two parts: where the words are ... */
static inline bool begin_step(struct walk *w, u64 pc, struct cfi_step step)
{
	w->pcs[w->nr++] = pc;
	if (UNLIKELY(step.kind == CFI_STEP_OUTERMOST))
		return give_up(w, UNWIND_COMPLETE);
	w->left_sp = *w->sp;
	w->cfa = (step.kind == CFI_STEP_FP ? *w->fp : *w->sp) + (u64)(s64)step.cfa;
	w->fp_at = w->cfa + (u64)(s64)step.fp;
	/* below the top of the stack it has been restored already, as in recover() */
	w->with_fp = step.fp && w->fp_at >= w->stack->addr;
	w->stepping = w->stale = true;
	fetch_word(w, w->cfa - 8);
	if (w->with_fp)
		fetch_word(w, w->fp_at);
	return true;
}

/* ... and what they say. Calls go down, returns go up. */
static inline bool end_step(struct walk *w)
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

	return code.rule && code.rule->has_rule;
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

/*
 * What the kernel started: the frame pointer is 0, the stack begins with the number of arguments, their
 * addresses and a 0 (System V ABI, "Process Initialization"). The loader's own code there has no rules.
 */
static bool is_process_start(struct walk *w)
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

static void return_to(struct walk *w, u64 ra, u64 sp)
{
	w->regs->pc = ra;
	w->regs->v[w->abi->sp] = sp;
	w->regs->valid = 1ULL << w->abi->fp | 1ULL << w->abi->sp;
	w->stale = w->by_fp = w->by_search = false;
}

/*
 * The caller of code that is left to *ra, by what was looked at up to *at, in so many words: with rules behind at most
 * so many more. One that surely is comes before one that may be.
 */
static bool find_call(struct walk *w, u64 pc, unsigned int hops, u64 words, u64 *ra, u64 *at)
{
	enum { NEVER_CODE = 1 << 16 };
	const unsigned int word = w->abi->word;
	u64 from = *at;
	bool found = false;

	for (u64 sp = from; sp < from + words * word && w->looks_left; sp += word) {
		u64 next = sp + word, caller, beyond;
		enum unwind_call call;

		w->looks_left--;
		if (!unwind_stack_word(w->stack, sp, word, &caller)) {
			w->search.cut |= !found;
			break;
		}
		call = caller < NEVER_CODE ? UNWIND_CALL_NOT : w->calls(w->ctx, caller, pc);
		if (call == UNWIND_CALL_NOT || (found && call != UNWIND_CALL_SURELY))
			continue;
		if (call == UNWIND_CALL_SURELY || has_rule_before(w, caller) ||
		    (hops && find_call(w, caller - 1, hops - 1, CALL_WORDS, &beyond, &next))) {
			*ra = caller;
			*at = sp;
			found = true;
			if (call != UNWIND_CALL_WEAKLY)
				break;
		}
	}
	return found;
}

static bool is_frame_above(const struct walk *w, u64 fp, u64 at)
{
	return fp % w->abi->word == 0 && fp > at && fp - w->stack->addr < w->stack->size;
}

/* The caller's frame pointer: where code uses the register otherwise it has pushed it below the return address. */
static u64 frame_pointer_at(const struct walk *w, u64 at)
{
	enum { PUSHED_MAX = 8 };
	u64 fp = w->regs->v[w->abi->fp], pushed;

	if (has_reg(w->regs, w->abi->fp) && is_frame_above(w, fp, at))
		return fp;
	for (u64 i = 1; i <= PUSHED_MAX; i++)
		if (unwind_stack_word(w->stack, at - i * w->abi->word, w->abi->word, &pushed) &&
		    is_frame_above(w, pushed, at))
			return pushed;
	return fp;
}

/* From w->search.at on. */
static bool search_call(struct walk *w)
{
	enum { HOPS = 2 };
	struct search *s = &w->search;
	u64 ra;

	if (!w->searches_left || !find_call(w, s->pc, HOPS, s->words, &ra, &s->at))
		return false;
	w->searches_left--;
	w->regs->v[w->abi->fp] = s->fp;
	w->regs->valid = (u64)s->with_fp << w->abi->fp;
	w->regs->v[w->abi->fp] = frame_pointer_at(w, s->at);
	return_to(w, ra, s->at + w->abi->word);
	return true;
}

/*
 * Code without a rule in an object that has rules is written by hand, that in memory alone is a JIT compiler's:
 * its caller is at the first address on the stack that a call of it may have left. One of an earlier call may lie
 * below it, where the code uses the stack without filling it. As a rule what lay above that one has been written
 * over, so its callers lead nowhere, and the search goes on. If they do lead on, its frames are wrong, but not what
 * follows, since it was called from where the code was.
 */
static bool apply_found_call(struct walk *w, u64 words)
{
	if (!w->calls || w->abi->link_register)
		return false;
	w->search = (struct search){ .pc = w->regs->pc - w->called, .at = w->regs->v[w->abi->sp],
				     .fp = w->regs->v[w->abi->fp], .with_fp = has_reg(w->regs, w->abi->fp),
				     .nr = w->nr, .words = words };
	if (search_call(w))
		return true;
	w->search.nr = 0;
	return false;
}

/* Whether what followed the found call makes no sense; that nobody called is what a function's rule says, not a 0. */
static bool leads_nowhere(const struct walk *w)
{
	return w->end == UNWIND_UNMAPPED || w->end == UNWIND_BROKEN || w->end == UNWIND_NO_RULE ||
	       (w->end == UNWIND_COMPLETE && !w->regs->pc);
}

/*
 * Functions written by hand may push without their rules telling, as the memcpy() of 32-bit glibc does: what should be the
 * return address leads out of all code, or is 0. The real one is some words up.
 */
static bool search_first(struct walk *w)
{
	enum { PUSHED_MAX = 16 };
	u64 pc = w->regs->pc;

	if (w->nr != 1 || !(w->end == UNWIND_UNMAPPED || (w->end == UNWIND_COMPLETE && !pc)) || w->lacking || !w->first ||
	    !w->calls || w->abi->link_register)
		return false;
	*w->regs = *w->first;
	w->first = NULL;
	w->called = w->stepping = false;
	if (apply_found_call(w, PUSHED_MAX)) {
		w->called = true;
		w->can_step = w->steps && has_reg(w->regs, w->abi->fp);
		return true;
	}
	w->regs->pc = pc;
	w->by_search = false;
	return false;
}

/* The walk has ended: whether it goes on with another caller of what it searched one for not long ago. */
static bool search_again(struct walk *w)
{
	enum { FRAMES_MAX = 16 };
	struct search *s = &w->search;

	if (!s->nr)
		return search_first(w);
	if (w->nr > s->nr + FRAMES_MAX || w->lacking || !leads_nowhere(w))
		return false;
	s->at += w->abi->word;
	w->stepping = false;
	if (search_call(w)) {
		w->nr = s->nr;
		w->called = true;
		w->can_step = w->steps && has_reg(w->regs, w->abi->fp);
		return true;
	}
	if (w->end != UNWIND_COMPLETE) {
		w->nr = s->nr;
		w->end = s->cut ? UNWIND_TRUNCATED : UNWIND_NO_RULE;
		w->by_search = s->cut;
	}
	s->nr = 0;
	return false;
}

/* Where the chain of frame pointers leads, if this looks like one. */
struct fp_frame {
	u64 fp, up, ra;
	bool looks_right, read;
};

static struct fp_frame read_fp_frame(struct walk *w)
{
	const struct unwind_abi *abi = w->abi;
	struct fp_frame f = { .fp = w->regs->v[abi->fp] };

	f.looks_right = has_reg(w->regs, abi->fp) && f.fp % abi->word == 0 && f.fp >= w->regs->v[abi->sp] &&
			f.fp >= w->stack->addr;
	f.read = f.looks_right && load(w, f.fp, &f.up) && load(w, f.fp + abi->word, &f.ra);
	return f;
}

/* Just above the copy it is a frame that was cut off; far from it, the register held something else. */
static bool is_cut_frame(const struct walk *w, const struct fp_frame *f)
{
	return f->looks_right && !f->read && f->fp - w->stack->addr < w->stack->size * 2;
}

/* Code without a rule. */
static bool apply_no_rule(struct walk *w, const struct unwind_code *code)
{
	enum unwind_end why = code->mapped ? UNWIND_NO_RULE : UNWIND_UNMAPPED;
	bool in_object = code->rule && code->rule->cfi; /* that has rules elsewhere */
	bool in_other = code->mapped && !in_object;
	struct fp_frame f = read_fp_frame(w);
	enum unwind_end unread = w->end;
	/* a chain of frame pointers ends with 0 */
	bool searches = in_other && !is_cut_frame(w, &f) && !(w->by_fp && !f.fp);

	/* No call leaves an address in front of a function: somebody set up a stack to begin there (makecontext()). */
	if (is_process_start(w) || (w->called && in_object && has_rule_before(w, w->regs->pc + 1)))
		return give_up(w, UNWIND_COMPLETE);
	if (!f.read || !code_before(w, f.ra).mapped) {
		if (w->called && in_other && apply_bare_call(w))
			return true;
		/* that of Erlang has all registers of its machine on the stack */
		if (in_object ? apply_found_call(w, CALL_WORDS) : searches && apply_found_call(w, LOOKS_MAX))
			return true;
		w->by_search = (in_object || searches) && w->search.cut;
		if (w->by_search)
			why = UNWIND_TRUNCATED;
	}
	if (!f.looks_right)
		return give_up(w, why);
	if (!f.read && is_cut_frame(w, &f)) {
		w->by_search = false;
		return give_up(w, unread);
	}
	if (!f.read)
		return give_up(w, why);
	return_to(w, f.ra, f.fp + 2ULL * w->abi->word);
	w->regs->v[w->abi->fp] = f.up;
	w->by_fp = true;
	return true;
}

static bool is_trampoline(const struct walk *w, const struct unwind_code *code)
{
	const struct trampoline *t = code->rule ? code->rule->trampoline : NULL;

	return w->called && t && !strcmp(t->abi, w->abi->name);
}

/* Whether code has a rule, of this machine. */
static bool has_rule(const struct walk *w, const struct unwind_code *code)
{
	return is_trampoline(w, code) ||
	       (code->rule && code->rule->has_rule && code->rule->cfi && cfi_abi(code->rule->cfi) == w->abi);
}

static struct unwind_rule find_rule(const struct walk *w, const struct unwind_code *code)
{
	struct unwind_rule rule;

	if (!code->rule->rule && code->rule->has_rule && code->rule->cfi)
		code->rule->rule = cfi_find(code->rule->cfi, code->rule->offset);
	rule = *code->rule;
	if (is_trampoline(w, code))
		rule.rule = rule.trampoline->rule;
	return rule;
}

/* Whether the stack pointer is too far from the copy for the same stack to go on there. */
static bool is_elsewhere(const struct walk *w)
{
	enum { FAR = 1 << 20 };

	return *w->sp - w->stack->addr >= w->stack->size + FAR;
}

/* From a frame whose rule asks for more, or that has none, to its caller. */
static bool go_on(struct walk *w, const struct unwind_code *code)
{
	struct unwind_rule rule = { 0 };
	bool by_rule = has_rule(w, code);
	bool was_signal;
	u64 sp = *w->sp;

	w->lacking = by_rule && w->stale;
	if (w->lacking)
		return false;
	if (by_rule)
		rule = find_rule(w, code);
	by_rule = rule.rule != NULL;
	was_signal = by_rule && rule.rule->cfa.flags & CFI_RULE_SIGNAL;
	w->pcs[w->nr++] = w->regs->pc - (w->called && !was_signal);
	if (by_rule ? !apply_rule(w, &rule) : !apply_no_rule(w, code))
		return false;
	if (was_signal && is_elsewhere(w)) {
		if (w->nr < w->max)
			w->pcs[w->nr++] = w->regs->pc;
		return give_up(w, UNWIND_OTHER_STACK);
	}
	w->can_step = w->steps && has_reg(w->regs, w->abi->fp);
	w->called = !was_signal;
	/* Only a signal handler may run on another stack; calls go down, returns go up. */
	if (!was_signal && (*w->sp < sp || (*w->sp == sp && !w->abi->link_register)))
		return give_up(w, UNWIND_BROKEN);
	return true;
}

static __attribute__((noinline)) bool look_closely(struct walk *w, u64 at)
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

/* The next frame, and where its caller is: known now, or after the step that is begun. False: that was all. */
static inline bool look(struct walk *w)
{
	const struct unwind_known *k = w->next;
	u64 at = w->regs->pc - w->called;

	if (UNLIKELY(w->nr == w->max))
		return give_up(w, UNWIND_FULL);
	if (UNLIKELY(k->pc != at || k->space != w->space || w->time < k->valid_from ||
		     k->step.kind == CFI_STEP_RULE || !w->can_step))
		return look_closely(w, at);
	return begin_step(w, at, k->step);
}

/* Have the CPU fetch what is known of the next address. */
static inline void aim(struct walk *w)
{
	if (!w->known)
		return;
	w->next = &w->known[unwind_known_at(w->space, w->regs->pc - w->called)];
	__builtin_prefetch(w->next);
}

static void walk(struct walk *walks, size_t nr)
{
	struct walk *live[UNWIND_SIDE_BY_SIDE];
	size_t looked, left = nr;

	for (size_t i = 0; i < nr; i++) {
		live[i] = &walks[i];
		aim(live[i]);
	}
	while (left) {
		looked = left;
		left = 0;
		for (size_t i = 0; i < looked; i++) {
			if (look(live[i]) || search_again(live[i]))
				live[left++] = live[i];
		}
		looked = left;
		left = 0;
		for (size_t i = 0; i < looked; i++) {
			if (live[i]->stepping && !end_step(live[i]) && !search_again(live[i]))
				continue;
			aim(live[i]);
			live[left++] = live[i];
		}
	}
}

static void begin(struct walk *w, const struct unwind_job *job, unwind_lookup_fn *lookup, bool steps)
{
	static const struct unwind_known nothing = { .step = { .kind = CFI_STEP_RULE } };
	const struct unwind_abi *abi = job->abi;

	w->abi = abi;
	w->own = job->regs;
	w->first = &job->regs;
	w->regs = &w->own;
	w->sp = &w->own.v[abi->sp];
	w->fp = &w->own.v[abi->fp];
	w->stack = &job->stack;
	w->lookup = lookup;
	w->ctx = job->ctx;
	w->calls = job->calls;
	w->known = job->known;
	w->next = &nothing;
	w->space = job->space;
	w->time = job->time;
	w->whole_words = job->stack.size >= 8 ? job->stack.size - 7 : 0;
	w->pcs = job->pcs;
	w->nr = 0;
	w->max = job->max;
	w->looks_left = LOOKS_MAX;
	w->searches_left = SEARCHES_MAX;
	w->needs = 0;
	w->search.nr = 0;
	w->search.cut = false;
	w->stepping = w->called = w->stale = w->lacking = w->by_fp = w->by_search = false;
	w->steps = steps && abi->word == 8 && !abi->link_register;
	w->can_step = w->steps && has_reg(w->regs, abi->fp);
}

/*
 * Nearly all walks need nothing but pc, stack and frame pointer. The first rule that wants more, behind
 * frames where the rest was not followed, begins the walk again, with all registers.
 */
void unwind_walk(struct unwind_job *jobs, size_t nr, unwind_lookup_fn *lookup)
{
	struct walk walks[UNWIND_SIDE_BY_SIDE];

	for (size_t i = 0; i < nr; i++)
		begin(&walks[i], &jobs[i], lookup, true);
	walk(walks, nr);
	for (size_t i = 0; i < nr; i++) {
		if (walks[i].lacking) {
			begin(&walks[i], &jobs[i], lookup, false);
			walk(&walks[i], 1);
		}
		jobs[i].nr = walks[i].nr;
		jobs[i].sp = *walks[i].sp;
		jobs[i].needs = walks[i].end == UNWIND_TRUNCATED && !walks[i].by_search ? walks[i].needs : 0;
		jobs[i].by_zero = walks[i].end == UNWIND_COMPLETE && !walks[i].regs->pc;
		jobs[i].by_search = walks[i].end == UNWIND_TRUNCATED && walks[i].by_search;
		jobs[i].end = walks[i].end;
	}
}
