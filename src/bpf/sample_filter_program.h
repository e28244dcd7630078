/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/sample_filter_program: what the programs of sample filters share with sample_filter.c: the
 * table of tests, and how it is judged. Pure; the same code runs in the kernel and in unit tests.
 */
#ifndef BPF_SAMPLE_FILTER_PROGRAM_H
#define BPF_SAMPLE_FILTER_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum { FILTER_TESTS_MAX = 32 };

enum filter_field {
	FILTER_UID,
	FILTER_GID,
	FILTER_OF_SAMPLE, /* the ones from here on are the kernel's struct perf_sample_data's */
	FILTER_IP = FILTER_OF_SAMPLE,
	FILTER_ID,
	FILTER_PID,
	FILTER_TID,
	FILTER_CPU,
	FILTER_TIME,
	FILTER_ADDR,
	FILTER_PERIOD,
	FILTER_TXN,
	FILTER_WEIGHT,
	FILTER_PHYS_ADDR,
	FILTER_CODE_PAGE_SIZE,
	FILTER_DATA_PAGE_SIZE,
	FILTER_CGROUP,
	FILTER_DATA_SRC,
};

enum filter_op { FILTER_EQ, FILTER_NE, FILTER_GE, FILTER_LE, FILTER_GT, FILTER_LT, FILTER_AND };

/* field >> shift & mask, with those of the second ones above the first */
struct filter_test {
	u64 value;
	u64 mask[2];
	u8 shift[2];
	u8 above; /* where the second ones begin */
	u8 field, op; /* enum filter_field, enum filter_op */
	u8 or_next; /* the next test is an alternative */
	u8 unused[2];
};

struct filter_table {
	u32 nr, unused;
	struct filter_test tests[FILTER_TESTS_MAX];
};

static inline __attribute__((always_inline)) bool filter_compare(
	u64 value, const volatile struct filter_test *t)
{
	u64 with = t->value;

	switch (t->op) {
	case FILTER_EQ:
		return value == with;
	case FILTER_NE:
		return value != with;
	case FILTER_GE:
		return value >= with;
	case FILTER_LE:
		return value <= with;
	case FILTER_GT:
		return value > with;
	case FILTER_LT:
		return value < with;
	default:
		return (value & with) != 0;
	}
}

/* Whether a sample matches; get tells the value of a field of it. */
static inline __attribute__((always_inline)) bool filter_matches(
	const volatile struct filter_table *table, u64 (*get)(void *sample, u8 field), void *sample)
{
	bool any = false; /* of the alternatives so far */

	for (u32 i = 0; i < FILTER_TESTS_MAX && i < table->nr; i++) {
		const volatile struct filter_test *t = &table->tests[i];
		u64 value = get(sample, t->field);

		value = (value >> t->shift[0] & t->mask[0]) | (value >> t->shift[1] & t->mask[1])
								      << t->above;
		any |= filter_compare(value, t);
		if (t->or_next)
			continue;
		if (!any)
			return false;
		any = false;
	}
	return true;
}

#endif
