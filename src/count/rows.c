/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "count/cells.h"
#include "count/metrics.h"
#include "count/ports.h"
#include "count/ratios.h"
#include "event/names.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static enum view_count_state state_of(const struct counter *c, const struct count_cell *cell)
{
	if (!c->supported)
		return VIEW_NOT_SUPPORTED;
	return cell->running.mean != 0 && cell->enabled.mean != 0 ? VIEW_COUNTED : VIEW_NOT_COUNTED;
}

/* The counts that may be divided by, of one owner and one cgroup. */
static void fill_ratio_set(const struct measurement *m, const struct count_rows *rows, size_t owner,
			   const char *cgroup, struct ratio_set *set)
{
	VEC_FOR(&rows->bases, c) {
		const struct event *ev = (*c)->event;
		const struct count_cell *cell = cells_get(m, ev->index, owner);

		if (same_text(ev->cgroup, cgroup) && state_of(*c, cell) != VIEW_NOT_SUPPORTED)
			ratio_set_add(set, &ev->attr, ev->name, cell->value.mean);
	}
}

const char *count_unit_of(const struct event *ev)
{
	if (ratio_is_clock(&ev->attr))
		return "msec";
	if (ev->kind == EVENT_TOOL && ev->tool != EVENT_TOOL_SENSOR)
		return event_tool_is_level(ev->tool) ? "" : "ns";
	return ev->unit ? ev->unit : "";
}

/* Whose metric is computed. */
struct metric_row {
	const struct measurement *m;
	const char *cgroup;
	size_t owner;
};

static bool metric_value(void *ctx, const char *name, u32 group, double *out)
{
	const struct metric_row *r = ctx;

	VEC_FOR(&r->m->counters.all, c) {
		const struct count_cell *cell = cells_get(r->m, c->event->index, r->owner);

		if (c->event->metric_group != group || strcasecmp(c->event->name, name) != 0 ||
		    !same_text(c->event->cgroup, r->cgroup) || state_of(c, cell) != VIEW_COUNTED)
			continue;
		*out = cell->value.mean * c->event->scale;
		return true;
	}
	return false;
}

/* Metrics stand behind the first event of their group; returns how many ratios there are now. */
static size_t add_metrics(const struct measurement *m, const struct event *ev, size_t owner,
			  struct view_ratio *ratios, size_t nr)
{
	struct metric_row r = { m, ev->cgroup, owner };
	size_t used = nr && !ratios[0].known && ev->metric_group ? 0 : nr;
	size_t n;

	VEC_FOR(&m->counters.all, c) {
		if (c->event == ev)
			break;
		if (c->event->metric_group == ev->metric_group &&
		    same_text(c->event->cgroup, ev->cgroup))
			return nr;
	}
	n = count_metrics_of(m->o->metric_set, ev->metric_group, metric_value, &r, ratios + used,
			     VIEW_MAX_RATIOS - used);
	for (size_t i = 0; i < n && m->o->metric_no_threshold; i++) {
		ratios[used + i].threshold = NULL;
		ratios[used + i].alarm = VIEW_ALARM_NONE;
	}
	/* only columns need a place for what is not known */
	for (size_t i = 0; i < n && !m->o->metric_only;) {
		struct view_ratio *ratio = &ratios[used + i];

		if (ratio->known)
			i++;
		else
			memmove(ratio, ratio + 1, (--n - i) * sizeof(*ratio));
	}
	return n ? used + n : nr;
}

/* --no-merge: which of the units it is. */
static const char *row_name(const struct measurement *m, const struct event *ev,
			    struct count_rows *rows)
{
	const char *terms = strchr(ev->name, '/');
	_cleanup_(mem_freep) char *text = NULL;

	if (!m->o->no_merge || !terms || !counting_is_uncore(ev))
		return ev->name;
	text = xasprintf("%s%s", ev->pmu_name, terms);
	return arena_dup(&rows->ratios, text, strlen(text) + 1);
}

static void fill_row(const struct measurement *m, const struct counter *c, size_t owner,
		     const struct ratio_set *set, struct count_rows *rows)
{
	const struct event *ev = c->event;
	struct view_count *row = VEC_PUSH(&rows->v);
	struct view_ratio ratios[VIEW_MAX_RATIOS];
	const struct count_cell *cell = cells_get(m, ev->index, owner);
	const struct count_owner *o = &m->owners.v[owner];
	double value = cell->value.mean;
	double scale = ratio_is_clock(&ev->attr) ? 1e-6 : ev->scale;
	double seconds = (double)(m->end_ns - m->interval_start_ns) / 1e9;
	struct moments elapsed = { 0 };

	VEC_FOR(&m->seconds, sec)
		moments_add(&elapsed, *sec);
	*row = (struct view_count){
		.owner = o->name,
		.nr_cpus = c->supported ? cell->nr_cpus : 1,
		.group = (u32)owner,
		.name = row_name(m, ev, rows),
		.unit = count_unit_of(ev),
		/* a column for all as soon as one has a group */
		.cgroup = ev->cgroup || !m->has_cgroups ? ev->cgroup : "",
		.state = state_of(c, cell),
		.value = value * scale,
		.fraction = scale != (double)(s64)scale,
		.running = (u64)cell->running.mean,
		.percent = 100,
		.multiplexed = cell->running.mean != cell->enabled.mean,
		.variance = moments_percent(&cell->value),
	};
	if (ev->terms.percore && m->o->aggr == COUNT_CPU && !m->o->percore_show_thread &&
	    cells_share_core(m, owner)) {
		row->owner = o->core_name;
		row->whole_core = true;
	}
	if (m->o->aggr == COUNT_THREAD)
		row->owner_id = m->target.tasks.v[o->task];
	if (cell->enabled.mean != 0)
		row->percent = 100 * cell->running.mean / cell->enabled.mean;
	if (!rows->interval)
		seconds = elapsed.mean;
	row->nr_ratios = ratio_compute(set, &ev->attr, ev->name,
				       ratio_is_clock(&ev->attr) ? value : row->value, seconds,
				       ratios);
	if (event_tool_is_level(ev->tool))
		row->nr_ratios = 0; /* a level per second says nothing */
	if (m->o->metric_set)
		row->nr_ratios = add_metrics(m, ev, owner, ratios, row->nr_ratios);
	row->ratios = arena_dup(&rows->ratios, ratios, row->nr_ratios * sizeof(*ratios));
}

/* Identical events of several PMUs outside the cores (one per memory channel) are shown as one. */
static bool is_merged_into(const struct measurement *m, size_t event, size_t *first)
{
	const struct event *ev = m->counters.all.v[event].event;
	size_t i = event;

	*first = event;
	if (m->o->no_merge || ev->kind != EVENT_PMU || !ev->pmu_name || !ev->cpus)
		return false;
	while (i > 0) {
		const struct event *before = m->counters.all.v[i - 1].event;

		if (before->kind != EVENT_PMU || !before->pmu_name || !before->cpus ||
		    strcmp(before->name, ev->name) || !same_text(before->cgroup, ev->cgroup) ||
		    before->pmu_name == ev->pmu_name || !strcmp(before->pmu_name, ev->pmu_name) ||
		    !strncmp(ev->pmu_name, "cpu", 3))
			break;
		*first = --i;
	}
	return *first != event;
}

static void merge_events(struct measurement *m)
{
	for (size_t i = 0; i < m->counters.all.nr; i++) {
		size_t first;

		if (!is_merged_into(m, i, &first))
			continue;
		for (size_t o = 0; o < m->owners.nr; o++) {
			struct count_cell *into = cells_get(m, first, o),
					  *from = cells_get(m, i, o);

			into->value.mean += from->value.mean;
			into->enabled.mean += from->enabled.mean;
			into->running.mean += from->running.mean;
			*from = (struct count_cell){ 0 };
		}
	}
}

static void add_row(struct measurement *m, size_t event, size_t owner, struct count_rows *rows)
{
	const struct counter *c = &m->counters.all.v[event];
	struct ratio_set set = { 0 };
	size_t first;

	if (is_merged_into(m, event, &first))
		return;
	/* a CPU where this event is not counted at all */
	if (m->o->aggr == COUNT_CPU && c->supported && !cells_get(m, event, owner)->nr_cpus)
		return;
	fill_ratio_set(m, rows, owner, c->event->cgroup, &set);
	fill_row(m, c, owner, &set, rows);
	ratio_set_release(&set);
	if (m->o->hide_zero && !m->o->metric_only && VEC_LAST(&rows->v)->state == VIEW_COUNTED &&
	    VEC_LAST(&rows->v)->value == 0)
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
static void order_threads(const struct measurement *m, struct count_rows *rows, size_t first)
{
	bool all = !m->o->pids && !m->o->tids && !m->comms;
	size_t n = rows->v.nr - first;

	if (n > 1)
		qsort(rows->v.v + first, n, sizeof(*rows->v.v), by_value_falling);
	while (all && rows->v.nr > first &&
	       (VEC_LAST(&rows->v)->state != VIEW_COUNTED || VEC_LAST(&rows->v)->value == 0))
		rows->v.nr--;
}

void count_rows_make(struct measurement *m, bool interval, struct count_rows *rows)
{
	size_t events = m->counters.all.nr;
	bool by_event = (m->o->aggr == COUNT_CPU || m->o->aggr == COUNT_THREAD) &&
			!m->o->metric_only;

	rows->interval = interval;
	merge_events(m);
	VEC_FOR(&m->counters.all, c)
		if (ratio_is_base(&c->event->attr, c->event->name))
			*VEC_PUSH(&rows->bases) = c;
	if (m->o->ports) {
		VEC_GROW(&rows->v, count_ports_nr(m->o->ports));
		rows->v.nr = count_ports_nr(m->o->ports);
		count_ports_rows(m, &rows->ratios, rows->v.v);
		return;
	}
	if (!by_event) {
		for (size_t o = 0; o < m->owners.nr; o++) {
			for (size_t i = 0; i < events; i++)
				add_row(m, i, o, rows);
		}
		return;
	}
	for (size_t i = 0; i < events; i++) {
		size_t first = rows->v.nr;

		for (size_t o = 0; o < m->owners.nr; o++)
			add_row(m, i, o, rows);
		if (m->o->aggr == COUNT_THREAD)
			order_threads(m, rows, first);
	}
}

void count_rows_release(struct count_rows *rows)
{
	vec_free(&rows->v);
	vec_free(&rows->bases);
	arena_release(&rows->ratios);
}
