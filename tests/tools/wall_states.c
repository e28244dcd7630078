/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall_states: threads whose time is known, for perf record --wall:
 *
 *     worker   computes for 300 ms of its CPU's time, sleeps for 500 ms, waits 200 ms for a mutex
 *              that "holder" has, waits 150 ms for a pipe that "writer" fills, then shares one CPU
 *              with "spinner" until it has had it for 200 ms
 *
 * It prints for each how long it took, and for how long of that the thread had a CPU, both in ms:
 * "NAME TOOK HAD". A virtual machine's CPU that the host takes away for a while is had, for the
 * scheduler, while a thread's CPU clock leaves such times out.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int held, stage, over;
static int fds[2];

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Of these frame pointers miss the frame, since the C library's functions have none: their callers are
 * there. */
__attribute__((noinline)) static void rest(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static volatile unsigned long sink;

__attribute__((noinline)) static void compute(double ms)
{
	double end = now(CLOCK_THREAD_CPUTIME_ID) + ms;

	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 1000; i++)
			sink += (unsigned long)i;
}

static void on_cpu_0(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *hold(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "holder");
	pthread_mutex_lock(&mutex);
	held = 1;
	while (stage < 1)
		rest(1);
	rest(200);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *fill(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "writer");
	while (stage < 2)
		rest(1);
	rest(150);
	if (write(fds[1], "x", 1) != 1)
		exit(1);
	return NULL;
}

static void *spin(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "spinner");
	on_cpu_0();
	while (stage < 3)
		rest(1);
	while (!over)
		sink++;
	return NULL;
}

__attribute__((noinline)) static void sleep_long(void)
{
	rest(500);
	sink++;
}

__attribute__((noinline)) static void take(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
}

__attribute__((noinline)) static void wait_mutex(void)
{
	stage = 1;
	take(&mutex);
	stage = 1;
}

__attribute__((noinline)) static void read_one(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		exit(1);
}

__attribute__((noinline)) static void wait_pipe(void)
{
	stage = 2;
	read_one(fds[0]);
	stage = 2;
}

__attribute__((noinline)) static void compete(void)
{
	on_cpu_0();
	stage = 3;
	compute(200);
	over = 1;
}

/* ms that this thread has waited for a CPU so far; less than 0 where the kernel does not count it. */
static double waited(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long ns = 0;
	int n = f ? fscanf(f, "%*u %llu", &ns) : 0;

	if (f)
		fclose(f);
	return n == 1 ? (double)ns / 1e6 : -1;
}

/* computes: fn never sleeps, so that it has a CPU whenever it does not wait for one. */
static void timed(const char *name, void (*fn)(void), bool computes)
{
	double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID), queued = waited();

	fn();
	double took = now(CLOCK_MONOTONIC) - begin, had = now(CLOCK_THREAD_CPUTIME_ID) - cpu;
	if (computes && queued >= 0)
		had = took - (waited() - queued);
	printf("%s %.3f %.3f\n", name, took, had);
}

__attribute__((noinline)) static void compute_alone(void)
{
	compute(300);
}

static void *work(void *arg)
{
	(void)arg;
	prctl(PR_SET_NAME, "worker");
	timed("compute", compute_alone, true);
	timed("sleep", sleep_long, false);
	timed("mutex", wait_mutex, false);
	timed("pipe", wait_pipe, false);
	timed("compete", compete, true);
	return NULL;
}

int main(void)
{
	pthread_t t[4];

	if (pipe(fds))
		return 1;
	pthread_create(&t[0], NULL, hold, NULL);
	while (!held)
		rest(1);
	pthread_create(&t[1], NULL, fill, NULL);
	pthread_create(&t[2], NULL, spin, NULL);
	pthread_create(&t[3], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
