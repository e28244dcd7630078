/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched latency: a row for each task, or for each name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sched/sched.h"

enum { NAME_WIDTH = 22 };

struct latency_table {
	struct sched_latency_row *rows;
	size_t nr;
	u64 runtime, switches; /* sums */
};

static bool is_linear(const struct sched_opts *o)
{
	return o->hist_mode && !strcmp(o->hist_mode, "linear");
}

static double average(const struct sched_latency_row *r)
{
	return r->switches ? (double)r->delay / (double)r->switches : 0;
}

static int compare_double(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_u64(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int by_avg(const struct tasks *tasks UNUSED, const struct sched_latency_row *a,
		  const struct sched_latency_row *b)
{
	return compare_double(average(a), average(b));
}

static int by_max(const struct tasks *tasks UNUSED, const struct sched_latency_row *a,
		  const struct sched_latency_row *b)
{
	return compare_u64(a->max_delay, b->max_delay);
}

static int by_switch(const struct tasks *tasks UNUSED, const struct sched_latency_row *a,
		     const struct sched_latency_row *b)
{
	return compare_u64(a->switches, b->switches);
}

static int by_runtime(const struct tasks *tasks UNUSED, const struct sched_latency_row *a,
		      const struct sched_latency_row *b)
{
	return compare_u64(a->runtime, b->runtime);
}

static int by_pid(const struct tasks *tasks, const struct sched_latency_row *a,
		  const struct sched_latency_row *b)
{
	return compare_u64(tasks->v.v[a->task].tid, tasks->v.v[b->task].tid);
}

static int by_wait(const struct tasks *tasks UNUSED, const struct sched_latency_row *a,
		   const struct sched_latency_row *b)
{
	return compare_u64(a->waits, b->waits);
}

static const struct sort_key {
	const char *name;
	latency_compare compare;
	bool live; /* in laps alone */
} sort_keys[] = {
	{ "avg", by_avg }, { "max", by_max },         { "switch", by_switch },
	{ "pid", by_pid }, { "runtime", by_runtime }, { "wait", by_wait, .live = true },
};

static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct sched_latency_row *x = a, *y = b;
	const struct latency_order *o = ctx;

	for (size_t i = 0; i < o->nr; i++) {
		int r = o->by[i](o->tasks, x, y);

		if (r)
			return -r;
	}
	/* perf's order of what is alike otherwise */
	if (o->names) {
		char buf[2][16];
		int r = strcmp(tasks_comm(o->tasks, x->task, buf[0]),
			       tasks_comm(o->tasks, y->task, buf[1]));

		if (r)
			return -r;
	}
	return -by_pid(o->tasks, x, y);
}

int sched_parse_sort(const char *text, bool live, struct latency_order *o, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(text);
	char *save = NULL;

	for (char *word = strtok_r(copy, ", ", &save); word; word = strtok_r(NULL, ", ", &save)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(sort_keys) &&
		       (strcmp(sort_keys[i].name, word) != 0 || (sort_keys[i].live && !live)))
			i++;
		if (i == ARRAY_SIZE(sort_keys))
			return err_set(e, EINVAL, "  Error: Unknown --sort key: `%s'\n", word);
		if (o->nr < ARRAY_SIZE(o->by))
			o->by[o->nr++] = sort_keys[i].compare;
	}
	return 0;
}

void sched_sort_latencies(struct sched_latency_row *rows, size_t nr, struct latency_order *order)
{
	if (nr > 1)
		qsort_r(rows, nr, sizeof(*rows), compare_rows, order);
}

void sched_add_task(struct strbuf *out, const struct tasks *tasks,
		    const struct sched_latency_row *r)
{
	char buf[16];

	strbuf_add_escaped(out, tasks_comm(tasks, r->task, buf));
	if (r->nr_tasks > 1)
		strbuf_addf(out, ":(%u)", r->nr_tasks);
	else
		strbuf_addf(out, ":%d", (s32)tasks->v.v[r->task].tid);
}

static void add_row(struct strbuf *out, const struct tasks *tasks,
		    const struct sched_latency_row *r)
{
	size_t from = out->len;

	strbuf_adds(out, "  ");
	sched_add_task(out, tasks, r);
	strbuf_pad_from(out, from, NAME_WIDTH + 2);
	strbuf_addf(out,
		    "|%11.3f ms |%9llu | avg:%8.3f ms | max:%8.3f ms | max start: %5llu.%06llu s | "
		    "max end: %5llu.%06llu s\n",
		    (double)r->runtime / 1e6, (unsigned long long)r->switches, average(r) / 1e6,
		    (double)r->max_delay / 1e6, (unsigned long long)(r->max_start / 1000000000),
		    (unsigned long long)(r->max_start / 1000 % 1000000),
		    (unsigned long long)(r->max_end / 1000000000),
		    (unsigned long long)(r->max_end / 1000 % 1000000));
}

static void add_share(struct strbuf *out, const char *what, u64 nr, u64 of)
{
	if (nr && of)
		strbuf_addf(out, "  INFO: %.3f%% %s (%llu out of %llu)",
			    100.0 * (double)nr / (double)of, what, (unsigned long long)nr,
			    (unsigned long long)of);
}

static void add_troubles(struct strbuf *out, const struct sched_latency_totals *t,
			 struct session *s)
{
	if (t->unordered && t->wakeups) {
		add_share(out, "unordered timestamps", t->unordered, t->wakeups);
		strbuf_addch(out, '\n');
	}
	losses_add_events(out, s);
	if (t->switch_bugs && t->wakeups) {
		add_share(out, "context switch bugs", t->switch_bugs, t->wakeups);
		if (t->lost_events)
			strbuf_adds(out, " (due to lost events?)");
		strbuf_addch(out, '\n');
	}
	if (t->switches_backwards)
		strbuf_addf(out, "  INFO: %llu context switches go back in time and are left out\n",
			    (unsigned long long)t->switches_backwards);
}

/* What delays of the i-th length are. */
static void add_length(struct strbuf *out, bool linear, u32 i)
{
	static const char *const units[] = { "us", "ms" };
	u32 from = linear ? i * SCHED_LATENCY_STEP : 1U << (i - 1) % 10;
	u32 to = linear ? from + SCHED_LATENCY_STEP : from * 2;

	if (!i)
		strbuf_adds(out, linear ? "< 100 us" : "< 1 us");
	else if (i == SCHED_LATENCY_LENGTHS - 1)
		strbuf_adds(out, linear ? ">= 2.1 ms" : ">= 1.05 s");
	else if (linear && from >= 1000)
		strbuf_addf(out, "%.1f - %.1f ms", from / 1e3, to / 1e3);
	else
		strbuf_addf(out, "%u - %u %s", from, to, units[!linear && i > 10]);
}

/* -H: of all tasks together, what is there of each length; as newer perf has it. */
static void add_histogram(struct strbuf *out, const u64 *lengths, bool linear)
{
	enum { LABEL = 17, GRAPH = 40 };
	u64 total = 0;

	for (u32 i = 0; i < SCHED_LATENCY_LENGTHS; i++)
		total += lengths[i];
	strbuf_addf(out,
		    "\n CPU Wait Latency Distribution Histogram (between snapshots) (total "
		    "samples: %llu)\n ",
		    (unsigned long long)total);
	strbuf_pad(out, '-', 67);
	strbuf_adds(out, "\n  Latency Range    |      Count |    Pct | Histogram Graph\n ");
	strbuf_pad(out, '-', 67);
	strbuf_addch(out, '\n');
	for (u32 i = 0; i < SCHED_LATENCY_LENGTHS; i++) {
		double share = (double)lengths[i] / (double)(total ? total : 1);
		size_t from;

		if (!lengths[i])
			continue;
		strbuf_adds(out, "  ");
		from = out->len;
		add_length(out, linear, i);
		strbuf_pad(out, ' ', LABEL - (out->len - from));
		strbuf_addf(out, "| %10llu | %5.1f%% | ", (unsigned long long)lengths[i],
			    100 * share);
		strbuf_pad(out, '#', MAX((size_t)(share * GRAPH), (size_t)1));
		strbuf_addch(out, '\n');
	}
	strbuf_addch(out, ' ');
	strbuf_pad(out, '-', 67);
	strbuf_addch(out, '\n');
}

/* ------------------------------------------------------------------ --json and -x */

static void add_task_row(struct row_writer *w, const struct tasks *tasks,
			 const struct sched_latency_row *r)
{
	char buf[16];

	row_begin(w, "task");
	row_string(w, "comm", tasks_comm(tasks, r->task, buf));
	row_u64(w, "nr_tasks", r->nr_tasks);
	if (r->nr_tasks == 1)
		row_s64(w, "tid", (s32)tasks->v.v[r->task].tid);
	else
		row_null(w, "tid");
	row_u64(w, "runtime_ns", r->runtime);
	row_u64(w, "switches", r->switches);
	row_u64(w, "delay_ns", r->delay);
	row_u64(w, "max_delay_ns", r->max_delay);
	row_time(w, "max_delay_start", r->max_start);
	row_time(w, "max_delay_end", r->max_end);
	row_end(w);
}

/* Where delays of the i-th length begin, in us. */
static u64 length_start(bool linear, u32 i)
{
	if (linear || !i)
		return (u64)i * SCHED_LATENCY_STEP;
	return 1ULL << (i - 1);
}

static void add_lengths(struct row_writer *w, const u64 *lengths, bool linear)
{
	for (u32 i = 0; i < SCHED_LATENCY_LENGTHS; i++) {
		if (!lengths[i])
			continue;
		row_begin(w, "delays");
		row_u64(w, "from_us", length_start(linear, i));
		if (i + 1 < SCHED_LATENCY_LENGTHS)
			row_u64(w, "to_us", length_start(linear, i + 1));
		else
			row_null(w, "to_us");
		row_u64(w, "count", lengths[i]);
		row_end(w);
	}
}

static void add_total_row(struct row_writer *w, const struct latency_table *table,
			  const struct sched_latency_totals *t, const struct session *s)
{
	row_begin(w, "total");
	row_u64(w, "runtime_ns", table->runtime);
	row_u64(w, "switches", table->switches);
	row_u64(w, "wakeups", t->wakeups);
	row_u64(w, "unordered", t->unordered);
	row_u64(w, "switch_bugs", t->switch_bugs);
	row_u64(w, "switches_backwards", t->switches_backwards);
	sched_row_losses(w, s);
	row_end(w);
}

static void print_rows(const struct sched_opts *o, const struct sched_latency *l,
		       const struct latency_table *table, struct row_writer *w)
{
	struct sched_latency_totals t = sched_latency_totals(l);
	struct sched_queue_sums queue = sched_latency_queue_sums(l);

	for (size_t i = 0; i < table->nr; i++)
		add_task_row(w, sched_latency_tasks(l), &table->rows[i]);
	if (o->histogram || o->hist_mode)
		add_lengths(w, sched_latency_lengths(l), is_linear(o));
	if (o->heat_map)
		sched_put_heat_map(w, sched_latency_delays(l), length_start, is_linear(o));
	if (o->queue)
		sched_put_queue(w, sched_latency_queues(l), &queue);
	add_total_row(w, table, &t, o->rec.session);
}

/* ------------------------------------------------------------------ the table */

static void print_text(const struct sched_opts *o, const struct sched_latency *l,
		       const struct latency_table *table, struct strbuf *out)
{
	struct sched_latency_totals t = sched_latency_totals(l);
	struct sched_queue_sums queue = sched_latency_queue_sums(l);

	strbuf_addch(out, '\n');
	strbuf_addch(out, ' ');
	strbuf_pad(out, '-', 139);
	strbuf_adds(out,
		    "\n  Task                  |   Runtime ms  | Switches | Avg delay ms    | Max "
		    "delay ms    | Max delay start           | Max delay end          |\n ");
	strbuf_pad(out, '-', 139);
	strbuf_addch(out, '\n');
	for (size_t i = 0; i < table->nr; i++)
		add_row(out, sched_latency_tasks(l), &table->rows[i]);
	strbuf_addch(out, ' ');
	strbuf_pad(out, '-', 113);
	strbuf_addf(out, "\n  TOTAL:                |%11.3f ms |%9llu |\n ",
		    (double)table->runtime / 1e6, (unsigned long long)table->switches);
	strbuf_pad(out, '-', 51);
	strbuf_addch(out, '\n');
	add_troubles(out, &t, o->rec.session);
	strbuf_addch(out, '\n');
	if (o->histogram || o->hist_mode)
		add_histogram(out, sched_latency_lengths(l), is_linear(o));
	if (o->heat_map)
		sched_add_heat_map(out, sched_latency_delays(l), add_length, is_linear(o));
	if (o->queue)
		sched_add_queue(out, sched_latency_queues(l), &queue);
}

/* The rows in the order that was asked for, and their sums. */
static struct latency_table make_table(const struct sched_opts *o, const struct sched_latency *l,
				       struct latency_order *order)
{
	struct latency_table t = { 0 };
	size_t all = sched_latency_rows(l, !o->by_task, &t.rows);

	for (size_t i = 0; i < all; i++) {
		const struct analyze_task *x = &sched_latency_tasks(l)->v.v[t.rows[i].task];

		if (session_wants_task(o->rec.session, x->pid, x->tid))
			t.rows[t.nr++] = t.rows[i];
	}
	order->tasks = sched_latency_tasks(l);
	order->names = !o->by_task;
	sched_sort_latencies(t.rows, t.nr, order);
	for (size_t i = 0; i < t.nr; i++) {
		t.runtime += t.rows[i].runtime;
		t.switches += t.rows[i].switches;
	}
	return t;
}

int sched_latency_main(struct sched_opts *o)
{
	struct sched_latency_opts lo = { .migrations = o->cpu >= 0,
					 .linear = is_linear(o),
					 .over_time = o->heat_map || o->queue };
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct row_writer rows = { 0 };
	struct latency_order order = { 0 };
	struct latency_table table = { 0 };
	struct sched_latency *l = NULL;
	struct err e = ERR_INIT;
	int r;

	if (sched_parse_sort(o->sort ? o->sort : "avg, max, switch, runtime", false, &order, &e))
		return opts_usage_error(sched_latency_table, sched_latency_usage, NULL, "%s\n",
					e.text);
	if (o->hist_mode && !lo.linear && strcmp(o->hist_mode, "log") != 0)
		return opts_usage_error(sched_latency_table, sched_latency_usage, "hist-mode",
					"Invalid --hist-mode '%s', expected 'log' or 'linear'\n",
					o->hist_mode);
	if (o->queue && o->cpu >= 0)
		return opts_usage_error(sched_latency_table, sched_latency_usage, "queue",
					"Error: --queue is of all CPUs, -C of one\n");
	if (sched_rows_wanted(o) && sched_rows_init(&rows, &out, o, "perf sched latency",
						    sched_latency_table, sched_latency_usage))
		return EXIT_USAGE;
	if (recording_parse_window(o->time, &lo.from, &lo.until, &e))
		return sched_fail(&e);
	o->by_task |= o->rec.pids || o->rec.tids;
	r = sched_open(o, NULL, &e);
	if (!r)
		r = sched_latency_new(&l, o->rec.session, &lo, &e);
	if (!r)
		r = sched_latency_run(l, &e);
	if (!r) {
		table = make_table(o, l, &order);
		if (sched_rows_wanted(o))
			print_rows(o, l, &table, &rows);
		else
			print_text(o, l, &table, &out);
		fwrite(out.buf, 1, out.len, stdout);
		losses_tell_events(o->rec.session, "times are");
	}
	row_writer_release(&rows);
	free(table.rows);
	sched_latency_free(l);
	return r ? sched_fail(&e) : 0;
}
