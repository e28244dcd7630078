/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workloads of several threads or processes. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/test/test.h"
#include "cmd/test/workloads.h"

enum { MAX_THREADS = 10000, MAX_NAMED_THREADS = 25, DEFAULT_SWITCHES = 100 };

static void start_thread(pthread_t *id, void *(*fn)(void *), void *arg)
{
	errno = pthread_create(id, NULL, fn, arg);
	if (errno) {
		perror("pthread_create");
		exit(1);
	}
}

/* ---- thloop: threads that count ---- */

static _Atomic(unsigned long) thloop_count;

static KEPT void test_loop(void)
{
	/* together, without locking the bus for it: what is lost does not matter */
	while (!workload_done)
		atomic_store_explicit(&thloop_count,
				      atomic_load_explicit(&thloop_count, memory_order_relaxed) + 1,
				      memory_order_relaxed);
}

/* perf's own tests look for these two names in the stacks of the threads. */
static KEPT void *thfunc(void *arg)
{
	test_loop();
	return arg;
}

int workload_thloop(int argc, const char **argv)
{
	unsigned int nr = 2;
	pthread_t *ids;

	if (!workload_number(argc, argv, 1, 0, MAX_THREADS, &nr) || !workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	ids = XNEW_ARRAY(pthread_t, nr + 1);
	for (unsigned int i = 1; i < nr; i++)
		start_thread(&ids[i], thfunc, NULL);
	test_loop();
	for (unsigned int i = 1; i < nr; i++)
		pthread_join(ids[i], NULL);
	free(ids);
	return 0;
}

/* ---- named_threads: each with a name of its own ---- */

struct named_thread {
	pthread_t id;
	unsigned int number, rounds;
	volatile unsigned int count;
};

static KEPT void *named_thread_loop(void *arg)
{
	struct named_thread *t = arg;
	char name[16];

	snprintf(name, sizeof(name), "thread%u", t->number);
	prctl(PR_SET_NAME, name);
	for (unsigned int i = 0; i < t->rounds; i++)
		t->count++;
	return NULL;
}

int workload_named_threads(int argc, const char **argv)
{
	struct named_thread threads[MAX_NAMED_THREADS];
	unsigned int nr = 1, rounds = 1;

	if (!workload_number(argc, argv, 0, 1, MAX_NAMED_THREADS, &nr) ||
	    !workload_number(argc, argv, 1, 0, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	for (unsigned int i = 0; i < nr; i++) {
		threads[i] = (struct named_thread){ .number = i + 1, .rounds = rounds };
		start_thread(&threads[i].id, named_thread_loop, &threads[i]);
	}
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(threads[i].id, NULL);
	return 0;
}

/* ---- context_switch_loop: two processes that wait for each other ---- */

/* Hands a byte over and waits for the other one's; who begins writes first. */
static KEPT int hand_over(const char *name, int in, int out, bool begins, unsigned int rounds)
{
	char byte = 0;

	prctl(PR_SET_NAME, name);
	for (unsigned int i = 0; i < rounds; i++) {
		if ((begins && write(out, &byte, 1) != 1) || read(in, &byte, 1) != 1 ||
		    (!begins && write(out, &byte, 1) != 1)) {
			perror("context_switch_loop");
			return 1;
		}
	}
	return 0;
}

int workload_context_switch_loop(int argc, const char **argv)
{
	unsigned int rounds = DEFAULT_SWITCHES;
	int there[2], back[2], status = 0, code;
	pid_t pid;

	if (!workload_number(argc, argv, 0, 0, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	fflush(NULL);
	if (pipe(there) || pipe(back) || (pid = fork()) < 0) {
		perror("context_switch_loop");
		return 1;
	}
	if (!pid) {
		close(there[1]);
		close(back[0]);
		_exit(hand_over("proc1", there[0], back[1], false, rounds));
	}
	close(there[0]);
	close(back[1]);
	code = hand_over("proc2", back[0], there[1], true, rounds);
	close(there[1]);
	close(back[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return code ? code : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
