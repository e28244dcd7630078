/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pass: the state of one edit, and what the files of this directory do for it.
 *
 * Records are copied in one of two ways: in the order of the file (copy.c), where nothing depends
 * on time; else in order of time (ordered.c), where records are added or combined. What the header
 * must tell (build ids of a file) is found by an earlier reading.
 */
#ifndef EDIT_PASS_H
#define EDIT_PASS_H

#include "base/intern.h"
#include "edit/edit.h"
#include "perfdata/info.h"
#include "perfdata/writer.h"
#include "sys/end_signals.h"

/* Ids of the objects that go into the result, by order of discovery. */
struct edit_id {
	char *name;
	u16 misc; /* cpumode */
	struct build_id id;
};

VEC_TYPE(dso_seen, bool); /* by dso_id */

void dso_seen_add(struct dso_seen *seen, dso_id dso);

struct edit_ids {
	VEC(struct edit_id) ids;
	struct intern names; /* number - ids' first = index in ids */
	VEC(struct edit_id) known; /* --known-build-ids */
	struct dso_seen seen; /* by the copying's session */
};

struct edit_aslr;
struct edit_jits;
struct edit_maps;
struct edit_sched;

struct edit {
	const struct edit_opts *o;
	struct session *s; /* the reading whose records are copied */
	struct perfdata *file; /* of that session */
	struct perfdata_writer *w;
	bool to_stream;
	struct held_signals held; /* not delivered before the output file is complete */
	bool stopped; /* one of them came: the rest of the input is left out */
	bool begun; /* the header has been written */
	bool traced; /* the formats of tracepoints have been written */
	bool mark; /* ids_mark() is called for the objects of samples that are copied */
	struct edit_ids ids;
	bool symbols_told; /* names of functions have been written */
	struct strbuf symbols; /* body of the feature SYMBOLS; empty = as the input has it */
	struct strbuf aux_index; /* of AUX data in the result: pairs of offset and size */
	struct edit_aslr *aslr; /* NULL = not wanted */
	struct edit_jits *jits; /* NULL = not wanted */
	struct edit_sched *sched; /* NULL = not wanted */
	struct edit_maps *maps; /* NULL = not wanted */
	_Atomic(u64) records; /* written */
};

/* output.c: where the records go. */
int output_open(struct edit *in, struct err *e);
/* Whether a record is copied: those about the file itself are written anew. */
bool output_keeps(const struct edit *in, const struct perf_event_header *h);
/* Whether it is copied by maps_put() or aslr_put(). */
bool output_changes(const struct edit *in, const struct perf_event_header *h);
/* Whether a signal came that ends programs: the output is to be completed now. */
bool output_stops(struct edit *in);
/* Whole records. Before the first of them the header is written, and what a stream has as records
 * in place of features. */
int output_write(struct edit *in, const void *records, size_t len, struct err *e);
int output_finish(struct edit *in, struct err *e);

/* copy.c, ordered.c: the two ways. */
int copy_records(struct edit *in, struct err *e);
int order_records(struct edit *in, struct err *e);

/* build_ids.c */
int ids_read_known(struct edit_ids *ids, const char *text, struct err *e);
/* The objects of a whole file: those that samples hit, or all. */
int ids_find(struct edit *in, bool all, struct err *e);
/* The id of an object of this name, in place of what was known; true if it is new. */
bool ids_set(struct edit_ids *ids, const char *name, u16 misc, const struct build_id *id);
/* Adds the ids of the recording's header. */
void ids_take_header(struct edit *in);
/* A copied sample is in the object: notes its id; into a stream it goes as a record, appended to
 * out. */
void ids_mark(struct edit *in, dso_id dso, struct strbuf *out);
/* The id of an object of that name: from the command line, else as recorded, else of the file that
 * exists now; false = none. */
bool ids_lookup(const struct edit *in, const char *name, struct build_id *id);
void ids_feature(const struct edit_ids *ids, struct strbuf *body);
void ids_release(struct edit_ids *ids);

/* jit.c: a mapping is made for each function of a JIT compiler. */
struct edit_jits *jits_new(void);
void jits_free(struct edit_jits *j);
/* Appends the mappings of functions that were made before this time. */
int jits_before(struct edit *in, u64 time, struct strbuf *out, struct err *e);
/* *taken: the record is the mapping of a jit-PID.dump, by which a compiler announces the file; it
 * is left out. */
int jits_take(struct edit *in, const struct session_record *r, struct strbuf *out, bool *taken,
	      struct err *e);
/* Logs how many functions were converted, or what was missing. */
void jits_tell(const struct edit *in);

/* mappings.c: build ids in records of mappings. */
struct edit_maps *maps_new(void);
void maps_free(struct edit_maps *m);
/* Reads the whole recording: which mappings have samples. */
int maps_find(struct edit *in, struct err *e);
/* What becomes of an MMAP or MMAP2 record, appended to out; nothing, if it is left out. */
void maps_put(struct edit *in, const struct perf_event_header *h, struct strbuf *out);
void maps_tell(const struct edit *in);

/* aslr.c: other addresses. */
struct edit_aslr *aslr_new(void);
void aslr_free(struct edit_aslr *a);
/* Reads the whole recording: what is mapped. */
int aslr_find(struct edit *in, struct err *e);
void aslr_convert_attr(struct perf_event_attr *attr);
/* What becomes of a record, appended to out; nothing, if it is left out. */
void aslr_put(struct edit *in, const struct perf_event_header *h, struct strbuf *out);
void aslr_tell(const struct edit *in);

/* chains.c: callchains instead of copies of stacks. */
bool chains_has_stacks(const struct perf_event_attr *attr);
void chains_convert_attr(struct perf_event_attr *attr);
/* Appends a sample, unwound by its session, to out. Any thread. */
void chains_convert(const struct session_record *r, struct strbuf *out);

/* sched_stat.c: sleeping times go to where tasks went to sleep. */
struct edit_sched *sched_new(struct edit *in, struct err *e);
void sched_free(struct edit_sched *s);
/* What becomes of a sample: appended to out, changed, or kept for later. */
void sched_sample(struct edit_sched *s, const struct session_record *r, struct strbuf *out);

#endif
