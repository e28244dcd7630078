/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bpf/shared_counts shares with its programs in the kernel. */
#ifndef BPF_SHARED_COUNTS_PROGRAM_H
#define BPF_SHARED_COUNTS_PROGRAM_H

#include "bpf/program_counts_program.h"

enum {
	SHARED_COUNTS_COUNTERS = 64,
	SHARED_COUNTS_THREADS = 1 << 16, /* at the same time */
	SHARED_COUNTS_CGROUPS = 1 << 14,
};

/* What a counter had when it was last read on a CPU, and what it has counted since the time before
 * that. */
struct shared_count {
	struct program_count last, since;
	u64 epoch; /* shared_counts_state.epoch then; another one: `last` is too old */
};

struct shared_counts_state {
	u64 epoch; /* 0 = nothing is counted; another number each time that it begins */
	u64 lost; /* children that there was no room for */
};

#endif
