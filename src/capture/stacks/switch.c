/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --call-graph auto while recording: from frame pointers to copies of stacks when the chains that
 * are sampled tell that the code does not keep them, and back if copies do no better. The same from
 * copies of the usual size to larger ones (dwarf, too) when stacks prove longer, and back if they
 * are longer still or the rings lose samples. Never more than these two changes.
 */
#include "capture/capture_internal.h"
#include "dso/dso.h"
#include "perfdata/info.h"

enum {
	LOOKED_MIN = 200,
	COPIES_MIN = 50, /* that one is too short is no matter of judgement */
	BROKEN_PERCENT = 10,
	CUT_PERCENT = 1,
	LOST_PERCENT = 5,
	MENDED_OF_TEN = 8, /* more than this share still broken: it is not mended */
	NOTES_MAX = 16,
	CALLERS_MIN = 64,
	ENDS_MIN = 8, /* some always do: a program at its first instructions */
};

/* That of all threads that read rings. */
static void gather_evidence(struct capture *c, struct chain_evidence *sum)
{
	if (c->drain.lane)
		unwind_lane_add_evidence(c->drain.lane, sum);
	if (c->drain.lane && c->crew)
		crew_add_evidence(c->crew, sum);
}

static void judge_anew(struct capture *c, bool of_copies)
{
	unwind_lane_judge_anew(c->drain.lane, of_copies);
	if (c->crew)
		crew_judge_anew(c->crew, of_copies);
}

/* That most chains of frame pointers end in, NULL = none in particular. */
static const char *worst_object(const struct chain_evidence *e)
{
	const struct object_evidence *worst = NULL;

	VEC_FOR(&e->objects, o)
		if (o->object && o->breaks && (!worst || o->breaks > worst->breaks))
			worst = o;
	return worst ? dso_long_name(worst->object) : NULL;
}

/* A runtime's note alone is not of a choice. */
static bool is_auto(const struct capture *c)
{
	return c->o.code_notes && c->o.code_notes[0] &&
	       (c->o.code_notes[1] ||
		strncmp(c->o.code_notes[0], INFO_STACKS_JIT, strlen(INFO_STACKS_JIT)) != 0);
}

/* Takes the text over. */
static void note(struct capture *c, char *text)
{
	_cleanup_(mem_freep) char *told = xasprintf("call-graph %s: %s",
						    is_auto(c) ? "auto" : "dwarf", text);

	*VEC_PUSH(&c->stacks.notes) = is_auto(c) ? xstrdup(text)
						 : xasprintf(INFO_STACKS_DWARF "%s", text);
	free(text);
	capture_tell(c, told);
}

/* Watched events without another that could stand in for them stay as they are; the user is told.
 */
static void note_unwatched(struct capture *c, const struct err *e)
{
	VEC_FOR(&c->o.events->events, ev) {
		if (!(*ev)->watched || event_copies_stacks(*ev) ||
		    spare_events_find(&c->spare, (*ev)->index) >= 0)
			continue;
		*VEC_PUSH(&c->stacks.notes) = xasprintf(
			"'%s' stays with frame pointers, whatever its chains are like: %s",
			(*ev)->name,
			(*ev)->off_cpu ? "BPF programs copy no stacks"
			: e->text[0]   ? e->text
				       : "its samples have no ids");
	}
}

void capture_open_spares(struct capture *c)
{
	const struct spare_opts opts = { .events = c->o.events,
					 .main_fds = &c->fds,
					 .target = c->o.target,
					 .ring_size = capture_ring_size(c) };
	struct err e = ERR_INIT;

	spare_events_open(&c->spare, &opts, &e);
	note_unwatched(c, &e);
}

/* For a moment both are on: records about mappings are not to be missed. Members of groups follow
 * their leaders. */
static void turn(struct capture *c, bool on)
{
	for (size_t i = 0; i < c->spare.fds.nr_events; i++) {
		const struct event *ev = c->o.events->events.v[c->spare.stands_for[i]];

		if (ev->leader != ev || !c->enabled[ev->index])
			continue;
		if (on)
			spare_events_ioctl(&c->spare, i, PERF_EVENT_IOC_ENABLE);
		capture_ioctl_event(c, ev, on ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE);
		if (!on)
			spare_events_ioctl(&c->spare, i, PERF_EVENT_IOC_DISABLE);
	}
	c->spare.on = on;
}

static unsigned int broken_percent(const struct chain_evidence *e)
{
	return (unsigned int)(e->broken * 100 / MAX(e->looked, (u64)1));
}

/* Samples that the rings had no room for; those of a crew are counted at the end. */
static bool loses(const struct capture *c, const struct chain_evidence *e)
{
	u64 lost = c->drain.stats.lost - c->stacks.lost_before,
	    samples = e->samples - c->stacks.samples_before;

	return lost * 100 > (samples + lost) * LOST_PERCENT;
}

/* From copies of stacks to larger ones, or back. Takes no text over. */
static void note_copies(struct capture *c, const struct chain_evidence *e, bool on)
{
	unsigned long long samples = e->samples;
	unsigned int percent = broken_percent(e);

	if (on)
		note(c,
		     xasprintf(
			     "switched to copies of %u bytes after %llu samples: %u %% of stacks were longer than theirs",
			     c->spare.copy_size, samples, percent));
	else if (loses(c, e))
		note(c, xasprintf(INFO_STACKS_BACK " after %llu samples: " INFO_STACKS_NO_ROOM,
				  samples));
	else
		note(c, xasprintf(INFO_STACKS_BACK
				  " after %llu samples: %u %% of stacks were longer still",
				  samples, percent));
}

static void note_change(struct capture *c, const struct chain_evidence *e, bool on)
{
	const char *object = worst_object(e);

	if (on)
		note(c,
		     xasprintf(
			     "switched to copies of stacks after %llu samples: %u %% of chains were broken%s%s",
			     (unsigned long long)e->samples, broken_percent(e),
			     object ? ", most in " : "", object ? object : ""));
	else
		note(c,
		     xasprintf(
			     "switched back to frame pointers after %llu samples: %u %% of copies led to no start, either",
			     (unsigned long long)e->samples, broken_percent(e)));
	c->result.stacks_changed = true;
}

static void change(struct capture *c, const struct chain_evidence *e, bool on)
{
	turn(c, on);
	if (c->spare.larger)
		note_copies(c, e, on);
	else
		note_change(c, e, on);
	if (on)
		c->result.copies_took_over = c->spare.copy_size;
	c->result.copies_went_back = !on;
	c->result.copies_had_no_room = !on && c->spare.larger && loses(c, e);
	c->stacks.broken_before = broken_percent(e);
	c->stacks.lost_before = c->drain.stats.lost;
	c->stacks.samples_before = e->samples;
	c->stacks.state = on ? STACKS_ON_TRIAL : STACKS_SETTLED;
	judge_anew(c, on);
}

static void judge(struct capture *c, const struct chain_evidence *e)
{
	bool larger = c->spare.larger;

	if (larger && c->spare.on && loses(c, e)) {
		change(c, e, false);
		return;
	}
	if (e->looked < (larger ? COPIES_MIN : LOOKED_MIN) || c->stacks.state == STACKS_SETTLED)
		return;
	if (c->stacks.state == STACKS_WATCHED) {
		if (broken_percent(e) > (larger ? CUT_PERCENT : BROKEN_PERCENT))
			change(c, e, true);
		return;
	}
	c->stacks.state = STACKS_SETTLED;
	if (broken_percent(e) * 10 > c->stacks.broken_before * MENDED_OF_TEN)
		change(c, e, false);
}

void capture_judge_stacks(struct capture *c)
{
	struct chain_evidence sum = { .looked = 0 };

	if (c->done || !capture_watches_stacks(c))
		return;
	if (c->stacks.state == STACKS_SETTLED && c->drain.stats.lost == c->stacks.lost_before)
		return;
	gather_evidence(c, &sum);
	judge(c, &sum);
	chain_evidence_release(&sum);
}

bool capture_watches_stacks(const struct capture *c)
{
	/* what larger copies need may come later */
	return c->spare.fds.nr_events &&
	       (c->stacks.state != STACKS_SETTLED || (c->spare.larger && c->spare.on));
}

static int weight_cmp(const void *a, const void *b)
{
	const struct object_evidence *x = *(const struct object_evidence *const *)a;
	const struct object_evidence *y = *(const struct object_evidence *const *)b;
	u64 wx = x->callers + x->ends + x->breaks, wy = y->callers + y->ends + y->breaks;

	if (wx != wy)
		return wx > wy ? -1 : 1;
	return strcmp(dso_long_name(x->object), dso_long_name(y->object));
}

/* Before the next part. */
static const char *between(bool *any)
{
	const char *sign = *any ? ";" : ":";

	*any = true;
	return sign;
}

/* What was seen of one object; nothing for what says nothing. */
static void note_object(struct capture *c, const struct object_evidence *o)
{
	struct strbuf text = STRBUF_INIT;
	bool any = false;

	strbuf_adds(&text, dso_long_name(o->object));
	if (o->breaks)
		strbuf_addf(&text, "%s %llu chains of frame pointers broke in it", between(&any),
			    (unsigned long long)o->breaks);
	if (o->callers >= CALLERS_MIN)
		strbuf_addf(&text,
			    "%s frame pointers find %llu %% of %llu callers that tables find",
			    between(&any), (unsigned long long)(o->agree * 100 / o->callers),
			    (unsigned long long)o->callers);
	if (o->ends >= ENDS_MIN)
		strbuf_addf(&text, "%s %llu stacks end in it both ways", between(&any),
			    (unsigned long long)o->ends);
	*VEC_PUSH(&c->stacks.notes) = text.buf;
}

static void note_objects(struct capture *c)
{
	VEC(const struct object_evidence *) objects = { 0 };
	struct chain_evidence sum = { .looked = 0 };

	gather_evidence(c, &sum);
	VEC_FOR(&sum.objects, o)
		if (o->object && (o->breaks || o->ends >= ENDS_MIN || o->callers >= CALLERS_MIN))
			*VEC_PUSH(&objects) = o;
	VEC_SORT(&objects, weight_cmp);
	for (size_t i = 0; i < objects.nr && i < NOTES_MAX; i++)
		note_object(c, objects.v[i]);
	vec_free(&objects);
	chain_evidence_release(&sum);
}

const char *const *capture_stack_notes(struct capture *c, bool at_end)
{
	struct stack_verdict *s = &c->stacks;
	size_t told = s->notes.nr;

	s->all.nr = 0;
	if (!c->o.code_notes && !told)
		return NULL;
	if (at_end && c->drain.lane && is_auto(c))
		note_objects(c);
	for (size_t i = 0; c->o.code_notes && c->o.code_notes[i]; i++)
		*VEC_PUSH(&s->all) = c->o.code_notes[i];
	VEC_FOR(&s->notes, n)
		*VEC_PUSH(&s->all) = *n;
	*VEC_PUSH(&s->all) = NULL;
	s->of_objects = s->notes.nr - told;
	return s->all.v;
}

void capture_stack_notes_next(struct capture *c)
{
	struct stack_verdict *s = &c->stacks;

	for (; s->of_objects; s->of_objects--)
		free(s->notes.v[--s->notes.nr]);
}

void capture_stack_notes_release(struct capture *c)
{
	VEC_FOR(&c->stacks.notes, n)
		free(*n);
	vec_free(&c->stacks.notes);
	vec_free(&c->stacks.all);
}
