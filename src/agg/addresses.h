/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * addresses: how many samples fell on each address of each function, by event. Memory is
 * proportional to distinct addresses. The session must tell frames by address
 * (session_opts.by_address).
 *
 * Workers add to tables of their own; addresses_finish() puts them together, then rows and
 * functions are constant. Sums are of integers: the same for any number of workers.
 */
#ifndef AGG_ADDRESSES_H
#define AGG_ADDRESSES_H

#include "base/vec.h"
#include "session/session.h"

/* Samples of an event at an address of a function. */
struct address_row {
	dso_id dso;
	u32 sym;
	u64 addr; /* in the dso's address space */
	u32 event; /* perfdata_event.index */
	u64 nr, period;
};

/* rows [first, first + nr): by address, then by event. */
struct address_function {
	dso_id dso;
	u32 sym;
	size_t first, nr;
};

struct runs;

struct addresses_opts {
	const char *symbol; /* the only function of this name; NULL = all */
	const char *dsos; /* short or long names, separated by commas; NULL = all */
	/* symbol: the first object whose names have it, while others are still looked for; called
	 * once, by a worker; NULL is allowed */
	void (*found)(void *ctx, struct dso *d);
	void *ctx;
};

struct address_total {
	u64 nr, period;
};

/* A function by what an event has of it. */
struct hot_function {
	const struct address_function *function;
	u64 nr, period;
	u64 start; /* for ties */
	const char *name;
};
VEC_TYPE(hot_functions, struct hot_function);

struct addresses {
	struct session *s;
	struct addresses_opts o;
	struct addresses_worker *workers;
	unsigned int nr_workers;
	/* code that branch records tell of, NULL = there are none; of one symbol: by its samples */
	struct runs *runs;
	_Atomic bool is_found; /* o.found was called */
	/* after addresses_finish() */
	VEC(struct address_row) rows;
	VEC(struct address_function) functions; /* by dso and symbol */
	VEC(struct address_total) totals; /* by event: of all that the options let through */
};

struct addresses *addresses_new(struct session *s, const struct addresses_opts *o);
void addresses_free(struct addresses *a); /* NULL is allowed */
/* A sample; by the session's workers. */
void addresses_add(struct addresses *a, struct session_worker *w, unsigned int worker,
		   const struct session_record *r);
/* session_consumer.spots: those that lie where a sample lay before. */
u64 addresses_add_spots(struct addresses *a, struct session_worker *w, const struct session_spot *v,
			size_t nr);
void addresses_finish(struct addresses *a);
/* The rows are others now, in any order: they are put in order, and functions found among them. */
void addresses_settle(struct addresses *a);
/* Of a function, by one event. */
struct address_total addresses_of(const struct addresses *a, const struct address_function *f,
				  u32 event);
/* Functions that an event has samples of, the heaviest first; appended. Names are the session's. */
void addresses_hot(const struct addresses *a, u32 event, struct hot_functions *out);

#endif
