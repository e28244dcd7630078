/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat: what the command line of perf stat says, and one measurement; shared by the files of this
 * directory.
 */
#ifndef CMD_STAT_STAT_H
#define CMD_STAT_STAT_H

#include "capture/control.h"
#include "capture/plan.h"
#include "cli/number_list.h"
#include "cli/options.h"
#include "count/measurement.h"
#include "count/recorder.h"
#include "selection/event_args.h"

enum { STAT_TOPDOWN_LEVELS = 2 };
enum {
	STAT_EXIT_FAILED = 255,
	STAT_EXIT_INVALID = 234,
	STAT_EXIT_NOTHING = 1,
	STAT_EXIT_NO_TOPDOWN = 22
};

struct stat_opts {
	struct count_opts count;
	struct event_args event_args;

	bool group, null_run, sync;
	int detail, verbose;
	bool big_num, big_num_given;
	bool no_aggr, per_socket, per_die, per_core, per_node;
	bool per_cluster, per_cache;
	const char *separator, *output, *pre, *post, *control, *each_cgroup;
	enum event_guests guests;
	char *matched_cgroups; /* the names that each_cgroup is then, if it was given as patterns */
	bool json, append;
	int log_fd, repeat;
	bool log_fd_given, timeout_given, repeat_given;
	bool interval_clear, summary, no_csv_summary, table, quiet;
	bool ignored;
	bool affinity; /* counters may be read on their own CPUs */
	bool transaction, smi_cost, metric_only_given;
	bool unfreeze; /* freeze_on_smi is to be reset at the end */
	bool plan, no_multiplex;
	bool close_late; /* many tracepoints by another process, after the end */
	const char *cputype; /* kind of core: "core", "atom"; NULL = all */
	struct number_list programs; /* BPF programs in which counts are taken; nr 0: everywhere */
	const char *program_list; /* as it was given */
	bool by_bpf; /* all events are counted by BPF, shared with other perfs */
	const char *bpf_names; /* a list of events that are always counted so, NULL = none */
	const char *iostat; /* --iostat: "" = all ports, "list", or some of them; NULL = not */

	bool recording; /* perf stat record */
	struct count_recorder_opts recorded; /* of that */

	/* from the above */
	int out_fd;
};

/* Everything that is measured and shown. */
struct stat_run {
	struct stat_opts *opts;
	struct measurement m;
	struct control control; /* --control, fd -1 = none, or gone */
	struct event_plan plan; /* with --plan and --no-multiplex */
	bool *unsupported; /* per event, from the pass that opened it; NULL = one pass */
	bool output_lost; /* and told */
	struct count_recorder *recorder; /* perf stat record */
	int failed; /* exit code of a recording that cannot go on */
	const char *title; /* the recording's command line; NULL = this one's */
	const struct opt *recorded; /* stat report: the options that this line may have */
};

/* events.c: complete the list of events from the options. 0, or the exit code after having said
 * what is wrong. */
int stat_events_prepare(struct stat_opts *o);
/* Undo what the events needed to have changed on the machine. */
void stat_events_restore(struct stat_opts *o);

/* run.c: one run: 0, or the exit code after having said what is wrong. */
int stat_run_once(struct stat_run *s, u32 run);
/* A line, on a terminal, about a machine that has no counters. */
void stat_hint_no_pmu(const struct stat_run *s);

/* control.c */
/* There is something to read on s->control: obey. False: measuring is to end. */
bool stat_control_handle(struct stat_run *s);

/* report.c: perf stat report; argv[0] is "report"; recorded: the options of perf stat. Returns the
 * exit code. */
int stat_report(const struct opt *recorded, int argc, const char **argv);

/* recorded.c: set -M, --topdown and their like in o to what the words of a recording's command line
 * say, as the options of this table. */
void stat_options_recorded(struct stat_opts *o, const struct opt *table, const char *const *words,
			   size_t nr);

/* plan.c: --plan and --no-multiplex. Make the plan, print it when asked for. */
void stat_plan(struct stat_run *s);
/* How often the command runs for one result. */
u32 stat_passes(const struct stat_run *s);
/* Choose the events of a pass, before it; keep what it has found out, after it. */
void stat_pass_begin(struct stat_run *s, u32 pass);
void stat_pass_end(struct stat_run *s);

/* show.c: what was counted, as text. */
void stat_show(struct stat_run *s, bool interval);
void stat_show_verbose(const struct stat_run *s);
void stat_run_release(struct stat_run *s);

#endif
