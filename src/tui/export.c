/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"

enum { EXPORT_MAX = 1000 /* numbers that are tried */ };

static int new_file(const char *name, char *path, size_t size)
{
	for (u32 i = 0; i < EXPORT_MAX; i++) {
		int fd;

		snprintf(path, size, "%s.%u", name, i);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

void tui_export(struct tui *t, const char *name, const char *lines)
{
	_cleanup_(strbuf_releasep) struct strbuf escaped = STRBUF_INIT;
	char path[32];
	_cleanup_(mem_closep) int fd = new_file(name, path, sizeof(path));

	strbuf_add_escaped_lines(&escaped, lines);
	if (fd < 0 || rw_write_full(fd, escaped.buf, escaped.len) < 0)
		tui_complain(t, "cannot write '%s': %s", path, strerror(errno));
	else
		tui_say(t, "written to %s", path);
}
