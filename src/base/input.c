/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/input.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"

/* File systems whose regular files are made while they are read: reading some waits (trace_pipe),
 * takes what others wait for (/proc/kmsg), or never ends. */
static const u32 kernel_file_systems[] = {
	PROC_SUPER_MAGIC,
	SYSFS_MAGIC,
	TRACEFS_MAGIC,
	DEBUGFS_MAGIC,
	SECURITYFS_MAGIC,
	SELINUX_MAGIC,
	SMACK_MAGIC,
	CGROUP_SUPER_MAGIC,
	CGROUP2_SUPER_MAGIC,
	BPF_FS_MAGIC,
	PSTOREFS_MAGIC,
	EFIVARFS_MAGIC,
	BINFMTFS_MAGIC,
	XENFS_SUPER_MAGIC,
	RDTGROUP_SUPER_MAGIC,
	NSFS_MAGIC,
	0x62656570 /* configfs */,
	0x65735543 /* fusectl */,
};

static bool is_of_kernel(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_file_systems); i++) {
		if ((u32)fs.f_type == kernel_file_systems[i])
			return true;
	}
	return false;
}

/* Where the path goes on below "/proc/PID/root/"; 0 = it is another. */
static size_t below_root(const char *path)
{
	static const char proc[] = "/proc/", root[] = "/root/";
	size_t at = strlen(proc);

	if (strncmp(path, proc, at) != 0 || !isdigit((u8)path[at]))
		return 0;
	while (isdigit((u8)path[at]))
		at++;
	return strncmp(path + at, root, strlen(root)) == 0 ? at + strlen(root) : 0;
}

/* A name of the file, which opens nothing. */
static int find(int dirfd, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	size_t rest = below_root(path);
	long fd = -1;

	if (rest) {
		_cleanup_(mem_freep) char *top = xstrndup(path, rest);
		_cleanup_(mem_closep) int root = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);

		if (root < 0)
			return -1;
		fd = syscall(SYS_openat2, root, path + rest, &how, sizeof(how));
		/* Kernels before 5.6, and filters of system calls that do not know it. */
		if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
			return (int)fd;
	}
	return openat(dirfd, path, O_PATH | O_CLOEXEC);
}

/* Without /proc it must be opened by its name again, and may be another file by now. */
static int open_again(int dirfd, const char *path, int how, const struct stat *wanted)
{
	int fd = openat(dirfd, path, how);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && st.st_dev == wanted->st_dev && st.st_ino == wanted->st_ino)
		return fd;
	close(fd);
	errno = ESTALE;
	return -1;
}

static bool is_null_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* 0, or the errno of what speaks against it. */
static int judge(int fd, const char *path, const struct stat *st, unsigned int flags, struct err *e)
{
	bool pipe = flags & INPUT_PIPE && (S_ISFIFO(st->st_mode) || is_null_device(st));

	if (S_ISDIR(st->st_mode))
		err_set(e, EISDIR, "'%s' is a directory", path);
	else if (!S_ISREG(st->st_mode) && !pipe)
		err_set(e, EINVAL, "'%s' is not a regular file", path);
	else if (!(flags & INPUT_KERNEL) && !pipe && is_of_kernel(fd))
		err_set(e, EINVAL, "'%s' is made by the kernel, and no file that is kept", path);
	else if (flags & INPUT_OWNED && st->st_uid && st->st_uid != geteuid() &&
		 !is_null_device(st))
		err_set(e, EPERM, "'%s' belongs to another user", path);
	else
		return 0;
	return e->code;
}

int input_open_at(int dirfd, const char *path, unsigned int flags, struct err *e)
{
	_cleanup_(mem_closep) int name = find(dirfd, path);
	struct err none = ERR_INIT;
	char again[32];
	struct stat st;
	int code = errno, fd, how;

	if (name < 0 || fstat(name, &st)) {
		err_sys(e, code, "cannot open '%s'", path);
		errno = code;
		return -1;
	}
	code = judge(name, path, &st, flags, e ? e : &none);
	if (code) {
		errno = code;
		return -1;
	}
	/* O_NONBLOCK: nor wait for whoever holds a lease on it. */
	how = O_RDONLY | O_CLOEXEC | O_NOCTTY | (S_ISREG(st.st_mode) ? O_NONBLOCK : 0);
	snprintf(again, sizeof(again), "/proc/self/fd/%d", name);
	fd = open(again, how);
	if (fd < 0 && errno == ENOENT)
		fd = open_again(dirfd, path, how, &st);
	if (fd < 0) {
		code = errno;
		err_sys(e, code, "cannot open '%s'", path);
		errno = code;
	}
	return fd;
}

int input_open(const char *path, unsigned int flags, struct err *e)
{
	return input_open_at(AT_FDCWD, path, flags, e);
}

int input_slurp(const char *path, unsigned int flags, struct strbuf *out, struct err *e)
{
	_cleanup_(mem_closep) int fd = input_open(path, flags, e);

	return fd < 0 ? -1 : rw_slurp_fd(fd, path, out, e);
}
