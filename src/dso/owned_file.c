/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/owned_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_owner(int fd, const char *path, bool force, u64 *size, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_sys(e, errno, "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, EINVAL, "'%s' is not a regular file", path);
	if (!force && st.st_uid && st.st_uid != geteuid()) {
		err_set(e, EPERM, "'%s' belongs to another user", path);
		err_hint(e, "use -f to read it all the same");
		return -1;
	}
	*size = (u64)st.st_size;
	return 0;
}

int owned_file_open(const char *path, bool force, u64 *size, struct err *e)
{
	/* Not to hang on a fifo, nor to take a terminal. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return err_sys(e, errno, "cannot open '%s'", path);
	if (check_owner(fd, path, force, size, e) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
