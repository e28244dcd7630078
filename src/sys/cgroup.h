/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/cgroup: control groups as targets (perf_event_open with PERF_FLAG_PID_CGROUP) and as things
 * to be named (CGROUP records). Thread-safe.
 *
 * Sources: cgroups(7), Documentation/admin-guide/cgroup-v2.rst.
 */
#ifndef SYS_CGROUP_H
#define SYS_CGROUP_H

#include "base/err.h"
#include "base/types.h"

/*
 * Mount point of the hierarchy that perf events use: the v1 hierarchy with the perf_event
 * controller, else cgroup2; false = neither is mounted. procfs NULL = /proc.
 */
bool sys_cgroup_mount(const char *procfs, char *buf, size_t size, bool *is_v2);

/* An fd of cgroup NAME (relative to the mount point, with or without leading '/'); the caller
 * closes it. -1 and *e: not mounted, no such group. */
int sys_cgroup_open(const char *procfs, const char *name, struct err *e);

/* The kernel's 64-bit id of the group, as CGROUP records and samples carry it. false: unknown. */
bool sys_cgroup_id(const char *path, u64 *id);

/*
 * Calls fn for every group below the mount point, parents first, siblings by name; path starts with
 * '/' (the root group is "/"). fn returns false to stop.
 */
int sys_cgroup_walk(const char *procfs, bool (*fn)(void *ctx, const char *path, u64 id), void *ctx,
		    struct err *e);

/*
 * The groups that a list "A,B..." of perf's basic regular expressions (regex(7)) matches anywhere
 * in their names, which have no leading '/', as a list of names in the walk's order; the root has
 * no name. The caller frees it. A list without any of ^*[$|+?(){} is one of names: NULL without an
 * error. NULL and *e: a wrong expression, or no group matches.
 */
char *sys_cgroup_match(const char *procfs, const char *list, struct err *e);

#endif
