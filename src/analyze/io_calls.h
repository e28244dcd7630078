/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_calls: system calls that read, write, wait for files or bring them to disks: when each thread
 * is in one, and what came of it. A call whose beginning or end is not recorded is left out and
 * counted, but for those that go on at the end.
 */
#ifndef ANALYZE_IO_CALLS_H
#define ANALYZE_IO_CALLS_H

#include "analyze/tasks.h"

enum io_kind {
	IO_READ, /* read() and its kin, of whatever file: disks, pipes, sockets */
	IO_WRITE,
	IO_RECEIVE, /* of a socket, by its own calls */
	IO_SEND,
	IO_SYNC,
	IO_POLL, /* poll(), select(), epoll_wait() */
	IO_KINDS,
};

struct io_call {
	u64 from, until; /* ns */
	enum io_kind kind;
	u32 task;
	u32 cpu; /* where it began; (u32)-1 = not told */
	s64 fd; /* -1 = it has none */
	s64 result; /* what it returned: below 0 an error */
	u64 bytes; /* that were read or written */
	u32 stack; /* of who called, by session_chain_frames(); 0 = not told */
	bool goes_on; /* at the end of the recording: what comes of it is not known */
};

struct io_calls_opts {
	void (*on_call)(void *ctx, const struct io_call *c);
	bool stacks;
	void *ctx;
};

struct io_calls;

int io_calls_new(struct io_calls **out, struct session *s, const struct io_calls_opts *o,
		 struct err *e);
void io_calls_free(struct io_calls *c);
int io_calls_run(struct io_calls *c, struct err *e);
/* Whether the file has such events. */
bool io_calls_has(const struct io_calls *c);
const struct tasks *io_calls_tasks(const struct io_calls *c);
/* First and last event. */
void io_calls_extent(const struct io_calls *c, u64 *from, u64 *until);
/* Calls that are left out. */
u64 io_calls_left_out(const struct io_calls *c);

#endif
