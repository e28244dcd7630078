/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat report: the counts of a file of perf stat record, summed up anew. The file's events,
 * tasks and CPUs become a measurement (struct stat_run) whose values are read from records instead
 * of counters.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/limits.h"
#include "base/mem.h"
#include "cli/print_err.h"
#include "cmd/stat/stat.h"
#include "event/names.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"
#include "perfdata/tool_records.h"
#include "sys/cpu_id.h"

enum {
	READ_SIZE = 1 << 18,
	COMM_SIZE = 16,
	MAX_VALUES = 1 << 21, /* of all events, CPUs and tasks */
};

struct stat_report_opts {
	const char *input, *separator;
	bool no_aggr, per_socket, per_die, per_core, per_node, json, force;
};

#define S struct stat_report_opts
static const struct opt report_table[] = {
	OPT_STR('i', "input", S, input, "file", "input file name"),
	OPT_BOOL(0, "per-socket", S, per_socket, "aggregate counts per processor socket"),
	OPT_BOOL(0, "per-die", S, per_die, "aggregate counts per processor die"),
	OPT_BOOL(0, "per-core", S, per_core, "aggregate counts per physical processor core"),
	OPT_BOOL(0, "per-node", S, per_node, "aggregate counts per numa node"),
	OPT_BOOL('A', "no-aggr", S, no_aggr, "disable CPU count aggregation"),
	OPT_STR('x', "field-separator", S, separator, "separator",
		"print counts with custom separator"),
	OPT_BOOL('j', "json-output", S, json, "print counts in JSON format"),
	OPT_BOOL('f', "force", S, force, "read the file whoever owns it"),
	OPT_END
};

static const struct {
	enum count_aggr aggr;
	size_t offset;
} aggr_options[] = {
	{ COUNT_CPU, offsetof(S, no_aggr) },   { COUNT_CORE, offsetof(S, per_core) },
	{ COUNT_DIE, offsetof(S, per_die) },   { COUNT_SOCKET, offsetof(S, per_socket) },
	{ COUNT_NODE, offsetof(S, per_node) },
};
#undef S

static const char *const report_usage[] = { "perf stat report [<options>]", NULL };

struct replay {
	struct perfdata *f;
	struct stat_opts opts;
	struct stat_run run;
	struct stat_replay shown;
	struct strbuf title;
	enum count_aggr recorded_aggr;
	bool aggr_given, prepared, has_tasks, has_cpus, any;
	u64 last_time, skipped;
	size_t nr_extra; /* maps of tasks and CPUs behind the first */
	struct stat_recorded_metrics metrics;
	char cpuid[128];
};

/* The aggregation that was asked for; false: none. */
static bool wanted_aggr(const struct stat_report_opts *o, enum count_aggr *aggr)
{
	for (size_t i = 0; i < ARRAY_SIZE(aggr_options); i++) {
		if (!*(const bool *)((const char *)o + aggr_options[i].offset))
			continue;
		*aggr = aggr_options[i].aggr;
		return true;
	}
	return false;
}

static void apply_config(struct replay *r, const struct record_stat_config *c)
{
	enum { TAG_AGGREGATION, TAG_INTERVAL, TAG_SCALE };

	for (u64 i = 0; i < c->nr_there; i++) {
		u64 tag = c->v[i].tag, value = c->v[i].value;

		if (tag == TAG_AGGREGATION)
			stat_aggr_from_file(value, &r->recorded_aggr);
		else if (tag == TAG_INTERVAL)
			r->opts.interval_ms = (int)MIN(value, (u64)INT_MAX);
		else if (tag == TAG_SCALE)
			r->opts.scale = value != 0;
	}
}

static void apply_tasks(struct replay *r, const struct record_thread_map *map)
{
	struct capture_target *t = &r->run.target;

	r->shown.comms = xcalloc((size_t)map->nr_there + 1, COMM_SIZE);
	for (u64 i = 0; i < map->nr_there; i++) {
		*VEC_PUSH(&t->tasks) = (s32)map->v[i].tid;
		memcpy(r->shown.comms[i], map->v[i].comm, COMM_SIZE - 1);
	}
	r->has_tasks = true;
}

static void apply_cpus(struct replay *r, const struct record_bytes *map)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct capture_target *t = &r->run.target;

	r->has_cpus = true;
	if (record_cpu_map_text(&text, map->at, map->len) && text.buf[0] != '-')
		t->cpu_wide = fmt_parse_cpu_list(text.buf, &t->cpus, &t->nr_cpus) && t->nr_cpus;
}

static void read_topology(struct replay *r)
{
	const struct perfdata_info *info = perfdata_info(r->f);
	struct sys_topology *t = &r->run.topology;
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
	struct event *ev = event_list_add(&r->opts.events, from->name, from->attr.type,
					  from->attr.config);
	const struct event_list *l = &r->opts.events;

	ev->attr = from->attr;
	ev->unit = from->unit ? xstrdup(from->unit) : NULL;
	ev->scale = from->scale;
	ev->tool = event_tool_find(from->name, strlen(from->name));
	/* what else needs no counter */
	if (!ev->tool && from->nr_ids && from->ids[0] >= STAT_TOOL_ID_BASE)
		ev->tool = EVENT_TOOL_SENSOR;
	ev->snapshot = event_tool_is_level(ev->tool);
	ev->leader = from->leader < l->events.nr ? l->events.v[from->leader] : ev;
	if (from->cpus && from->cpus[0] != '-')
		fmt_parse_cpu_list(from->cpus, &ev->cpus, &ev->nr_cpus);
	return ev;
}

static void add_counter(struct replay *r, struct event *ev, bool supported)
{
	const struct capture_target *t = &r->run.target;
	struct counter *c = VEC_PUSH(&r->run.counters.all);
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
	const struct capture_target *t = &r->run.target;
	size_t per_event = t->cpu_wide ? t->nr_cpus : MAX(t->tasks.nr, (size_t)1);

	for (size_t i = 0; i < nr; i++) {
		const struct event *ev = add_event(r, perfdata_event(r->f, i));

		values += MAX(per_event, ev->nr_cpus);
		if (values > MAX_VALUES)
			return err_set(e, 0, "'%s' claims more than %d values of its %zu events",
				       perfdata_path(r->f), MAX_VALUES, nr);
	}
	for (size_t i = 0; i < nr; i++)
		add_counter(r, r->opts.events.events.v[i], perfdata_event(r->f, i)->nr_ids > 0);
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
	if (!r->run.topology.cpus.nr)
		return false;
	n = count_cores(&r->run.topology);
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

static int add_metrics(struct replay *r)
{
	const struct perfdata_info *info = perfdata_info(r->f);

	if (getenv("PERF_CPUID") ? !sys_cpu_id(r->cpuid, sizeof(r->cpuid))
				 : !info->cpuid || !sys_cpu_id_of_header(info->cpuid, r->cpuid,
									 sizeof(r->cpuid)))
		r->cpuid[0] = '\0';
	r->metrics = (struct stat_recorded_metrics){ r->cpuid, recorded_level, r };
	stat_options_recorded(&r->opts, info->cmdline.v, info->cmdline.nr);
	return stat_metrics_restore(&r->opts, &r->metrics);
}

/* The first value: everything that describes the measurement has been seen. */
static int prepare(struct replay *r, struct err *e)
{
	struct capture_target *t = &r->run.target;

	r->prepared = true;
	if (!r->has_tasks) {
		*VEC_PUSH(&t->tasks) = -1;
		r->shown.comms = xcalloc(1, COMM_SIZE);
	}
	if (r->aggr_given && !t->cpu_wide)
		fprintf(stderr, "warning: processing task data, aggregation mode not set\n");
	if (!r->aggr_given || !t->cpu_wide)
		r->opts.aggr = r->recorded_aggr;
	if (t->cpu_wide ? r->opts.aggr == COUNT_THREAD : r->opts.aggr != COUNT_THREAD)
		r->opts.aggr = COUNT_GLOBAL;
	read_topology(r);
	if (add_counters(r, e) < 0)
		return -1;
	if (add_metrics(r))
		return err_set(e, 0, "the metrics of '%s' cannot be computed", perfdata_path(r->f));
	stat_owners_init(&r->run);
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
	struct counter *c = ev && ev->index < r->run.counters.all.nr
				    ? &r->run.counters.all.v[ev->index]
				    : NULL;
	size_t cpu;

	if (!c || stat->thread >= c->nr_tasks || !find_cpu(c, (int)stat->cpu, &cpu)) {
		r->skipped++;
		return;
	}
	c->values[cpu * c->nr_tasks + stat->thread] =
		(struct count_value){ stat->value, stat->enabled, stat->running };
}

static void apply_round(struct replay *r, const struct record_stat_round *round)
{
	bool final = round->type == STAT_ROUND_FINAL;
	struct stat_run *s = &r->run;

	s->end_ns = round->time;
	s->interval_start_ns = final ? 0 : r->last_time;
	r->last_time = s->end_ns;
	s->seconds.nr = 0;
	if (final)
		*VEC_PUSH(&s->seconds) = (double)s->end_ns / 1e9;
	stat_cells_reset(s);
	stat_cells_add(s, !final);
	stat_show(s, !final);
	s->intervals += !final;
	r->any = true;
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
			r->nr_extra++;
		else
			apply_tasks(r, &v.thread_map);
		return 0;
	case PERF_RECORD_CPU_MAP:
		if (r->has_cpus || r->prepared)
			r->nr_extra++;
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

static void make_title(struct replay *r)
{
	const struct perfdata_info *info = perfdata_info(r->f);

	if (perfdata_is_pipe(r->f)) {
		strbuf_adds(&r->title, "pipe");
	} else {
		for (u32 i = 0; i < info->cmdline.nr; i++)
			strbuf_addf(&r->title, "%s%s", i ? " " : "", info->cmdline.v[i]);
	}
	r->shown.title = r->title.buf;
}

static int replay(struct replay *r, const char *input)
{
	const struct perfdata_damage *damage = perfdata_damage(r->f);
	struct err e = ERR_INIT;

	make_title(r);
	r->run.opts = &r->opts;
	r->run.replay = &r->shown;
	if (read_all(r, &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	if (damage->first[0])
		fprintf(stderr, "warning: %s\n", damage->first);
	if (r->skipped)
		fprintf(stderr,
			"warning: %llu values belong to no event, CPU or task of the file\n",
			(unsigned long long)r->skipped);
	if (r->nr_extra)
		fprintf(stderr,
			"warning: %zu maps of CPUs and tasks behind the first were ignored\n",
			r->nr_extra);
	if (r->any)
		return 0;
	fprintf(stderr, "error: '%s' holds no counts\nhint: 'perf stat record' writes such files\n",
		input);
	return STAT_EXIT_FAILED;
}

int stat_report(int argc, const char **argv)
{
	struct stat_report_opts o = { 0 };
	struct replay r = {
		.opts = { .scale = true, .repeat = 1, .out_fd = STDERR_FILENO, .big_num = true },
		.title = STRBUF_INIT,
	};
	struct err e = ERR_INIT;
	int ret;

	argc = opts_parse(report_table, &o, argc, argv, report_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (o.separator && o.json)
		return opts_usage_error(report_table, report_usage, "x",
					"-x and -j options cannot be used together\n\n");
	r.opts.separator = o.separator && !strcmp(o.separator, "\\t") ? "\t" : o.separator;
	r.opts.json = o.json;
	r.opts.aggr = COUNT_GLOBAL;
	r.aggr_given = wanted_aggr(&o, &r.opts.aggr);
	if (perfdata_open(&r.f,
			  &(struct perfdata_opts){
				  .path = o.input, .force = o.force, .no_events_ok = true },
			  &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	event_list_init(&r.opts.events);
	ret = replay(&r, perfdata_path(r.f));
	stat_run_release(&r.run);
	stat_metrics_free(r.opts.metric_set);
	event_list_release(&r.opts.events);
	perfdata_close(r.f);
	free(r.shown.comms);
	strbuf_release(&r.title);
	return ret;
}
