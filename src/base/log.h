/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log: diagnostics on stderr, never in per-sample loops.
 *
 * log_warn() prints "warning: ..." once per distinct text; log_info() prints at verbosity >= 1
 * (-v), log_debug() at >= 2 (-vv) or when its domain was named with --debug=DOMAIN. The level is
 * process-wide, set once by the command line before any thread starts. Thread-safe. Control
 * characters in texts are written as \xNN.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/types.h"

enum log_domain {
	LOG_GENERAL,
	LOG_EVENT,
	LOG_CAPTURE,
	LOG_PERFDATA,
	LOG_DSO,
	LOG_MODEL,
	LOG_UNWIND,
	LOG_DOMAIN_MAX,
};

void log_set_verbosity(int level); /* -1 quiet, 0 default, 1 -v, 2 -vv */
int log_verbosity(void);
/* Where log_info() and log_debug() write instead of stderr (--debug-file); borrowed, NULL = stderr.
 * Set before any thread starts. */
void log_set_file(void *file);
/* Turn on the debug output of one domain by name; false if there is no such domain. */
bool log_enable_domain(const char *name);

void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2); /* "error: ..." always */
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_info(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_debug(enum log_domain d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "hint: ..." behind an error or warning; dropped when quiet. */
void log_hint(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
