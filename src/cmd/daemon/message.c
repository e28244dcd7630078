/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/daemon/message.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

_Static_assert(sizeof(struct daemon_message) == 72, "the size of a request is perf's");

enum { PATIENCE = 120 }; /* seconds: a session may have much to write when it is stopped */

static int connect_to(int fd, struct err *e)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = DAEMON_SOCKET };
	struct timeval patience = { .tv_sec = PATIENCE };

	if (fd < 0)
		return err_sys(e, errno, "socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return 0;
	err_sys(e, errno, "connect");
	err_hint(
		e,
		"no daemon runs there, or it is another user's; start it with 'perf daemon start'");
	return -1;
}

/* The text goes out line by line, as the daemon makes it. */
static int show_answer(int fd, struct err *e)
{
	_cleanup_(mem_fclosep) FILE *answer = fdopen(fd, "r");
	_cleanup_(mem_freep) char *line = NULL;
	size_t size = 0;
	int r = 0;

	if (!answer) {
		err_sys(e, errno, "cannot read the daemon's answer");
		close(fd);
		return -1;
	}
	while (getline(&line, &size, answer) >= 0) {
		_cleanup_(strbuf_releasep) struct strbuf shown = STRBUF_INIT;

		strbuf_add_escaped_lines(&shown, line);
		fputs(shown.buf, stdout);
		if (!strncmp(line, "FAIL ", 5))
			r = 1;
	}
	if (ferror(answer))
		return err_set(e, errno, "the daemon does not answer");
	return r;
}

int daemon_request_send(const struct base_dir *b, const struct daemon_message *m, struct err *e)
{
	int fd;

	if (fchdir(b->fd))
		return err_sys(e, errno, "cannot go into '%s'", b->path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connect_to(fd, e)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (send(fd, m, sizeof(*m), MSG_NOSIGNAL) != (ssize_t)sizeof(*m)) {
		err_sys(e, errno, "cannot write to the daemon");
		close(fd);
		return -1;
	}
	return show_answer(fd, e);
}
