/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/cpu_power.h"

#include "analyze/sched_events.h"

/* The state of power:cpu_idle that says that the CPU is awake again. */
enum { AWAKE = -1 };

const struct analyze_field cpu_power_fields[] = {
	[POWER_STATE] = { .names = { "state" } },
	[POWER_CPU] = { .names = { "cpu_id" } },
	{ .names = { NULL } },
};

void cpu_power_release(struct cpu_power *p)
{
	vec_free(&p->v);
}

static void tell_span(const struct cpu_power *p, u32 cpu, u64 until, struct timeline_power_span s,
		      cpu_power_tell tell, void *ctx)
{
	const struct cpu_power_now *n = &p->v.v[cpu].now[s.power];

	/* times that go backwards tell nothing of what was between */
	if (!n->known || n->since >= until)
		return;
	s.from = n->since;
	s.until = until;
	s.cpu = cpu;
	s.value = n->value;
	tell(ctx, &s);
}

bool cpu_power_take(struct cpu_power *p, const struct analyze_row *r, enum timeline_power which,
		    cpu_power_tell tell, void *ctx)
{
	u64 cpu = r->values[POWER_CPU];
	u32 value = (u32)r->values[POWER_STATE];
	struct cpu_power_now *n;

	if (cpu >= SCHED_MAX_CPUS)
		return false;
	while (p->v.nr <= cpu)
		*VEC_PUSH(&p->v) = (struct cpu_power_cpu){ .now[0].known = false };
	n = &p->v.v[cpu].now[which];
	/* governors tell a frequency that is asked for again */
	if (which == TIMELINE_FREQUENCY && n->known && n->value == value)
		return true;
	tell_span(p, (u32)cpu, r->time, (struct timeline_power_span){ .power = which }, tell, ctx);
	n->known = which == TIMELINE_FREQUENCY || value != (u32)AWAKE;
	n->since = r->time;
	n->value = value;
	return true;
}

void cpu_power_end(struct cpu_power *p, u64 time, cpu_power_tell tell, void *ctx)
{
	for (u32 cpu = 0; cpu < p->v.nr; cpu++)
		for (u32 which = 0; which < TIMELINE_POWERS; which++)
			tell_span(p, cpu, time,
				  (struct timeline_power_span){ .power = which, .goes_on = true },
				  tell, ctx);
}
