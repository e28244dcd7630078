/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stack_pages.h"

#include <sys/uio.h>
#include <unistd.h>

#include "base/hash.h"

enum { PAGES_MAX = 32 }; /* more than the longest copy has, with pages of 4 KB */

size_t stack_pages_look(struct stack_pages *p, u32 pid, u64 addr, u64 size)
{
	u64 page_size = (u64)sysconf(_SC_PAGESIZE);
	u64 page = addr & ~(page_size - 1);
	struct iovec there[PAGES_MAX], here;
	u8 bytes[PAGES_MAX];
	size_t i = hash_mix(pid, page) % STACK_PAGES_MET, nr = 0;
	ssize_t seen;

	if (!pid || !size || page + size < page || (p->met[i].pid == pid && p->met[i].page == page))
		return 0;
	p->met[i].pid = pid;
	p->met[i].page = page;
	for (u64 at = addr; at < addr + size && nr < PAGES_MAX; at = (at & ~(page_size - 1)) + page_size)
		there[nr++] = (struct iovec){ .iov_base = (void *)(uintptr_t)at, .iov_len = 1 };
	here = (struct iovec){ .iov_base = bytes, .iov_len = nr };
	seen = process_vm_readv((pid_t)pid, &here, 1, there, nr, 0);
	return seen < 0 ? 0 : (size_t)seen;
}
