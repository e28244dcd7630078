/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --call-graph auto while recording: from frame pointers to copies of stacks when the chains that
 * are sampled tell that the code does not keep them, and back if copies do no better. The same from
 * copies of the usual size to larger ones (dwarf, too) when stacks prove longer, and back if they
 * are longer still or the rings lose samples. Never more than these two changes.
 */
#include "capture/stacks/choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
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
static bool is_auto(const struct stack_choice *s)
{
	return s->o.code_notes && s->o.code_notes[0] &&
	       (s->o.code_notes[1] ||
		strncmp(s->o.code_notes[0], INFO_STACKS_JIT, strlen(INFO_STACKS_JIT)) != 0);
}

/* Takes the text over. */
static void note(struct stack_choice *s, char *text)
{
	_cleanup_(mem_freep) char *told = xasprintf("call-graph %s: %s",
						    is_auto(s) ? "auto" : "dwarf", text);

	*VEC_PUSH(&s->notes) = is_auto(s) ? xstrdup(text) : xasprintf(INFO_STACKS_DWARF "%s", text);
	free(text);
	if (s->o.tell)
		s->o.tell(s->o.tell_ctx, told);
}

/* Watched events without another that could stand in for them stay as they are; the user is told.
 */
static void note_unwatched(struct stack_choice *s, const struct err *e)
{
	VEC_FOR(&s->o.events->events, ev) {
		if (!(*ev)->watched || event_copies_stacks(*ev) ||
		    spare_events_find(&s->spare, (*ev)->index) >= 0)
			continue;
		*VEC_PUSH(&s->notes) = xasprintf(
			"'%s' stays with frame pointers, whatever its chains are like: %s",
			(*ev)->name,
			(*ev)->off_cpu ? "BPF programs copy no stacks"
			: e->text[0]   ? e->text
				       : "its samples have no ids");
	}
}

void stack_choice_open(struct stack_choice *s, const struct stack_choice_opts *o)
{
	const struct spare_opts opts = { .events = o->events,
					 .main_fds = o->fds,
					 .target = o->target,
					 .ring_size = o->ring_size };
	struct err e = ERR_INIT;

	s->o = *o;
	spare_events_open(&s->spare, &opts, &e);
	note_unwatched(s, &e);
}

/* For a moment both are on: records about mappings are not to be missed. Members of groups follow
 * their leaders. */
static void turn(struct stack_choice *s, bool on)
{
	for (size_t i = 0; i < s->spare.fds.nr_events; i++) {
		const struct event *ev = s->o.events->events.v[s->spare.stands_for[i]];

		if (ev->leader != ev || !s->o.enabled[ev->index])
			continue;
		if (on)
			capture_fds_ioctl(&s->spare.fds, i, PERF_EVENT_IOC_ENABLE);
		capture_fds_ioctl(s->o.fds, ev->index,
				  on ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE);
		if (!on)
			capture_fds_ioctl(&s->spare.fds, i, PERF_EVENT_IOC_DISABLE);
	}
	s->spare.on = on;
}

static unsigned int broken_percent(const struct chain_evidence *e)
{
	return (unsigned int)(e->broken * 100 / MAX(e->looked, (u64)1));
}

/* Samples that the rings had no room for; those of ring_threads are counted at the end. */
static bool loses(const struct stack_choice *s, const struct chain_evidence *e)
{
	u64 lost = s->lost - s->lost_before, samples = e->samples - s->samples_before;

	return lost * 100 > (samples + lost) * LOST_PERCENT;
}

/* From copies of stacks to larger ones, or back. Takes no text over. */
static void note_copies(struct stack_choice *s, const struct chain_evidence *e, bool on)
{
	unsigned long long samples = e->samples;
	unsigned int percent = broken_percent(e);

	if (on)
		note(s,
		     xasprintf(
			     "switched to copies of %u bytes after %llu samples: %u %% of stacks were longer than theirs",
			     s->spare.copy_size, samples, percent));
	else if (loses(s, e))
		note(s, xasprintf(INFO_STACKS_BACK " after %llu samples: " INFO_STACKS_NO_ROOM,
				  samples));
	else
		note(s, xasprintf(INFO_STACKS_BACK
				  " after %llu samples: %u %% of stacks were longer still",
				  samples, percent));
}

static void note_change(struct stack_choice *s, const struct chain_evidence *e, bool on)
{
	const char *object = worst_object(e);

	if (on)
		note(s,
		     xasprintf(
			     "switched to copies of stacks after %llu samples: %u %% of chains were broken%s%s",
			     (unsigned long long)e->samples, broken_percent(e),
			     object ? ", most in " : "", object ? object : ""));
	else
		note(s,
		     xasprintf(
			     "switched back to frame pointers after %llu samples: %u %% of copies led to no start, either",
			     (unsigned long long)e->samples, broken_percent(e)));
	s->outcome.changed = true;
}

static void change(struct stack_choice *s, const struct chain_evidence *e, bool on)
{
	turn(s, on);
	if (s->spare.larger)
		note_copies(s, e, on);
	else
		note_change(s, e, on);
	if (on)
		s->outcome.took_over = s->spare.copy_size;
	s->outcome.went_back = !on;
	s->outcome.had_no_room = !on && s->spare.larger && loses(s, e);
	s->broken_before = broken_percent(e);
	s->lost_before = s->lost;
	s->samples_before = e->samples;
	s->state = on ? STACKS_ON_TRIAL : STACKS_SETTLED;
}

bool stack_choice_judge(struct stack_choice *s, const struct chain_evidence *e)
{
	bool larger = s->spare.larger;

	if (larger && s->spare.on && loses(s, e)) {
		change(s, e, false);
		return true;
	}
	if (e->looked < (larger ? COPIES_MIN : LOOKED_MIN) || s->state == STACKS_SETTLED)
		return false;
	if (s->state == STACKS_WATCHED) {
		if (broken_percent(e) <= (larger ? CUT_PERCENT : BROKEN_PERCENT))
			return false;
		change(s, e, true);
		return true;
	}
	s->state = STACKS_SETTLED;
	if (broken_percent(e) * 10 <= s->broken_before * MENDED_OF_TEN)
		return false;
	change(s, e, false);
	return true;
}

bool stack_choice_is_open(const struct stack_choice *s)
{
	/* what larger copies need may come later */
	return s->spare.fds.nr_events &&
	       (s->state != STACKS_SETTLED || (s->spare.larger && s->spare.on));
}

bool stack_choice_wants_judging(struct stack_choice *s, u64 lost)
{
	s->lost = lost;
	return stack_choice_is_open(s) && (s->state != STACKS_SETTLED || lost != s->lost_before);
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
static void note_object(struct stack_choice *s, const struct object_evidence *o)
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
	*VEC_PUSH(&s->notes) = text.buf;
}

static void note_objects(struct stack_choice *s, const struct chain_evidence *e)
{
	VEC(const struct object_evidence *) objects = { 0 };

	VEC_FOR(&e->objects, o)
		if (o->object && (o->breaks || o->ends >= ENDS_MIN || o->callers >= CALLERS_MIN))
			*VEC_PUSH(&objects) = o;
	VEC_SORT(&objects, weight_cmp);
	for (size_t i = 0; i < objects.nr && i < NOTES_MAX; i++)
		note_object(s, objects.v[i]);
	vec_free(&objects);
}

const char *const *stack_choice_notes(struct stack_choice *s, const struct chain_evidence *e)
{
	size_t told = s->notes.nr;

	s->all.nr = 0;
	if (!s->o.code_notes && !told)
		return NULL;
	if (e && is_auto(s))
		note_objects(s, e);
	for (size_t i = 0; s->o.code_notes && s->o.code_notes[i]; i++)
		*VEC_PUSH(&s->all) = s->o.code_notes[i];
	VEC_FOR(&s->notes, n)
		*VEC_PUSH(&s->all) = *n;
	*VEC_PUSH(&s->all) = NULL;
	s->of_objects = s->notes.nr - told;
	return s->all.v;
}

void stack_choice_next_file(struct stack_choice *s)
{
	for (; s->of_objects; s->of_objects--)
		free(s->notes.v[--s->notes.nr]);
}

void stack_choice_release(struct stack_choice *s)
{
	spare_events_release(&s->spare);
	VEC_FOR(&s->notes, n)
		free(*n);
	vec_free(&s->notes);
	vec_free(&s->all);
}
