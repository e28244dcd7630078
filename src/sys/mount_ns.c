/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/mount_ns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static bool is_same(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

int mount_ns_enter(struct mount_ns *ns, pid_t pid, struct err *e)
{
	_cleanup_(mem_closep) int theirs = -1, ours = -1, cwd = -1;
	char path[64];

	*ns = (struct mount_ns){ .old = -1, .cwd = -1 };
	if (!pid)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
	theirs = open(path, O_RDONLY | O_CLOEXEC);
	if (theirs < 0)
		return err_sys(e, errno, "cannot read the mount namespace of process %d", pid);
	ours = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	cwd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (ours < 0 || cwd < 0)
		return err_sys(e, errno, "cannot read our own mount namespace");
	if (is_same(theirs, ours))
		return 0;
	if (setns(theirs, CLONE_NEWNS))
		return err_sys(e, errno, "cannot enter the mount namespace of process %d", pid);
	ns->old = ours;
	ns->cwd = cwd;
	ours = cwd = -1;
	return 0;
}

int mount_ns_leave(struct mount_ns *ns, struct err *e)
{
	int code = 0;

	if (ns->old < 0)
		return 0;
	/* Entering has led to the root folder. */
	if (setns(ns->old, CLONE_NEWNS) || fchdir(ns->cwd))
		code = errno;
	close(ns->old);
	close(ns->cwd);
	ns->old = ns->cwd = -1;
	return code ? err_sys(e, code, "cannot come back from another mount namespace") : 0;
}
