/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon/settings: what the configuration says to the daemon.
 *
 *	[daemon]
 *	base = /opt/perfdata
 *	[session-NAME]
 *	run = -e cycles --overwrite --switch-output -a
 *
 * Source: perf-daemon(1), CONFIG FILE.
 */
#ifndef CMD_DAEMON_SETTINGS_H
#define CMD_DAEMON_SETTINGS_H

#include "base/vec.h"
#include "base/err.h"

enum {
	DAEMON_NAME_SIZE = 64, /* bytes of a session's name with its NUL, as in a message */
	DAEMON_MAX_SESSIONS = 256, /* each is a process, and more descriptors than one */
};

/* The files to read, absolute paths without links, later ones count more. */
struct daemon_files {
	char *path[2];
	size_t nr;
	bool check_owner; /* of the last: a user's file, read only if it is ours or root's */
};

struct session_setting {
	char *name; /* letters, digits, '-', '_' and '.' */
	char *run; /* record's words */
};

struct daemon_settings {
	char *base; /* NULL: not set; as written */
	VEC(struct session_setting) sessions; /* in the files' order */
};

/* named: the file of --config, NULL = perf's usual ones. -1: there is none. */
int daemon_files_find(struct daemon_files *f, const char *named, struct err *e);
void daemon_files_release(struct daemon_files *f);

/*
 * Read the files. -1 and *e when one of them is not right as a whole, or names a session that
 * cannot be: what is right before that is in *s all the same.
 */
int daemon_settings_read(struct daemon_settings *s, const struct daemon_files *f, struct err *e);
void daemon_settings_release(struct daemon_settings *s);

#endif
