/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event: what the user asked to measure: -e text -> attrs, names, groups.
 *
 * An event_list is owned by the command that made it and freed by it. Nothing here opens events;
 * sys/ does that. Results (counts) live elsewhere. One thread.
 *
 * The environment the parser looks at (sysfs, tracefs) is given by struct event_env, so that tests
 * and --symfs-like setups can point it at made-up trees.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "abi/perf_event.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct event;
struct event_env;
struct event_list;
struct similar;

/* Names of values of a tracepoint's field that neither its format nor the kernel's types have, such
 * as flags of system calls. */
struct event_names {
	bool (*find)(const struct event *ev, const char *field, const char *name, size_t len,
		     s64 *value);
	void (*offer)(const struct event *ev, const char *field, struct similar *near);
};

/* What the user wants to be put into code: "uprobe:/bin/x:f(n)" and the like. */
struct event_probe_ask {
	const char *word; /* "uprobe", "kretprobe", ...: the event's system */
	const char *object; /* path of a program or library, or a kernel's module; NULL = the kernel
			     */
	const char *definition; /* of the point and its arguments, as perf probe takes them */
	bool is_user;
};

/* What became of it: a tracepoint of our own. */
struct event_probe {
	char *name; /* what the event is called behind its word */
	char *tracefs, *group, *tracepoint;
	u64 id;
	bool is_user; /* in the kernel's list of user space */
	/* Takes the tracepoint back, NULL = nothing is to be taken back. */
	void (*remove)(const struct event_probe *p);
};
VEC_TYPE(event_probe_vec, struct event_probe);

/* Makes what is asked for, one entry for each event. -1 and *e; out then has what is to be released
 * all the same. */
typedef int event_probe_fn(const struct event_env *env, const struct event_probe_ask *ask,
			   struct event_probe_vec *out, struct err *e);

/* What a BPF program of an object file needs while its event is open. */
struct event_program_range {
	u32 from, to;
};

struct event_program_map {
	int fd; /* a perf event array, which gets by CPU the descriptors of the event */
	char *event; /* of this name */
	VEC(struct event_program_range) cpus; /* for these */
};

struct event_program {
	int fd; /* of the program that judges samples: 0 drops one; -1 = none */
	int link; /* keeps a program running that needs no event, -1 = none */
	VEC(struct event_program_map) maps;
};

/* Loads the programs of a file, .o or .c, and appends an event for each. settings: what stands
 * between slashes behind its name, "" = nothing. -1 and *e. */
typedef int event_program_fn(const struct event_env *env, const char *path, const char *settings,
			     struct event_list *out, struct err *e);

/* How sources of BPF programs are compiled (llvm.* of the configuration); NULL = as usual. */
struct event_compiler {
	const char *clang, *options;
	const char *command; /* instead of clang's usual one */
	const char *kernel_dir, *kernel_options; /* whose headers are used, of its make */
	const char *llc_options; /* not NULL: llc makes the object */
	bool keeps_object; /* beside the source */
};

struct event_env {
	const char *sysfs; /* NULL = /sys */
	const char *tracefs; /* NULL = looked for: see sys_tracefs_find() */
	const char *debugfs; /* where it is looked for first, NULL = nowhere else than usual */
	const char *procfs; /* NULL = /proc */
	const char *counting_command; /* "perf stat": per-event terms that only sampling uses are
				       * refused in its name; NULL = all terms allowed */
	event_probe_fn *make_probes; /* NULL = probes in place are no events here */
	event_program_fn *load_programs; /* NULL = files of BPF programs are no events here */
	struct event_compiler compiler; /* for these */
	const char *buildid_dir; /* for these: the build-id cache, NULL = the usual one */
};

/* AUTO is FP or DWARF, as the command chooses when it knows what is recorded. */
enum event_callgraph {
	EVENT_CG_UNSET,
	EVENT_CG_NONE,
	EVENT_CG_FP,
	EVENT_CG_DWARF,
	EVENT_CG_LBR,
	EVENT_CG_AUTO,
};

enum { EVENT_STACK_COPY_MAX = 65528 }; /* bytes: the largest copy that fits in a record */

/* How the callers of samples are found. */
struct event_stacks {
	enum event_callgraph mode; /* EVENT_CG_UNSET = no callchains */
	u32 stack_size; /* dwarf: bytes to copy */
	bool frame_pointers; /* dwarf: the kernel follows them, too, for what the copy lacks */
	bool defer; /* fp: the user part is taken on the way back to user space */
	bool watched; /* fp: copies take over where the chains prove broken */
	bool raw; /* dwarf: the copies go to the file, nothing is unwound */
	bool grows; /* dwarf, auto: no size was given: larger copies take over where stacks are
		       longer */
	u16 max_stack; /* frames, 0 = the kernel's sysctl */
};

/* fp[,FRAMES][,defer] | dwarf[,BYTES][,raw] | auto[,BYTES] | lbr | no */
int event_stacks_parse(const char *text, struct event_stacks *out, struct err *e);
/* The i-th of these words, NULL behind the last. */
const char *event_stacks_word(size_t i);

/* Per-event terms that the opener applies over the command's own options. */
struct event_terms {
	bool has_period, has_freq, has_time, has_inherit, has_overwrite, has_max_stack,
		has_stack_size;
	bool time, inherit, overwrite, percore;
	u64 period, freq;
	struct event_stacks
		stacks; /* call-graph=, with raw and defer; mode EVENT_CG_UNSET: not given */
	u32 stack_size; /* bytes; counts instead of that in stacks, as does max_stack */
	u16 max_stack;
	u32 nr;
	bool aux_output;
	bool has_aux_sample_size;
	u32 aux_sample_size; /* bytes of the group's AUX area in each sample, 0 = none */
	bool has_branch_type;
	u64 branch_type; /* attr.branch_sample_type; 0 = no branches */
};

enum event_kind {
	EVENT_HARDWARE,
	EVENT_SOFTWARE,
	EVENT_CACHE,
	EVENT_RAW,
	EVENT_TRACEPOINT,
	EVENT_BREAKPOINT,
	EVENT_PMU,
	EVENT_TOOL,
};

struct event {
	char *name; /* as perf shows it, modifiers included: "cycles:u", "sched:sched_switch" */
	enum event_kind kind;
	struct perf_event_attr attr; /* type, config*, exclude_*, precise_ip, pinned, ... set from
				      * the text; sampling fields are left to the command */
	struct event_terms terms;
	u32 index;
	struct event *leader; /* itself when ungrouped */
	u32 nr_members; /* on the leader: group size */
	char *group_name; /* NULL = none; on the leader */
	bool sample_read; /* :S */
	bool weak_group; /* :W */
	bool bpf_counter; /* :b */
	bool precise_max; /* :P, the opener finds the highest level that works */
	bool guest_given; /* a G or H modifier was written */
	bool per_pkg; /* the PMU counts once for a whole socket */
	bool snapshot; /* its value is a level, as of a temperature, not a sum */
	u32 tool; /* EVENT_TOOL: enum event_tool of event/names.h */
	char *sensor; /* EVENT_TOOL_SENSOR: the file with its value, NULL otherwise */
	u64 config_given; /* bits of attr.config that the user wrote */
	char *pmu_name; /* NULL for the generic types */
	u32 *cpus; /* the PMU's cpumask, NULL = all */
	size_t nr_cpus;
	double scale; /* 1.0 = none */
	char *unit; /* NULL = none */
	char *tp_system, *tp_name; /* tracepoints */
	char *tracefs; /* of these: where it was found */
	struct event_probe *probe; /* made for this event, and taken back with it; NULL = none */
	struct event_program *program; /* of a file's; a copy of the event has none; NULL = none */
	char *filter; /* --filter of this event, NULL = none */
	const struct event_names *names; /* of values of its fields, for the filter; NULL = none */
	char *cgroup; /* -G of this event, NULL = none */
	char *driver_config; /* TEXT of a term @TEXT (CoreSight: the sink), NULL = none */
	u32 metric_group; /* number of the metrics' events it belongs to, 0 = none */
	bool is_dummy_sideband; /* added by record, not asked for */
	bool off_cpu; /* its samples come from capture/off_cpu_samples */
	bool system_wide; /* of all tasks on each CPU, whatever the target is */
	bool by_program; /* a BPF program, which knows whose, makes its samples: it is on from the
			  * start, or the delay's end */
	bool keeps_copies; /* copies of stacks go to the file as they are; set by
			    * capture_configure() */
	u32 watched; /* bytes of the copies of stacks that another event takes in its place when
		      * its chains of frame pointers prove broken, or its own copies too short; 0 =
		      * there is no such event; set by capture_configure() */
	bool fits_copies; /* those copies may be made smaller, so that the rings hold enough */
	bool keeps_rate; /* its frequency is not lowered where the kernel allows less: that is an
			  * error; set by capture_configure() */
	bool copies_top; /* the first words of the stack are copied: the caller of a function that
			  * has no frame is there, which frame pointers miss */
	u16 max_frames; /* of user space, where copies of stacks are unwound; 0 = as many as usual
			 */
	bool left_out; /* not opened this time, by the command's choice */
};

/* Its samples have copies of stacks for all callers. */
static inline bool event_copies_stacks(const struct event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_STACK_USER && !ev->copies_top;
}

struct event_list {
	VEC(struct event *) events; /* in command-line order */
};

/* Parse error: where in the text and why; the command prints text and caret as perf does. */
struct event_error {
	long column; /* byte offset in the text of the wrong spot, -1 = the whole event */
	char text[256]; /* "unknown tracepoint", "parser error", ... */
	char help[2048]; /* lines below it, "" = nothing */
	bool repeated; /* perf met it twice and shows it again as "Initial error" */
};

void event_list_init(struct event_list *l);
void event_list_release(struct event_list *l);
void event_free(struct event *ev);
/* Append the events of one -e argument. 0, or -1 with *ee filled and the list unchanged. */
int event_parse(struct event_list *l, const char *text, const struct event_env *env,
		struct event_error *ee);
/* Length of the first event or group of a text, up to the comma behind it or the end. */
size_t event_span(const char *text);
/* Append the events of --pfm-events: libpfm's names, groups in braces. -1 and *e, l unchanged. */
int event_parse_pfm(struct event_list *l, const char *text, struct err *e);
/* One event by libpfm's name, appended. */
int event_add_pfm(struct event_list *l, const char *name, struct err *e);
/* The multi-line message perf prints for a bad event: text, caret line, help, and the line naming
 * 'perf list'. The caller's usage block follows. */
void event_error_print(const char *text, const struct event_error *ee, struct strbuf *out);
/* A new software dummy or other ready-made event, appended. */
struct event *event_list_add(struct event_list *l, const char *name, u32 type, u64 config);
/* "any,u" (perf record -j, the term branch_type=) to attr.branch_sample_type; a level alone means
 * any. false: unknown word, and the hint of *e names those there are; its text is left to the
 * caller. */
bool event_branch_filter_parse(const char *text, u64 *mask, struct err *e);
/*
 * --filter as the kernel takes it, appended to out: of a tracepoint by tracefmt/filter; the text
 * itself of other events, and where it is not understood or the event's format cannot be read.
 */
void event_filter_text(const struct event *ev, struct strbuf *out);
/*
 * The kernel has refused the filter: the error, in perf's words, behind it the filter with a caret
 * below what is wrong in it, and the hint. code: the kernel's errno. Returns -1.
 */
int event_filter_refused(const struct event *ev, int code, struct err *e);
/* Text of a tracepoint's format, appended to out; of one that was made for the event under the name
 * that is shown. */
int event_tracepoint_format(const struct event *ev, struct strbuf *out, struct err *e);
void event_probe_release(struct event_probe *p);
/* Append copies of all events of another list, with their groups. */
void event_list_append_copy(struct event_list *l, const struct event_list *from);
/* Make all events from index first on one group (record --group, { }). */
void event_list_group(struct event_list *l, size_t first, size_t nr, const char *name);
/* Whether events are of virtual machines, where no modifier (G, H) says that. */
enum event_guests { GUESTS_USUAL, GUESTS_NO, GUESTS_ONLY, GUESTS_TOO };
/* Of "no", "only", "too". */
int event_guests_parse(enum event_guests *g, const char *word, struct err *e);
void event_list_set_guests(struct event_list *l, enum event_guests g);
/* Name that perf gives to (type, config) without help from a file: "cycles", "cpu-clock",
 * "L1-dcache-loads", "raw 0x1a8"; modifiers from attr are appended (":u"). */
void event_attr_name(const struct perf_event_attr *attr, struct strbuf *out);

#endif
