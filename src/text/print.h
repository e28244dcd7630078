/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print: what the module's own files share: the state of a text of samples, and one sample or
 * record on its way to text, as the functions of the field table (fields.c) get it.
 */
#ifndef TEXT_PRINT_H
#define TEXT_PRINT_H

#include <pthread.h>

#include "base/digits.h"
#include "base/mem.h"
#include "text/chains.h"
#include "text/fields.h"
#include "text/frames.h"
#include "text/insn.h"
#include "text/machines.h"
#include "text/sample.h"
#include "text/source_code.h"

/* A plan's label takes this at least, so that short ones are copied without a look at their length.
 */
enum { LABEL_ROOM = 32 };

/* Columns in front that tell the task and the CPU. */
enum { TASK_TEXTS = 16, TASK_TEXT_MAX = 52 };
struct task_text {
	str_id comm;
	u32 pid, tid, cpu;
	u64 fields; /* sample_plan.task_fields */
	u32 len; /* 0 = empty */
	char text[TASK_TEXT_MAX];
};

/* The seconds of a time, and the point behind them. */
struct second_text {
	u64 second;
	u32 len; /* 0 = none yet */
	char text[DIGITS_ROOM];
};

struct PER_THREAD text_worker {
	struct frames *frames;
	struct chains *chains;
	struct insns *insns;
	struct strbuf scratch;
	struct task_text tasks[TASK_TEXTS]; /* direct-mapped */
	struct second_text second; /* of the last time */
};

/* A task's name as far as the records in their order tell it. */
struct named_task {
	u32 tid;
	char comm[16];
	bool unnamed; /* comm is its number */
};

struct plan_table {
	size_t nr;
	struct sample_plan *v;
	struct plan_table *older; /* freed at the end: workers may hold it */
};

struct sample_text {
	struct sample_text_opts o;
	struct field_set fields;
	struct session *session;
	struct perfdata *file;
	struct model *model;
	struct dso_table *dsos;
	/* plans of the events known so far; replaced as a whole under lock when a stream tells more
	 */
	pthread_mutex_t lock;
	struct plan_table *_Atomic plans;
	struct err failure;
	bool failed;
	struct machines machines; /* with the fields that want them */
	struct text_worker *workers;
	bool has_clock;
	s64 clock_offset; /* time of day - sample time */
	/* state of what only works in order */
	u64 first_time, last_time;
	int mem_width; /* of the data_src text so far */
	struct source_code *source_code;
	struct map task_ids;
	VEC(struct named_task) tasks;
};

/* One sample, or another record with a sample that says what its trailer does. */
struct sample_print {
	struct sample_text *t;
	struct text_worker *tw;
	struct session_worker *w;
	const struct sample_plan *plan;
	const struct session_record *r;
	const char *comm; /* NULL: that of the record's site */
};

#define HAS(x, f) ((x)->plan->fields & FIELD_BIT(f))

/* Addresses without a level of their own: the upper half is the kernel's. */
static inline u8 level_of(u64 addr)
{
	return (s64)addr < 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
}

/* A name from the recording. */
static inline void add_foreign(const struct sample_text *t, struct strbuf *out, const char *name)
{
	if (t->o.escape)
		strbuf_add_escaped(out, name);
	else
		strbuf_add_one_line(out, name);
}

/* Where a sample's address is. */
static inline void locate_ip(const struct sample_print *x, struct location *loc)
{
	frames_locate(x->tw->frames, x->w, &x->r->site, x->r->sample->cpumode, x->r->sample->ip,
		      loc);
}

/* columns.c: in front of a line, also of records that are no samples. */
#define TASK_FIELDS (FIELD_BIT(COMM) | FIELD_BIT(PID) | FIELD_BIT(TID) | FIELD_BIT(CPU))
#define TASK_ALIGNED (1ULL << 63) /* beside them in sample_plan.task_fields */
field_fn text_machine;
field_fn text_task;
field_fn text_misc;
field_fn text_time_of_day;
field_fn text_time;

/* NULL = not known. */
const char *comm_of(const struct sample_print *x);
/* With --reltime and --deltatime relative to others: once for each line. */
u64 shown_time(const struct sample_print *x);
void add_misc(const struct perf_event_header *h, struct strbuf *out);

/* values.c: what the sample says, and its event. */
field_fn text_period;
field_fn text_event;
field_fn text_flags;
field_fn text_trace;
field_fn text_addr;
field_fn text_data_src;
field_fn text_weight;
field_fn text_ins_lat;
field_fn text_retire_lat;
field_fn text_intr_regs;
field_fn text_user_regs;
field_fn text_bpf_output;
field_fn text_phys_addr;
field_fn text_data_page_size;
field_fn text_code_page_size;
field_fn text_cgroup;
/* Append the event's own text as it is; false: its format is not known. */
bool add_trace(const struct sample_print *x, struct strbuf *out);

/* code.c: code addresses, stacks, branches, instructions. */
field_fn text_code;
field_fn text_branches;
field_fn text_insn;
field_fn text_source_code;
/* The callchain, a line for each frame. */
field_fn text_chain;
/* "COND", "CALL", ...; "" = unknown. */
const char *branch_type(u64 flags);

/* json.c: the same fields as members of an object. */
field_json_fn json_machine_pid, json_vcpu, json_comm, json_pid, json_tid, json_cpu, json_misc;
field_json_fn json_time_of_day, json_time, json_period, json_event, json_trace, json_addr;
field_json_fn json_data_src, json_weight, json_ins_lat, json_retire_lat, json_code;
field_json_fn json_intr_regs, json_user_regs, json_branches, json_bpf_output, json_insn;
field_json_fn json_phys_addr, json_data_page_size, json_code_page_size, json_cgroup;

field_json_fn json_source_code;
void json_branch_flags(u64 flags, struct json *j);
/* "48 31 ca" */
void json_bytes(const struct sample_print *x, const char *key, const u8 *p, size_t n,
		struct json *j);

/* branch_code.c: the instructions that the branch records say were executed. */
field_fn text_branch_code;
field_json_fn json_branch_code;

#endif
