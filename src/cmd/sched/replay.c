/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched replay: threads do what the recorded tasks did, again and again. */
#include "analyze/sched_replay.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/sched/sched.h"

enum { MEASURED = 10, STACK_SIZE = 64 << 10, TEST_NS = 1000000 };

struct replayer {
	struct session *session;
	struct sched_replay *plan;
	const struct replay_task *tasks;
	size_t nr_tasks;
	u64 run_overhead; /* ns that a run of no time takes */
	sem_t *waits; /* by number of the wait */
	/* under lock */
	pthread_mutex_t lock;
	pthread_cond_t moved;
	u64 round; /* that threads are to do: 0 = none yet */
	size_t at_work;
	bool over;
	u64 cpu_ns; /* that threads had in this round */
	struct replay_thread *threads;
	size_t nr_threads;
};

struct replay_thread {
	pthread_t thread;
	struct replayer *replay;
	const struct replay_task *task;
};

static u64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

/* ------------------------------------------------------------------ what tasks do */

/* Have the CPU for so long, whoever else wants it. */
static void burn(const struct replayer *p, u64 ns)
{
	u64 begin = clock_ns(CLOCK_THREAD_CPUTIME_ID), now;

	do
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (now - begin + p->run_overhead < ns);
}

static void sleep_ns(u64 ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static void do_task(struct replayer *p, const struct replay_task *t)
{
	VEC_FOR(&t->events, ev) {
		switch (ev->kind) {
		case REPLAY_RUN:
			if (t->idle)
				sleep_ns(ev->ns);
			else
				burn(p, ev->ns);
			break;
		case REPLAY_WAIT:
			while (ev->wait && sem_wait(&p->waits[ev->wait]) && errno == EINTR)
				;
			break;
		case REPLAY_WAKE:
			sem_post(&p->waits[ev->wait]);
			break;
		}
	}
}

/* ------------------------------------------------------------------ threads */

/* Waits for another round than the one it did last; false: there is none. */
static bool await_round(struct replayer *p, u64 *round)
{
	bool over;

	pthread_mutex_lock(&p->lock);
	while (p->round == *round && !p->over)
		pthread_cond_wait(&p->moved, &p->lock);
	*round = p->round;
	over = p->over;
	pthread_mutex_unlock(&p->lock);
	return !over;
}

static void *thread_main(void *arg)
{
	const struct replay_thread *t = arg;
	struct replayer *p = t->replay;
	u64 round = 0;

	while (await_round(p, &round)) {
		u64 begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);

		do_task(p, t->task);
		pthread_mutex_lock(&p->lock);
		p->cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
		if (!--p->at_work)
			pthread_cond_broadcast(&p->moved);
		pthread_mutex_unlock(&p->lock);
	}
	return NULL;
}

static int start_threads(struct replayer *p, struct err *e)
{
	pthread_attr_t attr;
	int r = 0;

	p->threads = XNEW_ARRAY(struct replay_thread, p->nr_tasks);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, MAX((size_t)STACK_SIZE, (size_t)PTHREAD_STACK_MIN));
	for (size_t i = 0; i < p->nr_tasks && !r; i++) {
		struct replay_thread *t = &p->threads[i];

		t->replay = p;
		t->task = &p->tasks[i];
		r = pthread_create(&t->thread, &attr, thread_main, t);
		p->nr_threads += !r;
	}
	pthread_attr_destroy(&attr);
	if (!r)
		return 0;
	err_set(e, r, "cannot start a thread for each of %zu tasks: %s", p->nr_tasks, strerror(r));
	err_hint(e, "record less, or raise the limit of processes: ulimit -u");
	return -1;
}

static void end_threads(struct replayer *p)
{
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < p->nr_threads; i++)
		pthread_join(p->threads[i].thread, NULL);
	free(p->threads);
}

/* CPU time of all threads, in ns. */
static u64 do_round(struct replayer *p)
{
	u64 cpu_ns;

	pthread_mutex_lock(&p->lock);
	p->cpu_ns = 0;
	p->at_work = p->nr_threads;
	p->round++;
	pthread_cond_broadcast(&p->moved);
	while (p->at_work)
		pthread_cond_wait(&p->moved, &p->lock);
	cpu_ns = p->cpu_ns;
	pthread_mutex_unlock(&p->lock);
	return cpu_ns;
}

/* ------------------------------------------------------------------ measurements */

static u64 least(struct replayer *p, void (*act)(struct replayer *p))
{
	u64 min = UINT64_MAX;

	for (int i = 0; i < MEASURED; i++) {
		u64 begin = clock_ns(CLOCK_MONOTONIC);

		act(p);
		min = MIN(min, clock_ns(CLOCK_MONOTONIC) - begin);
	}
	return min;
}

static void run_nothing(struct replayer *p)
{
	burn(p, 0);
}

static void sleep_shortly(struct replayer *p UNUSED)
{
	sleep_ns(10000);
}

static void measure(struct replayer *p)
{
	u64 begin, sleep_overhead;

	p->run_overhead = least(p, run_nothing);
	sleep_overhead = least(p, sleep_shortly) - 10000;
	printf("run measurement overhead: %llu nsecs\nsleep measurement overhead: %llu nsecs\n",
	       (unsigned long long)p->run_overhead, (unsigned long long)sleep_overhead);
	begin = clock_ns(CLOCK_MONOTONIC);
	burn(p, TEST_NS);
	printf("the run test took %llu nsecs\n",
	       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - begin));
	begin = clock_ns(CLOCK_MONOTONIC);
	sleep_ns(TEST_NS);
	printf("the sleep test took %llu nsecs\n",
	       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - begin));
}

/* ------------------------------------------------------------------ the command */

static void print_plan(const struct replayer *p)
{
	const struct replay_totals n = sched_replay_totals(p->plan);
	const struct tasks *tasks = sched_replay_tasks(p->plan);
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	strbuf_addf(&out,
		    "nr_run_events:        %llu\nnr_sleep_events:      %llu\n"
		    "nr_wakeup_events:     %llu\n",
		    (unsigned long long)n.runs, (unsigned long long)n.waits,
		    (unsigned long long)n.wakes);
	if (n.aimless)
		strbuf_addf(&out, "target-less wakeups:  %llu\n", (unsigned long long)n.aimless);
	if (n.again)
		strbuf_addf(&out, "multi-target wakeups: %llu\n", (unsigned long long)n.again);
	for (size_t i = 0; i < p->nr_tasks; i++) {
		const struct replay_task *t = &p->tasks[i];
		_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
		char buf[16];

		if (t->idle)
			strbuf_addf(&name, "swapper/%u", t->cpu);
		else
			strbuf_add_escaped(&name, tasks_comm(tasks, t->task, buf));
		strbuf_addf(&out, "task %6zu (%20s:%10d), nr_events: %zu\n", i, name.buf,
			    (s32)tasks->v.v[t->task].tid, t->events.nr);
	}
	strbuf_pad(&out, '-', 60);
	strbuf_addch(&out, '\n');
	fwrite(out.buf, 1, out.len, stdout);
}

/* Mean of what there was before and of one value more. */
static double mean_with(double mean, u64 nr, double value)
{
	return mean + (value - mean) / (double)nr;
}

/* perf's: a mean over as many values as were asked for, the first in place of those to come. */
static void replay(struct replayer *p, int repeat)
{
	double wall_mean = 0, cpu_mean = 0;

	for (u64 i = 1; repeat <= 0 || i <= (u64)repeat; i++) {
		u64 begin = clock_ns(CLOCK_MONOTONIC);
		double cpu = (double)do_round(p) / 1e6;
		double wall = (double)(clock_ns(CLOCK_MONOTONIC) - begin) / 1e6;
		u64 nr = i == 1 ? 1 : repeat > 0 ? (u64)repeat : i;

		wall_mean = mean_with(wall_mean, nr, wall);
		cpu_mean = mean_with(cpu_mean, nr, cpu);
		printf("#%-3llu: %0.3f, ravg: %0.2f, cpu: %0.2f / %0.2f\n", (unsigned long long)i,
		       wall, wall_mean, cpu, cpu_mean);
		/* the next one may take long */
		fflush(stdout);
	}
}

static int run(struct replayer *p, struct sched_opts *o, struct err *e)
{
	u32 nr_waits;

	if (sched_open(o, NULL, e))
		return -1;
	p->session = o->rec.session;
	if (sched_replay_new(&p->plan, p->session, e))
		return -1;
	measure(p);
	if (sched_replay_run(p->plan, e))
		return -1;
	p->tasks = sched_replay_list(p->plan, &p->nr_tasks);
	print_plan(p);
	nr_waits = sched_replay_totals(p->plan).nr_waits;
	p->waits = XNEW_ARRAY(sem_t, (size_t)nr_waits + 1);
	for (u32 i = 0; i <= nr_waits; i++)
		sem_init(&p->waits[i], 0, 0);
	if (start_threads(p, e))
		return -1;
	replay(p, o->repeat);
	return 0;
}

int sched_replay_main(struct sched_opts *o)
{
	struct replayer p = { .lock = PTHREAD_MUTEX_INITIALIZER,
			      .moved = PTHREAD_COND_INITIALIZER };
	struct err e = ERR_INIT;
	int r = run(&p, o, &e);

	end_threads(&p);
	fflush(stdout);
	if (!r)
		losses_tell_events(p.session, "times are");
	free(p.waits);
	sched_replay_free(p.plan);
	return r ? sched_fail(&e) : 0;
}
