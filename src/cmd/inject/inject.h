/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inject: reading a recording and writing it again with something more in it; shared by the files
 * of this directory.
 *
 * Two ways through the records. In the order of the file (copy.c), where nothing depends on time:
 * so they stay where they are, rounds included. In order of time (ordered.c), where records are
 * added or put together that belong to a time. What is known before the copying begins (build ids
 * of a file) comes from a reading of its own.
 */
#ifndef CMD_INJECT_INJECT_H
#define CMD_INJECT_INJECT_H

#include "base/intern.h"
#include "cmd/embed.h"
#include "perfdata/info.h"
#include "perfdata/writer.h"
#include "session/session.h"
#include "sys/end_signals.h"

/* Records of mappings get build ids: not, those of mappings that were used (the others go), all. */
enum map_ids { MAP_IDS_NONE, MAP_IDS_HIT, MAP_IDS_ALL };

/* --vm-time-correlation: not, with dry-run, with changes. */
enum vm_times { VM_TIMES_NONE, VM_TIMES_LOOK, VM_TIMES_CHANGE };

struct inject_opts {
	const char *input, *output;
	bool force;
	int verbose;
	bool build_ids, build_id_all;
	const char *known_build_ids;
	bool sched_stat;
	bool jit, one_object;
	enum embed_what embed;
	bool convert_chains;
	bool map_ids_hit, map_ids_all; /* as given; together: */
	enum map_ids map_ids;
	bool aslr;
	struct dso_config dso;
	enum vm_times vm_times;
	const char *guest_mount; /* of use with --guest-data alone */
	bool itrace, strip;
	const char *unsupported; /* an option that is known but not there yet */
};

/* Ids of the objects that go into the result, by order of discovery. */
struct inject_id {
	char *name;
	u16 misc; /* cpumode */
	struct build_id id;
};

VEC_TYPE(dso_seen, bool); /* by dso_id */

void dso_seen_add(struct dso_seen *seen, dso_id dso);

struct inject_ids {
	VEC(struct inject_id) ids;
	struct intern names; /* number - ids' first = index in ids */
	VEC(struct inject_id) known; /* --known-build-ids */
	struct dso_seen seen; /* by the copying's session */
};

struct inject_aslr;
struct inject_jits;
struct inject_maps;
struct inject_sched;

struct inject {
	const struct inject_opts *o;
	struct session *s; /* of the reading that is copied */
	struct perfdata *file; /* its */
	struct perfdata_writer *w;
	bool to_stream;
	struct held_signals held; /* while a file is not complete */
	bool stopped; /* by one of them: what follows is left out */
	bool begun; /* the header has been written */
	bool traced; /* and the formats of tracepoints */
	bool mark; /* objects are noted while samples are copied */
	struct inject_ids ids;
	bool symbols_told; /* names of functions have been written */
	struct strbuf symbols; /* body of the feature SYMBOLS; empty = as the input has it */
	struct strbuf aux_index; /* of AUX data in the result: pairs of offset and size */
	struct inject_aslr *aslr; /* NULL = not wanted */
	struct inject_jits *jits; /* NULL = not wanted */
	struct inject_sched *sched; /* NULL = not wanted */
	struct inject_maps *maps; /* NULL = not wanted */
	_Atomic(u64) records; /* written */
};

/* output.c: where the records go. */
int output_open(struct inject *in, struct err *e);
/* Whether a record is copied: those about the file itself are written anew. */
bool output_keeps(const struct inject *in, const struct perf_event_header *h);
/* Whether it is copied by maps_put() or aslr_put(). */
bool output_changes(const struct inject *in, const struct perf_event_header *h);
/* A signal wants the end: what is there is completed. */
bool output_stops(struct inject *in);
/* Whole records. The header is written before the first, and from then on what else a stream tells.
 */
int output_write(struct inject *in, const void *records, size_t len, struct err *e);
int output_finish(struct inject *in, struct err *e);

/* copy.c, ordered.c: the two ways. */
int copy_records(struct inject *in, struct err *e);
int order_records(struct inject *in, struct err *e);

/* build_ids.c */
int ids_read_known(struct inject_ids *ids, const char *text, struct err *e);
/* The objects of a whole file: those that samples hit, or all. */
int ids_find(struct inject *in, bool all, struct err *e);
/* The id of an object of this name, in place of what was known; true if it is new. */
bool ids_set(struct inject_ids *ids, const char *name, u16 misc, const struct build_id *id);
/* Take over what the recording's header has. */
void ids_take_header(struct inject *in);
/* An object was seen: its id, as a record if the result is a stream. */
void ids_mark(struct inject *in, dso_id dso, struct strbuf *out);
/* That of a name: as is said on the command line, as recorded, or of what is there now; false =
 * none. */
bool ids_lookup(const struct inject *in, const char *name, struct build_id *id);
void ids_feature(const struct inject_ids *ids, struct strbuf *body);
void ids_release(struct inject_ids *ids);

/* jit.c: a mapping is made for each function of a JIT compiler. */
struct inject_jits *jits_new(void);
void jits_free(struct inject_jits *j);
/* A record is about to be written at this time: first what is due before it. */
int jits_before(struct inject *in, u64 time, struct strbuf *out, struct err *e);
/* Whether a record is a mapping by which a compiler says that it writes a file; then it is left
 * out. */
int jits_take(struct inject *in, const struct session_record *r, struct strbuf *out, bool *taken,
	      struct err *e);
/* On stderr: how much was done, or what was missing. */
void jits_tell(const struct inject *in);

/* mappings.c: build ids in records of mappings. */
struct inject_maps *maps_new(void);
void maps_free(struct inject_maps *m);
/* By a whole reading: which mappings were used. */
int maps_find(struct inject *in, struct err *e);
/* What becomes of an MMAP or MMAP2 record, appended to out; nothing, if it is left out. */
void maps_put(struct inject *in, const struct perf_event_header *h, struct strbuf *out);
void maps_tell(const struct inject *in);

/* aslr.c: other addresses. */
struct inject_aslr *aslr_new(void);
void aslr_free(struct inject_aslr *a);
/* By a whole reading: what is mapped. */
int aslr_find(struct inject *in, struct err *e);
void aslr_convert_attr(struct perf_event_attr *attr);
/* What becomes of a record, appended to out; nothing, if it is left out. */
void aslr_put(struct inject *in, const struct perf_event_header *h, struct strbuf *out);
void aslr_tell(const struct inject *in);

/* chains.c: callchains instead of copies of stacks. */
bool chains_has_stacks(const struct perf_event_attr *attr);
void chains_convert_attr(struct perf_event_attr *attr);
/* A sample of a session that unwinds, appended to out. Any thread. */
void chains_convert(const struct session_record *r, struct strbuf *out);

/* sched_stat.c: sleeping times go to where tasks went to sleep. */
struct inject_sched *sched_new(struct inject *in, struct err *e);
void sched_free(struct inject_sched *s);
/* What becomes of a sample: appended to out, changed, or kept for later. */
void sched_sample(struct inject_sched *s, const struct session_record *r, struct strbuf *out);

#endif
