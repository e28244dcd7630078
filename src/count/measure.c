/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/measure.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "count/cells.h"
#include "sys/end_signals.h"

enum {
	MS = 1000000,
	CHECK_TASKS_NS = 250 * MS, /* how often to look whether -p and -t tasks still live */
	GRACE_NS = 200 * MS, /* for a workload to end by itself after Ctrl-C */
};

static volatile sig_atomic_t last_signal;
int measure_interrupted(void)
{
	return last_signal;
}

static void on_signal(int sig)
{
	if (sig != SIGCHLD)
		last_signal = sig;
}

/* They are let in only while we wait in ppoll(), so none can be missed before it. */
static void signal_set(sigset_t *set)
{
	end_signals_set(set);
	sigaddset(set, SIGCHLD);
}

void measure_hold_signals(bool on)
{
	sigset_t set;

	signal_set(&set);
	sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void measure_catch_signals(void)
{
	/* what is being printed or written goes on; ppoll() ends in any case */
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigset_t set;

	signal_set(&set);
	sigemptyset(&sa.sa_mask);
	for (int number = 1; number < NSIG; number++) {
		if (sigismember(&set, number) == 1)
			sigaction(number, &sa, NULL);
	}
}

static int resolve_cpus(struct measurement *m)
{
	struct count_opts *o = m->o;
	struct capture_target *t = &m->target;

	if (!o->cpus) {
		sys_cpus_online(NULL, &t->cpus, &t->nr_cpus);
		return 0;
	}
	if (!fmt_parse_cpu_list(o->cpus, &t->cpus, &t->nr_cpus) || !t->nr_cpus)
		return -1;
	return 0;
}

static int resolve_all_tasks(struct capture_target *t)
{
	struct sys_proc proc;
	sys_pids pids = { 0 }, tids = { 0 };

	if (!sys_proc_init(&proc, NULL))
		return -1;
	sys_proc_pids(&proc, &pids);
	VEC_FOR(&pids, pid) {
		if (!sys_proc_tids(&proc, *pid, &tids))
			continue;
		VEC_FOR(&tids, tid)
			*VEC_PUSH(&t->tasks) = *tid;
	}
	vec_free(&pids);
	vec_free(&tids);
	sys_proc_release(&proc);
	return 0;
}

/* Then there is nothing that belongs to a task. */
static bool all_uncore(const struct event_list *l)
{
	bool any = false;

	VEC_FOR(&l->events, ev) {
		if (!counting_is_uncore(*ev))
			return false;
		any = true;
	}
	return any;
}

int measure_resolve(struct measurement *m, struct err *e)
{
	struct count_opts *o = m->o;
	struct capture_target *t = &m->target;

	t->per_thread = o->per_thread;
	t->cpu_wide = (o->system_wide || o->cpus) && !o->per_thread;
	if (!o->pids && !o->tids && !o->per_thread)
		t->cpu_wide |= all_uncore(&o->events);
	if (resolve_cpus(m) < 0)
		return -1;
	if (o->pids && capture_target_pids(t, o->pids, e) < 0)
		return -2;
	if (o->tids && capture_target_tids(t, o->tids, e) < 0)
		return -3;
	if (o->per_thread && !o->pids && !o->tids)
		resolve_all_tasks(t);
	return 0;
}

/* What the wait loop has to look after. */
struct wait {
	struct measurement *m;
	const struct measure_ops *ops;
	u64 next_interval, timeout, enable, task_check, grace; /* ns, 0 = none */
	bool stop;
};

static u64 earlier(u64 a, u64 b)
{
	return !a ? b : !b ? a : MIN(a, b);
}

static void tell_values(const struct measure_ops *ops, bool final)
{
	if (ops->values)
		ops->values(ops->ctx, final);
}

static void tell_lost_cpus(struct measurement *m, const struct measure_ops *ops)
{
	_cleanup_(strbuf_releasep) struct strbuf cpus = STRBUF_INIT;

	if (cpu_watch_lost(&m->cpu_watch, NULL, &cpus) && ops->lost_cpus)
		ops->lost_cpus(ops->ctx, cpus.buf);
}

/* The values just read are of an interval. */
static void end_interval(struct measurement *m, const struct measure_ops *ops)
{
	tell_values(ops, false);
	tell_lost_cpus(m, ops);
	cells_reset(m);
	cells_add(m, true);
	if (ops->interval)
		ops->interval(ops->ctx);
	m->intervals++;
}

static void take_interval(struct measurement *m, const struct measure_ops *ops)
{
	u64 now = clock_now();

	m->end_ns = now;
	cells_read(m);
	end_interval(m, ops);
	m->interval_start_ns = now;
}

static bool any_task_alive(const struct capture_target *t)
{
	VEC_FOR(&t->tasks, tid) {
		if (!kill(*tid, 0) || errno == EPERM)
			return true;
	}
	return false;
}

static bool had_enough(const struct measurement *m)
{
	return m->o->interval_count && m->intervals >= (u64)m->o->interval_count;
}

/* The command goes on, but it is not counted any more. */
static void enough_intervals(struct wait *w)
{
	w->next_interval = 0;
	if (w->m->workload.pid && !w->m->workload.reaped)
		counting_disable(&w->m->counters);
	else
		w->stop = true;
}

/* From where it is counted. */
static void begin_clocks(struct wait *w, u64 now)
{
	const struct count_opts *o = w->m->o;

	if (o->interval_ms)
		w->next_interval = now + (u64)o->interval_ms * MS;
	if (o->timeout_ms)
		w->timeout = now + (u64)o->timeout_ms * MS;
}

/* Do what is due at this time. */
static void handle_time(struct wait *w, u64 now)
{
	struct measurement *m = w->m;
	const struct count_opts *o = m->o;

	if (w->enable && now >= w->enable) {
		w->enable = 0;
		m->start_ns = m->interval_start_ns = clock_now();
		counting_enable(&m->counters);
		if (w->ops->enabled)
			w->ops->enabled(w->ops->ctx);
		begin_clocks(w, m->start_ns);
	}
	if (w->next_interval && now >= w->next_interval) {
		u64 step = (u64)o->interval_ms * MS;

		take_interval(m, w->ops);
		now = clock_now();
		if (w->next_interval <= now)
			w->next_interval += ((now - w->next_interval) / step + 1) * step;
		if (had_enough(m))
			enough_intervals(w);
	}
	if (w->timeout && now >= w->timeout) {
		m->timed_out = true;
		w->stop = true;
	}
	if (w->task_check && now >= w->task_check) {
		w->task_check = now + CHECK_TASKS_NS;
		if (!any_task_alive(&m->target))
			w->stop = true;
	}
	/* Ctrl-C reaches the workload too; one that stays is told again */
	if (w->grace && now >= w->grace) {
		w->grace = 0;
		kill(m->workload.pid, SIGTERM);
	}
}

static void handle_signal(struct wait *w, int *seen)
{
	struct measurement *m = w->m;

	if (!last_signal || *seen == 2)
		return;
	++*seen;
	if (!m->workload.pid || m->workload.reaped || *seen == 2) {
		w->stop = true;
		return;
	}
	w->grace = clock_now() + GRACE_NS;
	last_signal = 0;
}

static int control_fd(const struct measure_ops *ops)
{
	return ops->control ? ops->control_fd(ops->ctx) : -1;
}

static void wait_for_end(struct wait *w)
{
	struct measurement *m = w->m;
	struct pollfd fd = { .fd = control_fd(w->ops), .events = POLLIN };
	sigset_t none;
	int seen = 0, first = 0;

	sigemptyset(&none);
	while (!w->stop) {
		u64 now = clock_now();
		u64 due = earlier(earlier(w->next_interval, w->timeout),
				  earlier(earlier(w->enable, w->task_check), w->grace));
		struct timespec ts = { 0 };

		if (m->workload.pid && workload_reap(&m->workload, false))
			break;
		if (due > now) {
			ts.tv_sec = (time_t)((due - now) / 1000000000);
			ts.tv_nsec = (long)((due - now) % 1000000000);
		}
		if (ppoll(&fd, fd.fd >= 0 ? 1 : 0, due ? &ts : NULL, &none) > 0 &&
		    !w->ops->control(w->ops->ctx))
			w->stop = m->stopped = true;
		fd.fd = control_fd(w->ops);
		if (last_signal)
			first = last_signal;
		handle_signal(w, &seen);
		handle_time(w, clock_now());
	}
	if (first)
		last_signal = first;
}

static void begin_waiting(struct wait *w, u64 now)
{
	const struct count_opts *o = w->m->o;

	if (o->delay_ms > 0)
		w->enable = now + (u64)o->delay_ms * MS;
	else
		begin_clocks(w, now);
	if (!w->m->workload.pid && w->m->target.tasks.nr)
		w->task_check = now + CHECK_TASKS_NS;
}

static void end_measurement(struct measurement *m, const struct measure_ops *ops)
{
	m->end_ns = clock_now();
	counting_disable(&m->counters);
	*VEC_PUSH(&m->seconds) = (double)(m->end_ns - m->start_ns) / 1e9;
	tell_lost_cpus(m, ops);
	/* it may have to be told: time out, a second Ctrl-C */
	if (m->workload.pid && !m->workload.reaped)
		workload_stop(&m->workload);
	m->user_seconds = (double)m->workload.user_ns / 1e9;
	m->system_seconds = (double)m->workload.system_ns / 1e9;
	cells_read(m);
	if (m->o->interval_ms && !had_enough(m) && !m->timed_out)
		end_interval(m, ops);
	if (m->o->interval_ms)
		cells_reset(m);
	else
		tell_values(ops, true);
	cells_add(m, false);
}

int measure_run(struct measurement *m, const struct measure_ops *ops, struct err *e)
{
	struct wait w = { .m = m, .ops = ops };

	if (m->target.cpu_wide)
		cpu_watch_begin(&m->cpu_watch, NULL, m->target.cpus, m->target.nr_cpus);
	if (!m->o->delay_ms && !m->target.workload)
		counting_enable(&m->counters);
	else if (!m->o->delay_ms)
		counting_enable_uncore(&m->counters);
	m->start_ns = m->interval_start_ns = clock_now();
	if (m->workload.pid && workload_start(&m->workload, e) < 0)
		return -1;
	begin_waiting(&w, m->start_ns);
	wait_for_end(&w);
	end_measurement(m, ops);
	return 0;
}
