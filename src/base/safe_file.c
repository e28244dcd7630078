/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

enum {
	LINKS_MAX = 16,
	TRIES = 2 * LINKS_MAX,
	FOLDERS_MAX = 4096,
	FOLDER_MODE = 0755,
	NOBODY = 65534,
	TARGET_MAX = 4096
};

/* ---- folders ---- */

int folder_below(int at, const char *path, bool make)
{
	int folder = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (folder >= 0 && *path) {
		size_t len = strcspn(path, "/");
		_cleanup_(mem_freep) char *part = xstrndup(path, len);
		int next = folder;

		if (len) {
			/* what cannot be made cannot be opened */
			if (make)
				mkdirat(folder, part, FOLDER_MODE);
			next = openat(folder, part,
				      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			close(folder);
		}
		folder = next;
		path += len + (path[len] == '/');
	}
	return folder;
}

int folder_of(int at, const char *path, const char **leaf)
{
	const char *slash = strrchr(path, '/');
	_cleanup_(mem_freep) char *above = xstrndup(path, slash ? (size_t)(slash - path) + 1 : 0);

	*leaf = slash ? slash + 1 : path;
	return openat(at, above[0] ? above : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* In a user namespace of its own, root is an ordinary user, and what belongs to those outside
 * belongs to nobody. */
static bool is_first_user_ns(void)
{
	unsigned long long inside, outside, count;
	char map[64];

	return rw_read_line("/proc/self/uid_map", map, sizeof(map)) ||
	       (sscanf(map, "%llu %llu %llu", &inside, &outside, &count) == 3 &&
		count >= UINT32_MAX);
}

bool is_foreign(const struct stat *st)
{
	return st->st_uid != 0 && st->st_uid != geteuid() &&
	       (st->st_uid != NOBODY || is_first_user_ns());
}

static bool others_can_write(const struct stat *st)
{
	return st->st_mode & S_IWOTH || (st->st_mode & S_IWGRP && st->st_gid != 0);
}

/* A folder and all above it. Closes `at`. */
static int check_folders(int at, const char *path, bool is_above, struct err *e)
{
	struct stat st, below;
	int code = 0;

	for (unsigned int i = 0; !code && !fstat(at, &st) && i < FOLDERS_MAX; i++) {
		int up;

		if (i && st.st_dev == below.st_dev && st.st_ino == below.st_ino) {
			close(at);
			return 0;
		}
		if (is_foreign(&st))
			code = err_set(e, EPERM, "'%s' can be changed by another user (uid %u)",
				       path, st.st_uid);
		else if (others_can_write(&st) && !((i || is_above) && st.st_mode & S_ISVTX))
			code = err_set(e, EPERM, "'%s' can be changed by other users", path);
		below = st;
		up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = up;
	}
	if (at >= 0)
		close(at);
	return code ? code : err_sys(e, EPERM, "cannot tell whose folder '%s' is", path);
}

/* is_above: it is not the folder itself that is asked for. */
static int check_trusted(int folder, const char *path, bool is_above, struct err *e)
{
	if (geteuid() != 0 || !is_first_user_ns())
		return 0;
	return check_folders(fcntl(folder, F_DUPFD_CLOEXEC, 0), path, is_above, e);
}

/* What there is of a path, without links, in fresh memory; *rest: what is missing. */
static char *existing_part(const char *path, const char **rest)
{
	_cleanup_(mem_freep) char *part = xstrdup(path[0] ? path : ".");
	size_t len = strlen(part);
	char *real;

	*rest = "";
	while (!(real = realpath(part, NULL)) && errno == ENOENT && len) {
		while (len && part[len - 1] == '/')
			len--;
		while (len && part[len - 1] != '/')
			len--;
		*rest = path + len;
		part[len] = '\0';
		if (!len)
			return realpath(".", NULL);
	}
	return real;
}

int folder_trusted(const char *path, bool make, struct err *e)
{
	const char *rest;
	_cleanup_(mem_freep) char *real = existing_part(path, &rest);
	_cleanup_(mem_closep) int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	_cleanup_(mem_closep) int above = real ? folder_below(top, real, false) : -1;
	int folder;

	if (above < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	if (check_trusted(above, path, *rest, e))
		return -1;
	if (*rest && !make)
		return err_sys(e, ENOENT, "cannot open '%s'", path);
	folder = folder_below(above, rest, make);
	if (folder < 0)
		return err_sys(e, errno, "cannot make '%s'", path);
	/* Somebody else may have made it in between. */
	if (!*rest || !check_trusted(folder, path, false, e))
		return folder;
	close(folder);
	return -1;
}

/* ---- new files ---- */

static void random_name(char *buf, size_t size, const char *name)
{
	u64 number = 0;

	/* (without it names could be guessed, and be taken by others: an error then) */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = (u64)getpid();
	snprintf(buf, size, ".%.200s.%016llx", name, (unsigned long long)number);
}

int new_file_open(struct new_file *f, int folder, const char *name, mode_t mode)
{
	*f = (struct new_file){ .folder = folder, .name = name, .fd = -1 };
	if (folder == -1)
		return -1;
	for (unsigned int i = 0; f->fd < 0 && i < TRIES; i++) {
		random_name(f->temp, sizeof(f->temp), name);
		f->fd = openat(folder, f->temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			       mode);
		if (f->fd < 0 && errno != EEXIST)
			break;
	}
	return f->fd < 0 ? -1 : 0;
}

int new_file_keep(struct new_file *f)
{
	int code = 0;

	if (close(f->fd))
		code = errno;
	f->fd = -1;
	if (!code && !renameat(f->folder, f->temp, f->folder, f->name))
		return 0;
	code = code ? code : errno;
	unlinkat(f->folder, f->temp, 0);
	errno = code;
	return -1;
}

void new_file_drop(struct new_file *f)
{
	int code = errno;

	if (f->fd < 0)
		return;
	close(f->fd);
	f->fd = -1;
	unlinkat(f->folder, f->temp, 0);
	errno = code;
}

/* ---- output that a user named ---- */

struct user_output {
	const char *path; /* as the user gave it, for errors */
	int flags;
	mode_t mode;
	unsigned int links, tries;
};

static int open_output_at(struct user_output *o, int at, const char *path, struct err *e);

static int output_failed(const struct user_output *o, int code, struct err *e)
{
	err_sys(e, code, "cannot write '%s'", o->path);
	errno = code;
	return -1;
}

static int refuse(const struct user_output *o, const struct stat *st, const char *what,
		  struct err *e)
{
	err_set(e, EPERM, "cannot write '%s': it is a %s of another user (uid %u)", o->path, what,
		st->st_uid);
	err_hint(e, "name another file, or remove this one");
	errno = EPERM;
	return -1;
}

/* Links of /proc lead to what is open, whatever their text says. */
static bool is_in_proc(int folder)
{
	struct statfs fs;

	return !fstatfs(folder, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

static int follow(struct user_output *o, int folder, const char *leaf, int link, struct err *e)
{
	char target[TARGET_MAX];
	ssize_t n;
	int fd;

	if (++o->links > LINKS_MAX)
		return output_failed(o, ELOOP, e);
	if (is_in_proc(folder)) {
		fd = openat(folder, leaf, o->flags & ~O_CREAT, o->mode);
		return fd < 0 ? output_failed(o, errno, e) : fd;
	}
	n = readlinkat(link, "", target, sizeof(target) - 1);
	if (n <= 0)
		return output_failed(o, n ? errno : ENOENT, e);
	target[n] = '\0';
	return open_output_at(o, folder, target, e);
}

/* The same thing that `seen` is; truncated only when this is sure. (A file of a container's image
 * has another number once it is open for writing.) */
static int open_seen(struct user_output *o, int folder, const char *leaf, const struct stat *seen,
		     struct err *e)
{
	int wait = S_ISREG(seen->st_mode) ? O_NONBLOCK : 0;
	int fd = openat(folder, leaf,
			(o->flags & ~(O_CREAT | O_TRUNC)) | wait | O_NOFOLLOW | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return output_failed(o, errno, e);
	if (fstat(fd, &st) || st.st_dev != seen->st_dev || st.st_ino != seen->st_ino) {
		close(fd);
		return open_output_at(o, folder, leaf, e);
	}
	if (!S_ISREG(st.st_mode) || !(o->flags & O_TRUNC) || !ftruncate(fd, 0))
		return fd;
	output_failed(o, errno, e);
	close(fd);
	return -1;
}

/* A file that somebody else has a say in: another user's, or one with further names. */
static int open_shared(struct user_output *o, int folder, const char *leaf, const struct stat *st,
		       struct err *e)
{
	if (!(o->flags & O_TRUNC) && st->st_nlink > 1) {
		err_set(e, EPERM, "cannot write '%s': the file has another name elsewhere",
			o->path);
		errno = EPERM;
		return -1;
	}
	if (!(o->flags & O_TRUNC))
		return geteuid() == 0 && is_foreign(st) ? refuse(o, st, "file", e)
							: open_seen(o, folder, leaf, st, e);
	if (unlinkat(folder, leaf, 0) && errno != ENOENT) {
		/* Not root: the kernel knows whether this user may. */
		if (geteuid() != 0 && st->st_nlink == 1)
			return open_seen(o, folder, leaf, st, e);
		return output_failed(o, errno, e);
	}
	return open_output_at(o, folder, leaf, e);
}

static int open_existing(struct user_output *o, int folder, const char *leaf, int found,
			 struct err *e)
{
	struct stat st;

	if (fstat(found, &st))
		return output_failed(o, errno, e);
	switch (st.st_mode & S_IFMT) {
	case S_IFLNK:
		return is_foreign(&st) ? refuse(o, &st, "link", e)
				       : follow(o, folder, leaf, found, e);
	case S_IFREG:
		if (st.st_uid == geteuid() && st.st_nlink == 1)
			return open_seen(o, folder, leaf, &st, e);
		return open_shared(o, folder, leaf, &st, e);
	case S_IFIFO:
		return is_foreign(&st) ? refuse(o, &st, "fifo", e)
				       : open_seen(o, folder, leaf, &st, e);
	case S_IFCHR:
		return open_seen(o, folder, leaf, &st, e);
	case S_IFDIR:
		return output_failed(o, EISDIR, e);
	default:
		return output_failed(o, EINVAL, e);
	}
}

static int open_output_at(struct user_output *o, int at, const char *path, struct err *e)
{
	const char *leaf;
	_cleanup_(mem_closep) int folder = folder_of(at, path, &leaf);

	if (folder < 0 || !*leaf)
		return output_failed(o, folder < 0 ? errno : EISDIR, e);
	while (o->tries++ < TRIES) {
		_cleanup_(mem_closep) int found = openat(folder, leaf,
							 O_PATH | O_NOFOLLOW | O_CLOEXEC);
		int fd;

		if (found >= 0)
			return open_existing(o, folder, leaf, found, e);
		if (errno != ENOENT || !(o->flags & O_CREAT))
			return output_failed(o, errno, e);
		fd = openat(folder, leaf, o->flags | O_EXCL | O_NOFOLLOW, o->mode);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			return output_failed(o, errno, e);
	}
	return output_failed(o, EBUSY, e);
}

int output_file_open(const char *path, int flags, mode_t mode, struct err *e)
{
	struct user_output o = { .path = path, .flags = flags | O_CLOEXEC, .mode = mode };

	return open_output_at(&o, AT_FDCWD, path, e);
}

FILE *output_file_stream(const char *path, struct err *e)
{
	int fd = output_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666, e);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

/* Steps on to where a link leads: *folder and *path, what it says. 0: *path names no link; 1; -1.
 */
static int step_through(struct user_output *o, int folder, const char *leaf, struct strbuf *path,
			struct err *e)
{
	_cleanup_(mem_closep) int found = openat(folder, leaf, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	char target[TARGET_MAX];
	struct stat st;
	ssize_t n;

	if (found < 0 || fstat(found, &st) || !S_ISLNK(st.st_mode))
		return 0;
	if (is_foreign(&st))
		return refuse(o, &st, "link", e);
	n = readlinkat(found, "", target, sizeof(target));
	if (n <= 0 || n == sizeof(target))
		return output_failed(o, n < 0 ? errno : ENAMETOOLONG, e);
	strbuf_reset(path);
	strbuf_add(path, target, (size_t)n);
	return 1;
}

int output_file_place(const char *path, char **leaf, struct err *e)
{
	struct user_output o = { .path = path };
	_cleanup_(strbuf_releasep) struct strbuf at = STRBUF_INIT;
	_cleanup_(mem_closep) int from = -1;

	strbuf_adds(&at, path);
	while (o.links++ <= LINKS_MAX) {
		_cleanup_(mem_freep) char *here = xstrdup(at.buf);
		const char *last;
		int folder = folder_of(from >= 0 ? from : AT_FDCWD, here, &last), more;

		if (folder < 0)
			return output_failed(&o, errno, e);
		more = step_through(&o, folder, last, &at, e);
		if (!more) {
			*leaf = xstrdup(last);
			return folder;
		}
		mem_closep(&from);
		from = folder;
		if (more < 0)
			return -1;
	}
	return output_failed(&o, ELOOP, e);
}
