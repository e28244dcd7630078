/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine: languages that scripts of `perf script -s` are written in, and a script that runs.
 *
 * An interpreter is a library of the machine's, loaded when the first script starts; without
 * scripts nothing of it is looked at. One script at a time, on one thread: records come in order,
 * from a consumer that is serial (session.h), because what a script's libraries keep often belongs
 * to a thread.
 */
#ifndef SCRIPT_ENGINE_H
#define SCRIPT_ENGINE_H

#include <stdio.h>

#include "session/session.h"

struct script_engine;

struct script_setup {
	struct session *session;
	const char *path; /* of the script's file */
	int argc; /* what stands behind it on the command line */
	const char **argv;
	const char *exec_path; /* where installed scripts and modules are */
	u32 max_stack; /* frames of a callchain */
	bool no_inline; /* functions that were inlined are no frames of their own */
	bool all_inlines; /* they are frames in all callchains, not in those of copied stacks alone
			   */
	bool full_source_path;
};

/* One value of a recording of counters. */
struct script_count {
	const char *event;
	s32 cpu, tid; /* -1 = all */
	u64 time, value, enabled, running;
};

struct script_language {
	const char *name;
	const char *const *extensions; /* NULL at the end; the first is that of generated scripts */
	/* A script with a handler for each tracepoint of the recording; formats NULL = it has none.
	 */
	void (*generate)(const struct tracefmt_set *formats, struct strbuf *out);
	/* Loads the interpreter and runs the file, which defines handlers. NULL: the language is
	 * not supported. */
	int (*start)(struct script_engine **out, const struct script_setup *setup, struct err *e);
	int (*begin)(struct script_engine *x, struct err *e);
	/* A sample, or another record that handlers are for; all others are passed over. */
	int (*record)(struct script_engine *x, struct session_worker *w,
		      const struct session_record *r, struct err *e);
	int (*count)(struct script_engine *x, const struct script_count *c, struct err *e);
	int (*interval)(struct script_engine *x, u64 time, struct err *e);
	int (*end)(struct script_engine *x, struct err *e);
	/* Nothing of the script runs afterwards. NULL is allowed. */
	void (*finish)(struct script_engine *x);
};

/* By name or extension, in any case; NULL: no such language. */
const struct script_language *script_language_find(const char *name, size_t len);
/* The list that -s lang prints. */
void script_languages_add_list(struct strbuf *out);

extern const struct script_language script_python;
extern const struct script_language script_perl; /* known, not supported */

#endif
