/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/args: arguments and results of system calls as text, as perf has them: "dfd: CWD, flags:
 * RDONLY|CLOEXEC". Arguments that are 0 are left out, but for those where 0 is a name, and those
 * that the others make meaningless (the mode of an open() that creates nothing).
 *
 * What is not in the call itself is asked of struct trace_lookup: nothing is made up where it does
 * not know.
 */
#ifndef TRACE_ARGS_H
#define TRACE_ARGS_H

#include "base/strbuf.h"
#include "trace/memory.h"

struct trace_lookup {
	void *ctx;
	/* The name of a task, NULL = not known. */
	const char *(*comm)(void *ctx, u32 tid);
	/* The file of a descriptor of a process, NULL = not known. */
	const char *(*path)(void *ctx, u32 pid, s32 fd);
	/* The protocol of a netlink socket, NO_NETLINK = it is none, or not known; NULL: never. */
	int (*netlink)(void *ctx, u32 pid, s32 fd);
	const struct trace_layouts *layouts; /* of structures, NULL = not known */
	bool plain; /* structures' members are numbers */
	bool zeros; /* arguments that are 0 are shown, too */
	bool no_names; /* of arguments */
	bool full_names; /* of constants, as the headers have them: in arguments and results, not in
			  * what is behind pointers */
};

/* "openat(dfd: CWD)" */
void trace_call_add(struct strbuf *out, const struct trace_call *c, const struct trace_lookup *n);
/* What is between the parentheses. */
void trace_call_add_args(struct strbuf *out, const struct trace_call *c,
			 const struct trace_lookup *n);
/* "3", "-1 ENOENT (No such file or directory)"; args may be NULL: they are not known */
void trace_result_add(struct strbuf *out, const struct trace_call *c, s64 result,
		      const struct trace_lookup *n);
/* Whether an argument is that file: by its name, or a descriptor of it. */
bool trace_call_touches(const struct trace_call *c, const char *file, const struct trace_lookup *n);
/* One value by itself. */
void trace_value_add(struct strbuf *out, const struct trace_arg *a, u64 value, u32 pid,
		     const struct trace_lookup *n);
/* Whether a call failed. */
static inline bool trace_failed(s64 result)
{
	return result < 0 && result >= -4095;
}
/* "ENOENT", NULL = it has no name. */
const char *trace_errno_name(u32 error);

#endif
