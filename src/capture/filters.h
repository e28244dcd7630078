/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/filters: conditions on events (`--filter`), judged by the kernel: those of tracepoints by
 * the fields of their records, those of other events by the fields of their samples
 * (bpf/sample_filter). One thread.
 */
#ifndef CAPTURE_FILTERS_H
#define CAPTURE_FILTERS_H

#include "bpf/sample_filter.h"
#include "capture/open.h"
#include "event/event.h"

struct capture_filters {
	struct sample_filter_program **of_event; /* as many as events; NULL = none has any */
	u64 *told; /* samples dropped, by event, that were asked for */
	size_t nr;
};

/* -1: the event and the reason are in e. */
int capture_filters_set(struct capture_filters *f, const struct capture_fds *fds,
			const struct event_list *l, struct err *e);
/* Samples of the event that were dropped since this was asked last. */
u64 capture_filters_dropped(struct capture_filters *f, size_t event);
void capture_filters_release(struct capture_filters *f);

#endif
