/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * breakpoint thread: threads are made and joined while breakpoints are inherited by each of them.
 * breakpoint enable: a breakpoint that threads have inherited is switched off and on.
 */
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"
#include "sys/perf_open.h"

enum { MAX_BREAKPOINTS = 4096 };

struct breakpoint_opts {
	u64 breakpoints, threads, parallelism;
	u64 passive, active;
};

static const struct breakpoint_opts thread_defaults = { 1, 1, 1, 0, 0 };
static const struct breakpoint_opts enable_defaults = { 0 };

/* A breakpoint that never hits, on this thread and those that it makes. */
static int open_breakpoint(const void *at)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_addr = (u64)(uintptr_t)at,
		.bp_len = HW_BREAKPOINT_LEN_1,
		.inherit = 1,
		.pinned = 1,
	};
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0) {
		errno = -fd;
		bench_die("perf_event_open");
	}
	return fd;
}

static u64 check_threads(u64 nr)
{
	if (nr > BENCH_MAX_THREADS)
		bench_die_text("too many threads (more than 1048576)");
	return nr;
}

/* ---- thread ---- */

static const struct opt thread_table[] = {
	OPT_U64('b', "breakpoints", struct breakpoint_opts, breakpoints, "n",
		"Specify amount of breakpoints"),
	OPT_U64('p', "parallelism", struct breakpoint_opts, parallelism, "n",
		"Specify amount of parallelism"),
	OPT_U64('t', "threads", struct breakpoint_opts, threads, "n", "Specify amount of threads"),
	OPT_END
};

static const char *const thread_usage[] = { "perf bench breakpoint thread <options>", NULL };

struct starter {
	struct bench_gate *gate;
	u64 threads;
	unsigned int repeat;
};

static void *do_nothing(void *arg)
{
	return arg;
}

static void *starter_thread(void *arg)
{
	const struct starter *s = arg;
	pthread_t *ids = XNEW_ARRAY(pthread_t, s->threads + 1);

	bench_gate_wait(s->gate);
	for (unsigned int i = 0; i < s->repeat; i++) {
		for (u64 j = 0; j < s->threads; j++) {
			errno = pthread_create(&ids[j], NULL, do_nothing, NULL);
			if (errno)
				bench_die("pthread_create");
		}
		for (u64 j = 0; j < s->threads; j++)
			pthread_join(ids[j], NULL);
	}
	free(ids);
	return NULL;
}

static int thread_run(const struct bench_ctx *ctx, void *opts)
{
	struct breakpoint_opts *o = opts;
	unsigned int parallel = (unsigned int)check_threads(o->parallelism);
	static const char watched[MAX_BREAKPOINTS];
	struct bench_threads t;
	struct bench_gate gate;
	int *fds;
	u64 start, ns;

	if (o->breakpoints > MAX_BREAKPOINTS || !parallel || !check_threads(o->threads))
		bench_die_text("from 0 to 4096 breakpoints, at least 1 thread and parallelism 1");
	struct starter s = { .gate = &gate, .threads = o->threads, .repeat = ctx->repeat };

	fds = XNEW_ARRAY(int, o->breakpoints + 1);
	for (u64 i = 0; i < o->breakpoints; i++)
		fds[i] = open_breakpoint(&watched[i]);
	bench_gate_init(&gate, parallel + 1);
	bench_threads_start(&t, parallel, false, starter_thread, &s, 0);
	bench_gate_wait(&gate);
	start = clock_now();
	bench_threads_join(&t);
	ns = clock_now() - start;
	for (u64 i = 0; i < o->breakpoints; i++)
		close(fds[i]);
	free(fds);
	if (!ctx->simple)
		printf("# Created/joined %u threads with %lu breakpoints and %u parallelism\n",
		       ctx->repeat, o->breakpoints, parallel);
	bench_print_total(ctx, ns);
	if (!ctx->simple) {
		double each = (double)ns / 1000 / ctx->repeat / (double)o->threads;

		printf("\n %14lf usecs/op\n", each / parallel);
		printf(" %14lf usecs/op/cpu\n", each);
	}
	return 0;
}

BENCHMARK(bench_breakpoint_thread, "thread", "Benchmark thread start/finish with breakpoints",
	  thread_table, thread_usage, thread_defaults, thread_run);

/* ---- enable ---- */

static const struct opt enable_table[] = { OPT_U64('p', "passive", struct breakpoint_opts, passive,
						   "n", "Specify amount of passive threads"),
					   OPT_U64('a', "active", struct breakpoint_opts, active,
						   "n", "Specify amount of active threads"),
					   OPT_END };

static const char *const enable_usage[] = { "perf bench breakpoint enable <options>", NULL };

struct bystander {
	struct bench_gate *gate;
	atomic_bool *done;
	bool active;
};

static void *bystander_thread(void *arg)
{
	const struct bystander *b = arg;
	struct timespec nap = { .tv_nsec = 1000000 };

	bench_gate_wait(b->gate);
	while (!atomic_load(b->done)) {
		if (b->active)
			sched_yield();
		else
			nanosleep(&nap, NULL);
	}
	return NULL;
}

static int enable_run(const struct bench_ctx *ctx, void *opts)
{
	struct breakpoint_opts *o = opts;
	unsigned int nr = (unsigned int)(check_threads(o->passive) + check_threads(o->active));
	struct bystander *all = XNEW_ARRAY(struct bystander, nr + 1);
	static const char watched;
	atomic_bool done = false;
	struct bench_threads t;
	struct bench_gate gate;
	int fd = open_breakpoint(&watched);
	u64 start, ns;

	bench_gate_init(&gate, nr + 1);
	for (unsigned int i = 0; i < nr; i++)
		all[i] = (struct bystander){ &gate, &done, i >= o->passive };
	bench_threads_start(&t, nr, false, bystander_thread, all, sizeof(*all));
	bench_gate_wait(&gate);
	start = clock_now();
	for (unsigned int i = 0; i < ctx->repeat; i++) {
		if (sys_perf_ioctl(fd, PERF_EVENT_IOC_DISABLE, NULL) ||
		    sys_perf_ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL))
			bench_die_text("the breakpoint cannot be switched off and on");
	}
	ns = clock_now() - start;
	atomic_store(&done, true);
	bench_threads_join(&t);
	free(all);
	close(fd);
	if (!ctx->simple)
		printf("# Enabled/disabled breakpoint %u time with %lu passive and %lu active threads\n",
		       ctx->repeat, o->passive, o->active);
	bench_print_total(ctx, ns);
	if (!ctx->simple)
		printf("\n %14lf usecs/op\n", (double)ns / 1000 / ctx->repeat);
	return 0;
}

BENCHMARK(bench_breakpoint_enable, "enable", "Benchmark breakpoint enable/disable", enable_table,
	  enable_usage, enable_defaults, enable_run);
