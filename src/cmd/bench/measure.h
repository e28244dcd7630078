/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure: what the benchmarks share: clock, statistics, threads that start together and run for a
 * time, and the lines with the results.
 */
#ifndef CMD_BENCH_MEASURE_H
#define CMD_BENCH_MEASURE_H

#include <pthread.h>

#include "base/clock.h"
#include "cmd/bench/bench.h"

enum { BENCH_MAX_THREADS = 1 << 20, BENCH_MAX_FDS = 1 << 20 };

/* Mean and deviation of values as they come. Zero bytes at first. */
struct bench_stats {
	double nr, mean, m2;
};

void bench_stats_add(struct bench_stats *s, double value);
double bench_stats_error(const struct bench_stats *s); /* standard deviation of the mean */
double bench_stats_percent(const struct bench_stats *s); /* the same in percent of the mean */

/* Flush stdout, print "perf: WHAT: errno's text" and exit with 1: for what stops a benchmark whose
 * threads are running. */
void bench_die(const char *what) __attribute__((noreturn));
/* The same without errno. */
void bench_die_text(const char *what) __attribute__((noreturn));

/* "     Total time: 1.234 [sec]" or, simple, "1.234". */
void bench_print_total(const struct bench_ctx *ctx, u64 ns);
/* usecs/op and ops/sec. */
void bench_print_rate(u64 ns, u64 ops);

/* Number of threads: what was asked for, 0 = one per online CPU. */
unsigned int bench_nr_threads(u64 asked);

/*
 * Threads that wait for each other and then start together. pin: thread i runs on the i-th allowed
 * CPU, round robin. fn gets ctx + i * size. Does not return when a thread cannot be made.
 */
struct bench_threads {
	pthread_t *ids;
	unsigned int nr;
};
void bench_threads_start(struct bench_threads *t, unsigned int nr, bool pin, void *(*fn)(void *),
			 void *ctx, size_t size);
void bench_threads_join(struct bench_threads *t);

/* A gate that opens when `nr` threads have called bench_gate_wait(). */
struct bench_gate {
	pthread_barrier_t barrier;
};
void bench_gate_init(struct bench_gate *g, unsigned int nr);
void bench_gate_wait(struct bench_gate *g);

/* Sleeps so many seconds, less after Ctrl-C. Returns the time that passed, in ns. */
u64 bench_run_seconds(u64 seconds);
/* mlockall() where asked for. */
void bench_lock_memory(bool wanted);

#endif
