/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/close_later: descriptors whose last close takes long (the kernel takes a tracepoint down with
 * its last user, which is tens of milliseconds for each) are left to a process of its own, so that
 * this one can end at once.
 *
 * That process holds nothing but them: no other descriptor, no terminal (it has a session of its
 * own), no directory, and none of this one's memory while it closes. It waits until this one has
 * ended, so it is never waited for, and init collects it. Its name is "perf-close".
 */
#ifndef SYS_CLOSE_LATER_H
#define SYS_CLOSE_LATER_H

#include "base/types.h"

/*
 * The caller goes on to close its own descriptors and mappings as ever, before or
 * by its exit; that is fast then. Once per process: one descriptor stays open until the exit.
 * false: no process can be made, nothing is changed.
 */
bool sys_close_later(const int *fds, size_t nr);

#endif
