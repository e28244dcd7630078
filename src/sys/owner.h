/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/owner: names of what a running perf makes for itself in the kernel (tracepoints, instances of
 * the tracer), "perf_PID_START_NS_WORD": its number and when it began (ticks), in which pid
 * namespace (inode) these are true, and a word. So any perf can tell what a killed one has left.
 */
#ifndef SYS_OWNER_H
#define SYS_OWNER_H

#include "base/strbuf.h"

/* Appends the name of this process's thing. */
void sys_owner_name(const char *word, struct strbuf *out);
/* Whether a name is of a perf that does not run any more. What cannot be told is not: names of
 * others, of another pid namespace, and where /proc is not that of ours. */
bool sys_owner_is_gone(const char *name);

#endif
