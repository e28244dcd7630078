/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/counts.h"

#include <stdlib.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "perfdata/tool_records.h"

enum { MAX_VALUES = 1 << 22 }; /* of all events, CPUs and tasks */

struct event_count {
	u64 value, enabled, running;
};

struct event_counts {
	u32 *cpus; /* NULL: any CPU */
	size_t nr_cpus; /* at least 1 */
	struct event_count *v; /* by task and CPU */
	struct event_count *shown; /* the same at the last row; NULL: none yet */
};

struct counts {
	s32 *tasks;
	size_t nr_tasks;
	u32 *cpus;
	size_t nr_cpus;
	struct event_counts *events; /* NULL: no value yet */
	size_t nr_events;
	bool has_heading, is_too_large;
	bool is_one_sum; /* the measurement told neither tasks nor CPUs apart */
	bool is_final; /* the complete counts are those of all the time */
};

void counts_free(struct counts *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr_events; i++) {
		free(c->events[i].cpus);
		free(c->events[i].v);
		free(c->events[i].shown);
	}
	free(c->events);
	free(c->tasks);
	free(c->cpus);
	free(c);
}

static void take_tasks(struct counts *c, const struct record_thread_map *map)
{
	free(c->tasks);
	c->tasks = XNEW_ARRAY(s32, map->nr_there + 1);
	c->nr_tasks = (size_t)map->nr_there;
	for (size_t i = 0; i < c->nr_tasks; i++)
		c->tasks[i] = (s32)map->v[i].tid;
}

/* A list as text; "-1" stands for any CPU. */
static void parse_cpus(const char *text, u32 **cpus, size_t *nr)
{
	*cpus = NULL;
	*nr = 0;
	if (!text || *text == '-' || !fmt_parse_cpu_list(text, cpus, nr))
		*cpus = NULL;
}

static void take_cpus(struct counts *c, const struct record_bytes *map)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	free(c->cpus);
	parse_cpus(record_cpu_map_text(&text, map->at, map->len) ? text.buf : NULL, &c->cpus,
		   &c->nr_cpus);
}

/* The first value or round: all that describes the measurement has been read. */
static void prepare(struct counts *c, const struct perfdata *f)
{
	size_t left = MAX_VALUES;

	if (!c->nr_tasks) {
		free(c->tasks);
		c->tasks = XNEW_ARRAY(s32, 1);
		c->tasks[0] = -1;
		c->nr_tasks = 1;
	}
	c->nr_events = perfdata_nr_events(f);
	c->events = XNEW_ARRAY(struct event_counts, c->nr_events + 1);
	for (size_t i = 0; i < c->nr_events; i++) {
		struct event_counts *ev = &c->events[i];
		const struct perfdata_event *from = perfdata_event(f, i);

		if (c->cpus && from->cpus)
			parse_cpus(from->cpus, &ev->cpus, &ev->nr_cpus);
		if (!ev->cpus && c->cpus) {
			ev->nr_cpus = c->nr_cpus;
			ev->cpus = XNEW_ARRAY(u32, c->nr_cpus);
			memcpy(ev->cpus, c->cpus, c->nr_cpus * sizeof(*c->cpus));
		}
		ev->nr_cpus = MAX(ev->nr_cpus, (size_t)1);
		if (ev->nr_cpus > left / c->nr_tasks) {
			c->is_too_large = true;
			return;
		}
		left -= ev->nr_cpus * c->nr_tasks;
		ev->v = XNEW_ARRAY(struct event_count, ev->nr_cpus * c->nr_tasks);
	}
}

static struct event_count *find_count(const struct counts *c, const struct event_counts *ev,
				      u32 cpu, u32 task)
{
	if (task >= c->nr_tasks)
		return NULL;
	for (size_t i = 0; i < ev->nr_cpus; i++)
		if (!ev->cpus || ev->cpus[i] == cpu)
			return &ev->v[task * ev->nr_cpus + i];
	return NULL;
}

static void take_value(struct counts *c, const struct perfdata *f, const struct record_stat *r)
{
	const struct perfdata_event *from = perfdata_event_by_id(f, r->id);
	struct event_count *at;

	if (!from || from->index >= c->nr_events)
		return;
	at = find_count(c, &c->events[from->index], r->cpu, r->thread);
	if (at)
		*at = (struct event_count){ r->value, r->enabled, r->running };
}

static void add_line(struct strbuf *out, int cpu, int task, const struct event_count *v, u64 time,
		     const char *name, bool terminal)
{
	strbuf_addf(out, "%3d %8d %15llu %15llu %15llu %15llu ", cpu, task,
		    (unsigned long long)v->value, (unsigned long long)v->enabled,
		    (unsigned long long)v->running, (unsigned long long)time);
	if (terminal)
		strbuf_add_escaped(out, name);
	else
		strbuf_add_one_line(out, name);
	strbuf_addch(out, '\n');
}

void counts_add_text(struct counts *c, const struct perfdata *f, u64 time, bool terminal,
		     struct strbuf *out)
{
	if (!c->has_heading)
		strbuf_addf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			    "RUN", "TIME", "EVENT");
	c->has_heading = true;
	for (size_t i = 0; i < c->nr_events; i++) {
		const struct event_counts *ev = &c->events[i];

		for (size_t t = 0; t < c->nr_tasks; t++)
			for (size_t k = 0; k < ev->nr_cpus; k++)
				add_line(out, ev->cpus ? (int)ev->cpus[k] : -1, c->tasks[t],
					 &ev->v[t * ev->nr_cpus + k], time,
					 perfdata_event(f, i)->name, terminal);
	}
}

/* Adds what the cell got since it was shown last, and notes that it was. */
static void add_cell(const struct counts *c, const struct event_counts *ev, size_t at,
		     struct count_row *row)
{
	const struct event_count *v = &ev->v[at];
	struct event_count *shown = &ev->shown[at];

	if (c->is_final)
		*shown = (struct event_count){ 0 };
	row->value += v->value - shown->value;
	row->enabled += v->enabled - shown->enabled;
	row->running += v->running - shown->running;
	*shown = *v;
}

/* What it would be, had it been counted all the time. */
static void scale(struct count_row *row)
{
	if (!row->running)
		row->value = 0;
	else if (row->running < row->enabled)
		row->value = (u64)((double)row->value * (double)row->enabled /
					   (double)row->running +
				   0.5);
}

int counts_each_row(struct counts *c, const struct perfdata *f,
		    int (*fn)(void *ctx, const struct count_row *row), void *ctx)
{
	int ret = 0;

	for (size_t i = 0; i < c->nr_events; i++) {
		struct event_counts *ev = &c->events[i];
		struct count_row row = { 0 };

		if (!ev->shown)
			ev->shown = XNEW_ARRAY(struct event_count, ev->nr_cpus * c->nr_tasks);
		for (size_t at = 0; at < ev->nr_cpus * c->nr_tasks && !ret; at++) {
			size_t task = at / ev->nr_cpus;
			size_t cpu = at % ev->nr_cpus;
			bool begins = c->is_one_sum ? !at : c->nr_tasks == 1 || !cpu;
			bool ends = c->is_one_sum ? at + 1 == ev->nr_cpus * c->nr_tasks
						  : c->nr_tasks == 1 || cpu + 1 == ev->nr_cpus;

			if (begins)
				row = (struct count_row){ .event = perfdata_event(f, i)->name,
							  .task = -1,
							  .cpu = -1 };
			if (!c->is_one_sum)
				row.task = c->tasks[task];
			if (!c->is_one_sum && c->nr_tasks == 1 && ev->cpus)
				row.cpu = (s32)ev->cpus[cpu];
			add_cell(c, ev, at, &row);
			if (ends && c->is_one_sum)
				scale(&row);
			if (ends)
				ret = fn(ctx, &row);
		}
	}
	return ret;
}

/* tag 0 tells what is added up, where 1 = everything */
static void take_config(struct counts *c, const struct record_stat_config *r)
{
	for (u64 i = 0; i < r->nr_there; i++)
		if (!r->v[i].tag)
			c->is_one_sum = r->v[i].value == 1;
}

int counts_take(struct counts **counts, const struct perfdata *f, const struct perf_event_header *h,
		u64 *time, struct err *e)
{
	union record_view v;
	struct counts *c;
	bool whole;

	if (h->type != PERF_RECORD_THREAD_MAP && h->type != PERF_RECORD_CPU_MAP &&
	    h->type != PERF_RECORD_STAT && h->type != PERF_RECORD_STAT_ROUND &&
	    h->type != PERF_RECORD_STAT_CONFIG)
		return 0;
	if (!*counts)
		*counts = XNEW(struct counts);
	c = *counts;
	whole = record_view(h, 0, &v);
	if (h->type == PERF_RECORD_STAT_CONFIG) {
		take_config(c, &v.stat_config);
		return 0;
	}
	if (h->type == PERF_RECORD_THREAD_MAP || h->type == PERF_RECORD_CPU_MAP) {
		if (c->events)
			return 0;
		if (h->type == PERF_RECORD_THREAD_MAP)
			take_tasks(c, &v.thread_map);
		else
			take_cpus(c, &v.bytes);
		return 0;
	}
	if (!c->events)
		prepare(c, f);
	if (c->is_too_large)
		return err_set(e, 0, "'%s' claims more than %d counts", perfdata_path(f),
			       MAX_VALUES);
	if (!whole)
		return 0;
	if (h->type == PERF_RECORD_STAT) {
		take_value(c, f, &v.stat);
		return 0;
	}
	/* the counts at that time are complete */
	c->is_final = v.stat_round.type == STAT_ROUND_FINAL;
	*time = v.stat_round.time;
	return 1;
}
