/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/replay.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/limits.h"
#include "base/mem.h"
#include "count/cells.h"
#include "count/metrics.h"
#include "count/recorder.h"
#include "event/names.h"
#include "perfdata/info.h"
#include "perfdata/tool_records.h"
#include "sys/cpu_id.h"

enum {
	READ_SIZE = 1 << 18,
	COMM_SIZE = 16,
	MAX_VALUES = 1 << 21, /* of all events, CPUs and tasks */
};

struct replay {
	struct perfdata *f;
	struct measurement *m;
	const struct replay_ops *ops;
	struct replayed *out;
	enum count_aggr recorded_aggr;
	bool aggr_given, prepared, has_tasks, has_cpus;
	u64 last_time;
	struct recorded_machine machine;
	char cpuid[128];
};

static void apply_config(struct replay *r, const struct record_stat_config *c)
{
	enum { TAG_AGGREGATION, TAG_INTERVAL, TAG_SCALE };

	for (u64 i = 0; i < c->nr_there; i++) {
		u64 tag = c->v[i].tag, value = c->v[i].value;

		if (tag == TAG_AGGREGATION)
			count_aggr_from_file(value, &r->recorded_aggr);
		else if (tag == TAG_INTERVAL)
			r->m->o->interval_ms = (int)MIN(value, (u64)INT_MAX);
		else if (tag == TAG_SCALE)
			r->m->o->scale = value != 0;
	}
}

static void apply_tasks(struct replay *r, const struct record_thread_map *map)
{
	struct capture_target *t = &r->m->target;

	r->m->comms = xcalloc((size_t)map->nr_there + 1, COMM_SIZE);
	for (u64 i = 0; i < map->nr_there; i++) {
		*VEC_PUSH(&t->tasks) = (s32)map->v[i].tid;
		memcpy(r->m->comms[i], map->v[i].comm, COMM_SIZE - 1);
	}
	r->has_tasks = true;
}

static void apply_cpus(struct replay *r, const struct record_bytes *map)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct capture_target *t = &r->m->target;

	r->has_cpus = true;
	if (record_cpu_map_text(&text, map->at, map->len) && text.buf[0] != '-')
		t->cpu_wide = fmt_parse_cpu_list(text.buf, &t->cpus, &t->nr_cpus) && t->nr_cpus;
}

static void read_topology(struct replay *r)
{
	const struct perfdata_info *info = perfdata_info(r->f);
	struct sys_topology *t = &r->m->topology;
	size_t in_nodes = 0; /* a CPU belongs to one node: nobody has more */

	for (u32 i = 0; info->cpus && i < info->cpus_avail; i++)
		*VEC_PUSH(&t->cpus) = (struct sys_cpu){
			.cpu = i,
			.online = true,
			.core = (s32)info->cpus[i].core,
			.cluster = -1,
			.die = info->has_die ? (s32)info->cpus[i].die : -1,
			.socket = (s32)info->cpus[i].socket,
			.node = -1,
		};
	for (u32 i = 0; i < info->nr_numa && in_nodes < LIMIT_CPUS; i++) {
		_cleanup_(mem_freep) u32 *list = NULL;
		size_t nr = 0;

		if (!fmt_parse_cpu_list(info->numa[i].cpus, &list, &nr))
			continue;
		in_nodes += nr;
		for (size_t k = 0; k < nr; k++)
			if (list[k] < t->cpus.nr)
				t->cpus.v[list[k]].node = (s32)info->numa[i].node;
	}
}

static struct event *add_event(struct replay *r, const struct perfdata_event *from)
{
	struct event *ev = event_list_add(&r->m->o->events, from->name, from->attr.type,
					  from->attr.config);
	const struct event_list *l = &r->m->o->events;

	ev->attr = from->attr;
	ev->unit = from->unit ? xstrdup(from->unit) : NULL;
	ev->scale = from->scale;
	ev->tool = event_tool_find(from->name, strlen(from->name));
	/* what else needs no counter */
	if (!ev->tool && from->nr_ids && from->ids[0] >= COUNT_TOOL_ID_BASE)
		ev->tool = EVENT_TOOL_SENSOR;
	ev->snapshot = event_tool_is_level(ev->tool);
	ev->leader = from->leader < l->events.nr ? l->events.v[from->leader] : ev;
	if (from->cpus && from->cpus[0] != '-')
		fmt_parse_cpu_list(from->cpus, &ev->cpus, &ev->nr_cpus);
	return ev;
}

static void add_counter(struct replay *r, struct event *ev, bool supported)
{
	const struct capture_target *t = &r->m->target;
	struct counter *c = VEC_PUSH(&r->m->counters.all);
	bool own = t->cpu_wide && ev->nr_cpus;
	size_t n;

	*c = (struct counter){ .event = ev, .supported = supported, .opened = supported };
	c->nr_cpus = own ? ev->nr_cpus : t->cpu_wide ? t->nr_cpus : 1;
	c->nr_tasks = t->cpu_wide ? 1 : MAX(t->tasks.nr, (size_t)1);
	n = MAX(c->nr_cpus * c->nr_tasks, (size_t)1);
	c->cpus = XNEW_ARRAY(int, MAX(c->nr_cpus, (size_t)1));
	c->fds = XNEW_ARRAY(int, n);
	c->values = XNEW_ARRAY(struct count_value, n);
	for (size_t i = 0; i < c->nr_cpus; i++)
		c->cpus[i] = own ? (int)ev->cpus[i] : t->cpu_wide ? (int)t->cpus[i] : -1;
	for (size_t i = 0; i < n; i++)
		c->fds[i] = -1;
}

/* Room for all values; -1: nobody counts that much. */
static int add_counters(struct replay *r, struct err *e)
{
	size_t nr = perfdata_nr_events(r->f), values = 0;
	const struct capture_target *t = &r->m->target;
	size_t per_event = t->cpu_wide ? t->nr_cpus : MAX(t->tasks.nr, (size_t)1);

	for (size_t i = 0; i < nr; i++) {
		const struct event *ev = add_event(r, perfdata_event(r->f, i));

		values += MAX(per_event, ev->nr_cpus);
		if (values > MAX_VALUES)
			return err_set(e, 0, "'%s' claims more than %d values of its %zu events",
				       perfdata_path(r->f), MAX_VALUES, nr);
	}
	for (size_t i = 0; i < nr; i++)
		add_counter(r, r->m->o->events.events.v[i], perfdata_event(r->f, i)->nr_ids > 0);
	return 0;
}

static int compare_cores(const void *a, const void *b)
{
	const struct sys_cpu *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->die != y->die)
		return x->die < y->die ? -1 : 1;
	return (x->core > y->core) - (x->core < y->core);
}

struct cpu_numbers {
	size_t packages, dies, cores;
};

static struct cpu_numbers count_cores(const struct sys_topology *t)
{
	struct sys_cpu *cpus = XNEW_ARRAY(struct sys_cpu, MAX(t->cpus.nr, (size_t)1));
	struct cpu_numbers n = { 0 };

	for (size_t i = 0; i < t->cpus.nr; i++)
		cpus[i] = t->cpus.v[i];
	qsort(cpus, t->cpus.nr, sizeof(*cpus), compare_cores);
	for (size_t i = 0; i < t->cpus.nr; i++) {
		bool package = !i || cpus[i].socket != cpus[i - 1].socket;
		bool die = package || cpus[i].die != cpus[i - 1].die;

		n.packages += package;
		n.dies += die;
		n.cores += die || cpus[i].core != cpus[i - 1].core;
	}
	free(cpus);
	return n;
}

/* What formulas ask about the machine, as far as the file says it. */
static bool recorded_level(void *ctx, u32 tool, double *out)
{
	const struct replay *r = ctx;
	const struct perfdata_info *info = perfdata_info(r->f);
	struct cpu_numbers n;

	if (tool == EVENT_TOOL_NUM_CPUS || tool == EVENT_TOOL_NUM_CPUS_ONLINE) {
		*out = tool == EVENT_TOOL_NUM_CPUS ? info->cpus_avail : info->cpus_online;
		return info->cpus_online > 0;
	}
	if (!r->m->topology.cpus.nr)
		return false;
	n = count_cores(&r->m->topology);
	switch (tool) {
	case EVENT_TOOL_NUM_CORES:
		*out = (double)n.cores;
		return true;
	case EVENT_TOOL_NUM_DIES:
		*out = (double)n.dies;
		return true;
	case EVENT_TOOL_NUM_PACKAGES:
		*out = (double)n.packages;
		return true;
	case EVENT_TOOL_SMT_ON:
		*out = n.cores < info->cpus_online;
		return true;
	default:
		return false;
	}
}

static int add_metrics(struct replay *r, struct err *e)
{
	const struct perfdata_info *info = perfdata_info(r->f);
	_cleanup_(strbuf_releasep) struct strbuf told = STRBUF_INIT;
	enum metrics_result result;

	if (getenv("PERF_CPUID") ? !sys_cpu_id(r->cpuid, sizeof(r->cpuid))
				 : !info->cpuid || !sys_cpu_id_of_header(info->cpuid, r->cpuid,
									 sizeof(r->cpuid)))
		r->cpuid[0] = '\0';
	r->machine = (struct recorded_machine){ r->cpuid, recorded_level, r };
	r->ops->options(r->ops->ctx, info->cmdline.v, info->cmdline.nr);
	result = count_metrics_restore(r->m->o, &r->machine, &told, e);
	if (told.len)
		r->ops->tell(r->ops->ctx, told.buf);
	if (result != METRICS_OK)
		err_set(e, 0, "the metrics of '%s' cannot be computed", perfdata_path(r->f));
	return result != METRICS_OK ? -1 : 0;
}

/* The first value: everything that describes the measurement has been seen. */
static int prepare(struct replay *r, struct err *e)
{
	struct capture_target *t = &r->m->target;

	r->prepared = true;
	if (!r->has_tasks) {
		*VEC_PUSH(&t->tasks) = -1;
		r->m->comms = xcalloc(1, COMM_SIZE);
	}
	if (r->aggr_given && !t->cpu_wide)
		r->ops->tell(r->ops->ctx,
			     "warning: processing task data, aggregation mode not set\n");
	if (!r->aggr_given || !t->cpu_wide)
		r->m->o->aggr = r->recorded_aggr;
	if (t->cpu_wide ? r->m->o->aggr == COUNT_THREAD : r->m->o->aggr != COUNT_THREAD)
		r->m->o->aggr = COUNT_GLOBAL;
	read_topology(r);
	if (add_counters(r, e) < 0 || add_metrics(r, e) < 0)
		return -1;
	cells_init(r->m);
	return 0;
}

/* CPUs are in order; a negative one is alone and stands for all. */
static bool find_cpu(const struct counter *c, int cpu, size_t *index)
{
	size_t lo = 0;

	for (size_t hi = c->nr_cpus; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->cpus[mid] < cpu && c->cpus[mid] >= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*index = lo;
	return lo < c->nr_cpus && (c->cpus[lo] == cpu || c->cpus[lo] < 0);
}

/* NULL: it is not whole. */
static void apply_value(struct replay *r, const struct record_stat *stat)
{
	const struct perfdata_event *ev = stat ? perfdata_event_by_id(r->f, stat->id) : NULL;
	struct counter *c = ev && ev->index < r->m->counters.all.nr
				    ? &r->m->counters.all.v[ev->index]
				    : NULL;
	size_t cpu;

	if (!c || stat->thread >= c->nr_tasks || !find_cpu(c, (int)stat->cpu, &cpu)) {
		r->out->skipped++;
		return;
	}
	c->values[cpu * c->nr_tasks + stat->thread] =
		(struct count_value){ stat->value, stat->enabled, stat->running };
}

static void apply_round(struct replay *r, const struct record_stat_round *round)
{
	bool final = round->type == STAT_ROUND_FINAL;
	struct measurement *m = r->m;

	m->end_ns = round->time;
	m->interval_start_ns = final ? 0 : r->last_time;
	r->last_time = m->end_ns;
	m->seconds.nr = 0;
	if (final)
		*VEC_PUSH(&m->seconds) = (double)m->end_ns / 1e9;
	cells_reset(m);
	cells_add(m, !final);
	r->ops->round(r->ops->ctx, final);
	m->intervals += !final;
	r->out->any = true;
}

static int apply(struct replay *r, const struct perf_event_header *h, struct err *e)
{
	union record_view v;
	bool whole = record_view(h, 0, &v);

	switch (h->type) {
	case PERF_RECORD_STAT_CONFIG:
		apply_config(r, &v.stat_config);
		return 0;
	case PERF_RECORD_THREAD_MAP:
		if (r->has_tasks || r->prepared)
			r->out->nr_extra++;
		else
			apply_tasks(r, &v.thread_map);
		return 0;
	case PERF_RECORD_CPU_MAP:
		if (r->has_cpus || r->prepared)
			r->out->nr_extra++;
		else
			apply_cpus(r, &v.bytes);
		return 0;
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
		if (!r->prepared && prepare(r, e) < 0)
			return -1;
		if (h->type == PERF_RECORD_STAT)
			apply_value(r, whole ? &v.stat : NULL);
		else if (whole)
			apply_round(r, &v.stat_round);
		return 0;
	default:
		return 0;
	}
}

static int read_all(struct replay *r, struct err *e)
{
	_cleanup_(mem_freep) u8 *buf = aligned_alloc(64, READ_SIZE);
	struct perfdata_chunk c;
	int ret;

	if (!buf)
		return err_set(e, ENOMEM, "out of memory");
	while ((ret = perfdata_read(r->f, buf, READ_SIZE, &c, e)) > 0) {
		for (size_t off = 0; off < c.len;) {
			const struct perf_event_header *h = (const void *)(buf + off);

			if (apply(r, h, e) < 0)
				return -1;
			off += h->size;
		}
	}
	return ret;
}

int count_replay(struct perfdata *f, struct measurement *m, bool aggr_given,
		 const struct replay_ops *ops, struct replayed *out, struct err *e)
{
	struct replay r = { .f = f, .m = m, .ops = ops, .out = out, .aggr_given = aggr_given };

	return read_all(&r, e);
}
