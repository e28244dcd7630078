/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/spare_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/attr.h"
#include "sys/perf_open.h"

enum { ID_BITS = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER };

static bool is_watched(const struct event *ev)
{
	return ev->watched && !ev->off_cpu && ev->attr.sample_type & ID_BITS;
}

/* An event by itself, or a group as a whole: whose values are read together stays together. */
static bool has_watched(const struct event_list *events, const struct event *leader)
{
	VEC_FOR(&events->events, ev)
		if ((*ev)->leader == leader && is_watched(*ev))
			return true;
	return false;
}

static char *copy_of(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void add_spare(struct spare_events *s, const struct event_list *events, const struct event *ev)
{
	struct event *spare = event_list_add(&s->list, ev->name, ev->attr.type, ev->attr.config);

	spare->kind = ev->kind;
	spare->attr = ev->attr;
	spare->attr.enable_on_exec = 0;
	if (is_watched(ev)) {
		spare->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		spare->attr.sample_regs_user |= capture_all_user_regs();
		spare->attr.sample_stack_user = ev->watched;
		spare->max_frames = ev->max_frames;
	}
	spare->system_wide = ev->system_wide;
	spare->sample_read = ev->sample_read;
	spare->nr_members = ev->nr_members;
	spare->filter = copy_of(ev->filter);
	spare->cgroup = copy_of(ev->cgroup);
	if (ev->cpus) {
		spare->cpus = XNEW_ARRAY(u32, ev->nr_cpus);
		memcpy(spare->cpus, ev->cpus, ev->nr_cpus * sizeof(*ev->cpus));
		spare->nr_cpus = ev->nr_cpus;
	}
	s->stands_for[spare->index] = ev->index;
	for (u32 i = 0; i <= spare->index; i++)
		if (events->events.v[s->stands_for[i]] == ev->leader)
			spare->leader = s->list.events.v[i];
	spare->attr.disabled = spare->leader == spare;
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

static bool open_all(struct spare_events *s, const struct capture_fds *main_fds, const struct capture_target *target,
		     struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = capture_open(&s->fds, &s->list, target, NULL, &why, e) == 0 &&
		  s->fds.nr_cpus == main_fds->nr_cpus && s->fds.nr_tasks == main_fds->nr_tasks &&
		  capture_filters_set(&s->filters, &s->fds, &s->list, e) == 0 && join_rings(s, main_fds);

	strbuf_release(&why);
	return ok;
}

bool spare_events_open(struct spare_events *s, const struct event_list *events, const struct capture_fds *main_fds,
		       const struct capture_target *target, struct err *e)
{
	bool ok;

	event_list_init(&s->list);
	s->stands_for = XNEW_ARRAY(u32, events->events.nr + 1);
	VEC_FOR(&events->events, ev) {
		if (has_watched(events, (*ev)->leader))
			add_spare(s, events, *ev);
	}
	s->ids = XNEW_ARRAY(u64, s->list.events.nr * main_fds->nr_cpus * main_fds->nr_tasks + 1);
	ok = s->list.events.nr && open_all(s, main_fds, target, e);
	if (!ok)
		spare_events_release(s);
	return ok;
}

void spare_events_release(struct spare_events *s)
{
	capture_filters_release(&s->filters);
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

void spare_events_id_range(const struct spare_events *s, u64 *first, u64 *last)
{
	size_t n = s->fds.nr_events * s->fds.nr_cpus * s->fds.nr_tasks;

	*first = *last = 0;
	for (size_t i = 0; i < n; i++) {
		if (s->fds.fd[i] < 0)
			continue;
		*first = *last ? MIN(*first, s->ids[i]) : s->ids[i];
		*last = MAX(*last, s->ids[i]);
	}
}

void spare_events_ioctl(const struct spare_events *s, size_t spare, unsigned long request)
{
	size_t per_event = s->fds.nr_cpus * s->fds.nr_tasks;

	for (size_t i = spare * per_event; i < (spare + 1) * per_event; i++)
		if (s->fds.fd[i] >= 0)
			sys_perf_ioctl(s->fds.fd[i], request, NULL);
}
