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
	const char *path; /* path of the script's file */
	int argc; /* the arguments after it on the command line */
	const char **argv;
	const char *exec_path; /* the folder with installed scripts and modules */
	u32 max_stack; /* at most so many frames of a callchain are given */
	bool no_inline; /* inlined functions get no frames */
	bool all_inlines; /* inlined functions get frames in all callchains, else only in those of
			     copied stacks */
	bool full_source_path;
};

/* One counter value from a recording by perf stat. */
struct script_count {
	const char *event;
	s32 cpu, tid; /* -1 = all */
	u64 time, value, enabled, running;
};

struct script_language {
	const char *name;
	const char *const
		*extensions; /* of script files, NULL at the end; generated scripts get the first */
	/* A script with a handler for each tracepoint of the recording; formats NULL = it has none.
	 */
	void (*generate)(const struct tracefmt_set *formats, struct strbuf *out);
	/* Loads the interpreter and runs the file, which defines handlers. NULL: the language is
	 * not supported. */
	int (*start)(struct script_engine **out, const struct script_setup *setup, struct err *e);
	int (*begin)(struct script_engine *x, struct err *e);
	/* Calls the handler for this record: samples, and record types that have a handler.
	 * Others are ignored. */
	int (*record)(struct script_engine *x, struct session_worker *w,
		      const struct session_record *r, struct err *e);
	int (*count)(struct script_engine *x, const struct script_count *c, struct err *e);
	int (*interval)(struct script_engine *x, u64 time, struct err *e);
	int (*end)(struct script_engine *x, struct err *e);
	/* Ends the script and frees the engine. NULL is allowed. */
	void (*finish)(struct script_engine *x);
};

/* By name or file extension, ignoring case; NULL: no such language. */
const struct script_language *script_language_find(const char *name, size_t len);
/* The list that -s lang prints. */
void script_languages_add_list(struct strbuf *out);

extern const struct script_language script_python;
extern const struct script_language script_perl; /* recognised, but cannot be run */

#endif
