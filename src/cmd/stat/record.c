/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat record: the counts go into a perf.data file as well, value by value, so that perf stat
 * report can sum them up in any way later. Format: doc/format/perf.data.md.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agg/ratios.h"
#include "capture/features.h"
#include "capture/records.h"
#include "cli/print_err.h"
#include "cmd/build_options.h"
#include "cmd/stat/stat.h"
#include "perfdata/writer.h"
#include "sys/proc.h"

enum {
	MAX_TASKS = 2700, /* entries of a THREAD_MAP record of at most 64 KiB */
	FLUSH_BYTES = 1 << 20,
	COMM_SIZE = 16,
};

struct stat_recorder {
	struct perfdata_writer *w;
	struct records r;
	u64 **ids; /* per event: as many as it has values */
	size_t nr_events;
	bool stopped; /* it cannot be written any more, which is told */
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
static u32 stat_aggr_to_file(enum count_aggr aggr)
{
	for (size_t i = 0; i < ARRAY_SIZE(aggr_numbers); i++) {
		if (aggr_numbers[i].aggr == aggr)
			return aggr_numbers[i].number;
	}
	return 1;
}

bool stat_aggr_from_file(u64 number, enum count_aggr *aggr)
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

static void find_ids(struct stat_recorder *rec, const struct stat_run *s)
{
	rec->nr_events = s->counters.all.nr;
	rec->ids = XNEW_ARRAY(u64 *, MAX(rec->nr_events, (size_t)1));
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct counter *c = &s->counters.all.v[i];
		size_t n = nr_values(c);

		rec->ids[i] = XNEW_ARRAY(u64, MAX(n, (size_t)1));
		for (size_t at = 0; at < n; at++)
			rec->ids[i][at] = c->event->kind == EVENT_TOOL ? STAT_TOOL_ID_BASE + i
								       : counting_id(c, at);
	}
}

static void add_events(struct stat_recorder *rec, const struct stat_run *s)
{
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct counter *c = &s->counters.all.v[i];
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

static u64 first_id(const struct stat_recorder *rec, const struct stat_run *s, size_t event)
{
	const struct counter *c = &s->counters.all.v[event];

	for (size_t at = 0; at < nr_values(c); at++) {
		if (rec->ids[event][at])
			return rec->ids[event][at];
	}
	return 0;
}

/* What attributes and names do not tell: units, scales, CPUs of counters outside the cores. */
static void add_updates(struct stat_recorder *rec, const struct stat_run *s)
{
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct event *ev = s->counters.all.v[i].event;
		const char *unit = stat_unit_of(ev);
		double scale = ratio_is_clock(&ev->attr) ? 1e-6 : ev->scale;
		u64 id = first_id(rec, s, i);

		if (!id)
			continue;
		if (unit[0])
			records_event_update_text(&rec->r, UPDATE_UNIT, id, unit);
		if (scale != 1.0)
			records_event_update_scale(&rec->r, id, scale);
		if (writer_is_pipe(rec->w))
			records_event_update_text(&rec->r, UPDATE_NAME, id, ev->name);
		if (ev->kind == EVENT_TOOL && s->target.cpu_wide)
			records_event_update_cpus(&rec->r, id, s->target.cpus, 1);
		else if (ev->cpus)
			records_event_update_cpus(&rec->r, id, ev->cpus, ev->nr_cpus);
	}
}

static void add_tasks(struct stat_recorder *rec, const struct stat_run *s)
{
	const struct capture_target *t = &s->target;
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

static int write_out(struct stat_recorder *rec, struct err *e)
{
	int r = writer_append(rec->w, rec->r.out.buf, rec->r.out.len, e);

	strbuf_reset(&rec->r.out);
	return r;
}

static int write_features(struct stat_recorder *rec, struct stat_run *s, struct err *e)
{
	_cleanup_(bpf_programs_release) struct bpf_programs bpf = { 0 };
	const struct capture_config cfg = { 0 };
	struct feature_ctx ctx = {
		.bpf = &bpf,
		.cfg = &cfg,
		.events = &s->opts->events,
		.writer = rec->w,
		.version = perf_version,
		.argv = s->opts->line,
	};
	int r;

	bpf_programs_keep_loaded(&bpf);
	sys_topology_read(&ctx.topology, NULL);
	r = features_write(&ctx, rec->w, true, e);
	sys_topology_release(&ctx.topology);
	return r ? r : writer_feature(rec->w, FEAT_STAT, "", 0, e);
}

/* Nothing has been recorded. */
static int failed(struct stat_run *s, const struct err *e)
{
	err_print(e);
	if (s->recorder)
		writer_discard(s->recorder->w);
	if (s->recorder)
		s->recorder->w = NULL;
	return STAT_EXIT_FAILED;
}

static void tell_stop(const struct stat_run *s, const struct err *e)
{
	err_print(e);
	if (strcmp(s->opts->data_path, "-") != 0)
		fprintf(stderr, "hint: '%s' keeps what was counted until then\n",
			s->opts->data_path);
}

/* What the file has so far is kept: stat_recorder_end() completes it. */
static int stop_recording(struct stat_run *s, const struct err *e)
{
	tell_stop(s, e);
	s->recorder->stopped = true;
	strbuf_reset(&s->recorder->r.out);
	return STAT_EXIT_FAILED;
}

int stat_recorder_prepare(struct stat_opts *o)
{
	struct stat st;

	if (o->repeat_given && o->repeat != 1) {
		fprintf(stderr, "Cannot use -r option with perf stat record.\n");
		return STAT_EXIT_FAILED;
	}
	if (!o->data_path && !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode)) {
		o->data_path = "-";
		if (!o->quiet)
			fprintf(stderr, "perf stat record: standard output is a pipe: the data is "
					"written to it (-o FILE for a file)\n");
	}
	if (!o->data_path)
		o->data_path = "perf.data";
	if (strcmp(o->data_path, "-") || !isatty(STDOUT_FILENO))
		return 0;
	fprintf(stderr, "error: refusing to write binary data to a terminal\n"
			"hint: name a file with -o, or pipe the output into another perf\n");
	return STAT_EXIT_FAILED;
}

int stat_recorder_begin(struct stat_run *s)
{
	static const u32 any_cpu = (u32)-1;
	struct perfdata_writer_opts wopts = { .path = s->opts->data_path,
					      .fd = -1,
					      .keep_old = true };
	const struct capture_target *t = &s->target;
	struct stat_recorder *rec;
	struct err e = ERR_INIT;

	if (!t->cpu_wide && t->tasks.nr > MAX_TASKS && s->opts->aggr == COUNT_THREAD) {
		err_set(&e, 0, "cannot record each of %zu threads (at most %d)", t->tasks.nr,
			MAX_TASKS);
		return failed(s, &e);
	}
	rec = s->recorder = XNEW(struct stat_recorder);
	*rec = (struct stat_recorder){ .r = { .out = STRBUF_INIT } };
	rec->summed = !t->cpu_wide && t->tasks.nr > MAX_TASKS;
	if (perfdata_writer_open(&rec->w, &wopts, &e) < 0)
		return failed(s, &e);
	find_ids(rec, s);
	add_events(rec, s);
	if (writer_begin(rec->w, &e) < 0)
		return failed(s, &e);
	if (writer_is_pipe(rec->w) && write_features(rec, s, &e) < 0)
		return failed(s, &e);
	add_updates(rec, s);
	add_tasks(rec, s);
	records_cpu_map(&rec->r, t->cpu_wide ? t->cpus : &any_cpu, t->cpu_wide ? t->nr_cpus : 1);
	records_stat_config(&rec->r, stat_aggr_to_file(s->opts->aggr), s->opts->scale,
			    (u64)s->opts->interval_ms);
	return write_out(rec, &e) < 0 ? failed(s, &e) : 0;
}

static void add_value(struct stat_recorder *rec, u64 id, u32 cpu, u32 thread,
		      const struct count_value *v)
{
	records_stat(&rec->r,
		     &(struct records_stat){ id, cpu, thread, v->value, v->enabled, v->running });
}

static int add_counter(struct stat_recorder *rec, const struct counter *c, const u64 *ids,
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

int stat_recorder_round(struct stat_run *s, bool final)
{
	struct stat_recorder *rec = s->recorder;
	u64 elapsed = s->end_ns - s->start_ns;
	struct err e = ERR_INIT;

	if (!rec || !rec->w || rec->stopped)
		return 0;
	for (size_t i = 0; i < rec->nr_events; i++) {
		const struct counter *c = &s->counters.all.v[i];

		if (c->supported && add_counter(rec, c, rec->ids[i], &e) < 0)
			return stop_recording(s, &e);
	}
	records_stat_round(&rec->r, final, elapsed);
	return write_out(rec, &e) < 0 ? stop_recording(s, &e) : 0;
}

int stat_recorder_end(struct stat_run *s)
{
	struct stat_recorder *rec = s->recorder;
	struct err e = ERR_INIT;
	int ret = 0;

	if (!rec)
		return 0;
	if (rec->w && !writer_is_pipe(rec->w) && write_features(rec, s, &e) < 0)
		ret = failed(s, &e);
	if (rec->w && writer_finish(rec->w, &e) < 0) {
		if (!rec->stopped)
			tell_stop(s, &e);
		ret = STAT_EXIT_FAILED;
	}
	for (size_t i = 0; rec->ids && i < rec->nr_events; i++)
		free(rec->ids[i]);
	free(rec->ids);
	strbuf_release(&rec->r.out);
	free(rec);
	s->recorder = NULL;
	return ret;
}
