/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of perf stat: the target, the counters, waiting for the end.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/attr_print.h"
#include "cmd/stat/stat.h"
#include "sys/end_signals.h"

enum {
	MS = 1000000,
	CHECK_TASKS_NS = 250 * MS, /* how often to look whether -p and -t tasks still live */
	GRACE_NS = 200 * MS, /* for a workload to end by itself after Ctrl-C */
};

static volatile sig_atomic_t last_signal;

static u64 stat_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

int stat_interrupted(void)
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

void stat_install_signals(void)
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

static void warn_offline(const struct stat_run *s)
{
	_cleanup_(strbuf_releasep) struct strbuf list = STRBUF_INIT;
	const struct capture_target *t = &s->target;
	VEC(u32) offline = { 0 };

	for (size_t i = 0; i < t->nr_cpus; i++) {
		const struct sys_cpu *cpu = sys_topology_cpu(&s->topology, t->cpus[i]);

		if (!cpu || !cpu->online)
			*VEC_PUSH(&offline) = t->cpus[i];
	}
	fmt_cpu_list(&list, offline.v, offline.nr);
	if (offline.nr)
		log_warn("%s %s %s not online", offline.nr > 1 ? "CPUs" : "CPU", list.buf,
			 offline.nr > 1 ? "are" : "is");
	vec_free(&offline);
}

/* CPUs of -C that are not there are told and counted as not supported, as perf does. */
static int resolve_cpus(struct stat_run *s)
{
	struct stat_opts *o = s->opts;
	struct capture_target *t = &s->target;

	if (!o->cpus) {
		sys_cpus_online(NULL, &t->cpus, &t->nr_cpus);
		return 0;
	}
	if (!fmt_parse_cpu_list(o->cpus, &t->cpus, &t->nr_cpus) || !t->nr_cpus)
		return -1;
	if (!o->quiet)
		warn_offline(s);
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

int stat_resolve_target(struct stat_run *s, struct err *e)
{
	struct stat_opts *o = s->opts;
	struct capture_target *t = &s->target;

	t->per_thread = o->per_thread;
	t->cpu_wide = (o->system_wide || o->cpus) && !o->per_thread;
	if (!o->pids && !o->tids && !o->per_thread)
		t->cpu_wide |= all_uncore(&o->events);
	if (resolve_cpus(s) < 0)
		return -1;
	if (o->pids && capture_target_pids(t, o->pids, e) < 0)
		return -2;
	if (o->tids && capture_target_tids(t, o->tids, e) < 0)
		return -3;
	if (o->per_thread && !o->pids && !o->tids)
		resolve_all_tasks(t);
	return 0;
}

static void on_open_note(void *ctx, enum capture_open_note kind, const struct event *ev,
			 const char *text)
{
	const struct stat_opts *o = ctx;

	if (kind == CAPTURE_NOTE_ATTR && o->verbose >= 2)
		attr_print(ev);
	else if (kind == CAPTURE_NOTE_OPEN && o->verbose >= 2)
		fprintf(stderr, "sys_perf_event_open: %s\n", text);
	else if ((kind == CAPTURE_NOTE_AGAIN && o->verbose >= 2) ||
		 (kind == CAPTURE_NOTE_FALLBACK && o->verbose >= 1))
		fprintf(stderr, "%s\n", text);
}

/* There is something to count, or nothing was asked for. */
static bool counts_anything(const struct stat_run *s)
{
	VEC_FOR(&s->counters.all, c) {
		if (c->supported)
			return true;
	}
	return !s->counters.all.nr;
}

/* As newer perfs; a table of rows without values says nothing. */
static int tell_nothing_counts(const struct stat_run *s)
{
	const struct stat_opts *o = s->opts;
	const struct event *first = s->counters.all.v[0].event;

	if (o->topdown)
		fprintf(stderr,
			"Error:\nTopdown needs hardware counters: none of its events is supported.\n");
	else
		fprintf(stderr, "Error:\nNo supported events found.\n");
	fprintf(stderr, "The %s event is not supported.\n", first->name);
	stat_hint_no_pmu(s);
	return o->topdown ? STAT_EXIT_NO_TOPDOWN : STAT_EXIT_NOTHING;
}

static int open_counters(struct stat_run *s)
{
	struct stat_opts *o = s->opts;
	struct capture_open_log log = { .note = on_open_note, .ctx = o };
	struct strbuf why = STRBUF_INIT;
	const struct event *failed = NULL;
	struct err e = ERR_INIT;
	int r;

	counting_configure(&o->events, &o->counting, &s->target);
	r = counting_open(&s->counters, &o->events, &o->counting, &s->target,
			  o->verbose ? &log : NULL, &why, &e);
	counting_release(&s->last_counters);
	if (s->counters.told.len && !o->quiet)
		fputs(s->counters.told.buf, stderr);
	if (r && why.len)
		fprintf(stderr, "Error:\n%s", why.buf);
	else if (r)
		err_print(&e);
	strbuf_release(&why);
	if (r)
		return STAT_EXIT_FAILED;
	if (counting_set_filters(&s->counters, &failed, &e) < 0) {
		fprintf(stderr, "failed to set filter \"%s\" on event %s with %d (%s)\n",
			failed->filter, failed->name, e.code, strerror(e.code));
		if (e.hint[0])
			log_hint("%s", e.hint);
		return STAT_EXIT_FAILED;
	}
	return stat_passes(s) == 1 && !counts_anything(s) ? tell_nothing_counts(s) : 0;
}

static int fork_workload(struct stat_run *s)
{
	struct stat_opts *o = s->opts;
	struct err e = ERR_INIT;

	s->workload = (struct workload){ 0 };
	if (!o->command)
		return 0;
	bool to_pipe = o->recording && !strcmp(o->data_path, "-");

	if (workload_fork(&s->workload, o->command, to_pipe, &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	if (o->pids || o->tids || s->target.cpu_wide || o->per_thread)
		return 0;
	s->target.workload = true;
	s->target.tasks.nr = 0;
	*VEC_PUSH(&s->target.tasks) = s->workload.pid;
	return 0;
}

/* What the wait loop has to look after. */
struct stat_wait {
	struct stat_run *s;
	u64 next_interval, timeout, enable, task_check, grace; /* ns, 0 = none */
	bool stop;
};

static u64 earlier(u64 a, u64 b)
{
	return !a ? b : !b ? a : MIN(a, b);
}

static void print_interval(struct stat_run *s)
{
	u64 now = stat_now_ns();

	s->end_ns = now;
	stat_read(s);
	s->failed = s->failed ? s->failed : stat_recorder_round(s, false);
	stat_cells_reset(s);
	if (s->opts->verbose)
		stat_show_verbose(s);
	stat_cells_add(s, true);
	stat_show(s, true);
	s->interval_start_ns = now;
	s->intervals++;
}

static bool any_task_alive(const struct capture_target *t)
{
	VEC_FOR(&t->tasks, tid) {
		if (!kill(*tid, 0) || errno == EPERM)
			return true;
	}
	return false;
}

/* The command goes on, but it is not counted any more. */
static void enough_intervals(struct stat_wait *w)
{
	w->next_interval = 0;
	if (w->s->workload.pid && !w->s->workload.reaped)
		counting_disable(&w->s->counters);
	else
		w->stop = true;
}

/* From where it is counted. */
static void begin_clocks(struct stat_wait *w, u64 now)
{
	const struct stat_opts *o = w->s->opts;

	if (o->interval_ms)
		w->next_interval = now + (u64)o->interval_ms * MS;
	if (o->timeout_ms)
		w->timeout = now + (u64)o->timeout_ms * MS;
}

/* Do what is due at this time. */
static void handle_time(struct stat_wait *w, u64 now)
{
	struct stat_run *s = w->s;
	const struct stat_opts *o = s->opts;

	if (w->enable && now >= w->enable) {
		w->enable = 0;
		s->start_ns = s->interval_start_ns = stat_now_ns();
		counting_enable(&s->counters);
		fprintf(stderr, "Events enabled\n");
		begin_clocks(w, s->start_ns);
	}
	if (w->next_interval && now >= w->next_interval) {
		u64 step = (u64)o->interval_ms * MS;

		print_interval(s);
		now = stat_now_ns();
		if (w->next_interval <= now)
			w->next_interval += ((now - w->next_interval) / step + 1) * step;
		if (o->interval_count && s->intervals >= (u64)o->interval_count)
			enough_intervals(w);
	}
	if (w->timeout && now >= w->timeout) {
		s->timed_out = true;
		w->stop = true;
	}
	if (w->task_check && now >= w->task_check) {
		w->task_check = now + CHECK_TASKS_NS;
		if (!any_task_alive(&s->target))
			w->stop = true;
	}
	/* Ctrl-C reaches the workload too; one that stays is told again */
	if (w->grace && now >= w->grace) {
		w->grace = 0;
		kill(s->workload.pid, SIGTERM);
	}
}

static void handle_signal(struct stat_wait *w, int *seen)
{
	struct stat_run *s = w->s;

	if (!last_signal || *seen == 2)
		return;
	++*seen;
	if (!s->workload.pid || s->workload.reaped || *seen == 2) {
		w->stop = true;
		return;
	}
	w->grace = stat_now_ns() + GRACE_NS;
	last_signal = 0;
}

static void wait_for_end(struct stat_wait *w)
{
	struct stat_run *s = w->s;
	struct pollfd fd = { .fd = control_fd(&s->control), .events = POLLIN };
	sigset_t none;
	int seen = 0, first = 0;

	sigemptyset(&none);
	while (!w->stop) {
		u64 now = stat_now_ns();
		u64 due = earlier(earlier(w->next_interval, w->timeout),
				  earlier(earlier(w->enable, w->task_check), w->grace));
		struct timespec ts = { 0 };

		if (s->workload.pid && workload_reap(&s->workload, false))
			break;
		if (due > now) {
			ts.tv_sec = (time_t)((due - now) / 1000000000);
			ts.tv_nsec = (long)((due - now) % 1000000000);
		}
		if (ppoll(&fd, fd.fd >= 0 ? 1 : 0, due ? &ts : NULL, &none) > 0 &&
		    !stat_control_handle(s))
			w->stop = s->stopped = true;
		fd.fd = control_fd(&s->control);
		if (last_signal)
			first = last_signal;
		handle_signal(w, &seen);
		handle_time(w, stat_now_ns());
	}
	if (first)
		last_signal = first;
}

static void begin_waiting(struct stat_wait *w, u64 now)
{
	const struct stat_opts *o = w->s->opts;

	if (o->delay_ms > 0)
		w->enable = now + (u64)o->delay_ms * MS;
	else
		begin_clocks(w, now);
	if (!w->s->workload.pid && w->s->target.tasks.nr)
		w->task_check = now + CHECK_TASKS_NS;
}

static void end_measurement(struct stat_run *s)
{
	const struct stat_opts *o = s->opts;

	s->end_ns = stat_now_ns();
	counting_disable(&s->counters);
	*VEC_PUSH(&s->seconds) = (double)(s->end_ns - s->start_ns) / 1e9;
	/* it may have to be told: time out, a second Ctrl-C */
	if (s->workload.pid && !s->workload.reaped)
		workload_stop(&s->workload);
	s->user_seconds = (double)s->workload.user_ns / 1e9;
	s->system_seconds = (double)s->workload.system_ns / 1e9;
	stat_read(s);
	if (o->interval_ms && !(o->interval_count && s->intervals >= (u64)o->interval_count) &&
	    !s->timed_out) {
		s->failed = s->failed ? s->failed : stat_recorder_round(s, false);
		stat_cells_reset(s);
		if (o->verbose)
			stat_show_verbose(s);
		stat_cells_add(s, true);
		stat_show(s, true);
		s->intervals++;
	}
	if (o->interval_ms)
		stat_cells_reset(s);
	else
		s->failed = s->failed ? s->failed : stat_recorder_round(s, true);
	stat_cells_add(s, false);
}

static int measure(struct stat_run *s, struct stat_wait *w)
{
	const struct stat_opts *o = s->opts;
	struct err e = ERR_INIT;

	if (o->delay_ms)
		fprintf(stderr, "Events disabled\n");
	else if (!s->target.workload)
		counting_enable(&s->counters);
	else
		counting_enable_uncore(&s->counters);
	s->start_ns = s->interval_start_ns = stat_now_ns();
	if (s->workload.pid && workload_start(&s->workload, &e) < 0) {
		fprintf(stderr, "Workload failed: %s\n", strerror(e.code));
		return STAT_EXIT_FAILED;
	}
	begin_waiting(w, s->start_ns);
	wait_for_end(w);
	end_measurement(s);
	return s->failed;
}

int stat_run_once(struct stat_run *s, u32 run)
{
	struct stat_opts *o = s->opts;
	struct stat_wait w = { .s = s };
	sigset_t set;
	int ret;

	if (o->verbose && o->repeat > 1)
		fprintf(stderr, "[ perf stat: executing run #%u ... ]\n", run + 1);
	ret = fork_workload(s);
	signal_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (!ret)
		ret = open_counters(s);
	if (!ret) {
		stat_owners_init(s);
		ret = o->recording ? stat_recorder_begin(s) : 0;
	}
	if (!ret) {
		ret = measure(s, &w);
	}
	if (!ret && o->verbose && (!o->interval_ms || o->summary))
		stat_show_verbose(s);
	workload_stop(&s->workload);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return ret;
}
