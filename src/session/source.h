/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: where the records of a session come from: a file, a stream, a directory, or the rings of
 * the running machine, behind one table of operations. A consumer (session/session.h) is written
 * once and runs on all of them.
 *
 * A source delivers whole records in pieces (source_read()), and knows the recording's events and
 * features (source_tables()). FINISHED_ROUND among the records is what puts them in order: all that
 * is older than the newest record of the round before has arrived. What else differs from kind to
 * kind is a property in the table below: no caller asks which kind it is.
 *
 * Another kind (src/live) embeds struct source, fills in ops and tables, and hands it to
 * session_open(), which closes it at the end. One thread reads; source_read_at() is any thread's.
 */
#ifndef SESSION_SOURCE_H
#define SESSION_SOURCE_H

#include "perfdata/perfdata.h"

struct source;

struct source_ops {
	const char *name; /* of the kind */
	/* as perfdata_read(); fronts: as perfdata_read_fronts() */
	int (*read)(struct source *s, void *buf, size_t size, bool fronts, struct perfdata_chunk *c,
		    struct err *e);
	/* Bytes of a chunk that is in_file once more, as perfdata_pread(). NULL: it cannot be read
	 * again, so the session keeps what it still needs. Any thread. */
	ssize_t (*read_at)(const struct source *s, void *buf, size_t size, u64 pos);
	/* Start over from the first record; NULL: it cannot. */
	void (*rewind)(struct source *s);
	void (*close)(struct source *s);
	bool tells_late; /* events and features are told among the records: not all are known yet */
	bool by_round; /* a round is handed out once it is complete: the next may take a while */
	bool endless; /* it may run for days: what is not needed any more is forgotten, see
		       * session_consumer.renew */
};

struct source {
	const struct source_ops *ops;
	struct perfdata *tables; /* events and features; their owner is the kind */
};

/* A recording, of whatever kind it is. Closed with source_close(). */
int source_open(struct source **out, const struct perfdata_opts *opts, struct err *e);
void source_close(struct source *s); /* NULL is allowed */

static inline int source_read(struct source *s, void *buf, size_t size, bool fronts,
			      struct perfdata_chunk *c, struct err *e)
{
	return s->ops->read(s, buf, size, fronts, c, e);
}

static inline ssize_t source_read_at(const struct source *s, void *buf, size_t size, u64 pos)
{
	return s->ops->read_at(s, buf, size, pos);
}

#endif
