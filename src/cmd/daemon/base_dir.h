/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/base_dir: the folder that a daemon works in.
 *
 *	BASE/lock             locked while a daemon runs (fcntl, as perf 6.1 does), has its process
 * id BASE/output           what a daemon in the background says BASE/control          the socket of
 * its requests BASE/session-NAME/    where a session's record runs, with output        its words
 *		control, ack  fifos for --control
 *
 * Others may be able to write to BASE: files are opened relative to it without following links, and
 * only what belongs to us is used. One thread.
 */
#ifndef CMD_DAEMON_BASE_DIR_H
#define CMD_DAEMON_BASE_DIR_H

#include "base/err.h"

struct base_dir {
	char *path; /* absolute */
	int fd, lock_fd; /* -1: none */
};

int base_dir_open(struct base_dir *b, const char *path, struct err *e);
/* Become the only daemon of the folder. */
int base_dir_lock(struct base_dir *b, struct err *e);
/* The lock is given up. */
void base_dir_close(struct base_dir *b);

/* BASE/session-NAME, made if it is missing. shown: the path, for errors. */
int base_dir_session(const struct base_dir *b, const char *name, int *fd, struct err *e);
/* An empty file of our own, for writing. */
int base_dir_output(int dir_fd, const char *folder, int *fd, struct err *e);
/* A fifo of our own in a session's folder, made if it is missing. fd NULL: not opened. Never
 * blocks. */
int base_dir_fifo(int dir_fd, const char *name, int *fd, struct err *e);

#endif
