/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/pages.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

bool stack_pages_touch(u32 pid, u64 from, u64 to)
{
	enum { PAGES_MAX = 32 };
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	u8 bytes[PAGES_MAX];
	struct iovec here = { .iov_base = bytes }, there[PAGES_MAX];
	unsigned long nr = 0;

	for (u64 at = from; at >= from && at < to && nr < PAGES_MAX; at = (at & ~(page - 1)) + page)
		there[nr++] = (struct iovec){ .iov_base = (void *)(uintptr_t)at, .iov_len = 1 };
	here.iov_len = nr;
	return !pid || !nr || process_vm_readv((pid_t)pid, &here, 1, there, nr, 0) >= 0 ||
	       errno != EFAULT;
}
