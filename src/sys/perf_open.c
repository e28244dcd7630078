/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/perf_open.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

u32 sys_attr_size(const struct perf_event_attr *attr)
{
	if (attr->config4)
		return PERF_ATTR_SIZE_VER9;
	return attr->config3 ? PERF_ATTR_SIZE_VER8 : PERF_ATTR_SIZE_VER7;
}

int sys_perf_event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, u64 flags)
{
	if (!attr->size)
		attr->size = sys_attr_size(attr);
	for (;;) {
		long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd,
				  (unsigned long)(flags | PERF_FLAG_FD_CLOEXEC));

		if (fd >= 0)
			return (int)fd;
		if (errno != EINTR)
			return -errno;
	}
}

int sys_perf_ioctl(int fd, unsigned long request, void *arg)
{
	for (;;) {
		if (ioctl(fd, request, arg) >= 0)
			return 0;
		if (errno != EINTR)
			return -errno;
	}
}
