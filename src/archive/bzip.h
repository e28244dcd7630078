/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bzip: writing and reading bzip2. Pieces are compressed by several threads, each a stream of its
 * own; bzip2 and tar read such files as one.
 */
#ifndef ARCHIVE_BZIP_H
#define ARCHIVE_BZIP_H

#include "archive/bytes.h"

struct bzip_writer;
/* Writes to fd, which stays the caller's. NULL with *e: built without libbz2. */
struct bzip_writer *bzip_writer_new(int fd, const char *name, struct err *e);
struct byte_sink *bzip_writer_sink(struct bzip_writer *w);
/* Writes the rest and frees w; -1 with *e when that or an earlier write failed. */
int bzip_writer_finish(struct bzip_writer *w, struct err *e);

struct bzip_reader;
/*
 * Reads what `from` (which must outlive it) gives; bytes that are not compressed are given as they
 * are.
 */
struct bzip_reader *bzip_reader_new(struct byte_source *from);
struct byte_source *bzip_reader_source(struct bzip_reader *r);
void bzip_reader_free(struct bzip_reader *r); /* NULL is allowed */

#endif
