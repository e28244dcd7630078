/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/tasks: the threads that a trace has met, each with its name and the system call that it is
 * in. A number that the kernel gives to another thread later is another task. One thread.
 */
#ifndef TRACE_TASKS_H
#define TRACE_TASKS_H

#include "base/map.h"
#include "base/vec.h"
#include "trace/syscall.h"

enum { TRACE_COMM = 16 };

struct trace_task {
	u32 tid, pid;
	char comm[TRACE_COMM]; /* "" = not told */
	u64 nr_events;
	u64 runtime; /* ns on a CPU, of sched:sched_stat_runtime */
	/* the call that it is in */
	const struct trace_syscall *syscall; /* NULL = none */
	bool interrupted; /* its beginning has been printed */
	u64 start;
	u64 args[TRACE_ARGS];
	u32 cpu;
	/* what was read of its arguments' memory */
	u32 nr_read, room; /* bytes */
	u8 *read;
};

/* Which task has a number now, or had it last. */
struct trace_tid {
	u32 tid, task;
};

/* Zero bytes are an empty table. */
struct trace_tasks {
	VEC(struct trace_task) v; /* in order of first sight */
	VEC(struct trace_tid) tids;
	struct map by_tid; /* in tids */
};

void trace_tasks_release(struct trace_tasks *t);
/* Its number; pid (u32)-1 = not told. */
u32 trace_task_find(struct trace_tasks *t, u32 pid, u32 tid);
/* Its number, or (u32)-1: it has not been met. */
u32 trace_task_get(const struct trace_tasks *t, u32 tid);
/* What was read when its call began. */
void trace_task_read(struct trace_task *task, const u8 *data, u32 size);
/* Records of names and forks. */
void trace_task_named(struct trace_tasks *t, u32 pid, u32 tid, const char *comm, size_t len);
void trace_task_forked(struct trace_tasks *t, u32 pid, u32 tid, u32 parent);

#endif
