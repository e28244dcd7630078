/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bpf/program_counts shares with its programs in the kernel. */
#ifndef BPF_PROGRAM_COUNTS_PROGRAM_H
#define BPF_PROGRAM_COUNTS_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum { PROGRAM_COUNTS_EVENTS = 64 };

/* As the kernel gives it (struct bpf_perf_event_value). */
struct program_count {
	u64 value, enabled, running;
};

#endif
