/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks: the threads that an analyser has met, numbered from 0 in order of first sight. What the
 * records of forks, names and exits say of them is applied in order of time. A number that the
 * kernel gives to another thread later (after an exit, by a fork) is another task.
 *
 * A machine's table has rows of these records, whose handlers call tasks_take(): TASKS_HANDLERS and
 * TASKS_ROWS.
 */
#ifndef ANALYZE_TASKS_H
#define ANALYZE_TASKS_H

#include "analyze/analyze.h"
#include "base/intern.h"

struct analyze_task {
	u32 tid;
	u32 pid; /* (u32)-1 = not told */
	u32 parent; /* tid of who forked it; (u32)-1 = not told */
	str_id comm; /* 0 = not told */
	u32 named; /* how often it was given a name */
	bool exited;
};

/* The tasks that have the numbers of threads now, + 1; 0 = none. */
enum { TASKS_PAGE = 1024 };
struct tasks_page {
	u32 task[TASKS_PAGE];
};

/* Zero bytes are an empty table. */
struct tasks {
	VEC(struct analyze_task) v;
	VEC(struct tasks_page *) pages; /* by tid / TASKS_PAGE; NULL = none of it yet */
	struct map odd; /* tasks whose numbers no kernel gives */
	VEC(u32) free; /* forgotten: for the next new ones */
	struct intern names;
};

enum { TASKS_EVENT_FORK, TASKS_EVENT_COMM, TASKS_EVENT_EXIT };

void tasks_release(struct tasks *t);
/* The number of the task that has a tid now, which may be new. */
u32 tasks_find(struct tasks *t, u32 tid);
/* The same of one whose pid is told. */
u32 tasks_find_in(struct tasks *t, u32 pid, u32 tid);
/* Of one that has exited, nobody asks any more: the next new task gets its number. */
void tasks_forget(struct tasks *t, u32 task);
/* A row of PERF_RECORD_FORK, _COMM or _EXIT, as `which` says (TASKS_EVENT_*). */
void tasks_take(struct tasks *t, const struct analyze_row *r, unsigned int which);
/* As perf has it: "swapper" of tid 0, ":TID" of one that was never named. Into buf where it is made
 * up.
 */
const char *tasks_comm(const struct tasks *t, u32 task, char buf[16]);

/* The three handlers, for a ctx of a struct that has its tasks in a member of this name ... */
#define TASKS_HANDLER(name, type, which)                                                           \
	static void name(void *ctx, const struct analyze_row *r)                                   \
	{                                                                                          \
		tasks_take(&((type *)ctx)->tasks, r, which);                                       \
	}
#define TASKS_HANDLERS(type)                                                                       \
	TASKS_HANDLER(take_fork, type, TASKS_EVENT_FORK)                                           \
	TASKS_HANDLER(take_comm, type, TASKS_EVENT_COMM)                                           \
	TASKS_HANDLER(take_exit, type, TASKS_EVENT_EXIT)
/* ... and their rows of the machine's table. */
/* clang-format off */
#define TASKS_ROWS                                                                                 \
	{ .record = PERF_RECORD_FORK, .take = take_fork },                                         \
	{ .record = PERF_RECORD_COMM, .take = take_comm },                                         \
	{ .record = PERF_RECORD_EXIT, .take = take_exit }
/* clang-format on */

#endif
