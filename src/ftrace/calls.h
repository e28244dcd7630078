/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/calls: what records of tracers and events say: how long a call of a function took, and how
 * long a thread took from one event to another. Records are not believed. One thread.
 */
#ifndef FTRACE_CALLS_H
#define FTRACE_CALLS_H

#include "base/map.h"
#include "base/vec.h"
#include "ftrace/durations.h"
#include "ftrace/pages.h"
#include "tracefmt/tracefmt.h"
#include "view/latency.h"

/* ---- the end of a call, as function_graph records it */

struct ftrace_calls {
	struct tracefmt_set *formats;
	u64 id;
	const struct tracefmt_field *type, *function, *begin, *end;
};

/* root: tracefs. */
int ftrace_calls_open(struct ftrace_calls *c, const char *root, struct err *e);
void ftrace_calls_close(struct ftrace_calls *c);
/* false: the record is something else, or broken. function: an address in it. */
bool ftrace_calls_take(const struct ftrace_calls *c, const struct ftrace_record *r, u64 *function,
		       u64 *ns);

/* ---- functions and their calls */

struct ftrace_function {
	u64 addr;
	char *name; /* ftrace_functions_name() */
	struct view_durations calls;
};

struct ftrace_functions {
	VEC(struct ftrace_function) all;
	struct map by_addr;
};

enum { FTRACE_MAX_FUNCTIONS = 1 << 20 };

void ftrace_functions_add(struct ftrace_functions *f, u64 addr, u64 ns);
/* Their names, from a text like /proc/kallsyms: "name", "name [module]"; without one its address.
 */
void ftrace_functions_name(struct ftrace_functions *f, const char *kallsyms);
void ftrace_functions_release(struct ftrace_functions *f);

/* ---- from one event to another, of the same thread */

struct ftrace_pair_event {
	u64 time;
	u64 task; /* tid; the idle task of each CPU is one of its own */
	bool second;
};

struct ftrace_pairs {
	struct tracefmt_set *formats;
	u64 ids[2];
	const struct tracefmt_field *type, *pid;
	VEC(struct ftrace_pair_event) waiting;
	VEC(struct ftrace_pair_event) begun; /* the first event of each thread */
	struct map by_task;
};

/* names: SYSTEM:NAME of the two, which may be the same. */
int ftrace_pairs_open(struct ftrace_pairs *p, const char *root, const char *const names[2],
		      struct err *e);
void ftrace_pairs_close(struct ftrace_pairs *p);
void ftrace_pairs_take(struct ftrace_pairs *p, size_t cpu, const struct ftrace_record *r);
/* All before that time have been taken: those are told, in order of time. */
void ftrace_pairs_tell(struct ftrace_pairs *p, u64 until, void (*fn)(void *ctx, u64 ns), void *ctx);

#endif
