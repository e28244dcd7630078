/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contention: perf lock contention: which waits are wanted, and where its rows come from. */
#ifndef CMD_LOCK_CONTENTION_H
#define CMD_LOCK_CONTENTION_H

#include "bpf/lock_contention.h"
#include "cli/words.h"
#include "cmd/lock/lock.h"

struct lock_filters {
	struct words types, locks, callers; /* words of -Y, -L, -S */
};
bool lock_filters_type(const struct lock_filters *f, u32 flags);

/* Adds to out what is known of rows: names as they are, which text escapes. */
struct lock_names {
	void (*caller)(const void *ctx, const struct lock_row *r, struct strbuf *out);
	/* sep: one line, of -x; NULL: a line for each frame, escaped for a terminal */
	void (*stack)(const void *ctx, const struct lock_row *r, const char *sep,
		      struct strbuf *out);
	/* false: no variable begins there */
	bool (*variable)(const void *ctx, u64 lock, struct strbuf *out);
	/* its name; r->key is its tid where rows are of the running machine */
	void (*task)(const void *ctx, const struct lock_row *r, struct strbuf *out);
	void (*cgroup)(const void *ctx, const struct lock_row *r, struct strbuf *out);
};

enum lock_contention_by lock_by_of(const struct lock_opts *o);

/* -b. Needs lock_live_free() in any case. command: NULL = until a signal ends it. */
struct lock_live;
int lock_live_run(struct lock_live **out, const struct lock_opts *o,
		  const struct lock_filters *filters, const char *const *command, struct err *e);
struct lock_row *lock_live_rows(struct lock_live *l, size_t *nr);
extern const struct lock_names lock_live_names; /* ctx: the struct lock_live */
/* The last row of --json. */
void lock_live_put_total(const struct lock_live *l, struct row_writer *w);
/* What was not counted, after the output. */
void lock_live_tell(const struct lock_live *l);
void lock_live_free(struct lock_live *l);

#endif
