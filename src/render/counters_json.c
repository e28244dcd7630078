/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat -j: one object per line; keys and the look of the numbers are perf's.
 */
#include "render/counters.h"

#include "base/json.h"
#include "base/mem.h"

static void begin_row(struct json *j, const struct view_counters *v, const struct view_count *row)
{
	static const char *const keys[] = {
		[VIEW_OWNER_CPU] = "cpu",         [VIEW_OWNER_SOCKET] = "socket",
		[VIEW_OWNER_DIE] = "die",         [VIEW_OWNER_CORE] = "core",
		[VIEW_OWNER_NODE] = "node",       [VIEW_OWNER_THREAD] = "thread",
		[VIEW_OWNER_CLUSTER] = "cluster", [VIEW_OWNER_CACHE] = "cache",
		[VIEW_OWNER_PORT] = "port",
	};
	_cleanup_(strbuf_releasep) struct strbuf owner = STRBUF_INIT;

	json_object(j, NULL, JSON_WIDE);
	if (v->has_interval)
		json_decimal(j, "interval", v->interval_ns, 9);
	if (v->owner == VIEW_OWNER_ALL)
		return;
	strbuf_adds(&owner, row->owner);
	if (v->owner == VIEW_OWNER_THREAD)
		strbuf_addf(&owner, "-%d", row->owner_id);
	json_string(j, keys[row->whole_core ? VIEW_OWNER_CORE : v->owner], owner.buf);
	if (v->owner != VIEW_OWNER_CPU && v->owner != VIEW_OWNER_THREAD &&
	    v->owner != VIEW_OWNER_PORT)
		json_u64(j, "aggregate-number", row->nr_cpus);
}

static void end_row(struct json *j)
{
	json_end(j);
	strbuf_addch(j->out, '\n');
}

static void add_ratio(struct json *j, const struct view_ratio *r)
{
	json_fixed(j, "metric-value", r->known ? r->value : 0.0, 6);
	/* the text of a missing label is perf's, too */
	json_string(j, "metric-unit", r->label ? r->label : "(null)");
	if (r->threshold)
		json_string(j, "metric-threshold", r->threshold);
}

/* perf writes the count as a string. */
static void add_count(struct json *j, const struct view_count *row)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (row->state == VIEW_COUNTED)
		strbuf_addf(&text, "%f", row->value);
	else
		strbuf_adds(&text,
			    row->state == VIEW_NOT_SUPPORTED ? "<not supported>" : "<not counted>");
	json_string(j, "counter-value", text.buf);
}

static void add_row(struct json *j, const struct view_counters *v, const struct view_count *row)
{
	static const struct view_ratio none = { .label = "" };
	bool counted = row->state == VIEW_COUNTED;

	begin_row(j, v, row);
	add_count(j, row);
	json_string(j, "unit", row->unit);
	json_string(j, "event", row->name);
	if (row->cgroup)
		json_string(j, "cgroup", row->cgroup);
	if (v->runs > 1)
		json_fixed(j, "variance", row->variance, 2);
	json_u64(j, "event-runtime", row->running);
	json_fixed(j, "pcnt-running", row->percent, 2);
	add_ratio(j, counted && row->nr_ratios ? &row->ratios[0] : &none);
	end_row(j);
	for (size_t k = 1; counted && k < row->nr_ratios; k++) {
		begin_row(j, v, row);
		add_ratio(j, &row->ratios[k]);
		end_row(j);
	}
}

/* --metric-only: an object per owner, a key per ratio. */
static void add_ratios_only(struct json *j, const struct view_counters *v, size_t first)
{
	_cleanup_(strbuf_releasep) struct strbuf heading = STRBUF_INIT, number = STRBUF_INIT;

	begin_row(j, v, &v->rows[first]);
	for (size_t i = first; i < v->nr_rows && v->rows[i].group == v->rows[first].group; i++) {
		for (size_t k = 0; k < v->rows[i].nr_ratios; k++) {
			const struct view_ratio *r = &v->rows[i].ratios[k];

			if (!counters_in_ratios_only(r))
				continue;
			strbuf_reset(&heading);
			strbuf_reset(&number);
			counters_heading(&heading, &v->rows[i], r);
			if (r->known)
				counters_bare_number(&number, r);
			json_string(j, heading.buf, number.buf);
		}
	}
	end_row(j);
}

static void print_json(const struct view_counters *v, const struct counters_style *style UNUSED,
		       struct strbuf *out)
{
	struct json j;

	json_init(&j, out);
	for (size_t i = 0; i < v->nr_rows; i++) {
		if (!v->ratios_only)
			add_row(&j, v, &v->rows[i]);
		else if (!i || v->rows[i].group != v->rows[i - 1].group)
			add_ratios_only(&j, v, i);
	}
}

const struct counters_ops counters_json_ops = { .print = print_json };
