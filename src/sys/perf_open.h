/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/perf_open: the perf_event_open system call. Thread-safe.
 *
 * Source: perf_event_open(2).
 */
#ifndef SYS_PERF_OPEN_H
#define SYS_PERF_OPEN_H

#include "abi/perf_event.h"

/* The smallest attr size that holds every field set in attr, but at least PERF_ATTR_SIZE_VER7,
 * which is what perf has written since 5.13; older kernels accept it while the tail they lack is
 * zero. */
u32 sys_attr_size(const struct perf_event_attr *attr);

/*
 * Open one event. attr->size is set from sys_attr_size() when it is 0. pid -1 = every task, 0 =
 * this one; cpu -1 = every CPU; group_fd -1 = no group; flags: PERF_FLAG_* (FD_CLOEXEC is always
 * added). Returns the fd, or -errno. -E2BIG means that a field this
 * kernel does not know is set: attr->size then is the size the kernel knows. Restarted on EINTR.
 */
int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, u64 flags);

/* An ioctl on an event fd; 0 or -errno. */
int sys_perf_ioctl(int fd, unsigned long request, void *arg);

#endif
