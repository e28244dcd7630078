/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input: opens files for reading whose names, or whose places, are in other people's hands: what a
 * recording names, what lies in /tmp, what a user gave on a command line. What is there is looked
 * at before it is opened, and that same file is opened then, whatever its name has come to stand
 * for: opening a FIFO waits for a writer, and opening a device may do something (rewind a tape,
 * start a watchdog).
 *
 * A path below /proc/PID/root is followed as that process would follow it: its links stay below
 * that root. Thread-safe.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/err.h"
#include "base/strbuf.h"

/* Without a flag: a regular file that is kept somewhere. */
enum input_flags {
	INPUT_PIPE =
		1 << 0, /* a pipe will do, and is waited for (a user named it); so will /dev/null */
	INPUT_KERNEL = 1 << 1, /* so will a file that the kernel makes while it is read (/proc,
				  /sys, tracefs) */
	INPUT_OWNED = 1 << 2, /* it must belong to us or to root */
};

/*
 * The descriptor, the caller's; -1 with errno and *e: ENOENT and its like from the system, EINVAL
 * for what is no file of the kinds wanted, EISDIR, EPERM for another user's. dirfd may be AT_FDCWD.
 */
int input_open_at(int dirfd, const char *path, unsigned int flags, struct err *e);
int input_open(const char *path, unsigned int flags, struct err *e);
/* The whole of such a file, appended to out; at most LIMIT_SMALL_FILE bytes. 0 or -1. */
int input_slurp(const char *path, unsigned int flags, struct strbuf *out, struct err *e);

#endif
