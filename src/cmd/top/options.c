/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options: the table of `perf top`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/top/top.h"

const char *const top_usage[] = { "perf top [<options>]", NULL };

/* -g, or a mode behind --call-graph: callers are recorded, and shown. */
static int parse_g(const struct opt *opt, void *target, const char *arg UNUSED, bool unset,
		   struct err *e)
{
	struct top_opts *o = target;

	o->callgraph = !unset;
	return sampling_parse_g(opt, target, NULL, unset, e);
}

/*
 * How many characters of --call-graph say how callers are recorded: a mode, behind it a whole
 * number and words that are its own. The rest says how they are shown.
 */
static size_t recorded_words(const char *text)
{
	size_t len = strcspn(text, ","), n;
	const char *mode = NULL;
	bool number = false;

	for (size_t i = 0; !mode && event_stacks_word(i); i++)
		if (strlen(event_stacks_word(i)) == len && !memcmp(event_stacks_word(i), text, len))
			mode = event_stacks_word(i);
	if (!mode) {
		/* neither a mode nor a word for graphs: it is told as a mistyped mode */
		_cleanup_(mem_freep) char *word = xstrndup(text, len);
		struct graph_opts g = { 0 };
		struct err e = ERR_INIT;

		return graph_words_parse(&g, word, &e) ? strlen(text) : 0;
	}
	for (; text[len] == ','; len += 1 + n) {
		const char *w = text + len + 1;

		n = strcspn(w, ",");
		if (strspn(w, "0123456789") == n && n && !number)
			number = true;
		else if ((n != 5 || strncmp(w, "defer", n) != 0) &&
			 (n != 3 || strncmp(w, "raw", n) != 0))
			break;
	}
	return len;
}

/* perf's words for how a graph is shown stand behind those for how it is recorded. */
static int parse_callgraph(const struct opt *opt, void *target, const char *arg, bool unset,
			   struct err *e)
{
	struct top_opts *o = target;
	size_t recorded = unset ? 0 : recorded_words(arg);
	_cleanup_(mem_freep) char *mode = NULL;

	o->callgraph = !unset && strcmp(arg, "no") != 0;
	if (!o->callgraph)
		return sampling_parse_callgraph(opt, target, arg, unset, e);
	mode = xstrndup(arg, recorded);
	if (graph_words_parse(&o->graph, arg + recorded + (arg[recorded] == ','), e) < 0)
		return -1;
	if (o->graph.off) {
		o->callgraph = false;
		return 0;
	}
	return recorded ? sampling_parse_callgraph(opt, target, mode, unset, e)
			: sampling_parse_g(opt, target, NULL, unset, e);
}

static int parse_children(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			  bool unset, struct err *e UNUSED)
{
	struct top_opts *o = target;

	o->profile.children = !unset;
	o->children_given = true;
	return 0;
}

static int parse_percentage(const struct opt *opt UNUSED, void *target, const char *arg,
			    bool unset UNUSED, struct err *e)
{
	return profile_parse_percentage(arg, target, e);
}

static int refuse_history(const struct opt *opt UNUSED, void *target UNUSED, const char *arg UNUSED,
			  bool unset, struct err *e)
{
	if (unset)
		return 0;
	err_set(e, ENOTSUP, "--branch-history is not supported live");
	err_hint(e, "perf record -b -g, then perf report --branch-history");
	return -1;
}

static int parse_limit(const struct opt *opt UNUSED, void *target, const char *arg,
		       bool unset UNUSED, struct err *e)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v >= 0 && v <= 100))
		return err_set(e, EINVAL, "'%s' is not a percentage", arg);
	*(double *)target = v;
	return 0;
}

#define T struct top_opts
#define CALL(s, l, a, h, p, f)                                                                     \
	{                                                                                          \
		.type = OPT_TYPE_CALL, .short_name = (s), .long_name = OPT_TEXT(l, h, a),          \
		.parse = (p), .flags = (f), .set_offset = -1                                       \
	}
const struct opt top_table[] = {
	CALL('e', "event", "event", "event selector. use 'perf list' to list available events",
	     sampling_parse_event, OPT_NONEG),
	CALL(0, "filter", "filter", "event filter", sampling_parse_filter, OPT_NONEG),
	CALL('c', "count", "n", "event period to sample", sampling_parse_count, OPT_NONEG),
	OPT_STR('p', "pid", T, sampling.pids, "pid", "profile events on existing process id"),
	OPT_STR('t', "tid", T, sampling.tids, "tid", "profile events on existing thread id"),
	OPT_BOOL('a', "all-cpus", T, sampling.system_wide, "system-wide collection from all CPUs"),
	OPT_STR('C', "cpu", T, sampling.cpus, "cpu", "list of cpus to monitor"),
	OPT_STR('k', "vmlinux", T, dso.vmlinux, "file", "vmlinux pathname"),
	OPT_BOOL(0, "ignore-vmlinux", T, dso.ignore_vmlinux, "don't load vmlinux even if found"),
	OPT_STR(0, "kallsyms", T, dso.kallsyms, "file", "kallsyms pathname"),
	RECORDING_GUESTS(T, dso),
	CALL(0, "guests", "no|only|too", "whether events without G or H count in virtual machines",
	     sampling_parse_guests, OPT_NONEG),
	OPT_BOOL('K', "hide_kernel_symbols", T, choice.hide_kernel, "hide kernel symbols"),
	CALL('m', "mmap-pages", "pages", "number of mmap data pages", sampling_parse_pages,
	     OPT_NONEG),
	OPT_U64('d', "delay", T, choice.delay, "n", "number of seconds to delay between refreshes"),
	OPT_U64('f', "count-filter", T, profile.min_samples, "n",
		"only display functions with more events than this"),
	OPT_BOOL(0, "group", T, sampling.group, "put the counters into a counter group"),
	OPT_BOOL('i', "no-inherit", T, sampling.cfg.no_inherit,
		 "child tasks do not inherit counters"),
	OPT_BOOL('z', "zero", T, choice.zero, "zero history across updates"),
	CALL('F', "freq", "freq or 'max'", "profile at this frequency", sampling_parse_freq,
	     OPT_NONEG),
	OPT_U64('E', "entries", T, entries, "n", "display this many functions"),
	OPT_BOOL('U', "hide_user_symbols", T, choice.hide_user, "hide user symbols"),
	OPT_BOOL(0, "tui", T, use_tui, "Use the TUI interface"),
	OPT_BOOL(0, "stdio", T, use_stdio, "Use the stdio interface"),
	OPT_BOOL(0, "json", T, json, "print each refresh as JSON"),
	OPT_INCR('v', "verbose", T, sampling.verbose,
		 "be more verbose (show counter open errors, etc)"),
	OPT_STR('s', "sort", T, profile.sort, "key[,key2...]",
		"sort by key(s): pid, comm, dso, symbol, parent, cpu, srcline, ... Please refer the "
		"man page for the complete list."),
	OPT_STR(0, "fields", T, profile.fields, "key[,keys...]",
		"output field(s): overhead, period, sample plus all of sort keys"),
	OPT_BOOL('n', "show-nr-samples", T, profile.show_samples,
		 "Show a column with the number of samples"),
	CALL('g', "", "", "enables call-graph recording and display", parse_g, OPT_NOARG),
	CALL(0, "call-graph",
	     "record_mode[,record_size],print_type,threshold[,print_limit],order,sort_key,value",
	     "setup and enables call-graph (stack chain/backtrace): fp (default), dwarf[,bytes], "
	     "auto[,bytes], lbr, no; then as -g of perf report: graph,0.5,caller,function,percent",
	     parse_callgraph, 0),
	CALL(0, "children", "", "Accumulate callchains of children and show total overhead as well",
	     parse_children, OPT_NOARG),
	OPT_U64(0, "max-stack", T, max_stack, "n",
		"Set the maximum stack depth when parsing the callchain. Default: "
		"kernel.perf_event_max_stack or 127"),
	OPT_STR(0, "ignore-callees", T, profile.agg.ignore_callees, "regex",
		"ignore callees of these functions in call graphs"),
	OPT_BOOL(0, "show-total-period", T, profile.show_period,
		 "Show a column with the sum of periods"),
	OPT_STR(0, "dsos", T, profile.agg.dsos, "dso[,dso...]",
		"only consider symbols in these dsos"),
	OPT_STR(0, "comms", T, profile.agg.comms, "comm[,comm...]",
		"only consider symbols in these comms"),
	OPT_STR(0, "symbols", T, profile.agg.symbols, "symbol[,symbol...]",
		"only consider these symbols"),
	OPT_STR('u', "uid", T, sampling.uid, "user", "user to profile"),
	OPT_CALL(0, "percent-limit", T, profile.percent_limit, "percent",
		 "Don't show entries under that percent", parse_limit),
	OPT_CALL(0, "percentage", T, profile.relative, "relative|absolute",
		 "How to display percentage of filtered entries", parse_percentage),
	OPT_STR('w', "column-widths", T, profile.widths, "width[,width...]",
		"don't try to adjust column width, use these fixed values"),
	OPT_BOOL(0, "all-cgroups", T, sampling.cfg.cgroups, "Record cgroup events"),
	OPT_BOOL(0, "namespaces", T, sampling.cfg.namespaces, "Record namespaces events"),
	OPT_BOOL(0, "no-bpf-event", T, sampling.cfg.no_bpf, "do not record bpf events"),
	CALL('G', "cgroup", "name", "monitor event in cgroup name only", sampling_parse_cgroup,
	     OPT_NONEG),
	OPT_BOOL(0, "raw-trace", T, profile.agg.raw_trace,
		 "Show raw trace event output (do not use print fmt or plugins)"),
	OPT_BOOL(0, "demangle-kernel", T, dso.demangle_kernel, "Enable kernel symbol demangling"),
	OPT_BOOL(0, "hierarchy", T, profile.hierarchy, "Show entries in a hierarchy"),
	OPT_BOOL(0, "force", T, dso.force, "don't complain, do it"),
	OPT_INT('r', "realtime", T, realtime, "n", "collect data with this RT SCHED_FIFO priority"),
	OPT_U64(0, "num-thread-synthesize", T, synth_threads, "n",
		"number of thread to run event synthesize"),
	OPT_U64(0, "proc-map-timeout", T, sampling.cfg.map_timeout_ms, "n",
		"per thread proc mmap processing timeout in ms"),
	OPT_BOOL(0, "source", T, source, "Interleave source code with assembly code (default)"),
	OPT_BOOL(0, "asm-raw", T, annotate.raw, "Display raw encoding of assembly instructions"),
	OPT_STR('M', "disassembler-style", T, annotate.style, "disassembler style",
		"Specify disassembler style (e.g. -M intel for intel syntax)"),
	OPT_STR(0, "objdump", T, annotate.objdump, "path",
		"objdump binary to use for disassembly and annotations"),
	OPT_STR(0, "prefix", T, annotate.prefix, "prefix",
		"Add prefix to source file path names in programs (with --prefix-strip)"),
	OPT_U64(0, "prefix-strip", T, prefix_strip, "N",
		"Strip first N entries of source file path name in programs (with --prefix)"),
	CALL('b', "branch-any", "", "sample any taken branches", sampling_parse_branch, OPT_NOARG),
	CALL('j', "branch-filter", "branch filter mask", "branch stack filter modes",
	     sampling_parse_branch, 0),
	OPT_CALL_F(0, "branch-history", T, stitch_lbr /* nothing is set */, "",
		   "not supported live: record -b -g, then report --branch-history", refuse_history,
		   OPT_NOARG),
	OPT_CALL(0, "addr2line", T, stitch_lbr /* nothing is set */, "path",
		 "accepted for scripts: perf reads source lines by itself", opt_ignore),
	OPT_BOOL('D', "dump-symtab", T, dump_symtab, "dump the symbol table used for profiling"),
	OPT_U64(0, "group-sort-idx", T, group_sort, "n",
		"Sort the output by the event at the index n in group. If n is invalid, sort by "
		"the first event. WARNING: should be used on grouped events."),
	OPT_BOOL(0, "overwrite", T, sampling.cfg.overwrite,
		 "rings keep the newest samples, which take the place of the oldest"),
	EVENT_SWITCH_SHOW(T, switches),
	EVENT_SWITCH_NAMES(T, switches),
	OPT_BOOL(0, "stitch-lbr", T, stitch_lbr, "Enable LBR callgraph stitching approach"),
	OPT_STR(0, "record", T, record, "file", "keep what is seen in a file, for perf report"),
	OPT_STR(0, "sym-annotate", T, sym_annotate, "symbol name", "symbol to annotate"),
	OPT_END
};

static int parse_relative(const char *value, void *target, struct err *e)
{
	return profile_parse_percentage(value, target, e);
}

static int set_children(const char *value, void *target, struct err *e)
{
	struct top_opts *o = target;

	o->children_given = true;
	if (config_parse_bool(value, &o->profile.children))
		return 0;
	return err_set(e, EINVAL, "top.children is true or false, not '%s'", value);
}

const struct config_row top_config[] = {
	CONFIG_ROW("top.call-graph", CONFIG_CALL, T, sampling.usual_callgraph,
		   sampling_set_callgraph),
	CONFIG_ROW("call-graph.record-mode", CONFIG_CALL, T, sampling.usual_callgraph,
		   sampling_set_callgraph),
	{ "call-graph.dump-size", CONFIG_CALL, 0, sampling_set_dump_size },
	{ "top.children", CONFIG_CALL, 0, set_children },
	CONFIG_ROW("tui.top", CONFIG_BOOL, T, tui, NULL),
	TUI_COLOUR_ROWS(T, colours),
	CONFIG_ROW("hist.percentage", CONFIG_CALL, T, profile.relative, parse_relative),
	CONFIG_END
};
