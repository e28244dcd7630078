/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: another program is run for what it prints. Thread-safe.
 */
#ifndef BASE_RUN_H
#define BASE_RUN_H

#include "base/strbuf.h"

enum { RUN_FD = 3 };

struct run_opts {
	size_t max; /* bytes that are kept of what it prints */
	int fd; /* what it gets as descriptor RUN_FD; 0 = nothing */
	bool with_errors; /* what it prints to standard error, too; otherwise that is /dev/null */
	bool ends_at_max; /* it is killed when it has printed more; otherwise it goes on */
	const bool *unwanted; /* it is killed some time after that has become true; may be NULL */
};

/*
 * Runs argv[0], which is looked for in PATH unless it has a slash, with standard input at
 * /dev/null, waits for its end and appends what it printed to out. Returns its exit status, or 128
 * and the number of the signal that ended it; -1 with errno: it could not be run, or printed more
 * than max bytes (EFBIG; out has the first).
 */
int run_for_output(const char *const *argv, const struct run_opts *o, struct strbuf *out);

#endif
