/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/aux_areas.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfdata/writer.h"
#include "sys/perf_open.h"

enum { SMALLEST_PAGES = 2 };

static int map_one(struct aux_area *area, const struct ring *ring, size_t size, bool overwritten)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p;

	area->page = ring->page;
	area->page->aux_offset = page + ring->mask + 1;
	area->page->aux_size = size;
	/* the kernel overwrites what is mapped without the right to write */
	p = mmap(NULL, size, overwritten ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED, area->fd,
		 (off_t)area->page->aux_offset);
	if (p == MAP_FAILED)
		return -errno;
	area->base = p;
	area->tail = area->page->aux_tail;
	return 0;
}

static void unmap_all(struct aux_areas *a)
{
	for (size_t i = 0; i < a->nr; i++) {
		if (a->area[i].base)
			munmap(a->area[i].base, a->size);
		a->area[i].base = NULL;
	}
}

static int map_all(struct aux_areas *a, const struct capture_rings *rings)
{
	for (size_t i = 0; i < a->nr; i++) {
		int r = a->area[i].fd < 0 ? 0
					  : map_one(&a->area[i], &rings->ring[i], a->size,
						    a->cfg->aux_mode != AUX_WHOLE);

		if (r < 0) {
			unmap_all(a);
			return r;
		}
	}
	return 0;
}

int aux_areas_map(struct aux_areas *a, const struct capture_rings *rings, const struct event *ev,
		  const struct capture_config *cfg, const struct capture_target *target,
		  struct err *e)
{
	size_t smallest = SMALLEST_PAGES * (size_t)sysconf(_SC_PAGESIZE);
	int r;

	*a = (struct aux_areas){ .cfg = cfg,
				 .kind = aux_kind_of(ev),
				 .nr = rings->nr,
				 .area = XNEW_ARRAY(struct aux_area, rings->nr ? rings->nr : 1),
				 .size = aux_area_size(cfg),
				 .index = STRBUF_INIT };
	for (size_t i = 0; i < a->nr; i++) {
		a->area[i].fd = rings->aux_fd[i];
		a->area[i].cpu = rings->cpu[i];
		a->area[i].tid =
			target->cpu_wide || !target->tasks.nr
				? -1
				: target->tasks
					  .v[target->per_thread ? MIN(i, target->tasks.nr - 1) : 0];
	}
	for (;;) {
		r = map_all(a, rings);
		if (!r)
			return 0;
		if (cfg->aux_pages || cfg->aux_snapshot_size || a->size <= smallest ||
		    (r != -EPERM && r != -ENOMEM))
			break;
		a->size /= 2;
	}
	return err_sys(e, -r, "cannot map the AUX areas of %zu kB each (-m ,PAGES)",
		       a->size / 1024);
}

void aux_areas_unmap(struct aux_areas *a)
{
	unmap_all(a);
	free(a->area);
	strbuf_release(&a->index);
	*a = (struct aux_areas){ .index = STRBUF_INIT };
}

void aux_areas_restart(struct aux_areas *a)
{
	strbuf_reset(&a->index);
	a->bytes = 0;
}

/* The bytes [from, from + len) of the area, which may go over its end, behind a record. */
static int put(struct aux_areas *a, size_t i, u64 from, size_t len, struct perfdata_writer *w,
	       struct err *e)
{
	static const u8 zeros[8];
	const struct aux_area *area = &a->area[i];
	size_t start = (size_t)(from % a->size), first = MIN(len, a->size - start);
	size_t padding = ALIGN_UP(len, 8) - len;
	struct {
		struct perf_event_header h;
		u64 size, offset, reference;
		u32 idx, tid, cpu, reserved;
	} record = {
		.h = { .type = PERF_RECORD_AUXTRACE, .size = sizeof(record) },
		.size = len + padding,
		.offset = from,
		.reference = aux_reference(a->kind),
		.idx = (u32)i,
		.tid = (u32)area->tid,
		.cpu = (u32)area->cpu,
	};
	const struct iovec iov[] = {
		{ &record, sizeof(record) },
		{ area->base + start, first },
		{ area->base, len - first },
		{ (void *)(uintptr_t)zeros, padding },
	};

	/* only then it is known where the record will be */
	if (writer_drain(w, e) < 0)
		return -1;
	if (!writer_is_pipe(w)) {
		feature_add_u64(&a->index, writer_data_offset(w) + writer_data_size(w));
		feature_add_u64(&a->index, sizeof(record));
	}
	a->bytes += len;
	return writer_appendv(w, iov, ARRAY_SIZE(iov), e);
}

int aux_areas_read(struct aux_areas *a, size_t i, bool measuring, struct perfdata_writer *w,
		   bool *any, struct err *e)
{
	struct aux_area *area = &a->area[i];
	u64 head;

	if (!area->base || a->cfg->aux_mode != AUX_WHOLE)
		return 0;
	head = __atomic_load_n(&area->page->aux_head, __ATOMIC_ACQUIRE);
	if (head == area->tail)
		return 0;
	*any = true;
	if (put(a, i, area->tail, (size_t)MIN(head - area->tail, (u64)a->size), w, e) < 0)
		return -1;
	area->tail = head;
	__atomic_store_n(&area->page->aux_tail, head, __ATOMIC_RELEASE);
	if (measuring)
		sys_perf_ioctl(area->fd, PERF_EVENT_IOC_ENABLE, NULL);
	return 0;
}

static bool all_zero(const u8 *p, size_t len)
{
	return !len || (!p[0] && !memcmp(p, p + 1, len - 1));
}

/*
 * aux_head counts up for some PMUs and is a position in the area for others; then what is behind it
 * tells whether the area has been filled: its memory was zero.
 */
static int snapshot_one(struct aux_areas *a, size_t i, struct perfdata_writer *w, struct err *e)
{
	const struct aux_area *area = &a->area[i];
	u64 head = __atomic_load_n(&area->page->aux_head, __ATOMIC_ACQUIRE);
	size_t at = (size_t)(head % a->size);
	size_t have = head >= a->size || !all_zero(area->base + at, a->size - at) ? a->size : at;
	size_t want = a->cfg->aux_snapshot_size
			      ? (size_t)MIN(a->cfg->aux_snapshot_size, (u64)a->size)
			      : a->size;
	size_t len = MIN(have, want);

	return len ? put(a, i, (have == a->size ? head + a->size : head) - len, len, w, e) : 0;
}

int aux_areas_snapshot(struct aux_areas *a, struct perfdata_writer *w, struct err *e)
{
	for (size_t i = 0; i < a->nr; i++) {
		if (a->area[i].base && snapshot_one(a, i, w, e) < 0)
			return -1;
	}
	return 0;
}

void aux_areas_feature(const struct aux_areas *a, struct strbuf *body)
{
	if (!a->index.len)
		return;
	feature_add_u64(body, a->index.len / 16);
	strbuf_add(body, a->index.buf, a->index.len);
}
