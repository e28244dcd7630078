/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * branches: the records of a branch stack as frames in front of the callchain, most recent first:
 * where each went to, then where it came from. Loops are shown once: repetitions of what a stack
 * has shown before are left out and counted.
 */
#include "session/branches.h"

#include <string.h>

#include "session/worker.h"

enum {
	CALL_INSN_MAX = 8, /* bytes: a return address is at most so far behind its call */
	FLAG_PREDICTED = 2,
	FLAG_ABORT = 8,
	SEEN_BITS = 7,
	SEEN_SLOTS = 127,
	PAGE_4K = 12,
	PAGE_2M = 21,
	TYPE_COND = 1,
	TYPE_NEW = 15, /* the type is in the field new_type */
};

#define GOLDEN_RATIO 0x61c8864680b583ebULL /* 2^64 divided by it */

/* A branch that is shown. */
struct shown_branch {
	u64 from, to, flags;
	u32 iterations; /* left out before it */
	u32 cycles; /* that these took */
};

static u16 branch_cycles(u64 flags)
{
	return (u16)(flags >> 4);
}

enum branch_kind branch_kind(u64 from, u64 to, u64 flags)
{
	unsigned int type = flags >> 20 & 15;

	if (type == TYPE_COND)
		return from > to ? BRANCH_COND_BWD : BRANCH_COND_FWD;
	if (type != TYPE_NEW)
		return (enum branch_kind)type;
	type += flags >> 26 & 15;
	return type < BRANCH_COND_BWD ? (enum branch_kind)type : BRANCH_UNKNOWN;
}

u32 branch_kinds(u64 from, u64 to, u64 flags)
{
	enum branch_kind kind = branch_kind(from, to, flags);
	u32 kinds = 1U << kind;

	if (kind == BRANCH_UNKNOWN)
		return 0;
	if (from >> PAGE_2M != to >> PAGE_2M)
		kinds |= 1U << BRANCH_CROSS_2M;
	else if (from >> PAGE_4K != to >> PAGE_4K)
		kinds |= 1U << BRANCH_CROSS_4K;
	return kinds;
}

const char *branch_kind_name(enum branch_kind kind)
{
	static const char *const names[BRANCH_NR_KINDS] = {
		[BRANCH_COND_FWD] = "COND_FWD",
		[2] = "UNCOND",
		"IND",
		"CALL",
		"IND_CALL",
		"RET",
		"SYSCALL",
		"SYSRET",
		"COND_CALL",
		"COND_RET",
		"ERET",
		"IRQ",
		"SERROR",
		"NO_TX",
		[BRANCH_NEW] = "FAULT_ALGN",
		"FAULT_DATA",
		"FAULT_INST",
		"ARCH_1",
		"ARCH_2",
		"ARCH_3",
		"ARCH_4",
		"ARCH_5",
		[BRANCH_COND_BWD] = "COND_BWD",
		[BRANCH_CROSS_4K] = "CROSS_4K",
		[BRANCH_CROSS_2M] = "CROSS_2M",
	};

	return names[kind];
}

/*
 * Where branches came from, by a hash of it. A place whose slot another one has is not remembered:
 * perf does so, and which loops are found depends on it.
 */
struct seen {
	u8 first[SEEN_SLOTS]; /* number of the branch + 1 */
};

/* Where in b[0..i) a branch came from the same place, as far as it is remembered; i = nowhere. */
static size_t seen_before(struct seen *seen, const struct shown_branch *b, size_t i)
{
	u8 *slot = &seen->first[(b[i].from * GOLDEN_RATIO >> (64 - SEEN_BITS)) % SEEN_SLOTS];

	if (!*slot)
		*slot = (u8)(i + 1);
	return b[*slot - 1].from == b[i].from ? *slot - 1U : i;
}

/* Leaves out repetitions: where a stretch of branches is the same as the one before it. Returns how
 * many are left. */
static size_t leave_out_loops(struct shown_branch *b, size_t nr)
{
	struct seen seen = { 0 };

	for (size_t i = 0; i < nr; i++) {
		size_t first = seen_before(&seen, b, i), same = 0;
		u32 cycles = 0;

		while (first + same < i && i + same < nr &&
		       b[first + same].from == b[i + same].from)
			cycles += branch_cycles(b[i + same++].flags);
		if (first == i || (first + same < i && i + same < nr))
			continue;
		nr -= same;
		if (i == nr)
			break;
		/* the whole entries move, so their iterations and cycles stay with them */
		memmove(b + i, b + i + same, (nr - i) * sizeof(*b));
		b[i].iterations++;
		b[i].cycles = cycles;
	}
	return nr;
}

/* Whether a branch is the call from which a frame will return; in chains of this order context
 * markers match any. */
static bool stands_for(u64 from, u64 ip)
{
	return ip >= PERF_CONTEXT_MAX || (from < ip && from >= ip - CALL_INSN_MAX);
}

/* The branches to show, in the order of the chain; *overlap: words of the callchain they stand for.
 */
static size_t take_branches(const struct session_worker *w, const struct sample *smp,
			    struct shown_branch *b, u64 *overlap)
{
	bool caller_first = w->resolver->keep_outermost;
	size_t nr = MIN(smp->nr_branch, (u64)w->resolver->max_stack);

	*overlap = 0;
	if (smp->nr_branch > BRANCHES_MAX)
		return 0;
	for (size_t i = 0; i < nr; i++) {
		const u64 *e = smp->branch + 3 * (caller_first ? smp->nr_branch - 1 - i : i);

		b[i] = (struct shown_branch){ .from = e[0], .to = e[1], .flags = e[2] };
		if (!caller_first && *overlap < smp->nr_chain)
			*overlap += stands_for(e[0], smp->chain[*overlap]);
	}
	return leave_out_loops(b, nr);
}

static void add_word(struct session_worker *w, u64 word, const struct chain_note *note)
{
	*VEC_PUSH(&w->chain) = word;
	if (w->resolver->notes)
		*VEC_PUSH(&w->notes) = note ? resolver_note(w->resolver, note) : 0;
}

static void add_end(struct session_worker *w, u64 ip, const struct chain_note *note)
{
	add_word(w, ip >> 63 ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER, NULL);
	add_word(w, ip, note);
}

static void add_branch(struct session_worker *w, const struct shown_branch *b)
{
	struct chain_note from = { .end = NOTE_FROM,
				   .cycles = branch_cycles(b->flags),
				   .iterations = b->iterations,
				   .iteration_cycles = b->cycles };
	struct chain_note to = { .end = NOTE_TO, .kinds = branch_kinds(b->from, b->to, b->flags) };

	to.end |= b->flags & FLAG_PREDICTED ? NOTE_PREDICTED : 0;
	to.end |= b->flags & FLAG_ABORT ? NOTE_ABORT : 0;

	if (w->resolver->keep_outermost) {
		add_end(w, b->from, &from);
		add_end(w, b->to, &to);
	} else {
		add_end(w, b->to, &to);
		add_end(w, b->from, &from);
	}
}

/* Words from .. to of the callchain behind a marker of the level of the first; at most max_stack
 * frames. */
static void add_callers(struct session_worker *w, const struct sample *smp, u64 from, u64 to)
{
	u64 level = PERF_CONTEXT_USER;
	u32 nr = 0;

	for (u64 i = 0; i < from; i++)
		if (smp->chain[i] >= PERF_CONTEXT_MAX)
			level = smp->chain[i];
	add_word(w, level, NULL);
	for (u64 i = from; i < to && nr < w->resolver->max_stack; i++) {
		add_word(w, smp->chain[i], NULL);
		nr += smp->chain[i] < PERF_CONTEXT_MAX;
	}
}

/* The outermost end of the callchain without the first words, which are the innermost. */
static void add_outermost(struct session_worker *w, const struct sample *smp, u64 words)
{
	u64 from = smp->nr_chain;
	u32 nr = 0;

	while (from && words && nr < w->resolver->max_stack) {
		from--;
		words--;
		nr += smp->chain[from] < PERF_CONTEXT_MAX;
	}
	add_callers(w, smp, from, smp->nr_chain);
}

void branches_add_to_chain(struct session_worker *w, struct sample *smp)
{
	struct shown_branch b[BRANCHES_MAX];
	u64 overlap;
	size_t nr;
	u64 words;

	if (smp->guess_at)
		smp->nr_chain = smp->guess_at;
	smp->guess_at = 0;
	nr = take_branches(w, smp, b, &overlap);
	/* as in perf, each branch costs a word of the callchain */
	words = smp->nr_chain > nr ? smp->nr_chain - nr : 0;
	w->chain.nr = w->notes.nr = 0;
	if (w->resolver->keep_outermost) {
		add_outermost(w, smp, words);
		for (size_t i = nr; i--;)
			add_branch(w, &b[i]);
	} else {
		for (size_t i = 0; i < nr; i++)
			add_branch(w, &b[i]);
		add_callers(w, smp, overlap, words);
	}
	smp->chain = w->chain.v;
	smp->nr_chain = w->chain.nr;
	smp->made = true;
}
