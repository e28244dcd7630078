/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kwork: work that the kernel does between tasks and in its own: interrupt handlers, softirqs, work
 * of workqueues. How long each ran, and how long it waited after it was asked for.
 *
 * A row is a piece of work on a CPU. Work waits from the first time that it is asked for until it
 * begins; who asks may be another CPU (of softirqs it is the same). What began before the
 * recording, or did not end within it, is counted as skipped. Where tasks are chosen
 * (session_wants_task()), only work counts that ran while one of them had the CPU, which is the one
 * that was interrupted, or the worker's thread. Any thread, one at a time.
 */
#ifndef ANALYZE_KWORK_H
#define ANALYZE_KWORK_H

#include "analyze/analyze.h"
#include "base/intern.h"

enum kwork_class {
	KWORK_IRQ,
	KWORK_SOFTIRQ,
	KWORK_WORKQUEUE,
	KWORK_ITSELF, /* the first that is none of these */
	KWORK_SCHED = KWORK_ITSELF, /* switches of tasks: analyze/kwork_top */
	KWORK_CLASSES
};

/* Lengths of something that was seen several times, ns. */
struct kwork_sums {
	u64 nr, total, max;
	u64 max_start, max_end; /* times of the longest */
};

struct kwork_row {
	enum kwork_class class;
	u32 cpu;
	u32 number; /* in order of first sight */
	u64 id; /* number of the interrupt or softirq; address of the work */
	u64 function; /* of work; 0 = not told */
	str_id name; /* of an interrupt: kwork_text() */
	struct kwork_sums runs, waits;
	u64 began; /* what runs now; 0 = nothing */
	u64 waited; /* ns, before that; KWORK_UNKNOWN */
	chain_id chain; /* of its beginning */
};
#define KWORK_UNKNOWN UINT64_MAX

struct kwork_totals {
	u64 first, last; /* times of events, ns */
	u64 raises, entries, exits; /* skipped */
};

struct kwork;

struct kwork_opts {
	bool classes[KWORK_CLASSES]; /* which are wanted; not KWORK_SCHED */
	bool waits; /* a beginning that nobody asked for counts as skipped */
	bool chains;
	u64 from, until; /* ns; until 0 = to the end */
	/* After each run; NULL: nobody asks. */
	void (*on_run)(void *ctx, const struct kwork_row *row, u64 end);
	/* Chains have other numbers from now on. */
	void (*on_renew)(void *ctx);
	void *ctx;
};

int kwork_new(struct kwork **out, struct session *s, const struct kwork_opts *o, struct err *e);
void kwork_free(struct kwork *k);
int kwork_run(struct kwork *k, struct err *e);
/* They belong to k; the caller may put them into another order after the run. */
struct kwork_row *kwork_rows(struct kwork *k, size_t *nr);
struct kwork_totals kwork_totals(const struct kwork *k);
/* "virtio1-req.0", "RCU"; "" of work, whose function the caller may name. */
void kwork_add_name(struct kwork *k, const struct kwork_row *row, struct strbuf *out);

#endif
