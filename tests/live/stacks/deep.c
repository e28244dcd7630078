/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Spends its time below main in ways that break stacks: callbacks from libc, a signal handler, deep
 * recursion, a thread, frames without frame pointer. Arguments: what, milliseconds of CPU time. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long sink;
static clock_t end;

static inline __attribute__((always_inline)) void spin(long n)
{
	for (long i = 0; i < n; i++)
		sink += i * i;
}

static int compare(const void *a, const void *b)
{
	spin(2000);
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void sort(void)
{
	int v[64];

	for (int i = 0; i < 64; i++)
		v[i] = rand();
	qsort(v, 64, sizeof(*v), compare);
	sink += v[3];
}

__attribute__((noinline)) static void recurse(int n)
{
	if (n)
		recurse(n - 1);
	else
		sort();
	sink++;
}

static void on_signal(int sig)
{
	sort();
	sink += sig;
}

static void *thread(void *arg)
{
	while (clock() < end)
		recurse(3);
	return arg;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "sort";
	pthread_t t;

	end = clock() + (argc > 2 ? atoi(argv[2]) : 1000) * (CLOCKS_PER_SEC / 1000);
	if (!strcmp(what, "thread")) {
		pthread_create(&t, NULL, thread, NULL);
		pthread_join(t, NULL);
		return 0;
	}
	signal(SIGUSR1, on_signal);
	while (clock() < end) {
		if (!strcmp(what, "signal"))
			raise(SIGUSR1);
		else
			recurse(strcmp(what, "deep") ? 1 : 100);
	}
	return 0;
}
