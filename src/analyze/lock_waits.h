/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lock_waits: how long tasks waited for locks of the kernel (lock:contention_begin and _end),
 * summed up by the place in the code that wanted the lock, by task, or by lock.
 *
 * A wait is a task's, for a lock; a beginning before the end of the same wait (a mutex spins first,
 * and sleeps then) belongs to it. It ends when the lock is there, or the task gave up. An end
 * without a beginning is not counted, and a wait that does not end within the recording only as
 * such.
 *
 * Kernels with CONFIG_LOCK_STAT tell more (lock:lock_acquire, _contended, _acquired, _release):
 * also of locks that are free, and their names. Where they are wanted and there, they are taken in
 * place of the others. A task that goes on with a lock as it cannot (it has what it did not want)
 * is a bad sequence: what is known of the two is forgotten, and counted once for each row.
 *
 * Any thread, one at a time; the session must be one by address (session_opts.by_address).
 */
#ifndef ANALYZE_LOCK_WAITS_H
#define ANALYZE_LOCK_WAITS_H

#include "analyze/tasks.h"

enum lock_by { LOCK_BY_CALLER, LOCK_BY_TASK, LOCK_BY_LOCK };

/* Bits of the event's flags: LCB_F_* of the kernel's include/trace/events/lock.h. */
enum {
	LOCK_SPIN = 1,
	LOCK_READER = 2,
	LOCK_WRITER = 4,
	LOCK_RT = 8,
	LOCK_PERCPU = 16,
	LOCK_MUTEX = 32,
};

struct lock_row {
	u64 key;
	u32 number; /* in order of first sight */
	u64 lock; /* of the first wait, as all that follows */
	u32 flags;
	u32 task;
	chain_id chain; /* 0 = none */
	u64 contended; /* waits that began */
	u64 acquired; /* and ended; their times are: */
	u64 total, min, max; /* ns */
	u64 at_once; /* had without a wait: lockdep tells it */
	str_id name; /* what lockdep calls it; 0 = not told */
	bool bad; /* a sequence was */
};

/* lockdep's events. */
enum lockdep_event {
	LOCKDEP_ACQUIRE,
	LOCKDEP_ACQUIRED,
	LOCKDEP_CONTENDED,
	LOCKDEP_RELEASE,
	LOCKDEP_EVENTS
};

struct lock_waits;

struct lock_waits_opts {
	enum lock_by by;
	u32 stack_skip; /* frames of the locks' own code, for LOCK_BY_CALLER */
	bool chains; /* they are wanted, though not for the sums */
	bool lockdep; /* its events are wanted; by is not LOCK_BY_CALLER */
	/* Whether a wait counts; NULL = all. */
	bool (*wants)(void *ctx, const struct analyze_row *r, u64 lock, u32 flags);
	void *ctx;
};

/* -1 with *e: a field is missing, or (not in a stream) there are no such events. */
int lock_waits_new(struct lock_waits **out, struct session *s, const struct lock_waits_opts *o,
		   struct err *e);
void lock_waits_free(struct lock_waits *w);
int lock_waits_run(struct lock_waits *w, struct err *e);
/* In order of first sight. They belong to w; the caller may put them into another order after the
 * run. */
struct lock_row *lock_waits_rows(struct lock_waits *w, size_t *nr);
const struct tasks *lock_waits_tasks(const struct lock_waits *w);
/* Ends without a beginning. */
u64 lock_waits_unmatched(const struct lock_waits *w);
/* Rows with a bad sequence, by the event that made the first so: LOCKDEP_EVENTS numbers. NULL: the
 * recording has no events of lockdep, or they are not wanted. */
const u64 *lock_waits_bad(const struct lock_waits *w);
/* lockdep's name of a row's lock; NULL = not told. */
const char *lock_waits_name(const struct lock_waits *w, const struct lock_row *r);
/* The frame that wanted a lock: the innermost behind stack_skip others that is no code of locks and
 * of the scheduler; NULL = there is none. */
const struct frame *lock_waits_caller(struct lock_waits *w, chain_id chain);
/* "mutex", "rwsem:R", ... */
const char *lock_type(u32 flags);
/* Whether text is such a name, or the part of one before the colon. */
bool lock_type_exists(const char *text);
bool lock_type_is(u32 flags, const char *text);

#endif
