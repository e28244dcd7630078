/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched: what the scheduler did, from a recording of its events. */
#include "cmd/sched/sched.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/log.h"
#include "base/similar.h"
#include "cli/print_err.h"

#define S struct sched_opts
#define HIDDEN_CALL(type, s, l, m, a, h) OPT_ROW(type, s, l, S, m, a, h, NULL, OPT_HIDDEN)
/* Those that go before the subcommand, too; -h of that shows only its own. */
#define SHARED_ROWS                                                                                \
	HIDDEN_CALL(OPT_TYPE_STR, 'i', "input", rec.opts.input.path, "file", "input file name"),   \
		HIDDEN_CALL(OPT_TYPE_INCR, 'v', "verbose", rec.verbose, NULL,                      \
			    "be more verbose (show symbol address, etc)"),                         \
		HIDDEN_CALL(OPT_TYPE_BOOL, 'D', "dump-raw-trace", dump, NULL,                      \
			    "dump raw trace in ASCII"),                                            \
		HIDDEN_CALL(OPT_TYPE_BOOL, 'f', "force", rec.opts.input.force, NULL,               \
			    "don't complain, do it")

static const struct opt sched_table[] = {
	RECORDING_FILE(S, rec),
	RECORDING_VERBOSE(S, rec),
	OPT_BOOL('D', "dump-raw-trace", S, dump, "dump raw trace in ASCII"),
	RECORDING_FORCE(S, rec),
	OPT_END,
};

const struct opt sched_latency_table[] = {
	OPT_STR('s', "sort", S, sort, "key[,key2...]", "sort by key(s): runtime, switch, avg, max"),
	OPT_INT('C', "CPU", S, cpu, "n", "CPU to profile on"),
	OPT_BOOL('p', "pids", S, by_task, "latency stats per pid instead of per comm"),
	OPT_BOOL('H', "histogram", S, histogram, "show CPU wait latency distribution histogram"),
	OPT_STR(0, "hist-mode", S, hist_mode, "log|linear",
		"latency bucket mode (log or linear, default: log)"),
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"),
	SHARED_ROWS,
	OPT_END
};

const struct opt sched_timehist_table[] = {
	RECORDING_KERNEL_FILES(S, rec),
	OPT_BOOL('g', "call-graph", S, call_graph, "Display call chains if present (default on)"),
	OPT_INT(0, "max-stack", S, max_stack, "n",
		"Maximum number of functions to display backtrace."),
	RECORDING_SYMFS(S, rec),
	OPT_BOOL('s', "summary", S, summary, "Show only syscall summary with statistics"),
	OPT_BOOL('S', "with-summary", S, with_summary,
		 "Show all syscalls and summary with statistics"),
	OPT_BOOL('w', "wakeups", S, wakeups, "Show wakeup events"),
	OPT_BOOL('n', "next", S, next, "Show next task"),
	OPT_BOOL('M', "migrations", S, migrations, "Show migration events"),
	OPT_BOOL('V', "cpu-visual", S, visual, "Add CPU visual"),
	OPT_BOOL('I', "idle-hist", S, idle, "Show idle events only"),
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"),
	OPT_BOOL(0, "state", S, state, "Show task state when sched-out"),
	OPT_BOOL(0, "show-prio", S, show_prio, "Show task priority"),
	OPT_STR(0, "prio", S, prios, "prio", "analyze events only for given task priority(ies)"),
	OPT_BOOL('P', "pre-migrations", S, pre_migrations, "Show pre-migration wait time"),
	OPT_STR('p', "pid", S, pids, "pid[,pid...]", "analyze events only for given process id(s)"),
	OPT_STR('t', "tid", S, tids, "tid[,tid...]", "analyze events only for given thread id(s)"),
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to profile"),
	SHARED_ROWS,
	OPT_END
};

const struct opt sched_map_table[] = {
	OPT_BOOL(0, "compact", S, compact, "map output in compact mode"),
	OPT_STR(0, "color-pids", S, color_pids, "pids", "highlight given pids in map"),
	OPT_STR(0, "color-cpus", S, color_cpus, "cpus", "highlight given CPUs in map"),
	OPT_STR(0, "cpus", S, cpus, "cpus", "display given CPUs in map"),
	OPT_STR(0, "task-name", S, task_name, "task",
		"map output only for the given task name(s)."),
	OPT_BOOL(0, "fuzzy-name", S, fuzzy_name,
		 "given command name can be partially matched (fuzzy matching)"),
	SHARED_ROWS,
	OPT_END
};

const struct opt sched_replay_table[] = {
	OPT_INT('r', "repeat", S, repeat, "n", "repeat the workload replay N times (0: infinite)"),
	SHARED_ROWS, OPT_END
};

const struct opt sched_stats_table[] = {
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to profile"),
	OPT_STR('i', "input", S, rec.opts.input.path, "file", "`stats report` with input filename"),
	OPT_STR('o', "output", S, output, "file", "`stats record` with output filename"),
	OPT_INCR('v', "verbose", S, rec.verbose, "Show explanation for fields in the report"),
	HIDDEN_CALL(OPT_TYPE_BOOL, 'f', "force", rec.opts.input.force, NULL,
		    "don't complain, do it"),
	OPT_END
};

static const char *const sched_usage[] = {
	"perf sched [<options>] {record|latency|map|replay|script|timehist|stats}", NULL
};
const char *const sched_stats_usage[] = { "perf sched stats {record|report|diff} [<options>]",
					  NULL };
const char *const sched_replay_usage[] = { "perf sched replay [<options>]", NULL };

const char *const sched_latency_usage[] = { "perf sched latency [<options>]", NULL };

const char *const sched_timehist_usage[] = { "perf sched timehist [<options>]", NULL };

const char *const sched_map_usage[] = { "perf sched map [<options>]", NULL };

int sched_open(struct sched_opts *o, const char *cpus, struct err *e)
{
	struct session_opts *so = &o->rec.opts;

	if (so->input.path && !*so->input.path)
		so->input.path = NULL;
	so->cpus = cpus;
	so->tell_left_out = cpus != NULL;
	so->unwind = o->call_graph;
	so->lbr = true;
	return recording_open(&o->rec, e);
}

int sched_parse_window(const char *text, u64 *from, u64 *until, struct err *e)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	_cleanup_(mem_freep) char *start = NULL;

	if (!text)
		return 0;
	start = comma ? xstrndup(text, (size_t)(comma - text)) : xstrdup(text);
	if ((*start && !fmt_parse_time_ns(start, from)) ||
	    (comma && comma[1] && !fmt_parse_time_ns(comma + 1, until)) ||
	    (*until && *until < *from))
		return err_set(e, EINVAL, "Invalid time string");
	return 0;
}

void sched_tell_losses(struct session *s)
{
	const struct session_stats *st = session_stats(s);

	losses_tell_damage(session_file(s));
	if (st->lost_events)
		log_warn("%llu events were lost while recording: times are those of what is left",
			 (unsigned long long)st->lost_events);
}

void sched_tell_odd(u64 nr)
{
	if (nr)
		log_warn("%llu switches are left out: no kernel has CPUs of their numbers",
			 (unsigned long long)nr);
}

void sched_add_lost(struct strbuf *out, struct session *s)
{
	const struct session_stats *st = session_stats(s);
	u64 nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(st->nr_type); i++)
		nr += st->nr_type[i];
	if (st->lost_events && nr)
		strbuf_addf(out, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			    100.0 * (double)st->lost_events / (double)nr,
			    (unsigned long long)st->lost_events, (unsigned long long)nr,
			    (unsigned long long)st->lost_chunks);
}

int sched_fail(struct err *e)
{
	err_print(e);
	return SCHED_FAILED;
}

static const struct sched_subcommand {
	const char *name;
	const struct opt *table;
	const char *const *usage;
	int (*run)(struct sched_opts *o);
} subcommands[] = {
	{ "latency", sched_latency_table, sched_latency_usage, sched_latency_main },
	{ "timehist", sched_timehist_table, sched_timehist_usage, sched_timehist_main },
	{ "map", sched_map_table, sched_map_usage, sched_map_main },
	{ "replay", sched_replay_table, sched_replay_usage, sched_replay_main },
	{ "lat", sched_latency_table, sched_latency_usage, sched_latency_main },
};

static int run_subcommand(const struct config *config, const struct sched_subcommand *sub,
			  struct sched_opts *o, int argc, const char **argv)
{
	argc = opts_parse(sub->table, o, argc, argv, sub->usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc) {
		opts_print_usage(sub->table, sub->usage, NULL);
		return EXIT_USAGE;
	}
	if (o->dump)
		sched_dump(config, o);
	argc = sub->run(o);
	recording_close(&o->rec);
	return argc;
}

/* Its own subcommand comes first, options before or behind it. */
static int run_stats(struct sched_opts *o, int argc, const char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool named = !strcmp(what, "record") || !strcmp(what, "report") || !strcmp(what, "diff");
	const char **line = XNEW_ARRAY(const char *, (size_t)argc + 2), **words;
	int left, r;

	line[0] = "sched";
	memcpy(line + 1, argv, (size_t)argc * sizeof(*line));
	o->line = line;
	left = opts_parse(sched_stats_table, o, argc - named, argv + named, sched_stats_usage,
			  OPTS_STOP_AT_NON_OPTION);
	words = XNEW_ARRAY(const char *, (size_t)argc + 1);
	for (int i = 0; i < left; i++)
		words[i] = argv[i + named];
	r = left < 0 ? EXIT_USAGE : sched_stats_main(o, what, left, words);
	free(words);
	free(line);
	return r;
}

static void tell_unknown(const char *word)
{
	static const char *const others[] = { "record", "script", "stats" };
	struct err e = ERR_INIT;
	struct similar near;

	err_set(&e, EINVAL, "'%s' is no word of perf sched", word);
	similar_init(&near, word);
	similar_offer_all(&near, others, ARRAY_SIZE(others));
	for (size_t i = 0; i < ARRAY_SIZE(subcommands); i++)
		similar_offer(&near, subcommands[i].name);
	similar_hint(&near, &e);
	err_print(&e);
}

static int sched_run(const struct config *config, int argc, const char **argv)
{
	struct sched_opts o = { .cpu = -1, .max_stack = 5, .call_graph = true, .repeat = 10 };

	if (recording_configure(&o.rec, config))
		return SCHED_FAILED;
	argc = opts_parse(sched_table, &o, argc, argv, sched_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strncmp(argv[0], "rec", 3))
		return sched_record_main(config, argc, argv);
	if (argc && !strcmp(argv[0], "script"))
		return sched_script_main(config, &o, argc, argv);
	if (argc && !strcmp(argv[0], "stats"))
		return run_stats(&o, argc, argv);
	for (size_t i = 0; argc && i < ARRAY_SIZE(subcommands); i++) {
		if (!strcmp(subcommands[i].name, argv[0]))
			return run_subcommand(config, &subcommands[i], &o, argc, argv);
	}
	if (argc)
		tell_unknown(argv[0]);
	opts_print_usage(sched_table, sched_usage, NULL);
	return EXIT_USAGE;
}

/* For completion: what stands behind `perf sched`. */
static const char *sched_value(const char *option, size_t i)
{
	bool words = !strcmp(option, "words");

	return words && i < ARRAY_SIZE(subcommands) ? subcommands[i].name : NULL;
}

const struct command cmd_sched = {
	.name = "sched",
	.summary = "record and analyse what the scheduler does",
	.usage = sched_usage,
	.opts = sched_table,
	.run = sched_run,
	.flags = CMD_PAGER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
	.value = sched_value,
};
