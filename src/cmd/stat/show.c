/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: from the values of the counters to rows, ratios and text.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "agg/ratios.h"
#include "base/arena.h"
#include "base/fmt.h"
#include "base/rw.h"
#include "cli/colour.h"
#include "cmd/stat/stat.h"
#include "event/names.h"
#include "event/pmu.h"

enum { MIN_UNIT_WIDTH = 4 };
#define NO_OWNER ((size_t)-1)

static u32 cache_level(const struct stat_run *s)
{
	u32 last = 0;

	if (s->opts->cache_level)
		return s->opts->cache_level;
	VEC_FOR(&s->caches, c)
		last = MAX(last, c->level);
	return last;
}

/* The first CPU of those that share the cache of the level with this one; -1 = no such cache. */
static s32 cache_of_cpu(const struct stat_run *s, u32 cpu)
{
	u32 level = cache_level(s);

	VEC_FOR(&s->caches, c) {
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

static struct count_place place_of_cpu(const struct stat_run *s, u32 cpu)
{
	const struct sys_cpu *c = sys_topology_cpu(&s->topology, cpu);
	struct count_place p = { .cpu = (s32)cpu, -1, -1, -1, -1, -1, -1 };

	p.cache = s->caches.nr ? cache_of_cpu(s, cpu) : -1;
	if (c) {
		p.core = c->core;
		p.die = c->die;
		p.socket = c->socket;
		p.node = c->node;
		p.cluster = c->cluster;
	}
	return p;
}

static void name_owner(const struct stat_run *s, struct stat_owner *o, enum count_aggr aggr)
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
			 cache_level(s), p->cache);
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
	const struct stat_owner *x = a, *y = b;

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

static void name_core(const struct stat_run *s, struct stat_owner *o, u32 cpu)
{
	struct count_place p = place_of_cpu(s, cpu);

	o->core = count_place_of(&p, COUNT_CORE);
	snprintf(o->core_name, sizeof(o->core_name), "S%d-D%d-C%d", p.socket, MAX(p.die, 0),
		 p.core);
}

/* The row of a CPU, found once. */
static void find_cpu_owners(struct stat_run *s)
{
	u32 max = 0;

	for (size_t i = 0; i < s->target.nr_cpus; i++)
		max = MAX(max, s->target.cpus[i]);
	s->nr_cpu_owners = (size_t)max + 1;
	s->cpu_owners = XNEW_ARRAY(u32, s->nr_cpu_owners);
	for (size_t i = 0; i < s->target.nr_cpus; i++) {
		struct count_place p = place_of_cpu(s, s->target.cpus[i]);
		const struct stat_owner key = { .place = row_place(&p, s->opts->aggr) };
		const struct stat_owner *o = bsearch(&key, s->owners.v, s->owners.nr, sizeof(key),
						     compare_owners);

		s->cpu_owners[s->target.cpus[i]] = o ? (u32)(o - s->owners.v) + 1 : 0;
	}
}

static void add_cpu_owners(struct stat_run *s)
{
	enum count_aggr aggr = s->opts->aggr;
	size_t n = 0;

	for (size_t i = 0; i < s->target.nr_cpus; i++) {
		struct count_place cpu = place_of_cpu(s, s->target.cpus[i]);
		struct stat_owner *o = VEC_PUSH(&s->owners);

		*o = (struct stat_owner){ .place = row_place(&cpu, aggr) };
		name_owner(s, o, aggr);
		if (aggr == COUNT_CPU)
			name_core(s, o, s->target.cpus[i]);
	}
	VEC_SORT(&s->owners, compare_owners);
	for (size_t i = 0; i < s->owners.nr; i++) {
		if (!n || compare_owners(&s->owners.v[n - 1], &s->owners.v[i]))
			s->owners.v[n++] = s->owners.v[i];
	}
	s->owners.nr = n;
	find_cpu_owners(s);
}

static void add_task_owners(struct stat_run *s)
{
	struct sys_proc proc;
	bool known = !s->replay && sys_proc_init(&proc, NULL);

	for (size_t i = 0; i < s->target.tasks.nr; i++) {
		struct stat_owner *o = VEC_PUSH(&s->owners);

		*o = (struct stat_owner){ .task = i };
		if (known)
			sys_proc_comm(&proc, s->target.tasks.v[i], o->name, sizeof(o->name));
		else if (s->replay)
			snprintf(o->name, sizeof(o->name), "%.15s", s->replay->comms[i]);
	}
	if (known)
		sys_proc_release(&proc);
}

void stat_owners_init(struct stat_run *s)
{
	if (s->cells)
		return; /* of an earlier run: the same */
	if (s->opts->aggr == COUNT_GLOBAL)
		*VEC_PUSH(&s->owners) = (struct stat_owner){ .task = 0 };
	else if (s->opts->aggr == COUNT_THREAD)
		add_task_owners(s);
	else
		add_cpu_owners(s);
	s->cells = XNEW_ARRAY(struct stat_cell,
			      MAX(s->owners.nr * s->opts->events.events.nr, (size_t)1));
	s->previous = XNEW_ARRAY(struct count_value *, MAX(s->opts->events.events.nr, (size_t)1));
}

void stat_cells_reset(struct stat_run *s)
{
	memset(s->cells, 0, sizeof(*s->cells) * s->owners.nr * s->opts->events.events.nr);
}

/* NO_OWNER: counted where no row is. */
static size_t owner_of(const struct stat_run *s, int cpu, size_t task)
{
	switch (s->opts->aggr) {
	case COUNT_GLOBAL:
		return 0;
	case COUNT_THREAD:
		return task < s->owners.nr ? task : NO_OWNER;
	default:
		if (cpu < 0 || (size_t)cpu >= s->nr_cpu_owners || !s->cpu_owners[cpu])
			return NO_OWNER;
		return s->cpu_owners[cpu] - 1;
	}
}

static struct count_value value_of(const struct stat_run *s, const struct counter *c, size_t at,
				   bool delta)
{
	const struct count_value *before = delta ? s->previous[c->event->index] : NULL;
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
static bool holds_everywhere(const struct stat_run *s, const struct counter *c)
{
	return c->event->kind == EVENT_TOOL && s->opts->cpus && s->nr_cpu_owners;
}

static void spread(const struct stat_run *s, const struct counter *c, bool delta, struct sum *sums)
{
	struct count_value v = value_of(s, c, 0, delta);

	for (size_t i = 0; i < s->target.nr_cpus; i++) {
		size_t owner = owner_of(s, (int)s->target.cpus[i], 0);

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
static void sum_up(const struct stat_run *s, const struct counter *c, bool delta, struct sum *sums)
{
	bool total = s->opts->aggr == COUNT_GLOBAL || s->opts->aggr == COUNT_THREAD;

	for (size_t at = 0; at < c->nr_cpus * c->nr_tasks; at++) {
		size_t cpu = at / c->nr_tasks;
		size_t owner = owner_of(s, c->cpus[cpu], at % c->nr_tasks);
		struct count_value v = value_of(s, c, at, delta);
		struct sum *sum = owner == NO_OWNER ? NULL : &sums[owner];

		if (!sum || sum->bad)
			continue;
		sum->nr_cpus += sum->last_cpu != cpu + 1;
		sum->last_cpu = cpu + 1;
		sum->bad = !total && !v.running;
		sum->raw.value += v.value;
		sum->raw.enabled += v.enabled;
		sum->raw.running += v.running;
		sum->scaled += s->opts->scale && v.running
				       ? count_scale(v.value, v.enabled, v.running)
				       : (double)v.value;
	}
	for (size_t i = 0; i < s->owners.nr; i++) {
		struct sum *sum = &sums[i];

		if (sum->bad)
			sum->raw = (struct count_value){ 0 };
		else if (s->opts->aggr == COUNT_GLOBAL && s->opts->scale)
			sum->scaled = count_scale(sum->raw.value, sum->raw.enabled,
						  sum->raw.running);
		/* it may be cold */
		if (c->event->tool == EVENT_TOOL_SENSOR)
			sum->scaled = (double)(s64)sum->raw.value;
	}
}

static bool same_core(const struct stat_run *s, size_t a, size_t b)
{
	return !count_place_compare(&s->owners.v[a].core, &s->owners.v[b].core);
}

static bool shares_core(const struct stat_run *s, size_t owner)
{
	for (size_t i = 0; i < s->owners.nr; i++) {
		if (i != owner && same_core(s, i, owner))
			return true;
	}
	return false;
}

/*
 * The term percore: what the threads of a core counted together, shown once or, with
 * --percore-show-thread, for each of them.
 */
static void sum_up_cores(const struct stat_run *s, struct sum *sums)
{
	struct sum *parts = XNEW_ARRAY(struct sum, MAX(s->owners.nr, (size_t)1));

	memcpy(parts, sums, s->owners.nr * sizeof(*parts));
	for (size_t i = 0; i < s->owners.nr; i++) {
		bool first = true;

		for (size_t k = 0; k < s->owners.nr; k++) {
			if (k == i || !same_core(s, i, k))
				continue;
			first = first && i < k;
			sums[i].scaled += parts[k].scaled;
			sums[i].raw.value += parts[k].raw.value;
			sums[i].raw.enabled += parts[k].raw.enabled;
			sums[i].raw.running += parts[k].raw.running;
		}
		if (!first && !s->opts->percore_show_thread)
			sums[i] = (struct sum){ 0 };
	}
	free(parts);
}

static void remember(struct stat_run *s, const struct counter *c)
{
	size_t n = c->nr_cpus * c->nr_tasks;
	struct count_value **p = &s->previous[c->event->index];

	if (!*p)
		*p = XNEW_ARRAY(struct count_value, MAX(n, (size_t)1));
	if (n)
		memcpy(*p, c->values, n * sizeof(**p));
}

void stat_read(struct stat_run *s)
{
	counting_read(&s->counters);
	VEC_FOR(&s->counters.all, c) {
		if (c->event->kind == EVENT_TOOL)
			c->values[0] = stat_tool_value(s, c->event);
	}
}

void stat_cells_add(struct stat_run *s, bool delta)
{
	size_t nr = s->owners.nr;
	struct sum *sums = XNEW_ARRAY(struct sum, MAX(nr, (size_t)1));

	VEC_FOR(&s->counters.all, c) {
		struct stat_cell *cells = &s->cells[c->event->index * nr];

		if (c->event->left_out)
			continue;
		memset(sums, 0, nr * sizeof(*sums));
		if (holds_everywhere(s, c))
			spread(s, c, delta, sums);
		else if (c->supported)
			sum_up(s, c, delta, sums);
		if (c->event->terms.percore && s->opts->aggr == COUNT_CPU)
			sum_up_cores(s, sums);
		for (size_t i = 0; i < nr; i++) {
			cells[i].nr_cpus = c->supported ? sums[i].nr_cpus : 1;
			moments_add(&cells[i].value, sums[i].scaled);
			moments_add(&cells[i].enabled, (double)sums[i].raw.enabled);
			moments_add(&cells[i].running, (double)sums[i].raw.running);
		}
		if (delta)
			remember(s, c);
	}
	free(sums);
}

static struct stat_cell *cell_of(const struct stat_run *s, size_t event, size_t owner)
{
	return &s->cells[event * s->owners.nr + owner];
}

const struct stat_cell *stat_cell_of_cpu(const struct stat_run *s, size_t event, u32 cpu)
{
	size_t owner = owner_of(s, (int)cpu, 0);

	return owner == NO_OWNER ? NULL : cell_of(s, event, owner);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static enum view_count_state state_of(const struct counter *c, const struct stat_cell *cell)
{
	if (!c->supported)
		return VIEW_NOT_SUPPORTED;
	return cell->running.mean != 0 && cell->enabled.mean != 0 ? VIEW_COUNTED : VIEW_NOT_COUNTED;
}

struct row_list {
	VEC(struct view_count) v;
	struct arena ratios; /* of the rows */
	VEC(const struct counter *) bases; /* counts that others are measured against */
	bool interval; /* of one of -I, the last too, which may be shorter */
};

/* The counts that may be divided by, of one owner and one cgroup. */
static void fill_ratio_set(const struct stat_run *s, const struct row_list *rows, size_t owner,
			   const char *cgroup, struct ratio_set *set)
{
	VEC_FOR(&rows->bases, c) {
		const struct event *ev = (*c)->event;
		const struct stat_cell *cell = cell_of(s, ev->index, owner);

		if (same_text(ev->cgroup, cgroup) && state_of(*c, cell) != VIEW_NOT_SUPPORTED)
			ratio_set_add(set, &ev->attr, ev->name, cell->value.mean);
	}
}

const char *stat_unit_of(const struct event *ev)
{
	if (ratio_is_clock(&ev->attr))
		return "msec";
	if (ev->kind == EVENT_TOOL && ev->tool != EVENT_TOOL_SENSOR)
		return event_tool_is_level(ev->tool) ? "" : "ns";
	return ev->unit ? ev->unit : "";
}

/* Whose metric is computed. */
struct metric_row {
	const struct stat_run *s;
	const char *cgroup;
	size_t owner;
};

static bool metric_value(void *ctx, const char *name, u32 group, double *out)
{
	const struct metric_row *r = ctx;

	VEC_FOR(&r->s->counters.all, c) {
		const struct stat_cell *cell = cell_of(r->s, c->event->index, r->owner);

		if (c->event->metric_group != group || strcasecmp(c->event->name, name) != 0 ||
		    !same_text(c->event->cgroup, r->cgroup) || state_of(c, cell) != VIEW_COUNTED)
			continue;
		*out = cell->value.mean * c->event->scale;
		return true;
	}
	return false;
}

/* Metrics stand behind the first event of their group; returns how many ratios there are now. */
static size_t add_metrics(const struct stat_run *s, const struct event *ev, size_t owner,
			  struct view_ratio *ratios, size_t nr)
{
	struct metric_row r = { s, ev->cgroup, owner };
	size_t used = nr && !ratios[0].known && ev->metric_group ? 0 : nr;
	size_t n;

	VEC_FOR(&s->counters.all, c) {
		if (c->event == ev)
			break;
		if (c->event->metric_group == ev->metric_group &&
		    same_text(c->event->cgroup, ev->cgroup))
			return nr;
	}
	n = stat_metrics_of(s->opts->metric_set, ev->metric_group, metric_value, &r, ratios + used,
			    VIEW_MAX_RATIOS - used);
	for (size_t i = 0; i < n && s->opts->metric_no_threshold; i++) {
		ratios[used + i].threshold = NULL;
		ratios[used + i].alarm = VIEW_ALARM_NONE;
	}
	/* only columns need a place for what is not known */
	for (size_t i = 0; i < n && !s->opts->metric_only;) {
		struct view_ratio *ratio = &ratios[used + i];

		if (ratio->known)
			i++;
		else
			memmove(ratio, ratio + 1, (--n - i) * sizeof(*ratio));
	}
	return n ? used + n : nr;
}

/* --no-merge: which of the units it is. */
static const char *row_name(const struct stat_run *s, const struct event *ev, struct row_list *rows)
{
	const char *terms = strchr(ev->name, '/');
	_cleanup_(mem_freep) char *text = NULL;

	if (!s->opts->no_merge || !terms || !counting_is_uncore(ev))
		return ev->name;
	text = xasprintf("%s%s", ev->pmu_name, terms);
	return arena_dup(&rows->ratios, text, strlen(text) + 1);
}

static void fill_row(const struct stat_run *s, const struct counter *c, size_t owner,
		     const struct ratio_set *set, struct row_list *rows)
{
	const struct event *ev = c->event;
	struct view_count *row = VEC_PUSH(&rows->v);
	struct view_ratio ratios[VIEW_MAX_RATIOS];
	const struct stat_cell *cell = cell_of(s, ev->index, owner);
	const struct stat_owner *o = &s->owners.v[owner];
	double value = cell->value.mean;
	double scale = ratio_is_clock(&ev->attr) ? 1e-6 : ev->scale;
	double seconds = (double)(s->end_ns - s->interval_start_ns) / 1e9;
	struct moments elapsed = { 0 };

	VEC_FOR(&s->seconds, sec)
		moments_add(&elapsed, *sec);
	*row = (struct view_count){
		.owner = o->name,
		.nr_cpus = c->supported ? cell->nr_cpus : 1,
		.group = (u32)owner,
		.name = row_name(s, ev, rows),
		.unit = stat_unit_of(ev),
		/* a column for all as soon as one has a group */
		.cgroup = ev->cgroup || !s->has_cgroups ? ev->cgroup : "",
		.state = state_of(c, cell),
		.value = value * scale,
		.fraction = scale != (double)(s64)scale,
		.running = (u64)cell->running.mean,
		.percent = 100,
		.multiplexed = cell->running.mean != cell->enabled.mean,
		.variance = moments_percent(&cell->value),
	};
	if (ev->terms.percore && s->opts->aggr == COUNT_CPU && !s->opts->percore_show_thread &&
	    shares_core(s, owner)) {
		row->owner = o->core_name;
		row->whole_core = true;
	}
	if (s->opts->aggr == COUNT_THREAD)
		row->owner_id = s->target.tasks.v[o->task];
	if (cell->enabled.mean != 0)
		row->percent = 100 * cell->running.mean / cell->enabled.mean;
	if (!rows->interval)
		seconds = elapsed.mean;
	row->nr_ratios = ratio_compute(set, &ev->attr, ev->name,
				       ratio_is_clock(&ev->attr) ? value : row->value, seconds,
				       ratios);
	if (event_tool_is_level(ev->tool))
		row->nr_ratios = 0; /* a level per second says nothing */
	if (s->opts->metric_set)
		row->nr_ratios = add_metrics(s, ev, owner, ratios, row->nr_ratios);
	row->ratios = arena_dup(&rows->ratios, ratios, row->nr_ratios * sizeof(*ratios));
}

/* Identical events of several PMUs outside the cores (one per memory channel) are shown as one. */
static bool is_merged_into(const struct stat_run *s, size_t event, size_t *first)
{
	const struct event *ev = s->counters.all.v[event].event;
	size_t i = event;

	*first = event;
	if (s->opts->no_merge || ev->kind != EVENT_PMU || !ev->pmu_name || !ev->cpus)
		return false;
	while (i > 0) {
		const struct event *before = s->counters.all.v[i - 1].event;

		if (before->kind != EVENT_PMU || !before->pmu_name || !before->cpus ||
		    strcmp(before->name, ev->name) || !same_text(before->cgroup, ev->cgroup) ||
		    before->pmu_name == ev->pmu_name || !strcmp(before->pmu_name, ev->pmu_name) ||
		    !strncmp(ev->pmu_name, "cpu", 3))
			break;
		*first = --i;
	}
	return *first != event;
}

static void merge_events(struct stat_run *s)
{
	for (size_t i = 0; i < s->counters.all.nr; i++) {
		size_t first;

		if (!is_merged_into(s, i, &first))
			continue;
		for (size_t o = 0; o < s->owners.nr; o++) {
			struct stat_cell *into = cell_of(s, first, o), *from = cell_of(s, i, o);

			into->value.mean += from->value.mean;
			into->enabled.mean += from->enabled.mean;
			into->running.mean += from->running.mean;
			*from = (struct stat_cell){ 0 };
		}
	}
}

static void add_row(struct stat_run *s, size_t event, size_t owner, struct row_list *rows)
{
	const struct counter *c = &s->counters.all.v[event];
	struct ratio_set set = { 0 };
	size_t first;

	if (is_merged_into(s, event, &first))
		return;
	/* a CPU where this event is not counted at all */
	if (s->opts->aggr == COUNT_CPU && c->supported && !cell_of(s, event, owner)->nr_cpus)
		return;
	fill_ratio_set(s, rows, owner, c->event->cgroup, &set);
	fill_row(s, c, owner, &set, rows);
	ratio_set_release(&set);
	if (s->opts->hide_zero && !s->opts->metric_only &&
	    VEC_LAST(&rows->v)->state == VIEW_COUNTED && VEC_LAST(&rows->v)->value == 0)
		rows->v.nr--;
}

static int by_value_falling(const void *a, const void *b)
{
	const struct view_count *x = a, *y = b;
	double vx = x->state == VIEW_COUNTED ? x->value : 0;
	double vy = y->state == VIEW_COUNTED ? y->value : 0;

	if (vx != vy)
		return vx > vy ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

/* With all threads of the machine, those that did nothing are left out. */
static void order_threads(const struct stat_run *s, struct row_list *rows, size_t first)
{
	bool all = !s->opts->pids && !s->opts->tids && !s->replay;
	size_t n = rows->v.nr - first;

	if (n > 1)
		qsort(rows->v.v + first, n, sizeof(*rows->v.v), by_value_falling);
	while (all && rows->v.nr > first &&
	       (VEC_LAST(&rows->v)->state != VIEW_COUNTED || VEC_LAST(&rows->v)->value == 0))
		rows->v.nr--;
}

static void make_rows(struct stat_run *s, struct row_list *rows)
{
	size_t events = s->counters.all.nr;
	bool by_event = (s->opts->aggr == COUNT_CPU || s->opts->aggr == COUNT_THREAD) &&
			!s->opts->metric_only;

	VEC_FOR(&s->counters.all, c)
		if (ratio_is_base(&c->event->attr, c->event->name))
			*VEC_PUSH(&rows->bases) = c;
	if (s->opts->ports) {
		VEC_GROW(&rows->v, stat_iostat_nr(s->opts));
		rows->v.nr = stat_iostat_nr(s->opts);
		stat_iostat_rows(s, &rows->ratios, rows->v.v);
		return;
	}
	if (!by_event) {
		for (size_t o = 0; o < s->owners.nr; o++) {
			for (size_t i = 0; i < events; i++)
				add_row(s, i, o, rows);
		}
		return;
	}
	for (size_t i = 0; i < events; i++) {
		size_t first = rows->v.nr;

		for (size_t o = 0; o < s->owners.nr; o++)
			add_row(s, i, o, rows);
		if (s->opts->aggr == COUNT_THREAD)
			order_threads(s, rows, first);
	}
}

static void make_title(const struct stat_run *s, struct strbuf *out)
{
	const struct stat_opts *o = s->opts;

	if (s->replay) {
		strbuf_addch(out, '\'');
		strbuf_add_escaped(out, s->replay->title);
		strbuf_addch(out, '\'');
		return;
	}
	if (o->pids || o->tids) {
		strbuf_addf(out, "%s id '", o->pids ? "process" : "thread");
		strbuf_add_escaped(out, o->pids ? o->pids : o->tids);
		strbuf_addch(out, '\'');
		return;
	}
	strbuf_addch(out, '\'');
	if (s->target.cpu_wide || o->per_thread || !o->command) {
		if (o->cpus && !o->system_wide)
			strbuf_addf(out, "CPU(s) %s", o->cpus);
		else
			strbuf_adds(out, "system wide");
	} else {
		for (size_t i = 0; o->command[i]; i++) {
			strbuf_adds(out, i ? " " : "");
			strbuf_add_escaped(out, o->command[i]);
		}
	}
	strbuf_addch(out, '\'');
}

static const enum view_owner view_owners[] = {
	[COUNT_GLOBAL] = VIEW_OWNER_ALL,    [COUNT_CPU] = VIEW_OWNER_CPU,
	[COUNT_SOCKET] = VIEW_OWNER_SOCKET, [COUNT_DIE] = VIEW_OWNER_DIE,
	[COUNT_CORE] = VIEW_OWNER_CORE,     [COUNT_NODE] = VIEW_OWNER_NODE,
	[COUNT_THREAD] = VIEW_OWNER_THREAD, [COUNT_CLUSTER] = VIEW_OWNER_CLUSTER,
	[COUNT_CACHE] = VIEW_OWNER_CACHE,
};

static void fill_view(const struct stat_run *s, struct view_counters *v, bool interval)
{
	const struct stat_opts *o = s->opts;
	struct moments elapsed = { 0 };

	VEC_FOR(&s->seconds, sec)
		moments_add(&elapsed, *sec);
	v->owner = o->ports ? VIEW_OWNER_PORT : view_owners[o->aggr];
	v->unit_width = MIN_UNIT_WIDTH;
	for (size_t i = 0; i < v->nr_rows; i++)
		v->unit_width = MAX(v->unit_width, (u32)strlen(v->rows[i].unit));
	/* intervals are not averaged, but separated values have the column */
	v->runs = interval ? (u32)MAX(o->repeat, 1) : (u32)MAX(elapsed.n, (u64)1);
	v->has_interval = interval;
	v->interval_ns = s->end_ns - s->start_ns;
	v->interval_number = s->intervals;
	v->clear_screen = o->interval_clear;
	v->is_summary = !interval && (o->interval_ms || o->summary);
	v->ratios_only = o->metric_only;
	v->no_rows = o->null_run;
	v->seconds = elapsed.mean;
	v->seconds_deviation = moments_deviation(&elapsed);
	/* of a command with ports, too, though these are the machine's */
	v->has_usage = (s->target.workload ||
			(o->ports && o->command && !o->system_wide && !o->cpus)) &&
		       v->runs == 1;
	v->user_seconds = s->user_seconds;
	v->system_seconds = s->system_seconds;
	v->each_run = o->table && v->runs > 1 ? s->seconds.v : NULL;
}

/* The separator of the user's locale only says whether there is to be one: a '.' in its place could
 * not be told from a decimal point. */
static const char *thousands(const struct stat_opts *o)
{
	if (!o->big_num || !setlocale(LC_NUMERIC, ""))
		return "";

	bool wanted = localeconv()->thousands_sep[0] != '\0';

	setlocale(LC_NUMERIC, "C");
	return wanted ? "," : "";
}

/* Of standard error nobody could be told. */
static void write_out(struct stat_run *s, const struct strbuf *out)
{
	const struct stat_opts *o = s->opts;

	if (!rw_write_full(o->out_fd, out->buf, out->len) || s->output_lost ||
	    o->out_fd == STDERR_FILENO)
		return;
	fprintf(stderr, "error: cannot write the counts to '%s': %s\n",
		o->output ? o->output : "the descriptor of --log-fd", strerror(errno));
	s->output_lost = true;
}

void stat_show(struct stat_run *s, bool interval)
{
	const struct stat_opts *o = s->opts;
	const struct counters_ops *ops = o->json        ? &counters_json_ops
					 : o->separator ? &counters_csv_ops
							: &counters_text_ops;
	struct counters_style style = {
		.separator = o->separator,
		.thousands = thousands(o),
		.no_summary_column = o->no_csv_summary,
		.coloured = colour_terminal(o->out_fd),
	};
	struct strbuf title = STRBUF_INIT, out = STRBUF_INIT;
	struct row_list rows = { .interval = interval };
	struct view_counters v = { 0 };

	if (o->quiet)
		return;
	merge_events(s);
	make_rows(s, &rows);
	make_title(s, &title);
	v.rows = rows.v.v;
	v.nr_rows = rows.v.nr;
	v.title = title.buf;
	fill_view(s, &v, interval);
	ops->print(&v, &style, &out);
	write_out(s, &out);
	strbuf_release(&out);
	strbuf_release(&title);
	vec_free(&rows.v);
	vec_free(&rows.bases);
	arena_release(&rows.ratios);
}

void stat_run_release(struct stat_run *s)
{
	for (size_t i = 0; s->previous && i < s->counters.all.nr; i++)
		free(s->previous[i]);
	free(s->previous);
	free(s->cells);
	vec_free(&s->owners);
	vec_free(&s->seconds);
	counting_release(&s->counters);
	counting_release(&s->last_counters);
	capture_target_release(&s->target);
	sys_topology_release(&s->topology);
	sys_caches_release(&s->caches);
	free(s->cpu_owners);
	event_plan_release(&s->plan);
	free(s->unsupported);
}

/* Single values as they were read, sums scaled. */
static void show_value(const struct stat_run *s, const char *name, int cpu,
		       const struct count_value *v)
{
	bool scale = s->opts->scale && cpu < -1;
	u64 value = scale ? (u64)count_scale(v->value, v->enabled, v->running) : v->value;

	fprintf(stderr, "%s: ", name);
	if (cpu >= -1)
		fprintf(stderr, "%d: ", cpu);
	fprintf(stderr, "%llu %llu %llu\n", (unsigned long long)value,
		(unsigned long long)v->enabled, (unsigned long long)v->running);
}

/* Each value, CPU after CPU as they were opened. */
static void show_each(const struct stat_run *s)
{
	size_t most = 0;

	VEC_FOR(&s->counters.all, c)
		most = MAX(most, c->nr_cpus * c->nr_tasks);
	for (size_t i = 0; i < most; i++) {
		VEC_FOR(&s->counters.all, c) {
			if (c->supported && i < c->nr_cpus * c->nr_tasks)
				show_value(s, c->event->name, c->cpus[i / c->nr_tasks],
					   &c->values[i]);
		}
	}
}

/* -v: the sums with their times; -vv: each value. */
void stat_show_verbose(struct stat_run *s)
{
	enum { NO_CPU = -2 };

	if (s->opts->verbose > 1)
		show_each(s);
	VEC_FOR(&s->counters.all, c) {
		struct count_value sum = { 0 };

		if (!c->supported) {
			fprintf(stderr, "failed to read counter %s\n", c->event->name);
			continue;
		}
		for (size_t i = 0; i < c->nr_cpus * c->nr_tasks; i++) {
			sum.value += c->values[i].value;
			sum.enabled += c->values[i].enabled;
			sum.running += c->values[i].running;
		}
		if (s->opts->aggr == COUNT_GLOBAL)
			show_value(s, c->event->name, NO_CPU, &sum);
	}
}
