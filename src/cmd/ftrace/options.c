/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace: options of its subcommands. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "cmd/ftrace/ftrace.h"

const char *const ftrace_usage[] = {
	"perf ftrace [<options>] [<command>]", "perf ftrace [<options>] -- [<command>] [<options>]",
	"perf ftrace {trace|latency|profile} [<options>] [<command>]",
	"perf ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]", NULL
};

/* A word of --graph-opts or --func-opts: a switch, or a number behind '='. */
struct tracer_word {
	const char *name;
	size_t offset; /* in the settings */
	bool number;
};

#define WORD(name, member)                                                                         \
	{                                                                                          \
		name, offsetof(struct ftrace_settings, member), false                              \
	}
#define NUMBER(name, member)                                                                       \
	{                                                                                          \
		name, offsetof(struct ftrace_settings, member), true                               \
	}
static const struct tracer_word graph_words[] = {
	WORD("args", args),
	WORD("retval", retval),
	WORD("retval-hex", retval_hex),
	WORD("retaddr", retaddr),
	WORD("nosleep-time", nosleep_time),
	WORD("noirqs", noirqs),
	WORD("verbose", verbose),
	WORD("tail", tail),
	NUMBER("thresh", thresh),
	NUMBER("depth", depth),
	{ NULL, 0, false },
};
static const struct tracer_word function_words[] = {
	WORD("call-graph", call_graph),
	WORD("irq-info", irq_info),
	{ NULL, 0, false },
};

static int take_word(struct ftrace_settings *s, const struct tracer_word *words, char *text,
		     struct err *e)
{
	char *value = strchr(text, '=');
	u64 n = 0;

	if (value)
		*value++ = '\0';
	for (const struct tracer_word *w = words; w->name; w++) {
		if (strcmp(w->name, text) != 0)
			continue;
		if (w->number != (value != NULL))
			return err_set(e, EINVAL, "Option '%s' takes %s", text,
				       w->number ? "a number behind '='" : "no value");
		if (!w->number) {
			*((bool *)s + w->offset) = true;
			return 0;
		}
		if (!fmt_parse_u64(value, &n) || n > INT32_MAX)
			return err_set(e, EINVAL, "'%s' is no number for '%s'", value, text);
		memcpy((char *)s + w->offset, &(u32){ (u32)n }, sizeof(u32));
		return 0;
	}
	return err_set(e, EINVAL, "Unknown option name '%s'", text);
}

static int take_words(struct ftrace_opts *o, const struct tracer_word *words, const char *arg,
		      struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(arg);
	char *rest = copy, *word;

	while ((word = strsep(&rest, ","))) {
		if (*word && take_word(&o->settings, words, word, e))
			return -1;
	}
	return 0;
}

static int parse_graph_opts(const struct opt *opt UNUSED, void *target, const char *arg,
			    bool unset UNUSED, struct err *e)
{
	return take_words(target, graph_words, arg, e);
}

static int parse_func_opts(const struct opt *opt UNUSED, void *target, const char *arg,
			   bool unset UNUSED, struct err *e)
{
	return take_words(target, function_words, arg, e);
}

/* One more function or glob. */
static int parse_function(const struct opt *opt UNUSED, void *target, const char *arg,
			  bool unset UNUSED, struct err *e)
{
	if (!*arg || strpbrk(arg, " \t\n"))
		return err_set(e, EINVAL, "'%s' is no name of a function", arg);
	*VEC_PUSH((struct ftrace_names *)target) = arg;
	return 0;
}

static int parse_size(const struct opt *opt UNUSED, void *target, const char *arg,
		      bool unset UNUSED, struct err *e)
{
	size_t len = strlen(arg);

	if (!len || !strchr("BKMGbkmg", arg[len - 1]) || !fmt_parse_size(arg, target) ||
	    !*(u64 *)target || *(u64 *)target > 1ULL << 40)
		return err_set(e, EINVAL, "'%s' is no size of a buffer: a number and B, K, M or G",
			       arg);
	return 0;
}

static int parse_list(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
		      struct err *e UNUSED)
{
	struct ftrace_opts *o = target;

	o->list = !unset;
	o->list_glob = arg;
	return 0;
}

static int parse_delay(const struct opt *opt UNUSED, void *target, const char *arg,
		       bool unset UNUSED, struct err *e)
{
	if (!fmt_parse_u64(arg, target) || *(u64 *)target > 1000ULL * 60 * 60 * 24 * 365)
		return err_set(e, EINVAL, "'%s' is no time in milliseconds", arg);
	return 0;
}

#define T struct ftrace_opts
#define TARGETS                                                                                    \
	OPT_STR('p', "pid", T, sampling.pids, "pid", "trace these processes"),                     \
		OPT_STR(0, "tid", T, sampling.tids, "tid", "trace these threads"),                 \
		OPT_BOOL('a', "all-cpus", T, sampling.system_wide,                                 \
			 "trace all tasks, on all CPUs"),                                          \
		OPT_STR('C', "cpu", T, sampling.cpus, "cpu", "trace all tasks on these CPUs"),     \
		OPT_BOOL(0, "inherit", T, settings.inherit, "trace children, too"),                \
		OPT_INCR('v', "verbose", T, sampling.verbose, "be more verbose")
#define BUFFER                                                                                     \
	OPT_CALL_F('m', "buffer-size", T, settings.buffer_bytes, "size",                           \
		   "size of each CPU's buffer: a number and B, K, M or G", parse_size, OPT_NONEG)
#define FUNCTIONS(h)                                                                               \
	OPT_CALL_F('T', "trace-funcs", T, settings.functions, "func", h, parse_function, OPT_NONEG)
#define FILTERS                                                                                    \
	OPT_CALL_F('N', "notrace-funcs", T, settings.not_functions, "func",                        \
		   "leave out these functions", parse_function, OPT_NONEG),                        \
		OPT_CALL_F('G', "graph-funcs", T, settings.graphs, "func",                         \
			   "trace these functions and what they call, by function_graph",          \
			   parse_function, OPT_NONEG),                                             \
		OPT_CALL_F('g', "nograph-funcs", T, settings.not_graphs, "func",                   \
			   "leave out these functions and what they call", parse_function,         \
			   OPT_NONEG),                                                             \
		OPT_CALL_F(0, "graph-opts", T, sampling, "options",                                \
			   "of function_graph: args,retval,retval-hex,retaddr,nosleep-time,"       \
			   "noirqs,verbose,tail,thresh=<n>,depth=<n>",                             \
			   parse_graph_opts, OPT_NONEG)

const struct opt ftrace_trace_table[] = {
	OPT_STR('t', "tracer", T, settings.tracer, "tracer",
		"function_graph (default) or function"),
	OPT_CALL_F('F', "funcs", T, sampling, "FILTER", "list functions that can be traced",
		   parse_list, OPT_LASTARG_OPT | OPT_OPTARG),
	FUNCTIONS("trace these functions, by the tracer function"),
	FILTERS,
	OPT_CALL_F(0, "func-opts", T, sampling, "options",
		   "of the tracer function: call-graph,irq-info", parse_func_opts, OPT_NONEG),
	BUFFER,
	OPT_CALL_F('D', "delay", T, delay, "n", "ms to wait before tracing after the command began",
		   parse_delay, OPT_NONEG),
	TARGETS,
	OPT_END,
};

#define NUMBER_GIVEN(l, m, i, h)                                                                   \
	{                                                                                          \
		.type = OPT_TYPE_U64, .long_name = OPT_TEXT(l, h, "n"), .offset = offsetof(T, m),  \
		.set_offset = offsetof(T, bounds_given[i])                                         \
	}
const struct opt ftrace_latency_table[] = {
	FUNCTIONS("measure calls of this function"),
	OPT_STR('e', "events", T, events, "event1,event2",
		"measure from one event to another of the same thread"),
	OPT_BOOL('b', "use-bpf", T, use_bpf, "measure in the kernel, by BPF"),
	OPT_BOOL('n', "use-nsec", T, buckets.in_ns, "show ns in place of us"),
	OPT_U64(0, "bucket-range", T, buckets.range, "n",
		"width of a bucket in us, or ns with -n; powers of two without"),
	NUMBER_GIVEN("min-latency", buckets.least, 0, "end of the first bucket"),
	NUMBER_GIVEN("max-latency", most, 1, "begin of the last bucket"),
	OPT_BOOL(0, "hide-empty", T, hide_empty, "leave out buckets that have nothing"),
	BUFFER,
	TARGETS,
	OPT_END,
};

const struct opt ftrace_profile_table[] = {
	FUNCTIONS("profile these functions"),
	FILTERS,
	OPT_STR('s', "sort", T, sort, "key", "total (default), avg, max, count or name"),
	BUFFER,
	TARGETS,
	OPT_END,
};
