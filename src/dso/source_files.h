/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source_files: texts of source files, which are read when a line of them is asked for and kept as
 * far as they are not too many.
 *
 * Files are what debug information names: any path. Regular files alone are read, and of them what
 * the limits in the source allow; what cannot be read has no lines. One thread at a time.
 */
#ifndef DSO_SOURCE_FILES_H
#define DSO_SOURCE_FILES_H

#include "base/types.h"

struct source_files;

struct source_files *source_files_new(void);
void source_files_free(struct source_files *c); /* NULL is allowed */
/* Its number, from 1 on. */
u32 source_files_number(struct source_files *c, const char *path);
/* Valid until the next call. */
const char *source_files_path(const struct source_files *c, u32 file);
/* A line, from 1 on, without its end; NULL: there is no such line. Valid until the next call. */
const char *source_files_line(struct source_files *c, u32 file, u32 line, size_t *len);

#endif
