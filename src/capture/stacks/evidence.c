/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the stacks of samples tell of the code that they are in.
 */
#include "capture/stacks/internal.h"

enum { LOOK_AT_FIRST = 512, LOOK_AT_SHARE = 16, LOOK_AT_CALLERS = 64 };

/* All of the first ones, then a share. */
bool unwind_evidence_is_wanted(struct unwind_lane *l)
{
	return l->seen++ < LOOK_AT_FIRST || l->seen % LOOK_AT_SHARE == 0;
}

/* The object that an address of the sample's stack is in, NULL: in none. place: where. */
static struct object_evidence *evidence_at(const struct stack *s, u64 pc,
					   struct unwind_place *place)
{
	if (!unwind_lane_find_place((void *)(uintptr_t)s, pc, place) || !place->object)
		return NULL;
	return chain_evidence_of(&s->lane->evidence, place->dso, place->object);
}

/* Whether frame pointers know the callers that the tables found. They may skip that of the
 * innermost function. */
static void compare_ways(const struct stack *s, const u64 *pcs, size_t nr)
{
	const struct fp_chain *fp = &s->fp;
	size_t at = 0;

	nr = MIN(nr, (size_t)LOOK_AT_CALLERS);
	for (size_t i = 1; i < nr; i++) {
		bool known = at + 1 < fp->nr && fp->v[at + 1] - 1 == pcs[i];
		struct unwind_place place;
		struct object_evidence *o = i > 1 ? evidence_at(s, pcs[i - 1], &place) : NULL;

		at += known;
		if (o) {
			o->callers++;
			o->agree += known;
		}
		if (!known && i > 1)
			return; /* from there on all is different */
	}
}

/* An end before the thread's start; where it is is the last of the frames that are in an object. */
static void note_end(const struct stack *s, const u64 *pcs, size_t nr)
{
	struct object_evidence *o = NULL;
	struct unwind_place place;

	while (nr && !o)
		o = evidence_at(s, pcs[--nr], &place);
	if (o)
		o->ends++;
}

/* A program's first function, when a compiler made it, has a table that tells of a caller, though
 * there is none. */
bool unwind_evidence_ends_at_entry(const struct stack *s)
{
	const struct unwind_job *job = s->job;
	struct unwind_place place;
	const struct object_evidence *o;

	if (job->end != UNWIND_UNMAPPED || !job->nr)
		return false;
	o = evidence_at(s, job->pcs[job->nr - 1], &place);
	return o && chain_evidence_is_entry(o, place.addr);
}

void unwind_evidence_of_stack(struct unwind_lane *l, const struct stack *s, bool ended, bool cut)
{
	const struct unwind_job *job = s->job;
	bool early = !ended && !cut;

	/* the larger copies may have no id of their own */
	if (s->ev->grows &&
	    (bits_u64(s->smp.user_stack - 8) > s->ev->grows) == l->evidence.of_copies)
		chain_evidence_count(&l->evidence, !ended && job->end == UNWIND_TRUNCATED &&
							   sample_stack_is_full(&s->smp));
	if (s->ev->spare && !s->ev->grows && l->evidence.of_copies)
		chain_evidence_count(&l->evidence, early);
	if (early)
		note_end(s, job->pcs, job->nr);
	if (s->fp.nr > 1 && unwind_evidence_is_wanted(l))
		compare_ways(s, job->pcs, job->nr);
}

/* Whether a chain of frame pointers may end at a place, called: as others do; -1 = there is no
 * telling. */
static int ends_well(const struct stack *s, const struct unwind_place *place, u64 pc, bool called)
{
	struct object_evidence *o = chain_evidence_of(&s->lane->evidence, place->dso,
						      place->object);
	struct unwind_code code;

	unwind_source_lookup((void *)(uintptr_t)&s->source, pc, &code);
	if (s->wanted.object)
		return -1;
	if (code.step.kind == CFI_STEP_OUTERMOST || chain_evidence_is_entry(o, place->addr) ||
	    chain_evidence_is_start(o, place->addr))
		return 1;
	/* without tables a function may be the first one of a thread */
	if (!(code.rule && code.rule->has_rule) && dso_kind(place->object) == DSO_USER && called)
		return -1;
	return 0;
}

/* A chain by frame pointers: the last of its frames tells whether it is whole. */
void unwind_evidence_of_chain(struct unwind_lane *l, const struct unwound_event *ev,
			      const struct perf_event_header *h)
{
	struct stack *s = &l->chain_end;
	struct object_evidence *o = NULL;
	struct unwind_place place;
	size_t nr;
	int well;

	s->ev = ev;
	s->h = h;
	if (!sample_decode(&ev->layout, h, &s->smp) || !s->smp.chain)
		return;
	s->fp = unwind_lane_fp_chain(&s->smp, ev->kernel_max);
	if (!s->fp.nr || !s->fp.whole)
		return;
	unwind_lane_set_source(l, s);
	nr = s->fp.nr;
	/* behind where a program begins is what it was given, no return address */
	while (nr && !(o = evidence_at(s, s->fp.v[nr - 1] - (nr > 1), &place)))
		nr--;
	well = nr ? ends_well(s, &place, s->fp.v[nr - 1] - (nr > 1), nr == s->fp.nr && nr > 1) : 0;
	if (well < 0)
		return;
	if (!l->evidence.of_copies)
		chain_evidence_count(&l->evidence, !well);
	if (o && !well)
		o->breaks++;
}
