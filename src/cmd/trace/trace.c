/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace: system calls and other events as they happen, as strace shows them. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/trace/trace.h"
#include "program/command_line.h"

static const char *const trace_usage[] = { "perf trace [<options>] [<command>]",
					   "perf trace [<options>] -- <command> [<options>]",
					   "perf trace record [<options>] [<command>]",
					   "perf trace record [<options>] -- <command> [<options>]",
					   NULL };

static int parse_event(const struct opt *opt UNUSED, void *target, const char *arg,
		       bool unset UNUSED, struct err *e)
{
	return trace_select(target, arg, e);
}

static int parse_faults(const struct opt *opt UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	static const char *const words[] = {
		[FAULTS_MAJOR] = "maj", [FAULTS_MINOR] = "min", [FAULTS_ALL] = "all"
	};
	struct trace_opts *o = target;

	for (size_t i = FAULTS_MAJOR; i < ARRAY_SIZE(words); i++) {
		if (strcmp(arg, words[i]) != 0)
			continue;
		o->faults = (enum trace_faults)i;
		return 0;
	}
	return err_set(e, EINVAL, "'%s' are no page faults: maj, min or all", arg);
}

static int parse_duration(const struct opt *opt UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	char *end;
	double ms = strtod(arg, &end);

	if (end == arg || *end || !(ms >= 0 && ms < 1e12))
		return err_set(e, EINVAL, "'%s' is no time in milliseconds", arg);
	((struct trace_opts *)target)->duration = ms;
	return 0;
}

static const char *const modes[] = {
	[MODE_THREAD] = "thread", [MODE_TOTAL] = "total", [MODE_CGROUP] = "cgroup"
};

static int parse_mode(const struct opt *opt UNUSED, void *target, const char *arg,
		      bool unset UNUSED, struct err *e)
{
	struct trace_opts *o = target;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strcmp(arg, modes[i]) != 0)
			continue;
		o->mode = (enum trace_mode)i;
		return 0;
	}
	return err_set(e, EINVAL, "'%s' is no mode of a summary: thread, total or cgroup", arg);
}

/* A file by the name that is given, and by that of where it is. */
static int parse_path(const struct opt *opt UNUSED, void *target, const char *arg,
		      bool unset UNUSED, struct err *e UNUSED)
{
	struct trace_opts *o = target;
	char *real = realpath(arg, NULL);

	*VEC_PUSH(&o->touched) = xstrdup(arg);
	if (real && strcmp(real, arg) != 0)
		*VEC_PUSH(&o->touched) = real;
	else
		free(real);
	return 0;
}

/* -s of all tasks together, as strace has it. */
static int parse_count(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
		       bool unset UNUSED, struct err *e UNUSED)
{
	struct trace_opts *o = target;

	o->summary = true;
	o->mode = MODE_TOTAL;
	return 0;
}

static int parse_syscalls(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			  bool unset, struct err *e UNUSED)
{
	struct trace_opts *o = target;

	o->trace_syscalls = !unset;
	o->syscalls_given = true;
	return 0;
}

static int parse_stacks(const struct opt *opt, void *target, const char *arg, bool unset,
			struct err *e)
{
	((struct trace_opts *)target)->has_stacks = !unset && strcmp(arg, "no") != 0;
	return sampling_parse_callgraph(opt, target, arg, unset, e);
}

static int parse_pids(const struct opt *opt UNUSED, void *target, const char *arg,
		      bool unset UNUSED, struct err *e)
{
	bool none = !strcmp(arg, "none");

	if (!none && (!*arg || strspn(arg, "0123456789,") != strlen(arg)))
		return err_set(e, EINVAL, "'%s' is no list of process ids", arg);
	((struct trace_opts *)target)->filter_pids = arg;
	return 0;
}

static int parse_later(const struct opt *opt, void *target UNUSED, const char *arg UNUSED,
		       bool unset, struct err *e)
{
	return unset ? 0 : err_set(e, ENOTSUP, "perf trace --%s is not here yet", opt->long_name);
}

/* Which of perf's printers of tracepoints' fields. */
static int parse_beautifiers(const char *value, void *target, struct err *e)
{
	bool fmt = !strcmp(value, "libtraceevent");

	if (!fmt && strcmp(value, "libbeauty") != 0)
		return err_set(e, EINVAL, "it is libbeauty or libtraceevent");
	*(bool *)target = fmt;
	return 0;
}

static int parse_number(const char *value, void *target, const char *what, struct err *e)
{
	char *end;
	unsigned long long number = strtoull(value, &end, 10);

	if (*value < '0' || *value > '9' || *end)
		return err_set(e, EINVAL, "it is a number of %s", what);
	*(u64 *)target = number;
	return 0;
}

static int parse_bytes(const char *value, void *target, struct err *e)
{
	return parse_number(value, target, "bytes", e);
}

static int parse_columns(const char *value, void *target, struct err *e)
{
	return parse_number(value, target, "columns", e);
}

#define T struct trace_opts
static const struct config_row trace_settings[] = {
	CONFIG_ROW("trace.add_events", CONFIG_STR, T, add_events, NULL),
	CONFIG_ROW("trace.args_alignment", CONFIG_CALL, T, args_alignment, parse_columns),
	CONFIG_ROW("trace.max_string", CONFIG_CALL, T, max_string, parse_bytes),
	CONFIG_ROW("trace.no_inherit", CONFIG_BOOL, T, sampling.cfg.no_inherit, NULL),
	CONFIG_ROW("trace.show_arg_names", CONFIG_BOOL, T, show_arg_names, NULL),
	CONFIG_ROW("trace.show_duration", CONFIG_BOOL, T, show_duration, NULL),
	CONFIG_ROW("trace.show_prefix", CONFIG_BOOL, T, show_prefix, NULL),
	CONFIG_ROW("trace.show_timestamp", CONFIG_BOOL, T, show_time, NULL),
	CONFIG_ROW("trace.show_zeros", CONFIG_BOOL, T, show_zeros, NULL),
	CONFIG_ROW("trace.tracepoint_beautifiers", CONFIG_CALL, T, print_fmt, parse_beautifiers),
	CONFIG_END
};

#define CALL(s, l, a, h, p, f)                                                                     \
	{                                                                                          \
		.type = OPT_TYPE_CALL, .short_name = (s), .long_name = OPT_TEXT(l, h, a),          \
		.parse = (p), .flags = (f), .set_offset = -1                                       \
	}
#define LATER(l, a, h, f) CALL(0, l, a, h, parse_later, f)
#define COUNT(l, m, h)                                                                             \
	{                                                                                          \
		.type = OPT_TYPE_U64, .long_name = OPT_TEXT(l, h, "n"), .offset = offsetof(T, m),  \
		.set_offset = offsetof(T, m##_given)                                               \
	}
static const struct opt trace_table[] = {
	CALL('P', "path", "path", "Show only calls that this file is an argument of", parse_path,
	     OPT_NONEG),
	CALL('e', "event", "event",
	     "event/syscall selector. use 'perf list' to list available events", parse_event,
	     OPT_NONEG),
	CALL(0, "expr", "expr", "list of syscalls/events to trace", parse_event, OPT_NONEG),
	CALL(0, "filter", "filter", "event filter", sampling_parse_filter, OPT_NONEG),
	OPT_BOOL(0, "comm", T, show_comm, "show the thread COMM next to its id"),
	OPT_STR('o', "output", T, output, "file", "output file name"),
	OPT_STR('i', "input", T, input, "file", "Analyze events in file"),
	OPT_STR('p', "pid", T, sampling.pids, "pid", "trace events on existing process id"),
	OPT_STR('t', "tid", T, sampling.tids, "tid", "trace events on existing thread id"),
	CALL(0, "filter-pids", "CSV list of pids", "pids to filter (by the kernel)", parse_pids,
	     OPT_NONEG),
	OPT_BOOL('a', "all-cpus", T, sampling.system_wide, "system-wide collection from all CPUs"),
	OPT_STR('C', "cpu", T, sampling.cpus, "cpu", "list of cpus to monitor"),
	OPT_BOOL(0, "no-inherit", T, sampling.cfg.no_inherit,
		 "child tasks do not inherit counters"),
	CALL('m', "mmap-pages", "pages", "number of mmap data pages", sampling_parse_pages,
	     OPT_NONEG),
	OPT_STR('u', "uid", T, sampling.uid, "user", "user to profile"),
	OPT_CALL(0, "duration", T, sampling, "float", "show only events with duration > N.M ms",
		 parse_duration),
	OPT_BOOL(0, "sched", T, sched, "show blocking scheduler events"),
	OPT_INCR('v', "verbose", T, sampling.verbose, "be more verbose"),
	OPT_BOOL('T', "time", T, full_time,
		 "Show full timestamp, not time relative to first start"),
	OPT_BOOL(0, "failure", T, failures, "Show only syscalls that failed"),
	OPT_BOOL('s', "summary", T, summary, "Show only syscall summary with statistics"),
	CALL('c', "", "", "Show only one summary of all tasks: -s --summary-mode total",
	     parse_count, OPT_NOARG | OPT_NONEG),
	OPT_BOOL('S', "with-summary", T, with_summary,
		 "Show all syscalls and summary with statistics"),
	OPT_BOOL(0, "errno-summary", T, errno_summary,
		 "Show errno stats per syscall, use with -s or -S"),
	OPT_BOOL(0, "hist", T, hist, "Show how long calls took as histograms, use with -s or -S"),
	CALL(0, "summary-mode", "mode",
	     "How to show summary: select thread (default), total or cgroup", parse_mode,
	     OPT_NONEG),
	OPT_U64(0, "max-string", T, max_string, "n", "Show so many bytes of buffers (default: 32)"),
	OPT_BOOL(0, "bpf-summary", T, bpf_summary, "Summary syscall stats in BPF"),
	OPT_BOOL(0, "force-btf", T, force_btf,
		 "Show structures as the kernel's type information has them, with numbers"),
	OPT_U64(0, "max-summary", T, max_summary, "n", "Max number of entries in the summary."),
	CALL('F', "pf", "all|maj|min", "Trace pagefaults", parse_faults, OPT_NONEG),
	CALL(0, "syscalls", "", "Trace syscalls", parse_syscalls, OPT_NOARG),
	OPT_BOOL('f', "force", T, rec.opts.input.force, "don't complain, do it"),
	CALL(0, "call-graph", "record_mode[,record_size]",
	     "setup and enables call-graph (stack chain/backtrace): fp[,frames] (default), "
	     "dwarf[,bytes], auto[,bytes], lbr, no",
	     parse_stacks, 0),
	OPT_BOOL(0, "libtraceevent_print", T, print_fmt,
		 "print the tracepoint arguments as the kernel's format has them"),
	OPT_BOOL(0, "kernel-syscall-graph", T, kernel_stacks,
		 "Show the kernel callchains on the syscall exit path"),
	OPT_U64(0, "max-events", T, max_events, "n",
		"Set the maximum number of events to print, exit after that is reached."),
	COUNT("min-stack", min_stack,
	      "Set the minimum stack depth when parsing the callchain, anything below the "
	      "specified depth will be ignored."),
	COUNT("max-stack", max_stack,
	      "Set the maximum stack depth when parsing the callchain, anything beyond the "
	      "specified depth will be ignored. Default: kernel.perf_event_max_stack or 127"),
	OPT_BOOL(0, "sort-events", T, sort,
		 "Sort batch of events before processing (they always are)"),
	OPT_BOOL(0, "print-sample", T, print_sample,
		 "print the PERF_RECORD_SAMPLE PERF_SAMPLE_ info, for debugging"),
	OPT_BOOL(0, "show-cpu", T, show_cpu, "show cpu id"),
	OPT_U64(0, "proc-map-timeout", T, sampling.cfg.map_timeout_ms, "n",
		"per thread proc mmap processing timeout in ms"),
	OPT_STR('G', "cgroup", T, cgroup, "name", "monitor event in cgroup name only"),
	OPT_INT('D', "delay", T, delay, "n",
		"ms to wait before starting measurement after program start"),
	EVENT_SWITCH_SHOW(T, switches),
	EVENT_SWITCH_NAMES(T, switches),
	LATER("map-dump", "BPF map", "BPF map to periodically dump", 0),
	OPT_BOOL(0, "tool_stats", T, tool_stats, "show tool stats"),
	OPT_BOOL(0, "bitmask-list", T, bit_lists,
		 "show sets of bits, such as CPUs, as lists: 0-2,5"),
	OPT_END
};

static int refuse(const char *text)
{
	log_error("%s", text);
	return TRACE_FAILED;
}

/* What options mean for each other. 0, or an exit status. */
static int check(struct trace_opts *o)
{
	bool events = o->sampling.events.events.nr || o->faults;
	struct err e = ERR_INIT;

	/* what trace.add_events adds comes besides */
	if (!o->syscalls_given)
		o->trace_syscalls = o->selection.words.nr || !events;
	if (o->touched.nr && o->input)
		return refuse("recordings of calls have no files: -P is for running tasks");
	if (o->add_events && !o->input && trace_select(o, o->add_events, &e) < 0) {
		err_print(&e);
		return TRACE_FAILED;
	}
	if (o->mode == MODE_CGROUP && o->input)
		return refuse("recordings do not tell control groups: --summary-mode cgroup is for "
			      "running tasks");
	if (!o->max_string)
		return refuse("--max-string (trace.max_string) is at least 1");
	o->bpf_summary |= o->mode == MODE_CGROUP;
	if (o->bpf_summary && !trace_stats_can(o, NULL))
		return refuse("--bpf-summary counts the system calls of tasks in the kernel: it "
			      "goes with a command, -a, -p, -t, -u and -e with names of calls");
	o->summary |= o->bpf_summary && !o->with_summary;
	if ((o->errno_summary || o->hist) && !o->summary && !o->with_summary)
		o->summary = true;
	if ((o->min_stack_given || o->max_stack_given) && !o->has_stacks && !o->input) {
		/* as perf does: who limits stacks wants to see them */
		o->has_stacks = true;
		sampling_parse_callgraph(NULL, o, "dwarf", false, &e);
	}
	if (!o->trace_syscalls && !events && !o->sched && !o->input)
		return opts_usage_error(trace_table, trace_usage, "syscalls",
					"Please specify something to trace.\n\n");
	if (o->input)
		return 0;
	if (!event_switch_start_live(&o->switches, &o->sampling.events, &e))
		return 0;
	err_print(&e);
	return TRACE_FAILED;
}

static int set_up_syscalls(struct trace_opts *o)
{
	enum trace_arch arch;
	struct utsname u;

	if (!uname(&u) && trace_arch_parse(u.machine, &arch)) {
		o->syscalls = trace_syscalls_new(arch);
		if (arch == TRACE_X86_64)
			o->compat = trace_syscalls_new(TRACE_I386);
		return 0;
	}
	log_error("the system calls of this machine are not known to perf trace");
	return TRACE_FAILED;
}

static int run(struct trace_opts *o, const struct config *config, int argc, const char **argv,
	       const char *const *line)
{
	int ret;

	argc = opts_parse(trace_table, o, argc, argv, trace_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strcmp(argv[0], "record"))
		return trace_record(config, argc, argv);
	ret = check(o);
	if (ret)
		return ret;
	if (o->input)
		return trace_recorded(o);
	return trace_live(o, line, argc ? argv : NULL);
}

static int trace_run(const struct config *config, int argc, const char **argv)
{
	struct trace_opts o = {
		.show_comm = true,
		.show_time = true,
		.show_duration = true,
		.show_arg_names = true,
		.args_alignment = 70,
		.max_string = 32,
	};
	const char *const *line = command_line_words(argc, argv);
	int ret = TRACE_FAILED;

	event_args_init(&o.sampling.env, config);
	event_list_init(&o.sampling.events);
	signal(SIGPIPE, SIG_IGN);
	if (!set_up_syscalls(&o) && !config_apply(config, trace_settings, &o) &&
	    !recording_configure(&o.rec, config))
		ret = run(&o, config, argc, argv, line);
	VEC_FOR(&o.touched, path)
		free(*path);
	vec_free(&o.touched);
	trace_selection_release(&o.selection);
	trace_syscalls_free(o.syscalls);
	trace_syscalls_free(o.compat);
	sampling_release(&o.sampling);
	free((void *)(uintptr_t)line);
	return ret;
}

static const char *trace_value(const char *option, size_t i)
{
	static const char *const faults[] = { "all", "maj", "min" };

	if (!strcmp(option, "pf"))
		return i < ARRAY_SIZE(faults) ? faults[i] : NULL;
	if (!strcmp(option, "summary-mode"))
		return i < ARRAY_SIZE(modes) ? modes[i] : NULL;
	if (!strcmp(option, "call-graph"))
		return event_stacks_word(i);
	return NULL;
}

const struct command cmd_trace = {
	.name = "trace",
	.summary = "show system calls and other events as they happen",
	.usage = trace_usage,
	.opts = trace_table,
	.run = trace_run,
	.settings = trace_settings,
	.settings_size = sizeof(struct trace_opts),
	.value = trace_value,
};
