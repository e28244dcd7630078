/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/perf_clock.h"

#include <errno.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "sys/perf_open.h"

enum { TRIES = 3 };

int perf_clock_open(struct perf_clock *c, const s32 *clockid)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_TIME };
	void *page;
	int r;

	attr.disabled = 1;
	attr.exclude_kernel = 1;
	if (clockid) {
		attr.use_clockid = 1;
		attr.clockid = *clockid;
	}
	*c = (struct perf_clock){ .page_size = (size_t)sysconf(_SC_PAGESIZE) };
	c->fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	if (c->fd < 0)
		return c->fd;
	page = mmap(NULL, c->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	r = page == MAP_FAILED ? -errno : ring_map(&c->ring, c->fd, c->page_size);
	c->page = page == MAP_FAILED ? NULL : page;
	if (r < 0)
		perf_clock_close(c);
	return r;
}

void perf_clock_close(struct perf_clock *c)
{
	ring_unmap(&c->ring);
	if (c->page)
		munmap((void *)(uintptr_t)c->page, c->page_size);
	c->page = NULL;
	mem_closep(&c->fd);
}

static s64 monotonic(void)
{
	return (s64)clock_now();
}

/* The latest sample in the ring, which is empty then. */
static bool take_time(struct ring *r, u64 *time)
{
	u64 head = ring_head(r);
	bool found = false;

	for (u64 at = r->tail; at < head;) {
		struct perf_event_header h;
		u64 w = ring_word(r, at);

		memcpy(&h, &w, sizeof(h));
		if (h.size < sizeof(h) || h.size > head - at)
			break;
		if (h.type == PERF_RECORD_SAMPLE && h.size >= 16) {
			*time = ring_word(r, at + 8);
			found = true;
		}
		at += h.size;
	}
	ring_consume(r, head);
	return found;
}

/* Of a few tries the one in which the least time passed. */
bool perf_clock_ahead(struct perf_clock *c, s64 *ns)
{
	s64 best = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		s64 before, after;
		u64 time;

		madvise((void *)(uintptr_t)c->page, c->page_size, MADV_DONTNEED);
		sys_perf_ioctl(c->fd, PERF_EVENT_IOC_ENABLE, NULL);
		before = monotonic();
		*c->page = 1;
		after = monotonic();
		sys_perf_ioctl(c->fd, PERF_EVENT_IOC_DISABLE, NULL);
		if (!take_time(&c->ring, &time) || after - before >= best)
			continue;
		best = after - before;
		*ns = (s64)time - (before + best / 2);
	}
	return best != INT64_MAX;
}
