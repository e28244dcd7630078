/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/bytes.h"

#include <errno.h>

#include "base/rw.h"

static ssize_t fd_read(struct byte_source *source, void *buf, size_t n, struct err *e)
{
	struct fd_source *s = (struct fd_source *)source;
	ssize_t got = rw_read_full(s->fd, buf, n);

	return got < 0 ? err_sys(e, errno, "cannot read '%s'", s->name) : got;
}

void fd_source_init(struct fd_source *s, int fd, const char *name)
{
	*s = (struct fd_source){ .source.read = fd_read, .fd = fd, .name = name };
}

ssize_t byte_source_fill(struct byte_source *s, void *buf, size_t n, struct err *e)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got = s->read(s, (char *)buf + have, n - have, e);

		if (got < 0)
			return -1;
		if (!got)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}
