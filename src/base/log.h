/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log: diagnostics on stderr, never in per-sample loops.
 *
 * log_warn() prints "warning: ..." once per distinct text; log_info() prints at verbosity >= 1
 * (-v), log_debug() at >= 2 (-vv). The level is process-wide, set once by the command line before
 * any thread starts. Thread-safe. Control characters in texts are written as \xNN.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/types.h"

void log_set_verbosity(int level); /* -1 quiet, 0 default, 1 -v, 2 -vv */
int log_verbosity(void);
/* Where log_info() and log_debug() write instead of stderr (--debug-file); borrowed, NULL = stderr.
 * Set before any thread starts. */
void log_set_file(void *file);
/* That file, a FILE: for details of several lines, which log_info() would escape. */
void *log_file(void);
/* What --debug asks for by name: what the kernel is asked for, also shown at -vv; keys of the
 * terminal interface. Likewise set before. */
enum log_subject { LOG_OPENING, LOG_KEYS };
void log_show(enum log_subject subject);
bool log_shows(enum log_subject subject);

void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2); /* "error: ..." always */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_info(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* Where log_debug() writes, if the subject is shown. */
void log_subject(enum log_subject subject, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "hint: ..." behind an error or warning; dropped when quiet. */
void log_hint(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
