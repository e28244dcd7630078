/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys/ring: the mapped ring buffer through which the kernel hands over records.
 *
 * A ring is one mmap of an event's fd: a control page and a power of two of data bytes. The kernel
 * moves data_head (load-acquire), the reader data_tail (store-release). Positions count up for
 * ever; the data index is position & mask. Records begin at multiples of 8, so no 8-byte word ever
 * wraps. One reader thread per ring.
 *
 * Source: perf_event_open(2), section "MMAP layout".
 */
#ifndef SYS_RING_H
#define SYS_RING_H

#include <sys/uio.h>

#include "abi/perf_event.h"
#include "base/bits.h"

struct ring {
	struct perf_event_mmap_page *page; /* NULL = not mapped */
	const u8 *data;
	u64 mask; /* data bytes - 1 */
	size_t map_len;
	u64 tail; /* our copy of data_tail */
};

/* Map data_size bytes (a power of two, at least a page) of fd. 0 or -errno. */
int ring_map(struct ring *r, int fd, size_t data_size);
/*
 * The ring of an event with attr.write_backward: the kernel writes from high positions to low ones,
 * so that the newest record comes first, and overwrites the oldest; nothing is ever consumed. Read
 * it only while the output is paused (PERF_EVENT_IOC_PAUSE_OUTPUT).
 */
int ring_map_backward(struct ring *r, int fd, size_t data_size);
/* Where the unseen records of a paused backward ring end: [ring_head(), result). The oldest one may
 * have been overwritten in part: it is left out. Positions wrap at 2^64. */
u64 ring_backward_end(const struct ring *r);
void ring_unmap(struct ring *r);

/* Bytes ready to be read: [r->tail, result). Acquires them. */
static inline u64 ring_head(const struct ring *r)
{
	return __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
}

/* The word at a position; aligned to 8. */
static inline u64 ring_word(const struct ring *r, u64 pos)
{
	return bits_u64(r->data + (pos & r->mask));
}

/* The bytes [from, to) as one or two pieces; returns how many (0 when empty). */
int ring_pieces(const struct ring *r, u64 from, u64 to, struct iovec iov[2]);
/* Copy out n bytes at pos, across the end if need be. */
void ring_copy(const struct ring *r, u64 pos, void *out, size_t n);

/* Everything before position to may be overwritten by the kernel now. */
static inline void ring_consume(struct ring *r, u64 to)
{
	r->tail = to;
	__atomic_store_n(&r->page->data_tail, to, __ATOMIC_RELEASE);
}

#endif
