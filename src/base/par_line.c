/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/par.h"

/* Jobs have numbers that count up; job n lives in slot n % nr. */
struct par_line {
	struct par_line_ops ops;
	void *ctx;
	void **jobs;
	bool *worked; /* by slot: ready to be finished */
	size_t nr;
	pthread_t *threads;
	unsigned int nr_threads;
	pthread_mutex_t lock;
	pthread_cond_t more; /* something was put, or quit */
	pthread_cond_t less; /* something was finished */
	u64 put, begun, finished; /* protected by lock, as all below */
	bool finishing; /* a thread is inside ops.finish() */
	bool quit;
};

/* Finish what is next in line; with the lock held, which is given up meanwhile. */
static void finish_ready(struct par_line *l)
{
	while (!l->finishing && l->finished < l->begun && l->worked[l->finished % l->nr]) {
		void *job = l->jobs[l->finished % l->nr];

		l->finishing = true;
		pthread_mutex_unlock(&l->lock);
		l->ops.finish(l->ctx, job);
		pthread_mutex_lock(&l->lock);
		l->finishing = false;
		l->worked[l->finished % l->nr] = false;
		l->finished++;
		pthread_cond_signal(&l->less);
	}
}

static void *line_main(void *arg)
{
	struct par_line *l = arg;

	pthread_mutex_lock(&l->lock);
	for (;;) {
		size_t slot;

		while (l->begun == l->put && !l->quit)
			pthread_cond_wait(&l->more, &l->lock);
		if (l->begun == l->put)
			break;
		slot = l->begun++ % l->nr;
		pthread_mutex_unlock(&l->lock);
		l->ops.work(l->ctx, l->jobs[slot]);
		pthread_mutex_lock(&l->lock);
		l->worked[slot] = true;
		finish_ready(l);
	}
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

struct par_line *par_line_new(unsigned int workers, void *const *jobs, size_t nr,
			      const struct par_line_ops *ops, void *ctx)
{
	struct par_line *l = XNEW(struct par_line);
	sigset_t all, old;

	l->ops = *ops;
	l->ctx = ctx;
	l->nr = nr;
	l->jobs = XNEW_ARRAY(void *, nr);
	memcpy(l->jobs, jobs, nr * sizeof(*jobs));
	l->worked = xcalloc(nr, sizeof(*l->worked));
	l->threads = XNEW_ARRAY(pthread_t, workers ? workers : 1);
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->more, NULL);
	pthread_cond_init(&l->less, NULL);
	/* signals are the caller's */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (l->nr_threads < workers &&
	       !pthread_create(&l->threads[l->nr_threads], NULL, line_main, l))
		l->nr_threads++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return l;
}

void *par_line_take(struct par_line *l)
{
	pthread_mutex_lock(&l->lock);
	while (l->put - l->finished >= l->nr)
		pthread_cond_wait(&l->less, &l->lock);
	pthread_mutex_unlock(&l->lock);
	return l->jobs[l->put % l->nr];
}

void par_line_put(struct par_line *l)
{
	void *job = l->jobs[l->put % l->nr];

	if (!l->nr_threads) {
		l->ops.work(l->ctx, job);
		l->ops.finish(l->ctx, job);
		return;
	}
	pthread_mutex_lock(&l->lock);
	l->put++;
	pthread_cond_signal(&l->more);
	pthread_mutex_unlock(&l->lock);
}

void par_line_drain(struct par_line *l)
{
	pthread_mutex_lock(&l->lock);
	while (l->finished < l->put)
		pthread_cond_wait(&l->less, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

void par_line_free(struct par_line *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->quit = true;
	pthread_cond_broadcast(&l->more);
	pthread_mutex_unlock(&l->lock);
	for (unsigned int i = 0; i < l->nr_threads; i++)
		pthread_join(l->threads[i], NULL);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->more);
	pthread_cond_destroy(&l->less);
	free(l->threads);
	free(l->worked);
	free(l->jobs);
	free(l);
}
