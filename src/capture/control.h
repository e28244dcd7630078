/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/control: the channel of --control, over which another program commands a measurement:
 * lines in, "ack\n" out after each that was carried out. Lines may come in pieces. One thread.
 *
 * Source: perf-record(1), --control.
 */
#ifndef CAPTURE_CONTROL_H
#define CAPTURE_CONTROL_H

#include "base/err.h"

enum { CONTROL_LINE_MAX = 1024 };

struct control {
	int fd, ack_fd; /* -1 = none, or gone */
	bool owned; /* opened here */
	bool drained; /* read since it was last said that something is there */
	bool skipping; /* the rest of a line that was too long */
	size_t len;
	char line[CONTROL_LINE_MAX]; /* what has been read and not handed out */
};

/* "fd:N[,N]" or "fifo:PATH[,PATH]". Nothing is left open after an error. */
int control_open(struct control *c, const char *spec, struct err *e);
void control_close(struct control *c);
static inline int control_fd(const struct control *c)
{
	return c->fd;
}

/*
 * The next whole line without its newline into out (CONTROL_LINE_MAX bytes). false: none at the
 * moment; when the other end has closed the channel c->fd is -1 from then on.
 */
bool control_next(struct control *c, char *out);
void control_ack(struct control *c);

#endif
