// SPDX-License-Identifier: GPL-2.0-or-later
// Two threads that call nothing of libc. Argument: milliseconds.
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static volatile long sum;
static struct timespec end;

static int is_over(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec > end.tv_nsec);
}

__attribute__((noinline)) static void leaf(long n)
{
	for (long i = 0; i < n; i++)
		sum += i;
}

__attribute__((noinline)) static void nested(int depth)
{
	if (depth)
		nested(depth - 1);
	else
		leaf(100000);
	sum++;
}

static void *work(void *arg)
{
	while (!is_over())
		nested(5);
	return arg;
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 500;
	pthread_t other;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += ms / 1000;
	end.tv_nsec += ms % 1000 * 1000000;
	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	pthread_join(other, NULL);
	return 0;
}
