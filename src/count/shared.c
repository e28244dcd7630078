/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared: counters of events that BPF counts (struct event.bpf_counter), by bpf/shared_counts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpf/shared_counts.h"
#include "count/counters.h"
#include "sys/cgroup.h"

VEC_TYPE(attr_vec, struct perf_event_attr);
VEC_TYPE(cgroup_vec, u64);

/* What is opened for all: whoever asks for the same gets the same bytes. */
static struct perf_event_attr attr_of(const struct event *ev)
{
	struct perf_event_attr a = ev->attr;

	a.size = 0;
	a.inherit = a.disabled = a.enable_on_exec = 0;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return a;
}

static u32 slot_of(struct attr_vec *slots, const struct event *ev)
{
	const struct perf_event_attr a = attr_of(ev);

	for (size_t i = 0; i < slots->nr; i++)
		if (!memcmp(&slots->v[i], &a, sizeof(a)))
			return (u32)i;
	*VEC_PUSH(slots) = a;
	return (u32)slots->nr - 1;
}

/* The number of the event's cgroup, plus one; 0 = it has none. -1 and *e. */
static int cgroup_of(struct cgroup_vec *ids, const struct event *ev, u32 *owner, struct err *e)
{
	_cleanup_(mem_freep) char *path = NULL;
	char mount[512];
	bool v2 = false;
	u64 id;

	*owner = 0;
	if (!ev->cgroup)
		return 0;
	if (!sys_cgroup_mount(NULL, mount, sizeof(mount), &v2) || !v2)
		return err_set(e, ENOTSUP, "BPF counts in groups of cgroup2 alone");
	path = xasprintf("%s/%s", mount, ev->cgroup);
	if (!sys_cgroup_id(path, &id))
		return err_set(e, ENOENT, "no cgroup '%s'", ev->cgroup);
	for (size_t i = 0; i < ids->nr; i++)
		if (ids->v[i] == id)
			*owner = (u32)i + 1;
	if (!*owner) {
		*VEC_PUSH(ids) = id;
		*owner = (u32)ids->nr;
	}
	return 0;
}

static int check(const struct event *ev, struct err *e)
{
	const char *why = ev->filter    ? "a filter"
			  : ev->program ? "a program of its own"
			  : ev->pmu_name && (!strcmp(ev->pmu_name, "kprobe") ||
					     !strcmp(ev->pmu_name, "uprobe"))
				  ? "a probe of its own"
				  : NULL;

	return why ? err_set(e, ENOTSUP, "'%s' cannot be counted by BPF: it has %s", ev->name, why)
		   : 0;
}

static int begin(struct counting *c, const struct shared_counts_opts *o,
		 const struct attr_vec *slots, struct err *e)
{
	c->shared = shared_counts_new(o, (u32)slots->nr, e);
	if (!c->shared)
		return -1;
	for (u32 i = 0; i < slots->nr; i++) {
		struct err why = ERR_INIT;

		if (!shared_counts_put(c->shared, i, &slots->v[i], &why))
			continue;
		if (!counting_means_unsupported(why.code)) {
			*e = why;
			return -1;
		}
		VEC_FOR(&c->all, counter)
			if (counter->event->bpf_counter && counter->shared_at == i)
				counter->supported = false;
	}
	return shared_counts_begin(c->shared, e);
}

static int choose(struct counting *c, struct attr_vec *slots, struct cgroup_vec *ids, struct err *e)
{
	VEC_FOR(&c->all, counter) {
		if (!counter->event->bpf_counter || counter->event->left_out)
			continue;
		if (check(counter->event, e) < 0 ||
		    cgroup_of(ids, counter->event, &counter->shared_owner, e) < 0)
			return -1;
		counter->shared_at = slot_of(slots, counter->event);
	}
	return 0;
}

int counting_share(struct counting *c, const char *attr_map, const struct counting_config *cfg,
		   struct err *e)
{
	const struct capture_target *t = c->target;
	struct attr_vec slots = { 0 };
	struct cgroup_vec ids = { 0 };
	struct shared_counts_opts o = {
		.tids = t->tasks.v,
		.nr_tids = t->cpu_wide ? 0 : t->tasks.nr,
		.children = !cfg->no_inherit,
		.on_exec = t->workload && !cfg->delayed,
		.attr_map = attr_map,
	};

	int r = choose(c, &slots, &ids, e);

	o.cgroups = ids.v;
	o.nr_cgroups = ids.nr;
	if (!r && slots.nr)
		r = begin(c, &o, &slots, e);
	/* counts by cgroup are of one command line, and nobody expects others to share them */
	if (!r && slots.nr && !ids.nr && shared_counts_alone(c->shared))
		strbuf_addf(&c->told, "warning: counters are not shared with other perfs: %s\n",
			    shared_counts_alone(c->shared));
	vec_free(&slots);
	vec_free(&ids);
	return r;
}

void counting_read_shared(struct counting *c)
{
	shared_counts_update(c->shared);
	VEC_FOR(&c->all, counter) {
		for (size_t n = 0; counter->event->bpf_counter && counter->supported &&
				   n < counter->nr_cpus * counter->nr_tasks;
		     n++) {
			u32 owner = c->target->cpu_wide ? counter->shared_owner : (u32)n;
			struct program_count v = shared_counts_read(
				c->shared, counter->shared_at, owner,
				counter->cpus[n / counter->nr_tasks]);

			counter->values[n] = (struct count_value){ v.value, v.enabled, v.running };
		}
	}
}
