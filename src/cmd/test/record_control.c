/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells a recorder (perf record --control) that a workload begins and ends. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/test/test.h"

enum { ACK_MS = 10000 };

void record_control_close(struct record_control *c)
{
	mem_closep(&c->commands);
	mem_closep(&c->acks);
}

/* flags: that do not wait for the other end */
static int open_fifo(const char *path, int flags, struct err *e)
{
	int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENXIO)
		err_set(e, ENXIO, "nobody reads the FIFO '%s'", path);
	else if (fd < 0)
		err_sys(e, errno, "cannot open the FIFO '%s'", path);
	return fd;
}

int record_control_open(struct record_control *c, const char *spec, struct err *e)
{
	char path[PATH_MAX];
	size_t len;

	*c = (struct record_control){ -1, -1 };
	if (strncmp(spec, "fifo:", 5) != 0 || strlen(spec) >= sizeof(path))
		return err_set(e, EINVAL, "--record-ctl '%s': fifo:CTL-FIFO[,ACK-FIFO] is wanted",
			       spec);
	spec += 5;
	len = strcspn(spec, ",");
	snprintf(path, sizeof(path), "%.*s", (int)len, spec);
	c->commands = open_fifo(path, O_WRONLY, e);
	if (c->commands >= 0 && spec[len])
		c->acks = open_fifo(spec + len + 1, O_RDWR, e);
	if (c->commands >= 0 && (c->acks >= 0 || !spec[len]))
		return 0;
	record_control_close(c);
	return -1;
}

int record_control_say(struct record_control *c, const char *command, struct err *e)
{
	struct pollfd p = { .fd = c->acks, .events = POLLIN };
	char line[16];
	ssize_t n;

	if (dprintf(c->commands, "%s\n", command) < 0)
		return err_sys(e, errno, "cannot write '%s' to the recorder", command);
	if (c->acks < 0)
		return 0;
	n = poll(&p, 1, ACK_MS) > 0 ? read(c->acks, line, sizeof(line)) : 0;
	if (n >= 4 && !memcmp(line, "ack\n", 4))
		return 0;
	return err_set(e, ETIMEDOUT, "the recorder has not acknowledged '%s'", command);
}
