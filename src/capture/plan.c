/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rw.h"
#include "sys/perf_open.h"

typedef VEC(struct event *) event_vec;

/* Events of one PMU in one pass. */
struct plan_set {
	u32 type;
	const char *pmu;
	s32 pass;
	event_vec events;
};
typedef VEC(struct plan_set) set_vec;

static bool needs_counter(const struct event *ev)
{
	return ev->kind == EVENT_HARDWARE || ev->kind == EVENT_CACHE || ev->kind == EVENT_RAW ||
	       (ev->kind == EVENT_PMU && ev->attr.type > PERF_TYPE_BREAKPOINT) ||
	       (ev->kind == EVENT_PMU && ev->attr.type == PERF_TYPE_RAW);
}

/* Hardware, cache and raw events share the counters of the cores. */
static u32 type_of(const struct event *ev)
{
	return ev->kind == EVENT_PMU ? ev->attr.type : PERF_TYPE_RAW;
}

static bool same_pmu(const struct plan_set *s, const struct event *ev)
{
	const char *pmu = ev->pmu_name ? ev->pmu_name : "";

	return s->type == type_of(ev) && (!strcmp(s->pmu, pmu) || s->type == PERF_TYPE_RAW);
}

/* The first of a group that needs a counter decides where the group goes. */
static struct event *counted_member(const struct event_list *l, const struct event *leader)
{
	VEC_FOR(&l->events, ev) {
		if ((*ev)->leader == leader && needs_counter(*ev))
			return *ev;
	}
	return NULL;
}

static void add_group(const struct event_list *l, const struct event *leader, event_vec *to)
{
	VEC_FOR(&l->events, ev) {
		if ((*ev)->leader == leader && (*ev)->kind != EVENT_TOOL)
			*VEC_PUSH(to) = *ev;
	}
}

static void place_group(struct event_plan *p, const struct event_list *l,
			const struct event *leader, s32 pass, bool too_large)
{
	for (size_t i = 0; i < l->events.nr; i++) {
		if (l->events.v[i]->leader != leader)
			continue;
		p->pass[i] = pass;
		p->too_large[i] = too_large;
	}
}

/* Try the sets of its PMU, then a new one. */
static void plan_group(struct event_plan *p, const struct event_list *l, struct event *leader,
		       set_vec *sets, plan_fits_fn fits, void *ctx)
{
	struct event *counted = counted_member(l, leader);
	struct plan_set *set;
	enum plan_fit alone;
	s32 passes = 0;

	if (!counted) {
		place_group(p, l, leader, PLAN_EVERY_PASS, false);
		return;
	}
	VEC_FOR(sets, s) {
		size_t before = s->events.nr;

		if (!same_pmu(s, counted))
			continue;
		passes = MAX(passes, s->pass + 1);
		add_group(l, leader, &s->events);
		if (fits(ctx, s->events.v, s->events.nr) == PLAN_FITS) {
			place_group(p, l, leader, s->pass, false);
			return;
		}
		s->events.nr = before;
	}
	set = VEC_PUSH(sets);
	*set = (struct plan_set){ .type = type_of(counted), .pass = passes };
	set->pmu = counted->pmu_name ? counted->pmu_name : "";
	add_group(l, leader, &set->events);
	alone = fits(ctx, set->events.v, set->events.nr);
	if (alone == PLAN_NEVER) {
		place_group(p, l, leader, PLAN_UNSUPPORTED, false);
		vec_free(&set->events);
		sets->nr--;
		return;
	}
	place_group(p, l, leader, passes, alone == PLAN_FULL);
	p->nr_passes = MAX(p->nr_passes, passes + 1);
}

void event_plan_make(struct event_plan *p, const struct event_list *l, plan_fits_fn fits, void *ctx)
{
	set_vec sets = { 0 };

	*p = (struct event_plan){ .nr_events = l->events.nr, .nr_passes = 1 };
	p->pass = XNEW_ARRAY(s32, MAX(l->events.nr, (size_t)1));
	p->too_large = XNEW_ARRAY(bool, MAX(l->events.nr, (size_t)1));
	VEC_FOR(&l->events, ev) {
		if ((*ev)->leader == *ev)
			plan_group(p, l, *ev, &sets, fits, ctx);
	}
	VEC_FOR(&sets, s)
		vec_free(&s->events);
	vec_free(&sets);
}

void event_plan_release(struct event_plan *p)
{
	free(p->pass);
	free(p->too_large);
	*p = (struct event_plan){ 0 };
}

static int open_member(const struct event *ev, int leader)
{
	struct perf_event_attr attr = ev->attr;
	bool uncore = ev->pmu_name && ev->nr_cpus && strncmp(ev->pmu_name, "cpu", 3) != 0;
	int fd;

	attr.sample_type = 0;
	attr.sample_period = 0;
	attr.freq = 0;
	attr.inherit = 0;
	attr.enable_on_exec = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = attr.pinned = leader < 0;
	for (;;) {
		fd = sys_perf_event_open(&attr, uncore ? -1 : 0, uncore ? (int)ev->cpus[0] : -1,
					 leader, 0);
		if (fd != -EACCES && fd != -EPERM && fd != -EINVAL)
			return fd;
		/* what an unprivileged user or an old PMU may not do; it needs no other counter */
		if (!attr.exclude_kernel && fd != -EINVAL)
			attr.exclude_kernel = 1;
		else if (attr.exclude_guest)
			attr.exclude_guest = 0;
		else
			return fd;
	}
}

static bool is_unsupported(int err)
{
	return err == ENOENT || err == ENODEV || err == ENXIO || err == EOPNOTSUPP;
}

enum plan_fit plan_ask_kernel(void *ctx UNUSED, struct event *const *events, size_t nr)
{
	int *fds = XNEW_ARRAY(int, MAX(nr, (size_t)1));
	enum plan_fit fit = PLAN_FITS;
	size_t n = 0;
	u64 values[3];

	for (; n < nr && fit == PLAN_FITS; n++) {
		fds[n] = open_member(events[n], n ? fds[0] : -1);
		/* a member that is not supported takes no counter */
		if (fds[n] < 0 && (!n || !is_unsupported(-fds[n])))
			fit = n || fds[n] == -EMFILE ? PLAN_FULL : PLAN_NEVER;
	}
	if (fit == PLAN_FITS && nr) {
		sys_perf_ioctl(fds[0], PERF_EVENT_IOC_ENABLE, NULL);
		/* a pinned group that is not on the counters reads as the end of a file */
		if (rw_read_full(fds[0], values, sizeof(values)) != sizeof(values))
			fit = PLAN_FULL;
	}
	for (size_t i = 0; i < n; i++)
		mem_closep(&fds[i]);
	free(fds);
	return fit;
}
