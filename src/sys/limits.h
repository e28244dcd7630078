/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/limits: what this kernel and this user may do with perf events. Thread-safe.
 *
 * Sources: Documentation/admin-guide/sysctl/kernel.rst, capabilities(7).
 */
#ifndef SYS_LIMITS_H
#define SYS_LIMITS_H

#include "base/types.h"

enum {
	SYS_PARANOID_UNKNOWN = 2
}; /* assumed when the sysctl cannot be read: the kernel's default */

struct sys_limits {
	int paranoid; /* kernel.perf_event_paranoid, -1..4 */
	u32 max_sample_rate; /* kernel.perf_event_max_sample_rate, Hz */
	u64 mlock_kb; /* kernel.perf_event_mlock_kb, per user and CPU */
	u32 max_stack; /* kernel.perf_event_max_stack, frames */
	u32 cpu_time_max_percent; /* kernel.perf_cpu_time_max_percent */
	int kptr_restrict; /* kernel.kptr_restrict, 0..2 */
	bool perf_present; /* the kernel has perf events at all */
	bool first_user_ns; /* in the first user namespace, or that cannot be seen */
	/* Of the first user namespace alone: the kernel's limits ask for nothing that others grant.
	 */
	bool root; /* effective uid 0 */
	bool cap_perfmon; /* effective CAP_PERFMON or CAP_SYS_ADMIN */
	bool cap_ipc_lock; /* effective CAP_IPC_LOCK: mlock_kb does not bind */
	bool cap_syslog; /* effective CAP_SYSLOG: sees kernel addresses at kptr_restrict 1 */
};

/* procfs NULL = /proc. What cannot be read has the kernel's default. */
void sys_limits_read(struct sys_limits *l, const char *procfs);

/*
 * Whether this process is in the first namespace of a kind ("pid", "user", "cgroup"); true where
 * that cannot be seen. procfs NULL = /proc. Their inode numbers are fixed: enum init_ns_ino in
 * linux/nsfs.h.
 */
bool sys_in_first_ns(const char *procfs, const char *kind);

/* Paranoid level or a capability allows: profiling the kernel (paranoid <= 1), whole CPUs (<= 0),
 * raw tracepoint data (<= -1). */
bool sys_may_profile_kernel(const struct sys_limits *l);
bool sys_may_profile_cpus(const struct sys_limits *l);

/* The running kernel's version, 0 = not known, to be compared with SYS_KERNEL(6, 3). */
#define SYS_KERNEL(major, minor) ((u32)(major) << 16 | (u32)(minor))
u32 sys_kernel_version(void);

/* Soft limit of open files. */
u64 sys_nofile(void);
/* Raise the soft limit of open files to the hard one (and, as root, the hard one to want). Returns
 * the limit that now holds. */
u64 sys_raise_nofile(u64 want);

#endif
