/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/aux_areas: the AUX areas of a recording: a second buffer beside each ring, into which
 * hardware writes a trace. What is in it goes to the file behind AUXTRACE records, with an index of
 * these in the header.
 *
 * An area that is read as a whole waits for its reader when it is full (the kernel tells so in an
 * AUX record); one for snapshots and samples is overwritten all the time. One thread.
 *
 * Source: perf_event_open(2), aux_head to aux_size; doc/format/perf.data.md.
 */
#ifndef CAPTURE_AUX_AREAS_H
#define CAPTURE_AUX_AREAS_H

#include "capture/aux_kinds.h"
#include "capture/rings.h"
#include "perfdata/writer.h"

struct aux_area {
	struct perf_event_mmap_page *page; /* the ring's */
	u8 *base;
	int fd; /* of the event; belongs to capture_fds */
	u64 tail;
	s32 cpu, tid;
};

struct aux_areas {
	const struct capture_config *cfg;
	const struct aux_kind *kind; /* NULL = there are none */
	struct aux_area *area; /* as many as rings, in their order; base NULL = none */
	size_t nr;
	size_t size; /* of each */
	u64 bytes; /* written to this file */
	struct strbuf index;
};

/* rings: with aux_fd. -1: e, EPERM when the mlock budget is too small. */
int aux_areas_map(struct aux_areas *a, const struct capture_rings *rings, const struct event *ev,
		  const struct capture_config *cfg, const struct capture_target *target,
		  struct err *e);
void aux_areas_unmap(struct aux_areas *a);
/* A new file begins. */
void aux_areas_restart(struct aux_areas *a);
/* Read as a whole: what area i holds; *any: something. The event goes on if it waited for that. */
int aux_areas_read(struct aux_areas *a, size_t i, bool measuring, struct perfdata_writer *w,
		   bool *any, struct err *e);
/* The latest part of all areas, while their events are disabled. */
int aux_areas_snapshot(struct aux_areas *a, struct perfdata_writer *w, struct err *e);
/* Body of the AUXTRACE feature; nothing was written: empty. */
void aux_areas_feature(const struct aux_areas *a, struct strbuf *body);

#endif
