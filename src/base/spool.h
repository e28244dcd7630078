/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spool: what comes through a pipe but once and must be looked at twice is put aside into a file
 * without a name, in $TMPDIR or else /var/tmp; it is gone when it is closed.
 */
#ifndef BASE_SPOOL_H
#define BASE_SPOOL_H

#include "base/err.h"

/* A descriptor, or -1 with *e. */
int spool_open(struct err *e);
int spool_add(int spool, const void *bytes, size_t len, u64 at, struct err *e);
/* All that comes from a descriptor until its end, to position at and behind it. *end: where it
 * ends. */
int spool_fill(int spool, int from, u64 at, u64 *end, struct err *e);

#endif
