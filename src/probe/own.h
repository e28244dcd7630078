/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own: the groups of the tracepoints that a running perf makes for itself,
 * "perf_PID_START_NS_WORD": its number and when it began (ticks), in which pid namespace (inode)
 * these are true, and what the events are called (uprobe, kretprobe, usdt, ...). So any perf can
 * tell what a killed one has left.
 */
#ifndef PROBE_OWN_H
#define PROBE_OWN_H

#include "base/strbuf.h"
#include "probe/events.h"

/* The group of this process. */
void probe_own_group(const char *word, struct strbuf *out);
/* Whether a group is of a perf that does not run any more. What cannot be told is not. */
bool probe_own_is_left(const char *group);
/* Takes back what perfs that were killed have left in the lists below root. What the kernel refuses
 * to give up stays. */
void probe_own_sweep(const char *root);
/* Takes back one tracepoint; a moment passes where the kernel still uses it. -1: it stays. */
int probe_own_remove(const char *root, enum probe_list list, const char *group, const char *name,
		     struct err *e);

#endif
