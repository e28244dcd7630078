/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/paths: files of descriptors of processes that run now. Of one that was open before, what
 * /proc has when it is read; of one that the trace has seen opened, the name that the program gave,
 * below the directory's where that is known. Where the kernel was not asked for the name there is
 * no path: /proc may tell of another file by now. One thread.
 */
#ifndef TRACE_PATHS_H
#define TRACE_PATHS_H

#include "base/types.h"
#include "trace/memory.h"

struct trace_paths;

/*
 * follows: all calls that give descriptors of a process to other files are told here, so that a
 * path stays true until then. Otherwise it is read again each time.
 */
struct trace_paths *trace_paths_new(bool follows);
void trace_paths_free(struct trace_paths *p);
/* Whether calls of that kind give descriptors to files, or take them away. */
bool trace_call_changes_files(const struct trace_syscall *s);
/* Whether a call is of interest here, also if nobody else wants it. */
bool trace_paths_want(const struct trace_paths *p, const struct trace_syscall *s);
/* NULL = not known. It stays until the next call. */
const char *trace_path(struct trace_paths *p, u32 pid, s32 fd);
/* The protocol of a netlink socket that the trace has seen made, else NO_NETLINK. */
int trace_paths_netlink(const struct trace_paths *p, u32 pid, s32 fd);
/* A call has returned: what it did to its process's descriptors. */
void trace_paths_follow(struct trace_paths *p, const struct trace_call *c, s64 result);
/* Events were lost, of whatever calls: what was known is not true for sure any more. */
void trace_paths_lost(struct trace_paths *p);
/* The process has ended. */
void trace_paths_forget(struct trace_paths *p, u32 pid);

/* How it was found out what descriptors are: names in calls that open files, looks at /proc. */
struct trace_path_counts {
	u64 seen, read;
};
struct trace_path_counts trace_paths_counts(const struct trace_paths *p);

#endif
