/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internals synthesize, kallsyms-parse, evlist-open-close, pmu-scan: what this program itself does
 * when it starts: describing tasks that run already, reading the kernel's symbols, opening events,
 * reading the descriptions of the PMUs.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/par.h"
#include "capture/open.h"
#include "capture/synth.h"
#include "cli/print_err.h"
#include "cmd/bench/measure.h"
#include "selection/event_args.h"
#include "dso/symbols/kallsyms.h"
#include "event/pmu.h"
#include "sys/cpu.h"
#include "sys/perf_open.h"

enum { MAX_EVENTS = 100000, MAX_SYNTH_THREADS = 256 };

static double usecs(u64 ns)
{
	return (double)ns / 1000;
}

/* ---- synthesize ---- */

struct synth_opts {
	u64 single_rounds, multi_rounds, min_threads, max_threads;
	bool single, multi;
};

static const struct synth_opts synth_defaults = { .single_rounds = 10000,
						  .multi_rounds = 100,
						  .min_threads = 1 };

static const struct opt synth_table[] = {
	OPT_U64('i', "single-iterations", struct synth_opts, single_rounds, "n",
		"Number of iterations used to compute single-threaded average"),
	OPT_U64('I', "multi-iterations", struct synth_opts, multi_rounds, "n",
		"Number of iterations used to compute multi-threaded average"),
	OPT_U64('m', "min-threads", struct synth_opts, min_threads, "n",
		"Minimum number of threads in multithreaded bench"),
	OPT_U64('M', "max-threads", struct synth_opts, max_threads, "n",
		"Maximum number of threads in multithreaded bench"),
	OPT_BOOL('s', "st", struct synth_opts, single, "Run single threaded benchmark"),
	OPT_BOOL('t', "mt", struct synth_opts, multi, "Run multi-threaded benchmark"),
	OPT_END
};

static const char *const synth_usage[] = { "perf bench internals synthesize <options>", NULL };

static const struct capture_config synth_config = { .synth = CAPTURE_SYNTH_TASK |
							     CAPTURE_SYNTH_MMAP };

static int count_records(void *ctx, const void *data, size_t len, struct err *e UNUSED)
{
	u64 *nr = ctx;
	const struct perf_event_header *h;

	for (size_t at = 0; at < len; at += h->size, (*nr)++) {
		h = (const void *)((const char *)data + at);
		if (h->size < sizeof(*h))
			break;
	}
	return 0;
}

/* Describes the tasks of the target once; the number of records. */
static u64 describe(const struct capture_target *t, bool data_maps)
{
	struct err e = ERR_INIT;
	struct synth s;
	u64 nr = 0;

	if (!synth_init(&s, &synth_config, 0, data_maps))
		bench_die("/proc");
	s.flush = count_records;
	s.ctx = &nr;
	if (synth_tasks(&s, t, &e)) {
		err_print(&e);
		exit(1);
	}
	synth_release(&s);
	return nr;
}

static void print_synthesis(const char *indent, const char *what, const struct bench_stats *time,
			    const struct bench_stats *events)
{
	printf("%sAverage %ssynthesis took: %.3f usec (+- %.3f usec)\n", indent, what, time->mean,
	       bench_stats_error(time));
	printf("%sAverage num. events: %.3f (+- %.3f)\n", indent, events->mean,
	       bench_stats_error(events));
	printf("%sAverage time per event %.3f usec\n", indent,
	       events->mean > 0 ? time->mean / events->mean : 0);
}

static void synth_single(const struct synth_opts *o)
{
	struct capture_target self = { 0 };

	*VEC_PUSH(&self.tasks) = getpid();
	printf("Computing performance of single threaded perf event synthesis by\n"
	       "synthesizing events on the perf process itself:\n");
	for (int data_maps = 0; data_maps < 2; data_maps++) {
		struct bench_stats time = { 0 }, events = { 0 };

		for (u64 i = 0; i < o->single_rounds; i++) {
			u64 start = clock_now();
			u64 nr = describe(&self, data_maps);

			bench_stats_add(&time, usecs(clock_now() - start));
			bench_stats_add(&events, (double)nr);
		}
		print_synthesis("  ", data_maps ? "data " : "", &time, &events);
	}
	vec_free(&self.tasks);
}

struct multi_synth {
	sys_pids pids;
	u64 nr[MAX_SYNTH_THREADS]; /* records by worker */
};

static void describe_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct multi_synth *m = ctx;
	struct capture_target t = { .tasks = { .v = m->pids.v + from, .nr = to - from } };

	m->nr[worker] += describe(&t, false);
}

static void synth_multi_with(unsigned int threads, u64 rounds)
{
	struct bench_stats time = { 0 }, events = { 0 };
	struct par *par = par_new(threads);
	struct sys_proc proc;

	if (!sys_proc_init(&proc, NULL))
		bench_die("/proc");
	for (u64 i = 0; i < rounds; i++) {
		struct multi_synth m = { 0 };
		u64 start = clock_now(), nr = 0;

		sys_proc_pids(&proc, &m.pids);
		par_for(par, m.pids.nr, m.pids.nr / (threads * 4) + 1, describe_slice, &m);
		bench_stats_add(&time, usecs(clock_now() - start));
		for (unsigned int w = 0; w < threads; w++)
			nr += m.nr[w];
		bench_stats_add(&events, (double)nr);
		vec_free(&m.pids);
	}
	sys_proc_release(&proc);
	par_free(par);
	printf("  Number of synthesis threads: %u\n", threads);
	print_synthesis("    ", "", &time, &events);
}

static int synth_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct synth_opts *o = opts;
	u64 most = o->max_threads ? o->max_threads : bench_nr_threads(0);

	if (!o->min_threads || most > MAX_SYNTH_THREADS)
		bench_die_text("the number of threads must be from 1 to 256");
	if (o->single || !o->multi)
		synth_single(o);
	if (!o->multi)
		return 0;
	printf("Computing performance of multi threaded perf event synthesis by\n"
	       "synthesizing events on CPU 0:\n");
	for (u64 n = o->min_threads; n <= most; n++)
		synth_multi_with((unsigned int)n, o->multi_rounds);
	return 0;
}

BENCHMARK(bench_internals_synthesize, "synthesize", "Benchmark perf event synthesis", synth_table,
	  synth_usage, synth_defaults, synth_run);

/* ---- kallsyms-parse ---- */

struct bench_kallsyms_opts {
	u64 rounds;
};

static const struct bench_kallsyms_opts kallsyms_defaults = { .rounds = 1 };

static const struct opt kallsyms_table[] = {
	OPT_U64('i', "iterations", struct bench_kallsyms_opts, rounds, "n",
		"Number of iterations used to compute average"),
	OPT_END
};

static const char *const kallsyms_usage[] = { "perf bench internals kallsyms-parse <options>",
					      NULL };

static int kallsyms_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct bench_kallsyms_opts *o = opts;
	struct bench_stats time = { 0 };

	for (u64 i = 0; i < o->rounds; i++) {
		struct err e = ERR_INIT;
		struct kallsyms k = { 0 };
		u64 start = clock_now();

		if (kallsyms_read(&k, "/proc/kallsyms", false, &e)) {
			err_print(&e);
			return 1;
		}
		bench_stats_add(&time, usecs(clock_now() - start) / 1000);
		kallsyms_release(&k);
	}
	printf("  Average kallsyms__parse took: %.3f ms (+- %.3f ms)\n", time.mean,
	       bench_stats_error(&time));
	return 0;
}

BENCHMARK(bench_internals_kallsyms, "kallsyms-parse", "Benchmark kallsyms parsing", kallsyms_table,
	  kallsyms_usage, kallsyms_defaults, kallsyms_run);

/* ---- evlist-open-close ---- */

struct open_opts {
	u64 rounds, nr_events;
	const char *events, *cpus, *pids, *tids, *user;
	bool all_cpus, per_thread;
};

static const struct open_opts open_defaults = { .rounds = 100, .nr_events = 1 };

static const struct opt open_table[] = {
	OPT_STR('e', "event", struct open_opts, events, "event",
		"event selector. use 'perf list' to list available events"),
	OPT_U64('n', "nr-events", struct open_opts, nr_events, "n",
		"number of dummy events to create (default 1). If used with -e, it clones those "
		"events n times (1 = no change)"),
	OPT_U64('i', "iterations", struct open_opts, rounds, "n",
		"Number of iterations used to compute average (default=100)"),
	OPT_BOOL('a', "all-cpus", struct open_opts, all_cpus,
		 "system-wide collection from all CPUs"),
	OPT_STR('C', "cpu", struct open_opts, cpus, "cpu", "list of cpus where to open events"),
	OPT_STR('p', "pid", struct open_opts, pids, "pid", "record events on existing process id"),
	OPT_STR('t', "tid", struct open_opts, tids, "tid", "record events on existing thread id"),
	OPT_STR('u', "uid", struct open_opts, user, "user", "user to profile"),
	OPT_BOOL(0, "per-thread", struct open_opts, per_thread, "use per-thread mmaps"),
	OPT_END
};

static const char *const open_usage[] = { "perf bench internals evlist-open-close <options>",
					  NULL };

static int user_tasks(struct capture_target *t, const char *user, struct err *e)
{
	struct passwd *pw = getpwnam(user);
	char *end = NULL;
	unsigned long uid = pw ? pw->pw_uid : strtoul(user, &end, 10);

	if (!pw && (*user < '0' || *user > '9' || *end || uid > UINT32_MAX))
		return err_set(e, 0, "unknown user '%s'", user);
	return capture_target_uid(t, (u32)uid, e);
}

static int open_target(const struct open_opts *o, struct capture_target *t, struct err *e)
{
	bool tasks = o->pids || o->tids || o->user;
	int r = 0;

	if (tasks && (o->all_cpus || o->cpus))
		printf("PID/TID switch overriding %s\n", o->cpus ? "CPU" : "SYSTEM");
	t->cpu_wide = !tasks && (o->all_cpus || o->cpus);
	t->per_thread = o->per_thread && !t->cpu_wide;
	if (!t->cpu_wide) {
		if (o->pids)
			r = capture_target_pids(t, o->pids, e);
		else if (o->tids)
			r = capture_target_tids(t, o->tids, e);
		else if (o->user)
			r = user_tasks(t, o->user, e);
		else
			*VEC_PUSH(&t->tasks) = getpid();
	}
	return r ? r : capture_target_cpus(t, tasks ? NULL : o->cpus, e);
}

static int open_events(const struct open_opts *o, struct event_list *l)
{
	if (o->events) {
		struct event_args args = { 0 };
		struct event_env env = { 0 };
		struct event_list once;
		struct err e = ERR_INIT;

		event_list_init(&once);
		if (event_args_add(&args, &once, &env, o->events, &e)) {
			if (*e.text)
				fprintf(stderr, "%s\n", e.text);
			event_list_release(&once);
			return -1;
		}
		for (u64 i = 0; i < o->nr_events; i++)
			event_list_append_copy(l, &once);
		event_list_release(&once);
		return 0;
	}
	for (u64 i = 0; i < o->nr_events; i++)
		event_list_add(l, "dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	return 0;
}

/* Opens, enables, disables and closes; the number of descriptors, or -1 with *e. */
static long open_close(struct event_list *l, const struct capture_target *t, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf why = STRBUF_INIT;
	struct capture_fds fds = { 0 };
	long nr = -1;

	if (!capture_open(&fds, l, t, NULL, &why, e)) {
		size_t all = fds.nr_events * fds.nr_cpus * fds.nr_tasks;

		nr = 0;
		for (size_t i = 0; i < all; i++)
			nr += fds.fd[i] >= 0 &&
			      !sys_perf_ioctl(fds.fd[i], PERF_EVENT_IOC_ENABLE, NULL);
		for (size_t i = 0; i < all; i++) {
			if (fds.fd[i] >= 0)
				sys_perf_ioctl(fds.fd[i], PERF_EVENT_IOC_DISABLE, NULL);
		}
	}
	capture_fds_release(&fds);
	return nr;
}

static int open_measure(const struct open_opts *o, struct event_list *l,
			const struct capture_target *t, struct err *e)
{
	struct bench_stats time = { 0 };
	long nr = open_close(l, t, e);

	if (nr < 0)
		return -1;
	printf("  Number of cpus:\t%zu\n", t->nr_cpus);
	printf("  Number of threads:\t%zu\n", MAX(t->tasks.nr, (size_t)1));
	printf("  Number of events:\t%zu (%ld fds)\n", l->events.nr, nr);
	printf("  Number of iterations:\t%lu\n", o->rounds);
	for (u64 i = 0; i < o->rounds; i++) {
		u64 start = clock_now();

		if (open_close(l, t, e) < 0)
			return -1;
		bench_stats_add(&time, usecs(clock_now() - start));
	}
	printf("  Average open-close took: %.3f usec (+- %.3f usec)\n", time.mean,
	       bench_stats_error(&time));
	return 0;
}

static int open_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct open_opts *o = opts;
	struct capture_target t = { 0 };
	struct event_list l;
	struct err e = ERR_INIT;
	int code = 1;

	if (!o->nr_events || o->nr_events > MAX_EVENTS)
		bench_die_text("the number of events must be from 1 to 100000");
	event_list_init(&l);
	if (open_events(o, &l))
		code = EXIT_USAGE;
	else if (open_target(o, &t, &e) || open_measure(o, &l, &t, &e))
		err_print(&e);
	else
		code = 0;
	event_list_release(&l);
	capture_target_release(&t);
	return code;
}

BENCHMARK(bench_internals_open_close, "evlist-open-close", "Benchmark evlist open and close",
	  open_table, open_usage, open_defaults, open_run);

/* ---- pmu-scan ---- */

struct scan_opts {
	u64 rounds;
};

static const struct scan_opts scan_defaults = { .rounds = 100 };

static const struct opt scan_table[] = { OPT_U64('i', "iterations", struct scan_opts, rounds, "n",
						 "Number of iterations used to compute average"),
					 OPT_END };

static const char *const scan_usage[] = { "perf bench internals pmu-scan <options>", NULL };

static void scan(bool core_only)
{
	struct pmu_catalog c;

	pmu_catalog_init(&c, NULL);
	pmu_catalog_scan(&c);
	VEC_FOR(&c.pmus, pmu) {
		if (!core_only || (*pmu)->core)
			pmu_load(&c, *pmu);
	}
	pmu_catalog_release(&c);
}

static int scan_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	const struct scan_opts *o = opts;

	printf("Computing performance of sysfs PMU event scan for %lu times\n", o->rounds);
	for (int all = 0; all < 2; all++) {
		struct bench_stats time = { 0 };

		for (u64 i = 0; i < o->rounds; i++) {
			u64 start = clock_now();

			scan(!all);
			bench_stats_add(&time, usecs(clock_now() - start));
		}
		printf("  Average %sPMU scanning took: %.3f usec (+- %.3f usec)\n",
		       all ? "" : "core ", time.mean, bench_stats_error(&time));
	}
	return 0;
}

BENCHMARK(bench_internals_pmu_scan, "pmu-scan", "Benchmark sysfs PMU info scanning", scan_table,
	  scan_usage, scan_defaults, scan_run);
