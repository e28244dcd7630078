/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched messaging: groups of 20 senders and 20 receivers; every sender writes to every receiver of
 * its group.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/vec.h"
#include "cmd/bench/measure.h"

enum { PER_GROUP = 20, MESSAGE = 100, MAX_GROUPS = 10000 };

struct messaging_opts {
	bool pipe, thread;
	u64 groups, loops;
};

static const struct messaging_opts messaging_defaults = { .groups = 10, .loops = 100 };

static const struct opt messaging_table[] = {
	OPT_BOOL('p', "pipe", struct messaging_opts, pipe, "Use pipe() instead of socketpair()"),
	OPT_BOOL('t', "thread", struct messaging_opts, thread,
		 "Be multi thread instead of multi process"),
	OPT_U64('g', "group", struct messaging_opts, groups, "n", "Specify number of groups"),
	OPT_U64('l', "nr_loops", struct messaging_opts, loops, "n",
		"Specify the number of loops to run (default: 100)"),
	OPT_END
};

static const char *const messaging_usage[] = { "perf bench sched messaging <options>", NULL };

/* One sender or receiver. */
struct messenger {
	const struct messaging_opts *opts;
	int ready, wakeup; /* says that it is there; waits until everybody may begin */
	bool sender;
	int in; /* receiver */
	int out[PER_GROUP]; /* sender */
};

struct messaging {
	const struct messaging_opts *opts;
	int ready[2], wakeup[2];
	VEC(struct messenger) tasks;
	VEC(int) fds; /* closed at the end */
	VEC(pid_t) pids;
};

static void *messenger_run(void *arg)
{
	struct messenger *m = arg;
	char data[MESSAGE] = "";
	struct pollfd go = { .fd = m->wakeup, .events = POLLIN };

	if (rw_write_full(m->ready, "*", 1) < 0)
		bench_die("CLIENT: ready write");
	while (poll(&go, 1, -1) < 0 && errno == EINTR)
		continue;
	for (u64 i = 0; i < m->opts->loops; i++) {
		for (unsigned int j = 0; j < PER_GROUP; j++) {
			if (m->sender && rw_write_full(m->out[j], data, sizeof(data)) < 0)
				bench_die("SENDER: write");
			if (!m->sender &&
			    rw_read_full(m->in, data, sizeof(data)) != (ssize_t)sizeof(data))
				bench_die("SERVER: read");
		}
	}
	return NULL;
}

static void open_channel(const struct messaging_opts *o, int fds[2])
{
	if (o->pipe ? pipe2(fds, O_CLOEXEC)
		    : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		bench_die(o->pipe ? "pipe()" : "socketpair()");
}

static void add_group(struct messaging *g)
{
	struct messenger base = { .opts = g->opts, .ready = g->ready[1], .wakeup = g->wakeup[0] };
	int out[PER_GROUP];

	for (unsigned int i = 0; i < PER_GROUP; i++) {
		int fds[2];

		open_channel(g->opts, fds);
		out[i] = fds[1];
		*VEC_PUSH(&g->fds) = fds[0];
		*VEC_PUSH(&g->fds) = fds[1];
		base.in = fds[0];
		*VEC_PUSH(&g->tasks) = base;
	}
	base.sender = true;
	memcpy(base.out, out, sizeof(out));
	for (unsigned int i = 0; i < PER_GROUP; i++)
		*VEC_PUSH(&g->tasks) = base;
}

/* Each process only keeps what it needs, or receivers' descriptors would be copied by thousands. */
static void start_processes(struct messaging *g)
{
	fflush(stdout);
	VEC_FOR(&g->tasks, m) {
		pid_t pid = fork();

		if (pid < 0) {
			int error = errno;

			VEC_FOR(&g->pids, p)
				kill(*p, SIGKILL);
			errno = error;
			bench_die("fork()");
		}
		if (!pid) {
			messenger_run(m);
			_exit(0);
		}
		*VEC_PUSH(&g->pids) = pid;
	}
}

static void reap(struct messaging *g)
{
	VEC_FOR(&g->pids, p) {
		int status;

		while (waitpid(*p, &status, 0) < 0 && errno == EINTR)
			continue;
	}
}

/* Room for two descriptors per receiver. */
static void raise_nofile(u64 wanted)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur >= wanted)
		return;
	r.rlim_cur = r.rlim_max == RLIM_INFINITY || r.rlim_max >= wanted ? wanted : r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

static u64 messaging_measure(struct messaging *g)
{
	struct bench_threads threads = { 0 };
	u64 start;

	if (g->opts->thread && g->tasks.nr)
		bench_threads_start(&threads, (unsigned int)g->tasks.nr, false, messenger_run,
				    g->tasks.v, sizeof(*g->tasks.v));
	else
		start_processes(g);
	for (size_t i = 0; i < g->tasks.nr; i++) {
		char c;

		if (rw_read_full(g->ready[0], &c, 1) != 1)
			bench_die("Reading for readyfds");
	}
	start = clock_now();
	if (rw_write_full(g->wakeup[1], "*", 1) < 0)
		bench_die("Writing to start them");
	bench_threads_join(&threads);
	reap(g);
	return clock_now() - start;
}

static int messaging_run(const struct bench_ctx *ctx, void *opts)
{
	struct messaging_opts *o = opts;
	struct messaging g = { .opts = o };
	u64 ns;

	if (o->groups > MAX_GROUPS)
		bench_die_text("too many groups (more than 10000)");
	raise_nofile(o->groups * PER_GROUP * 2 + 64);
	open_channel(o, g.ready);
	open_channel(o, g.wakeup);
	for (u64 i = 0; i < o->groups; i++)
		add_group(&g);
	ns = messaging_measure(&g);
	if (!ctx->simple) {
		const char *what = o->thread ? "threads" : "processes";

		printf("# %d sender and receiver %s per group\n", PER_GROUP, what);
		printf("# %lu groups == %lu %s run\n\n", o->groups, o->groups * 2 * PER_GROUP,
		       what);
	}
	bench_print_total(ctx, ns);
	VEC_FOR(&g.fds, fd)
		close(*fd);
	for (int i = 0; i < 2; i++) {
		close(g.ready[i]);
		close(g.wakeup[i]);
	}
	vec_free(&g.fds);
	vec_free(&g.tasks);
	vec_free(&g.pids);
	return 0;
}

BENCHMARK(bench_sched_messaging, "messaging", "Benchmark for scheduling and IPC", messaging_table,
	  messaging_usage, messaging_defaults, messaging_run);
