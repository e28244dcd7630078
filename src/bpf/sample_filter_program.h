/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/sample_filter_program: the program of a sample filter, put together from what its terms are.
 * Pure.
 */
#ifndef BPF_SAMPLE_FILTER_PROGRAM_H
#define BPF_SAMPLE_FILTER_PROGRAM_H

#include "bpf/assembler.h"
#include "bpf/sample_filter.h"

enum filter_source {
	FILTER_SAMPLE, /* a member of the kernel's struct perf_sample_data */
	FILTER_UID,
	FILTER_GID,
};

/* width 0 = all bits */
struct filter_bits {
	u8 shift, width;
};

struct filter_name {
	const char *name;
	u64 value;
};

struct filter_term {
	const char *name;
	enum filter_source source;
	const char *member;
	u8 at, size; /* in the member; bytes: 2, 4 or 8 */
	struct filter_bits bits[2]; /* the second ones stand above the first */
	const struct filter_name *names; /* of values, ends with NULL; NULL = numbers alone */
	u64 needs; /* one of these bits of sample_type, 0 = always there */
	const char *needed, *option; /* the bit's name, and what to add to the command line */
};

/* Where things are in this kernel. */
struct filter_kernel {
	u32 cast; /* id of the function bpf_cast_to_kern_ctx, 0 = not there */
	u32 data; /* offset of data in struct bpf_perf_event_data_kern */
	const u32 *members; /* of each condition's member in struct perf_sample_data */
};

enum { FILTER_LINES_MAX = 16 + SAMPLE_FILTER_CONDITIONS * 12 };

/*
 * Lines of the program; map 0 is an array of one u64, of samples dropped, and value i that of
 * condition i. terms: of each condition. Returns how many, at most FILTER_LINES_MAX.
 */
size_t filter_lines(struct bpf_line *lines, const struct sample_filter *f,
		    const struct filter_term *const *terms, const struct filter_kernel *k);

#endif
