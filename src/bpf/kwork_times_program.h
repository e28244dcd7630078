/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bpf/kwork_times_program: what the programs of kwork_times.bpf.c share with kwork_times.c. */
#ifndef BPF_KWORK_TIMES_PROGRAM_H
#define BPF_KWORK_TIMES_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum kwork_times_kind { KWORK_TIMES_IRQ, KWORK_TIMES_SOFTIRQ, KWORK_TIMES_WORK, KWORK_TIMES_KINDS };
enum { KWORK_TIMES_NAME = 32, KWORK_TIMES_COMM = 16 };

/* A piece of work on a CPU; of a wish for work of a workqueue, cpu is 0. */
struct kwork_times_key {
	u64 id; /* number of the interrupt or softirq; address of the work */
	u32 cpu, kind;
};

/* ns */
struct kwork_times_sums {
	u64 nr, total, max;
	u64 max_start, max_end; /* of the longest */
};

struct kwork_times_work {
	struct kwork_times_sums runs, waits;
	u64 began; /* 0 = it does not run */
	u64 function; /* of work */
	char name[KWORK_TIMES_NAME]; /* of an interrupt */
};

/* As struct kwork_wish of analyze/kwork.c. */
struct kwork_times_wish {
	u64 since, again, left;
};

/* What a CPU does since its last switch of tasks, and what it did. */
struct kwork_times_cpu {
	u64 known; /* there was a switch */
	u64 tid, since;
	u64 began[2], spent[2]; /* interrupts, softirqs */
	u64 irq_before;
	u64 total, irq, softirq, unknown; /* ns */
};

/* A task on a CPU. */
struct kwork_times_part {
	u32 tid, cpu;
};
struct kwork_times_task {
	u64 runtime;
	char comm[KWORK_TIMES_COMM];
};

struct kwork_times_shared {
	u64 enabled;
	u64 events;
	u64 raises, entries, exits; /* without a counterpart */
	u64 lost; /* events for which there was no room */
};

#endif
