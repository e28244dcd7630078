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
	/* protected by lock, as all up to quit */
	u64 round; /* of loops, from 1 */
	bool open; /* workers may join the round */
	unsigned int busy; /* of threads, those that did and are not done */
	void (*aside)(void *ctx); /* NULL = nothing is waiting to be done */
	void *aside_ctx;
	bool is_aside; /* it is being done */
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

/* With the lock held, which is given up meanwhile. */
static void do_aside(struct par *p)
{
	void (*fn)(void *ctx) = p->aside;

	p->aside = NULL;
	p->is_aside = true;
	pthread_mutex_unlock(&p->lock);
	fn(p->aside_ctx);
	pthread_mutex_lock(&p->lock);
	p->is_aside = false;
	pthread_cond_signal(&p->done);
}

static void join_round(struct par *p, unsigned int worker)
{
	p->busy++;
	pthread_mutex_unlock(&p->lock);
	run_slices(p, worker);
	pthread_mutex_lock(&p->lock);
	if (!--p->busy)
		pthread_cond_signal(&p->done);
}

static void *thread_main(void *arg)
{
	struct par_thread *t = arg;
	struct par *p = t->pool;
	u64 seen = 0;

	pthread_mutex_lock(&p->lock);
	while (!p->quit) {
		if (p->aside) {
			do_aside(p);
		} else if (p->open && p->round != seen) {
			seen = p->round;
			join_round(p, t->worker);
		} else {
			pthread_cond_wait(&p->wake, &p->lock);
		}
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

/* Signals are the caller's: it may wait for them in a way of its own. */
static bool start_thread(pthread_t *thread, void *(*fn)(void *arg), void *arg)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = !pthread_create(thread, NULL, fn, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
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
		if (!start_thread(&t->thread, thread_main, t))
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
	bool alone = p->nr == 1 || n <= grain;

	if (!n)
		return;
	pthread_mutex_lock(&p->lock);
	p->fn = fn;
	p->ctx = ctx;
	p->n = n;
	p->grain = MAX(grain, (size_t)1);
	atomic_store(&p->next, 0);
	p->open = !alone;
	p->round++;
	if (!alone)
		pthread_cond_broadcast(&p->wake);
	pthread_mutex_unlock(&p->lock);
	run_slices(p, 0);
	if (alone)
		return;
	pthread_mutex_lock(&p->lock);
	p->open = false; /* there is nothing left for who comes now */
	while (p->busy)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void par_aside(struct par *p, void (*fn)(void *ctx), void *ctx)
{
	if (p->nr == 1) {
		fn(ctx);
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->aside = fn;
	p->aside_ctx = ctx;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
}

void par_aside_wait(struct par *p)
{
	pthread_mutex_lock(&p->lock);
	if (p->aside)
		do_aside(p); /* nobody came for it yet */
	while (p->is_aside)
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

static bool start_task(struct par_task *t)
{
	t->threaded = start_thread(&t->thread, task_main, t);
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
