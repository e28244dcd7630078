/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/open_dump: what was opened, as files that perf's own tests of attributes read: for every
 * event DIR/event-TYPE-CONFIG-FD with a section of "name=value" lines. DIR is the environment
 * variable PERF_TEST_ATTR; without it nothing happens. For events that a user asked for and those
 * that perf adds, too: not for what is opened to learn something. Thread-safe.
 */
#ifndef SYS_OPEN_DUMP_H
#define SYS_OPEN_DUMP_H

#include <sys/types.h>

#include "abi/perf_event.h"

/* As sys_perf_event_open() was called, and what it returned. */
void sys_open_dump(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, u64 flags,
		   int fd);

#endif
