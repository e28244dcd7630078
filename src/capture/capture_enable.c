/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turning events on and off.
 */
#include "capture/capture_internal.h"
#include "sys/perf_open.h"

void capture_ioctl(struct capture *c, const struct event *only, unsigned long request)
{
	if (!only || only == aux_event_of(c->o.events))
		c->measuring = request == PERF_EVENT_IOC_ENABLE;
	if (only)
		c->enabled[only->index] = request == PERF_EVENT_IOC_ENABLE;
	if (c->off_cpu && (!only || only->off_cpu))
		off_cpu_samples_enable(c->off_cpu, request == PERF_EVENT_IOC_ENABLE);
	for (size_t ev = 0; ev < c->fds.nr_events; ev++) {
		const struct event *event = c->o.events->events.v[ev];
		long spare = spare_events_find(&c->stacks.choice.spare, (u32)ev);
		bool leads = event->leader == event;

		if (only ? event != only : !leads)
			continue;
		if (!only)
			c->enabled[ev] = request == PERF_EVENT_IOC_ENABLE;
		/* members count when their leader does */
		if (spare >= 0 && (c->stacks.choice.spare.on || !leads))
			capture_fds_ioctl(&c->stacks.choice.spare.fds, (size_t)spare, request);
		if (spare < 0 || !c->stacks.choice.spare.on || !leads)
			capture_fds_ioctl(&c->fds, ev, request);
	}
}
