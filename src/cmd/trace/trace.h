/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace: what the files of the command perf trace share.
 */
#ifndef CMD_TRACE_TRACE_H
#define CMD_TRACE_TRACE_H

#include <stdio.h>

#include "recording/event_switch.h"
#include "recording/recording.h"
#include "selection/sampling.h"
#include "trace/groups.h"
#include "trace/layout.h"
#include "trace/tracer.h"

enum { TRACE_FAILED = 255 };

/* Calls that -e names. */
struct trace_selection {
	VEC(const char *) words; /* none = all calls */
	bool others; /* all but those */
	VEC(char *) texts; /* that words point into */
	VEC(u8) known; /* by number: 0 = not looked up yet, 1 = wanted, 2 = not */
};

enum trace_faults { FAULTS_NONE, FAULTS_MAJOR, FAULTS_MINOR, FAULTS_ALL };
enum trace_mode { MODE_THREAD, MODE_TOTAL, MODE_CGROUP };

struct syscall_stats;

typedef VEC(u32) trace_tids;

struct trace_opts {
	struct sampling sampling; /* must be first */
	struct recording rec;
	struct event_switch switches;
	struct trace_selection selection;
	struct trace_syscalls *syscalls,
		*compat; /* of this machine, and of 32-bit programs or NULL */
	const char *input, *output;
	const char *cgroup, *filter_pids;
	bool summary, with_summary, errno_summary, hist;
	enum trace_mode mode;
	u64 max_summary;
	bool full_time, show_comm, show_cpu, failures;
	bool show_time, show_duration, show_zeros, show_arg_names, show_prefix;
	u64 args_alignment;
	const char *add_events;
	VEC(char *) touched; /* -P: files, as given and where they are */
	bool trace_syscalls, syscalls_given;
	double duration; /* ms */
	enum trace_faults faults;
	bool sched;
	u64 max_events, min_stack, max_stack;
	bool min_stack_given, max_stack_given;
	bool kernel_stacks, print_fmt, bit_lists, print_sample, sort, tool_stats;
	int delay;
	bool has_stacks;
	bool force_btf, bpf_summary;
	u64 max_string; /* bytes of a buffer that are shown */
	/* bpf/trace_args, NULL = the kernel's own tracepoints */
	struct trace_args *program;
	struct trace_layouts *layouts;
	struct event *enter, *exit; /* its samples */
	bool follows_files; /* calls that nobody wants tell it what descriptors are */
	struct syscall_stats *stats; /* sums are made in the kernel; NULL = here */
	trace_tids ended; /* threads whose sums the kernel has still */
};

/* -e TEXT: calls go to the selection, the others to the events. */
int trace_select(struct trace_opts *o, const char *text, struct err *e);
bool trace_selection_wants(struct trace_selection *sel, const struct trace_syscall *s);
void trace_selection_release(struct trace_selection *sel);
/* Whether all calls of a process come from where they are traced, and not of some of its threads,
 * times or CPUs alone. */
bool trace_sees_processes(const struct trace_opts *o);
/* Threads whose calls are left out. */
void trace_left_out(const struct trace_opts *o, bool everybody, trace_tids *out);
/* The condition that has the kernel drop what is not wanted: "id == 1 || id == 2"; "" = none. */
void trace_selection_filter(const struct trace_opts *o, bool everybody, struct strbuf *out);

/*
 * Calls told by a program in the kernel, with the memory of their arguments: events for its samples
 * are added, later it begins. If it cannot be, o is left alone, and why tells what is in the way;
 * it stays empty where nobody expects one.
 */
bool trace_program_open(struct trace_opts *o, const struct capture_target *target, bool everybody,
			struct err *why);
int trace_program_begin(struct trace_opts *o, const struct capture *c, struct err *e);
void trace_program_close(struct trace_opts *o);

/* Live: an exit status. command: its words, NULL = none. */
int trace_live(struct trace_opts *o, const char *const *line, const char *const *command);
int trace_recorded(struct trace_opts *o);
int trace_record(const struct config *config, int argc, const char **argv);

/* Sums that the kernel makes (bpf/syscall_stats), in place of samples: whether it can as well as
 * they do; target may be NULL. */
bool trace_stats_can(const struct trace_opts *o, const struct capture_target *target);
int trace_stats_open(struct trace_opts *o, const struct capture_target *target, bool everybody,
		     struct err *e);
void trace_stats_begin(struct trace_opts *o, const struct capture_target *target);
void trace_stats_ended(struct trace_opts *o, struct tracer *t, u32 tid);
void trace_stats_read(struct trace_opts *o, struct tracer *t);
void trace_stats_close(struct trace_opts *o);

/* The tables of -s. */
void trace_print_summary(const struct trace_opts *o, struct tracer *t, FILE *out);

#endif
