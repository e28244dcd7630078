/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/tracefs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/rw.h"

enum { TRACEFS_SUPER_MAGIC = 0x74726163 };

static bool is_tracefs(const char *path)
{
	struct statfs sf;

	return !statfs(path, &sf) && (u64)sf.f_type == TRACEFS_SUPER_MAGIC;
}

/* The mount point of the first tracefs (or debugfs, plus /tracing) line of a mounts file. */
static bool find_in_mounts(const char *mounts, const char *type, const char *suffix, char *buf,
			   size_t size)
{
	const char *line = mounts;

	while (*line) {
		const char *end = strchrnul(line, '\n');
		const char *dir = memchr(line, ' ', (size_t)(end - line));
		const char *fs = dir ? memchr(dir + 1, ' ', (size_t)(end - dir - 1)) : NULL;
		size_t tlen = strlen(type);

		if (fs && (size_t)(end - fs) > tlen + 1 && !strncmp(fs + 1, type, tlen) &&
		    fs[1 + tlen] == ' ') {
			snprintf(buf, size, "%.*s%s", (int)(fs - dir - 1), dir + 1, suffix);
			return true;
		}
		line = *end ? end + 1 : end;
	}
	return false;
}

/* DIR or DIR/tracing, whichever has an events directory; not necessarily a mount point (tests). */
static bool find_below(const char *dir, char *buf, size_t size)
{
	static const char *const below[] = { "/tracing", "" };
	char path[PATH_MAX];

	for (size_t i = 0; dir && i < ARRAY_SIZE(below); i++) {
		snprintf(path, sizeof(path), "%s%s/events", dir, below[i]);
		if (!access(path, R_OK | X_OK)) {
			snprintf(buf, size, "%s%s", dir, below[i]);
			return true;
		}
	}
	return false;
}

bool sys_tracefs_find(const char *debugfs, const char *procfs, char *buf, size_t size)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	_cleanup_(strbuf_releasep) struct strbuf mounts = STRBUF_INIT;
	char path[PATH_MAX];

	if (find_below(debugfs, buf, size))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		if (is_tracefs(usual[i])) {
			snprintf(buf, size, "%s", usual[i]);
			return true;
		}
	}
	snprintf(path, sizeof(path), "%s/mounts", procfs ? procfs : "/proc");
	if (rw_slurp(path, &mounts, NULL))
		return false;
	if (find_in_mounts(mounts.buf, "tracefs", "", buf, size) ||
	    find_in_mounts(mounts.buf, "debugfs", "/tracing", buf, size))
		return true;
	/* A kernel that has it, not yet mounted: for root, as perf does. */
	if (procfs || mount("none", usual[0], "tracefs", 0, NULL))
		return false;
	snprintf(buf, size, "%s", usual[0]);
	return true;
}

static int read_id(int dirfd, const char *path, u64 *id)
{
	_cleanup_(mem_closep) int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	char text[32];
	ssize_t n;

	if (fd < 0)
		return -errno;
	/* One read: the kernel hands out the whole number, and globs read hundreds of these. */
	n = read(fd, text, sizeof(text) - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	*id = strtoull(text, NULL, 10);
	return 0;
}

int sys_tracefs_id(const char *root, const char *system, const char *name, u64 *id)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/events/%s/%s/id", root, system, name) >=
	    sizeof(path))
		return -ENAMETOOLONG;
	return read_id(AT_FDCWD, path, id);
}

int sys_tracefs_open_system(const char *root, const char *system)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/events/%s", root, system);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int sys_tracefs_id_at(int system_fd, const char *name, u64 *id)
{
	char path[NAME_MAX + 8];

	if ((size_t)snprintf(path, sizeof(path), "%s/id", name) >= sizeof(path))
		return -ENAMETOOLONG;
	return read_id(system_fd, path, id);
}

int sys_tracefs_format(const char *root, const char *system, const char *name, struct strbuf *out,
		       struct err *e)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/events/%s/%s/format", root, system, name);
	return rw_slurp(path, out, e);
}

int sys_tracefs_read(const char *root, const char *file, struct strbuf *out, struct err *e)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, file);
	return rw_slurp(path, out, e);
}

void sys_names_release(sys_names *n)
{
	VEC_FOR(n, p)
		free(*p);
	vec_free(n);
}

static bool is_dir(int dirfd, const struct dirent *d)
{
	struct stat st;

	if (d->d_name[0] == '.')
		return false;
	if (d->d_type != DT_UNKNOWN)
		return d->d_type == DT_DIR;
	return !fstatat(dirfd, d->d_name, &st, 0) && S_ISDIR(st.st_mode);
}

int sys_tracefs_list(const char *root, const char *system, sys_names *out)
{
	char path[PATH_MAX];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/events%s%s", root, system ? "/" : "",
		 system ? system : "");
	dir = opendir(path);
	if (!dir)
		return -errno;
	for (struct dirent *d; (d = readdir(dir));)
		if (is_dir(dirfd(dir), d))
			*VEC_PUSH(out) = xstrdup(d->d_name);
	closedir(dir);
	return 0;
}
