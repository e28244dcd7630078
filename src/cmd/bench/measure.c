/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench/measure.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

void bench_stats_add(struct bench_stats *s, double value)
{
	double delta = value - s->mean;

	s->nr++;
	s->mean += delta / s->nr;
	s->m2 += delta * (value - s->mean);
}

double bench_stats_error(const struct bench_stats *s)
{
	return s->nr < 2 ? 0 : sqrt(s->m2 / (s->nr - 1) / s->nr);
}

double bench_stats_percent(const struct bench_stats *s)
{
	return s->mean != 0 ? 100 * bench_stats_error(s) / s->mean : 0;
}

void bench_die(const char *what)
{
	int error = errno;

	fflush(stdout);
	fprintf(stderr, "perf: %s: %s\n", what, strerror(error));
	exit(1);
}

void bench_die_text(const char *what)
{
	fflush(stdout);
	fprintf(stderr, "perf: %s\n", what);
	exit(1);
}

void bench_print_total(const struct bench_ctx *ctx, u64 ns)
{
	if (ctx->simple)
		printf("%lu.%03lu\n", ns / 1000000000, ns / 1000000 % 1000);
	else
		printf(" %14s: %lu.%03lu [sec]\n", "Total time", ns / 1000000000,
		       ns / 1000000 % 1000);
}

void bench_print_rate(u64 ns, u64 ops)
{
	double usecs = (double)ns / 1000;

	printf(" %14lf usecs/op\n", usecs / (double)ops);
	printf(" %14.0f ops/sec\n", floor((double)ops * 1000000 / usecs));
}

unsigned int bench_nr_threads(u64 asked)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	if (asked > BENCH_MAX_THREADS) {
		errno = EAGAIN;
		bench_die("pthread_create");
	}
	return asked ? (unsigned int)asked : online > 0 ? (unsigned int)online : 1;
}

/* The n-th CPU that this process may use, round robin. */
static int nth_cpu(const cpu_set_t *allowed, unsigned int n)
{
	int nr = CPU_COUNT(allowed), cpu = -1;

	if (!nr)
		return -1;
	for (unsigned int left = n % (unsigned int)nr + 1; left; left--) {
		do {
			cpu++;
		} while (!CPU_ISSET((size_t)cpu, allowed));
	}
	return cpu;
}

void bench_threads_start(struct bench_threads *t, unsigned int nr, bool pin, void *(*fn)(void *),
			 void *ctx, size_t size)
{
	cpu_set_t allowed, one;
	pthread_attr_t attr;

	CPU_ZERO(&allowed);
	pin = pin && !sched_getaffinity(0, sizeof(allowed), &allowed);
	t->ids = XNEW_ARRAY(pthread_t, nr);
	t->nr = nr;
	pthread_attr_init(&attr);
	for (unsigned int i = 0; i < nr; i++) {
		int cpu = pin ? nth_cpu(&allowed, i) : -1;

		if (cpu >= 0) {
			CPU_ZERO(&one);
			CPU_SET((size_t)cpu, &one);
			pthread_attr_setaffinity_np(&attr, sizeof(one), &one);
		}
		errno = pthread_create(&t->ids[i], &attr, fn, (char *)ctx + i * size);
		if (errno)
			bench_die("pthread_create");
	}
	pthread_attr_destroy(&attr);
}

void bench_threads_join(struct bench_threads *t)
{
	for (unsigned int i = 0; i < t->nr; i++)
		pthread_join(t->ids[i], NULL);
	free(t->ids);
	t->ids = NULL;
	t->nr = 0;
}

void bench_gate_init(struct bench_gate *g, unsigned int nr)
{
	errno = pthread_barrier_init(&g->barrier, NULL, nr);
	if (errno)
		bench_die("pthread_barrier_init");
}

void bench_gate_wait(struct bench_gate *g)
{
	pthread_barrier_wait(&g->barrier);
}

static void ignore_signal(int sig UNUSED)
{
}

u64 bench_run_seconds(u64 seconds)
{
	struct sigaction interrupt = { .sa_handler = ignore_signal }, before;
	struct timespec t = { .tv_sec = (time_t)MIN(seconds, 1ULL << 31) };
	u64 start = clock_now();

	sigaction(SIGINT, &interrupt, &before);
	nanosleep(&t, NULL);
	sigaction(SIGINT, &before, NULL);
	return clock_now() - start;
}

void bench_lock_memory(bool wanted)
{
	if (wanted && mlockall(MCL_CURRENT | MCL_FUTURE))
		bench_die("mlockall");
}
