/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "count/tools.h"

#define NO_OWNER ((size_t)-1)

static u32 cache_level(const struct measurement *m)
{
	u32 last = 0;

	if (m->o->cache_level)
		return m->o->cache_level;
	VEC_FOR(&m->caches, c)
		last = MAX(last, c->level);
	return last;
}

/* The first CPU of those that share the cache of the level with this one; -1 = no such cache. */
static s32 cache_of_cpu(const struct measurement *m, u32 cpu)
{
	u32 level = cache_level(m);

	VEC_FOR(&m->caches, c) {
		u32 *list = NULL;
		size_t nr = 0;
		s32 found = -1;

		if (c->level != level || !strcmp(c->type, "Instruction") ||
		    !fmt_parse_cpu_list(c->map, &list, &nr))
			continue;
		for (size_t i = 0; i < nr; i++)
			found = list[i] == cpu ? (s32)list[0] : found;
		free(list);
		if (found >= 0)
			return found;
	}
	return -1;
}

static struct count_place place_of_cpu(const struct measurement *m, u32 cpu)
{
	const struct sys_cpu *c = sys_topology_cpu(&m->topology, cpu);
	struct count_place p = { .cpu = (s32)cpu, -1, -1, -1, -1, -1, -1 };

	p.cache = m->caches.nr ? cache_of_cpu(m, cpu) : -1;
	if (c) {
		p.core = c->core;
		p.die = c->die;
		p.socket = c->socket;
		p.node = c->node;
		p.cluster = c->cluster;
	}
	return p;
}

static void name_owner(const struct measurement *m, struct count_owner *o, enum count_aggr aggr)
{
	const struct count_place *p = &o->place;

	switch (aggr) {
	case COUNT_CPU:
		snprintf(o->name, sizeof(o->name), "%d", p->cpu);
		break;
	case COUNT_SOCKET:
		snprintf(o->name, sizeof(o->name), "S%d", p->socket);
		break;
	case COUNT_DIE:
		snprintf(o->name, sizeof(o->name), "S%d-D%d", p->socket, p->die);
		break;
	case COUNT_CORE:
		snprintf(o->name, sizeof(o->name), "S%d-D%d-C%d", p->socket, p->die, p->core);
		break;
	case COUNT_CLUSTER:
		snprintf(o->name, sizeof(o->name), "S%d-D%d-CLS%d", p->socket, p->die, p->cluster);
		break;
	case COUNT_CACHE:
		snprintf(o->name, sizeof(o->name), "S%d-D%d-L%u-ID%d", p->socket, p->die,
			 cache_level(m), p->cache);
		break;
	case COUNT_NODE:
		snprintf(o->name, sizeof(o->name), "N%d", p->node);
		break;
	default:
		break;
	}
}

static int compare_owners(const void *a, const void *b)
{
	const struct count_owner *x = a, *y = b;

	return count_place_compare(&x->place, &y->place);
}

/* The row that a CPU belongs to. An unknown die or core is the only one. */
static struct count_place row_place(const struct count_place *cpu, enum count_aggr aggr)
{
	struct count_place p = count_place_of(cpu, aggr);

	if (aggr == COUNT_DIE || aggr == COUNT_CORE || aggr == COUNT_CLUSTER || aggr == COUNT_CACHE)
		p.die = MAX(p.die, 0);
	return p;
}

static void name_core(const struct measurement *m, struct count_owner *o, u32 cpu)
{
	struct count_place p = place_of_cpu(m, cpu);

	o->core = count_place_of(&p, COUNT_CORE);
	snprintf(o->core_name, sizeof(o->core_name), "S%d-D%d-C%d", p.socket, MAX(p.die, 0),
		 p.core);
}

/* The row of a CPU, found once. */
static void find_cpu_owners(struct measurement *m)
{
	u32 max = 0;

	for (size_t i = 0; i < m->target.nr_cpus; i++)
		max = MAX(max, m->target.cpus[i]);
	m->nr_cpu_owners = (size_t)max + 1;
	m->cpu_owners = XNEW_ARRAY(u32, m->nr_cpu_owners);
	for (size_t i = 0; i < m->target.nr_cpus; i++) {
		struct count_place p = place_of_cpu(m, m->target.cpus[i]);
		const struct count_owner key = { .place = row_place(&p, m->o->aggr) };
		const struct count_owner *o = bsearch(&key, m->owners.v, m->owners.nr, sizeof(key),
						      compare_owners);

		m->cpu_owners[m->target.cpus[i]] = o ? (u32)(o - m->owners.v) + 1 : 0;
	}
}

static void add_cpu_owners(struct measurement *m)
{
	enum count_aggr aggr = m->o->aggr;
	size_t n = 0;

	for (size_t i = 0; i < m->target.nr_cpus; i++) {
		struct count_place cpu = place_of_cpu(m, m->target.cpus[i]);
		struct count_owner *o = VEC_PUSH(&m->owners);

		*o = (struct count_owner){ .place = row_place(&cpu, aggr) };
		name_owner(m, o, aggr);
		if (aggr == COUNT_CPU)
			name_core(m, o, m->target.cpus[i]);
	}
	VEC_SORT(&m->owners, compare_owners);
	for (size_t i = 0; i < m->owners.nr; i++) {
		if (!n || compare_owners(&m->owners.v[n - 1], &m->owners.v[i]))
			m->owners.v[n++] = m->owners.v[i];
	}
	m->owners.nr = n;
	find_cpu_owners(m);
}

static void add_task_owners(struct measurement *m)
{
	struct sys_proc proc;
	bool known = !m->comms && sys_proc_init(&proc, NULL);

	for (size_t i = 0; i < m->target.tasks.nr; i++) {
		struct count_owner *o = VEC_PUSH(&m->owners);

		*o = (struct count_owner){ .task = i };
		if (known)
			sys_proc_comm(&proc, m->target.tasks.v[i], o->name, sizeof(o->name));
		else if (m->comms)
			snprintf(o->name, sizeof(o->name), "%.15s", m->comms[i]);
	}
	if (known)
		sys_proc_release(&proc);
}

void cells_init(struct measurement *m)
{
	if (m->cells)
		return; /* of an earlier run: the same */
	if (m->o->aggr == COUNT_GLOBAL)
		*VEC_PUSH(&m->owners) = (struct count_owner){ .task = 0 };
	else if (m->o->aggr == COUNT_THREAD)
		add_task_owners(m);
	else
		add_cpu_owners(m);
	m->cells = XNEW_ARRAY(struct count_cell,
			      MAX(m->owners.nr * m->o->events.events.nr, (size_t)1));
	m->previous = XNEW_ARRAY(struct count_value *, MAX(m->o->events.events.nr, (size_t)1));
}

void cells_reset(struct measurement *m)
{
	memset(m->cells, 0, sizeof(*m->cells) * m->owners.nr * m->o->events.events.nr);
}

/* NO_OWNER: counted where no row is. */
static size_t owner_of(const struct measurement *m, int cpu, size_t task)
{
	switch (m->o->aggr) {
	case COUNT_GLOBAL:
		return 0;
	case COUNT_THREAD:
		return task < m->owners.nr ? task : NO_OWNER;
	default:
		if (cpu < 0 || (size_t)cpu >= m->nr_cpu_owners || !m->cpu_owners[cpu])
			return NO_OWNER;
		return m->cpu_owners[cpu] - 1;
	}
}

static struct count_value value_of(const struct measurement *m, const struct counter *c, size_t at,
				   bool delta)
{
	const struct count_value *before = delta ? m->previous[c->event->index] : NULL;
	struct count_value v = c->values[at];

	if (before && !c->event->snapshot) {
		v.value = count_delta(v.value, before[at].value);
		v.enabled = count_delta(v.enabled, before[at].enabled);
		v.running = count_delta(v.running, before[at].running);
	}
	return v;
}

struct sum {
	struct count_value raw;
	double scaled;
	u32 nr_cpus;
	size_t last_cpu; /* counted in nr_cpus, + 1 */
	bool bad;
};

/* What no counter is needed for is shown for the first CPU of all, but for each of those that -C
 * names: as perf does it. */
static bool holds_everywhere(const struct measurement *m, const struct counter *c)
{
	return c->event->kind == EVENT_TOOL && m->o->cpus && m->nr_cpu_owners;
}

static void spread(const struct measurement *m, const struct counter *c, bool delta,
		   struct sum *sums)
{
	struct count_value v = value_of(m, c, 0, delta);

	for (size_t i = 0; i < m->target.nr_cpus; i++) {
		size_t owner = owner_of(m, (int)m->target.cpus[i], 0);

		if (owner == NO_OWNER)
			continue;
		sums[owner].raw = v;
		sums[owner].nr_cpus++;
		sums[owner].bad = !v.running;
		sums[owner].scaled = c->event->tool == EVENT_TOOL_SENSOR ? (double)(s64)v.value
									 : (double)v.value;
	}
}

/*
 * All of one event, by owner. One bad part makes an owner's sum bad, except in the grand total:
 * half a socket would look like a slow one.
 */
static void sum_up(const struct measurement *m, const struct counter *c, bool delta,
		   struct sum *sums)
{
	bool total = m->o->aggr == COUNT_GLOBAL || m->o->aggr == COUNT_THREAD;

	for (size_t at = 0; at < c->nr_cpus * c->nr_tasks; at++) {
		size_t cpu = at / c->nr_tasks;
		size_t owner = owner_of(m, c->cpus[cpu], at % c->nr_tasks);
		struct count_value v = value_of(m, c, at, delta);
		struct sum *sum = owner == NO_OWNER ? NULL : &sums[owner];

		if (!sum || sum->bad)
			continue;
		sum->nr_cpus += sum->last_cpu != cpu + 1;
		sum->last_cpu = cpu + 1;
		sum->bad = !total && !v.running;
		sum->raw.value += v.value;
		sum->raw.enabled += v.enabled;
		sum->raw.running += v.running;
		sum->scaled += m->o->scale && v.running ? count_scale(v.value, v.enabled, v.running)
							: (double)v.value;
	}
	for (size_t i = 0; i < m->owners.nr; i++) {
		struct sum *sum = &sums[i];

		if (sum->bad)
			sum->raw = (struct count_value){ 0 };
		else if (m->o->aggr == COUNT_GLOBAL && m->o->scale)
			sum->scaled = count_scale(sum->raw.value, sum->raw.enabled,
						  sum->raw.running);
		/* it may be cold */
		if (c->event->tool == EVENT_TOOL_SENSOR)
			sum->scaled = (double)(s64)sum->raw.value;
	}
}

static bool same_core(const struct measurement *m, size_t a, size_t b)
{
	return !count_place_compare(&m->owners.v[a].core, &m->owners.v[b].core);
}

bool cells_share_core(const struct measurement *m, size_t owner)
{
	for (size_t i = 0; i < m->owners.nr; i++) {
		if (i != owner && same_core(m, i, owner))
			return true;
	}
	return false;
}

/*
 * The term percore: what the threads of a core counted together, shown once or, with
 * --percore-show-thread, for each of them.
 */
static void sum_up_cores(const struct measurement *m, struct sum *sums)
{
	struct sum *parts = XNEW_ARRAY(struct sum, MAX(m->owners.nr, (size_t)1));

	memcpy(parts, sums, m->owners.nr * sizeof(*parts));
	for (size_t i = 0; i < m->owners.nr; i++) {
		bool first = true;

		for (size_t k = 0; k < m->owners.nr; k++) {
			if (k == i || !same_core(m, i, k))
				continue;
			first = first && i < k;
			sums[i].scaled += parts[k].scaled;
			sums[i].raw.value += parts[k].raw.value;
			sums[i].raw.enabled += parts[k].raw.enabled;
			sums[i].raw.running += parts[k].raw.running;
		}
		if (!first && !m->o->percore_show_thread)
			sums[i] = (struct sum){ 0 };
	}
	free(parts);
}

static void remember(struct measurement *m, const struct counter *c)
{
	size_t n = c->nr_cpus * c->nr_tasks;
	struct count_value **p = &m->previous[c->event->index];

	if (!*p)
		*p = XNEW_ARRAY(struct count_value, MAX(n, (size_t)1));
	if (n)
		memcpy(*p, c->values, n * sizeof(**p));
}

void cells_read(struct measurement *m)
{
	counting_read(&m->counters);
	VEC_FOR(&m->counters.all, c) {
		if (c->event->kind == EVENT_TOOL)
			c->values[0] = count_tool_value(m, c->event);
	}
}

void cells_add(struct measurement *m, bool delta)
{
	size_t nr = m->owners.nr;
	struct sum *sums = XNEW_ARRAY(struct sum, MAX(nr, (size_t)1));

	VEC_FOR(&m->counters.all, c) {
		struct count_cell *cells = &m->cells[c->event->index * nr];

		if (c->event->left_out)
			continue;
		memset(sums, 0, nr * sizeof(*sums));
		if (holds_everywhere(m, c))
			spread(m, c, delta, sums);
		else if (c->supported)
			sum_up(m, c, delta, sums);
		if (c->event->terms.percore && m->o->aggr == COUNT_CPU)
			sum_up_cores(m, sums);
		for (size_t i = 0; i < nr; i++) {
			cells[i].nr_cpus = c->supported ? sums[i].nr_cpus : 1;
			moments_add(&cells[i].value, sums[i].scaled);
			moments_add(&cells[i].enabled, (double)sums[i].raw.enabled);
			moments_add(&cells[i].running, (double)sums[i].raw.running);
		}
		if (delta)
			remember(m, c);
	}
	free(sums);
}

struct count_cell *cells_get(const struct measurement *m, size_t event, size_t owner)
{
	return &m->cells[event * m->owners.nr + owner];
}

const struct count_cell *cells_of_cpu(const struct measurement *m, size_t event, u32 cpu)
{
	size_t owner = owner_of(m, (int)cpu, 0);

	return owner == NO_OWNER ? NULL : cells_get(m, event, owner);
}

void measurement_release(struct measurement *m)
{
	for (size_t i = 0; m->previous && i < m->counters.all.nr; i++)
		free(m->previous[i]);
	free(m->previous);
	free(m->cells);
	vec_free(&m->owners);
	vec_free(&m->seconds);
	counting_release(&m->counters);
	counting_release(&m->last_counters);
	capture_target_release(&m->target);
	sys_topology_release(&m->topology);
	cpu_watch_release(&m->cpu_watch);
	sys_caches_release(&m->caches);
	free(m->cpu_owners);
}
