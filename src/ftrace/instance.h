/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ftrace/instance: the kernel's tracer, in a tracefs instance of our own: a folder with buffers and
 * settings that nobody else uses, named by sys/owner.h. What an instance does not have (filters
 * of function_graph; of older kernels, that tracer itself) is set in the top folder, and put back
 * as it was.
 *
 * The one who owns it holds signals back (sys/end_signals.h), so that ftrace_instance_close() is
 * reached. What a killed perf left behind, the next one removes. One thread.
 *
 * Source: Documentation/trace/ftrace.rst.
 */
#ifndef FTRACE_INSTANCE_H
#define FTRACE_INSTANCE_H

#include "base/err.h"
#include "base/vec.h"

/* What a file of the top folder held before we wrote to it. */
struct ftrace_saved {
	char *file, *text;
};

struct ftrace_instance {
	char *root; /* tracefs */
	char *dir; /* ours below it; the same as root: there is none */
	VEC(struct ftrace_saved) saved; /* in the order in which they were written */
};

/* root: the mounted tracefs. tracer: that it must be able to use, NULL = none but events. -1: the
 * kernel has no such tracer, somebody else uses the only place where it works, or we may not. */
int ftrace_instance_open(struct ftrace_instance *t, const char *root, const char *tracer,
			 struct err *e);
/* Stops tracing and puts everything back. -1: not everything could be. Zero bytes are a closed one.
 */
int ftrace_instance_close(struct ftrace_instance *t, struct err *e);
bool ftrace_instance_is_own(const struct ftrace_instance *t);

/* Whether there is such a file ("options/funcgraph-args"), here or in the top folder. */
bool ftrace_instance_has(const struct ftrace_instance *t, const char *file);
/* The same of the folder that we trace in. */
bool ftrace_instance_has_own(const struct ftrace_instance *t, const char *file);
/* Replace what the file holds by the text. */
int ftrace_instance_set(struct ftrace_instance *t, const char *file, const char *text,
			struct err *e);
/* Add a text to what the file holds: it is emptied when ftrace_instance_set() has "" written. */
int ftrace_instance_add(struct ftrace_instance *t, const char *file, const char *text,
			struct err *e);
/* Open to read, never blocking; -1 with *e. */
int ftrace_instance_open_file(const struct ftrace_instance *t, const char *file, struct err *e);

#endif
