/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: the table of `perf report`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "base/similar.h"
#include "cmd/report/report.h"

const char *const report_usage[] = { "perf report [<options>]", NULL };

static int parse_percent_limit(const struct opt *opt UNUSED, void *target, const char *arg,
			       bool unset, struct err *e)
{
	struct report_opts *o = target;
	char *end = NULL;
	double v = unset ? 0 : strtod(arg, &end);

	if (!unset && (end == arg || v < 0))
		return err_set(e, EINVAL, "'%s' is not a percentage", arg);
	o->profile.percent_limit = v;
	o->graph.min_percent = v;
	return 0;
}

static int parse_percentage(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			    struct err *e)
{
	if (unset)
		return err_set(e, EINVAL, "--percentage cannot be negated");
	return profile_parse_percentage(arg, target, e);
}

static int parse_children(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			  bool unset, struct err *e UNUSED)
{
	struct report_opts *o = target;

	o->profile.children = !unset;
	o->children_given = !unset;
	return 0;
}

static int parse_branch(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			bool unset, struct err *e UNUSED)
{
	*(int *)target = !unset;
	return 0;
}

static int parse_graph(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	struct graph_opts *g = target;

	/* -g alone says "graph,0.5,caller,function,percent", whatever was set before. */
	if (!unset && !arg)
		*g = (struct graph_opts){ .min_percent = 0.5, .order = ORDER_CALLER };
	g->given = !unset;
	g->off = unset;
	return graph_words_parse(g, arg, e);
}

static int parse_quantum(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			 struct err *e)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	u64 *ns = target;
	char *end = NULL;
	double v = unset ? 100 : strtod(arg, &end);

	if (unset) {
		*ns = 100000000;
		return 0;
	}
	for (size_t i = 0; end != arg && i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit))
			continue;
		*ns = (u64)(v * (double)units[i].ns);
		if (*ns)
			return 0;
	}
	return err_set(e, EINVAL, "time quantum '%s' is no time in ns, us, ms or s", arg);
}

static int parse_colour(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	return colour_mode_parse(unset ? "never" : arg ? arg : "always", target, e);
}

/* On by default, where it takes the groups of the file. */
static int parse_group(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
		       bool unset, struct err *e UNUSED)
{
	*(enum group_mode *)target = unset ? GROUP_NONE : GROUP_ALL;
	return 0;
}

/* An option that says something about trace data only: whether it was given. */
static int parse_flag_arg(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			  bool unset, struct err *e UNUSED)
{
	*(bool *)target = !unset;
	return 0;
}

static int parse_percent_type(const struct opt *opt UNUSED, void *target UNUSED, const char *arg,
			      bool unset UNUSED, struct err *e)
{
	static const char *const types[] = { "local-period", "local-hits",   "global-period",
					     "global-hits",  "period-local", "period-global",
					     "hits-local",   "hits-global" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (arg && !strcmp(arg, types[i]))
			return 0; /* of annotated source, which a text report has none of */
	return err_set(e, EINVAL,
		       "--percent-type: local or global and period or hits, as in "
		       "local-period");
}

static int parse_gtk(const struct opt *opt UNUSED, void *target UNUSED, const char *arg UNUSED,
		     bool unset, struct err *e)
{
	if (unset)
		return 0;
	return err_set(e, ENOTSUP,
		       "--gtk has no window here: --html will write a page instead, "
		       "but is not supported yet; use --stdio");
}

/* By itself for callers from copied stacks; asked for, of all chains. */
static int parse_inline(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			bool unset, struct err *e UNUSED)
{
	struct session_opts *o = target;

	o->inlines = o->inlines_of_all = !unset;
	return 0;
}

#define R struct report_opts
#define IGNORED(s, l, h) OPT_CALL_F(s, l, R, rec, "", h, opt_ignore, OPT_NOARG)
#define IGNORED_ARG(s, l, a, h) OPT_CALL(s, l, R, rec, a, h, opt_ignore)

const struct opt report_table[] = {
	RECORDING_FILE(R, rec),
	RECORDING_VERBOSE(R, rec),
	OPT_BOOL('q', "quiet", R, quiet, "Do not show any warnings or messages"),
	OPT_BOOL('D', "dump-raw-trace", R, dump, "dump raw trace in ASCII"),
	OPT_BOOL(0, "stats", R, stats, "Display event stats"),
	OPT_BOOL(0, "tasks", R, tasks, "Display recorded tasks"),
	OPT_BOOL(0, "mmaps", R, mmaps, "Display recorded tasks memory maps"),
	RECORDING_KERNEL_FILES(R, rec),
	RECORDING_IGNORE_VMLINUX(R, rec),
	RECORDING_FORCE(R, rec),
	RECORDING_MODULES(R, rec),
	OPT_BOOL('n', "show-nr-samples", R, profile.show_samples,
		 "Show a column with the number of samples"),
	OPT_BOOL('T', "threads", R, threads, "Show per-thread event counters"),
	IGNORED_ARG(0, "pretty", "key", "pretty printing style key: normal raw"),
	OPT_BOOL(0, "tui", R, use_tui, "Use the TUI interface"),
	OPT_CALL_F(0, "gtk", R, use_gtk, "", "tells of --html", parse_gtk, OPT_NOARG | OPT_HIDDEN),
	OPT_BOOL(0, "stdio", R, use_stdio, "Use the stdio interface"),
	OPT_BOOL(0, "json", R, json, "print the profile as JSON"),
	OPT_BOOL(0, "folded", R, folded,
		 "print lines of keys and callers, 'comm;caller;callee weight', as flamegraph.pl "
		 "reads them"),
	OPT_BOOL(0, "wall", R, wall,
		 "all the time of threads: running, waiting for a CPU, blocked, with who woke them "
		 "up (see perf record --wall)"),
	OPT_CALL_F(0, "stdio-color", R, colour, "mode",
		   "'always' (default), 'never' or 'auto' only applicable to --stdio mode",
		   parse_colour, OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_BOOL(0, "header", R, header, "Show data header."),
	OPT_BOOL(0, "header-only", R, header_only, "Show only data header."),
	OPT_STR('s', "sort", R, profile.sort, "key[,key2...]",
		"sort by key(s): see the manual page for the list"),
	OPT_STR('F', "fields", R, profile.fields, "key[,keys...]",
		"output field(s): overhead latency period sample and sort keys"),
	OPT_BOOL(0, "showcpuutilization", R, profile.show_utilization,
		 "Show sample percentage for different cpu modes"),
	OPT_ROW(OPT_TYPE_BOOL, 0, "show-cpu-utilization", R, profile.show_utilization, "",
		"the same as --showcpuutilization", NULL, OPT_HIDDEN),
	OPT_STR('p', "parent", R, profile.agg.parent, "regex",
		"regex filter to identify parent, see: '--sort parent'"),
	OPT_BOOL('x', "exclude-other", R, profile.agg.exclude_other,
		 "Only display entries with parent-match"),
	OPT_CALL_F('g', "call-graph", R, graph,
		   "print_type,threshold[,print_limit],order,sort_key[,branch],value",
		   "Display call graph (stack chain/backtrace): graph|flat|fractal|folded|none, "
		   "minimum percentage, limit of entries, caller|callee, function|address, "
		   "branch, percent|period|count. Default: graph,0.5,caller,function,percent",
		   parse_graph, OPT_OPTARG | OPT_LASTARG_OPT),
	OPT_CALL_F(0, "children", R, rec /* the whole struct */, "",
		   "Accumulate callchains of children and show total overhead as well. Enabled by "
		   "default, use --no-children to disable.",
		   parse_children, OPT_NOARG),
	OPT_U64(0, "max-stack", R, max_stack, "n",
		"Set the maximum stack depth when parsing the callchain, anything beyond the "
		"specified depth will be ignored. Default: kernel.perf_event_max_stack or 127"),
	OPT_BOOL('G', "inverted", R, inverted, "alias for inverted call graph"),
	OPT_STR(0, "ignore-callees", R, profile.agg.ignore_callees, "regex",
		"ignore callees of these functions in call graphs"),
	OPT_STR('d', "dsos", R, profile.agg.dsos, "dso[,dso...]",
		"only consider symbols in these dsos"),
	OPT_STR('c', "comms", R, profile.agg.comms, "comm[,comm...]",
		"only consider symbols in these comms"),
	OPT_STR(0, "pid", R, profile.agg.pids, "pid[,pid...]",
		"only consider symbols in these pids"),
	OPT_STR(0, "tid", R, profile.agg.tids, "tid[,tid...]",
		"only consider symbols in these tids"),
	OPT_STR('S', "symbols", R, profile.agg.symbols, "symbol[,symbol...]",
		"only consider these symbols"),
	OPT_STR(0, "symbol-filter", R, profile.symbol_filter, "filter",
		"only show symbols that (partially) match with this filter"),
	OPT_BOOL(
		0, "latency", R, profile.latency,
		"Show latency-centric profile rather than the default CPU-consumption-centric profile "
		"(requires perf record --latency flag)."),
	OPT_STR(0, "parallelism", R, profile.agg.parallelism, "parallelism",
		"only consider these parallelism levels (cpu set format)"),
	OPT_STR('w', "column-widths", R, profile.widths, "width[,width...]",
		"don't try to adjust column width, use these fixed values"),
	OPT_STR('t', "field-separator", R, separator, "separator",
		"separator for columns, no spaces will be added between columns '.' is reserved."),
	OPT_BOOL('U', "hide-unresolved", R, profile.agg.hide_unresolved,
		 "Only display entries resolved to a symbol"),
	RECORDING_SYMFS(R, rec),
	RECORDING_CPUS(R, rec),
	OPT_BOOL('I', "show-info", R, header_full,
		 "Display extended information about perf.data file"),
	IGNORED(0, "source", "Interleave source code with assembly code (default)"),
	IGNORED(0, "asm-raw", "Display raw encoding of assembly instructions (default)"),
	IGNORED_ARG('M', "disassembler-style", "disassembler style",
		    "Specify disassembler style (e.g. -M intel for intel syntax)"),
	OPT_BOOL(0, "show-total-period", R, profile.show_period,
		 "Show a column with the sum of periods"),
	OPT_CALL_F(0, "group", R, group, "", "Show event group information together", parse_group,
		   OPT_NOARG),
	OPT_U64(0, "group-sort-idx", R, group_sort, "n",
		"Sort the output by the event at the index n in group. If n is invalid, sort by "
		"the first event. WARNING: should be used on grouped events."),
	OPT_CALL_F('b', "branch-stack", R, branch_stack, "",
		   "use branch records for per branch histogram filling", parse_branch, OPT_NOARG),
	OPT_BOOL(0, "branch-history", R, branch_history, "add last branch records to call history"),
	RECORDING_LINE_STYLES(R, rec),
	RECORDING_UNWIND_STYLE(R, rec),
	IGNORED_ARG(0, "objdump", "path", "objdump binary to use for disassembly and annotations"),
	OPT_STR(0, "prefix", R, prefix, "prefix",
		"Add prefix to source file path names in programs (with --prefix-strip)"),
	OPT_STR(0, "prefix-strip", R, prefix_strip, "N",
		"Strip first N entries of source file path name in programs (with --prefix)"),
	OPT_BOOL(0, "demangle", R, demangle, "Disable symbol demangling"),
	RECORDING_DEMANGLE_KERNEL(R, rec),
	RECORDING_GUESTS(R, rec.opts.dso),
	OPT_BOOL(0, "mem-mode", R, mem_mode, "mem access profile"),
	OPT_CALL(0, "percent-limit", R, rec, "percent", "Don't show entries under that percent",
		 parse_percent_limit),
	OPT_CALL(0, "percentage", R, profile.relative, "relative|absolute",
		 "how to display percentage of filtered entries", parse_percentage),
	OPT_CALL_F(0, "itrace", R, itrace, "opts", "Instruction Tracing options", parse_flag_arg,
		   OPT_OPTARG),
	OPT_BOOL(0, "full-source-path", R, profile.agg.full_source_path,
		 "Show full source file name path for source lines"),
	OPT_BOOL(0, "show-ref-call-graph", R, rec.opts.ref_chains,
		 "Show callgraph from reference event"),
	RECORDING_STITCH_LBR(R, rec),
	OPT_INT(0, "socket-filter", R, socket, "n",
		"only show processor socket that match with this filter"),
	OPT_BOOL(0, "raw-trace", R, profile.agg.raw_trace,
		 "Show raw trace event output (do not use print fmt or plugins)"),
	OPT_BOOL('H', "hierarchy", R, profile.hierarchy, "Show entries in a hierarchy"),
	OPT_BOOL(0, "guessed-callers", R, rec.opts.guesses,
		 "Also show callers that are guesses, marked with [guess]"),
	OPT_CALL_F(0, "inline", R, rec.opts, "", "Show inline function", parse_inline, OPT_NOARG),
	OPT_CALL(0, "percent-type", R, rec, "local-period",
		 "Set percent type local/global-period/hits", parse_percent_type),
	OPT_BOOL(0, "ns", R, profile.agg.ns, "Show times in nanosecs"),
	RECORDING_TIME(R, rec),
	OPT_INT(0, "samples", R, nr_saved, "n",
		"Number of samples to save per histogram entry for individual browsing"),
	EVENT_SWITCH_NAMES(R, switches),
	EVENT_SWITCH_SHOW(R, switches),
	OPT_BOOL(0, "total-cycles", R, total_cycles, "Sort all blocks by 'Sampled Cycles%'"),
	IGNORED(0, "disable-order", "Disable raw trace ordering"),
	OPT_BOOL(0, "skip-empty", R, profile.skip_empty,
		 "Do not display empty (or dummy) events in the output"),
	OPT_CALL(0, "time-quantum", R, profile.agg.time_quantum, "time (ms|us|ns|s)",
		 "Set time quantum for time sort key (default 100ms)", parse_quantum),
	OPT_END
};
