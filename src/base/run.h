/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: another program is run for what it prints. Thread-safe.
 */
#ifndef BASE_RUN_H
#define BASE_RUN_H

#include "base/strbuf.h"

enum { RUN_FD = 3 };

/*
 * Runs argv[0], which is looked for in PATH unless it has a slash, with standard input and error at
 * /dev/null, waits for its end and appends what it printed to out. fd: what it gets as descriptor
 * RUN_FD, -1 = nothing. Returns its exit status, or 128 and the number of the signal that ended it;
 * -1 with errno: it could not be run, or printed more than max bytes (EFBIG; out has the first).
 */
int run_for_output(const char *const *argv, int fd, size_t max, struct strbuf *out);

#endif
