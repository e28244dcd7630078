/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owned_file: opens files that a compiler in some process has written where everybody may write
 * (/tmp/perf-PID.map, jit-PID.dump).
 */
#ifndef DSO_OWNED_FILE_H
#define DSO_OWNED_FILE_H

#include "base/err.h"
#include "base/types.h"

/*
 * Opens a regular file that belongs to us or to root, or, with force, to anybody. Returns the
 * descriptor, the caller's, and the size in bytes; -1 after an error.
 */
int owned_file_open(const char *path, bool force, u64 *size, struct err *e);

#endif
