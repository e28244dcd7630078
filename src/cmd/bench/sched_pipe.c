/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched pipe: two tasks that hand a word (or --write-size bytes) to and fro. With --cgroups each is
 * in a control group of its own, which exists already; the sender is this process.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/print_err.h"
#include "cmd/bench/measure.h"
#include "sys/cgroup.h"

struct pipe_opts {
	const char *cgroups;
	u64 loops, size;
	bool threaded, nonblocking;
};

static const struct pipe_opts pipe_defaults = { .loops = 1000000, .size = sizeof(int) };

static const struct opt pipe_table[] = {
	OPT_STR('G', "cgroups", struct pipe_opts, cgroups, "SEND,RECV",
		"Put sender and receivers in given cgroups"),
	OPT_U64('l', "loop", struct pipe_opts, loops, "n", "Specify number of loops"),
	OPT_BOOL('n', "nonblocking", struct pipe_opts, nonblocking, "Use non-blocking operations"),
	OPT_U64('s', "write-size", struct pipe_opts, size, "n",
		"Bytes that are handed over at once (default: 4)"),
	OPT_BOOL('T', "threaded", struct pipe_opts, threaded,
		 "Specify threads/process based task setup"),
	OPT_END
};

static const char *const pipe_usage[] = { "perf bench sched pipe <options>", NULL };

struct pipe_end {
	const struct pipe_opts *opts;
	int in, out;
	int group; /* file of the control group where a task writes that it joins, or -1 */
	int epoll; /* on in, with --nonblocking */
	bool first; /* writes before it reads */
	char *data; /* opts->size bytes */
};

static void wait_for(const struct pipe_end *p, int fd)
{
	struct epoll_event ev;

	if (fd == p->in) {
		while (epoll_wait(p->epoll, &ev, 1, -1) < 0 && errno == EINTR)
			continue;
		return;
	}
	/* only what is larger than the pipe waits for room */
	sched_yield();
}

static void hand_over(const struct pipe_end *p, int fd)
{
	const char *what = fd == p->in ? "read" : "write";
	u64 done = 0;

	while (done < p->opts->size) {
		ssize_t n;

		if (p->opts->nonblocking && fd == p->in)
			wait_for(p, fd);
		n = fd == p->in ? read(fd, p->data + done, p->opts->size - done)
				: write(fd, p->data + done, p->opts->size - done);
		if (n > 0)
			done += (u64)n;
		else if (n < 0 && errno == EAGAIN)
			wait_for(p, fd);
		else if (!n || errno != EINTR)
			bench_die(what);
	}
}

static void *pipe_end_run(void *arg)
{
	const struct pipe_end *p = arg;

	/* 0: whoever writes it */
	if (p->group >= 0 && write(p->group, "0", 1) < 0)
		bench_die(errno == EOPNOTSUPP && p->opts->threaded
				  ? "cannot join the cgroup, whose cgroup.type is not 'threaded'"
				  : "cannot join the cgroup");
	for (u64 i = 0; i < p->opts->loops; i++) {
		if (p->first)
			hand_over(p, p->out);
		hand_over(p, p->in);
		if (!p->first)
			hand_over(p, p->out);
	}
	return NULL;
}

static int open_group(const struct pipe_opts *o, const char *name)
{
	struct err e = ERR_INIT;
	char mount[PATH_MAX];
	bool is_v2 = false;
	int dir = sys_cgroup_open(NULL, name, &e), fd;
	const char *file;

	if (dir < 0) {
		err_print(&e);
		return -1;
	}
	sys_cgroup_mount(NULL, mount, sizeof(mount), &is_v2);
	file = !is_v2 ? "tasks" : o->threaded ? "cgroup.threads" : "cgroup.procs";
	fd = openat(dir, file, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		log_error("cannot write to '%s' of the cgroup '%s': %s", file, name,
			  strerror(errno));
	close(dir);
	return fd;
}

/* SEND,RECV: 0, or the exit code. */
static int open_groups(const struct pipe_opts *o, struct pipe_end ends[2])
{
	const char *comma = o->cgroups ? strchr(o->cgroups, ',') : NULL;

	if (!o->cgroups)
		return 0;
	if (!comma || comma == o->cgroups || !comma[1] || strchr(comma + 1, ',')) {
		fprintf(stderr, "it should have two cgroup names: %s\n", o->cgroups);
		return EXIT_USAGE;
	}
	_cleanup_(mem_freep) char *sender = xstrndup(o->cgroups, (size_t)(comma - o->cgroups));

	ends[0].group = open_group(o, sender);
	ends[1].group = ends[0].group < 0 ? -1 : open_group(o, comma + 1);
	return ends[1].group < 0 ? 1 : 0;
}

static void ends_init(const struct pipe_opts *o, struct pipe_end ends[2])
{
	int flags = O_CLOEXEC | (o->nonblocking ? O_NONBLOCK : 0), there[2], back[2];

	if (pipe2(there, flags) || pipe2(back, flags))
		bench_die("pipe()");
	ends[0] = (struct pipe_end){ .in = back[0], .out = there[1], .first = true };
	ends[1] = (struct pipe_end){ .in = there[0], .out = back[1] };
	for (int i = 0; i < 2; i++) {
		struct pipe_end *p = &ends[i];
		struct epoll_event ev = { .events = EPOLLIN };

		p->opts = o;
		p->group = -1;
		p->data = xcalloc(1, o->size);
		p->epoll = epoll_create1(EPOLL_CLOEXEC);
		if (p->epoll < 0 || epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->in, &ev))
			bench_die("epoll");
	}
}

static void ends_release(struct pipe_end ends[2])
{
	for (int i = 0; i < 2; i++) {
		close(ends[i].in);
		close(ends[i].out);
		close(ends[i].epoll);
		if (ends[i].group >= 0)
			close(ends[i].group);
		free(ends[i].data);
	}
}

static u64 pipe_measure(const struct pipe_opts *o, struct pipe_end ends[2])
{
	u64 start = clock_now();

	if (o->threaded) {
		struct bench_threads threads;

		bench_threads_start(&threads, 2, false, pipe_end_run, ends, sizeof(ends[0]));
		bench_threads_join(&threads);
	} else {
		pid_t pid = fork();
		int status;

		if (pid < 0)
			bench_die("fork()");
		if (!pid) {
			pipe_end_run(&ends[1]);
			_exit(0);
		}
		pipe_end_run(&ends[0]);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	return clock_now() - start;
}

static int pipe_run(const struct bench_ctx *ctx, void *opts)
{
	struct pipe_opts *o = opts;
	struct pipe_end ends[2];
	int code;
	u64 ns;

	fflush(stdout);
	if (!o->size || o->size > INT_MAX) {
		fprintf(stderr, "--write-size must be in 1..%d\n", INT_MAX);
		return EXIT_USAGE;
	}
	ends_init(o, ends);
	code = open_groups(o, ends);
	if (!code) {
		ns = pipe_measure(o, ends);
		if (!ctx->simple)
			printf("# Executed %lu pipe operations between two %s\n\n", o->loops,
			       o->threaded ? "threads" : "processes");
		bench_print_total(ctx, ns);
		if (!ctx->simple) {
			printf("\n");
			bench_print_rate(ns, o->loops);
		}
	}
	ends_release(ends);
	return code;
}

BENCHMARK(bench_sched_pipe, "pipe", "Benchmark for pipe() between two processes", pipe_table,
	  pipe_usage, pipe_defaults, pipe_run);
