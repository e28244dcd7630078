/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched timeline: a page, or trace events for other viewers, of what tasks did when. */
#include "analyze/sched_timeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/safe_file.h"
#include "cmd/row_form.h"
#include "cmd/sched/sched.h"
#include "perfdata/perfdata.h"
#include "render/timeline.h"

enum { OUT_SIZE = 64 << 10 };

static const char default_file[] = "sched-timeline.html";

struct timeline_file {
	const struct sched_opts *o;
	struct session *session;
	struct sched_timeline *machine;
	const struct tasks *tasks;
	struct timeline_writer writer;
	struct row_writer rows;
	u64 nr_rows;
	struct strbuf out;
	FILE *file;
};

static void flush(struct timeline_file *t, size_t at_most)
{
	if (t->out.len <= at_most)
		return;
	fwrite(t->out.buf, 1, t->out.len, t->file);
	strbuf_reset(&t->out);
}

/* buf: of its name, where it is made up. */
static struct timeline_task task_of(const struct timeline_file *t, u32 task, char buf[16])
{
	const struct analyze_task *x = &t->tasks->v.v[task];

	return (struct timeline_task){ tasks_comm(t->tasks, task, buf), x->pid, x->tid };
}

static void write_span(void *ctx, const struct timeline_span *s)
{
	struct timeline_file *t = ctx;
	char name[16], by_name[16];
	bool woken = s->state == TIMELINE_WOKEN && s->by != TIMELINE_NOBODY;
	struct timeline_task task = task_of(t, s->task, name), by;

	if (woken)
		by = task_of(t, s->by, by_name);
	timeline_span(&t->writer, s, &task, woken ? &by : NULL);
	flush(t, OUT_SIZE);
}

/* --json, -x: a row for each span, on standard output. */
static void put_span(void *ctx, const struct timeline_span *s)
{
	static const char *const states[TIMELINE_STATES] = {
		[TIMELINE_RUNNING] = "running",     [TIMELINE_WOKEN] = "woken",
		[TIMELINE_PREEMPTED] = "preempted", [TIMELINE_SLEEPING] = "sleeping",
		[TIMELINE_BLOCKED] = "blocked",     [TIMELINE_STOPPED] = "stopped",
	};
	struct timeline_file *t = ctx;
	struct row_writer *w = &t->rows;

	row_begin(w, "span");
	row_string(w, "state", states[s->state]);
	row_u64(w, "from_ns", s->from);
	row_u64(w, "until_ns", s->until);
	sched_row_task(w, "", t->tasks, s->task);
	if (s->cpu == TIMELINE_NOBODY)
		row_null(w, "cpu");
	else
		row_u64(w, "cpu", s->cpu);
	if (s->state == TIMELINE_WOKEN && s->by != TIMELINE_NOBODY)
		row_s64(w, "by_tid", (s32)t->tasks->v.v[s->by].tid);
	else
		row_null(w, "by_tid");
	row_bool(w, "goes_on", s->goes_on);
	row_end(w);
	t->nr_rows++;
	flush(t, OUT_SIZE);
}

static void put_total(struct timeline_file *t)
{
	row_begin(&t->rows, "total");
	row_u64(&t->rows, "spans", t->nr_rows);
	row_u64(&t->rows, "missing_switches", sched_timeline_missing(t->machine));
	row_u64(&t->rows, "odd_switches", sched_timeline_odd(t->machine));
	sched_row_losses(&t->rows, t->session);
	row_end(&t->rows);
	flush(t, 0);
}

static void write_waiting(void *ctx, u64 time, u32 nr)
{
	struct timeline_file *t = ctx;

	timeline_waiting(&t->writer, time, nr);
}

static void write_end(struct timeline_file *t)
{
	VEC(struct timeline_task) list = { .v = NULL };
	VEC(char *) made = { .v = NULL };
	struct timeline_end end = {
		.recording = perfdata_path(session_file(t->session)),
		.lost = session_stats(t->session)->lost_events,
	};

	sched_timeline_extent(t->machine, &end.from, &end.until, &end.nr_cpus);
	for (u32 i = 0; i < t->tasks->v.nr; i++) {
		char buf[16];
		struct timeline_task task = task_of(t, i, buf);

		if (task.comm == buf)
			task.comm = *VEC_PUSH(&made) = xstrdup(buf);
		*VEC_PUSH(&list) = task;
	}
	timeline_end(&t->writer, &end, list.v, list.nr);
	flush(t, 0);
	vec_free(&list);
	VEC_FOR(&made, m)
		free(*m);
	vec_free(&made);
}

static bool wants_task(void *ctx, const struct analyze_task *x)
{
	const struct timeline_file *t = ctx;

	return session_wants_task(t->session, x->pid, x->tid);
}

static bool wants_cpu(void *ctx, u32 cpu)
{
	const struct timeline_file *t = ctx;

	return session_wants_cpu(t->session, cpu);
}

/* Runs the machine and writes what it hands out into t->file. */
static int write_page(struct timeline_file *t, const char *path, struct err *e)
{
	t->file = output_file_stream(path, e);
	if (!t->file)
		return -1;
	timeline_begin(&t->writer, timeline_format_of(path), &t->out);
	if (sched_timeline_run(t->machine, e))
		return -1;
	write_end(t);
	if (fflush(t->file) || ferror(t->file))
		return err_set(e, errno, "cannot write '%s'", path);
	printf("wrote %s: %llu spans\n", path, (unsigned long long)t->writer.nr);
	return 0;
}

static int write_rows(struct timeline_file *t, struct err *e)
{
	t->file = stdout;
	row_writer_init(&t->rows, &t->out, t->o->separator, "perf sched timeline");
	if (sched_timeline_run(t->machine, e))
		return -1;
	put_total(t);
	return 0;
}

static int run(struct timeline_file *t, struct sched_opts *o, struct err *e)
{
	bool rows = sched_rows_wanted(o);
	struct sched_timeline_opts to = { .on_span = rows ? put_span : write_span,
					  .on_waiting = rows ? NULL : write_waiting,
					  .ctx = t };
	const char *path = o->output ? o->output : default_file;

	if (rows && o->output)
		return err_set(e, EINVAL, "--json and -x print rows: they take no file");
	if (!rows && !timeline_format_of(path))
		return err_set(e, EINVAL, "'%s' ends neither in .html nor in .json", path);
	if (recording_parse_window(o->time, &to.from, &to.until, e) || sched_open(o, o->cpus, e))
		return -1;
	t->session = o->rec.session;
	to.wants_task = o->rec.pids || o->rec.tids ? wants_task : NULL;
	to.wants_cpu = o->cpus ? wants_cpu : NULL;
	if (sched_timeline_new(&t->machine, t->session, &to, e))
		return -1;
	t->tasks = sched_timeline_tasks(t->machine);
	return rows ? write_rows(t, e) : write_page(t, path, e);
}

int sched_timeline_main(struct sched_opts *o)
{
	struct timeline_file t = { .o = o, .out = STRBUF_INIT };
	struct err e = ERR_INIT;
	int r;

	if (row_form_check(o->json, o->separator, sched_timeline_table, sched_timeline_usage))
		return EXIT_USAGE;
	o->call_graph = false;
	r = run(&t, o, &e);
	if (!r) {
		losses_tell_events(t.session, "times are");
		sched_tell_odd(sched_timeline_odd(t.machine));
		if (sched_timeline_missing(t.machine))
			log_warn(
				"%llu times a switch was not recorded: what tasks did between is left out",
				(unsigned long long)sched_timeline_missing(t.machine));
		if (t.writer.left_out)
			log_warn(
				"a page holds %d spans; %llu are left out: choose with --time, -p or -t, "
				"or write a .json",
				TIMELINE_PAGE_SPANS, (unsigned long long)t.writer.left_out);
	}
	if (t.file && t.file != stdout)
		fclose(t.file);
	sched_timeline_free(t.machine);
	timeline_release(&t.writer);
	row_writer_release(&t.rows);
	strbuf_release(&t.out);
	return r ? sched_fail(&e) : 0;
}
