/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed: puts the names of functions into a recording (--embed-symbols), so that it can be read
 * elsewhere.
 */
#ifndef EDIT_EMBED_H
#define EDIT_EMBED_H

#include "base/err.h"
#include "base/strbuf.h"

struct session_opts;

enum embed_what {
	EMBED_NOTHING,
	EMBED_JIT, /* those of JIT compilers' perf-PID.map */
	EMBED_NAMES, /* of all code */
	EMBED_LINES, /* and source lines */
};

/* Whether any JIT compiler on this machine has left a perf-PID.map in /tmp. */
bool embed_has_jit(void);
/* Parses the word behind --embed-symbols=, NULL = none. */
int embed_parse(const char *word, enum embed_what *what, struct err *e);
/* Reads the recording that opts name once and appends the body of its SYMBOLS feature; empty when
 * there is nothing. */
int embed_collect(const struct session_opts *opts, enum embed_what what, struct strbuf *body,
		  struct err *e);
struct embed_opts {
	enum embed_what what;
	unsigned int workers; /* 0 = one for each CPU */
	const char *buildid_dir; /* see dso_config */
};
/* Puts the names into a recording that has just been made, a file. */
int embed_into(const char *path, const struct embed_opts *o, struct err *e);
/* Writes the names for the stream in the file path as records to fd, to follow the stream. */
int embed_behind(const char *path, int fd, const struct embed_opts *o, struct err *e);

#endif
