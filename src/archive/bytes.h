/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes: where the readers of this module get their bytes from, so that an archive inside of an
 * archive is read like one in a file.
 */
#ifndef ARCHIVE_BYTES_H
#define ARCHIVE_BYTES_H

#include "base/err.h"

struct byte_source {
	/* Up to n bytes; 0 at the end, -1 with *e. */
	ssize_t (*read)(struct byte_source *s, void *buf, size_t n, struct err *e);
};

struct byte_sink {
	int (*write)(struct byte_sink *s, const void *buf, size_t n, struct err *e);
};

/* Bytes of a file, from its position on. The descriptor stays the caller's. */
struct fd_source {
	struct byte_source source;
	int fd;
	const char *name; /* for errors */
};
void fd_source_init(struct fd_source *s, int fd, const char *name);

/* n bytes unless the source ends before; -1 with *e. */
ssize_t byte_source_fill(struct byte_source *s, void *buf, size_t n, struct err *e);

#endif
