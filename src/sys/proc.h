/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/proc: tasks and their maps from /proc, fast enough for thousands of processes: one buffer
 * that is used again, no stdio, strings are views into that buffer.
 *
 * A sys_proc belongs to one thread; several threads use several. Processes may vanish at any
 * moment: that is an ordinary false/empty result, never an error text.
 *
 * Source: proc(5).
 */
#ifndef SYS_PROC_H
#define SYS_PROC_H

#include "base/strbuf.h"
#include "base/vec.h"

struct sys_proc {
	int dirfd; /* the procfs root */
	struct strbuf buf; /* file contents; views below point here until the next call */
	char *dents; /* getdents buffer */
};

typedef VEC(pid_t) sys_pids;

/* procfs NULL = /proc. false: it cannot be opened. */
bool sys_proc_init(struct sys_proc *p, const char *procfs);
void sys_proc_release(struct sys_proc *p);

/* Replace *out by all process ids, or the thread ids of pid, ascending. false: gone. */
bool sys_proc_pids(struct sys_proc *p, sys_pids *out);
bool sys_proc_tids(struct sys_proc *p, pid_t pid, sys_pids *out);

struct sys_task {
	pid_t pid; /* thread group */
	pid_t tid;
	pid_t ppid;
	u32 uid; /* real */
	char comm[64]; /* escapes of /proc undone (\\n, \\\\) */
	bool kernel_thread;
};
/* From /proc/PID/task/TID/status. */
bool sys_proc_task(struct sys_proc *p, pid_t pid, pid_t tid, struct sys_task *t);
/* Name only; "" when gone. */
bool sys_proc_comm(struct sys_proc *p, pid_t pid, char *comm, size_t size);

enum { SYS_MAP_READ = 1, SYS_MAP_WRITE = 2, SYS_MAP_EXEC = 4 };

/* One line of /proc/PID/maps. */
struct sys_map {
	u64 start, end, pgoff;
	u32 prot; /* SYS_MAP_* */
	bool shared; /* 's', else private */
	u32 maj, min;
	u64 ino;
	const char
		*path; /* view, NUL-terminated, \012 kept as the kernel writes it; "" = anonymous */
};
struct sys_maps_iter {
	char *at; /* what is left of the text, in which paths' ends become NUL */
};
/* Read the maps of pid; then call sys_maps_next() until it says false. The iterator is valid until
 * the next call with p. */
bool sys_proc_maps(struct sys_proc *p, pid_t pid, struct sys_maps_iter *it);
bool sys_maps_next(struct sys_maps_iter *it, struct sys_map *m);
/* The file that is mapped at an address of this process, and the place in it. false: none is. */
bool sys_proc_own_file(const void *address, char *path, size_t size, u64 *offset);

/* Whether /proc tells of the processes that we know by the same numbers. In a pid namespace of our
 * own, without a /proc of its own, it does not. procfs NULL = /proc; one that is not there tells
 * nothing wrong. */
bool sys_proc_is_ours(const char *procfs);

/* The parent of a process, and its terminal as a device number (0 = it has none). procfs NULL =
 * /proc. false: it is gone. */
bool sys_proc_terminal(const char *procfs, u32 pid, u32 *parent, s32 *terminal);

/* When a process began, in ticks since the machine was started: with its number this names it for
 * good. procfs NULL = /proc. false: it is gone. */
bool sys_proc_start(const char *procfs, u32 pid, u64 *ticks);

/* Inode number of /proc/PID/ns/NAME ("net", "uts", "ipc", "pid", "user", "mnt", "cgroup"). */
bool sys_proc_ns(struct sys_proc *p, pid_t pid, const char *name, u64 *dev, u64 *ino);

#endif
