/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: run a command, or watch what is there, and count.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/log.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/stat/stat.h"
#include "count/cells.h"
#include "count/measure.h"
#include "count/metrics.h"
#include "count/ports.h"
#include "program/build_options.h"
#include "program/command_line.h"
#include "sys/cgroup.h"
#include "sys/end_signals.h"

enum { MIN_TIMEOUT_MS = 10, SMALL_TIMEOUT_MS = 100 };

#define S struct stat_opts
#define STAT_CALL(s, l, a, h, p, f)                                                                \
	{                                                                                          \
		.type = OPT_TYPE_CALL, .short_name = (s), .long_name = OPT_TEXT(l, h, a),          \
		.parse = (p), .flags = (f), .set_offset = -1                                       \
	}
#define STAT_SET(t, s, l, m, a, h, g)                                                              \
	{                                                                                          \
		.type = (t), .short_name = (s), .long_name = OPT_TEXT(l, h, a),                    \
		.offset = offsetof(S, m), .set_offset = offsetof(S, g)                             \
	}

static int parse_event(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct stat_opts *opts = target;

	return event_args_add(&opts->event_args, &opts->count.events, &opts->count.env, arg, e);
}

static int parse_filter(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;
	const char *missing =
		opts->count.events.events.nr
			? "This CPU does not support address filtering"
			: "--filter option should follow a -e tracepoint or HW tracer "
			  "option";

	return event_args_filter(&opts->event_args, &opts->count.events, arg, missing, e);
}

/* All of a list must be there, before anything is started. */
static int check_cgroups(const char *list, struct err *e)
{
	for (const char *p = list; *p; p += strspn(p, ",")) {
		size_t len = strcspn(p, ",");
		char *name = xstrndup(p, len);
		struct err why = ERR_INIT;
		int fd = sys_cgroup_open(NULL, name, &why);
		char mount[PATH_MAX];
		bool v2;

		if (fd >= 0)
			close(fd);
		else if (sys_cgroup_mount(NULL, mount, sizeof(mount), &v2))
			err_set(e, ENOENT, "no access to cgroup %s/%s", mount,
				name + strspn(name, "/"));
		else
			*e = why;
		free(name);
		if (fd < 0)
			return -1;
		p += len;
	}
	return 0;
}

static int parse_guests(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	return event_guests_parse(&((struct stat_opts *)target)->guests, arg, e);
}

static int parse_cgroup(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;
	size_t nr = 1;

	if (opts->each_cgroup)
		return err_set(e, EINVAL, "--cgroup and --for-each-cgroup cannot be used together");
	if (event_args_cgroup(&opts->count.events, arg, e) < 0 || check_cgroups(arg, e) < 0)
		return -1;
	for (size_t i = 0; arg[i]; i++)
		nr += arg[i] == ',';
	if (nr > 1 && nr > opts->count.events.events.nr)
		return err_set(e, EINVAL, "%zu cgroups for %zu events", nr,
			       opts->count.events.events.nr);
	return 0;
}

static int parse_cputype(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;
	char path[512];

	snprintf(path, sizeof(path), "%s/bus/event_source/devices/cpu_%s",
		 opts->count.env.sysfs ? opts->count.env.sysfs : "/sys", arg);
	if (strchr(arg, '/') || access(path, F_OK))
		return err_set(e, EINVAL, "--cputype %s is not supported!", arg);
	opts->cputype = arg;
	return 0;
}

/* Only the root ports of some Intel servers are counted, by a PMU for each of their I/O stacks. */
static int parse_programs(const struct opt *o UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;

	opts->program_list = arg;
	opts->programs.nr = 0;
	return number_list_parse(&opts->programs, arg, "BPF programs", e);
}

static int parse_iostat(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf told = STRBUF_INIT;
	struct stat_opts *opts = target;
	int r;

	if (count_ports_read(&opts->count, e))
		return -1;
	opts->iostat = arg ? arg : "";
	if (!arg || !strcmp(arg, "list"))
		return 0;
	r = count_ports_select(&opts->count, arg, &told, e);
	if (told.len)
		fputs(told.buf, stderr);
	return r;
}

static int parse_cache_level(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			     struct err *e)
{
	struct stat_opts *opts = target;

	if (arg && ((arg[0] != 'L' && arg[0] != 'l') || arg[1] < '1' || arg[1] > '4' || arg[2]))
		return err_set(e, EINVAL, "Cache level must be of form L[1-4], or l[1-4]");
	opts->per_cache = !unset;
	opts->count.cache_level = arg && !unset ? (u32)(arg[1] - '0') : 0;
	return 0;
}

static int parse_pfm(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		     struct err *e)
{
	struct stat_opts *opts = target;

	return event_parse_pfm(&opts->count.events, arg, e);
}

static const struct opt stat_table[] = {
	OPT_BOOL('T', "transaction", S, transaction, "hardware transaction statistics"),
	STAT_CALL('e', "event", "event", "event selector. use 'perf list' to list available events",
		  parse_event, OPT_NONEG),
	STAT_CALL(0, "filter", "filter", "event filter", parse_filter, OPT_NONEG),
	OPT_BOOL('i', "no-inherit", S, count.counting.no_inherit,
		 "child tasks do not inherit counters"),
	OPT_STR('p', "pid", S, count.pids, "pid", "stat events on existing process id"),
	OPT_STR('t', "tid", S, count.tids, "tid", "stat events on existing thread id"),
	OPT_BOOL('a', "all-cpus", S, count.system_wide, "system-wide collection from all CPUs"),
	OPT_BOOL(0, "scale", S, count.scale,
		 "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_BOOL('g', "group", S, group, "put the counters into a counter group"),
	OPT_INCR('v', "verbose", S, verbose, "be more verbose (show counter open errors, etc)"),
	STAT_SET(OPT_TYPE_INT, 'r', "repeat", repeat, "n",
		 "repeat command and print average + stddev (max: 100, forever: 0)", repeat_given),
	OPT_BOOL(0, "table", S, table, "display details about each run (only with -r option)"),
	OPT_BOOL('n', "null", S, null_run, "null run - dont start any counters"),
	OPT_INCR('d', "detailed", S, detail, "detailed run - start a lot of events"),
	OPT_BOOL('S', "sync", S, sync, "call sync() before starting a run"),
	STAT_SET(OPT_TYPE_BOOL, 'B', "big-num", big_num, "",
		 "print large numbers with thousands' separators", big_num_given),
	OPT_STR('C', "cpu", S, count.cpus, "cpu", "list of cpus to monitor in system-wide"),
	OPT_BOOL('A', "no-aggr", S, no_aggr, "disable CPU count aggregation"),
	OPT_BOOL(0, "no-merge", S, count.no_merge, "Do not merge identical named events"),
	OPT_BOOL(0, "hybrid-merge", S, ignored, "Merge identical named hybrid events"),
	OPT_BOOL(0, "hide-zero-events", S, count.hide_zero, "Do not show events with a zero count"),
	OPT_BOOL(0, "affinity", S, affinity,
		 "enable (default) or disable affinity optimizations to reduce IPIs"),
	OPT_STR('x', "field-separator", S, separator, "separator",
		"print counts with custom separator"),
	OPT_BOOL('j', "json-output", S, json, "print counts in JSON format"),
	STAT_CALL('G', "cgroup", "name", "monitor event in cgroup name only", parse_cgroup,
		  OPT_NONEG),
	STAT_CALL(0, "guests", "no|only|too",
		  "whether events without G or H count in virtual machines", parse_guests,
		  OPT_NONEG),
	OPT_STR(0, "for-each-cgroup", S, each_cgroup, "name", "expand events for each cgroup"),
	OPT_STR('o', "output", S, output, "file", "output file name"),
	OPT_BOOL(0, "append", S, append, "append to the output file"),
	STAT_SET(OPT_TYPE_INT, 0, "log-fd", log_fd, "n", "log output to fd, instead of stderr",
		 log_fd_given),
	OPT_STR(0, "pre", S, pre, "command", "command to run prior to the measured command"),
	OPT_STR(0, "post", S, post, "command", "command to run after to the measured command"),
	OPT_INT('I', "interval-print", S, count.interval_ms, "n",
		"print counts at regular interval in ms (overhead is possible for values <= 100ms)"),
	OPT_INT(0, "interval-count", S, count.interval_count, "n",
		"print counts for fixed number of times"),
	OPT_BOOL(0, "interval-clear", S, interval_clear, "clear screen in between new interval"),
	STAT_SET(OPT_TYPE_INT, 0, "timeout", count.timeout_ms, "n",
		 "stop workload and print counts after a timeout period in ms (>= 10ms)",
		 timeout_given),
	OPT_BOOL(0, "per-socket", S, per_socket, "aggregate counts per processor socket"),
	OPT_BOOL(0, "per-die", S, per_die, "aggregate counts per processor die"),
	OPT_BOOL(0, "per-cluster", S, per_cluster, "aggregate counts per processor cluster"),
	{ .type = OPT_TYPE_CALL,
	  .long_name = OPT_TEXT(
		  "per-cache",
		  "aggregate counts per instance of a cache (L1 to L4; default: the last level)",
		  "cache level"),
	  .parse = parse_cache_level,
	  .flags = OPT_OPTARG,
	  .set_offset = -1 },
	OPT_BOOL(0, "per-core", S, per_core, "aggregate counts per physical processor core"),
	OPT_BOOL(0, "per-thread", S, count.per_thread, "aggregate counts per thread"),
	OPT_BOOL(0, "per-node", S, per_node, "aggregate counts per numa node"),
	OPT_INT('D', "delay", S, count.delay_ms, "n",
		"ms to wait before starting measurement after program start (-1: start with events "
		"disabled)"),
	STAT_SET(OPT_TYPE_BOOL, 0, "metric-only", count.metric_only, "",
		 "Only print computed metrics. No raw values", metric_only_given),
	OPT_BOOL(0, "metric-no-group", S, count.metric_no_group,
		 "don't group metric events, impacts multiplexing"),
	OPT_BOOL(0, "metric-no-threshold", S, count.metric_no_threshold,
		 "do not say whether a metric's value is worth a look"),
	OPT_BOOL(0, "metric-no-merge", S, count.metric_no_merge,
		 "don't try to share events between metrics in a group"),
	OPT_BOOL(0, "topdown", S, count.topdown, "measure top-down statistics"),
	OPT_INT(0, "td-level", S, count.td_level, "n",
		"Set the metrics level for the top-down statistics (0: max level)"),
	OPT_BOOL(0, "smi-cost", S, smi_cost, "measure SMI cost"),
	OPT_STR('M', "metrics", S, count.metrics, "metric/metric group list",
		"monitor specified metrics or metric groups (separated by ,)"),
	STAT_CALL(0, "pfm-events", "event",
		  "libpfm4 event selector. use 'perf list' to list available events", parse_pfm,
		  OPT_NONEG),
	OPT_BOOL(0, "all-kernel", S, count.counting.all_kernel,
		 "Configure all used events to run in kernel space."),
	OPT_BOOL(0, "all-user", S, count.counting.all_user,
		 "Configure all used events to run in user space."),
	OPT_BOOL(0, "percore-show-thread", S, count.percore_show_thread,
		 "Use with 'percore' event qualifier to show the event counts of one hardware "
		 "thread by sum up total hardware threads of same physical core"),
	OPT_BOOL(0, "plan", S, plan,
		 "say before the run whether the events fit on the counters (without a command or "
		 "target: only that)"),
	OPT_BOOL(0, "no-multiplex", S, no_multiplex,
		 "run the command as often as is needed to count all events without taking turns"),
	OPT_BOOL(0, "summary", S, summary, "print summary for interval mode"),
	OPT_BOOL(0, "no-csv-summary", S, no_csv_summary,
		 "don't print 'summary' for CSV summary output"),
	OPT_BOOL(0, "quiet", S, quiet,
		 "don't print any output, messages or warnings (useful with record)"),
	STAT_CALL(
		0, "cputype", "hybrid cpu type",
		"Only enable events on applying cpu with this type for hybrid platform (e.g. core "
		"or atom)",
		parse_cputype, OPT_NONEG),
	OPT_STR(0, "control", S, control, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable "
		"events, 'disable': disable events).\n"
		"\t\t\t  Optionally send control command completion ('ack\\n') to ack-fd descriptor.\n"
		"\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / "
		"ack-fd."),
	STAT_CALL(0, "iostat", "default",
		  "measure I/O performance metrics provided by arch/platform", parse_iostat,
		  OPT_OPTARG | OPT_NONEG),
	/* what older perfs call --per-socket and --delay */
	OPT_ROW(OPT_TYPE_BOOL, 0, "aggr-socket", S, per_socket, "",
		"aggregate counts per processor socket", NULL, OPT_HIDDEN),
	OPT_ROW(OPT_TYPE_INT, 0, "initial-delay", S, count.delay_ms, "n",
		"ms to wait before starting measurement after program start", NULL, OPT_HIDDEN),
	STAT_CALL('b', "bpf-prog", "bpf-prog-id", "stat events on existing bpf program id",
		  parse_programs, 0),
	OPT_BOOL(0, "bpf-counters", S, by_bpf, "use bpf program to count events"),
	OPT_STR(0, "bpf-attr-map", S, count.attr_map, "attr-map-path",
		"path to perf_event_attr map"),
	OPT_END
};

static const char *const stat_usage[] = { "perf stat [<options>] [<command>]", NULL };
static const char *const stat_record_usage[] = { "perf stat record [<options>]", NULL };

/* A wrong combination: the line, then what the help says about the options named. */
static int wrong(const char *text, const char *first, const char *second)
{
	opts_usage_error(stat_table, stat_usage, first, "%s\n\n", text);
	if (second)
		opts_usage_error(stat_table, NULL, second, "%s", "");
	return STAT_EXIT_INVALID;
}

/* The same with two usage blocks, for options that miss or exclude -I. */
static int wrong_interval(const char *text, const char *option)
{
	opts_usage_error(stat_table, stat_usage, option, "%s\n\n", text);
	opts_usage_error(stat_table, stat_usage, "I", "\n");
	return STAT_EXIT_INVALID;
}

static const struct {
	enum count_aggr aggr;
	size_t offset;
} aggr_options[] = {
	/* the finest of those given */
	{ COUNT_CPU, offsetof(S, no_aggr) },
	{ COUNT_CORE, offsetof(S, per_core) },
	{ COUNT_CLUSTER, offsetof(S, per_cluster) },
	{ COUNT_CACHE, offsetof(S, per_cache) },
	{ COUNT_DIE, offsetof(S, per_die) },
	{ COUNT_SOCKET, offsetof(S, per_socket) },
	{ COUNT_NODE, offsetof(S, per_node) },
	{ COUNT_THREAD, offsetof(S, count.per_thread) },
};

static void choose_aggr(struct stat_opts *o)
{
	o->count.aggr = COUNT_GLOBAL;
	for (size_t i = 0; i < ARRAY_SIZE(aggr_options); i++) {
		if (!*(const bool *)((const char *)o + aggr_options[i].offset))
			continue;
		o->count.aggr = aggr_options[i].aggr;
		return;
	}
}

static int check_times(const struct stat_opts *o)
{
	if (o->count.interval_ms < 0)
		return opts_usage_error(stat_table, stat_usage, "I",
					" Error: switch `I' expects an "
					"unsigned numerical value\n");
	if (o->count.interval_count < 0 || (o->count.interval_count && !o->count.interval_ms))
		return wrong_interval("interval-count option should be used together with "
				      "interval-print.",
				      "interval-count");
	if (o->count.timeout_ms < 0)
		return opts_usage_error(stat_table, stat_usage, "timeout",
					" Error: option `timeout' "
					"expects an unsigned numerical value\n");
	if (!o->count.timeout_ms)
		return 0;
	if (o->count.timeout_ms < MIN_TIMEOUT_MS)
		return wrong("timeout must be >= 10ms.", "timeout", NULL);
	if (o->count.timeout_ms < SMALL_TIMEOUT_MS && !o->quiet)
		fprintf(stderr, "timeout < 100ms. The overhead percentage could be high in some "
				"cases. Please proceed with caution.\n");
	if (o->count.interval_ms)
		return wrong_interval("timeout option is not supported with interval-print.",
				      "timeout");
	return 0;
}

static int check_output(struct stat_opts *o)
{
	if (o->separator && !strcmp(o->separator, "\\t"))
		o->separator = "\t";
	if (o->output && o->log_fd_given)
		return wrong("cannot use both --output and --log-fd", "o", "log-fd");
	if (o->log_fd_given && o->log_fd < 0)
		return wrong("argument to --log-fd must be a > 0", "log-fd", NULL);
	if (o->separator && o->big_num_given && o->big_num)
		return wrong("-B option not supported with -x", "B", "x");
	if (o->separator && o->json)
		return wrong("-x and -j options cannot be used together", "x", "j");
	if (o->no_multiplex && (!o->count.command || o->count.interval_ms || o->recording))
		return wrong("--no-multiplex needs a command that it can run again, and no -I",
			     "no-multiplex", NULL);
	if (o->count.metric_only && (o->count.per_thread || o->repeat != 1)) {
		fprintf(stderr, "--metric-only is not supported with %s\n",
			o->count.per_thread ? "--per-thread" : "-r");
		return STAT_EXIT_INVALID;
	}
	if (o->table && o->repeat <= 1)
		return wrong("--table is only supported with -r", "r", "table");
	return 0;
}

static bool has_cgroups(const struct stat_opts *o)
{
	VEC_FOR(&o->count.events.events, ev) {
		if ((*ev)->cgroup)
			return true;
	}
	return o->each_cgroup;
}

static int check_target(struct stat_opts *o)
{
	bool tasks;

	if (o->count.pids)
		o->count.tids = NULL;
	tasks = o->count.pids || o->count.tids;
	if (tasks && o->count.cpus && !o->quiet)
		fprintf(stderr, "PID/TID switch overriding CPU\n");
	if (tasks && o->count.system_wide && !o->quiet)
		fprintf(stderr, "PID/TID switch overriding SYSTEM\n");
	if (tasks) {
		o->count.cpus = NULL;
		o->count.system_wide = false;
	}
	if (o->programs.nr && (tasks || o->count.per_thread || has_cgroups(o)))
		return wrong("in BPF programs whole CPUs are counted", "b", NULL);
	if (!tasks && !o->count.cpus && (o->programs.nr || (!o->count.command && !o->plan)))
		o->count.system_wide = true;
	if (o->programs.nr)
		o->count.counting.no_inherit = true;
	if (o->count.per_thread && !tasks && !o->count.system_wide && !o->count.cpus) {
		fprintf(stderr,
			"The --per-thread option is only available when monitoring via -p -t "
			"-a options or only --per-thread.\n");
		opts_usage_error(stat_table, NULL, "p", "%s", "");
		opts_usage_error(stat_table, NULL, "t", "%s", "");
		return STAT_EXIT_INVALID;
	}
	choose_aggr(o);
	if (((o->count.aggr != COUNT_GLOBAL && o->count.aggr != COUNT_THREAD) || has_cgroups(o)) &&
	    !o->count.system_wide && !o->count.cpus) {
		wrong("both cgroup and no-aggregation modes only available in system-wide mode",
		      "G", "A");
		opts_usage_error(stat_table, NULL, "a", "%s", "");
		opts_usage_error(stat_table, NULL, "for-each-cgroup", "%s", "");
		return STAT_EXIT_INVALID;
	}
	return 0;
}

/* All CPUs are counted one by one, and only the ports are shown. */
static int check_iostat(struct stat_opts *o)
{
	if (!o->count.ports)
		return 0;
	if (o->count.pids || o->count.tids || o->count.per_thread || has_cgroups(o) ||
	    o->transaction || o->smi_cost || o->count.topdown) {
		fprintf(stderr, "error: --iostat counts the whole machine, and nothing else\n"
				"hint: leave out -p, -t, --per-thread, -G, -T, --topdown and "
				"--smi-cost\n");
		return STAT_EXIT_FAILED;
	}
	if ((o->count.events.events.nr || o->count.metrics) && !o->quiet)
		fprintf(stderr, "The -e and -M options are not supported."
				"All chosen events/metrics will be dropped\n");
	event_list_release(&o->count.events);
	o->count.metrics = NULL;
	o->detail = 0;
	o->null_run = false;
	o->count.aggr = COUNT_CPU;
	o->count.metric_only = true;
	return 0;
}

static int check_options(struct stat_opts *o)
{
	struct err e = ERR_INIT;
	int ret;

	if (o->repeat_given && o->repeat < 0)
		return wrong("Run count must be a positive number", "r", NULL);
	if (o->count.counting.all_user && o->count.counting.all_kernel) {
		opts_usage_error(stat_table, stat_usage, "all-kernel",
				 " Error: option `all-kernel' cannot be used with all-user\n");
		return opts_usage_error(stat_table, NULL, "all-user", "%s", "");
	}
	if (o->count.td_level < 0 || o->count.td_level > STAT_TOPDOWN_LEVELS)
		return wrong("there are top-down levels 1 and 2 (0: both)", "td-level", NULL);
	if (o->count.topdown && !o->metric_only_given)
		o->count.metric_only = true;
	if (o->count.delay_ms < -1)
		return wrong("the delay must be a number of ms, or -1", "D", NULL);
	if (o->each_cgroup)
		o->matched_cgroups = sys_cgroup_match(NULL, o->each_cgroup, &e);
	if (o->matched_cgroups)
		o->each_cgroup = o->matched_cgroups;
	if (e.code || (o->each_cgroup && check_cgroups(o->each_cgroup, &e) < 0)) {
		opts_usage_error(stat_table, stat_usage, "for-each-cgroup", "%s\n\n", e.text);
		return STAT_EXIT_INVALID;
	}
	VEC_FOR(&o->count.events.events, ev) {
		if (o->each_cgroup && (*ev)->cgroup)
			return opts_usage_error(stat_table, stat_usage, "for-each-cgroup",
						"--cgroup and --for-each-cgroup cannot be used "
						"together\n\n");
	}
	ret = check_output(o);
	if (!ret)
		ret = check_times(o);
	if (!ret)
		ret = check_target(o);
	return ret ? ret : check_iostat(o);
}

static int open_output(struct stat_opts *o)
{
	time_t now = time(NULL);
	char text[128], when[64];
	struct err e = ERR_INIT;
	struct tm tm;

	o->out_fd = STDERR_FILENO;
	if (o->log_fd_given) {
		if (fcntl(o->log_fd, F_GETFD) < 0) {
			fprintf(stderr, "Failed opening logfd: %s\n", strerror(errno));
			return STAT_EXIT_INVALID;
		}
		o->out_fd = o->log_fd;
		return 0;
	}
	if (!o->output)
		return 0;
	o->out_fd = output_file_open(
		o->output, O_WRONLY | O_CREAT | (o->append ? O_APPEND : O_TRUNC), 0666, &e);
	if (o->out_fd < 0) {
		fprintf(stderr, "failed to create output file: %s\n",
			e.code == EPERM ? e.text : strerror(e.code));
		return STAT_EXIT_FAILED;
	}
	if (o->json)
		return 0; /* nothing but JSON for who reads it */
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", &tm);
	snprintf(text, sizeof(text), "# started on %s\n\n", when);
	rw_write_full(o->out_fd, text, strlen(text));
	return 0;
}

/* Programs of --pre and --post. 0 or the exit code. */
static int run_command(const char *what, const char *command)
{
	int status;

	if (!command)
		return 0;
	fflush(NULL);
	status = system(command);
	if (!status)
		return 0;
	fprintf(stderr, "error: the command of --%s failed\n", what);
	return STAT_EXIT_FAILED;
}

static int one_run(struct stat_run *s, u32 run)
{
	const struct stat_opts *o = s->opts;
	int ret = run_command("pre", o->pre);

	if (ret)
		return ret;
	if (o->sync)
		sync();
	ret = stat_run_once(s, run);
	return ret ? ret : run_command("post", o->post);
}

/* The workload's end as an exit code, and perf's line about a signal. */
static int workload_result(const struct stat_run *s)
{
	const struct workload *w = &s->m.workload;
	bool enough = s->opts->count.interval_count &&
		      s->m.intervals >= (u64)s->opts->count.interval_count;

	if (!w->reaped)
		return 0;
	if (WIFEXITED(w->status))
		return WEXITSTATUS(w->status);
	if (!WIFSIGNALED(w->status))
		return 0;
	if ((!s->opts->count.interval_ms || enough) && !s->opts->quiet)
		fprintf(stderr, "%s: %s\n", s->opts->count.command[0],
			strsignal(WTERMSIG(w->status)));
	/* that was us: time out, --control, Ctrl-C */
	if (s->m.timed_out || s->m.stopped || measure_interrupted())
		return 0;
	return 128 + WTERMSIG(w->status);
}

/*
 * The counters of the last run stay open until those of the next one are: the kernel takes a
 * tracepoint down with its last user, which takes tens of milliseconds for each.
 */
static void next_run(struct stat_run *s)
{
	enum { FEW_VALUES = 4096 }; /* open files are limited */
	size_t n = 0;

	for (size_t i = 0; s->m.previous && i < s->m.counters.all.nr; i++) {
		free(s->m.previous[i]);
		s->m.previous[i] = NULL;
	}
	VEC_FOR(&s->m.counters.all, c)
		n += c->nr_cpus * c->nr_tasks;
	counting_release(&s->m.last_counters);
	if (n <= FEW_VALUES)
		s->m.last_counters = s->m.counters;
	else
		counting_release(&s->m.counters);
	s->m.counters = (struct counting){ 0 };
}

/* -r 0: each run is a result of its own, until Ctrl-C. */
static void forget_runs(struct stat_run *s)
{
	cells_reset(&s->m);
	s->m.seconds.nr = 0;
}

static int measure(struct stat_run *s)
{
	const struct stat_opts *o = s->opts;
	u32 runs = o->repeat > 0 ? (u32)o->repeat : 1;
	int ret = 0, status = 0;

	stat_plan(s);
	if (o->plan && !o->count.command && !o->count.pids && !o->count.tids &&
	    !o->count.system_wide && !o->count.cpus)
		return 0;
	for (u32 i = 0; (i < runs || !o->repeat) && !measure_interrupted() && !ret; i++) {
		for (u32 pass = 0; pass < stat_passes(s) && !ret && !measure_interrupted();
		     pass++) {
			if (i || pass)
				next_run(s);
			stat_pass_begin(s, pass);
			ret = one_run(s, i);
			stat_pass_end(s);
		}
		if (ret)
			return ret;
		status = workload_result(s);
		if (!o->repeat) {
			stat_show(s, false);
			forget_runs(s);
		}
	}
	if (o->repeat && (!o->count.interval_ms || o->summary))
		stat_show(s, false);
	stat_hint_no_pmu(s);
	return status;
}

static int target_failed(int why, const struct err *e)
{
	if (why == -1)
		return wrong("failed to parse CPUs map: No such file or directory", "C", "a");
	if (why == -3 && e->code != EINVAL) {
		err_print(e);
		return STAT_EXIT_FAILED;
	}
	_cleanup_(mem_freep) char *text = xasprintf("Problems finding threads of monitor: %s",
						    e->text);
	return wrong(text, "p", "t");
}

static void warn_offline(const struct measurement *m)
{
	_cleanup_(strbuf_releasep) struct strbuf list = STRBUF_INIT;
	const struct capture_target *t = &m->target;
	VEC(u32) offline = { 0 };

	for (size_t i = 0; i < t->nr_cpus; i++) {
		const struct sys_cpu *cpu = sys_topology_cpu(&m->topology, t->cpus[i]);

		if (!cpu || !cpu->online)
			*VEC_PUSH(&offline) = t->cpus[i];
	}
	fmt_cpu_list(&list, offline.v, offline.nr);
	if (offline.nr)
		log_warn("%s %s %s not online", offline.nr > 1 ? "CPUs" : "CPU", list.buf,
			 offline.nr > 1 ? "are" : "is");
	vec_free(&offline);
}

static int stat_main(struct stat_opts *o)
{
	struct stat_run s = { .opts = o,
			      .m = { .o = &o->count },
			      .control = { .fd = -1, .ack_fd = -1 } };
	struct err e = ERR_INIT;
	int ret;

	if (o->control && control_open(&s.control, o->control, &e) < 0)
		return opts_usage_error(stat_table, stat_usage, "control", "%s\n\n", e.text);
	s.m.has_cgroups = has_cgroups(o);
	measure_catch_signals();
	/* hundreds of files on a large machine: only where rows or -C need them */
	if (o->count.cpus || (o->count.aggr != COUNT_GLOBAL && o->count.aggr != COUNT_THREAD))
		sys_topology_read(&s.m.topology, o->count.env.sysfs);
	if (o->count.aggr == COUNT_CACHE)
		sys_caches_read(o->count.env.sysfs, &s.m.caches);
	ret = measure_resolve(&s.m, &e);
	if (o->count.cpus && ret != -1 && !o->quiet)
		warn_offline(&s.m);
	if (ret < 0)
		ret = target_failed(ret, &e);
	else
		ret = measure(&s);
	if (s.output_lost)
		ret = STAT_EXIT_FAILED;
	if (s.recorder) {
		int r = count_recorder_end(s.recorder, &s.m, &e);

		if (r < 0)
			err_print(&e);
		ret = r ? STAT_EXIT_FAILED : ret;
	}
	control_close(&s.control);
	counting_disable(&s.m.counters);
	if (o->close_late)
		counting_close_late(&s.m.counters, &o->count.events);
	stat_run_release(&s);
	return ret;
}

/* A measurement that a signal ended ends us by that signal, as shells expect. */
static int pass_on_signal(int ret)
{
	int sig = measure_interrupted();

	if (sig && ret != STAT_EXIT_FAILED)
		end_by_signal(sig);
	return ret;
}

/* "rec" is enough, as in perf. */
static bool is_subcommand(const char *word, const char *name)
{
	return strlen(word) > 2 && !strncmp(word, name, strlen(word));
}

/* Where to write, before anything is opened. */
static int prepare_recording(struct stat_opts *o)
{
	const char **path = &o->recorded.path;
	struct stat st;

	if (o->repeat_given && o->repeat != 1) {
		fprintf(stderr, "Cannot use -r option with perf stat record.\n");
		return STAT_EXIT_FAILED;
	}
	if (!*path && !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode)) {
		*path = "-";
		if (!o->quiet)
			fprintf(stderr, "perf stat record: standard output is a pipe: the data is "
					"written to it (-o FILE for a file)\n");
	}
	if (!*path)
		*path = "perf.data";
	if (strcmp(*path, "-") || !isatty(STDOUT_FILENO))
		return 0;
	fprintf(stderr, "error: refusing to write binary data to a terminal\n"
			"hint: name a file with -o, or pipe the output into another perf\n");
	return STAT_EXIT_FAILED;
}

static int prepare(struct stat_opts *o)
{
	int ret;

	/* -o is the file of the counts then, the text goes where it goes without */
	if (o->recording) {
		o->recorded.path = o->output;
		o->output = NULL;
	}
	ret = check_options(o);
	if (!ret && o->recording)
		ret = prepare_recording(o);
	if (!ret)
		ret = stat_events_prepare(o);
	if (ret)
		return ret;
	o->count.counting.delayed = o->count.delay_ms != 0;
	o->count.counting.no_travel = !o->affinity;
	return open_output(o);
}

static const struct config_row stat_config[] = {
	CONFIG_ROW("stat.big-num", CONFIG_BOOL, struct stat_opts, big_num, NULL),
	CONFIG_ROW("stat.bpf-counter-events", CONFIG_STR, struct stat_opts, bpf_names, NULL),
	CONFIG_ROW("core.close-late", CONFIG_BOOL, struct stat_opts, close_late, NULL),
	CONFIG_ROW("stat.no-csv-summary", CONFIG_BOOL, struct stat_opts, no_csv_summary, NULL),
	CONFIG_END
};

static int stat_command(const struct config *config, int argc, const char **argv)
{
	struct stat_opts opts = {
		.count = { .env = { .counting_command = "perf stat" },
			   .scale = true,
			   .td_level = 1 },
		.close_late = true,
		.big_num = true,
		.affinity = true,
		.repeat = 1,
		.out_fd = STDERR_FILENO,
	};
	_cleanup_(mem_freep) const char **line = command_line_words(argc, argv);
	int ret;

	if (config_apply(config, stat_config, &opts))
		return STAT_EXIT_FAILED;
	event_args_init(&opts.count.env, config);
	event_list_init(&opts.count.events);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* an error of the write, then */
	argc = opts_parse(stat_table, &opts, argc, argv, stat_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc > 0 && is_subcommand(argv[0], "report")) {
		count_ports_free(opts.count.ports);
		event_list_release(&opts.count.events);
		return stat_report(stat_table, argc, argv);
	}
	if (argc > 0 && is_subcommand(argv[0], "record")) {
		opts.recording = true;
		argc = opts_parse(stat_table, &opts, argc, argv, stat_record_usage,
				  OPTS_STOP_AT_NON_OPTION);
	}
	if (argc < 0) {
		count_ports_free(opts.count.ports);
		event_list_release(&opts.count.events);
		return EXIT_USAGE;
	}
	opts.recorded.line = line;
	opts.recorded.version = perf_version;
	opts.count.command = argc ? argv : NULL;
	if (opts.count.ports && !strcmp(opts.iostat, "list")) {
		_cleanup_(strbuf_releasep) struct strbuf ports = STRBUF_INIT;

		count_ports_list(opts.count.ports, &ports);
		fputs(ports.buf, stderr);
		ret = 0;
	} else {
		ret = prepare(&opts);
		if (!ret)
			ret = stat_main(&opts);
	}
	stat_events_restore(&opts);
	if (opts.output && opts.out_fd >= 0)
		close(opts.out_fd);
	count_metrics_free(opts.count.metric_set);
	count_ports_free(opts.count.ports);
	event_list_release(&opts.count.events);
	free(opts.matched_cgroups);
	vec_free(&opts.programs);
	return pass_on_signal(ret);
}

const struct command cmd_stat = {
	.name = "stat",
	.summary = "run a command and count events",
	.usage = stat_usage,
	.opts = stat_table,
	.run = stat_command,
	.settings = stat_config,
	.settings_size = sizeof(struct stat_opts),
};
