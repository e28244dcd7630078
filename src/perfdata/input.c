/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening what a recording is read from: a file, a pipe, a folder and the files in it. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/limits.h"
#include "base/rw.h"
#include "perfdata/reader.h"

static int not_ours(struct err *e, const char *path)
{
	err_set(e, EPERM, "file '%s' not owned by current user or root", path);
	err_hint(e, "use -f to override");
	return -1;
}

/* e is of input_open(). */
static int explain_failure(struct err *e, const char *path)
{
	if (e->code == EPERM)
		return not_ours(e, path);
	if (e->code == EISDIR)
		return err_set(e, EISDIR, "'%s' is no perf.data file", path);
	if (e->code == EINVAL)
		return -1;
	err_sys(e, e->code, "failed to open '%s'", path);
	if (e->code == ENOENT)
		err_hint(e, "try 'perf record' first");
	return -1;
}

/* What a user named may be a pipe; what happens to have the usual name may not. */
static unsigned int wanted_kinds(const struct perfdata *f, const char *path)
{
	return (strcmp(path, PERFDATA_DEFAULT_PATH) ? INPUT_PIPE : 0) |
	       (f->force ? 0 : INPUT_OWNED);
}

ssize_t reader_input(const struct perfdata *f, void *buf, size_t size)
{
	return f->feed ? f->feed->read(f->feed->ctx, buf, size) : read(f->fd, buf, size);
}

ssize_t reader_input_full(const struct perfdata *f, u8 *buf, size_t n)
{
	size_t done = 0;

	if (!f->feed)
		return rw_read_full(f->fd, buf, n);
	while (done < n) {
		ssize_t got = reader_input(f, buf + done, n - done);

		if (got <= 0)
			return got ? got : (ssize_t)done;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int reader_open_input(struct perfdata *f, struct err *e)
{
	struct err why = ERR_INIT;
	struct stat st;

	if (f->feed)
		return 0;
	if (!strcmp(f->path, "-")) {
		f->fd = dup(STDIN_FILENO);
	} else {
		if (!stat(f->path, &st) && S_ISDIR(st.st_mode)) {
			f->directory = f->path;
			f->path = xasprintf("%s/data", f->directory);
		}
		f->fd = input_open(f->path,
				   f->directory ? wanted_kinds(f, PERFDATA_DEFAULT_PATH)
						: wanted_kinds(f, f->path),
				   &why);
		if (f->fd < 0) {
			explain_failure(&why, f->path);
			if (e)
				*e = why;
			return -1;
		}
	}
	if (f->fd < 0 || fstat(f->fd, &st))
		return err_sys(e, errno, "cannot read '%s'", f->path);
	if (S_ISDIR(st.st_mode))
		return err_set(e, EISDIR, "'%s' is no perf.data file", f->path);
	/* Standard input may be a file: read as one when nothing of it has been taken. */
	f->regular = S_ISREG(st.st_mode) &&
		     (strcmp(f->path, "-") != 0 || !lseek(f->fd, 0, SEEK_CUR));
	f->file_size = f->regular ? (u64)st.st_size : 0;
	f->info.captured = (u64)st.st_mtime;
	if (f->regular && st.st_uid && st.st_uid != geteuid() && !f->force)
		return not_ours(e, f->path);
	if (f->regular && !f->file_size)
		return err_set(e, EINVAL, "zero-sized data ('%s'), nothing to do", f->path);
	return 0;
}

int reader_open_member(const struct perfdata *f, const char *path, struct err *e)
{
	struct err why = ERR_INIT;
	int fd = input_open(path, wanted_kinds(f, PERFDATA_DEFAULT_PATH), &why);

	if (fd >= 0)
		return fd;
	explain_failure(&why, path);
	*e = why;
	return -1;
}

int reader_find_members(struct perfdata *f, struct err *e)
{
	for (unsigned int i = 0; f->directory && i < LIMIT_STRINGS; i++) {
		_cleanup_(mem_freep) char *path = xasprintf("%s/data.%u", f->directory, i);
		struct err why = ERR_INIT;
		struct stat st;

		if (stat(path, &st))
			break;
		int fd = reader_open_member(f, path, &why);

		mem_closep(&fd);
		if (why.code == EPERM || why.code == EINVAL) {
			if (e)
				*e = why;
			return -1;
		}
		*VEC_PUSH(&f->members) = path;
		path = NULL;
		f->all_size += (u64)st.st_size;
	}
	return 0;
}
