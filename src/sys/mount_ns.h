/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mount_ns: to look at files as a process in another mount namespace sees them. The calling thread
 * must be the only one of the program.
 */
#ifndef SYS_MOUNT_NS_H
#define SYS_MOUNT_NS_H

#include "base/err.h"

struct mount_ns {
	int old, cwd; /* -1: the process's namespace is ours, nothing was changed */
};

/* Until mount_ns_leave(), paths are those of process pid; 0 = our own. Open files stay open. */
int mount_ns_enter(struct mount_ns *ns, pid_t pid, struct err *e);
int mount_ns_leave(struct mount_ns *ns, struct err *e);

#endif
