/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script: what the files of the command share: options, the plan of each event, per-worker state.
 */
#ifndef CMD_SCRIPT_SCRIPT_H
#define CMD_SCRIPT_SCRIPT_H

#include <pthread.h>

#include "base/digits.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/event_switch.h"
#include "cmd/script/chains.h"
#include "cmd/script/counts.h"
#include "cmd/script/fields.h"
#include "cmd/script/frames.h"
#include "cmd/script/insn.h"
#include "cmd/script/machines.h"
#include "cmd/script/metric.h"
#include "cmd/script/source_code.h"
#include "session/session.h"

struct name_list {
	char **v; /* sorted */
	size_t nr;
};

struct id_list {
	u32 *v; /* sorted */
	size_t nr;
};

/* Which callchains get the functions that were inlined. */
enum script_inlines {
	INLINES_OF_COPIES /* those of copied stacks */,
	INLINES_OF_ALL,
	INLINES_OF_NONE
};

struct script_opts {
	const char *input;
	struct field_set fields;
	const char *fields_as_f; /* -f FIELDS of old scripts */
	bool force, latency, ns, reltime, deltatime, hide_chain, header, header_only, show_info;
	bool dump, per_event_dump, kernel_path, full_source_path, list_scripts;
	bool show_task, show_mmap, show_switch, show_namespace, show_lost, show_round, show_bpf;
	bool show_cgroup, show_text_poke, all_cpus, stitch_lbr, debug_mode;
	enum script_inlines inlines;
	bool merge_chains; /* deferred user callchains belong to their samples */
	int verbose;
	int max_stack;
	u64 max_blocks; /* 0 = all */
	const char *comms, *cpus, *symbols, *pids, *tids, *time, *dsos, *stop_bt;
	struct event_switch switches;
	const char *addr_range, *script_name, *gen_script, *itrace;
	const char *traces; /* the option that wants traces of the CPU decoded */
	const char *graph_function; /* of what only traces tell: no sample is shown */
	bool xed;
	struct dso_config dso;
};

/* What one event's samples print, decided once. */
struct event_plan {
	u64 fields;
	unsigned int form; /* of frames, without FORM_CHAIN */
	bool chain; /* stacks are printed */
	bool inlines; /* also inlined functions in them */
	const struct tracefmt *format; /* tracepoints */
	char *label; /* "   name: " as wide as the longest name */
	size_t label_len;
	FILE *dump; /* --per-event-dump */
	char *dump_path;
	u64 nr_dumped;
};

/* Columns in front that tell the task and the CPU. */
enum { TASK_TEXTS = 16, TASK_TEXT_MAX = 52 };
#define TASK_ALIGNED (1ULL << 63) /* beside the fields */
struct task_key {
	str_id comm;
	u32 pid, tid, cpu;
	u64 fields;
};
struct task_text {
	struct task_key key;
	u32 len; /* 0 = empty */
	char text[TASK_TEXT_MAX];
};

/* The seconds of a time, and the point behind them. */
struct second_text {
	u64 second;
	u32 len; /* 0 = none yet */
	char text[DIGITS_ROOM];
};

struct script_worker {
	struct frames *frames;
	struct chains *chains;
	struct insns *insns;
	struct strbuf scratch;
	struct task_text tasks[TASK_TEXTS]; /* direct-mapped */
	struct second_text second; /* of the last time */
};

/* A task's name as far as the records in their order tell it; for --show-task-events. */
struct script_task {
	u32 tid;
	char comm[16];
	bool unnamed; /* comm is its number */
};

struct script {
	struct script_opts o;
	struct session *session;
	struct perfdata *file;
	struct model *model;
	struct dso_table *dsos;
	bool terminal; /* names are escaped */
	u32 max_stack;
	struct name_list comms, dso_names, symbol_names, stop_names;
	struct id_list pids, tids;
	u64 *symbol_addrs;
	size_t nr_symbol_addrs;
	u64 addr_range;
	bool filter_symbols;
	bool filters; /* any: on tasks, code, or by events that switch */
	bool show_records; /* any --show-* */
	bool header_due; /* --header of a stream, not printed yet */
	/* plans of the events known so far; replaced as a whole under lock when a stream tells more
	 */
	pthread_mutex_t lock;
	struct plan_table *_Atomic plans;
	struct machines machines; /* with the fields that want them */
	struct script_worker *workers;
	/* state of what only works in order */
	u64 first_time, last_time;
	int mem_width; /* of the data_src text so far */
	struct source_code *source_code;
	struct metric *metric; /* NULL: no event has the field */
	bool has_clock;
	s64 clock_offset; /* time of day - sample time */
	bool has_counts; /* of perf stat record, or a stream that may have some */
	struct counts *counts;
	struct map task_ids;
	VEC(struct script_task) tasks;
	struct err failure; /* of a worker; first one wins */
	bool failed;
};

struct plan_table {
	size_t nr;
	struct event_plan *v;
	struct plan_table *older; /* freed at the end: workers may hold it */
};

/* sample.c: one sample as text. */
void script_add_sample(struct script *s, struct session_worker *w, struct script_worker *sw,
		       const struct event_plan *plan, const struct session_record *r,
		       struct strbuf *out);
/* Of which virtual machine a record is, for the fields that say so; nothing of the host's. id: of
 * its event. */
void script_add_machine(const struct script *s, u64 fields, u64 id, struct strbuf *out);
/* What the columns in front of a line show. */
struct line_start {
	u64 fields;
	bool chain; /* a callchain follows, so the command's name is not aligned */
	u32 pid, tid, cpu;
	u64 time;
	const char *comm; /* NULL: that of the record's site */
};
/* These columns: comm, pid, cpu, time. For samples and shown records. */
void script_add_start(struct script *s, struct script_worker *sw, const struct session_record *r,
		      const struct line_start *start, struct strbuf *out);
/* The sample's callchain, a line for each frame. */
void script_add_chain(struct session_worker *w, struct script_worker *sw,
		      const struct event_plan *plan, const struct session_record *r,
		      struct strbuf *out);
/* branch_code.c: the instructions that the sample's branch records say were executed. */
void script_add_branch_code(struct script *s, struct session_worker *w, struct script_worker *sw,
			    const struct event_plan *plan, const struct session_record *r,
			    struct strbuf *out);
bool script_plan_orders(const struct event_plan *p); /* needs the samples in order */

/* records.c: --show-*-events. Nothing is added for records that are not asked for. */
void script_add_record(struct script *s, struct session_worker *w, struct script_worker *sw,
		       const struct event_plan *plan, const struct session_record *r,
		       struct strbuf *out);

/* filter.c */
int script_filters_init(struct script *s, struct err *e);
void script_filters_release(struct script *s);
bool script_pass_thread(const struct script *s, const struct session_record *r);
bool script_pass_code(struct script *s, struct session_worker *w, struct script_worker *sw,
		      const struct session_record *r);

#endif
