/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * par: the project's entire threading interface: a fixed pool of workers and a parallel loop.
 *
 * Slices of [0, n) are claimed from an atomic counter; fn runs once per slice with the number of
 * the worker that runs it (0 .. par_workers()-1), so per-worker state needs no lock. Worker 0 is
 * the calling thread. A pool of 1 runs everything inline through the same function.
 * par_aside() has one of them do something else first (reading ahead), par_task_start() starts a
 * thread for a task; par_line_new() makes a line of jobs whose results come in order (writing
 * behind).
 */
#ifndef BASE_PAR_H
#define BASE_PAR_H

#include "base/types.h"

struct par;

typedef void (*par_fn)(void *ctx, unsigned int worker, size_t from, size_t to);

/* Workers actually used: at least 1, at most 256. 0 asks for the number of usable CPUs. */
struct par *par_new(unsigned int workers);
void par_free(struct par *p);
unsigned int par_workers(const struct par *p);

/* Run fn over [0, n) in slices of at most grain; returns when all are done. Who has no time takes
 * none of them. */
void par_for(struct par *p, size_t n, size_t grain, par_fn fn, void *ctx);

/*
 * Have one of the workers do something beside the caller, before it takes slices again: one thing
 * at a time. Without a worker to spare it is done at once. A signal may go to that thread.
 */
void par_aside(struct par *p, void (*fn)(void *ctx), void *ctx);
/* Returns when that is done; nothing where there was none. */
void par_aside_wait(struct par *p);

/*
 * A single background task, to which no signals go; par_task_wait() returns when it has finished.
 * Where no thread can be started, it is done at once (start), or not at all and NULL (beside: it
 * must not be).
 */
struct par_task;
struct par_task *par_task_start(void (*fn)(void *ctx), void *ctx);
struct par_task *par_task_beside(void (*fn)(void *ctx), void *ctx);
void par_task_wait(struct par_task *t); /* frees t; NULL is allowed */

/*
 * A line of jobs that are worked on beside the caller, several at once, and finished one at a time
 * in the order in which they were handed in. One thread takes and puts. With no worker (or none
 * that can be started) everything happens inside par_line_put().
 */
struct par_line;
struct par_line_ops {
	void (*work)(void *ctx, void *job);
	void (*finish)(void *ctx, void *job);
};
/* nr jobs are in the line at most; the pointers stay the caller's. */
struct par_line *par_line_new(unsigned int workers, void *const *jobs, size_t nr,
			      const struct par_line_ops *ops, void *ctx);
/* The next free job to fill; waits for the oldest one to be finished. */
void *par_line_take(struct par_line *l);
/* Hand in the job taken last. */
void par_line_put(struct par_line *l);
/* Wait until all that was put is finished. */
void par_line_drain(struct par_line *l);
void par_line_free(struct par_line *l); /* drains first; NULL is allowed */

#endif
