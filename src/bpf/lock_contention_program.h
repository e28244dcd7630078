/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/lock_contention_program: what the programs of lock_contention.bpf.c share with
 * lock_contention.c.
 */
#ifndef BPF_LOCK_CONTENTION_PROGRAM_H
#define BPF_LOCK_CONTENTION_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum {
	LOCK_CONTENTION_TASKS = 65536, /* that are watched */
	LOCK_CONTENTION_FLAGS = 64, /* values that the event's flags have */
	LOCK_CONTENTION_FRAMES = 127, /* of a stack, at most */
	LOCK_CONTENTION_COMM = 16,
	LOCK_CONTENTION_DELAYS = 64, /* locks that are kept for longer, */
	LOCK_CONTENTION_LONGEST = 10000000, /* ns at most */
	/* bits of the event's flags, as in analyze/lock_waits.h */
	LOCK_CONTENTION_READ = 2,
	LOCK_CONTENTION_WRITE = 4,
	LOCK_CONTENTION_MUTEX = 32,
};

/* Whose waits are summed up. */
struct lock_contention_key {
	/* the lock, the cgroup or the task: its tid, and bits of when it began above that; of
	 * callers 0 */
	u64 id;
	s32 stack; /* -1: not asked for, or not known */
	u32 flags; /* of callers and locks */
};

struct lock_contention_sums {
	u64 count, total, least, most; /* ns */
	char comm[LOCK_CONTENTION_COMM]; /* of tasks */
};

/* A wait that goes on: of a task (of idle: on a CPU) for a lock. */
struct lock_contention_wait {
	u64 lock, task;
};
struct lock_contention_begin {
	u64 since, owner;
	s32 stack;
	u32 flags;
};

struct lock_contention_shared {
	u64 enabled;
	u64 lost_waits, lost_rows, lost_stacks; /* no room, or no stack */
	u64 unowned; /* waits for a lock whose owner was not told */
	u64 delayed; /* waits after which the lock was kept for longer */
};

#endif
