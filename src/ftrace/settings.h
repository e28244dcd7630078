/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/settings: what is to be traced, and how, written to an instance. All strings and lists are
 * borrowed.
 */
#ifndef FTRACE_SETTINGS_H
#define FTRACE_SETTINGS_H

#include "ftrace/instance.h"
#include "sys/proc.h"

VEC_TYPE(ftrace_names, const char *);

struct ftrace_settings {
	const char *tracer; /* "function", "function_graph"; NULL = none, but events */
	/* functions, or globs of them, for set_ftrace_filter, ..._notrace, set_graph_function and
	 * set_graph_notrace */
	struct ftrace_names functions, not_functions, graphs, not_graphs;
	const char *events[2]; /* SYSTEM:NAME, that are traced; NULL = none */
	const char *clock; /* NULL = the kernel's default */
	const sys_pids *tasks; /* NULL = everybody */
	const u32 *cpus; /* NULL = all */
	size_t nr_cpus;
	u64 buffer_bytes; /* for each CPU; 0 = the kernel's default */
	bool inherit;
	/* of the tracer function */
	bool call_graph, irq_info;
	/* of the tracer function_graph */
	bool args, retval, retval_hex, retaddr, nosleep_time, noirqs, verbose, tail;
	u32 thresh, depth; /* us, calls; 0 = no limit */
};

/* All of it; tracing is still off. */
int ftrace_settings_apply(const struct ftrace_settings *s, struct ftrace_instance *t,
			  struct err *e);

#endif
