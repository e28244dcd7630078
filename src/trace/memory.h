/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace/memory: what a program in the kernel has read of the memory behind the arguments of a call
 * (bpf/trace_args), as text: strings, "{ .family: INET, port: 53, addr: ::1 }", structures. What
 * was not read is not shown, and what goes on is marked ("...").
 */
#ifndef TRACE_MEMORY_H
#define TRACE_MEMORY_H

#include "bpf/trace_args_program.h"
#include "trace/layout.h"
#include "trace/syscall.h"

/* Pieces of a record, checked. Zero bytes: none. */
struct trace_memory {
	const u8 *pieces;
	u32 size;
};

struct trace_call {
	const struct trace_syscall *syscall;
	const u64 *args; /* TRACE_ARGS of them */
	u32 pid; /* its process */
	struct trace_memory begin, end; /* read when it began, and when it returned */
};

/* How it is shown. */
struct trace_shown {
	const struct trace_layouts *layouts; /* NULL = no structures */
	trace_member_fn *member;
	void *ctx;
	bool plain; /* addresses of sockets as structures, too */
	int netlink; /* protocol of the call's socket, or as trace/netlink has it */
};

/* The head and the pieces of a sample; false: it is none, or broken. */
bool trace_record_view(const u8 *raw, u32 size, struct call_head *head, struct trace_memory *m);
/* What is behind argument i; false: it is not known, and nothing has been added. */
bool trace_memory_add(struct strbuf *out, const struct trace_call *c, unsigned int i,
		      const struct trace_shown *s);
/* Adds the bytes of the string behind argument i; false: it, or the end of it, was not read. */
bool trace_memory_string(struct strbuf *out, const struct trace_call *c, unsigned int i);

#endif
