/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collect: the symbols, and where wanted the source lines, of all that a recording's samples refer
 * to: addresses, callers (in copies of stacks, too), branches, data. For dso/symbols/embedded.h.
 */
#ifndef SESSION_COLLECT_H
#define SESSION_COLLECT_H

#include "dso/symbols/embedded.h"
#include "session/session.h"

enum collect_what {
	COLLECT_NAMES,
	COLLECT_LINES, /* names and source lines */
	COLLECT_JIT, /* names of perf-PID.map alone; loads no others */
};

/* The options that the session must be opened with, but for input and dso. */
void session_collect_opts(struct session_opts *o, enum collect_what what);
/* Instead of session_run(). What out refers to lives as long as the session. */
int session_collect(struct session *s, enum collect_what what, struct embedded *out, struct err *e);

#endif
