/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "archive/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

enum { COPY = 1 << 16, PARTS_MAX = 256 };

/* "./a//b/" is "a/b"; false: it leads out, or nowhere. */
static bool unpack_name(const char *name, struct strbuf *out)
{
	unsigned int parts = 0;

	strbuf_reset(out);
	if (name[0] == '/')
		return false;
	while (*name) {
		size_t len = strcspn(name, "/");
		bool dots = len && len <= 2 && !memcmp(name, "..", len);

		if (dots && len == 2)
			return false;
		if (len && !dots) {
			if (len > NAME_MAX || ++parts > PARTS_MAX)
				return false;
			if (out->len)
				strbuf_addch(out, '/');
			strbuf_add(out, name, len);
		}
		name += len + (name[len] == '/');
	}
	return out->len > 0;
}

/* The folder that holds a name, made where it is not there; -1 with errno. *leaf: the last part. */
static int open_parent(int dir, const char *name, bool make, const char **leaf)
{
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	const char *slash;

	for (; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		_cleanup_(mem_freep) char *part = xstrndup(name, (size_t)(slash - name));
		int next;

		if (make && mkdirat(at, part, 0755) && errno != EEXIST) {
			close(at);
			return -1;
		}
		next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	*leaf = name;
	return at;
}

/* Under a name of its own until it is whole. */
static int make_file(int parent, const char *leaf, struct tar_reader *from,
		     const struct tar_member *m, struct err *e)
{
	_cleanup_(mem_freep) char *temp = xasprintf(".%.200s.%d", leaf, getpid());
	_cleanup_(mem_freep) char *buf = xmalloc(COPY);
	int fd = openat(parent, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = m->mtime } };
	int code = 0, r = 0;
	ssize_t got = 0;

	if (fd < 0)
		return err_sys(e, errno, "cannot make '%s'", m->name);
	while (!r && (got = from->data.read(&from->data, buf, COPY, e)) > 0)
		if (rw_write_full(fd, buf, (size_t)got))
			r = err_sys(e, errno, "cannot write '%s'", m->name);
	if (!r)
		r = got < 0 ? -1 : 0;
	if (!r && fchmod(fd, m->mode))
		code = errno;
	futimens(fd, times);
	if (close(fd) && !code)
		code = errno;
	if (!r && !code && renameat(parent, temp, parent, leaf))
		code = errno;
	if (code && !r)
		r = err_sys(e, code, "cannot make '%s'", m->name);
	if (r)
		unlinkat(parent, temp, 0);
	return r;
}

/* Another name of what was made before. */
static int make_hardlink(int dir, int parent, const char *leaf, const struct tar_member *m,
			 struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf target = STRBUF_INIT;
	_cleanup_(mem_closep) int from = -1;
	const char *from_leaf;
	struct stat st;

	if (!unpack_name(m->target, &target))
		return err_set(e, EINVAL, "'%s' is a link that leads elsewhere", m->name);
	from = open_parent(dir, target.buf, false, &from_leaf);
	if (from < 0 || fstatat(from, from_leaf, &st, AT_SYMLINK_NOFOLLOW))
		return err_sys(e, errno, "cannot make '%s'", m->name);
	if (!S_ISREG(st.st_mode))
		return err_set(e, EINVAL, "'%s' is a link to what is no file", m->name);
	if (linkat(from, from_leaf, parent, leaf, 0))
		return err_sys(e, errno, "cannot make '%s'", m->name);
	return 0;
}

static int make_member(int dir, int parent, const char *leaf, struct tar_reader *from,
		       const struct tar_member *m, struct err *e)
{
	switch (m->kind) {
	case TAR_FILE:
		return make_file(parent, leaf, from, m, e);
	case TAR_SYMLINK:
		return symlinkat(m->target, parent, leaf) ?
			       err_sys(e, errno, "cannot make '%s'", m->name) : 0;
	default:
		return make_hardlink(dir, parent, leaf, m, e);
	}
}

static int make_folder(int parent, const char *leaf, const struct tar_member *m, struct err *e)
{
	struct stat st;

	if (!mkdirat(parent, leaf, 0755))
		return 0;
	if (errno == EEXIST && !fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISDIR(st.st_mode))
		return 0;
	return err_sys(e, errno, "cannot make '%s'", m->name);
}

int unpack_member(int dir, struct tar_reader *from, const struct tar_member *m,
		  const struct unpack_rules *rules, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(mem_closep) int parent = -1;
	struct tar_member made;
	const char *leaf;
	struct stat st;

	if (!unpack_name(m->name, &name)) {
		err_set(e, EINVAL, "'%s' leads out of the archive", m->name);
		return 0;
	}
	if (!rules->hidden && (name.buf[0] == '.' || strstr(name.buf, "/."))) {
		err_set(e, EINVAL, "'%s' is a hidden file", m->name);
		return 0;
	}
	if (m->kind == TAR_OTHER ||
	    (m->kind == TAR_SYMLINK &&
	     (!rules->link_allowed || !rules->link_allowed(name.buf, m->target)))) {
		err_set(e, EINVAL, "'%s' is no file%s%s", m->name, m->target[0] ? " but leads to " : "",
			m->target);
		return 0;
	}
	parent = open_parent(dir, name.buf, true, &leaf);
	if (parent < 0)
		return err_sys(e, errno, "cannot make a folder for '%s'", m->name);
	if (m->kind == TAR_FOLDER)
		return make_folder(parent, leaf, m, e) ? -1 : 1;
	if (!fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW)) {
		if (!rules->replace || S_ISDIR(st.st_mode))
			return err_set(e, EEXIST, "'%s' exists", name.buf);
		if (m->kind != TAR_FILE && unlinkat(parent, leaf, 0))
			return err_sys(e, errno, "cannot replace '%s'", name.buf);
	}
	made = *m;
	made.mode &= rules->mode;
	return make_member(dir, parent, leaf, from, &made, e) ? -1 : 1;
}
