/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/newcomers.h"

#include <stdio.h>
#include <string.h>

#include "capture/touched.h"

void newcomers_init(struct newcomers *n)
{
	*n = (struct newcomers){ 0 };
	event_list_init(&n->events);
}

void newcomers_open(struct newcomers *n, const struct capture_target *target, bool inherit)
{
	static const struct rings_opts opts = { .pages = 1 };
	_cleanup_(strbuf_releasep) struct strbuf why = STRBUF_INIT;
	struct err e = { 0 };
	struct event *ev;

	/* an event for each of many threads on each CPU costs more than it is worth */
	if (!target->cpu_wide && !target->workload)
		return;
	ev = event_list_add(&n->events, "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	ev->attr.sample_id_all = 1;
	ev->attr.exclude_kernel = 1; /* users without rights may open it so */
	ev->attr.exclude_hv = 1;
	ev->attr.inherit = inherit;
	ev->attr.comm = 1;
	ev->attr.comm_exec = 1;
	ev->attr.watermark = 1;
	ev->attr.wakeup_watermark = 1;
	if (capture_open(&n->fds, &n->events, target, NULL, &why, &e) < 0 ||
	    capture_rings_map(&n->rings, &n->fds, &n->events, RINGS_FORWARD, &opts, &e) < 0)
		newcomers_release(n);
}

static bool any_elsewhere(struct ring *r)
{
	u64 head = ring_head(r);
	bool any = false;

	for (u64 at = r->tail; at < head && !any;) {
		struct perf_event_header h;
		u64 w = ring_word(r, at);

		memcpy(&h, &w, sizeof(h));
		if (h.size < sizeof(h) || h.size % 8 || h.size > head - at)
			break;
		/* u32 pid, tid */
		if (h.type == PERF_RECORD_COMM && h.misc & PERF_RECORD_MISC_COMM_EXEC &&
		    h.size >= 16)
			any = touched_has_other_root((s32)(u32)ring_word(r, at + 8));
		at += h.size;
	}
	ring_consume(r, head);
	return any;
}

bool newcomers_any_elsewhere(struct newcomers *n)
{
	bool any = false;

	for (size_t i = 0; i < n->rings.nr; i++)
		any |= any_elsewhere(&n->rings.ring[i]);
	return any;
}

void newcomers_release(struct newcomers *n)
{
	capture_rings_unmap(&n->rings);
	capture_fds_release(&n->fds);
	event_list_release(&n->events);
	newcomers_init(n);
}
