/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print_err: the one form in which commands tell of a failure, on stderr:
 *
 *	error: cannot open 'perf.data': No such file or directory
 *	hint: run 'perf record' first, or name the file with -i
 *
 * Stdout is flushed first, so that the error stands behind the output that preceded it.
 */
#ifndef CLI_PRINT_ERR_H
#define CLI_PRINT_ERR_H

#include "base/err.h"
#include "base/similar.h"

void err_print(const struct err *e);

/* "hint: did you mean 'x'?", where there is a near name; else false. */
bool print_similar(const struct similar *near);

/*
 * Flush stdout and say so when something written to it was lost (disk full, closed descriptor). A
 * reader that went away (EPIPE) is no error worth a line. Returns the exit code to use instead of
 * `code`: 1 when output was lost and code was 0.
 */
int print_finish_stdout(int code);

#endif
