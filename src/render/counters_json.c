/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -j: one object per line; keys and the look of the numbers are perf's.
 */
#include "render/counters.h"

#include <string.h>

#include "base/mem.h"

static void add_lead(struct strbuf *out, const struct view_counters *v,
		     const struct view_count *row)
{
	static const char *const keys[] = {
		[VIEW_OWNER_CPU] = "cpu",         [VIEW_OWNER_SOCKET] = "socket",
		[VIEW_OWNER_DIE] = "die",         [VIEW_OWNER_CORE] = "core",
		[VIEW_OWNER_NODE] = "node",       [VIEW_OWNER_THREAD] = "thread",
		[VIEW_OWNER_CLUSTER] = "cluster", [VIEW_OWNER_CACHE] = "cache",
		[VIEW_OWNER_PORT] = "port",
	};
	_cleanup_(strbuf_releasep) struct strbuf owner = STRBUF_INIT;

	strbuf_addch(out, '{');
	if (v->has_interval)
		strbuf_addf(out, "\"interval\" : %llu.%09llu, ",
			    (unsigned long long)(v->interval_ns / 1000000000),
			    (unsigned long long)(v->interval_ns % 1000000000));
	if (v->owner == VIEW_OWNER_ALL)
		return;
	strbuf_adds(&owner, row->owner);
	if (v->owner == VIEW_OWNER_THREAD)
		strbuf_addf(&owner, "-%d", row->owner_id);
	strbuf_addf(out, "\"%s\" : ", keys[row->whole_core ? VIEW_OWNER_CORE : v->owner]);
	strbuf_add_json(out, owner.buf);
	strbuf_adds(out, ", ");
	if (v->owner != VIEW_OWNER_CPU && v->owner != VIEW_OWNER_THREAD &&
	    v->owner != VIEW_OWNER_PORT)
		strbuf_addf(out, "\"aggregate-number\" : %u, ", row->nr_cpus);
}

static void add_ratio(struct strbuf *out, const struct view_ratio *r)
{
	strbuf_addf(out, "\"metric-value\" : %f, \"metric-unit\" : ", r->known ? r->value : 0.0);
	/* the text of a missing label is perf's, too */
	strbuf_add_json(out, r->label ? r->label : "(null)");
	if (r->threshold) {
		strbuf_adds(out, ", \"metric-threshold\" : ");
		strbuf_add_json(out, r->threshold);
	}
	strbuf_adds(out, "}\n");
}

static void add_row(struct strbuf *out, const struct view_counters *v, const struct view_count *row)
{
	static const struct view_ratio none = { .label = "" };
	bool counted = row->state == VIEW_COUNTED;

	add_lead(out, v, row);
	if (counted)
		strbuf_addf(out, "\"counter-value\" : \"%f\"", row->value);
	else
		strbuf_addf(out, "\"counter-value\" : \"%s\"",
			    row->state == VIEW_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	strbuf_adds(out, ", \"unit\" : ");
	strbuf_add_json(out, row->unit);
	strbuf_adds(out, ", \"event\" : ");
	strbuf_add_json(out, row->name);
	if (row->cgroup) {
		strbuf_adds(out, ", \"cgroup\" : ");
		strbuf_add_json(out, row->cgroup);
	}
	if (v->runs > 1)
		strbuf_addf(out, ", \"variance\" : %.2f", row->variance);
	strbuf_addf(out, ", \"event-runtime\" : %llu, \"pcnt-running\" : %.2f, ",
		    (unsigned long long)row->running, row->percent);
	add_ratio(out, counted && row->nr_ratios ? &row->ratios[0] : &none);
	for (size_t k = 1; counted && k < row->nr_ratios; k++) {
		add_lead(out, v, row);
		add_ratio(out, &row->ratios[k]);
	}
}

/* --metric-only: an object per owner, a key per ratio. */
static void add_ratios_only(struct strbuf *out, const struct view_counters *v, size_t first)
{
	_cleanup_(strbuf_releasep) struct strbuf heading = STRBUF_INIT;
	bool any = false;

	add_lead(out, v, &v->rows[first]);
	for (size_t i = first; i < v->nr_rows && v->rows[i].group == v->rows[first].group; i++) {
		for (size_t k = 0; k < v->rows[i].nr_ratios; k++) {
			const struct view_ratio *r = &v->rows[i].ratios[k];

			if (!counters_in_ratios_only(r))
				continue;
			strbuf_reset(&heading);
			counters_heading(&heading, &v->rows[i], r);
			strbuf_adds(out, any ? ", " : "");
			strbuf_add_json(out, heading.buf);
			strbuf_adds(out, " : \"");
			if (r->known)
				counters_bare_number(out, r);
			strbuf_addch(out, '"');
			any = true;
		}
	}
	/* nothing follows what leads */
	if (!any && out->buf[out->len - 1] == ' ')
		out->buf[out->len -= strlen(", ")] = '\0';
	strbuf_adds(out, "}\n");
}

static void print_json(const struct view_counters *v, const struct counters_style *style UNUSED,
		       struct strbuf *out)
{
	for (size_t i = 0; i < v->nr_rows; i++) {
		if (!v->ratios_only)
			add_row(out, v, &v->rows[i]);
		else if (!i || v->rows[i].group != v->rows[i - 1].group)
			add_ratios_only(out, v, i);
	}
}

const struct counters_ops counters_json_ops = { .print = print_json };
