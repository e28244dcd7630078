/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace -s: sums that the kernel makes; nothing is written per call. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/log.h"
#include "bpf/syscall_stats.h"
#include "cmd/trace/trace.h"

_Static_assert((int)SYSCALL_STATS_TIMES == (int)TRACE_BUCKETS, "the same histogram");

static bool is_on_exec(const struct capture_target *target)
{
	return target->workload && !target->cpu_wide;
}

bool trace_stats_can(const struct trace_opts *o, const struct capture_target *target)
{
	bool events = o->sampling.events.events.nr || o->faults || o->sched;

	return o->trace_syscalls && !events && !o->input && !o->cgroup && !o->filter_pids &&
	       !o->delay && !o->sampling.cpus && !o->print_sample && !o->touched.nr &&
	       !(target && target->per_thread);
}

int trace_stats_open(struct trace_opts *o, const struct capture_target *target, bool everybody,
		     struct err *e)
{
	const struct sampling *s = &o->sampling;
	const struct syscall_stats_opts opts = {
		.tids = target->cpu_wide ? NULL : target->tasks.v,
		.nr_tids = target->cpu_wide ? 0 : target->tasks.nr,
		.children = !s->cfg.no_inherit && !target->by_tid,
		.on_exec = is_on_exec(target),
		.not_pid = everybody ? getpid() : 0,
		.by_error = o->errno_summary,
		.by_time = o->hist,
	};
	struct event *ev;

	o->stats = syscall_stats_new(&opts, e);
	if (!o->stats)
		return -1;
	/* tells of the tasks, and when they have ended */
	ev = event_list_add(&o->sampling.events, "dummy:HG", PERF_TYPE_SOFTWARE,
			    PERF_COUNT_SW_DUMMY);
	ev->is_dummy_sideband = true;
	return 0;
}

void trace_stats_begin(struct trace_opts *o, const struct capture_target *target)
{
	if (!is_on_exec(target))
		syscall_stats_enable(o->stats, true);
}

void trace_stats_close(struct trace_opts *o)
{
	syscall_stats_free(o->stats);
	vec_free(&o->ended);
	o->stats = NULL;
}

struct stats_read {
	struct trace_opts *o;
	struct tracer *t;
};

static const struct trace_syscall *call_of(struct tracer *t, u32 nr)
{
	return tracer_syscall(t, nr & ~SYSCALL_STATS_COMPAT, nr & SYSCALL_STATS_COMPAT);
}

static int take_row(void *ctx, const struct syscall_stats_row *r)
{
	struct stats_read *s = ctx;
	const struct trace_syscall *call = call_of(s->t, r->nr);
	struct trace_sum *row;
	u32 task;

	if (!trace_selection_wants(&s->o->selection, call))
		return 0;
	/* with lines the tracer has counted the events */
	task = tracer_add_task(s->t, (u32)r->pid, (u32)r->tid, r->comm,
			       s->o->with_summary ? 0 : r->count + r->begun);
	if (!r->count)
		return 0;
	row = trace_summary_row(tracer_summary(s->t), task, call);
	row->nr += r->count;
	row->nr_errors += r->errors;
	row->total += r->total;
	row->squares += r->squares;
	row->least = MIN(row->least, r->least);
	row->most = MAX(row->most, r->most);
	row->cgroup = r->cgroup;
	return 0;
}

static int take_part(void *ctx, const struct syscall_stats_part *r)
{
	struct stats_read *s = ctx;
	struct trace_summary *all = tracer_summary(s->t);
	const struct trace_syscall *call = call_of(s->t, r->nr);
	u32 task = trace_task_get(tracer_tasks(s->t), (u32)r->tid);
	struct trace_sum *row;

	if (task == (u32)-1 || !trace_selection_wants(&s->o->selection, call))
		return 0;
	row = trace_summary_row(all, task, call);
	if (r->is_time)
		trace_summary_add_times(all, row, r->part, r->count);
	else
		trace_summary_add_errors(all, row, r->part, r->count);
	return 0;
}

static bool has_ended(const struct trace_opts *o, u32 tid)
{
	return bsearch(&tid, o->ended.v, o->ended.nr, sizeof(tid), by_u32);
}

static int take_ended_row(void *ctx, const struct syscall_stats_row *r)
{
	const struct stats_read *s = ctx;

	if (!has_ended(s->o, (u32)r->tid))
		return 0;
	take_row(ctx, r);
	return SYSCALL_STATS_FORGET;
}

static int take_ended_part(void *ctx, const struct syscall_stats_part *r)
{
	const struct stats_read *s = ctx;

	if (!has_ended(s->o, (u32)r->tid))
		return 0;
	take_part(ctx, r);
	return SYSCALL_STATS_FORGET;
}

/* The kernel's room is for the threads that run. */
void trace_stats_ended(struct trace_opts *o, struct tracer *t, u32 tid)
{
	enum { AT_ONCE = 256 };
	struct stats_read s = { o, t };

	*VEC_PUSH(&o->ended) = tid;
	if (o->ended.nr < AT_ONCE)
		return;
	VEC_SORT(&o->ended, by_u32);
	syscall_stats_rows(o->stats, take_ended_row, &s);
	if (o->errno_summary || o->hist)
		syscall_stats_parts(o->stats, take_ended_part, &s);
	o->ended.nr = 0;
}

void trace_stats_read(struct trace_opts *o, struct tracer *t)
{
	struct syscall_stats_losses lost;
	struct stats_read s = { o, t };

	syscall_stats_enable(o->stats, false);
	lost = syscall_stats_losses(o->stats);
	syscall_stats_rows(o->stats, take_row, &s);
	syscall_stats_running(o->stats, take_row, &s);
	if (o->errno_summary || o->hist)
		syscall_stats_parts(o->stats, take_part, &s);
	if (lost.threads || lost.rows)
		log_warn("calls are missing: there was no room for %llu of new threads and %llu of "
			 "new rows",
			 (unsigned long long)lost.threads, (unsigned long long)lost.rows);
}
