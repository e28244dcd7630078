/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wall: `perf record --wall`: what is recorded for `perf report --wall`. The first of these that
 * the machine and the user have, beside the samples with stacks:
 *
 *     a BPF program   sums up, in the kernel, by thread, stack, state and waker: its cost does not
 *                     grow with the recording
 *     tracepoints     each switch with its stack and the thread's state; wake-ups of all threads
 *                     where whole CPUs are recorded, else those by the recorded threads
 *     context-switches  each switch with its stack
 *     switch records  each switch
 */
#include <stdio.h>

#include "cmd/record/record.h"
#include "sys/limits.h"

/* What was chosen, and what is missing in it; NULL = nothing. */
struct wall_source {
	const char *name, *lacks;
};

/* Its samples are every occurrence. */
static bool add_event(struct record_opts *o, const char *name, bool stacks)
{
	struct event_list *l = &o->sampling.events;
	struct event_error ee = { 0 };
	struct event *ev;

	if (event_parse(l, name, &o->sampling.env, &ee) < 0)
		return false;
	ev = *VEC_LAST(&l->events);
	ev->terms.has_period = true;
	ev->terms.period = 1;
	if (!stacks)
		ev->terms.stacks.mode = EVENT_CG_NONE;
	return true;
}

static bool has_cgroups(const struct record_opts *o)
{
	VEC_FOR(&o->sampling.events.events, ev)
		if ((*ev)->cgroup)
			return true;
	return false;
}

/* Loaded once to see whether that is possible. */
static bool takes_program(const struct record_opts *o)
{
	const struct off_cpu_opts probe = { .wall = true, .threshold = 1 };
	struct err e = ERR_INIT;
	struct off_cpu *p;

	/* it follows threads, wherever they run */
	if (o->sampling.cpus || has_cgroups(o))
		return false;
	p = off_cpu_new(&probe, &e);
	off_cpu_free(p);
	return p != NULL;
}

static struct wall_source choose_events(struct record_opts *o, const struct sys_limits *limits)
{
	bool cpus = o->sampling.system_wide || o->sampling.cpus;

	o->sampling.cfg.switch_events = true;
	if (limits->root && add_event(o, "sched:sched_switch", true)) {
		if (add_event(o, "sched:sched_waking", false) && cpus)
			return (struct wall_source){ "tracepoints of the scheduler", NULL };
		return (struct wall_source){ "tracepoints of the scheduler",
					     "wake-ups by others than the recorded threads" };
	}
	if (sys_may_profile_kernel(limits) && add_event(o, "context-switches", true))
		return (struct wall_source){ "switches with their stacks",
					     "wake-ups, and kinds of blocked: they need root" };
	return (struct wall_source){ "switch records",
				     "stacks of what blocked, and wake-ups: they need root, stacks "
				     "alone kernel.perf_event_paranoid at 1" };
}

int record_choose_wall(struct record_opts *o)
{
	struct wall_source source = { "a BPF program that sums up in the kernel", NULL };
	struct sys_limits limits;

	if (!o->wall)
		return 0;
	if (sampling_add_default(&o->sampling) < 0)
		return -1;
	if (o->sampling.cfg.callgraph.mode == EVENT_CG_UNSET)
		o->sampling.cfg.callgraph.mode = EVENT_CG_FP;
	sys_limits_read(&limits, NULL);
	if (takes_program(o))
		o->sampling.cfg.off_cpu = o->sampling.cfg.wall = true;
	else
		source = choose_events(o, &limits);
	if (!o->sampling.quiet)
		fprintf(stderr, "[ perf record: wall-clock time by %s%s%s ]\n", source.name,
			source.lacks ? "; without " : "", source.lacks ? source.lacks : "");
	return 0;
}
