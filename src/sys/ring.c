/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/ring.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

static int map(struct ring *r, int fd, size_t data_size, int prot)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t len = page + data_size;
	void *p = mmap(NULL, len, prot, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*r = (struct ring){
		.page = p, .data = (u8 *)p + page, .mask = data_size - 1, .map_len = len
	};
	r->tail = r->page->data_tail;
	return 0;
}

int ring_map(struct ring *r, int fd, size_t data_size)
{
	return map(r, fd, data_size, PROT_READ | PROT_WRITE);
}

int ring_map_backward(struct ring *r, int fd, size_t data_size)
{
	/* the kernel overwrites only what is mapped without the right to write */
	return map(r, fd, data_size, PROT_READ);
}

u64 ring_backward_end(const struct ring *r)
{
	u64 head = ring_head(r), at = head;

	while (at != r->tail) {
		struct perf_event_header h;
		u64 w = ring_word(r, at);

		memcpy(&h, &w, sizeof(h));
		if (h.size < sizeof(h) || h.size % 8 || at - head + h.size > r->mask + 1)
			break;
		at += h.size;
	}
	return at;
}

void ring_unmap(struct ring *r)
{
	if (r->page)
		munmap(r->page, r->map_len);
	*r = (struct ring){ 0 };
}

int ring_pieces(const struct ring *r, u64 from, u64 to, struct iovec iov[2])
{
	u64 start = from & r->mask;
	u64 len = to - from;
	u64 first = r->mask + 1 - start;

	if (!len)
		return 0;
	iov[0].iov_base = (void *)(uintptr_t)(r->data + start);
	if (len <= first) {
		iov[0].iov_len = len;
		return 1;
	}
	iov[0].iov_len = first;
	iov[1].iov_base = (void *)(uintptr_t)r->data;
	iov[1].iov_len = len - first;
	return 2;
}

void ring_copy(const struct ring *r, u64 pos, void *out, size_t n)
{
	struct iovec iov[2];
	u8 *at = out;
	int nr = ring_pieces(r, pos, pos + n, iov);

	for (int i = 0; i < nr; i++) {
		memcpy(at, iov[i].iov_base, iov[i].iov_len);
		at += iov[i].iov_len;
	}
}
