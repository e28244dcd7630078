/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/reads: what is behind the arguments of system calls that are pointers: strings, buffers of
 * so many bytes, addresses of sockets, structures; and whether that is there when the call begins
 * or when it returns. By a table, and by the types of the arguments.
 */
#ifndef TRACE_READS_H
#define TRACE_READS_H

#include "bpf/trace_args_program.h"
#include "trace/layout.h"
#include "trace/syscall.h"

/* Of an argument of s: "const char * filename", whose name is the last word. The text is kept.
 * syscall: the call whose rules apply to it. */
void trace_read_of(struct trace_read *r, const struct trace_syscall *s, const char *syscall,
		   const char *text);
/* For the program in the kernel; l may be NULL: no structures. */
void trace_call_rules(struct call_rules *rules, const struct trace_syscall *s,
		      const struct trace_layouts *l);

#endif
