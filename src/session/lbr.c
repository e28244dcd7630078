/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lbr: the user part of callchains from the CPU's branch records (record --call-graph lbr). The CPU
 * keeps the calls that have not returned, as many as it has registers; the hardware index tells the
 * latest one. The rest of a deeper stack may be known from the thread's sample before: if both have
 * the same record in the oldest register, what was behind it is taken over.
 */
#include "session/lbr.h"

#include <string.h>

#include "base/hash.h"
#include "perfdata/info.h"
#include "session/branches.h"
#include "session/worker.h"

struct call {
	u64 from, to, flags;
};

/* A thread's latest stack. */
struct lbr_stack {
	u32 thread;
	u64 newest; /* register */
	VEC(struct call) calls; /* latest first */
	VEC(u64) older; /* where calls before these were made from, latest first */
};

struct lbr_stacks {
	const struct perfdata_info *info;
	u32 registers; /* of the CPU, 0 = not known yet */
	struct map by_thread;
	VEC(struct lbr_stack) stacks;
};

static u32 registers_of(const struct info_pmu_caps *caps)
{
	for (u32 i = 0; i < caps->nr; i++)
		if (!strcmp(caps->v[i].name, "branches"))
			return (u32)MIN(strtoul(caps->v[i].value, NULL, 10),
					(unsigned long)BRANCHES_MAX);
	return 0;
}

/* A stream tells later. */
static void find_registers(struct lbr_stacks *l)
{
	if (!l->registers)
		l->registers = registers_of(&l->info->cpu_caps);
	for (u32 i = 0; i < l->info->nr_caps && !l->registers; i++)
		l->registers = registers_of(&l->info->caps[i]);
}

struct lbr_stacks *lbr_stacks_new(const struct perfdata_info *info)
{
	struct lbr_stacks *l = XNEW(struct lbr_stacks);

	l->info = info;
	return l;
}

void lbr_stacks_free(struct lbr_stacks *l)
{
	if (!l)
		return;
	VEC_FOR(&l->stacks, s) {
		vec_free(&s->calls);
		vec_free(&s->older);
	}
	vec_free(&l->stacks);
	map_release(&l->by_thread);
	free(l);
}

static struct lbr_stack *stack_of(struct lbr_stacks *l, u32 thread)
{
	u64 hash = hash_u64(thread);
	struct lbr_stack *s;
	u32 i;

	for (struct map_probe p = map_first(&l->by_thread, hash); map_next(&l->by_thread, &p, &i);)
		if (l->stacks.v[i].thread == thread)
			return &l->stacks.v[i];
	map_add(&l->by_thread, hash, (u32)l->stacks.nr);
	s = VEC_PUSH(&l->stacks);
	*s = (struct lbr_stack){ .thread = thread };
	return s;
}

/*
 * Keeps in s->older what is known of the calls before the sample's oldest one. The previous stack's
 * latest call proves something only while registers are filled in order: after they began anew, its
 * register may hold another call.
 */
static void look_behind(const struct lbr_stacks *l, struct lbr_stack *s, const struct sample *smp)
{
	const u64 *oldest = smp->branch + 3 * (smp->nr_branch - 1);
	u64 newest = smp->branch_hw_idx % l->registers;
	u64 newer, at;
	size_t nr;

	if (smp->nr_branch != l->registers || !s->calls.nr) {
		s->older.nr = 0;
		return;
	}
	newer = (newest + l->registers - s->newest) % l->registers;
	at = l->registers - 1 - newer;
	if ((!at && newest < s->newest) || at >= s->calls.nr || s->calls.v[at].from != oldest[0] ||
	    s->calls.v[at].to != oldest[1] || s->calls.v[at].flags != oldest[2]) {
		s->older.nr = 0;
		return;
	}
	nr = MIN(s->calls.nr - 1 - (size_t)at, FRAMES_MAX - s->older.nr);
	if (!nr)
		return;
	VEC_GROW(&s->older, nr);
	memmove(s->older.v + nr, s->older.v, s->older.nr * sizeof(*s->older.v));
	for (size_t i = 0; i < nr; i++)
		s->older.v[i] = s->calls.v[at + 1 + i].from;
	s->older.nr += nr;
}

static struct lbr_stack *stitch(struct session_worker *w, const struct site *site,
				const struct sample *smp)
{
	struct lbr_stack *s = stack_of(w->lbr, site->thread);

	find_registers(w->lbr);
	if (!smp->nr_branch || smp->branch_hw_idx == UINT64_MAX || !w->lbr->registers) {
		s->calls.nr = s->older.nr = 0;
		return s;
	}
	look_behind(w->lbr, s, smp);
	s->newest = smp->branch_hw_idx % w->lbr->registers;
	s->calls.nr = 0;
	for (u64 i = 0; i < smp->nr_branch; i++)
		*VEC_PUSH(&s->calls) = (struct call){ smp->branch[3 * i], smp->branch[3 * i + 1],
						      smp->branch[3 * i + 2] };
	return s;
}

static void add_frame(struct session_worker *w, u64 ip)
{
	static const struct chain_note nothing = { .end = NOTE_FROM };

	*VEC_PUSH(&w->chain) = ip;
	if (w->resolver->notes)
		*VEC_PUSH(&w->notes) = resolver_note(w->resolver, &nothing);
}

void lbr_take_stack(struct session_worker *w, const struct site *site, struct sample *smp)
{
	const struct lbr_stack *s = w->lbr ? stitch(w, site, smp) : NULL;
	u64 kernel = 0;

	while (kernel < smp->nr_chain && smp->chain[kernel] != PERF_CONTEXT_USER)
		kernel++;
	if (kernel >= MIN(smp->nr_chain, (u64)w->resolver->max_stack) || !smp->nr_branch ||
	    smp->nr_branch > FRAMES_MAX)
		return;
	w->chain.nr = w->notes.nr = 0;
	for (u64 i = 0; i <= kernel; i++) {
		*VEC_PUSH(&w->chain) = smp->chain[i];
		if (w->resolver->notes)
			*VEC_PUSH(&w->notes) = 0;
	}
	/* the start of the latest function, then the calls */
	add_frame(w, smp->branch[1]);
	for (u64 i = 0; i < smp->nr_branch; i++)
		add_frame(w, smp->branch[3 * i]);
	for (size_t i = 0; s && i < s->older.nr; i++)
		add_frame(w, s->older.v[i]);
	smp->chain = w->chain.v;
	smp->nr_chain = w->chain.nr;
	smp->guess_at = 0;
	smp->made = true;
}
