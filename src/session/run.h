/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/run: one session_run(): hands the samples and records of each batch to the consumer.
 */
#ifndef SESSION_RUN_H
#define SESSION_RUN_H

#include <stdatomic.h>

#include "base/par.h"
#include "session/counters.h"
#include "session/opened.h"

/* Texts of an ordered consumer that wait for their turn, see ordered.c. */
struct text_line;

/* Sizes when what is not needed was forgotten last, see renew.c. */
struct renewed {
	size_t model, resolver; /* bytes */
};

/* Which samples of a batch workers take. */
enum run_pass { PASS_ALL, PASS_USER, PASS_KERNEL };

enum { TOUCH_SLOTS = 4096 };

struct run {
	struct session *s;
	const struct session_consumer *c;
	struct batcher batcher;
	struct batch batches[2];
	struct batch *now;
	const struct rec_index *due; /* of it, as workers take them */
	enum run_pass pass;
	struct par_task *kernel_task; /* loads the kernel's symbols, NULL = none */
	_Atomic bool kernel_begun;
	struct counters counters;
	struct parallelism parallelism;
	struct perfdata_malformed malformed; /* side-band records, for perfdata_damage() */
	u64 number; /* of the batch, from 1 */
	bool again; /* session_read_again(): the time of an index entry is the tag */
	bool second; /* session_run_again(): the model is complete already */
	u64 *touched; /* (pid, tid) + 1 known to the model, direct-mapped */
	VEC(bool) seen; /* by number of the batch's threads: the model has been asked for it */
	bool stop; /* a consumer had enough */
	struct text_line *line;
	struct reader
		*reader; /* of the next batch, for the first worker that has time; NULL = none */
	struct renewed renewed;
	u64 names_due; /* CLOCK_MONOTONIC ns: when names of new code may be read next */
};

/*
 * A sample that was left in the file, in the worker's window; those up to end are wanted next.
 * behind: what is in the window stays, where there is room for any sample. NULL when it is not
 * there any more.
 */
const struct perf_event_header *run_load_sample(const struct run *r, struct session_worker *w,
						const struct rec_index *i,
						const struct rec_index *end, bool behind);
/* Decodes the record of an entry of the order; false: the consumer must not see it. */
bool run_prepare(struct run *r, struct session_worker *w, const struct perf_event_header *h,
		 const struct rec_index *i, struct session_record *rec, struct sample *smp);
/* Hands the first nr decoded samples to the consumer; false: it had enough. */
bool run_hand_over(struct run *r, struct session_worker *w, size_t nr);
/* Whether a sample with that misc field belongs to this pass. */
bool run_takes(struct run *r, u16 misc);
/* For par_for(), arg: the run. They hand samples to the consumer: entries from .. to of run.due;
 * samples of which heads were kept. */
void run_sample_slice(void *arg, unsigned int worker, size_t from, size_t to);
void run_heads_slice(void *arg, unsigned int worker, size_t from, size_t to);
/* Hand the due records of r->now to an ordered consumer. */
void run_ordered(struct run *r, const struct batch *b);
struct text_line *text_line_new(unsigned int workers);
void text_line_free(struct text_line *l);

/* Before the first record of a source without end, and serial after each batch of it. */
void run_renew_begin(struct run *r);
void run_renew(struct run *r, const struct batch *b);

struct session;
/* A resolver as the session's options want it. */

#endif
