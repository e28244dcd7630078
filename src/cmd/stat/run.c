/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of perf stat: opening the counters, and what is told on the way.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "bpf/shared_counts.h"
#include "cli/print_err.h"
#include "cmd/stat/stat.h"
#include "count/cells.h"
#include "count/measure.h"
#include "event/pmu.h"
#include "selection/open_note.h"

static void on_open_note(void *ctx, enum capture_open_note kind, const struct event *ev,
			 const char *text)
{
	const struct stat_opts *o = ctx;

	open_note_tell(o->verbose, true, kind, ev, text);
}

/* There is something to count, or nothing was asked for. */
static bool counts_anything(const struct stat_run *s)
{
	VEC_FOR(&s->m.counters.all, c) {
		if (c->supported)
			return true;
	}
	return !s->m.counters.all.nr;
}

/* The rows only say that they are not supported. */
void stat_hint_no_pmu(const struct stat_run *s)
{
	struct pmu_catalog catalog;
	bool missing = false, core = false;

	VEC_FOR(&s->m.counters.all, c)
		missing = missing || (!c->supported && (c->event->kind == EVENT_HARDWARE ||
							c->event->kind == EVENT_CACHE));
	if (!missing || s->opts->quiet || s->opts->separator || s->opts->json ||
	    !isatty(STDERR_FILENO))
		return;
	if (!access("/sys/bus/event_source/devices/cpu", F_OK))
		return;
	pmu_catalog_init(&catalog, s->opts->count.env.sysfs);
	pmu_catalog_scan(&catalog);
	VEC_FOR(&catalog.pmus, pmu)
		core = core || (*pmu)->core;
	pmu_catalog_release(&catalog);
	if (!core)
		fprintf(stderr, "hint: this machine offers no hardware counters (a virtual machine "
				"without a PMU?); software events still count\n");
}

/* As newer perfs; a table of rows without values says nothing. */
static int tell_nothing_counts(const struct stat_run *s)
{
	const struct stat_opts *o = s->opts;
	const struct event *first = s->m.counters.all.v[0].event;

	if (o->count.topdown)
		fprintf(stderr,
			"Error:\nTopdown needs hardware counters: none of its events is supported.\n");
	else
		fprintf(stderr, "Error:\nNo supported events found.\n");
	fprintf(stderr, "The %s event is not supported.\n", first->name);
	stat_hint_no_pmu(s);
	return o->count.topdown ? STAT_EXIT_NO_TOPDOWN : STAT_EXIT_NOTHING;
}

static int open_counters(struct stat_run *s)
{
	struct stat_opts *o = s->opts;
	struct capture_open_log log = { .note = on_open_note, .ctx = o };
	struct strbuf why = STRBUF_INIT;
	struct err e = ERR_INIT;
	int r;

	counting_configure(&o->count.events, &o->count.counting, &s->m.target);
	r = counting_open(&s->m.counters, &o->count.events, &o->count.counting, &s->m.target,
			  o->verbose ? &log : NULL, &why, &e);
	if (!r)
		r = counting_share(&s->m.counters, o->count.attr_map, &o->count.counting, &e);
	counting_release(&s->m.last_counters);
	if (s->m.counters.told.len && !o->quiet)
		fputs(s->m.counters.told.buf, stderr);
	if (r && why.len)
		fprintf(stderr, "Error:\n%s", why.buf);
	else if (r)
		err_print(&e);
	strbuf_release(&why);
	if (r)
		return STAT_EXIT_FAILED;
	if (counting_set_filters(&s->m.counters, &e) < 0) {
		fprintf(stderr, "%s\n", e.text); /* perf's own sentence */
		if (e.hint[0])
			log_hint("%s", e.hint);
		return STAT_EXIT_FAILED;
	}
	if (counting_set_programs(&s->m.counters, &e) < 0 ||
	    (o->programs.nr &&
	     counting_in_programs(&s->m.counters, o->programs.v, o->programs.nr, &e) < 0)) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	return stat_passes(s) == 1 && !counts_anything(s) ? tell_nothing_counts(s) : 0;
}

static int fork_workload(struct stat_run *s)
{
	struct stat_opts *o = s->opts;
	struct err e = ERR_INIT;

	s->m.workload = (struct workload){ 0 };
	if (!o->count.command)
		return 0;
	bool to_pipe = o->recording && !strcmp(o->recorded.path, "-");

	if (workload_fork(&s->m.workload, o->count.command, to_pipe, &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	if (o->count.pids || o->count.tids || s->m.target.cpu_wide || o->count.per_thread)
		return 0;
	s->m.target.workload = true;
	s->m.target.tasks.nr = 0;
	*VEC_PUSH(&s->m.target.tasks) = s->m.workload.pid;
	return 0;
}

/* ---- what a run tells while it goes on ---- */

static void take_values(void *ctx, bool final)
{
	struct stat_run *s = ctx;
	struct err e = ERR_INIT;

	if (s->recorder && !s->failed && count_recorder_round(s->recorder, &s->m, final, &e)) {
		err_print(&e);
		s->failed = STAT_EXIT_FAILED;
	}
	if (!final && s->opts->verbose)
		stat_show_verbose(s);
}

static void show_interval(void *ctx)
{
	stat_show(ctx, true);
}

static void tell_enabled(void *ctx UNUSED)
{
	fprintf(stderr, "Events enabled\n");
}

static void tell_lost_cpus(void *ctx UNUSED, const char *cpus)
{
	fprintf(stderr,
		"warning: CPU %s went offline: nothing of it is counted from then on, not even "
		"when it is back\n",
		cpus);
}

static int get_control_fd(void *ctx)
{
	const struct stat_run *s = ctx;

	return control_fd(&s->control);
}

static bool handle_control(void *ctx)
{
	return stat_control_handle(ctx);
}

static int measure(struct stat_run *s)
{
	const struct measure_ops ops = { .values = take_values,
					 .interval = show_interval,
					 .enabled = tell_enabled,
					 .lost_cpus = tell_lost_cpus,
					 .control_fd = get_control_fd,
					 .control = handle_control,
					 .ctx = s };
	struct err e = ERR_INIT;

	if (s->opts->count.delay_ms)
		fprintf(stderr, "Events disabled\n");
	if (!measure_run(&s->m, &ops, &e)) {
		if (s->m.counters.shared && shared_counts_lost(s->m.counters.shared))
			log_warn("%llu threads are not counted: there was no room for them",
				 (unsigned long long)shared_counts_lost(s->m.counters.shared));
		return s->failed;
	}
	fprintf(stderr, "Workload failed: %s\n", strerror(e.code));
	return STAT_EXIT_FAILED;
}

static int begin_recording(struct stat_run *s)
{
	struct err e = ERR_INIT;

	s->recorder = count_recorder_begin(&s->m, &s->opts->recorded, &e);
	if (s->recorder)
		return 0;
	err_print(&e);
	return STAT_EXIT_FAILED;
}

int stat_run_once(struct stat_run *s, u32 run)
{
	struct stat_opts *o = s->opts;
	int ret;

	if (o->verbose && o->repeat > 1)
		fprintf(stderr, "[ perf stat: executing run #%u ... ]\n", run + 1);
	ret = fork_workload(s);
	measure_hold_signals(true);
	if (!ret)
		ret = open_counters(s);
	if (!ret) {
		cells_init(&s->m);
		ret = o->recording ? begin_recording(s) : 0;
	}
	if (!ret)
		ret = measure(s);
	if (!ret && o->verbose && (!o->count.interval_ms || o->summary))
		stat_show_verbose(s);
	workload_stop(&s->m.workload);
	measure_hold_signals(false);
	return ret;
}
