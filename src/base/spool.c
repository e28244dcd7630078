/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

enum { PIECE = 1 << 18 };

static const char *spool_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

static int spool_failed(struct err *e)
{
	err_sys(e, errno, "cannot put a stream aside in '%s'", spool_dir());
	err_hint(e, "set TMPDIR to a folder with room for all of it");
	return -1;
}

int spool_open(struct err *e)
{
	_cleanup_(mem_freep) char *name = xasprintf("%s/perf-stream-XXXXXX", spool_dir());
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd < 0)
		return spool_failed(e);
	unlink(name);
	return fd;
}

int spool_add(int spool, const void *bytes, size_t len, u64 at, struct err *e)
{
	return rw_pwrite_full(spool, bytes, len, at) ? spool_failed(e) : 0;
}

int spool_fill(int spool, int from, u64 at, u64 *end, struct err *e)
{
	u8 *buf = xmalloc(PIECE);
	int r = 0;

	for (;;) {
		ssize_t got = read(from, buf, PIECE);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			r = err_sys(e, errno, "cannot read the stream");
		if (got <= 0)
			break;
		r = spool_add(spool, buf, (size_t)got, at, e);
		if (r)
			break;
		at += (u64)got;
	}
	free(buf);
	*end = at;
	return r;
}
