/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/tracefs: the kernel's tracepoint directory. Thread-safe (every call opens what it needs).
 *
 * Source: Documentation/trace/events.rst. Every function takes the tracefs root directory;
 * sys_tracefs_find() says where it is.
 */
#ifndef SYS_TRACEFS_H
#define SYS_TRACEFS_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

/*
 * Path of the mounted tracefs (at debugfs or debugfs/tracing, which the user named, NULL = nothing
 * was named; then /sys/kernel/tracing, then debugfs' tracing directory, then whatever procfs/mounts
 * names), into buf. procfs NULL = /proc: then one that is mounted nowhere is mounted, where the
 * caller may. false: not mounted.
 */
bool sys_tracefs_find(const char *debugfs, const char *procfs, char *buf, size_t size);

/* Id of a tracepoint (attr.config). 0, or -errno: -ENOENT, -EACCES. */
int sys_tracefs_id(const char *root, const char *system, const char *name, u64 *id);
/* For many events of one system: its directory (fd or -errno; the caller closes it), and the id of
 * one event in it. */
int sys_tracefs_open_system(const char *root, const char *system);
int sys_tracefs_id_at(int system_fd, const char *name, u64 *id);
/* Text of events/SYSTEM/NAME/format appended to out. */
int sys_tracefs_format(const char *root, const char *system, const char *name, struct strbuf *out,
		       struct err *e);
/* Any other file below the root ("events/header_page", "saved_cmdlines", "printk_formats"). */
int sys_tracefs_read(const char *root, const char *file, struct strbuf *out, struct err *e);

typedef VEC(char *) sys_names;
void sys_names_release(sys_names *n);
/* Subdirectories of events/ (system NULL) or of events/SYSTEM, in the order the directory gives
 * them. 0 or -errno. The caller frees with sys_names_release(), also after an error. */
int sys_tracefs_list(const char *root, const char *system, sys_names *out);

#endif
