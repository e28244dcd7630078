/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/aux_kinds: the PMUs whose events fill an AUX area, instead of making samples, and what is
 * special about each of them: defaults of the event, and the description (AUXTRACE_INFO) that
 * decoders want.
 *
 * Source of the descriptions: files that perf 6.1 and 7.3 record of a made-up PMU and what they
 * print of them; perf-intel-pt(1), perf-arm-spe(1).
 */
#ifndef CAPTURE_AUX_KINDS_H
#define CAPTURE_AUX_KINDS_H

#include "capture/config.h"
#include "capture/target.h"
#include "event/pmu.h"

struct aux_kind;

/* What a description is made of. */
struct aux_facts {
	struct pmu_catalog *pmus;
	const struct pmu *pmu;
	const struct event *ev;
	const struct perf_event_mmap_page *page; /* of one of the rings */
	const u32 *cpus; /* that are traced */
	size_t nr_cpus;
	const char *sysfs; /* NULL = /sys */
	bool snapshots;
	bool per_cpu; /* rings per CPU */
	bool switches; /* context switches are recorded */
	u32 kernel; /* its version, SYS_KERNEL(): descriptions have the form that perf of its time
		       reads */
};

/* NULL: it is none of those. */
const struct aux_kind *aux_kind_of(const struct event *ev);
/* The event of the list that fills an AUX area, NULL = none. */
struct event *aux_event_of(const struct event_list *l);
/* 0, or -1 with perf's line: a kind that cannot be recorded, two of them, sizes that do not fit. */
int aux_check(const struct event_list *l, const struct capture_config *cfg, struct err *e);
/* To the front with it and its group; sizes of samples, cfg->aux_mode. Before capture_configure().
 */
void aux_arrange(struct event_list *l, struct capture_config *cfg);
/* Does the recording want context switches of all tasks beside it? Changes of the kernel's code? */
bool aux_wants_switches(const struct event *ev);
bool aux_wants_text_poke(const struct event *ev);
/*
 * The rate and the config bits that the user left open, and what of the samples and of the event
 * that gets records about tasks decoders need.
 */
void aux_configure(struct event *ev, struct event *tracking, const struct capture_config *cfg,
		   const struct capture_target *target);
/* After that: what the text of the event names, and what hardware must be able to do. -1 with
 * perf's line. */
int aux_prepare(struct event *ev, const struct capture_target *target, struct err *e);
/* Bytes of each area. */
size_t aux_area_size(const struct capture_config *cfg);
/* Type of the AUXTRACE_INFO record, and its private words, appended. -1: they do not fit into a
 * record. */
int aux_describe(const struct aux_kind *kind, const struct aux_facts *f, u32 *type,
		 struct strbuf *words, struct err *e);
/* Time of a piece of trace, on the clock that its decoder knows. */
u64 aux_reference(const struct aux_kind *kind);

#endif
