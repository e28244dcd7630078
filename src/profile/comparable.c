/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/comparable.h"

#include <errno.h>
#include <string.h>

#include "perfdata/perfdata.h"

static const struct perfdata_event *event_of(const struct diff_input *in, size_t section)
{
	return perfdata_event(session_file(in->s), agg_section(in->a, section)->event);
}

const char *comparable_event(const struct diff_input *in, size_t section)
{
	return event_of(in, section)->name;
}

/* Numbers of tracepoints and of most PMUs differ from machine to machine: then names decide. */
static bool equal_events(const struct perfdata_event *x, const struct perfdata_event *y,
			 bool by_name)
{
	if (by_name)
		return !strcmp(x->name, y->name);
	return x->attr.type == y->attr.type && x->attr.config == y->attr.config &&
	       x->attr.type != PERF_TYPE_TRACEPOINT && x->attr.type < PERF_TYPE_MAX;
}

const struct agg_section *comparable_section(const struct diff_input *in, size_t i, size_t section)
{
	const struct perfdata_event *wanted = event_of(&in[0], section);
	size_t nr = agg_nr_sections(in[i].a);

	if (!i)
		return agg_section(in[0].a, section);
	for (int by_name = 1; by_name >= 0; by_name--)
		for (size_t n = 0; n < nr; n++)
			if (equal_events(event_of(&in[i], n), wanted, by_name))
				return agg_section(in[i].a, n);
	return NULL;
}

static int refuse(const char *name, const char *why, struct err *e)
{
	return err_set(e, ENODATA, "%s %s: --fail-above cannot tell what grew", name, why);
}

/* Samples that passed all filters. */
static u64 nr_shown(const struct agg *a)
{
	u64 nr = 0;

	for (size_t i = 0; i < agg_nr_sections(a); i++)
		nr += agg_section(a, i)->shown_nr[0];
	return nr;
}

static int check_filters(const struct diff_input *in, size_t nr, struct err *e)
{
	const struct agg_config *c = &in[0].o->agg;
	bool of_code = (c->symbols || c->dsos) && !c->comms && !c->pids && !c->tids;
	u64 all = 0;

	for (size_t i = 0; i < nr; i++) {
		u64 shown = nr_shown(in[i].a);

		all += shown;
		if (!session_stats(in[i].s)->nr_samples)
			return refuse(in[i].name, "has no samples", e);
		if (!shown && !of_code)
			return refuse(in[i].name, "has no samples that pass the filters", e);
	}
	return all ? 0 : refuse("no recording", "has samples that pass the filters", e);
}

static bool has_time(const struct diff_input *in)
{
	const struct session_stats *st = session_stats(in->s);

	return st->last_time > st->first_time;
}

/* Of an event: the samples of each side, or their periods. */
static int check_event(const struct diff_opts *o, const struct diff_input *in, size_t nr,
		       size_t section, struct err *e)
{
	const char *event = comparable_event(&in[0], section);
	u64 had = 0, of_side = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct agg_section *s = comparable_section(in, i, section);

		if (!s)
			return err_set(e, ENODATA,
				       "%s has no event '%s', which %s has: --fail-above cannot "
				       "tell what grew",
				       in[i].name, event, in[0].name);
		of_side += o->whole == DIFF_OF_SAMPLES ? s->nr[0] : s->period[0];
		if (i + 1 < nr && in[i + 1].side == in[i].side)
			continue;
		if (in[i].side && !of_side != !had)
			return err_set(e, ENODATA,
				       "%s has no samples of event '%s', %s has: --fail-above "
				       "cannot tell what grew",
				       in[of_side ? 0 : i].name, event, in[of_side ? i : 0].name);
		had = of_side;
		of_side = 0;
	}
	return 0;
}

int comparable_check(const struct diff_opts *o, const struct diff_input *in, size_t nr,
		     struct err *e)
{
	if (check_filters(in, nr, e) < 0)
		return -1;
	for (size_t i = 0; i < nr && o->whole == DIFF_OF_TIME; i++)
		if (!has_time(&in[i]))
			return refuse(in[i].name, "took no time", e);
	for (size_t i = 0; i < agg_nr_sections(in[0].a); i++)
		if (check_event(o, in, nr, i, e) < 0)
			return -1;
	return 0;
}
