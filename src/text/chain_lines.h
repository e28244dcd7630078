/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chain_lines: whole stacks in one line, by the numbers of session_chain(), for consumers that keep
 * these and not the samples. Each chain is put into words once. One thread.
 */
#ifndef TEXT_CHAIN_LINES_H
#define TEXT_CHAIN_LINES_H

#include "base/strbuf.h"
#include "session/session.h"

struct chain_lines;

struct chain_lines_opts {
	struct session *session; /* borrowed */
	const char *between; /* two frames */
	bool folded; /* the outermost first; between is one character, which no name has then */
	bool as_is; /* names are not escaped, for JSON and the like, which do that themselves */
	size_t most; /* frames looked at of a chain, 0 = all */
	bool (*leaves_out)(const char *name); /* functions that are not shown; NULL = none */
	bool (*ends)(const char *name); /* whose callers are not shown; NULL = of none */
};

struct chain_lines *chain_lines_new(const struct chain_lines_opts *o);
void chain_lines_free(struct chain_lines *c); /* NULL is allowed */
/* Append the functions of a chain, the innermost first, escaped for a terminal
 * unless as_is. */
void chain_lines_add(struct chain_lines *c, chain_id chain, struct strbuf *out);
/* Chains have other numbers now: session_consumer.renew. */
void chain_lines_forget(struct chain_lines *c);

#endif
