/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample: samples as text, a line (or more) for each, or a line with an object of JSON, by a set of
 * fields (text/fields.h): what `perf script` prints.
 *
 * A text is made for one session and used by its ordered consumer: the functions that take a worker
 * may run on all workers at once, unless sample_text_needs_order(). What is kept of each worker is
 * bounded. Names from the recording never end a line; with escape, they hold no control characters
 * either.
 */
#ifndef TEXT_SAMPLE_H
#define TEXT_SAMPLE_H

#include "base/json.h"
#include "base/strbuf.h"
#include "session/session.h"
#include "text/fields.h"

/* Which callchains get the functions that were inlined. */
enum text_inlines {
	INLINES_OF_COPIES /* those of copied stacks */,
	INLINES_OF_ALL,
	INLINES_OF_NONE
};

struct sample_text_opts {
	bool escape; /* the output is a terminal */
	bool json; /* an object in place of a line: doc/json.md */
	bool latency, ns, reltime, deltatime; /* as the options of perf script */
	bool hide_chain, kernel_path, full_source_path;
	enum text_inlines inlines;
	u32 max_stack; /* frames shown of a stack */
	u64 max_blocks; /* of instructions behind branches, 0 = all */
	char *const *stop; /* sorted names of functions that end a stack; borrowed */
	size_t nr_stop;
};

/* Whether samples of the event have the address of code or data, which has a symbol. */
bool sample_addr_has_symbol(const struct perf_event_attr *a);

struct sample_text;
struct sample_print;
typedef void field_fn(const struct sample_print *x, struct strbuf *out);
typedef void field_json_fn(const struct sample_print *x, struct json *j);

enum { PLAN_STEPS_MAX = 48 };
/* How the samples of one event are printed, decided once. Read only. */
struct sample_plan {
	u64 fields;
	u64 task_fields; /* of the columns that tell the task and the CPU */
	unsigned int form; /* of frames, without FORM_CHAIN */
	bool chain; /* stacks are printed */
	bool inlines; /* also inlined functions in them */
	const struct tracefmt *format; /* tracepoints */
	bool plain_trace; /* its texts need no escape */
	char *label; /* "   name: " as wide as the longest name */
	size_t label_len;
	/* the fields' functions in their order; the first nr_front are of any record, the first
	 * nr_line of the line, the rest behind it */
	field_fn *steps[PLAN_STEPS_MAX];
	unsigned int nr_front, nr_line, nr_steps;
	/* the same as members of an object */
	field_json_fn *json[PLAN_STEPS_MAX];
	unsigned int nr_json_front, nr_json;
};

/* fields is copied; session_opts.cpus and time have been applied by the session. -1 with *e: a
 * field that was asked for is not in the samples. */
int sample_text_new(struct sample_text **out, struct session *s, const struct field_set *fields,
		    const struct sample_text_opts *o, struct err *e);
void sample_text_free(struct sample_text *t); /* NULL is allowed */

/* Whether samples must come in order on one thread: also as long as nothing is known of a stream.
 */
bool sample_text_needs_order(struct sample_text *t);
/* The plan of an event; NULL: a stream told of events whose samples lack what was asked for, which
 * sample_text_failure() has. Any worker. */
const struct sample_plan *sample_text_plan(struct sample_text *t, const struct perfdata_event *ev);
/* NULL = none. After session_run(). */
const struct err *sample_text_failure(const struct sample_text *t);

/* Append a sample. */
void sample_text_add(struct sample_text *t, struct session_worker *w,
		     const struct sample_plan *plan, const struct session_record *r,
		     struct strbuf *out);
/* Append the columns in front of it alone: task, CPU, time. In JSON that is an object without its
 * end, which the caller goes on with: *open. */
void sample_text_add_front(struct sample_text *t, struct session_worker *w,
			   const struct sample_plan *plan, const struct session_record *r,
			   struct strbuf *out, struct json *open);
/* Where the sample's address is, through the worker's cache. */
void sample_text_locate(struct sample_text *t, struct session_worker *w,
			const struct session_record *r, struct location *loc);

/*
 * records.c: records that describe the recorded machine, as lines between the samples. In order, on
 * one thread, where tasks are told of.
 */
enum record_show {
	SHOW_TASK = 1 << 0,
	SHOW_MMAP = 1 << 1,
	SHOW_SWITCH = 1 << 2,
	SHOW_NAMESPACE = 1 << 3,
	SHOW_LOST = 1 << 4,
	SHOW_ROUND = 1 << 5,
	SHOW_BPF = 1 << 6,
	SHOW_CGROUP = 1 << 7,
	SHOW_TEXT_POKE = 1 << 8,
	SHOW_DEFERRED = 1 << 9, /* callchains that stand in records of their own */
};
/* Append the record's line, if any bit of show asks for it. plan NULL: of no event. */
void record_text_add(struct sample_text *t, struct session_worker *w,
		     const struct sample_plan *plan, const struct session_record *r,
		     unsigned int show, struct strbuf *out);

#endif
