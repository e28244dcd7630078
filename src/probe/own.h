/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own: the tracepoints that a running perf makes for itself are in groups named by sys/owner.h; the
 * word is what its events are called (uprobe, kretprobe, usdt, ...).
 */
#ifndef PROBE_OWN_H
#define PROBE_OWN_H

#include "probe/events.h"

/* Takes back what perfs that were killed have left in the lists below root. What the kernel refuses
 * to give up stays. */
void probe_own_sweep(const char *root);
/* Takes back one tracepoint; a moment passes where the kernel still uses it. -1: it stays. */
int probe_own_remove(const char *root, enum probe_list list, const char *group, const char *name,
		     struct err *e);

#endif
