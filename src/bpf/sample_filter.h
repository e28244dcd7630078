/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/sample_filter: expressions over the fields of a sample (`perf record --filter 'period >
 * 1000'`), judged by a BPF program in the kernel: what does not match is counted there and never
 * written.
 *
 *	TERM OPERATOR VALUE [, ...] [|| ...]
 *
 * "||" binds closer than ",": a || b, c is (a || b) and c. "&&" is the same as ",", where there is
 * no "||". Terms and the names of their values are the table `terms` in sample_filter.c. Numbers
 * are unsigned.
 *
 * Needs Linux 6.2 with type information (BTF) for fields of the sample, CAP_BPF and CAP_PERFMON.
 * One thread.
 *
 * Sources: perf-record(1) of newer perfs, linux/perf_event.h, Documentation/bpf/kfuncs.rst.
 */
#ifndef BPF_SAMPLE_FILTER_H
#define BPF_SAMPLE_FILTER_H

#include "base/err.h"
#include "base/types.h"
#include "bpf/sample_filter_program.h"

enum { SAMPLE_FILTER_CONDITIONS = FILTER_TESTS_MAX };

struct sample_filter_condition {
	u8 term; /* index of a row */
	u8 op; /* enum filter_op */
	bool or_next; /* the next one is an alternative */
	u64 value;
};

struct sample_filter {
	struct sample_filter_condition conditions[SAMPLE_FILTER_CONDITIONS];
	size_t nr;
};

/* -1: e says what is wrong with the text. */
int sample_filter_parse(struct sample_filter *f, const char *text, struct err *e);

/* What the program looks at in samples with these fields. -1: a field that the filter asks for is
 * not among them; e says what to do. event: its name, for the text. */
int sample_filter_table(struct filter_table *table, const struct sample_filter *f, u64 sample_type,
			const char *event, struct err *e);

/* A loaded filter of one event. */
struct sample_filter_program;

/* Load the filter for samples with these fields. NULL: as for the table, or the kernel refuses. */
struct sample_filter_program *sample_filter_load(const struct sample_filter *f, u64 sample_type,
						 const char *event, struct err *e);
/* Have it judge the samples of the event. 0 or -errno. */
int sample_filter_attach(const struct sample_filter_program *p, int event_fd);
/* How many samples it has not let through until now. */
u64 sample_filter_dropped(const struct sample_filter_program *p);
void sample_filter_free(struct sample_filter_program *p);

#endif
