/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A chart's rows and shapes, from what the recording tells of tasks and CPUs, or of calls. */
#include <errno.h>
#include <string.h>

#include "analyze/io_calls.h"
#include "analyze/sched_timeline.h"
#include "base/log.h"
#include "cmd/timechart/timechart.h"

/* A task's row, which is another when it gets another name. */
struct task_row {
	u32 row1; /* + 1; 0 = none yet */
	str_id comm;
};

struct filling {
	struct timechart *chart;
	const struct timechart_opts *o;
	const struct tasks *tasks;
	VEC(struct task_row) rows; /* by task */
};

static u32 row_of(struct filling *f, u32 task)
{
	const struct analyze_task *x = &f->tasks->v.v[task];
	struct task_row *r;
	char buf[16];

	while (f->rows.nr <= task)
		*VEC_PUSH(&f->rows) = (struct task_row){ .row1 = 0 };
	r = &f->rows.v[task];
	if (!r->row1 || r->comm != x->comm) {
		r->comm = x->comm;
		r->row1 = 1 + timechart_add_task(f->chart, tasks_comm(f->tasks, task, buf), x->pid,
						 x->tid);
	}
	return r->row1 - 1;
}

/* ------------------------------------------------------------------ tasks and CPUs */

static bool is_marked(const struct filling *f, u32 row, u64 length)
{
	if (f->o->marked_name)
		return !strcmp(f->o->marked_name, f->chart->tasks.v[row].name);
	return f->o->marked_time && length >= f->o->marked_time;
}

/* A row is there as long as anything is known of its task. */
static void add_state(struct filling *f, u32 row, const struct timeline_span *s,
		      enum timechart_way way)
{
	struct timechart_shape shape = {
		.from = s->from,
		.until = s->until,
		.value = s->cpu == TIMELINE_NOBODY ? TIMECHART_SEVERAL : s->cpu,
		.stack = s->stack,
		.marked = way == TIMECHART_RUNNING && is_marked(f, row, s->until - s->from),
		.goes_on = s->goes_on,
	};

	shape.times[way] = s->until - s->from;
	timechart_add_of_task(f->chart, row, TIMECHART_TASK, &shape);
	if (way != TIMECHART_RUNNING)
		return;
	f->chart->tasks.v[row].total += s->until - s->from;
	shape.value = row;
	timechart_add_of_cpu(f->chart, s->cpu, TIMECHART_CPU_RUNNING, &shape);
}

static void add_span(void *ctx, const struct timeline_span *s)
{
	struct filling *f = ctx;
	u32 row = row_of(f, s->task);
	struct timechart_row *r = &f->chart->tasks.v[row];

	r->from = MIN(r->from, s->from);
	r->until = MAX(r->until, s->until);
	switch (s->state) {
	case TIMELINE_RUNNING:
		add_state(f, row, s, TIMECHART_RUNNING);
		break;
	case TIMELINE_WOKEN:
		timechart_add_wake(f->chart,
				   &(struct timechart_wake){
					   .time = s->from,
					   .by = s->by == TIMELINE_NOBODY ? TIMECHART_NOBODY
									  : row_of(f, s->by),
					   .row = row,
					   .stack = s->stack,
					   .nr = 1,
				   });
		add_state(f, row, s, TIMECHART_WAITING);
		break;
	case TIMELINE_PREEMPTED:
		add_state(f, row, s, TIMECHART_WAITING);
		break;
	case TIMELINE_BLOCKED:
		add_state(f, row, s, TIMECHART_BLOCKED);
		break;
	default: /* it sleeps or is stopped: its row shows that */
		break;
	}
}

/* To what --time leaves; false: that is nothing. */
static bool cut(const struct filling *f, u64 *from, u64 *until)
{
	*from = MAX(*from, f->o->from);
	if (f->o->until)
		*until = MIN(*until, f->o->until);
	return *from < *until;
}

static void add_power(void *ctx, const struct timeline_power_span *s)
{
	struct filling *f = ctx;
	struct timechart_shape shape = {
		.from = s->from,
		.until = s->until,
		.value = s->value,
		.goes_on = s->goes_on,
	};

	if (f->o->tasks_only || !session_wants_cpu(f->o->rec.session, s->cpu) ||
	    !cut(f, &shape.from, &shape.until))
		return;
	shape.times[0] = shape.until - shape.from;
	timechart_add_of_cpu(
		f->chart, s->cpu,
		s->power == TIMELINE_IDLE ? TIMECHART_CPU_IDLE : TIMECHART_CPU_FREQUENCY, &shape);
}

static bool wants_cpu(void *ctx, u32 cpu)
{
	const struct filling *f = ctx;

	return session_wants_cpu(f->o->rec.session, cpu);
}

static int fill_states(struct filling *f, bool stacks, bool *has, struct err *e)
{
	struct sched_timeline_opts to = { .on_span = add_span,
					  .on_power = add_power,
					  .from = f->o->from,
					  .until = f->o->until,
					  .wants_cpu = f->o->rec.opts.cpus ? wants_cpu : NULL,
					  .split_names = true,
					  .stacks = stacks,
					  .ctx = f };
	struct sched_timeline *t;
	bool tasks, power;
	u64 from, until;
	u32 nr_cpus;
	int r;

	if (sched_timeline_new(&t, f->o->rec.session, &to, e))
		return -1;
	f->tasks = sched_timeline_tasks(t);
	sched_timeline_has(t, &tasks, &power);
	*has = tasks || power || perfdata_is_pipe(session_file(f->o->rec.session));
	r = *has ? sched_timeline_run(t, e) : 0;
	sched_timeline_extent(t, &from, &until, &nr_cpus);
	if (until)
		timechart_reach(f->chart, from, until);
	if (sched_timeline_odd(t))
		log_warn("%llu events are left out: of CPUs that no kernel has",
			 (unsigned long long)sched_timeline_odd(t));
	if (sched_timeline_missing(t))
		log_warn("%llu times a switch was not recorded: what tasks did between is left out",
			 (unsigned long long)sched_timeline_missing(t));
	sched_timeline_free(t);
	return r;
}

/* ------------------------------------------------------------------ calls */

static void add_call(void *ctx, const struct io_call *call)
{
	/* view and analysis have the same kinds, in the same order */
	static const u8 lanes[IO_KINDS] = {
		[IO_READ] = TIMECHART_IO_READ,       [IO_WRITE] = TIMECHART_IO_WRITE,
		[IO_RECEIVE] = TIMECHART_IO_RECEIVE, [IO_SEND] = TIMECHART_IO_SEND,
		[IO_SYNC] = TIMECHART_IO_SYNC,       [IO_POLL] = TIMECHART_IO_POLL,
	};
	struct filling *f = ctx;
	bool failed = call->result < 0;
	u64 from = call->from, until = call->until;
	u32 row;

	if (!session_wants_cpu(f->o->rec.session, call->cpu) || !cut(f, &from, &until))
		return;
	row = row_of(f, call->task);
	f->chart->tasks.v[row].from = MIN(f->chart->tasks.v[row].from, from);
	f->chart->tasks.v[row].until = MAX(f->chart->tasks.v[row].until, until);
	if (f->o->skip_eagain && call->result == -EAGAIN)
		return;
	timechart_add_of_task(f->chart, row, lanes[call->kind] + (failed ? TIMECHART_IO_KINDS : 0),
			      &(struct timechart_shape){
				      .from = from,
				      .until = until,
				      .times = { until - from },
				      .bytes = call->bytes,
				      .value = call->fd < 0 ? TIMECHART_SEVERAL : (u32)call->fd,
				      .stack = call->stack,
				      .error = failed ? (s32)call->result : 0,
				      .goes_on = call->goes_on,
			      });
	f->chart->tasks.v[row].total += call->bytes;
}

/* Of tasks that have not ended, rows last until the end. */
static void stretch_rows(struct filling *f)
{
	for (u32 i = 0; i < f->rows.nr; i++)
		if (f->rows.v[i].row1 && !f->tasks->v.v[i].exited)
			f->chart->tasks.v[f->rows.v[i].row1 - 1].until = f->chart->until;
}

static int fill_calls(struct filling *f, bool stacks, bool *has, struct err *e)
{
	struct io_calls_opts co = { .on_call = add_call, .stacks = stacks, .ctx = f };
	struct io_calls *c;
	u64 from, until;
	int r = 0;

	f->chart->io = true;
	if (io_calls_new(&c, f->o->rec.session, &co, e))
		return -1;
	f->tasks = io_calls_tasks(c);
	*has = io_calls_has(c) || perfdata_is_pipe(session_file(f->o->rec.session));
	r = *has ? io_calls_run(c, e) : 0;
	io_calls_extent(c, &from, &until);
	if (cut(f, &from, &until))
		timechart_reach(f->chart, from, until);
	stretch_rows(f);
	if (io_calls_left_out(c))
		log_warn("%llu calls are left out: they began or ended where nothing was recorded",
			 (unsigned long long)io_calls_left_out(c));
	io_calls_free(c);
	return r;
}

int timechart_fill(struct timechart *c, struct timechart_opts *o, bool stacks, struct err *e)
{
	struct filling f = { .chart = c, .o = o };
	bool has = false;
	int r = o->io ? 0 : fill_states(&f, stacks, &has, e);

	if (!r && !has)
		r = fill_calls(&f, stacks, &has, e);
	if (!r && (!has || !c->nr_spans)) {
		r = err_set(e, EINVAL, "the recording has none of the events that a chart shows");
		err_hint(e, "perf timechart record COMMAND records what is needed");
	}
	timechart_settle_wakes(c);
	vec_free(&f.rows);
	return r;
}
