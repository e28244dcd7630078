/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: rows of counts as text.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rw.h"
#include "cli/colour.h"
#include "cmd/stat/stat.h"
#include "count/cells.h"
#include "count/rows.h"
#include "render/counters.h"

enum { MIN_UNIT_WIDTH = 4 };

static void make_title(const struct stat_run *s, struct strbuf *out)
{
	const struct stat_opts *o = s->opts;

	if (s->title) {
		strbuf_addch(out, '\'');
		strbuf_add_escaped(out, s->title);
		strbuf_addch(out, '\'');
		return;
	}
	if (o->count.pids || o->count.tids) {
		strbuf_addf(out, "%s id '", o->count.pids ? "process" : "thread");
		strbuf_add_escaped(out, o->count.pids ? o->count.pids : o->count.tids);
		strbuf_addch(out, '\'');
		return;
	}
	strbuf_addch(out, '\'');
	if (o->programs.nr) {
		strbuf_addf(out, "BPF program(s) %s", o->program_list);
	} else if (s->m.target.cpu_wide || o->count.per_thread || !o->count.command) {
		if (o->count.cpus && !o->count.system_wide)
			strbuf_addf(out, "CPU(s) %s", o->count.cpus);
		else
			strbuf_adds(out, "system wide");
	} else {
		for (size_t i = 0; o->count.command[i]; i++) {
			strbuf_adds(out, i ? " " : "");
			strbuf_add_escaped(out, o->count.command[i]);
		}
	}
	strbuf_addch(out, '\'');
}

static const enum view_owner view_owners[] = {
	[COUNT_GLOBAL] = VIEW_OWNER_ALL,    [COUNT_CPU] = VIEW_OWNER_CPU,
	[COUNT_SOCKET] = VIEW_OWNER_SOCKET, [COUNT_DIE] = VIEW_OWNER_DIE,
	[COUNT_CORE] = VIEW_OWNER_CORE,     [COUNT_NODE] = VIEW_OWNER_NODE,
	[COUNT_THREAD] = VIEW_OWNER_THREAD, [COUNT_CLUSTER] = VIEW_OWNER_CLUSTER,
	[COUNT_CACHE] = VIEW_OWNER_CACHE,
};

static void fill_view(const struct stat_run *s, struct view_counters *v, bool interval)
{
	const struct stat_opts *o = s->opts;
	struct moments elapsed = { 0 };

	VEC_FOR(&s->m.seconds, sec)
		moments_add(&elapsed, *sec);
	v->owner = o->count.ports ? VIEW_OWNER_PORT : view_owners[o->count.aggr];
	v->unit_width = MIN_UNIT_WIDTH;
	for (size_t i = 0; i < v->nr_rows; i++)
		v->unit_width = MAX(v->unit_width, (u32)strlen(v->rows[i].unit));
	/* intervals are not averaged, but separated values have the column */
	v->runs = interval ? (u32)MAX(o->repeat, 1) : (u32)MAX(elapsed.n, (u64)1);
	v->has_interval = interval;
	v->interval_ns = s->m.end_ns - s->m.start_ns;
	v->interval_number = s->m.intervals;
	v->clear_screen = o->interval_clear;
	v->is_summary = !interval && (o->count.interval_ms || o->summary);
	v->ratios_only = o->count.metric_only;
	v->no_rows = o->null_run;
	v->seconds = elapsed.mean;
	v->seconds_deviation = moments_deviation(&elapsed);
	/* of a command with ports, too, though these are the machine's */
	v->has_usage = (s->m.target.workload || (o->count.ports && o->count.command &&
						 !o->count.system_wide && !o->count.cpus)) &&
		       v->runs == 1;
	v->user_seconds = s->m.user_seconds;
	v->system_seconds = s->m.system_seconds;
	v->each_run = o->table && v->runs > 1 ? s->m.seconds.v : NULL;
}

/* The separator of the user's locale only says whether there is to be one: a '.' in its place could
 * not be told from a decimal point. */
static const char *thousands(const struct stat_opts *o)
{
	if (!o->big_num || !setlocale(LC_NUMERIC, ""))
		return "";

	bool wanted = localeconv()->thousands_sep[0] != '\0';

	setlocale(LC_NUMERIC, "C");
	return wanted ? "," : "";
}

/* A failure is told, unless it is standard error that cannot be written. */
static void write_out(struct stat_run *s, const struct strbuf *out)
{
	const struct stat_opts *o = s->opts;

	if (!rw_write_full(o->out_fd, out->buf, out->len) || s->output_lost ||
	    o->out_fd == STDERR_FILENO)
		return;
	fprintf(stderr, "error: cannot write the counts to '%s': %s\n",
		o->output ? o->output : "the descriptor of --log-fd", strerror(errno));
	s->output_lost = true;
}

void stat_show(struct stat_run *s, bool interval)
{
	const struct stat_opts *o = s->opts;
	const struct counters_ops *ops = o->json        ? &counters_json_ops
					 : o->separator ? &counters_csv_ops
							: &counters_text_ops;
	struct counters_style style = {
		.separator = o->separator,
		.thousands = thousands(o),
		.no_summary_column = o->no_csv_summary,
		.coloured = colour_terminal(o->out_fd),
	};
	struct strbuf title = STRBUF_INIT, out = STRBUF_INIT;
	struct count_rows rows = { .interval = interval };
	struct view_counters v = { 0 };

	if (o->quiet)
		return;
	count_rows_make(&s->m, interval, &rows);
	make_title(s, &title);
	v.rows = rows.v.v;
	v.nr_rows = rows.v.nr;
	v.title = title.buf;
	fill_view(s, &v, interval);
	ops->print(&v, &style, &out);
	write_out(s, &out);
	strbuf_release(&out);
	strbuf_release(&title);
	count_rows_release(&rows);
}

void stat_run_release(struct stat_run *s)
{
	measurement_release(&s->m);
	event_plan_release(&s->plan);
	free(s->unsupported);
}

/* Single values as they were read, sums scaled. */
static void show_value(const struct stat_run *s, const char *name, int cpu,
		       const struct count_value *v)
{
	bool scale = s->opts->count.scale && cpu < -1;
	u64 value = scale ? (u64)count_scale(v->value, v->enabled, v->running) : v->value;

	fprintf(stderr, "%s: ", name);
	if (cpu >= -1)
		fprintf(stderr, "%d: ", cpu);
	fprintf(stderr, "%llu %llu %llu\n", (unsigned long long)value,
		(unsigned long long)v->enabled, (unsigned long long)v->running);
}

/* Each value, CPU after CPU as they were opened. */
static void show_each(const struct stat_run *s)
{
	size_t most = 0;

	VEC_FOR(&s->m.counters.all, c)
		most = MAX(most, c->nr_cpus * c->nr_tasks);
	for (size_t i = 0; i < most; i++) {
		VEC_FOR(&s->m.counters.all, c) {
			if (c->supported && i < c->nr_cpus * c->nr_tasks)
				show_value(s, c->event->name, c->cpus[i / c->nr_tasks],
					   &c->values[i]);
		}
	}
}

/* -v: the sums with their times; -vv: each value. */
void stat_show_verbose(const struct stat_run *s)
{
	enum { NO_CPU = -2 };

	if (s->opts->verbose > 1)
		show_each(s);
	VEC_FOR(&s->m.counters.all, c) {
		struct count_value sum = { 0 };

		if (!c->supported) {
			fprintf(stderr, "failed to read counter %s\n", c->event->name);
			continue;
		}
		for (size_t i = 0; i < c->nr_cpus * c->nr_tasks; i++) {
			sum.value += c->values[i].value;
			sum.enabled += c->values[i].enabled;
			sum.running += c->values[i].running;
		}
		if (s->opts->count.aggr == COUNT_GLOBAL)
			show_value(s, c->event->name, NO_CPU, &sum);
	}
}
