/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/call_latency_program: what the programs of call_latency.bpf.c share with call_latency.c.
 */
#ifndef BPF_CALL_LATENCY_PROGRAM_H
#define BPF_CALL_LATENCY_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum { CALL_LATENCY_TASKS = 65536 /* that are between begin and end at the same time */ };

/* Of one CPU, in ns. */
struct call_latency_sums {
	u64 count, total, least, most;
};

struct call_latency_shared {
	u64 enabled;
	u64 lost; /* calls that are not counted: no room */
};

#endif
