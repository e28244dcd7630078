/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session: drives a source through the model and hands samples to a consumer, in parallel.
 *
 * The file is cut into batches at safe points (FINISHED_ROUND). Per batch: side-band records are
 * applied to the model in time order; the model is frozen; workers take slices of the samples.
 * Records of one time are in the order of the file (perf's rule). Results never depend on the
 * number of workers.
 *
 * Two kinds of consumer:
 * - unordered (report): sample() runs on workers, in any order; per-worker state is the consumer's,
 *   indexed by worker number, and merged by it after session_run().
 * - ordered (script): record() runs on workers for consecutive slices of records in time order and
 *   appends text to out; emit() gets the texts in order, one at a time, on any thread. If it is
 *   serial, record() and emit() run on the calling thread, in order (consumers with a state).
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/par.h"
#include "base/strbuf.h"
#include "dso/dso.h"
#include "model/model.h"
#include "perfdata/perfdata.h"
#include "tracefmt/tracefmt.h"

struct source;

struct session_opts {
	struct perfdata_opts input;
	struct source *source; /* instead of input; session_close() closes it, and so does a
				  session_open() that fails */
	struct dso_config dso;
	unsigned int workers; /* 0 = CPUs */
	/* filters on samples, applied before the consumer sees them */
	const char *time; /* --time text, NULL = all */
	const char *cpus; /* -C text, NULL = all */
	/* Whether a task is wanted; NULL = all. It filters nothing: records of other tasks may tell
	 * something of the wanted ones, so consumers ask session_wants_task(), from any thread. pid
	 * (u32)-1: not known. */
	bool (*wants_task)(const void *ctx, u32 pid, u32 tid);
	const void *wants_task_ctx;
	u32 max_stack; /* frames kept of a chain; 0 = 127 or kernel.perf_event_max_stack */
	bool keep_outermost; /* of a chain longer than max_stack the outermost callers are kept, not
				the innermost */
	bool unwind; /* callers found in copies of stacks are added to callchains */
	bool guesses; /* keep frames that are guesses, marked as such; else they are left out */
	bool by_address; /* a frame for each address instead of each symbol */
	bool inlines; /* callers found in copies of stacks are shown with the functions inlined in
			 them */
	bool inlines_of_all; /* the same for all user frames of chains */
	bool ignore_embedded; /* names that came with the recording are not used */
	bool drop_unresolved; /* frames without a symbol are left out of chains */
	bool drop_unmapped; /* user callers outside of all mappings are left out */
	bool deferred_apart; /* deferred user callchains are not put into those of samples */
	bool lbr; /* the CPU's call stack (--call-graph lbr) is the user part of chains */
	bool stitch_lbr; /* with lbr: a call stack that the CPU's registers cut is completed from
			    the thread's sample before; consumers must be serial */
	bool ref_chains; /* samples of events without callchains get the one of the thread's sample
			    before; consumers must be serial */
	bool branches; /* branch records are frames in front of callchains */
	bool branch_notes; /* with what is known of each: session_note() */
	bool tell_left_out; /* samples that time and cpus leave out are delivered, too: consumers
			       look at left_out */
	/* endless sources: least growth of the tables, in bytes, before what is not needed is
	 * forgotten; 0 = 2 MB */
	size_t renew_slack;
	void (*progress)(void *ctx, u64 done, u64 total);
	void *progress_ctx;
};

struct session;

/* session_opts.workers where no option says it: PERF_WORKERS, for tests and measurements, else 0 =
 * CPUs. */
unsigned int session_wanted_workers(void);
int session_open(struct session **out, const struct session_opts *opts, struct err *e);
void session_close(struct session *s);
struct perfdata *session_file(struct session *s);
struct model *session_model(struct session *s);
struct dso_table *session_dsos(struct session *s);
/* What is wrong with the names that came with the recording; NULL = nothing. */
const struct err *session_embedded_error(const struct session *s);
/* Formats from the file's tracing data, parsed on the first call; NULL when it has none (pipe: has
 * not told any yet). On the main thread outside session_run(), or from serial callbacks and workers
 * once it returned something. */
const struct tracefmt_set *session_tracefmt(struct session *s);
unsigned int session_workers(const struct session *s);
/* Whether session_opts.cpus has that CPU, or there is no such choice. */
bool session_wants_cpu(const struct session *s, u32 cpu);
/* The same of session_opts.wants_task. */
bool session_wants_task(const struct session *s, u32 pid, u32 tid);
/* The session's threads, for work outside session_run(). */
struct par *session_par(struct session *s);

/* ns of [from, until) that session_opts.time leaves. */
u64 session_time_within(const struct session *s, u64 from, u64 until);

/* Where a sample happened. */
struct site {
	u32 thread; /* model number, 0 = unknown */
	u32 space; /* of its process */
	str_id comm; /* at the sample's time */
	u32 changed; /* struct model_site */
	u64 time;
};

/*
 * A code location. frame_id: a number shared by all workers, 0 = none; equal locations have equal
 * numbers. There is one per (dso, symbol); addresses without a symbol have one per (dso,
 * sampled address). With session_opts.by_address, all have one per sampled address.
 */
typedef u32 frame_id;
struct frame {
	dso_id dso; /* 0 = no mapping contains the address */
	u32 sym; /* symtab index, SYM_NONE = unresolved */
	u64 addr; /* symbol: its start; unresolved: address in the dso (or the raw ip) */
	u64 at; /* by_address, symbol: the address in the dso; else 0 */
	u64 ip; /* unresolved, by_address: as sampled, which tells copies of a dso at several places
		   apart */
	u8 cpumode; /* PERF_RECORD_MISC_* level the frame ran at */
	u16 depth; /* by_address, where functions are inlined: which of dso_source()'s places is its
		      own */
	/* a function inlined into the symbol: "name (inlined)"; one that is a guess: "name
	 * [guess]"; without dso the mark of a stack that was longer than its copy: "[stack cut]";
	 * else NULL */
	const char *inlined;
};

/* Full detail of one address, for consumers that print it. */
struct location {
	frame_id frame;
	dso_id dso;
	u32 sym;
	u64 ip; /* as sampled */
	u64 addr; /* in the dso's address space */
	const struct model_map *map; /* NULL = none */
	/*
	 * The answer holds for the same (space, cpumode, ip) at any time >= valid_from; forever
	 * when a mapping was found, else only within the current batch (session_batch_number()).
	 */
	u64 valid_from;
};

struct session_worker; /* caches of one worker; passed through to the calls below */

/* Resolve one address of a sample. cpumode as in the sample or from the context marker. */
void session_resolve(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		     struct location *out);
/* The same without the frame (0), for consumers that have a cache of their own. */
void session_locate(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		    struct location *out);
/* Only the frame: faster, cached by (space, ip). */
frame_id session_frame(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip);
const struct frame *session_frame_get(struct session *s, frame_id id);
u32 session_nr_frames(struct session *s); /* numbers are 1 .. nr; after session_run() */
/* After the last sample: frees the tables by which frames of addresses are found. Frames and chains
 * stay. */
void session_forget_addresses(struct session *s);
/* Only the object, 0 = no mapping: loads no symbols, cached by (space, ip). */
dso_id session_dso(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip);

/*
 * Where an address lies, without its symbol: cached by regions. Holds in this batch for all
 * sampled addresses from start on, len bytes, of the same space and cpumode, at times of
 * [from, until).
 */
struct code_place {
	const struct model_map *map; /* NULL = none */
	dso_id dso; /* 0 = no mapping */
	u64 shift; /* from addresses as sampled to the dso's address space */
	u64 start, len;
	u64 from, until;
};
void session_place(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		   struct code_place *out);

u64 session_batch_number(const struct session_worker *w);
unsigned int session_worker_number(const struct session_worker *w);

/*
 * The sample's callchain, resolved and interned; 0 = no chain, or one with an unknown marker. Equal
 * chains have equal numbers whichever worker saw them; the numbers depend on timing: never print or
 * sort by them. Context markers are gone; frames are leaf first (as recorded); at most max_stack
 * frames, and a mark behind the last one if the stack was longer than its copy.
 */
typedef u32 chain_id;
chain_id session_chain(struct session_worker *w, const struct site *site, const struct sample *smp);
/* A chain of one frame without code: "[not sampled]"; text stays where it is. Equal texts, by
 * address, are one frame. Serial consumers. */
chain_id session_mark(struct session *s, struct session_worker *w, const char *text,
		      frame_id *frame);
/* The frames stay where they are until session_close(). Any thread. */
const frame_id *session_chain_frames(struct session *s, chain_id chain, size_t *nr);

/* Kinds of branches, as the CPU or perf tells them: the numbers of perf_branch_entry.type first. */
enum branch_kind {
	BRANCH_UNKNOWN,
	BRANCH_COND_FWD,
	BRANCH_NEW = 15,
	BRANCH_COND_BWD = 23,
	BRANCH_CROSS_4K,
	BRANCH_CROSS_2M,
	BRANCH_NR_KINDS,
};

/* What is known of a frame that stands for one end of a branch: where it came from or where it went
 * to. All 0 for other frames. */
struct chain_note {
	u32 kinds; /* NOTE_TO: bit set of enum branch_kind */
	u32 iteration_cycles; /* NOTE_FROM: cycles that the iterations took */
	u32 iterations; /* NOTE_FROM: iterations of a loop before it that are left out */
	u16 cycles; /* NOTE_FROM: since the branch before */
	u16 end; /* bits NOTE_* */
};

enum {
	NOTE_FROM = 1,
	NOTE_TO = 2,
	NOTE_PREDICTED = 4, /* with NOTE_TO */
	NOTE_ABORT = 8,
};

/* The kind, and with branch_kinds() what else perf counts, of a branch; flags: perf_branch_entry's.
 */
enum branch_kind branch_kind(u64 from, u64 to, u64 flags);
u32 branch_kinds(u64 from, u64 to, u64 flags);
const char *branch_kind_name(enum branch_kind kind);
/* With branch_notes, behind the frames of a chain the numbers of their notes, which are read when
 * session_run() is over. */
struct chain_note session_note(const struct session *s, u32 note);
/* The chain without its first frames, the innermost; 0 = nothing left. Workers. */
chain_id session_chain_tail(struct session *s, struct session_worker *w, chain_id chain,
			    size_t skip);
/* Prefetches for a call of session_chain_frames() that comes soon; only after session_run(). */
void session_chain_prefetch(const struct session *s, chain_id chain);
/* After that: prefetches its frames. */
void session_chain_prefetch_frames(const struct session *s, chain_id chain);
/* Detailed form for consumers that print every frame with its address: fills up to max locations,
 * leaf first, and returns how many. */
size_t session_chain_locations(struct session_worker *w, const struct site *site,
			       const struct sample *smp, struct location *out, size_t max);

/*
 * The objects that the frames of session_chain() are in, each once, in no order: loads no symbols,
 * numbers nothing. Where the chain meets the object first, from the leaf or (caller_first) from the
 * outermost caller, is addr: in the object; without one, as sampled. Valid until the next call of
 * the worker.
 */
struct chain_dso {
	dso_id dso; /* 0 = no mapping */
	u8 cpumode;
	u64 addr;
};
size_t session_chain_dsos(struct session_worker *w, const struct site *site,
			  const struct sample *smp, bool caller_first,
			  const struct chain_dso **out);

/*
 * A sample that stands for a span of a thread's time (analyze/wall.h): its period is ns. What it
 * did, where, and who ended it by waking it up.
 */
enum span_state {
	SPAN_RUNNING,
	SPAN_NEW, /* waits for a CPU: for its first one */
	SPAN_PREEMPTED, /* after it lost one */
	SPAN_WOKEN, /* after it was woken up */
	SPAN_SLEEPING, /* interruptible */
	SPAN_UNINTERRUPTIBLE,
	SPAN_IO,
	SPAN_STOPPED, /* by a signal, a tracer, or parked */
	SPAN_BLOCKED, /* one of these, it was not recorded which */
	SPAN_UNKNOWN,
	SPAN_NR_STATES,
};
/* As sort keys and JSON have it: "running". */
const char *span_state_name(enum span_state state);

enum span_waker {
	WAKER_NONE, /* nobody had to, or nobody did */
	WAKER_UNKNOWN, /* it was not recorded */
	WAKER_INTERRUPT,
	WAKER_THREAD,
};
struct session_span {
	enum span_state state;
	enum span_waker waker;
	u32 waker_tid; /* WAKER_THREAD */
	str_id waker_comm;
	frame_id frame; /* of the sample: never 0 */
	chain_id chain;
};

enum session_left_out { LEFT_OUT_NOT, LEFT_OUT_BY_TIME, LEFT_OUT_BY_CPU };

struct session_record {
	const struct perf_event_header *h;
	u64 time;
	u64 pos; /* file offset, for -D */
	const struct perfdata_event *event; /* NULL when unknown */
	const struct sample *sample; /* PERF_RECORD_SAMPLE only, else NULL */
	/*
	 * A sample with counter values (PERF_SAMPLE_READ) comes once for each counter that moved:
	 * event is that counter's, sample->period how far it moved. again: not the first of those.
	 * When none moved, consumers of all records get it once, with sample NULL.
	 */
	bool again;
	enum session_left_out left_out; /* not 0 with session_opts.tell_left_out alone */
	bool in_file; /* a sample that session_read_again() can hand over once more */
	u32 tag; /* session_read_again(): what came with the request */
	u64 addr; /* as in session_spot; */
	u32 object; /* 0 = not told */
	const struct session_span *span; /* NULL = it is an ordinary sample */
	struct site site; /* samples; other records: their pid/tid where they have one */
};

enum { SESSION_AHEAD = 16 };

/*
 * What a sample adds to a sum by command, object and symbol. Samples of equal objects and addresses
 * have the same object and symbol (or address without one) and are at the same level, whenever they
 * were and wherever it lay.
 */
struct session_spot {
	u64 addr; /* in the object */
	u64 time;
	u32 object; /* less than SESSION_OBJECTS, only to be compared; 0 = not known */
	u32 period;
	u32 event; /* perfdata_event.index */
	str_id comm;
	u32 unit; /* for session_read_again(): session_again.unit */
};
enum { SESSION_SPOTS = 32, SESSION_OBJECTS = 1 << 26 };

enum session_order { SESSION_UNORDERED, SESSION_ORDERED };

/* A part of the recording has been handed over: on the running machine what happened in one round,
 * of a file some MB. */
struct session_round {
	u64 number; /* from 1 */
	u64 until; /* time; all records that are not later have been delivered */
	bool last;
};

/*
 * Of a source without end (struct source_ops.endless, session/source.h) what is not needed any more
 * is forgotten now and then: tasks that ended, what was unmapped, frames and chains. Numbers of
 * threads, spaces, names, frames and chains change then, and so does session_model() with all that
 * lies in it. A consumer that keeps such numbers from round to round asks for the new ones here,
 * and only what is asked for is kept; 0 = it is gone. Objects (dso_id) and events stay, but the
 * symbols of those that are not mapped and that no such frame is in are given back, names of
 * symbols with them.
 */
struct session_renewal;
str_id session_renewed_name(struct session_renewal *r, str_id name);
u32 session_renewed_thread(struct session_renewal *r, u32 thread);
u32 session_renewed_cgroup_ns(struct session_renewal *r, u32 ns); /* model_cgroup_ns_at() */
frame_id session_renewed_frame(struct session_renewal *r, frame_id frame);
chain_id session_renewed_chain(struct session_renewal *r, chain_id chain);

enum session_extract {
	EXTRACT_WHOLE, /* the sample comes to record(), as it would without extract() */
	EXTRACT_NOTHING, /* it is not wanted at all */
	EXTRACT_KEPT,
};
enum { SESSION_EXTRACT_MAX = 4096 };

struct session_consumer {
	enum session_order order;
	bool serial;
	/* unordered: of samples that have no more than fixed fields and a callchain only ip, pid,
	 * tid, time, cpu, period and misc are looked at; of these records, h is NULL */
	bool heads;
	/* unordered: it will ask nearly every sample in the kernel for its symbol, so these may be
	 * put off until the kernel's symbols are read */
	bool kernel_symbols;
	bool all_records; /* ordered: deliver non-sample records too; unordered: to other() */
	bool parallelism; /* session_parallelism() will be asked */
	void *ctx;
	/* return value: false asks to stop early */
	bool (*sample)(void *ctx, struct session_worker *w, unsigned int worker,
		       const struct session_record *r);
	/* instead of sample(): all samples that were decoded together, 1 .. SESSION_AHEAD, for
	 * consumers that prefetch for several */
	bool (*samples)(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r, size_t nr);
	/* heads: called before samples() with up to SESSION_SPOTS samples; returns a bit set of
	 * those that it has counted (bit 0: the first). The others come as samples. May be NULL. */
	u64 (*spots)(void *ctx, struct session_worker *w, const struct session_spot *v, size_t nr);
	/* unordered, all_records: side-band and other records, serial, in time order */
	bool (*other)(void *ctx, const struct session_record *r);
	bool (*record)(void *ctx, struct session_worker *w, unsigned int worker,
		       const struct session_record *r, struct strbuf *out);
	bool (*emit)(void *ctx, const char *text, size_t len);
	/*
	 * Ordered and serial, may be NULL: what is wanted of a sample, as soon as it has been read,
	 * so that it need not be read a second time when it is due. Asked in the order of the file,
	 * on another thread than the other calls, beside them; of samples with a time, where their
	 * source can be read at any place. What is written to room (at most SESSION_EXTRACT_MAX
	 * bytes, 8-byte aligned, a u32 in front with their number, which is a multiple of 8) comes
	 * to take() in order of time, among what comes to record().
	 */
	enum session_extract (*extract)(void *ctx, const struct perfdata_event *ev,
					const struct perf_event_header *h, void *room);
	bool (*take)(void *ctx, const void *extract);
	/* Extracts that take() will get soon, to prefetch for them; not all are told. May be NULL.
	 */
	void (*soon)(void *ctx, const void *extract);
	/* Serial, while no worker is at work; on the running machine also when nothing happened.
	 * May be NULL. */
	bool (*round)(void *ctx, const struct session_round *r);
	/* Serial, after round(). NULL: the consumer keeps no numbers from round to round. */
	void (*renew)(void *ctx, struct session_renewal *r);
};

int session_run(struct session *s, const struct session_consumer *c, struct err *e);
/*
 * A second time, after the first: the same samples to an unordered consumer, with the numbers that
 * they had. Nothing is counted in session_stats() or told as progress. ENOTSUP: the source is one
 * that is read once.
 */
int session_run_again(struct session *s, const struct session_consumer *c, struct err *e);

/*
 * How many threads of the recording had a CPU at the time of a record, by the context switches in
 * it; at least 1, at most the CPUs of the machine. With session_consumer.parallelism, from
 * sample(), samples() or record(); else 1.
 */
u32 session_parallelism(struct session_worker *w, const struct session_record *r);

/*
 * Samples once more, for consumers that know only after the first reading of which of them they
 * want more. After session_run(), or between its rounds (session_consumer.round); c->samples is
 * called, in any order. What was resolved before has the same numbers. Samples of the round that
 * just ended cost less than others: what workers remember holds for them.
 */
enum session_again_of { AGAIN_OF_ROUND, AGAIN_OF_ANY };
struct session_again {
	u32 unit; /* session_record.pos in units of SESSION_UNIT */
	u32 tag;
};
enum { SESSION_UNIT = 8 };
/* A list of them. What lies together in the file is read at once if each list is in the order of
 * the file. */
struct session_again_list {
	const struct session_again *v;
	size_t nr;
};
void session_read_again(struct session *s, const struct session_consumer *c,
			enum session_again_of of, const struct session_again_list *lists,
			size_t nr);

/* Counted while running. */
struct session_stats {
	u64 nr_type[PERF_RECORD_HEADER_MAX]; /* records by type */
	u64 nr_samples; /* of all events, before filters */
	u64 lost_events; /* sum of PERF_RECORD_LOST */
	u64 lost_chunks; /* number of PERF_RECORD_LOST */
	u64 lost_samples; /* LOST_SAMPLES */
	u64 throttled;
	u64 bad_samples; /* undecodable */
	u64 bad_pos; /* of the first of them whose record there is, in the file */
	u32 bad_size; /* bytes of that record, 0 = of none */
	u64 unknown_id; /* samples of no known event */
	u64 first_time, last_time; /* of samples */
	u32 objects_loaded; /* objects that had symbols after the latest renewal */
	u64 renewals; /* times that what is not needed was forgotten (session_renewal) */
	u64 out_of_order; /* records older than their round allows */
	u64 stacks; /* copies of stacks; of these: */
	u64 stacks_truncated; /* cut short by the size of the copy */
	u64 stacks_incomplete; /* that end before the thread's start for another reason */
	u64 stacks_absent; /* of incomplete ones: the rest was not in memory */
	u64 stacks_guessed; /* with callers that are guesses; among no others */
	bool stacks_chosen; /* stacks are those of session_read_again() alone */
	/* samples whose user callchain is in a record of its own; of them those without that record
	 */
	u64 deferred, deferred_missing;
};
const struct session_stats *session_stats(const struct session *s);

#endif
