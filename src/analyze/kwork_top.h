/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kwork_top: what each CPU's time went to: tasks, idle, handlers of interrupts, softirqs.
 *
 * Of a CPU, time counts between its first switch of tasks and its last. A moment belongs to the
 * interrupt, else the softirq that it was spent in, else to the task (idle is one) that had the
 * CPU, so that the parts sum up. What has no beginning or no end is left out, and counted as
 * skipped. Any thread, one at a time.
 */
#ifndef ANALYZE_KWORK_TOP_H
#define ANALYZE_KWORK_TOP_H

#include "analyze/kwork.h"
#include "analyze/tasks.h"

/* A task on a CPU. */
struct kwork_top_part {
	u32 task; /* tid 0: idle */
	u32 cpu;
	u64 runtime; /* ns */
};

struct kwork_top_cpu {
	u64 total; /* ns from its first switch to its last; 0: nothing is known of it */
	u64 irq, softirq;
	u64 unknown; /* of total: a switch is missing, so it is not known which task had the CPU */
};

struct kwork_top;

struct kwork_top_opts {
	bool irqs, softirqs; /* that they are told apart from the tasks they interrupt */
	u64 from, until; /* ns; until 0 = to the end */
};

int kwork_top_new(struct kwork_top **out, struct session *s, const struct kwork_top_opts *o,
		  struct err *e);
void kwork_top_free(struct kwork_top *t);
int kwork_top_run(struct kwork_top *t, struct err *e);
/* After the run. Without switches of tasks nothing is known. */
bool kwork_top_has_switches(const struct kwork_top *t);
/* In order of first sight; by CPU. */
const struct kwork_top_part *kwork_top_parts(const struct kwork_top *t, size_t *nr);
const struct kwork_top_cpu *kwork_top_cpus(const struct kwork_top *t, size_t *nr);
const struct tasks *kwork_top_tasks(const struct kwork_top *t);
struct kwork_totals kwork_top_totals(const struct kwork_top *t);

#endif
