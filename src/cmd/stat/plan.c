/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat --plan, --no-multiplex: do the events fit on the counters, and if not, counting them in
 * several runs of the command instead of by turns.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/stat/stat.h"

static const struct event *event_of(const struct stat_run *s, size_t i)
{
	return s->opts->count.events.events.v[i];
}

static u32 count_in(const struct event_plan *p, s32 pass)
{
	u32 n = 0;

	for (size_t i = 0; i < p->nr_events; i++)
		n += p->pass[i] == pass;
	return n;
}

/* "{a,b}, c": the events of a pass. */
static void add_names(struct strbuf *out, const struct stat_run *s, s32 pass)
{
	const char *sep = "";

	for (size_t i = 0; i < s->plan.nr_events; i++) {
		const struct event *ev = event_of(s, i);
		bool next = i + 1 < s->plan.nr_events && event_of(s, i + 1)->leader == ev->leader;
		bool leads = ev->leader == ev && ev->nr_members > 1;

		if (s->plan.pass[i] != pass)
			continue;
		strbuf_adds(out, sep);
		strbuf_adds(out, leads ? "{" : "");
		strbuf_add_escaped(out, ev->name);
		strbuf_adds(out, !next && ev->leader->nr_members > 1 ? "}" : "");
		sep = next ? "," : ", ";
	}
}

static void add_line(struct strbuf *out, const struct stat_run *s, const char *head, s32 pass)
{
	if (!count_in(&s->plan, pass))
		return;
	strbuf_addf(out, "   %s", head);
	if (pass >= 0 && s->plan.nr_passes > 1)
		strbuf_addf(out, " %d of %d", pass + 1, s->plan.nr_passes);
	strbuf_adds(out, ": ");
	add_names(out, s, pass);
	strbuf_addch(out, '\n');
}

static void add_verdict(struct strbuf *out, const struct stat_run *s)
{
	const struct event_plan *p = &s->plan;
	u32 counted = 0;
	bool large = false;

	for (s32 i = 0; i < p->nr_passes; i++)
		counted += count_in(p, i);
	for (size_t i = 0; i < p->nr_events; i++)
		large = large || p->too_large[i];
	if (large)
		strbuf_adds(out, " A group has more events than there are counters: it is not "
				 "counted.\n");
	if (!counted)
		strbuf_adds(out, " No event that is supported needs a counter.\n");
	else if (p->nr_passes == 1)
		strbuf_adds(out, " All fit on the counters: nothing will be scaled up.\n");
	else if (s->opts->no_multiplex)
		strbuf_addf(out, " They do not fit at the same time: the command runs %d times.\n",
			    p->nr_passes);
	else
		strbuf_addf(out,
			    " They do not fit at the same time: they take turns and are scaled "
			    "up.\n (--no-multiplex runs the command %d times instead)\n",
			    p->nr_passes);
}

void stat_plan(struct stat_run *s)
{
	struct strbuf out = STRBUF_INIT;

	if (!s->opts->plan && !s->opts->no_multiplex)
		return;
	event_plan_make(&s->plan, &s->opts->count.events, plan_ask_kernel, NULL);
	if (s->opts->no_multiplex && s->plan.nr_passes > 1)
		s->unsupported = XNEW_ARRAY(bool, s->plan.nr_events);
	if (!s->opts->plan || s->opts->quiet)
		return;
	strbuf_adds(&out, "\n Plan:\n\n");
	for (s32 i = 0; i < s->plan.nr_passes; i++)
		add_line(&out, s, "counters", i);
	add_line(&out, s, "no counter needed", PLAN_EVERY_PASS);
	add_line(&out, s, "not supported", PLAN_UNSUPPORTED);
	strbuf_addch(&out, '\n');
	add_verdict(&out, s);
	fputs(out.buf, stderr);
	strbuf_release(&out);
}

u32 stat_passes(const struct stat_run *s)
{
	return s->unsupported ? (u32)s->plan.nr_passes : 1;
}

void stat_pass_begin(struct stat_run *s, u32 pass)
{
	if (!s->unsupported)
		return;
	for (size_t i = 0; i < s->plan.nr_events; i++) {
		s32 p = s->plan.pass[i];

		/* those that are not supported are tried, and told, in the first */
		s->opts->count.events.events.v[i]->left_out = p >= 0 ? (u32)p != pass
								     : p == PLAN_UNSUPPORTED &&
									       pass;
	}
}

void stat_pass_end(struct stat_run *s)
{
	for (size_t i = 0; s->unsupported && i < s->plan.nr_events; i++) {
		struct counter *c = &s->m.counters.all.v[i];

		if (!c->event->left_out)
			s->unsupported[i] = !c->supported;
		c->supported = !s->unsupported[i];
	}
}
