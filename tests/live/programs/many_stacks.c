/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * many_stacks N: N different stacks sleep for a moment each, one after the other, each 20 callers deep, while another
 * thread sleeps all the time, in sleep_long(). Build with frame pointers and without tail calls.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { DEPTH = 20 };
static volatile int done;
static volatile unsigned int calls;

/* (of code without frame pointers, as libc is, the caller is missing) */
static void sleep_for(time_t s, long ns)
{
	nanosleep(&(struct timespec){ .tv_sec = s, .tv_nsec = ns }, NULL);
	calls++;
}

static void left(unsigned int path, int depth);

static void go_on(unsigned int path, int depth)
{
	if (!depth)
		sleep_for(0, 100000);
	else
		left(path, depth - 1);
	calls++;
}

/* By the path's bits: two calls of one function are two places to come back to. */
static void left(unsigned int path, int depth)
{
	if (path >> depth & 1)
		go_on(path, depth);
	else
		go_on(path, depth);
	calls++;
}

static void *sleep_long(void *arg)
{
	while (!done)
		sleep_for(60, 0);
	return arg;
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 1000;
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_long, NULL))
		return 1;
	for (unsigned int i = 0; i < n; i++)
		left(i, DEPTH);
	return 0;
}
