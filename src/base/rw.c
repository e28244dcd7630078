/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/rw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"

/* at: NULL = from where the file stands. */
static ssize_t read_all(int fd, void *buf, size_t n, const u64 *at)
{
	size_t done = 0;

	while (done < n) {
		void *to = (char *)buf + done;
		ssize_t got = at ? pread(fd, to, n - done, (off_t)(*at + done))
				 : read(fd, to, n - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

ssize_t rw_read_full(int fd, void *buf, size_t n)
{
	return read_all(fd, buf, n, NULL);
}

ssize_t rw_pread_full(int fd, void *buf, size_t n, u64 offset)
{
	return read_all(fd, buf, n, &offset);
}

bool rw_pread_string(int fd, u64 offset, size_t max, struct strbuf *out)
{
	char piece[4096];
	size_t ahead = 240; /* few are longer */

	while (max) {
		size_t want = MIN(max, ahead);
		ssize_t got = rw_pread_full(fd, piece, want, offset);
		size_t len;

		if (got < 0)
			return false;
		len = strnlen(piece, (size_t)got);
		strbuf_add(out, piece, len);
		if (len < want)
			break;
		offset += want;
		max -= want;
		ahead = sizeof(piece);
	}
	return true;
}

static int write_all(int fd, const void *buf, size_t n, const u64 *at)
{
	size_t done = 0;

	while (done < n) {
		const void *from = (const char *)buf + done;
		ssize_t put = at ? pwrite(fd, from, n - done, (off_t)(*at + done))
				 : write(fd, from, n - done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		done += (size_t)put;
	}
	return 0;
}

int rw_write_full(int fd, const void *buf, size_t n)
{
	return write_all(fd, buf, n, NULL);
}

int rw_pwrite_full(int fd, const void *buf, size_t n, u64 offset)
{
	return write_all(fd, buf, n, &offset);
}

int rw_slurp_fd(int fd, const char *what, struct strbuf *out, struct err *e)
{
	size_t chunk = 4096;
	size_t total = 0;

	for (;;) {
		ssize_t got;

		strbuf_grow(out, chunk);
		got = read(fd, out->buf + out->len, chunk);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(e, errno, "cannot read '%s'", what);
		if (!got)
			break;
		out->len += (size_t)got;
		total += (size_t)got;
		if (total > LIMIT_SMALL_FILE)
			return err_set(e, EFBIG, "'%s' is larger than %d bytes", what,
				       LIMIT_SMALL_FILE);
		if (chunk < 1 << 20)
			chunk *= 4;
	}
	strbuf_grow(out, 0);
	out->buf[out->len] = '\0';
	return 0;
}

int rw_slurp_at(int dirfd, const char *path, struct strbuf *out, struct err *e)
{
	_cleanup_(mem_closep) int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? err_sys(e, errno, "cannot open '%s'", path) : rw_slurp_fd(fd, path, out, e);
}

int rw_slurp(const char *path, struct strbuf *out, struct err *e)
{
	return rw_slurp_at(AT_FDCWD, path, out, e);
}

int rw_read_line(const char *path, char *buf, size_t size)
{
	_cleanup_(mem_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0 || !size)
		return -1;
	n = rw_read_full(fd, buf, size - 1);
	if (n < 0)
		return -1;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

bool rw_read_u64(const char *path, u64 *value)
{
	char buf[64];
	char *end;

	if (rw_read_line(path, buf, sizeof(buf)) < 0)
		return false;
	errno = 0;
	*value = strtoull(buf, &end, 0);
	return end != buf && !errno;
}
