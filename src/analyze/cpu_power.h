/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_power: spans of CPUs that sleep, and of their frequencies, from power:cpu_idle and
 * power:cpu_frequency. What a CPU did before its first event of a kind is not known, and told as
 * nothing.
 */
#ifndef ANALYZE_CPU_POWER_H
#define ANALYZE_CPU_POWER_H

#include "analyze/analyze.h"
#include "view/timeline.h"

enum cpu_power_field { POWER_STATE, POWER_CPU };
extern const struct analyze_field cpu_power_fields[];

struct cpu_power_now {
	u64 since; /* ns */
	u32 value;
	bool known;
};

/* Zero bytes are one that has seen nothing. */
struct cpu_power {
	VEC(struct cpu_power_cpu { struct cpu_power_now now[TIMELINE_POWERS]; }) v;
};

typedef void (*cpu_power_tell)(void *ctx, const struct timeline_power_span *s);

void cpu_power_release(struct cpu_power *p);
/* A row with cpu_power_fields; tells the span that it ends. false: no kernel has such a CPU. */
bool cpu_power_take(struct cpu_power *p, const struct analyze_row *r, enum timeline_power which,
		    cpu_power_tell tell, void *ctx);
/* What goes on at the end. */
void cpu_power_end(struct cpu_power *p, u64 time, cpu_power_tell tell, void *ctx);

#endif
