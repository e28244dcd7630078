/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace -s: tables of system calls, by task or of all. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "cmd/trace/trace.h"
#include "render/latency.h"
#include "sys/cgroup.h"

struct table {
	u32 task; /* (u32)-1 = all */
	char *name; /* of a control group, NULL = not known */
	u64 nr_events;
	size_t first, nr; /* of the rows */
};

struct summary {
	const struct trace_opts *o;
	const struct trace_summary *sums;
	const struct trace_tasks *tasks;
	u64 nr_events;
	VEC(struct trace_sum) rows;
	VEC(struct table) tables;
	VEC(u64) cgroups; /* ids; in MODE_CGROUP they stand for tasks */
	FILE *out;
};

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static int by_time(const void *a, const void *b)
{
	const struct trace_sum *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return strcmp(x->syscall->name, y->syscall->name);
}

static int by_task(const void *a, const void *b)
{
	const struct trace_sum *x = a, *y = b;

	return x->task != y->task ? (x->task > y->task) - (x->task < y->task) : by_time(a, b);
}

static int by_events(const void *a, const void *b)
{
	const struct table *x = a, *y = b;

	if (x->nr_events != y->nr_events)
		return x->nr_events < y->nr_events ? 1 : -1;
	return (x->task > y->task) - (x->task < y->task);
}

static void print_errors(const struct summary *s, const struct trace_sum *row)
{
	VEC(struct trace_error) list = { 0 };

	for (u32 i = row->errors_head; i; i = s->sums->errors.v[i - 1].next)
		*VEC_PUSH(&list) = s->sums->errors.v[i - 1];
	VEC_SORT(&list, by_u32);
	VEC_FOR(&list, x) {
		const char *name = trace_errno_name(x->error);

		if (name)
			fprintf(s->out, "\t\t\t\t%s: %llu\n", name, (unsigned long long)x->nr);
		else
			fprintf(s->out, "\t\t\t\t%u: %llu\n", x->error, (unsigned long long)x->nr);
	}
	vec_free(&list);
}

static void print_row(const struct summary *s, const struct trace_sum *r)
{
	fprintf(s->out, "   %-15s %8llu %6llu %9.3f %9.3f %9.3f %9.3f %9.2f%%\n", r->syscall->name,
		(unsigned long long)r->nr, (unsigned long long)r->nr_errors, ms(r->total),
		ms(r->least), ms(r->total) / (double)r->nr, ms(r->most), trace_sum_deviation(r));
	if (s->o->errno_summary)
		print_errors(s, r);
}

static void print_head(const struct summary *s, const struct table *t)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	bool is_task = t->task != (u32)-1 && s->o->mode == MODE_THREAD;
	const struct trace_task *task = is_task ? &s->tasks->v.v[t->task] : NULL;

	if (s->o->mode == MODE_CGROUP) {
		strbuf_add_escaped(&name, t->name ? t->name : "");
		if (!t->name)
			strbuf_addf(&name, "cgroup:%llu",
				    (unsigned long long)s->cgroups.v[t->task]);
		fprintf(s->out, " cgroup %s, %llu events", name.buf,
			(unsigned long long)t->nr_events);
		return;
	}
	if (task && task->comm[0])
		strbuf_add_escaped(&name, task->comm);
	else if (task)
		strbuf_addf(&name, ":%u", task->tid);
	if (task)
		fprintf(s->out, " %s (%u), %llu events, %.1f%%", name.buf, task->tid,
			(unsigned long long)t->nr_events,
			s->nr_events ? 100.0 * (double)t->nr_events / (double)s->nr_events : 0);
	else
		fprintf(s->out, " total, %llu events", (unsigned long long)t->nr_events);
	if (s->o->sched && task)
		fprintf(s->out, ", %.3f msec", ms(task->runtime));
}

static void print_times(const struct summary *s, const struct trace_sum *r)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const struct view_histogram h = {
		.in_ns = true,
		.powers = true,
		.counts = s->sums->times.v[r->times - 1].nr,
		.nr = TRACE_BUCKETS,
		.hide_empty = true,
		.all = { .count = r->nr, .total = r->total, .least = r->least, .most = r->most },
	};

	render_histogram(&h, &out);
	fprintf(s->out, "   %s:\n%s\n", r->syscall->name, out.buf);
}

static void print_table(const struct summary *s, const struct table *t)
{
	print_head(s, t);
	fputs("\n\n"
	      "   syscall            calls  errors  total       min       avg       max       stddev\n"
	      "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
	      "   --------------- --------  ------ -------- --------- --------- ---------     ------\n",
	      s->out);
	for (size_t i = 0; i < t->nr && (!s->o->max_summary || i < s->o->max_summary); i++)
		print_row(s, &s->rows.v[t->first + i]);
	fputs("\n\n", s->out);
	for (size_t i = 0; s->o->hist && i < t->nr; i++)
		if (!s->o->max_summary || i < s->o->max_summary)
			print_times(s, &s->rows.v[t->first + i]);
}

static u32 cgroup_number(struct summary *s, u64 id)
{
	for (u32 i = 0; i < s->cgroups.nr; i++)
		if (s->cgroups.v[i] == id)
			return i;
	*VEC_PUSH(&s->cgroups) = id;
	return (u32)s->cgroups.nr - 1;
}

static bool name_cgroup(void *ctx, const char *path, u64 id)
{
	struct summary *s = ctx;

	VEC_FOR(&s->tables, t)
		if (!t->name && s->cgroups.v[t->task] == id)
			t->name = xstrdup(path);
	return true;
}

/* Calls of all tasks in one, or of all in a control group. */
static void join_tasks(struct summary *s, struct trace_summary *all)
{
	all->by_error = true;
	all->by_time = s->sums->by_time;
	VEC_FOR(&s->sums->sums, x) {
		u32 of = s->o->mode == MODE_CGROUP ? cgroup_number(s, x->cgroup) : (u32)-1;
		struct trace_sum *row = trace_summary_row(all, of, x->syscall);

		trace_summary_join(all, row, s->sums, x);
	}
}

static u64 events_of(const struct summary *s, u32 task)
{
	if (task == (u32)-1)
		return s->nr_events;
	return s->o->mode == MODE_THREAD ? s->tasks->v.v[task].nr_events : 0;
}

static void make_tables(struct summary *s)
{
	VEC_FOR(&s->sums->sums, x)
		*VEC_PUSH(&s->rows) = *x;
	VEC_SORT(&s->rows, by_task);
	for (size_t i = 0; i < s->rows.nr; i++) {
		u32 task = s->rows.v[i].task;

		if (!s->tables.nr || VEC_LAST(&s->tables)->task != task)
			*VEC_PUSH(&s->tables) = (struct table){
				.task = task,
				.nr_events = events_of(s, task),
				.first = i,
			};
		VEC_LAST(&s->tables)->nr++;
		if (s->o->mode == MODE_CGROUP)
			VEC_LAST(&s->tables)->nr_events += 2 * s->rows.v[i].nr;
	}
	VEC_SORT(&s->tables, by_events);
}

void trace_print_summary(const struct trace_opts *o, struct tracer *t, FILE *out)
{
	struct trace_summary all = { 0 };
	struct summary s = { .o = o,
			     .sums = tracer_summary(t),
			     .tasks = tracer_tasks(t),
			     .nr_events = tracer_nr_events(t),
			     .out = out };

	if (o->mode != MODE_THREAD) {
		join_tasks(&s, &all);
		s.sums = &all;
	}
	make_tables(&s);
	if (o->mode == MODE_CGROUP)
		sys_cgroup_walk(NULL, name_cgroup, &s, NULL);
	fputs("\n Summary of events:\n\n", out);
	VEC_FOR(&s.tables, x) {
		print_table(&s, x);
		free(x->name);
	}
	vec_free(&s.cgroups);
	vec_free(&s.rows);
	vec_free(&s.tables);
	trace_summary_release(&all);
}
