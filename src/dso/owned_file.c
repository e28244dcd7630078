/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/owned_file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"

int owned_file_open(const char *path, bool force, u64 *size, struct err *e)
{
	int fd = input_open(path, force ? 0 : INPUT_OWNED, e);
	struct stat st;

	if (fd < 0) {
		if (e && e->code == EPERM)
			err_hint(e, "use -f to read it all the same");
		return -1;
	}
	if (fstat(fd, &st) < 0) {
		err_sys(e, errno, "cannot read '%s'", path);
		close(fd);
		return -1;
	}
	*size = (u64)st.st_size;
	return fd;
}
