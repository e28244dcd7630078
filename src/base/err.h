/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * err: what a library function says when it fails.
 *
 * Convention: `int f(..., struct err *e)` returns 0, or -1 after err_set(). Success leaves *e
 * untouched. Text is lower case, no full stop, failure first, subject quoted: cannot open 'x'.
 * "Absent" is a value, not an error. A NULL err is allowed and drops the text.
 * Callers prepend context with err_prefix(). Only cmd/ prints it (cli/ has the printer).
 * The hint is one line naming the option, sysctl or command that helps.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/types.h"

struct err {
	int code; /* an errno value, 0 = no error */
	char text[512];
	char hint[512];
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		.code = 0                                                                          \
	}

/* Record the error and return -1, so that `return err_set(...)` reads well. */
int err_set(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same with ": " and strerror(code) behind the text. */
int err_sys(struct err *e, int code, const char *fmt, ...) PRINTF_LIKE(3, 4);
void err_hint(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);
void err_prefix(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
