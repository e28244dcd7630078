/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: run a command, or watch what is there, and count.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rw.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/command_line.h"
#include "cmd/stat/stat.h"
#include "event/pmu.h"

enum { MIN_TIMEOUT_MS = 10, SMALL_TIMEOUT_MS = 100 };

#define S struct stat_opts
#define STAT_CALL(s, l, a, h, p, f)                                                            \
	{ .type = OPT_TYPE_CALL, .short_name = (s), .long_name = (l), .offset = 0, .arg = (a), \
	  .help = (h), .parse = (p), .flags = (f), .set_offset = -1 }
#define STAT_LATER(s, l, a, h, f) STAT_CALL(s, l, a, h, parse_unsupported, f)
#define STAT_SET(t, s, l, m, a, h, g)                                                              \
	{ .type = (t), .short_name = (s), .long_name = (l), .offset = offsetof(S, m), .arg = (a), \
	  .help = (h), .set_offset = offsetof(S, g) }

static int parse_event(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct stat_opts *opts = target;

	return event_args_add(&opts->event_args, &opts->events, &opts->env, arg, e);
}

static int parse_filter(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;
	const char *missing = opts->events.events.nr
				      ? "This CPU does not support address filtering"
				      : "--filter option should follow a -e tracepoint or HW tracer "
					"option";

	return event_args_filter(&opts->event_args, &opts->events, arg, missing, e);
}

static int parse_cgroup(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct stat_opts *opts = target;

	return event_args_cgroup(&opts->events, arg, e);
}

static int parse_unsupported(const struct opt *o, void *target, const char *arg UNUSED, bool unset,
			     struct err *e UNUSED)
{
	struct stat_opts *opts = target;

	if (!unset)
		opts->unsupported = o->long_name;
	return 0;
}

static const struct opt stat_table[] = {
	STAT_LATER('T', "transaction", NULL, "hardware transaction statistics", OPT_NOARG),
	STAT_CALL('e', "event", "event", "event selector. use 'perf list' to list available events",
		  parse_event, OPT_NONEG),
	STAT_CALL(0, "filter", "filter", "event filter", parse_filter, OPT_NONEG),
	OPT_BOOL('i', "no-inherit", S, counting.no_inherit, "child tasks do not inherit counters"),
	OPT_STR('p', "pid", S, pids, "pid", "stat events on existing process id"),
	OPT_STR('t', "tid", S, tids, "tid", "stat events on existing thread id"),
	OPT_BOOL('a', "all-cpus", S, system_wide, "system-wide collection from all CPUs"),
	OPT_BOOL(0, "scale", S, scale, "Use --no-scale to disable counter scaling for multiplexing"),
	OPT_BOOL('g', "group", S, group, "put the counters into a counter group"),
	OPT_INCR('v', "verbose", S, verbose, "be more verbose (show counter open errors, etc)"),
	STAT_SET(OPT_TYPE_INT, 'r', "repeat", repeat, "n",
		 "repeat command and print average + stddev (max: 100, forever: 0)", repeat_given),
	OPT_BOOL(0, "table", S, table, "display details about each run (only with -r option)"),
	OPT_BOOL('n', "null", S, null_run, "null run - dont start any counters"),
	OPT_INCR('d', "detailed", S, detail, "detailed run - start a lot of events"),
	OPT_BOOL('S', "sync", S, sync, "call sync() before starting a run"),
	STAT_SET(OPT_TYPE_BOOL, 'B', "big-num", big_num, NULL,
		 "print large numbers with thousands' separators", big_num_given),
	OPT_STR('C', "cpu", S, cpus, "cpu", "list of cpus to monitor in system-wide"),
	OPT_BOOL('A', "no-aggr", S, no_aggr, "disable CPU count aggregation"),
	OPT_BOOL(0, "no-merge", S, no_merge, "Do not merge identical named events"),
	OPT_BOOL(0, "hybrid-merge", S, ignored, "Merge identical named hybrid events"),
	OPT_STR('x', "field-separator", S, separator, "separator",
		"print counts with custom separator"),
	OPT_BOOL('j', "json-output", S, json, "print counts in JSON format"),
	STAT_CALL('G', "cgroup", "name", "monitor event in cgroup name only", parse_cgroup,
		  OPT_NONEG),
	OPT_STR(0, "for-each-cgroup", S, each_cgroup, "name", "expand events for each cgroup"),
	OPT_STR('o', "output", S, output, "file", "output file name"),
	OPT_BOOL(0, "append", S, append, "append to the output file"),
	STAT_SET(OPT_TYPE_INT, 0, "log-fd", log_fd, "n", "log output to fd, instead of stderr",
		 log_fd_given),
	OPT_STR(0, "pre", S, pre, "command", "command to run prior to the measured command"),
	OPT_STR(0, "post", S, post, "command", "command to run after to the measured command"),
	OPT_INT('I', "interval-print", S, interval_ms, "n",
		"print counts at regular interval in ms (overhead is possible for values <= 100ms)"),
	OPT_INT(0, "interval-count", S, interval_count, "n",
		"print counts for fixed number of times"),
	OPT_BOOL(0, "interval-clear", S, interval_clear, "clear screen in between new interval"),
	STAT_SET(OPT_TYPE_INT, 0, "timeout", timeout_ms, "n",
		 "stop workload and print counts after a timeout period in ms (>= 10ms)",
		 timeout_given),
	OPT_BOOL(0, "per-socket", S, per_socket, "aggregate counts per processor socket"),
	OPT_BOOL(0, "per-die", S, per_die, "aggregate counts per processor die"),
	OPT_BOOL(0, "per-core", S, per_core, "aggregate counts per physical processor core"),
	OPT_BOOL(0, "per-thread", S, per_thread, "aggregate counts per thread"),
	OPT_BOOL(0, "per-node", S, per_node, "aggregate counts per numa node"),
	OPT_INT('D', "delay", S, delay_ms, "n",
		"ms to wait before starting measurement after program start (-1: start with events "
		"disabled)"),
	OPT_BOOL(0, "metric-only", S, metric_only, "Only print computed metrics. No raw values"),
	OPT_BOOL(0, "metric-no-group", S, ignored,
		 "don't group metric events, impacts multiplexing"),
	OPT_BOOL(0, "metric-no-merge", S, ignored,
		 "don't try to share events between metrics in a group"),
	STAT_LATER(0, "topdown", NULL, "measure top-down statistics", OPT_NOARG),
	STAT_LATER(0, "td-level", "n",
		   "Set the metrics level for the top-down statistics (0: max level)", 0),
	STAT_LATER(0, "smi-cost", NULL, "measure SMI cost", OPT_NOARG),
	STAT_LATER('M', "metrics", "metric/metric group list",
		   "monitor specified metrics or metric groups (separated by ,)", 0),
	OPT_BOOL(0, "all-kernel", S, counting.all_kernel,
		 "Configure all used events to run in kernel space."),
	OPT_BOOL(0, "all-user", S, counting.all_user,
		 "Configure all used events to run in user space."),
	STAT_LATER(0, "percore-show-thread", NULL,
		   "Use with 'percore' event qualifier to show the event counts of one hardware "
		   "thread by sum up total hardware threads of same physical core", OPT_NOARG),
	OPT_BOOL(0, "summary", S, summary, "print summary for interval mode"),
	OPT_BOOL(0, "no-csv-summary", S, no_csv_summary,
		 "don't print 'summary' for CSV summary output"),
	OPT_BOOL(0, "quiet", S, quiet,
		 "don't print any output, messages or warnings (useful with record)"),
	STAT_LATER(0, "cputype", "hybrid cpu type",
		   "Only enable events on applying cpu with this type for hybrid platform (e.g. core "
		   "or atom)", 0),
	OPT_STR(0, "control", S, control, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable "
		"events, 'disable': disable events).\n"
		"\t\t\t  Optionally send control command completion ('ack\\n') to ack-fd descriptor.\n"
		"\t\t\t  Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / "
		"ack-fd."),
	STAT_LATER(0, "iostat", "default", "measure I/O performance metrics provided by arch/platform",
		   OPT_OPTARG),
	STAT_LATER('b', "bpf-prog", "bpf-prog-id", "stat events on existing bpf program id",
		   OPT_HIDDEN),
	STAT_LATER(0, "bpf-counters", NULL, "use bpf program to count events",
		   OPT_NOARG | OPT_HIDDEN),
	STAT_LATER(0, "bpf-attr-map", "attr-map-path", "path to perf_event_attr map", OPT_HIDDEN),
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
	{ COUNT_CPU, offsetof(S, no_aggr) },	  { COUNT_CORE, offsetof(S, per_core) },
	{ COUNT_DIE, offsetof(S, per_die) },	  { COUNT_SOCKET, offsetof(S, per_socket) },
	{ COUNT_NODE, offsetof(S, per_node) },	  { COUNT_THREAD, offsetof(S, per_thread) },
};

static void choose_aggr(struct stat_opts *o)
{
	o->aggr = COUNT_GLOBAL;
	for (size_t i = 0; i < ARRAY_SIZE(aggr_options); i++) {
		if (!*(const bool *)((const char *)o + aggr_options[i].offset))
			continue;
		o->aggr = aggr_options[i].aggr;
		return;
	}
}

static int check_times(const struct stat_opts *o)
{
	if (o->interval_ms < 0)
		return wrong("print interval must be >= 1ms", "I", NULL);
	if (o->interval_count < 0 || (o->interval_count && !o->interval_ms))
		return wrong_interval("interval-count option should be used together with "
				      "interval-print.", "interval-count");
	if (!o->timeout_given)
		return 0;
	if (o->timeout_ms < MIN_TIMEOUT_MS)
		return wrong("timeout must be >= 10ms.", "timeout", NULL);
	if (o->timeout_ms < SMALL_TIMEOUT_MS && !o->quiet)
		fprintf(stderr, "timeout < 100ms. The overhead percentage could be high in some "
				"cases. Please proceed with caution.\n");
	if (o->interval_ms)
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
	if (o->metric_only && o->per_thread)
		return wrong("--metric-only is not supported with --per-thread", "metric-only", NULL);
	if (o->metric_only && o->repeat != 1)
		return wrong("--metric-only is not supported with -r", "metric-only", NULL);
	if (o->table && o->repeat <= 1)
		return wrong("--table is only supported with -r", "table", "r");
	return 0;
}

static bool has_cgroups(const struct stat_opts *o)
{
	VEC_FOR(&o->events.events, ev) {
		if ((*ev)->cgroup)
			return true;
	}
	return o->each_cgroup;
}

static int check_target(struct stat_opts *o)
{
	bool tasks;

	if (o->pids && o->tids && !o->quiet)
		fprintf(stderr, "PID switch overriding TID\n");
	if (o->pids)
		o->tids = NULL;
	tasks = o->pids || o->tids;
	if (tasks && o->cpus && !o->quiet)
		fprintf(stderr, "PID/TID switch overriding CPU\n");
	if (tasks && o->system_wide && !o->quiet)
		fprintf(stderr, "PID/TID switch overriding SYSTEM\n");
	if (tasks) {
		o->cpus = NULL;
		o->system_wide = false;
	}
	if (!tasks && !o->command)
		o->system_wide = true;
	if (o->per_thread && !tasks && !o->system_wide && !o->cpus) {
		fprintf(stderr, "The --per-thread option is only available when monitoring via -p -t "
				"-a options or only --per-thread.\n");
		opts_usage_error(stat_table, NULL, "p", "%s", "");
		opts_usage_error(stat_table, NULL, "t", "%s", "");
		return STAT_EXIT_INVALID;
	}
	choose_aggr(o);
	if (((o->aggr != COUNT_GLOBAL && o->aggr != COUNT_THREAD) || has_cgroups(o)) &&
	    !o->system_wide && !o->cpus) {
		wrong("both cgroup and no-aggregation modes only available in system-wide mode", "G",
		      "A");
		opts_usage_error(stat_table, NULL, "a", "%s", "");
		opts_usage_error(stat_table, NULL, "for-each-cgroup", "%s", "");
		return STAT_EXIT_INVALID;
	}
	return 0;
}

static int check_options(struct stat_opts *o)
{
	int ret;

	if (o->unsupported) {
		fprintf(stderr, "error: '--%s' is not supported yet\n", o->unsupported);
		return STAT_EXIT_FAILED;
	}
	VEC_FOR(&o->events.events, ev) {
		if ((*ev)->bpf_counter) {
			fprintf(stderr, "error: counting by BPF (modifier b) is not supported yet\n");
			return STAT_EXIT_FAILED;
		}
	}
	if (o->repeat_given && o->repeat < 0)
		return wrong("Run count must be a positive number", "r", NULL);
	if (o->counting.all_user && o->counting.all_kernel)
		return wrong("--all-user and --all-kernel cannot be used together", "all-user",
			     "all-kernel");
	if (o->delay_ms < -1)
		return wrong("the delay must be a number of ms, or -1", "D", NULL);
	ret = check_output(o);
	if (!ret)
		ret = check_times(o);
	return ret ? ret : check_target(o);
}

static int open_output(struct stat_opts *o)
{
	time_t now = time(NULL);
	char text[128], when[64];
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
	o->out_fd = open(o->output, O_WRONLY | O_CREAT | O_CLOEXEC | (o->append ? O_APPEND : O_TRUNC),
			 0666);
	if (o->out_fd < 0) {
		fprintf(stderr, "failed to create output file: %s\n", strerror(errno));
		return STAT_EXIT_FAILED;
	}
	localtime_r(&now, &tm);
	strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", &tm);
	snprintf(text, sizeof(text), "# started on %s\n\n", when);
	rw_write_full(o->out_fd, text, strlen(text));
	return 0;
}

static bool has_core_event(const char *name)
{
	static const char *const dirs[] = { "cpu", "cpu_core", "cpu_atom" };
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/events/%s", dirs[i],
			 name);
		if (!access(path, F_OK))
			return true;
	}
	return false;
}

static int add_events(struct stat_opts *o, const char *text)
{
	struct event_error ee = { 0 };

	if (!event_parse(&o->events, text, &o->env, &ee))
		return 0;
	fprintf(stderr, "error: the default events cannot be set up: %s\n", ee.text);
	return STAT_EXIT_FAILED;
}

/* What perf counts when nothing is asked for, and with -d, -dd, -ddd. */
static int add_default_events(struct stat_opts *o)
{
	static const char *const details[] = {
		"L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses",
		("L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,iTLB-loads,"
		 "iTLB-load-misses"),
		"L1-dcache-prefetches,L1-dcache-prefetch-misses",
	};
	struct strbuf text = STRBUF_INIT;
	int ret = 0;

	if (o->null_run) {
		event_list_release(&o->events);
		return 0;
	}
	if (!o->events.events.nr) {
		bool wide = o->system_wide || o->cpus;

		strbuf_addf(&text, "%s,context-switches,cpu-migrations,page-faults,cycles",
			    wide ? "cpu-clock" : "task-clock");
		if (has_core_event("stalled-cycles-frontend"))
			strbuf_adds(&text, ",stalled-cycles-frontend");
		if (has_core_event("stalled-cycles-backend"))
			strbuf_adds(&text, ",stalled-cycles-backend");
		strbuf_adds(&text, ",instructions,branches,branch-misses");
		ret = add_events(o, text.buf);
	}
	for (int i = 0; i < o->detail && i < (int)ARRAY_SIZE(details) && !ret; i++)
		ret = add_events(o, details[i]);
	strbuf_release(&text);
	return ret;
}

/* Does the name p[0..len) stand in the list before p, or is it empty? */
static bool name_seen(const char *list, const char *p, size_t len)
{
	while (list < p) {
		size_t n = strcspn(list, ",");

		if (n == len && !strncmp(list, p, n))
			return true;
		list += n + 1;
	}
	return !len;
}

/* --for-each-cgroup: all events once for every name. */
static void expand_cgroups(struct stat_opts *o)
{
	struct event_list copy;
	const char *p = o->each_cgroup;

	event_list_init(&copy);
	for (;;) {
		size_t len = strcspn(p, ",");
		size_t first = copy.events.nr;

		if (!name_seen(o->each_cgroup, p, len))
			event_list_append_copy(&copy, &o->events);
		for (size_t i = first; i < copy.events.nr; i++) {
			free(copy.events.v[i]->cgroup);
			copy.events.v[i]->cgroup = xstrndup(p, len);
		}
		if (!p[len])
			break;
		p += len + 1;
	}
	event_list_release(&o->events);
	o->events = copy;
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

/* One line about a machine that has no counters: the rows only say that they are not supported. */
static void hint_no_pmu(const struct stat_run *s)
{
	struct pmu_catalog catalog;
	bool missing = false, core = false;

	VEC_FOR(&s->counters.all, c)
		missing = missing || (!c->supported && (c->event->kind == EVENT_HARDWARE ||
							c->event->kind == EVENT_CACHE));
	if (!missing || s->opts->quiet || s->opts->separator || s->opts->json)
		return;
	if (!access("/sys/bus/event_source/devices/cpu", F_OK))
		return;
	pmu_catalog_init(&catalog, s->opts->env.sysfs);
	pmu_catalog_scan(&catalog);
	VEC_FOR(&catalog.pmus, pmu)
		core = core || (*pmu)->core;
	pmu_catalog_release(&catalog);
	if (!core)
		fprintf(stderr, "hint: this machine offers no hardware counters (a virtual machine "
				"without a PMU?); software events still count\n");
}

/* The workload's end as an exit code, and perf's line about a signal. */
static int workload_result(const struct stat_run *s)
{
	const struct workload *w = &s->workload;

	if (!w->reaped)
		return 0;
	if (WIFEXITED(w->status))
		return WEXITSTATUS(w->status);
	if (!WIFSIGNALED(w->status))
		return 0;
	if (!s->opts->interval_ms && !s->opts->quiet)
		fprintf(stderr, "%s: %s\n", s->opts->command[0], strsignal(WTERMSIG(w->status)));
	/* that was us: time out, enough intervals, Ctrl-C */
	if (s->timed_out || stat_interrupted() ||
	    (s->opts->interval_count && s->intervals >= (u64)s->opts->interval_count))
		return 0;
	return 128 + WTERMSIG(w->status);
}

static void next_run(struct stat_run *s)
{
	counting_release(&s->counters);
}

/* -r 0: each run is a result of its own, until Ctrl-C. */
static void forget_runs(struct stat_run *s)
{
	stat_cells_reset(s);
	s->seconds.nr = 0;
}

static int measure(struct stat_run *s)
{
	const struct stat_opts *o = s->opts;
	u32 runs = o->repeat > 0 ? (u32)o->repeat : 1;
	int ret = 0, status = 0;

	for (u32 i = 0; (i < runs || !o->repeat) && !stat_interrupted() && !ret; i++) {
		if (i)
			next_run(s);
		ret = one_run(s, i);
		if (ret)
			return ret;
		status = workload_result(s);
		if (!o->repeat) {
			stat_show(s, false);
			forget_runs(s);
		}
	}
	if (o->repeat && (!o->interval_ms || o->summary))
		stat_show(s, false);
	hint_no_pmu(s);
	return status;
}

static int target_failed(const struct stat_opts *o, int why)
{
	if (why == -1)
		return wrong("failed to parse CPUs map: No such file or directory", "C", "a");
	(void)o;
	return wrong("Problems finding threads of monitor", "p", "t");
}

static int stat_main(struct stat_opts *o)
{
	struct stat_run s = { .opts = o };
	int ret;

	s.has_cgroups = has_cgroups(o);
	stat_install_signals();
	/* hundreds of files on a large machine: only where rows or -C need them */
	if (o->cpus || (o->aggr != COUNT_GLOBAL && o->aggr != COUNT_THREAD))
		sys_topology_read(&s.topology, o->env.sysfs);
	ret = stat_resolve_target(&s);
	if (ret < 0)
		ret = target_failed(o, ret);
	else
		ret = measure(&s);
	if (s.recorder) {
		int r = stat_recorder_end(&s);

		ret = r ? r : ret;
	}
	stat_run_release(&s);
	return ret;
}

/* A measurement that a signal ended ends us by that signal, as shells expect. */
static int pass_on_signal(int ret)
{
	int sig = stat_interrupted();

	if (sig && ret != STAT_EXIT_FAILED) {
		fflush(NULL);
		signal(sig, SIG_DFL);
		raise(sig);
	}
	return ret;
}

/* "rec" is enough, as in perf. */
static bool is_subcommand(const char *word, const char *name)
{
	return strlen(word) > 2 && !strncmp(word, name, strlen(word));
}

static int prepare(struct stat_opts *o)
{
	int ret;

	/* -o is the file of the counts then, the text goes where it goes without */
	if (o->recording) {
		o->data_path = o->output;
		o->output = NULL;
	}
	ret = check_options(o);
	if (!ret && o->recording)
		ret = stat_recorder_prepare(o);
	if (!ret)
		ret = add_default_events(o);
	if (ret)
		return ret;
	if (o->group)
		event_list_group(&o->events, 0, o->events.events.nr, NULL);
	if (o->each_cgroup)
		expand_cgroups(o);
	o->counting.delayed = o->delay_ms != 0;
	return open_output(o);
}

static const struct config_row stat_config[] = {
	CONFIG_ROW("stat.big-num", CONFIG_BOOL, struct stat_opts, big_num, NULL),
	CONFIG_ROW("stat.no-csv-summary", CONFIG_BOOL, struct stat_opts, no_csv_summary, NULL),
	CONFIG_END
};

static int stat_command(const struct config *config, int argc, const char **argv)
{
	struct stat_opts opts = {
		.env = { .counting_command = "perf stat" },
		.scale = true,
		.big_num = true,
		.repeat = 1,
		.out_fd = STDERR_FILENO,
	};
	const char **line = command_line_words(argc, argv);
	int ret;

	if (config_apply(config, stat_config, &opts))
		return STAT_EXIT_FAILED;
	event_list_init(&opts.events);
	signal(SIGPIPE, SIG_IGN);
	argc = opts_parse(stat_table, &opts, argc, argv, stat_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc > 0 && is_subcommand(argv[0], "report")) {
		event_list_release(&opts.events);
		return stat_report(argc, argv);
	}
	if (argc > 0 && is_subcommand(argv[0], "record")) {
		opts.recording = true;
		argc = opts_parse(stat_table, &opts, argc, argv, stat_record_usage,
				  OPTS_STOP_AT_NON_OPTION);
	}
	if (argc < 0) {
		event_list_release(&opts.events);
		free(line);
		return EXIT_USAGE;
	}
	opts.line = line;
	opts.command = argc ? argv : NULL;
	ret = prepare(&opts);
	if (!ret)
		ret = stat_main(&opts);
	if (opts.output && opts.out_fd >= 0)
		close(opts.out_fd);
	event_list_release(&opts.events);
	free(line);
	return pass_on_signal(ret);
}

const struct command cmd_stat = {
	.name = "stat",
	.summary = "Run a command and gather performance counter statistics",
	.usage = stat_usage,
	.opts = stat_table,
	.run = stat_command,
};
