/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat: what the command line of perf stat says, and one measurement; shared by the files of this
 * directory.
 */
#ifndef CMD_STAT_STAT_H
#define CMD_STAT_STAT_H

#include "agg/counts.h"
#include "base/arena.h"
#include "capture/control.h"
#include "capture/count.h"
#include "capture/plan.h"
#include "capture/workload.h"
#include "cli/options.h"
#include "selection/event_args.h"
#include "event/names.h"
#include "render/counters.h"
#include "sys/cpu.h"

struct command;
extern const struct command cmd_stat;

enum { STAT_TOPDOWN_LEVELS = 2 };
enum {
	STAT_EXIT_FAILED = 255,
	STAT_EXIT_INVALID = 234,
	STAT_EXIT_NOTHING = 1,
	STAT_EXIT_NO_TOPDOWN = 22
};

struct stat_opts {
	struct event_list events;
	struct event_env env;
	struct event_args event_args;
	struct counting_config counting;

	const char *pids, *tids, *cpus;
	bool system_wide;
	bool group, null_run, sync, scale;
	int detail, verbose;
	bool big_num, big_num_given;
	bool no_aggr, per_socket, per_die, per_core, per_node, per_thread;
	bool per_cluster, per_cache;
	u32 cache_level; /* 0 = the last */
	const char *separator, *output, *pre, *post, *control, *each_cgroup;
	char *matched_cgroups; /* the names that each_cgroup is then, if it was given as patterns */
	bool json, append;
	int log_fd, interval_ms, interval_count, timeout_ms, delay_ms, repeat;
	bool log_fd_given, timeout_given, repeat_given;
	bool interval_clear, summary, no_csv_summary, table, metric_only, quiet;
	bool no_merge, hide_zero, ignored;
	bool affinity; /* counters may be read on their own CPUs */
	bool transaction, smi_cost, metric_only_given, percore_show_thread;
	bool unfreeze; /* freeze_on_smi is to be reset at the end */
	bool plan, no_multiplex;
	bool close_late; /* many tracepoints by another process, after the end */
	const char *cputype; /* kind of core: "core", "atom"; NULL = all */
	const char *metrics; /* -M */
	bool topdown, metric_no_group, metric_no_merge, metric_no_threshold;
	int td_level; /* 0 = all */
	struct stat_metrics *metric_set; /* NULL = none */
	const char *iostat; /* --iostat: "" = all ports, "list", or some of them; NULL = not */
	struct stat_ports *ports; /* NULL = none; those shown */
	const char *unsupported; /* an option that is known but not there yet */

	bool recording; /* perf stat record */
	const char *data_path; /* where to, NULL = perf.data */
	const char **line; /* the whole command line, for the file */

	/* from the above */
	enum count_aggr aggr;
	const char *const *command; /* the workload's words, NULL = none */
	int out_fd;
};

/* Whose count a row shows. */
struct stat_owner {
	struct count_place place;
	size_t task; /* in the target, with --per-thread */
	char name[64];
	struct count_place core; /* with -A: of the CPU, for the term percore */
	char core_name[64];
};

/* One count of the result, over all runs. */
struct stat_cell {
	struct moments value, enabled, running;
	u32 nr_cpus;
};

/* Everything that is measured and shown. */
struct stat_run {
	struct stat_opts *opts;
	struct capture_target target;
	struct workload workload;
	struct counting counters;
	struct counting last_counters; /* of the run before, until those of this one are open */
	struct sys_topology topology;
	sys_caches caches; /* read with --per-cache */
	VEC(struct stat_owner) owners;
	u32 *cpu_owners; /* by CPU: its row + 1, 0 = none */
	size_t nr_cpu_owners;
	struct stat_cell *cells; /* [event * owners + owner] */
	struct count_value **previous; /* per event, for intervals; NULL entries until the first */
	u64 start_ns, interval_start_ns, end_ns;
	u64 intervals; /* printed so far */
	VEC(double) seconds; /* elapsed of each run */
	double user_seconds, system_seconds;
	struct control control; /* --control, fd -1 = none, or gone */
	struct event_plan plan; /* with --plan and --no-multiplex */
	bool *unsupported; /* per event, from the pass that opened it; NULL = one pass */
	bool timed_out;
	bool stopped; /* by --control */
	bool output_lost; /* and told */
	bool has_cgroups; /* at least one event belongs to one */
	struct stat_recorder *recorder; /* perf stat record */
	int failed; /* exit code of a recording that cannot go on */
	const struct stat_replay *replay; /* perf stat report: the values are a file's */
};

/* What only a file knows. */
struct stat_replay {
	const char *title; /* the recording's command line */
	char (*comms)[16]; /* of the target's tasks */
};

/* events.c: complete the list of events from the options. 0, or the exit code after having said
 * what is wrong. */
int stat_events_prepare(struct stat_opts *o);
/* Undo what the events needed to have changed on the machine. */
void stat_events_restore(struct stat_opts *o);

/* run.c: the targets. 0, or what is wrong: -1 the CPUs, -2 the processes, -3 the threads; *e names
 * those. */
int stat_resolve_target(struct stat_run *s, struct err *e);
/* One run: 0, or the exit code after having said what is wrong. */
int stat_run_once(struct stat_run *s, u32 run);
/* The signal that ended the measurement, 0 = none. */
int stat_interrupted(void);
/* A line, on a terminal, about a machine that has no counters. */
void stat_hint_no_pmu(const struct stat_run *s);
void stat_install_signals(void);

/* control.c */
/* There is something to read on s->control: obey. False: measuring is to end. */
bool stat_control_handle(struct stat_run *s);

/*
 * record.c: perf stat record. Begin when the counters are open: creates the file and describes
 * them. A round writes the values just read. 0, or the exit code after having said what is wrong.
 * End frees the recorder (NULL is fine).
 */
int stat_recorder_prepare(struct stat_opts *o); /* before anything is opened: where to write */
int stat_recorder_begin(struct stat_run *s);
int stat_recorder_round(struct stat_run *s, bool final);
int stat_recorder_end(struct stat_run *s);
/* Ids of what is no counter of the kernel, far above those that it gives. */
#define STAT_TOOL_ID_BASE ((u64)1 << 62)
/* false: unknown or none. */
bool stat_aggr_from_file(u64 number, enum count_aggr *aggr);

/* report.c: perf stat report; argv[0] is "report". Returns the exit code. */
int stat_report(int argc, const char **argv);

/* recorded.c: set -M, --topdown and their like in o to what the words of a recording's command line
 * say. */
void stat_options_recorded(struct stat_opts *o, const char *const *words, size_t nr);

/* plan.c: --plan and --no-multiplex. Make the plan, print it when asked for. */
void stat_plan(struct stat_run *s);
/* How often the command runs for one result. */
u32 stat_passes(const struct stat_run *s);
/* Choose the events of a pass, before it; keep what it has found out, after it. */
void stat_pass_begin(struct stat_run *s, u32 pass);
void stat_pass_end(struct stat_run *s);

/* tool.c: the value of a tool event, with the times for which it holds. end_ns is set. */
struct count_value stat_tool_value(const struct stat_run *s, const struct event *ev);

u64 stat_tool_level(enum event_tool tool);

/* metrics.c: -M, --topdown. Appends the events that they need; 0, or the exit code. */
int stat_metrics_prepare(struct stat_opts *o);
/* The machine of a recording. */
struct stat_recorded_metrics {
	const char *cpuid; /* "" = unknown */
	/* A level (enum event_tool) of that machine, false = unknown. */
	bool (*level)(void *ctx, u32 tool, double *out);
	void *ctx;
};
/* The same for a recording, whose events are in the list: finds those of each metric among them.
 * What is unknown here is told once; what was not counted has no value. recorded must outlive the
 * set. */
int stat_metrics_restore(struct stat_opts *o, const struct stat_recorded_metrics *recorded);
void stat_metrics_free(struct stat_metrics *set);
/* The count of an event of a group, false = not counted. */
typedef bool (*stat_metric_value_fn)(void *ctx, const char *name, u32 group, double *out);
/* The metrics of a group into out, at most room; returns how many. Labels belong to set. */
size_t stat_metrics_of(struct stat_metrics *set, u32 group, stat_metric_value_fn value, void *ctx,
		       struct view_ratio *out, size_t room);

/*
 * iostat.c: --iostat. Read the root ports of this machine into o->ports, then keep those that a
 * list "0000:17,0:3a" names (what is wrong in it is told, -1: nothing is left). List them; the
 * events that count their traffic; their rows, stat_iostat_nr() of them, which borrow from the
 * arena.
 */
int stat_iostat_read(struct stat_opts *o, struct err *e);
int stat_iostat_select(struct stat_opts *o, const char *list, struct err *e);
void stat_iostat_list(const struct stat_opts *o);
void stat_iostat_events(const struct stat_opts *o, struct strbuf *text);
size_t stat_iostat_nr(const struct stat_opts *o);
void stat_iostat_rows(const struct stat_run *s, struct arena *a, struct view_count *rows);
void stat_iostat_free(struct stat_ports *ports);

/* show.c: summing up and printing. */
void stat_owners_init(struct stat_run *s);
/* Read all counters, and what is known without one. end_ns is set. */
void stat_read(struct stat_run *s);
/* Add the values just read, less the previous ones when delta is set, to the cells. */
void stat_cells_add(struct stat_run *s, bool delta);
void stat_cells_reset(struct stat_run *s);
/* What was counted on a CPU, with COUNT_CPU; NULL = nothing is counted there. */
const struct stat_cell *stat_cell_of_cpu(const struct stat_run *s, size_t event, u32 cpu);
void stat_show(struct stat_run *s, bool interval);
void stat_show_verbose(struct stat_run *s);
/* The unit that is shown behind a count, "" = none. */
const char *stat_unit_of(const struct event *ev);
/* Frees everything of a run but the options. */
void stat_run_release(struct stat_run *s);

#endif
