/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched timehist: a line for each time that a task had a CPU; sums by task. */
#include "analyze/sched_timehist.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/digits.h"
#include "base/fmt.h"
#include "base/log.h"
#include "cmd/sched/sched.h"
#include "perfdata/info.h"
#include "text/chain_lines.h"

enum {
	NAME_WIDTH = 30,
	NEXT_WIDTH = 24,
	OUT_SIZE = 64 << 10,
	MAX_COLUMNS = 1024, /* of -V */
	/* in front of what a stack shows: frames of the scheduler that are left out */
	EXTRA_FRAMES = 2,
};

/* How a task is printed while it has this name and pid. */
struct task_label {
	str_id comm;
	u32 pid;
	size_t at, len; /* in timehist.label_text; len 0 = not made yet */
};

struct timehist {
	const struct sched_opts *o;
	struct session *session;
	struct chain_lines *chains; /* NULL = not shown */
	struct sched_timehist *h;
	const struct tasks *tasks;
	u32 nr_cpus, nr_columns;
	struct strbuf out;
	VEC(struct task_label) labels; /* by task */
	struct strbuf label_text;
	struct number_list prios;
	struct sched_states states;
	struct row_writer rows; /* --json and -x */
	struct strbuf stack; /* of a row */
};

/* ------------------------------------------------------------------ pieces of lines */

static void flush(struct timehist *t, size_t at_most)
{
	if (t->out.len <= at_most)
		return;
	fwrite(t->out.buf, 1, t->out.len, stdout);
	strbuf_reset(&t->out);
}

/* Milliseconds and what is left of them in us, cut off. */
static void add_ms(struct strbuf *out, u64 ns, unsigned int width)
{
	char text[2 * DIGITS_ROOM];
	char *p = digits_put_width(text, ns / 1000000, width);
	u32 us = (u32)(ns / 1000 % 1000);

	*p++ = '.';
	*p++ = (char)('0' + us / 100);
	p = digits_put2(p, us % 100);
	*p++ = ' ';
	strbuf_add(out, text, (size_t)(p - text));
}

static void make_label(const struct timehist *t, struct strbuf *out, u32 task)
{
	const struct analyze_task *x = &t->tasks->v.v[task];
	char buf[16];

	strbuf_add_escaped(out, tasks_comm(t->tasks, task, buf));
	/* of which nothing is told but its number: that is its name */
	if (x->pid == (u32)-1)
		return;
	strbuf_addch(out, '[');
	if ((s32)x->tid < 0)
		strbuf_addch(out, '-');
	strbuf_add_u64(out, (s32)x->tid < 0 ? -(u32)x->tid : x->tid);
	if (x->tid != x->pid) {
		strbuf_addch(out, '/');
		strbuf_add_u64(out, x->pid);
	}
	strbuf_addch(out, ']');
}

/* Its name and numbers. */
static void add_task(struct timehist *t, struct strbuf *out, u32 task)
{
	const struct analyze_task *x = &t->tasks->v.v[task];
	struct task_label *l;

	while (t->labels.nr <= task)
		*VEC_PUSH(&t->labels) = (struct task_label){ .len = 0 };
	l = &t->labels.v[task];
	if (UNLIKELY(!l->len || l->comm != x->comm || l->pid != x->pid)) {
		*l = (struct task_label){ x->comm, x->pid, .at = t->label_text.len };
		make_label(t, &t->label_text, task);
		l->len = t->label_text.len - l->at;
	}
	strbuf_add(out, t->label_text.buf + l->at, l->len);
}

static void add_head(struct strbuf *out, u64 time, u32 cpu)
{
	char text[3 * DIGITS_ROOM];
	char *p = digits_put_width(text, time / 1000000000, 8);

	*p++ = '.';
	p = digits_put6(p, (u32)(time / 1000 % 1000000));
	*p++ = ' ';
	*p++ = '[';
	strbuf_add(out, text, (size_t)(p - text));
	strbuf_add_u64_width(out, cpu, 4, '0');
	strbuf_add(out, "] ", 2);
}

static void add_visual(const struct timehist *t, struct strbuf *out, u32 cpu, char c)
{
	size_t from;

	if (!t->o->visual)
		return;
	strbuf_addch(out, ' ');
	from = out->len;
	strbuf_pad(out, ' ', t->nr_columns + 2);
	if (c != ' ' && cpu <= t->nr_columns)
		out->buf[from + cpu] = c;
}

static void add_state(const struct timehist *t, struct strbuf *out, const struct timehist_switch *s)
{
	strbuf_adds(out, "     ");
	strbuf_addch(out,
		     s->task == TIMEHIST_IDLE ? 'I' : sched_state_letter(&t->states, s->state));
	strbuf_addch(out, ' ');
}

/* ------------------------------------------------------------------ stacks */

/* Functions that every stack of a switch has. */
static bool is_scheduler(const char *name)
{
	static const char *const names[] = { "schedule", "__schedule", "preempt_schedule" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* ------------------------------------------------------------------ lines */

static void print_header(struct timehist *t)
{
	struct strbuf *out = &t->out;
	const struct sched_opts *o = t->o;

	strbuf_adds(out, "           time    cpu  ");
	if (o->visual) {
		for (u32 i = 0; i <= t->nr_columns; i++)
			strbuf_addch(out, "0123456789abcdef"[i % 16]);
		strbuf_adds(out, "  ");
	}
	strbuf_addf(out, "%-*s%s  %9s  %9s  %9s%s", NAME_WIDTH, "task name",
		    o->show_prio ? "  prio    " : "", "wait time", "sch delay", "run time",
		    o->pre_migrations ? "  pre-mig time" : "");
	strbuf_adds(out, o->state ? "  state\n" : "\n");
	strbuf_pad(out, ' ', 24);
	if (o->visual)
		strbuf_pad(out, ' ', t->nr_columns + 3);
	strbuf_addf(out, "%-*s%*s  %9s  %9s  %9s%s", NAME_WIDTH, "[tid/pid]", o->show_prio ? 10 : 0,
		    "", "(msec)", "(msec)", "(msec)", o->pre_migrations ? "     (msec)" : "");
	strbuf_adds(out, o->state ? "       \n" : "\n");
	strbuf_adds(out, "--------------- ------  ");
	if (o->visual) {
		strbuf_pad(out, '-', t->nr_columns + 1);
		strbuf_adds(out, "  ");
	}
	strbuf_pad(out, '-', NAME_WIDTH);
	strbuf_adds(out, o->show_prio ? "  --------" : "");
	strbuf_adds(out, "  ---------  ---------  ---------");
	strbuf_adds(out, o->pre_migrations ? "  ---------" : "");
	strbuf_adds(out, o->state ? "  -----\n" : "\n");
}

static void print_switch(void *ctx, const struct timehist_switch *s)
{
	struct timehist *t = ctx;
	struct strbuf *out = &t->out;
	size_t from;

	add_head(out, s->time, s->cpu);
	add_visual(t, out, s->cpu, s->task == TIMEHIST_IDLE ? 'i' : 's');
	strbuf_addch(out, ' ');
	from = out->len;
	if (s->task == TIMEHIST_IDLE)
		strbuf_adds(out, "<idle>");
	else
		add_task(t, out, s->task);
	strbuf_pad_from(out, from, NAME_WIDTH);
	if (t->o->show_prio)
		strbuf_addf(out, "  %-8d", s->prio);
	strbuf_addch(out, ' ');
	add_ms(out, s->wait, 6);
	add_ms(out, s->delay, 6);
	add_ms(out, s->run, 6);
	if (t->o->pre_migrations)
		add_ms(out, s->pre_migration, 6);
	if (t->o->state)
		add_state(t, out, s);
	if (t->o->next) {
		strbuf_adds(out, " next: ");
		from = out->len;
		strbuf_add_escaped(out, s->next_comm);
		strbuf_addch(out, '[');
		strbuf_add_u64(out, s->next_pid);
		strbuf_addch(out, ']');
		strbuf_pad_from(out, from, NEXT_WIDTH);
	}
	if (t->o->wakeups && !t->o->next)
		strbuf_pad(out, ' ', 32);
	if (s->chain && t->chains) {
		strbuf_adds(out, "   ");
		chain_lines_add(t->chains, s->chain, out);
	}
	strbuf_addch(out, '\n');
	flush(t, OUT_SIZE);
}

static void add_event(struct timehist *t, const struct timehist_event *e, const char *what,
		      char visual)
{
	struct strbuf *out = &t->out;
	size_t from;

	add_head(out, e->time, e->cpu);
	if (visual != ' ' && t->o->visual)
		strbuf_addch(out, ' ');
	add_visual(t, out, e->cpu, visual);
	if (visual != ' ' && t->o->visual)
		strbuf_addch(out, ' ');
	strbuf_addch(out, ' ');
	from = out->len;
	if (e->by == TIMEHIST_IDLE)
		strbuf_adds(out, "swapper");
	else
		add_task(t, out, e->by);
	strbuf_pad_from(out, from, NAME_WIDTH);
	strbuf_pad(out, ' ', 34);
	strbuf_adds(out, what);
	add_task(t, out, e->task);
}

static void print_wakeup(void *ctx, const struct timehist_event *e)
{
	struct timehist *t = ctx;

	add_event(t, e, " awakened: ", ' ');
	strbuf_addch(&t->out, '\n');
	flush(t, OUT_SIZE);
}

static void print_migrate(void *ctx, const struct timehist_event *e)
{
	struct timehist *t = ctx;

	add_event(t, e, " migrated: ", 'm');
	strbuf_addf(&t->out, " cpu %d => %d\n", (s32)e->from, (s32)e->to);
	flush(t, OUT_SIZE);
}

static void forget_chains(void *ctx)
{
	const struct timehist *t = ctx;

	chain_lines_forget(t->chains);
}

/* ------------------------------------------------------------------ summary */

/* perf's order: by the last byte of the number, then by the number. */
static int compare_sums(const void *a, const void *b, void *ctx)
{
	const struct timehist *t = ctx;
	const struct timehist_sums *const *pa = a, *const *pb = b;
	u32 x = t->tasks->v.v[(*pa)->task].tid, y = t->tasks->v.v[(*pb)->task].tid;

	if ((x & 255) != (y & 255))
		return (x & 255) < (y & 255) ? -1 : 1;
	if (x != y)
		return (s32)x < (s32)y ? -1 : 1;
	return (*pa)->task < (*pb)->task ? -1 : (*pa)->task > (*pb)->task;
}

static double deviation_percent(const struct timehist_sum *s)
{
	double variance;

	if (s->nr < 2 || s->mean == 0)
		return 0;
	variance = s->squares / (double)(s->nr - 1);
	return 100.0 * sqrt(variance / (double)s->nr) / s->mean;
}

static void add_sums(struct timehist *t, const struct timehist_sums *s)
{
	struct strbuf *out = &t->out;
	struct strbuf name = STRBUF_INIT;

	add_task(t, &name, s->task);
	strbuf_addf(out, "%*s   %5d  %9llu ", NAME_WIDTH, name.buf,
		    (s32)t->tasks->v.v[s->task].parent, (unsigned long long)s->run.nr);
	strbuf_release(&name);
	add_ms(out, s->run.total, 8);
	add_ms(out, s->run.min, 6);
	strbuf_addch(out, ' ');
	add_ms(out, (u64)s->run.mean, 6);
	strbuf_addch(out, ' ');
	add_ms(out, s->run.max, 6);
	strbuf_addf(out, "  %5.2f   %5llu\n", deviation_percent(&s->run),
		    (unsigned long long)s->migrations);
}

struct totals {
	u64 tasks, switches, run;
};

static void add_part(struct timehist *t, bool exited, struct totals *total)
{
	VEC(const struct timehist_sums *) list = { .v = NULL };
	size_t nr;
	const struct timehist_sums *all = sched_timehist_sums(t->h, &nr);

	for (size_t i = 0; i < nr; i++)
		if (all[i].run.nr && t->tasks->v.v[all[i].task].exited == exited)
			*VEC_PUSH(&list) = &all[i];
	if (list.nr > 1)
		qsort_r(list.v, list.nr, sizeof(*list.v), compare_sums, t);
	VEC_FOR(&list, s) {
		add_sums(t, *s);
		total->tasks++;
		total->switches += (*s)->run.nr;
		total->run += (*s)->run.total;
	}
	if (!list.nr)
		strbuf_adds(&t->out,
			    exited ? "<no terminated tasks>\n" : "<no still running tasks>\n");
	vec_free(&list);
}

static void add_idle(struct timehist *t, struct totals *total)
{
	struct strbuf *out = &t->out;
	u64 span = sched_timehist_span(t->h);

	strbuf_adds(out, "\nIdle stats:\n");
	for (u32 cpu = 0; cpu < t->nr_cpus; cpu++) {
		struct timehist_idle idle = sched_timehist_idle(t->h, cpu);

		total->switches += idle.nr;
		if (t->o->cpus && !session_wants_cpu(t->session, cpu))
			continue;
		if (!idle.total) {
			strbuf_addf(out, "    CPU %2u idle entire time window\n", cpu);
			continue;
		}
		strbuf_addf(out, "    CPU %2u idle for ", cpu);
		add_ms(out, idle.total, 6);
		strbuf_addf(out, " msec  (%6.2f%%)\n", 100.0 * (double)idle.total / (double)span);
	}
}

static void add_idle_chains(struct timehist *t)
{
	struct strbuf *out = &t->out;

	strbuf_adds(out, "\nIdle stats by callchain:\n");
	for (u32 cpu = 0; cpu < t->nr_cpus; cpu++) {
		struct timehist_idle idle = sched_timehist_idle(t->h, cpu);

		strbuf_addf(out, "  CPU %2u:", cpu);
		add_ms(out, idle.total, 6);
		strbuf_adds(out, " msec\n  Idle time (msec)     Count  Callchains\n  "
				 "----------------  --------  "
				 "--------------------------------------------------\n");
		for (size_t i = 0; i < idle.nr_chains; i++) {
			strbuf_adds(out, "  ");
			add_ms(out, idle.chains[i].time, 12);
			strbuf_addf(out, " %8llu  ", (unsigned long long)idle.chains[i].nr);
			chain_lines_add(t->chains, idle.chains[i].chain, out);
			strbuf_addch(out, '\n');
		}
		strbuf_addch(out, '\n');
	}
}

static void print_summary(struct timehist *t)
{
	struct strbuf *out = &t->out;
	struct totals total = { 0 };
	bool idle = t->o->idle;

	strbuf_addf(out, "\n%s summary\n", idle ? "Idle-time" : "Runtime");
	strbuf_addf(out, "%*s", NAME_WIDTH, "comm");
	strbuf_adds(out,
		    idle ? "  parent  sched-out    idle-time   min-idle    avg-idle    max-idle"
			 : "  parent   sched-in     run-time    min-run     avg-run     max-run");
	strbuf_addf(out, "  stddev  migrations\n%*s", NAME_WIDTH, "");
	strbuf_adds(
		out,
		"            (count)       (msec)     (msec)      (msec)      (msec)       %\n");
	strbuf_pad(out, '-', 117);
	strbuf_addch(out, '\n');
	add_part(t, false, &total);
	strbuf_adds(out, "\nTerminated tasks:\n");
	add_part(t, true, &total);
	/* of some tasks alone, the rest says nothing of a CPU */
	if ((t->o->rec.pids || t->o->rec.tids || t->prios.nr) && !idle)
		return;
	add_idle(t, &total);
	if (idle && t->chains)
		add_idle_chains(t);
	strbuf_addf(out,
		    "\n    Total number of unique tasks: %llu\n"
		    "Total number of context switches: %llu\n"
		    "           Total run time (msec): ",
		    (unsigned long long)total.tasks, (unsigned long long)total.switches);
	add_ms(out, total.run, 2);
	strbuf_adds(out, "\n    Total scheduling time (msec): ");
	add_ms(out, sched_timehist_span(t->h), 2);
	strbuf_addf(out, " (x %u)\n", t->nr_cpus);
}

/* ------------------------------------------------------------------ --json and -x */

/* Idle tasks have a name and no numbers of their own. */
static void row_task(struct timehist *t, const char *prefix, u32 task)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (task != TIMEHIST_IDLE) {
		sched_row_task(&t->rows, prefix, t->tasks, task);
		return;
	}
	strbuf_addf(&name, "%scomm", prefix);
	row_string(&t->rows, name.buf, "<idle>");
	strbuf_reset(&name);
	strbuf_addf(&name, "%stid", prefix);
	row_u64(&t->rows, name.buf, 0);
	strbuf_reset(&name);
	strbuf_addf(&name, "%spid", prefix);
	row_u64(&t->rows, name.buf, 0);
}

static void row_stack(struct timehist *t, chain_id chain)
{
	if (!t->chains)
		return;
	strbuf_reset(&t->stack);
	if (chain)
		chain_lines_add(t->chains, chain, &t->stack);
	row_string(&t->rows, "stack", chain ? t->stack.buf : NULL);
}

static void row_known(struct row_writer *w, const char *name, bool known, u64 v)
{
	if (known)
		row_u64(w, name, v);
	else
		row_null(w, name);
}

static void put_switch(void *ctx, const struct timehist_switch *s)
{
	struct timehist *t = ctx;
	struct row_writer *w = &t->rows;
	char state[2] = { s->task == TIMEHIST_IDLE ? 'I'
						   : sched_state_letter(&t->states, s->state) };

	row_begin(w, "switch");
	row_time(w, "time", s->time);
	row_u64(w, "cpu", s->cpu);
	row_task(t, "", s->task);
	row_known(w, "wait_ns", s->wait_known, s->wait);
	row_known(w, "delay_ns", s->run_known, s->delay);
	row_known(w, "run_ns", s->run_known, s->run);
	if (t->o->pre_migrations)
		row_u64(w, "pre_migration_ns", s->pre_migration);
	row_bool(w, "unannounced", s->unannounced);
	row_string(w, "state", state);
	if (t->o->show_prio)
		row_s64(w, "prio", s->prio);
	row_string(w, "next_comm", s->next_comm);
	row_u64(w, "next_tid", s->next_pid);
	row_stack(t, s->chain);
	row_end(w);
	flush(t, OUT_SIZE);
}

static void put_wakeup(void *ctx, const struct timehist_event *e)
{
	struct timehist *t = ctx;

	row_begin(&t->rows, "wakeup");
	row_time(&t->rows, "time", e->time);
	row_u64(&t->rows, "cpu", e->cpu);
	row_task(t, "", e->task);
	row_task(t, "by_", e->by);
	row_end(&t->rows);
	flush(t, OUT_SIZE);
}

static void put_migrate(void *ctx, const struct timehist_event *e)
{
	struct timehist *t = ctx;

	row_begin(&t->rows, "migration");
	row_time(&t->rows, "time", e->time);
	row_u64(&t->rows, "cpu", e->cpu);
	row_task(t, "", e->task);
	row_task(t, "by_", e->by);
	row_s64(&t->rows, "from_cpu", (s32)e->from);
	row_s64(&t->rows, "to_cpu", (s32)e->to);
	row_end(&t->rows);
	flush(t, OUT_SIZE);
}

static void put_sums(struct timehist *t, const struct timehist_sums *s)
{
	const struct analyze_task *x = &t->tasks->v.v[s->task];
	struct row_writer *w = &t->rows;

	row_begin(w, "task");
	row_task(t, "", s->task);
	row_s64(w, "parent", (s32)x->parent);
	row_bool(w, "terminated", x->exited);
	row_u64(w, "runs", s->run.nr);
	row_u64(w, "run_ns", s->run.total);
	row_u64(w, "min_run_ns", s->run.min);
	row_u64(w, "mean_run_ns", (u64)s->run.mean);
	row_u64(w, "max_run_ns", s->run.max);
	row_fixed(w, "uncertainty_percent", deviation_percent(&s->run), 2);
	row_u64(w, "wait_ns", s->wait);
	row_u64(w, "delay_ns", s->delay);
	row_u64(w, "migrations", s->migrations);
	row_end(w);
}

static void put_idle(struct timehist *t, u32 cpu)
{
	struct timehist_idle idle = sched_timehist_idle(t->h, cpu);

	row_begin(&t->rows, "idle");
	row_u64(&t->rows, "cpu", cpu);
	row_u64(&t->rows, "idle_ns", idle.total);
	row_end(&t->rows);
	for (size_t i = 0; t->o->idle && t->chains && i < idle.nr_chains; i++) {
		row_begin(&t->rows, "idle_stack");
		row_u64(&t->rows, "cpu", cpu);
		row_u64(&t->rows, "idle_ns", idle.chains[i].time);
		row_u64(&t->rows, "count", idle.chains[i].nr);
		row_stack(t, idle.chains[i].chain);
		row_end(&t->rows);
	}
}

/* In order of thread numbers. */
static int compare_tids(const void *a, const void *b, void *ctx)
{
	const struct timehist *t = ctx;
	const struct timehist_sums *const *pa = a, *const *pb = b;
	u32 x = t->tasks->v.v[(*pa)->task].tid, y = t->tasks->v.v[(*pb)->task].tid;

	if (x != y)
		return (s32)x < (s32)y ? -1 : 1;
	return (*pa)->task < (*pb)->task ? -1 : (*pa)->task > (*pb)->task;
}

static void put_summary(struct timehist *t)
{
	VEC(const struct timehist_sums *) list = { .v = NULL };
	size_t nr;
	const struct timehist_sums *all = sched_timehist_sums(t->h, &nr);

	for (size_t i = 0; i < nr; i++)
		if (all[i].run.nr)
			*VEC_PUSH(&list) = &all[i];
	if (list.nr > 1)
		qsort_r(list.v, list.nr, sizeof(*list.v), compare_tids, t);
	VEC_FOR(&list, s)
		put_sums(t, *s);
	vec_free(&list);
	/* of some tasks alone, the rest says nothing of a CPU */
	if ((t->o->rec.pids || t->o->rec.tids || t->prios.nr) && !t->o->idle)
		return;
	for (u32 cpu = 0; cpu < t->nr_cpus; cpu++)
		if (!t->o->cpus || session_wants_cpu(t->session, cpu))
			put_idle(t, cpu);
}

static void put_total(struct timehist *t)
{
	row_begin(&t->rows, "total");
	row_u64(&t->rows, "span_ns", sched_timehist_span(t->h));
	row_u64(&t->rows, "cpus", t->nr_cpus);
	row_u64(&t->rows, "odd_switches", sched_timehist_odd(t->h));
	row_u64(&t->rows, "unannounced", sched_timehist_unannounced(t->h));
	row_u64(&t->rows, "switches_backwards", sched_timehist_backwards(t->h));
	sched_row_losses(&t->rows, t->session);
	row_end(&t->rows);
}

/* ------------------------------------------------------------------ filters */

static bool wants_task(void *ctx, const struct analyze_task *x)
{
	const struct timehist *t = ctx;

	return session_wants_task(t->session, x->pid, x->tid);
}

static bool wants_cpu(void *ctx, u32 cpu)
{
	const struct timehist *t = ctx;

	return session_wants_cpu(t->session, cpu);
}

static bool wants_prio(void *ctx, s32 prio)
{
	const struct timehist *t = ctx;

	return number_list_has(&t->prios, (u32)prio);
}

static int parse_filters(struct timehist *t, struct sched_timehist_opts *ho, struct err *e)
{
	const struct sched_opts *o = t->o;

	if (recording_parse_window(o->time, &ho->from, &ho->until, e) ||
	    number_list_parse(&t->prios, o->prios, "priorities", e))
		return -1;
	if (o->rec.pids || o->rec.tids)
		ho->wants_task = wants_task;
	if (t->prios.nr)
		ho->wants_prio = wants_prio;
	if (o->cpus)
		ho->wants_cpu = wants_cpu;
	return 0;
}

/* What is printed, and by which functions. */
struct timehist_form {
	void (*on_switch)(void *ctx, const struct timehist_switch *s);
	void (*on_wakeup)(void *ctx, const struct timehist_event *e);
	void (*on_migrate)(void *ctx, const struct timehist_event *e);
	void (*header)(struct timehist *t); /* NULL = none */
	void (*summary)(struct timehist *t);
	void (*end)(struct timehist *t); /* NULL = none */
};

static const struct timehist_form text_form = { print_switch, print_wakeup,  print_migrate,
						print_header, print_summary, NULL };
static const struct timehist_form rows_form = { put_switch, put_wakeup,  put_migrate,
						NULL,       put_summary, put_total };

static int run(struct timehist *t, struct sched_opts *o, struct err *e)
{
	const struct timehist_form *form = sched_rows_wanted(o) ? &rows_form : &text_form;
	struct sched_timehist_opts ho = { .ctx = t, .idle = o->idle };

	if (parse_filters(t, &ho, e) || sched_open(o, o->cpus, e))
		return -1;
	t->session = o->rec.session;
	t->nr_cpus = MIN(perfdata_info(session_file(t->session))->cpus_avail, (u32)SCHED_MAX_CPUS);
	t->nr_columns = MIN(t->nr_cpus, (u32)MAX_COLUMNS);
	if (!perfdata_has_sample_type(session_file(t->session), PERF_SAMPLE_CALLCHAIN) &&
	    o->call_graph) {
		fputs("Samples do not have callchains.\n", stderr);
		o->call_graph = false;
	}
	ho.chains = o->call_graph;
	if (o->call_graph)
		t->chains = chain_lines_new(
			&(struct chain_lines_opts){ .session = t->session,
						    .between = " <- ",
						    .as_is = sched_rows_wanted(o),
						    .most = (size_t)o->max_stack + EXTRA_FRAMES,
						    .leaves_out = is_scheduler });
	ho.on_renew = t->chains ? forget_chains : NULL;
	if (!o->summary) {
		ho.on_switch = form->on_switch;
		ho.on_wakeup = o->wakeups ? form->on_wakeup : NULL;
		ho.on_migrate = o->migrations ? form->on_migrate : NULL;
	}
	if (sched_timehist_new(&t->h, t->session, &ho, e))
		return -1;
	t->tasks = sched_timehist_tasks(t->h);
	sched_states_init(&t->states, sched_timehist_format(t->h));
	if (!o->summary && form->header)
		form->header(t);
	if (sched_timehist_run(t->h, e))
		return -1;
	t->nr_cpus = MAX(t->nr_cpus, sched_timehist_cpus(t->h));
	if (o->summary || o->with_summary)
		form->summary(t);
	if (form->end)
		form->end(t);
	return 0;
}

static void tell_unannounced(u64 nr)
{
	if (nr)
		log_warn(
			"%llu runs are not of the task that their CPU was switched to before: switches "
			"are missing, and these runs are shown as if they had begun at the last one",
			(unsigned long long)nr);
}

static void tell_backwards(u64 nr)
{
	if (nr)
		log_warn("%llu switches go back in time and are left out", (unsigned long long)nr);
}

int sched_timehist_main(struct sched_opts *o)
{
	struct timehist t = {
		.o = o, .out = STRBUF_INIT, .label_text = STRBUF_INIT, .stack = STRBUF_INIT
	};
	struct err e = ERR_INIT;
	int r;

	if (o->summary && (o->wakeups || o->next))
		return opts_usage_error(sched_timehist_table, sched_timehist_usage, NULL,
					" Error: -s and -[n|w] are mutually exclusive.\n\n");
	if (o->max_stack < 0)
		return opts_usage_error(
			sched_timehist_table, sched_timehist_usage, NULL,
			" Error: option `max-stack' expects an unsigned numerical value\n");
	if (sched_rows_wanted(o) && sched_rows_init(&t.rows, &t.out, o, "perf sched timehist",
						    sched_timehist_table, sched_timehist_usage))
		return EXIT_USAGE;
	r = run(&t, o, &e);
	flush(&t, 0);
	if (!r) {
		losses_tell_events(t.session, "times are");
		sched_tell_odd(sched_timehist_odd(t.h));
		tell_unannounced(sched_timehist_unannounced(t.h));
		tell_backwards(sched_timehist_backwards(t.h));
	}
	sched_timehist_free(t.h);
	chain_lines_free(t.chains);
	strbuf_release(&t.out);
	row_writer_release(&t.rows);
	strbuf_release(&t.stack);
	strbuf_release(&t.label_text);
	vec_free(&t.labels);
	vec_free(&t.prios);
	return r ? sched_fail(&e) : 0;
}
