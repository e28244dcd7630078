/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/aux_kinds: the PMUs whose events fill an AUX area, instead of making samples, and what is special
 * about each of them: defaults of the event, and the description (AUXTRACE_INFO) that decoders want.
 *
 * Source of the descriptions: files that perf 6.1 records of a made-up PMU and what it prints of them; perf-intel-pt(1),
 * perf-arm-spe(1).
 */
#ifndef CAPTURE_AUX_KINDS_H
#define CAPTURE_AUX_KINDS_H

#include "capture/config.h"
#include "capture/target.h"
#include "event/pmu.h"

struct aux_kind;

enum { AUX_INFO_WORDS = 32 };

/* What a description is made of. */
struct aux_facts {
	struct pmu_catalog *pmus;
	const struct pmu *pmu;
	const struct perf_event_mmap_page *page; /* of one of the rings */
	bool snapshots;
	bool per_cpu;  /* rings per CPU */
	bool switches; /* context switches are recorded */
};

/* NULL: it is none of those. */
const struct aux_kind *aux_kind_of(const struct event *ev);
/* The event of the list that fills an AUX area, NULL = none. */
struct event *aux_event_of(const struct event_list *l);
/* 0, or -1 with perf's line: a kind that cannot be recorded, two of them, sizes that do not fit. */
int aux_check(const struct event_list *l, const struct capture_config *cfg, struct err *e);
/* To the front with it and its group; sizes of samples, cfg->aux_mode. Before capture_configure(). */
void aux_arrange(struct event_list *l, struct capture_config *cfg);
/* The rate and the config bits that the user left open. */
void aux_configure(struct event *ev, const struct capture_config *cfg);
/* Bytes of each area. */
size_t aux_area_size(const struct capture_config *cfg);
/* Type of the AUXTRACE_INFO record, and its private words; returns how many. */
size_t aux_describe(const struct aux_kind *kind, const struct aux_facts *f, u32 *type, u64 words[AUX_INFO_WORDS]);
/* Time of a piece of trace, on the clock that its decoder knows. */
u64 aux_reference(const struct aux_kind *kind);

#endif
