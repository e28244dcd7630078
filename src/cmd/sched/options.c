/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the subcommands of perf sched. */
#include "cmd/sched/sched.h"

#define S struct sched_opts
#define HIDDEN_CALL(type, s, l, m, a, h) OPT_ROW(type, s, l, S, m, a, h, NULL, OPT_HIDDEN)
/* Options that may stand before the subcommand or behind it; -h of a subcommand shows only its own.
 */
#define SHARED_ROWS                                                                                \
	HIDDEN_CALL(OPT_TYPE_STR, 'i', "input", rec.opts.input.path, "file", "input file name"),   \
		HIDDEN_CALL(OPT_TYPE_INCR, 'v', "verbose", rec.verbose, "",                        \
			    "be more verbose (show symbol address, etc)"),                         \
		HIDDEN_CALL(OPT_TYPE_BOOL, 'D', "dump-raw-trace", dump, "",                        \
			    "dump raw trace in ASCII"),                                            \
		HIDDEN_CALL(OPT_TYPE_BOOL, 'f', "force", rec.opts.input.force, "",                 \
			    "don't complain, do it")

/* For other programs to read. */
#define ROWS                                                                                       \
	OPT_BOOL(0, "json", S, json, "print an object for each line (doc/json.md)"),               \
		OPT_STR('x', "field-separator", S, separator, "separator",                         \
			"print these values with a separator between them")

const struct opt sched_latency_table[] = {
	OPT_STR('s', "sort", S, sort, "key[,key2...]", "sort by key(s): runtime, switch, avg, max"),
	OPT_INT('C', "CPU", S, cpu, "n", "CPU to profile on"),
	OPT_BOOL('p', "pids", S, by_task, "latency stats per pid instead of per comm"),
	OPT_STR('t', "tid", S, rec.tids, "tid[,tid...]", "only these tasks, a row for each"),
	OPT_STR(0, "process", S, rec.pids, "pid[,pid...]", "only tasks of these processes"),
	OPT_BOOL('H', "histogram", S, histogram, "show CPU wait latency distribution histogram"),
	/* else it could be either of its neighbours */
	OPT_ROW(OPT_TYPE_BOOL, 0, "hist", S, histogram, "", "the same as --histogram", NULL,
		OPT_HIDDEN),
	OPT_STR(0, "hist-mode", S, hist_mode, "log|linear",
		"latency bucket mode (log or linear, default: log)"),
	OPT_BOOL(0, "heat-map", S, heat_map, "show the delays of each length over time"),
	OPT_BOOL(0, "queue", S, queue, "show how many tasks waited for a CPU, and when"),
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"), ROWS,
	SHARED_ROWS, OPT_END
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
	OPT_STR('p', "pid", S, rec.pids, "pid[,pid...]",
		"analyze events only for given process id(s)"),
	OPT_STR('t', "tid", S, rec.tids, "tid[,tid...]",
		"analyze events only for given thread id(s)"),
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to profile"),
	ROWS,
	SHARED_ROWS,
	OPT_END
};

const struct opt sched_map_table[] = {
	OPT_BOOL(0, "compact", S, compact, "map output in compact mode"),
	OPT_STR(0, "color-pids", S, color_pids, "pids", "highlight given pids in map"),
	OPT_STR(0, "color-cpus", S, color_cpus, "cpus", "highlight given CPUs in map"),
	OPT_STR(0, "cpus", S, cpus, "cpus", "display given CPUs in map"),
	OPT_STR('C', "cpu", S, cpus, "cpus", "the same"),
	OPT_STR('p', "pid", S, rec.pids, "pid[,pid...]", "map output only for these processes"),
	OPT_STR('t', "tid", S, rec.tids, "tid[,tid...]", "map output only for these tasks"),
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"),
	OPT_STR(0, "task-name", S, task_name, "task",
		"map output only for the given task name(s)."),
	OPT_BOOL(0, "fuzzy-name", S, fuzzy_name,
		 "given command name can be partially matched (fuzzy matching)"),
	ROWS,
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
	ROWS,
	HIDDEN_CALL(OPT_TYPE_BOOL, 'f', "force", rec.opts.input.force, "", "don't complain, do it"),
	OPT_END
};

const struct opt sched_timeline_table[] = {
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"),
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to show"),
	OPT_STR('p', "pid", S, rec.pids, "pid[,pid...]", "show only tasks of these processes"),
	OPT_STR('t', "tid", S, rec.tids, "tid[,tid...]", "show only these tasks"),
	ROWS,
	SHARED_ROWS,
	OPT_END
};

const struct opt sched_top_table[] = {
	OPT_INT('d', "delay", S, delay, "n", "number of seconds between two tables, default 1"),
	OPT_INT('n', "iterations", S, laps, "n", "end after so many tables"),
	OPT_INT('E', "entries", S, entries, "n", "rows of a table"),
	OPT_STR('s', "sort", S, sort, "key[,key2...]",
		"sort by key(s): max, avg, wait, switch, runtime, pid"),
	OPT_BOOL('c', "comm", S, by_name, "a row for each name instead of each task"),
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to watch"),
	OPT_INT('m', "mmap-pages", S, pages, "pages", "number of mmap data pages"),
	OPT_BOOL(0, "json", S, json, "print an object for each table"),
	OPT_END
};

const char *const sched_top_usage[] = { "perf sched top [<options>]", NULL };
const char *const sched_timeline_usage[] = {
	"perf sched timeline [<options>] [FILE.html|FILE.json]", NULL
};
const char *const sched_stats_usage[] = { "perf sched stats {record|report|diff} [<options>]",
					  NULL };
const char *const sched_replay_usage[] = { "perf sched replay [<options>]", NULL };

const struct opt sched_wakers_table[] = {
	RECORDING_KERNEL_FILES(S, rec),
	RECORDING_SYMFS(S, rec),
	OPT_BOOL('g', "call-graph", S, call_graph,
		 "show the code that woke tasks up, where it was recorded (default on)"),
	OPT_INT(0, "max-stack", S, max_stack, "n", "functions of it that a line shows"),
	OPT_BOOL(0, "folded", S, folded,
		 "print lines of stacks and microseconds, for flamegraph.pl"),
	OPT_STR(0, "time", S, time, "str", "Time span for analysis (start,stop)"),
	OPT_STR('C', "cpu", S, cpus, "cpu", "only wake-ups on these CPUs"),
	OPT_STR('p', "pid", S, rec.pids, "pid[,pid...]", "only sleeps of these processes"),
	OPT_STR('t', "tid", S, rec.tids, "tid[,tid...]", "only sleeps of these tasks"),
	ROWS,
	SHARED_ROWS,
	OPT_END
};

const char *const sched_latency_usage[] = { "perf sched latency [<options>]", NULL };

const char *const sched_timehist_usage[] = { "perf sched timehist [<options>]", NULL };

const char *const sched_map_usage[] = { "perf sched map [<options>]", NULL };

const char *const sched_wakers_usage[] = { "perf sched wakers [<options>]", NULL };
