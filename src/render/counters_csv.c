/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -x: one line per count, fields behind each other with a separator.
 */
#include "render/counters.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { EMPTY_BEFORE_RATIO = 4 }; /* separators before a further ratio's number */

void counters_bare_number(struct strbuf *out, const struct view_ratio *r)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const char *s;

	counters_number(&text, r);
	s = text.buf + strspn(text.buf, " ");
	strbuf_add(out, s, strspn(s, "-0123456789.infa"));
}

/* row NULL: nobody's */
static void add_owner_lead(struct strbuf *out, const struct view_counters *v,
			   const struct view_count *row, const struct counters_style *style)
{
	const char *sep = style->separator;

	if (v->has_interval)
		strbuf_addf(out, "%6llu.%09llu%s",
			    (unsigned long long)(v->interval_ns / 1000000000),
			    (unsigned long long)(v->interval_ns % 1000000000), sep);
	if (!row)
		return;
	if (v->owner == VIEW_OWNER_THREAD) {
		strbuf_add_escaped(out, row->owner);
		strbuf_addf(out, "-%d%s", row->owner_id, sep);
	} else if (v->owner == VIEW_OWNER_PORT) {
		strbuf_addf(out, "%s%s", row->owner, sep);
	} else if (v->owner == VIEW_OWNER_CPU) {
		strbuf_addf(out, "%s%s%s", row->whole_core ? "" : "CPU", row->owner, sep);
	} else if (v->owner != VIEW_OWNER_ALL) {
		strbuf_addf(out, "%s%s%u%s", row->owner, sep, row->nr_cpus, sep);
	}
}

static void add_lead(struct strbuf *out, const struct view_counters *v,
		     const struct view_count *row, const struct counters_style *style)
{
	if (!v->has_interval && v->is_summary && !style->no_summary_column)
		strbuf_addf(out, "%16s%s", "summary", style->separator);
	add_owner_lead(out, v, row, style);
}

static void add_value(struct strbuf *out, const struct view_count *row)
{
	if (row->state == VIEW_NOT_SUPPORTED)
		strbuf_adds(out, "<not supported>");
	else if (row->state == VIEW_NOT_COUNTED)
		strbuf_adds(out, "<not counted>");
	else
		strbuf_addf(out, row->fraction ? "%.2f" : "%.0f", row->value);
}

static void add_ratio(struct strbuf *out, const struct view_ratio *r, const char *sep)
{
	strbuf_adds(out, sep);
	if (r && r->known)
		counters_bare_number(out, r);
	strbuf_adds(out, sep);
	if (r && r->known)
		strbuf_adds(out, r->label);
	strbuf_addch(out, '\n');
}

/* A line of its own for every ratio but the first. */
static void add_more_ratios(struct strbuf *out, const struct view_counters *v,
			    const struct view_count *row, const struct counters_style *style)
{
	size_t empty = EMPTY_BEFORE_RATIO + (row->cgroup ? 1 : 0);

	/* a node's number of CPUs is forgotten, as by perf */
	if (v->owner == VIEW_OWNER_CPU || v->owner == VIEW_OWNER_THREAD ||
	    v->owner == VIEW_OWNER_NODE)
		empty += 1;
	else if (v->owner != VIEW_OWNER_ALL)
		empty += 2;
	/* perf has no column for the summary in them */
	for (size_t k = 1; k < row->nr_ratios; k++) {
		add_owner_lead(out, v, row, style);
		for (size_t i = 0; i + 1 < empty; i++)
			strbuf_adds(out, style->separator);
		add_ratio(out, &row->ratios[k], style->separator);
	}
}

static void add_name(struct strbuf *out, const char *sep, const char *name)
{
	strbuf_adds(out, sep);
	strbuf_add_escaped(out, name);
}

static void add_row(struct strbuf *out, const struct view_counters *v, const struct view_count *row,
		    const struct counters_style *style)
{
	const char *sep = style->separator;
	bool counted = row->state == VIEW_COUNTED;

	add_lead(out, v, row, style);
	add_value(out, row);
	add_name(out, sep, row->unit);
	add_name(out, sep, row->name);
	if (row->cgroup)
		add_name(out, sep, row->cgroup);
	if (v->runs > 1)
		strbuf_addf(out, "%s%.2f%%", sep, row->variance);
	strbuf_addf(out, "%s%llu%s%.2f", sep, (unsigned long long)row->running, sep, row->percent);
	add_ratio(out, counted && row->nr_ratios ? &row->ratios[0] : NULL, sep);
	if (counted)
		add_more_ratios(out, v, row, style);
}

static const char *const owner_fields[] = {
	[VIEW_OWNER_ALL] = "",
	[VIEW_OWNER_CPU] = "CPU",
	[VIEW_OWNER_SOCKET] = "socket,cpus",
	[VIEW_OWNER_DIE] = "die,cpus",
	[VIEW_OWNER_CORE] = "core,cpus",
	[VIEW_OWNER_NODE] = "node,cpus",
	[VIEW_OWNER_THREAD] = "comm-pid",
	[VIEW_OWNER_CLUSTER] = "cluster,cpus",
	[VIEW_OWNER_CACHE] = "cache,cpus",
	[VIEW_OWNER_PORT] = "port",
};

static void add_ratio_fields(struct strbuf *out, const struct view_counters *v, size_t first,
			     const char *sep, bool headings)
{
	for (size_t i = first; i < v->nr_rows && v->rows[i].group == v->rows[first].group; i++) {
		for (size_t k = 0; k < v->rows[i].nr_ratios; k++) {
			const struct view_ratio *r = &v->rows[i].ratios[k];

			if (!counters_in_ratios_only(r))
				continue;
			if (headings)
				counters_heading(out, &v->rows[i], r);
			else if (r->known)
				counters_bare_number(out, r);
			strbuf_adds(out, sep);
		}
	}
	strbuf_addch(out, '\n');
}

static void add_ratios_only(struct strbuf *out, const struct view_counters *v,
			    const struct counters_style *style)
{
	if (v->nr_rows && (!v->has_interval || !v->interval_number)) {
		if (v->has_interval)
			strbuf_addf(out, "%stime%s", v->owner == VIEW_OWNER_PORT ? " " : "",
				    style->separator);
		for (const char *p = owner_fields[v->owner]; *p; p++) {
			if (*p == ',')
				strbuf_adds(out, style->separator);
			else
				strbuf_addch(out, *p);
		}
		if (v->owner != VIEW_OWNER_ALL)
			strbuf_adds(out, style->separator);
		add_ratio_fields(out, v, 0, style->separator, true);
	}
	for (size_t i = 0; i < v->nr_rows; i++) {
		if (i && v->rows[i].group == v->rows[i - 1].group)
			continue;
		add_lead(out, v, &v->rows[i], style);
		add_ratio_fields(out, v, i, style->separator, false);
	}
}

static void print_csv(const struct view_counters *v, const struct counters_style *style,
		      struct strbuf *out)
{
	if (v->ratios_only) {
		add_ratios_only(out, v, style);
		return;
	}
	for (size_t i = 0; i < v->nr_rows; i++)
		add_row(out, v, &v->rows[i], style);
}

const struct counters_ops counters_csv_ops = { .print = print_csv };
