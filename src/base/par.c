/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/par.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/mem.h"

enum { MAX_WORKERS = 256 };

struct par_thread {
	struct par *pool;
	pthread_t thread;
	unsigned int worker;
};

struct par {
	unsigned int nr;
	struct par_thread *threads; /* nr - 1 of them, worker 1 .. nr - 1 */
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_cond_t done;
	u64 round;	   /* a new value starts the workers; protected by lock */
	unsigned int busy; /* workers still in the current round; protected by lock */
	bool quit;
	/* the current loop */
	par_fn fn;
	void *ctx;
	size_t n;
	size_t grain;
	_Atomic size_t next;
};

static void run_slices(struct par *p, unsigned int worker)
{
	for (;;) {
		size_t from = atomic_fetch_add(&p->next, p->grain);

		if (from >= p->n)
			return;
		p->fn(p->ctx, worker, from, MIN(from + p->grain, p->n));
	}
}

static void *thread_main(void *arg)
{
	struct par_thread *t = arg;
	struct par *p = t->pool;
	u64 seen = 0;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->round == seen && !p->quit)
			pthread_cond_wait(&p->wake, &p->lock);
		if (p->quit)
			break;
		seen = p->round;
		pthread_mutex_unlock(&p->lock);
		run_slices(p, t->worker);
		pthread_mutex_lock(&p->lock);
		if (!--p->busy)
			pthread_cond_signal(&p->done);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static unsigned int usable_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 1;
	return (unsigned int)CPU_COUNT(&set);
}

struct par *par_new(unsigned int workers)
{
	struct par *p = XNEW(struct par);

	if (!workers)
		workers = usable_cpus();
	workers = MIN(MAX(workers, 1U), (unsigned int)MAX_WORKERS);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	pthread_cond_init(&p->done, NULL);
	p->threads = XNEW_ARRAY(struct par_thread, workers);
	p->nr = 1;
	for (unsigned int i = 0; i + 1 < workers; i++) {
		struct par_thread *t = &p->threads[i];

		t->pool = p;
		t->worker = i + 1;
		if (pthread_create(&t->thread, NULL, thread_main, t))
			break; /* fewer threads are fine */
		p->nr++;
	}
	return p;
}

void par_free(struct par *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->quit = true;
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i + 1 < p->nr; i++)
		pthread_join(p->threads[i].thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->wake);
	pthread_cond_destroy(&p->done);
	free(p->threads);
	free(p);
}

unsigned int par_workers(const struct par *p)
{
	return p->nr;
}

void par_for(struct par *p, size_t n, size_t grain, par_fn fn, void *ctx)
{
	if (!n)
		return;
	p->fn = fn;
	p->ctx = ctx;
	p->n = n;
	p->grain = MAX(grain, (size_t)1);
	atomic_store(&p->next, 0);
	if (p->nr == 1 || n <= p->grain) {
		run_slices(p, 0);
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->busy = p->nr - 1;
	p->round++;
	pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	run_slices(p, 0);
	pthread_mutex_lock(&p->lock);
	while (p->busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

struct par_task {
	pthread_t thread;
	bool threaded;
	void (*fn)(void *ctx);
	void *ctx;
};

static void *task_main(void *arg)
{
	struct par_task *t = arg;

	t->fn(t->ctx);
	return NULL;
}

/* Signals are the caller's: it may wait for them in a way of its own. */
static bool start_task(struct par_task *t)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	t->threaded = !pthread_create(&t->thread, NULL, task_main, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return t->threaded;
}

struct par_task *par_task_start(void (*fn)(void *ctx), void *ctx)
{
	struct par_task *t = XNEW(struct par_task);

	t->fn = fn;
	t->ctx = ctx;
	if (!start_task(t))
		fn(ctx);
	return t;
}

struct par_task *par_task_beside(void (*fn)(void *ctx), void *ctx)
{
	struct par_task *t = XNEW(struct par_task);

	t->fn = fn;
	t->ctx = ctx;
	if (start_task(t))
		return t;
	free(t);
	return NULL;
}

void par_task_wait(struct par_task *t)
{
	if (!t)
		return;
	if (t->threaded)
		pthread_join(t->thread, NULL);
	free(t);
}
