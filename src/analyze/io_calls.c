/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/io_calls.h"

#include <stdlib.h>

enum { CALL_FD }; /* of events where a call begins */
enum { CALL_RESULT }; /* and ends */

struct io_now {
	u64 since; /* ns */
	s64 fd;
	u32 cpu;
	chain_id chain;
	u8 kind; /* enum io_kind */
	bool busy; /* in a call */
};

struct io_calls {
	struct io_calls_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct io_now) now; /* by task */
	u64 first, last; /* times of events */
	u64 left_out;
};

static const struct analyze_field begin_fields[] = {
	[CALL_FD] = { .names = { "fd", "epfd" }, .optional = true },
	{ .names = { NULL } },
};

static const struct analyze_field end_fields[] = {
	[CALL_RESULT] = { .names = { "ret" } },
	{ .names = { NULL } },
};

/* ------------------------------------------------------------------ events */

static struct io_now *now_of(struct io_calls *c, const struct analyze_row *r, u32 *task)
{
	*task = tasks_find_in(&c->tasks, r->pid, r->tid);
	while (c->now.nr <= *task)
		*VEC_PUSH(&c->now) = (struct io_now){ .busy = false };
	if (!c->first)
		c->first = r->time;
	c->last = MAX(c->last, r->time);
	return &c->now.v[*task];
}

/* no_fd: sync() has none, and what poll() has is no file's number. */
static void begin(struct io_calls *c, const struct analyze_row *r, enum io_kind kind, bool no_fd)
{
	u32 task;
	struct io_now *n = now_of(c, r, &task);

	c->left_out += n->busy;
	*n = (struct io_now){
		.since = r->time,
		.fd = no_fd ? -1 : (s32)r->values[CALL_FD],
		.cpu = r->cpu,
		.chain = r->chain,
		.kind = kind,
		.busy = true,
	};
}

/* counts: the result is a number of bytes. */
static void end(struct io_calls *c, const struct analyze_row *r, enum io_kind kind, bool counts)
{
	u32 task;
	struct io_now *n = now_of(c, r, &task);
	struct io_call call = {
		.from = n->since,
		.until = r->time,
		.kind = kind,
		.task = task,
		.fd = n->fd,
		.cpu = n->cpu,
		.result = analyze_signed(r, CALL_RESULT),
		.stack = n->chain,
	};

	if (!n->busy || n->kind != kind || n->since > r->time) {
		c->left_out += 1 + (n->busy && n->kind != kind);
		n->busy = false;
		return;
	}
	n->busy = false;
	if (counts && call.result > 0)
		call.bytes = (u64)call.result;
	c->o.on_call(c->o.ctx, &call);
}

/* The last name of the calls that receive and send tells messages in place of bytes. */
enum { MESSAGES = 2 };

#define CALLS(name, kind, no_fd, counts)                                                           \
	static void begin_##name(void *ctx, const struct analyze_row *r)                           \
	{                                                                                          \
		begin(ctx, r, kind, no_fd);                                                        \
	}                                                                                          \
	static void end_##name(void *ctx, const struct analyze_row *r)                             \
	{                                                                                          \
		end(ctx, r, kind, counts);                                                         \
	}
CALLS(read, IO_READ, false, true)
CALLS(write, IO_WRITE, false, true)
CALLS(receive, IO_RECEIVE, false, r->kind != MESSAGES)
CALLS(send, IO_SEND, false, r->kind != MESSAGES)
CALLS(sync, IO_SYNC, false, false)
CALLS(sync_all, IO_SYNC, true, false)
CALLS(poll, IO_POLL, true, false)
CALLS(epoll, IO_POLL, false, false)

TASKS_HANDLERS(struct io_calls)

#define E "syscalls:sys_enter_"
#define X "syscalls:sys_exit_"
/* clang-format off */
#define BEGINS(fn, ...)                                                                            \
	{ .names = { __VA_ARGS__ }, .chain = true, .fields = begin_fields, .take = begin_##fn }
#define ENDS(fn, ...) { .names = { __VA_ARGS__ }, .fields = end_fields, .take = end_##fn }

static const struct analyze_event io_events[] = {
	BEGINS(read, E "read", E "pread64", E "readv", E "preadv", E "preadv2"),
	ENDS(read, X "read", X "pread64", X "readv", X "preadv", X "preadv2"),
	BEGINS(write, E "write", E "pwrite64", E "writev", E "pwritev", E "pwritev2"),
	ENDS(write, X "write", X "pwrite64", X "writev", X "pwritev", X "pwritev2"),
	BEGINS(receive, E "recvfrom", E "recvmsg", E "recvmmsg"),
	ENDS(receive, X "recvfrom", X "recvmsg", X "recvmmsg"),
	BEGINS(send, E "sendto", E "sendmsg", E "sendmmsg"),
	ENDS(send, X "sendto", X "sendmsg", X "sendmmsg"),
	BEGINS(sync, E "fsync", E "fdatasync", E "sync_file_range", E "syncfs"),
	ENDS(sync, X "fsync", X "fdatasync", X "sync_file_range", X "syncfs"),
	BEGINS(sync_all, E "sync", E "msync"),
	ENDS(sync_all, X "sync", X "msync"),
	BEGINS(poll, E "poll", E "ppoll", E "select", E "pselect6"),
	ENDS(poll, X "poll", X "ppoll", X "select", X "pselect6"),
	BEGINS(epoll, E "epoll_wait", E "epoll_pwait", E "epoll_pwait2"),
	ENDS(epoll, X "epoll_wait", X "epoll_pwait", X "epoll_pwait2"),
	TASKS_ROWS,
};
/* clang-format on */
static const struct analyze_machine io_machine = {
	.events = io_events,
	.nr = ARRAY_SIZE(io_events),
};

/* ------------------------------------------------------------------ interface */

int io_calls_new(struct io_calls **out, struct session *s, const struct io_calls_opts *o,
		 struct err *e)
{
	struct io_calls *c = XNEW(struct io_calls);
	struct analyze_opts ao = { .machine = &io_machine, .ctx = c, .chains = o->stacks };

	c->o = *o;
	if (analyze_new(&c->analyze, s, &ao, e)) {
		io_calls_free(c);
		return -1;
	}
	*out = c;
	return 0;
}

void io_calls_free(struct io_calls *c)
{
	if (!c)
		return;
	analyze_free(c->analyze);
	tasks_release(&c->tasks);
	vec_free(&c->now);
	free(c);
}

int io_calls_run(struct io_calls *c, struct err *e)
{
	if (analyze_run(c->analyze, e))
		return -1;
	for (u32 i = 0; i < c->now.nr; i++) {
		const struct io_now *n = &c->now.v[i];
		struct io_call call = { .from = n->since,
					.until = c->last,
					.kind = n->kind,
					.task = i,
					.fd = n->fd,
					.cpu = n->cpu,
					.stack = n->chain,
					.goes_on = true };

		if (n->busy && !c->tasks.v.v[i].exited && n->since < c->last)
			c->o.on_call(c->o.ctx, &call);
	}
	return 0;
}

bool io_calls_has(const struct io_calls *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(io_events); i++)
		if (io_events[i].names[0] && analyze_has(c->analyze, i))
			return true;
	return false;
}

const struct tasks *io_calls_tasks(const struct io_calls *c)
{
	return &c->tasks;
}

void io_calls_extent(const struct io_calls *c, u64 *from, u64 *until)
{
	*from = MIN(c->first, c->last);
	*until = c->last;
}

u64 io_calls_left_out(const struct io_calls *c)
{
	return c->left_out;
}
