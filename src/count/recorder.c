/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capture/features.h"
#include "capture/records.h"
#include "count/ratios.h"
#include "count/rows.h"
#include "perfdata/writer.h"
#include "sys/proc.h"

enum {
	MAX_TASKS = 2700, /* entries of a THREAD_MAP record of at most 64 KiB */
	FLUSH_BYTES = 1 << 20,
	COMM_SIZE = 16,
};

struct count_recorder {
	const struct count_recorder_opts *o;
	struct perfdata_writer *w;
	struct records r;
	u64 **ids; /* per event: as many as it has values */
	size_t nr_events;
	bool stopped; /* it cannot be written any more */
	bool summed; /* too many tasks to keep them apart */
};

static const struct {
	enum count_aggr aggr;
	u32 number;
} aggr_numbers[] = {
	{ COUNT_CPU, 0 },  { COUNT_GLOBAL, 1 }, { COUNT_SOCKET, 2 }, { COUNT_DIE, 3 },
	{ COUNT_CORE, 4 }, { COUNT_THREAD, 5 }, { COUNT_NODE, 7 },
};

/* Numbers of aggregations in the file. */
static u32 aggr_to_file(enum count_aggr aggr)
{
	for (size_t i = 0; i < ARRAY_SIZE(aggr_numbers); i++) {
		if (aggr_numbers[i].aggr == aggr)
			return aggr_numbers[i].number;
	}
	return 1;
}

bool count_aggr_from_file(u64 number, enum count_aggr *aggr)
{
	for (size_t i = 0; i < ARRAY_SIZE(aggr_numbers); i++) {
		if (aggr_numbers[i].number != number)
			continue;
		*aggr = aggr_numbers[i].aggr;
		return true;
	}
	return false;
}

static size_t nr_values(const struct counter *c)
{
	return c->nr_cpus * c->nr_tasks;
}

static void find_ids(struct count_recorder *rec, const struct measurement *m)
{
	rec->nr_events = m->counters.all.nr;
	rec->ids = XNEW_ARRAY(u64 *, MAX(rec->nr_events, (size_t)1));
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct counter *c = &m->counters.all.v[i];
		size_t n = nr_values(c);

		rec->ids[i] = XNEW_ARRAY(u64, MAX(n, (size_t)1));
		for (size_t at = 0; at < n; at++)
			rec->ids[i][at] = c->event->kind == EVENT_TOOL ? COUNT_TOOL_ID_BASE + i
								       : counting_id(c, at);
	}
}

static void add_events(struct count_recorder *rec, const struct measurement *m)
{
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct counter *c = &m->counters.all.v[i];
		size_t n = nr_values(c), nr_ids = 0;
		u64 *ids = XNEW_ARRAY(u64, MAX(n, (size_t)1));

		for (size_t at = 0; at < n && c->supported; at++) {
			if (rec->ids[i][at])
				ids[nr_ids++] = rec->ids[i][at];
		}
		writer_add_event(rec->w, &c->event->attr, c->event->name, ids, nr_ids);
		free(ids);
	}
}

static u64 first_id(const struct count_recorder *rec, const struct measurement *m, size_t event)
{
	const struct counter *c = &m->counters.all.v[event];

	for (size_t at = 0; at < nr_values(c); at++) {
		if (rec->ids[event][at])
			return rec->ids[event][at];
	}
	return 0;
}

/* What attributes and names do not tell: units, scales, CPUs of counters outside the cores. */
static void add_updates(struct count_recorder *rec, const struct measurement *m)
{
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct event *ev = m->counters.all.v[i].event;
		const char *unit = count_unit_of(ev);
		double scale = ratio_is_clock(&ev->attr) ? 1e-6 : ev->scale;
		u64 id = first_id(rec, m, i);

		if (!id)
			continue;
		if (unit[0])
			records_event_update_text(&rec->r, UPDATE_UNIT, id, unit);
		if (scale != 1.0)
			records_event_update_scale(&rec->r, id, scale);
		if (writer_is_pipe(rec->w))
			records_event_update_text(&rec->r, UPDATE_NAME, id, ev->name);
		if (ev->kind == EVENT_TOOL && m->target.cpu_wide)
			records_event_update_cpus(&rec->r, id, m->target.cpus, 1);
		else if (ev->cpus)
			records_event_update_cpus(&rec->r, id, ev->cpus, ev->nr_cpus);
	}
}

static void add_tasks(struct count_recorder *rec, const struct measurement *m)
{
	const struct capture_target *t = &m->target;
	size_t nr = t->cpu_wide || rec->summed ? 1 : t->tasks.nr;
	s32 *tids = XNEW_ARRAY(s32, MAX(nr, (size_t)1));
	char(*comms)[COMM_SIZE] = xcalloc(MAX(nr, (size_t)1), sizeof(*comms));
	struct sys_proc proc;
	bool known = !t->workload && sys_proc_init(&proc, NULL);

	tids[0] = -1;
	for (size_t i = 0; !t->cpu_wide && i < nr; i++) {
		tids[i] = t->tasks.v[i];
		if (known)
			sys_proc_comm(&proc, tids[i], comms[i], sizeof(comms[i]));
	}
	if (known)
		sys_proc_release(&proc);
	records_thread_map(&rec->r, tids, (const char(*)[COMM_SIZE])comms, nr);
	free(tids);
	free(comms);
}

static int write_out(struct count_recorder *rec, struct err *e)
{
	int r = writer_append(rec->w, rec->r.out.buf, rec->r.out.len, e);

	strbuf_reset(&rec->r.out);
	return r;
}

static int write_features(struct count_recorder *rec, struct measurement *m, struct err *e)
{
	_cleanup_(bpf_programs_release) struct bpf_programs bpf = { 0 };
	const struct capture_config cfg = { 0 };
	struct feature_ctx ctx = {
		.bpf = &bpf,
		.cfg = &cfg,
		.events = &m->o->events,
		.writer = rec->w,
		.version = rec->o->version,
		.argv = rec->o->line,
	};
	int r;

	bpf_programs_keep_loaded(&bpf);
	sys_topology_read(&ctx.topology, NULL);
	r = features_write(&ctx, rec->w, true, e);
	sys_topology_release(&ctx.topology);
	return r ? r : writer_feature(rec->w, FEAT_STAT, "", 0, e);
}

static int begin(struct count_recorder *rec, struct measurement *m, struct err *e)
{
	static const u32 any_cpu = (u32)-1;
	struct perfdata_writer_opts wopts = { .path = rec->o->path, .fd = -1, .keep_old = true };
	const struct capture_target *t = &m->target;

	if (perfdata_writer_open(&rec->w, &wopts, e) < 0)
		return -1;
	find_ids(rec, m);
	add_events(rec, m);
	if (writer_begin(rec->w, e) < 0)
		return -1;
	if (writer_is_pipe(rec->w) && write_features(rec, m, e) < 0)
		return -1;
	add_updates(rec, m);
	add_tasks(rec, m);
	records_cpu_map(&rec->r, t->cpu_wide ? t->cpus : &any_cpu, t->cpu_wide ? t->nr_cpus : 1);
	records_stat_config(&rec->r, aggr_to_file(m->o->aggr), m->o->scale, (u64)m->o->interval_ms);
	return write_out(rec, e);
}

static void recorder_free(struct count_recorder *rec)
{
	for (size_t i = 0; rec->ids && i < rec->nr_events; i++)
		free(rec->ids[i]);
	free(rec->ids);
	strbuf_release(&rec->r.out);
	free(rec);
}

struct count_recorder *count_recorder_begin(struct measurement *m,
					    const struct count_recorder_opts *o, struct err *e)
{
	const struct capture_target *t = &m->target;
	bool summed = !t->cpu_wide && t->tasks.nr > MAX_TASKS;
	struct count_recorder *rec;

	if (summed && m->o->aggr == COUNT_THREAD) {
		err_set(e, 0, "cannot record each of %zu threads (at most %d)", t->tasks.nr,
			MAX_TASKS);
		return NULL;
	}
	rec = XNEW(struct count_recorder);
	*rec = (struct count_recorder){ .o = o, .r = { .out = STRBUF_INIT }, .summed = summed };
	if (!begin(rec, m, e))
		return rec;
	if (rec->w)
		writer_discard(rec->w);
	recorder_free(rec);
	return NULL;
}

static void add_value(struct count_recorder *rec, u64 id, u32 cpu, u32 thread,
		      const struct count_value *v)
{
	records_stat(&rec->r,
		     &(struct records_stat){ id, cpu, thread, v->value, v->enabled, v->running });
}

static int add_counter(struct count_recorder *rec, const struct counter *c, const u64 *ids,
		       struct err *e)
{
	for (size_t cpu = 0; cpu < c->nr_cpus; cpu++) {
		struct count_value sum = { 0 };
		u64 first = 0;

		for (size_t task = 0; task < c->nr_tasks; task++) {
			size_t at = cpu * c->nr_tasks + task;
			const struct count_value *v = &c->values[at];

			if (!ids[at])
				continue;
			first = first ? first : ids[at];
			sum.value += v->value;
			sum.enabled += v->enabled;
			sum.running += v->running;
			if (!rec->summed)
				add_value(rec, ids[at], (u32)c->cpus[cpu], (u32)task, v);
		}
		if (rec->summed && first)
			add_value(rec, first, (u32)c->cpus[cpu], 0, &sum);
		if (rec->r.out.len > FLUSH_BYTES && write_out(rec, e) < 0)
			return -1;
	}
	return 0;
}

/* Before an end that was not asked for. */
static void hint_kept(const struct count_recorder *rec, struct err *e)
{
	if (strcmp(rec->o->path, "-") != 0)
		err_hint(e, "'%s' keeps what was counted until then", rec->o->path);
}

int count_recorder_round(struct count_recorder *rec, struct measurement *m, bool final,
			 struct err *e)
{
	int r = 0;

	if (rec->stopped)
		return 0;
	for (size_t i = 0; i < rec->nr_events && !r; i++) {
		const struct counter *c = &m->counters.all.v[i];

		r = c->supported ? add_counter(rec, c, rec->ids[i], e) : 0;
	}
	if (!r) {
		records_stat_round(&rec->r, final, m->end_ns - m->start_ns);
		r = write_out(rec, e);
	}
	if (!r)
		return 0;
	hint_kept(rec, e);
	rec->stopped = true;
	strbuf_reset(&rec->r.out);
	return -1;
}

int count_recorder_end(struct count_recorder *rec, struct measurement *m, struct err *e)
{
	int ret = 0;

	if (!writer_is_pipe(rec->w) && write_features(rec, m, e) < 0) {
		writer_discard(rec->w);
		ret = -1;
	} else if (writer_finish(rec->w, e) < 0) {
		ret = rec->stopped ? 1 : -1;
		hint_kept(rec, e);
	}
	recorder_free(rec);
	return ret;
}
