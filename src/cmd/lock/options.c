/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of the words of perf lock. */
#include "cmd/lock/lock.h"

static int add_delay(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		     struct err *e UNUSED)
{
	words_add(&((struct lock_opts *)target)->delays, arg);
	return 0;
}

#define L struct lock_opts
/* Of all of them, though the text of -h shows them in front of the word. */
#define SHARED_ROWS                                                                                \
	RECORDING_INPUT(L, rec), RECORDING_VERBOSE(L, rec),                                        \
		OPT_BOOL('q', "quiet", L, rec.quiet, "Do not show any warnings or messages"),      \
		OPT_STR(0, "vmlinux", L, rec.opts.dso.vmlinux, "file", "vmlinux pathname"),        \
		OPT_STR(0, "kallsyms", L, rec.opts.dso.kallsyms, "file", "kallsyms pathname"),     \
		RECORDING_TIME(L, rec)

#define JSON_ROW OPT_BOOL(0, "json", L, json, "print an object for each row (doc/json.md)")
#define ROWS                                                                                       \
	JSON_ROW, OPT_STR('x', "field-separator", L, separator, "separator",                       \
			  "print the same values with this between them")
/* -t has another meaning. */
#define CHOICE_ROWS                                                                                \
	OPT_STR('C', "cpu", L, cpus, "cpu", "only waits on these CPUs"),                           \
		OPT_STR('p', "pid", L, rec.pids, "pid", "only waits of these processes"),          \
		OPT_STR(0, "tid", L, rec.tids, "tid", "only waits of these threads")

const struct opt lock_report_table[] = {
	OPT_STR('k', "key", L, key, "acquired",
		"key for sorting (acquired / contended / avg_wait / wait_total / wait_max / "
		"wait_min)"),
	OPT_STR('F', "field", L, fields, "...",
		"output fields (acquired / contended / avg_wait / wait_total / wait_max / "
		"wait_min)"),
	OPT_BOOL('t', "threads", L, by_task, "show per-thread lock stats"),
	OPT_BOOL('c', "combine-locks", L, combine, "combine locks in the same class"),
	OPT_INT('E', "entries", L, entries, "n", "display this many functions"),
	CHOICE_ROWS,
	ROWS,
	SHARED_ROWS,
	OPT_END,
};

const struct opt lock_contention_table[] = {
	OPT_STR('k', "key", L, key, "wait_total",
		"key for sorting (contended / wait_total / wait_max / wait_min / avg_wait)"),
	OPT_STR('F', "field", L, fields, "contended,wait_total,wait_max,avg_wait",
		"output fields (contended / wait_total / wait_max / wait_min / avg_wait)"),
	OPT_BOOL('t', "threads", L, by_task, "show per-thread lock stats"),
	OPT_BOOL('l', "lock-addr", L, by_lock, "show lock stats by address"),
	OPT_BOOL('a', "all-cpus", L, all_cpus, "of all CPUs that were recorded (default)"),
	CHOICE_ROWS,
	OPT_STR('Y', "type-filter", L, types, "FLAGS", "Filter specific type of locks"),
	OPT_STR('L', "lock-filter", L, locks, "ADDRS/NAMES",
		"Filter specific address/symbol of locks"),
	OPT_STR('S', "callstack-filter", L, callers, "NAMES",
		"Filter specific function in the callstack"),
	OPT_INT('E', "entries", L, entries, "n", "display this many functions"),
	OPT_INT(0, "max-stack", L, max_stack, "num",
		"Set the maximum stack depth when collecting lock contention, Default: 8"),
	OPT_INT(0, "stack-skip", L, stack_skip, "n",
		"Set the number of stack depth to skip when finding a lock caller, Default: 3"),
	OPT_STR('x', "field-separator", L, separator, "separator",
		"print result in CSV format with custom separator"),
	OPT_STR(0, "output", L, output, "file", "output file name"),
	JSON_ROW,
	OPT_BOOL('b', "use-bpf", L, live, "use BPF program to collect lock contention stats"),
	OPT_INT('M', "map-nr-entries", L, map_entries, "num", "Max number of BPF map entries"),
	OPT_BOOL('o', "lock-owner", L, by_owner, "show lock owners instead of waiters"),
	OPT_STR('G', "cgroup-filter", L, cgroups, "CGROUPS", "Filter specific cgroups"),
	OPT_CALL_F('J', "inject-delay", L, rec, "TIME@LOCK",
		   "Make whoever waited for this lock keep it for longer", add_delay, OPT_NONEG),
	OPT_BOOL(0, "lock-cgroup", L, by_cgroup, "show lock stats by cgroup"),
	SHARED_ROWS,
	OPT_END,
};

const struct opt lock_info_table[] = {
	OPT_BOOL('t', "threads", L, by_task, "dump the thread list in perf.data"),
	OPT_BOOL('m', "map", L, map, "dump the map of lock instances (address:name table)"),
	CHOICE_ROWS,
	ROWS,
	SHARED_ROWS,
	OPT_END,
};

const char *const lock_report_usage[] = { "perf lock report [<options>]", NULL };
const char *const lock_contention_usage[] = { "perf lock contention [<options>]",
					      "perf lock contention -b [<options>] [<command>]",
					      NULL };
const char *const lock_info_usage[] = { "perf lock info [<options>]", NULL };
