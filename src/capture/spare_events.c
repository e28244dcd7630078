/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/spare_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/attr.h"
#include "sys/perf_open.h"

enum { ID_BITS = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER };

/* What has conditions or partners of its own stays as it is. */
static bool may_be_replaced(const struct event *ev)
{
	return ev->watched && ev->leader == ev && ev->nr_members <= 1 && !ev->sample_read && !ev->filter &&
	       !ev->cgroup && !ev->off_cpu && !ev->attr.write_backward && !ev->attr.defer_callchain &&
	       ev->attr.sample_type & ID_BITS && !(ev->attr.sample_type & PERF_SAMPLE_REGS_USER);
}

static void add_spare(struct spare_events *s, const struct event *ev)
{
	struct event *spare = event_list_add(&s->list, ev->name, ev->attr.type, ev->attr.config);

	spare->kind = ev->kind;
	spare->attr = ev->attr;
	spare->attr.disabled = 1;
	spare->attr.enable_on_exec = 0;
	spare->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	spare->attr.sample_regs_user = capture_all_user_regs();
	spare->attr.sample_stack_user = ev->watched;
	spare->system_wide = ev->system_wide;
	if (ev->cpus) {
		spare->cpus = XNEW_ARRAY(u32, ev->nr_cpus);
		memcpy(spare->cpus, ev->cpus, ev->nr_cpus * sizeof(*ev->cpus));
		spare->nr_cpus = ev->nr_cpus;
	}
	s->stands_for[spare->index] = ev->index;
}

/* Into the ring of the event that it stands for, whose fd is in the same place. */
static bool join_rings(struct spare_events *s, const struct capture_fds *main_fds)
{
	size_t per_event = s->fds.nr_cpus * s->fds.nr_tasks;

	for (size_t i = 0; i < s->fds.nr_events * per_event; i++) {
		int *fd = &s->fds.fd[i];
		int other = main_fds->fd[s->stands_for[i / per_event] * per_event + i % per_event];

		if (*fd >= 0 && other < 0)
			mem_closep(fd);
		if (*fd < 0)
			continue;
		if (sys_perf_ioctl(*fd, PERF_EVENT_IOC_SET_OUTPUT, (void *)(intptr_t)other) ||
		    sys_perf_ioctl(*fd, PERF_EVENT_IOC_ID, &s->ids[i]))
			return false;
	}
	return true;
}

bool spare_events_open(struct spare_events *s, const struct event_list *events, const struct capture_fds *main_fds,
		       const struct capture_target *target)
{
	struct strbuf why = STRBUF_INIT;
	size_t n;
	bool ok;

	event_list_init(&s->list);
	s->stands_for = XNEW_ARRAY(u32, events->events.nr + 1);
	VEC_FOR(&events->events, ev) {
		if (may_be_replaced(*ev))
			add_spare(s, *ev);
	}
	n = s->list.events.nr * main_fds->nr_cpus * main_fds->nr_tasks;
	s->ids = XNEW_ARRAY(u64, n + 1);
	ok = n && capture_open(&s->fds, &s->list, target, NULL, &why, NULL) == 0 &&
	     s->fds.nr_cpus == main_fds->nr_cpus && s->fds.nr_tasks == main_fds->nr_tasks && join_rings(s, main_fds);
	strbuf_release(&why);
	if (!ok)
		spare_events_release(s);
	return ok;
}

void spare_events_release(struct spare_events *s)
{
	capture_fds_release(&s->fds);
	event_list_release(&s->list);
	free(s->ids);
	free(s->stands_for);
	*s = (struct spare_events){ .on = false };
}

long spare_events_find(const struct spare_events *s, u32 event)
{
	for (size_t i = 0; i < s->fds.nr_events; i++)
		if (s->stands_for[i] == event)
			return (long)i;
	return -1;
}

void spare_events_ioctl(const struct spare_events *s, size_t spare, unsigned long request)
{
	size_t per_event = s->fds.nr_cpus * s->fds.nr_tasks;

	for (size_t i = spare * per_event; i < (spare + 1) * per_event; i++)
		if (s->fds.fd[i] >= 0)
			sys_perf_ioctl(s->fds.fd[i], request, NULL);
}
