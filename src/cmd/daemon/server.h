/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/server: the daemon itself: runs the sessions of the configuration, follows its changes,
 * answers requests of its own user and of root.
 */
#ifndef CMD_DAEMON_SERVER_H
#define CMD_DAEMON_SERVER_H

#include "cmd/daemon/base_dir.h"
#include "cmd/daemon/settings.h"

struct server_opts {
	struct base_dir *base;
	const struct daemon_files *files;
	struct daemon_settings *settings; /* of the start */
	const char *perf; /* the program that sessions run */
	bool fixed_base; /* chosen by --base: what the files say of it does not matter */
	bool background; /* stdout and stderr go to BASE/output once it runs */
	int ready_fd; /* one byte is written there when it runs, then it is closed; -1 = none */
};

/* Until a signal or a request ends it. -1 and *e when it could not begin. */
int daemon_serve(const struct server_opts *o, struct err *e);

#endif
