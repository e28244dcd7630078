/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_code: the line of source that a sample fell on, shown when a thread comes to another one.
 *
 * What cannot be read (dso/source_files.h) is shown as nothing, as perf does. Samples come in their
 * order, from one thread.
 */
#ifndef TEXT_SOURCE_CODE_H
#define TEXT_SOURCE_CODE_H

#include "base/strbuf.h"
#include "session/session.h"

struct source_code;

struct source_code *source_code_new(void);
void source_code_free(struct source_code *c); /* NULL is allowed */
struct source_line {
	const char *path, *text; /* until the next call; text has no NUL behind it */
	size_t len;
	u32 file; /* path's number */
	u32 line;
};

/* The line at loc; false: it is not known or cannot be read. */
bool source_code_find(struct source_code *c, struct dso_table *dsos, const struct location *loc,
		      struct source_line *out);
/*
 * "|LINE     text" and a line end for a sample of the thread at loc; nothing when that is what was
 * added for the thread last. escape: no control characters but tabs.
 */
void source_code_add(struct source_code *c, struct dso_table *dsos, u32 thread,
		     const struct location *loc, bool escape, struct strbuf *out);

#endif
