/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the words of perf kwork. */
#include "cmd/kwork/kwork.h"

#define K struct kwork_cmd
#define BPF_ROW OPT_BOOL('b', "use-bpf", K, use_bpf, "Use BPF to measure kwork runtime")
#define SHARED_ROWS                                                                                \
	OPT_STR('C', "cpu", K, cpus, "cpu", "list of cpus to profile"), RECORDING_TASKS(K, rec),   \
		OPT_STR('n', "name", K, name, "name", "event name to profile"),                    \
		OPT_STR(0, "time", K, time, "str", "Time span for analysis (start,stop)"),         \
		RECORDING_FILE(K, rec), OPT_BOOL(0, "json", K, json, "print JSON"),                \
		OPT_STR('x', "field-separator", K, separator, "separator",                         \
			"print values with this between them (doc/cmd/kwork.md)")

const struct opt kwork_report_table[] = {
	OPT_STR('s', "sort", K, sort, "key[,key2...]", "sort by key(s): runtime, max, count"),
	OPT_BOOL('S', "with-summary", K, summary, "Show summary with statistics"),
	BPF_ROW,
	SHARED_ROWS,
	OPT_END,
};

const struct opt kwork_latency_table[] = {
	OPT_STR('s', "sort", K, sort, "key[,key2...]", "sort by key(s): avg, max, count"),
	BPF_ROW,
	SHARED_ROWS,
	OPT_END,
};

const struct opt kwork_timehist_table[] = {
	RECORDING_KERNEL_FILES(K, rec),
	RECORDING_SYMFS(K, rec),
	OPT_BOOL('g', "call-graph", K, call_graph, "Display call chains if present"),
	OPT_INT(0, "max-stack", K, max_stack, "n",
		"Maximum number of functions to display backtrace."),
	SHARED_ROWS,
	OPT_END,
};

const struct opt kwork_top_table[] = {
	OPT_STR('s', "sort", K, sort, "key[,key2...]", "sort by key(s): rate, runtime, tid"),
	BPF_ROW,
	SHARED_ROWS,
	OPT_END,
};

const char *const kwork_report_usage[] = { "perf kwork report [<options>]", NULL };
const char *const kwork_latency_usage[] = { "perf kwork latency [<options>]", NULL };
const char *const kwork_timehist_usage[] = { "perf kwork timehist [<options>]", NULL };
const char *const kwork_top_usage[] = { "perf kwork top [<options>]", NULL };
