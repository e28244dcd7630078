/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace: tracing while a command runs, and everything put back afterwards. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/ftrace/ftrace.h"
#include "sys/end_signals.h"
#include "sys/tracefs.h"

/*
 * How often what is there is read at the latest and at the soonest. In between, a buffer that is
 * half full wakes us; older kernels do that for each event.
 */
enum { ROUND_MS = 100, PAUSE_MS = 2 };

struct ftrace_run {
	struct ftrace_job *job;
	struct capture_target target;
	struct workload workload;
	struct held_signals held;
	sigset_t before;
	int signal_fd;
	struct ftrace_instance instance;
	struct ftrace_reader reader;
	bool has_reader;
	bool any; /* something was recorded */
	bool stopped; /* by a signal */
	int status; /* of the command, if it has ended by itself */
};

/* ------------------------------------------------------------------ what is traced */

static int choose_target(struct ftrace_run *r, const char *const *command, struct err *e)
{
	struct sampling *s = &r->job->o->sampling;
	struct capture_target *t = &r->target;

	sampling_choose_target(s, command != NULL, t);
	if (s->pids)
		return capture_target_pids(t, s->pids, e);
	if (s->tids)
		return capture_target_tids(t, s->tids, e);
	if (s->cpus)
		return capture_target_cpus(t, s->cpus, e);
	if (!t->cpu_wide)
		*VEC_PUSH(&t->tasks) = r->workload.pid;
	return 0;
}

static bool target_ended(const struct ftrace_run *r)
{
	const struct capture_target *t = &r->target;

	if (r->workload.pid || !t->tasks.nr)
		return false;
	for (size_t i = 0; i < t->tasks.nr; i++) {
		if (!kill(t->tasks.v[i], 0) || errno != ESRCH)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ signals */

/* They wait in a descriptor, as does the end of the command. */
static int hold_signals(struct ftrace_run *r, struct err *e)
{
	sigset_t child, all;

	held_signals_begin(&r->held, 0);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, &r->before);
	all = r->held.held;
	sigaddset(&all, SIGCHLD);
	r->signal_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signal_fd < 0 ? err_sys(e, errno, "cannot wait for signals") : 0;
}

static void release_signals(struct ftrace_run *r)
{
	if (!r->held.on)
		return;
	held_signals_take(&r->held);
	if (r->signal_fd >= 0)
		close(r->signal_fd);
	pthread_sigmask(SIG_SETMASK, &r->before, NULL);
	held_signals_end(&r->held);
}

/* Has something come that ends it? */
static bool is_over(struct ftrace_run *r)
{
	struct signalfd_siginfo info;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			return r->stopped = true;
	}
	return (r->workload.pid && workload_reap(&r->workload, false)) || target_ended(r);
}

static void pause_for(struct ftrace_run *r, int ms)
{
	poll(&(struct pollfd){ .fd = r->signal_fd, .events = POLLIN }, 1, ms);
}

/* ------------------------------------------------------------------ tracing */

static int switch_tracing(struct ftrace_run *r, bool on, struct err *e)
{
	if (r->job->count)
		return r->job->count(r->job, &r->target, on, e);
	return ftrace_instance_set(&r->instance, "tracing_on", on ? "1" : "0", e);
}

/* last: nothing is added to it any more, and all of it is read. -1 also if what was read is not
 * wanted any more. */
static int read_buffers(struct ftrace_run *r, bool last, struct err *e)
{
	u64 until = clock_now();
	size_t bytes = 0;

	if (!r->has_reader)
		return 0;
	do {
		if (ftrace_reader_drain(&r->reader, &r->job->sink, &bytes, e))
			return -1;
		r->any |= bytes != 0;
	} while (last && bytes);
	return r->job->round && !r->job->round(r->job->ctx, until) ? -1 : 0;
}

static int start(struct ftrace_run *r, struct err *e)
{
	u64 delay = r->job->o->delay;

	if (!delay && switch_tracing(r, true, e))
		return -1;
	if (r->workload.pid && workload_start(&r->workload, e))
		return err_set(e, e->code, "workload failed: %s", strerror(e->code));
	for (u64 end = clock_now() + delay * 1000000, now; delay && (now = clock_now()) < end;) {
		pause_for(r, (int)MIN((end - now) / 1000000 + 1, (u64)INT_MAX));
		if (is_over(r))
			return 0;
	}
	return delay ? switch_tracing(r, true, e) : 0;
}

static int trace(struct ftrace_run *r, struct err *e)
{
	int failed = start(r, e);

	while (!failed && !is_over(r)) {
		if (r->has_reader)
			ftrace_reader_wait(&r->reader, r->signal_fd, ROUND_MS);
		else
			pause_for(r, ROUND_MS);
		failed = read_buffers(r, false, e);
		if (!failed && r->has_reader)
			pause_for(r, PAUSE_MS);
	}
	if (switch_tracing(r, false, failed ? NULL : e))
		failed = -1;
	return failed || read_buffers(r, true, e) ? -1 : 0;
}

/* ------------------------------------------------------------------ all of it */

static int open_instance(struct ftrace_run *r, struct err *e)
{
	struct ftrace_job *job = r->job;
	struct ftrace_settings *s = &job->o->settings;
	char root[PATH_MAX];

	if (!sys_tracefs_find(job->o->debugfs, NULL, root, sizeof(root))) {
		err_set(e, ENOENT, "the kernel's tracer is not there: tracefs is not mounted");
		err_hint(e, "mount -t tracefs none /sys/kernel/tracing");
		return -1;
	}
	if (ftrace_instance_open(&r->instance, root, job->tracer, e))
		return -1;
	s->tracer = job->tracer;
	s->tasks = r->target.cpu_wide ? NULL : &r->target.tasks;
	s->cpus = r->target.cpus;
	s->nr_cpus = r->target.nr_cpus;
	if (ftrace_settings_apply(s, &r->instance, e))
		return -1;
	r->has_reader = true;
	if (ftrace_reader_open(&r->reader, &r->instance, job->as_text, e))
		return -1;
	return job->begin ? job->begin(job, &r->instance, e) : 0;
}

static int prepare_and_trace(struct ftrace_run *r, const char *const *command, struct err *e)
{
	if (command && workload_fork(&r->workload, command, false, e))
		return -1;
	if (hold_signals(r, e) || choose_target(r, command, e))
		return -1;
	if (!r->job->count && open_instance(r, e))
		return -1;
	return trace(r, e);
}

/* What the user would not see otherwise. */
static void tell(const struct ftrace_run *r)
{
	if (WIFSIGNALED(r->status))
		log_warn("the command was ended by signal %d (%s)", WTERMSIG(r->status),
			 strsignal(WTERMSIG(r->status)));
	if (r->job->as_text && !r->any)
		log_warn(r->stopped ? "nothing was traced before a signal ended the trace"
				    : "nothing was traced: none of the functions was called");
	if (!r->job->lost)
		return;
	log_warn("at least %llu events were lost: more than the buffers could hold",
		 (unsigned long long)r->job->lost);
	log_hint("larger buffers help (-m 16M), and fewer functions (-T)");
}

int ftrace_run(struct ftrace_job *job, const char *const *command)
{
	struct ftrace_run r = { .job = job, .signal_fd = -1 };
	struct err e = ERR_INIT, late = ERR_INIT;
	int failed = prepare_and_trace(&r, command, &e);

	r.status = r.workload.reaped ? r.workload.status : 0;
	workload_stop(&r.workload);
	if (r.has_reader) {
		job->lost = r.reader.lost;
		ftrace_reader_close(&r.reader);
	}
	if (ftrace_instance_close(&r.instance, &late))
		err_print(&late);
	release_signals(&r);
	capture_target_release(&r.target);
	/* a reader of ours that has gone away is no error */
	if (failed && e.code)
		err_print(&e);
	if (!failed)
		tell(&r);
	return (failed && e.code) || late.code ? FTRACE_FAILED : 0;
}
