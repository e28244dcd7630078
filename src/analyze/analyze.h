/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * analyze: the frame of analysers: state machines over the events of a recording, in order of time.
 *
 * An analyser is a const table of the events it takes, each with the fields it needs and a handler.
 * Formats are looked up once per event of the file; a field of another name in other kernels is an
 * alternative in the table. The fields are taken out of a record as soon as it has been read, into
 * a row; the handlers get the rows one after the other, in order of time (ties: position in the
 * file), while the next ones are read. So a handler may keep what it likes in ctx without locks,
 * though with callchains the calls come from any thread.
 *
 * What else is recorded comes as rows, too: see enum analyze_fork and those behind it.
 * How to write one: doc/howto/add-analyser.md.
 */
#ifndef ANALYZE_ANALYZE_H
#define ANALYZE_ANALYZE_H

#include "session/session.h"

enum { ANALYZE_NAMES = 6, ANALYZE_FIELDS = 12, ANALYZE_TEXT = 255 };

enum analyze_kind {
	ANALYZE_NUMBER, /* an integer, sign-extended when the format says so */
	ANALYZE_STRING, /* characters, up to ANALYZE_TEXT of them: analyze_text() */
};

struct analyze_field {
	const char *names[ANALYZE_NAMES]; /* the first that the format has; all NULL ends a list */
	enum analyze_kind kind;
	bool optional; /* absent: 0 or "" */
};

struct analyze_row;
typedef void (*analyze_take)(void *ctx, const struct analyze_row *r);

/* A row of an analyser's table. */
struct analyze_event {
	const char *names[ANALYZE_NAMES]; /* "system:event", of any kernel: all that the file has */
	u32 record; /* without names: PERF_RECORD_* of one of the enums below */
	bool needed; /* without it there is nothing to tell */
	/* Only where the file has none of the last row in front of it without this mark; `needed`
	 * counts there alone. */
	bool instead;
	bool chain; /* callchains are wanted, when analyze_opts.chains is set */
	bool own; /* only of tasks that are wanted: session_wants_task() */
	const struct analyze_field *fields; /* value i of the row is field i; NULL = none */
	analyze_take take;
	/* NULL, or prefetches what take() will need some rows later; not called for each row. */
	analyze_take soon;
};

struct analyze_machine {
	const struct analyze_event *events;
	size_t nr;
	const char *hint; /* how to record what it needs */
	/* Of a source without end: numbers of chains that are kept from row to row are others from
	 * now on (session_renewed_chain()). Between two rows; NULL: none are kept. */
	void (*renew)(void *ctx, struct session_renewal *r);
	/* Now and then, of the running machine some times a second: all that is not later than
	 * `until` has been handed over. false: enough. May be NULL. */
	bool (*round)(void *ctx, u64 until);
};

/* What is handed to a handler; valid while it runs. */
struct analyze_row {
	u32 size; /* of all of it, in bytes */
	u16 event; /* index in the table */
	u16 kind; /* for the analyser: index in names of the event's name */
	u64 time;
	u32 cpu, pid, tid; /* of the sample; (u32)-1 = not told */
	chain_id chain;
	u64 values[];
};

/* Values of PERF_RECORD_FORK and PERF_RECORD_EXIT (r->pid, tid: the same). */
enum analyze_fork { FORK_PID, FORK_TID, FORK_PARENT_PID, FORK_PARENT_TID };
/* Of PERF_RECORD_COMM. */
enum analyze_comm { COMM_PID, COMM_TID, COMM_NAME, COMM_EXEC };
/* Of PERF_RECORD_SWITCH and PERF_RECORD_SWITCH_CPU_WIDE (r->pid, tid: of the sample_id). */
enum analyze_switch { SWITCH_OUT, SWITCH_PREEMPTED, SWITCH_OTHER_PID, SWITCH_OTHER_TID };
/* Of PERF_RECORD_LOST and PERF_RECORD_LOST_SAMPLES. */
enum analyze_lost { LOST_NUMBER };

static inline s64 analyze_signed(const struct analyze_row *r, unsigned int field)
{
	return (s64)r->values[field];
}

/* Never NULL; ends with a NUL. */
static inline const char *analyze_text(const struct analyze_row *r, unsigned int field)
{
	return (const char *)r + r->values[field];
}

struct analyze_opts {
	const struct analyze_machine *machine;
	void *ctx; /* of the handlers */
	bool chains;
};

struct analyze;

/*
 * -1 with *e: a field that is needed is missing, or (not in a stream, whose events are told later)
 * an event. The session is borrowed.
 */
int analyze_new(struct analyze **out, struct session *s, const struct analyze_opts *o,
		struct err *e);
void analyze_free(struct analyze *a);
/* Whether the file has events of a row of the table. In a stream that is not known before its first
 * sample: ask in handlers, which costs nothing. */
bool analyze_has(const struct analyze *a, size_t event);
/* The format of the first such event, NULL = it has none. */
const struct tracefmt *analyze_format(const struct analyze *a, size_t event);
/* Hands all rows of the recording to the handlers. */
int analyze_run(struct analyze *a, struct err *e);
/*
 * For consumers of their own that are serial: one record to its handler; false: there is none for
 * it. w may be NULL where no chains are wanted.
 */
bool analyze_record(struct analyze *a, struct session_worker *w, const struct session_record *r);

#endif
