/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/message: a request to the daemon: one struct into the socket BASE/control, text back until
 * the daemon closes. Layout and numbers are those that perf 6.1 sends and takes (seen on the
 * socket), so each can talk to the other's daemon.
 */
#ifndef CMD_DAEMON_MESSAGE_H
#define CMD_DAEMON_MESSAGE_H

#include "cmd/daemon/base_dir.h"
#include "cmd/daemon/settings.h"

enum daemon_request { DAEMON_LIST, DAEMON_SIGNAL, DAEMON_STOP, DAEMON_PING };

struct daemon_message {
	u32 request;
	union {
		struct {
			u32 verbose;
			char separator; /* 0: for people */
		} list;
		struct {
			s32 number;
			char name[DAEMON_NAME_SIZE]; /* or DAEMON_ALL; always ends in a NUL */
		} signal;
		struct {
			char name[DAEMON_NAME_SIZE];
		} ping;
		char bytes[DAEMON_NAME_SIZE + 4];
	};
};

#define DAEMON_ALL "all"

/* The socket's address: relative, so that the length of a path does not count; we must be in BASE.
 */
#define DAEMON_SOCKET "control"

/*
 * Send a request to the daemon of the folder and print its answer on stdout. 0, 1 when the answer
 * has a line that begins with FAIL, -1 and *e. Goes into the folder.
 */
int daemon_request_send(const struct base_dir *b, const struct daemon_message *m, struct err *e);

#endif
