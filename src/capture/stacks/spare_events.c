/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/spare_events.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/attr.h"
#include "sys/perf_open.h"

enum { ID_BITS = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER };

/* A flight recorder with larger copies would remember less. */
static bool is_watched(const struct spare_events *s, const struct event *ev)
{
	if (!ev->watched || ev->off_cpu || s->larger != event_copies_stacks(ev))
		return false;
	return s->larger ? !ev->attr.write_backward : ev->attr.sample_type & ID_BITS;
}

/* An event by itself, or a group as a whole: whose values are read together stays together. */
static bool has_watched(const struct spare_events *s, const struct event_list *events,
			const struct event *leader)
{
	VEC_FOR(&events->events, ev)
		if ((*ev)->leader == leader && is_watched(s, *ev))
			return true;
	return false;
}

/* Frame pointers that may be lost come before copies that may be short. */
static bool only_copies(const struct event_list *events)
{
	VEC_FOR(&events->events, ev)
		if ((*ev)->watched && !event_copies_stacks(*ev))
			return false;
	return true;
}

u32 spare_events_fitting_copy(u32 from, size_t ring_size, u64 freq)
{
	enum { SAMPLES_MIN = 64, FILLS_PER_SECOND = 40 };
	static const u32 sizes[] = { EVENT_STACK_COPY_MAX, 32768, 16384 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && sizes[i] > from; i++)
		if ((u64)sizes[i] * SAMPLES_MIN <= ring_size &&
		    (!freq || sizes[i] <= (u64)ring_size * FILLS_PER_SECOND / freq))
			return sizes[i];
	return 0;
}

/* All of them go into the same rings; of those by period the rate is not known. */
static u64 rate_of(const struct spare_events *s, const struct event_list *events)
{
	u64 sum = 0;

	VEC_FOR(&events->events, ev)
		if (is_watched(s, *ev) && (*ev)->attr.freq)
			sum += (*ev)->attr.sample_freq;
	return sum;
}

/* 0 = none that is larger than what there is. */
static u32 copy_size(const struct spare_events *s, const struct spare_opts *o,
		     const struct event *ev)
{
	enum { USUAL_COPY = 8192 };
	u32 from = s->larger ? ev->attr.sample_stack_user : USUAL_COPY, size;

	if (!ev->fits_copies)
		return ev->watched;
	size = spare_events_fitting_copy(from, o->ring_size, rate_of(s, o->events));
	return size || s->larger ? size : from;
}

static char *copy_of(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void add_spare(struct spare_events *s, const struct spare_opts *o, const struct event *ev)
{
	struct event *spare = event_list_add(&s->list, ev->name, ev->attr.type, ev->attr.config);

	spare->kind = ev->kind;
	spare->attr = ev->attr;
	spare->attr.enable_on_exec = 0;
	if (is_watched(s, ev)) {
		spare->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		if (!s->larger)
			spare->attr.sample_regs_user |= capture_all_user_regs();
		spare->attr.sample_stack_user = copy_size(s, o, ev);
		spare->max_frames = ev->max_frames;
		s->copy_size = MAX(s->copy_size, spare->attr.sample_stack_user);
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
		if (o->events->events.v[s->stands_for[i]] == ev->leader)
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

static bool open_all(struct spare_events *s, const struct spare_opts *o, struct err *e)
{
	struct strbuf why = STRBUF_INIT;
	bool ok = capture_open(&s->fds, &s->list, o->target, NULL, &why, e) == 0 &&
		  s->fds.nr_cpus == o->main_fds->nr_cpus &&
		  s->fds.nr_tasks == o->main_fds->nr_tasks &&
		  capture_filters_set(&s->filters, &s->fds, &s->list, e) == 0 &&
		  join_rings(s, o->main_fds);

	strbuf_release(&why);
	return ok;
}

bool spare_events_open(struct spare_events *s, const struct spare_opts *o, struct err *e)
{
	bool ok;

	event_list_init(&s->list);
	s->larger = only_copies(o->events);
	s->stands_for = XNEW_ARRAY(u32, o->events->events.nr + 1);
	VEC_FOR(&o->events->events, ev) {
		if (has_watched(s, o->events, (*ev)->leader))
			add_spare(s, o, *ev);
	}
	s->ids = XNEW_ARRAY(u64,
			    s->list.events.nr * o->main_fds->nr_cpus * o->main_fds->nr_tasks + 1);
	ok = s->list.events.nr && s->copy_size && open_all(s, o, e);
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
