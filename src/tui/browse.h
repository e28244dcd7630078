/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * browse: a profile that is asked again and again: zooms with a way back, events, what is shown of
 * rows. The accumulation may still go on (browse_take() between rounds): what is shown is then a
 * part, and says so.
 */
#ifndef TUI_BROWSE_H
#define TUI_BROWSE_H

#include "agg/snapshot.h"
#include "agg/time_strip.h"
#include "base/vec.h"
#include "profile/profile.h"
#include "session/session.h"

/* What the caller wants to do next: read the recording once more, otherwise. */
struct browse_wish {
	char *path; /* another recording; NULL = the same. All to be freed. */
	char *sort; /* other keys; NULL = the same */
	char *time; /* only that time; NULL = the same, "" = all */
	bool verbose; /* other verbosity */
};

/* How rows are shown: what users change there. */
struct browse_look {
	bool relative; /* percentages of what is shown */
	double percent_limit;
	size_t event; /* number of the section */
	u32 member; /* of a group of events: it orders the rows */
};

struct browse_shown {
	struct browse_look look;
	struct profile_opts *opts; /* the source's with the look; the profile's */
	struct agg *rows; /* of the last zoom; NULL = nothing is shown */
	struct profile *profile;
	const struct view_section *view; /* NULL = the event has no samples */
};

struct code_source; /* tui/code.h */

/* What the command provides. All is borrowed. */
struct browse_source {
	struct session *session;
	struct profile_opts *opts;
	struct profile_columns *columns;
	struct agg *agg; /* the accumulation */
	void *ctx;
	void (*add_header)(void *ctx, struct strbuf *out);
	/* samples by address, which may take a while the first time; NULL and *e */
	const struct code_source *(*code)(void *ctx, struct err *e);
	/* when there were samples, in what is not filtered by time */
	void (*strip)(void *ctx, struct time_strip *out);
	/* when all is read: blocks of code, which are shown in place of the rows that were made of
	 * all; NULL = rows are shown */
	const struct blocks *(*blocks)(void *ctx, const struct agg *rows);
	void (*add_threads)(void *ctx, struct strbuf *out); /* what each counted; NULL = unknown */
	const char *time; /* of the recording, that alone is read; NULL = all */
	bool once; /* it cannot be read again: a stream */
	bool time_undoes; /* it was chosen on the screen: undoing goes back to all */
};

struct browse_zoom {
	struct snapshot *snapshot; /* what is left */
	struct snapshot_condition condition;
	char *text; /* "thread: sh" */
	char *word_text; /* that condition.text points to, or NULL */
	struct browse_shown before; /* without it; no rows: they are made when it is undone */
};

struct browse {
	struct browse_source source;
	struct snapshot *whole;
	bool lent; /* it is not ours: browse_lend() */
	VEC(struct browse_zoom) zooms;
	struct browse_shown shown;
	const struct blocks *blocks; /* of the source, when they are known */
	u64 done, total; /* bytes that are read, of all */
	bool complete;
	bool goes_on; /* rows are others every few seconds: what is unfolded or chosen stays so, and
		       * nothing is made beside */
	const char *moment; /* "paused, 4 s ago": when all this was; NULL = now */
	const char *note; /* what is told of the event in a title; NULL = nothing */
	bool latency_dropped;
	u64 generation; /* grows whenever rows are others */
	struct browse_wish wish;
};

void browse_init(struct browse *b, const struct browse_source *s);
void browse_release(struct browse *b);
/* All that has been accumulated by now. */
int browse_take(struct browse *b, struct err *e);
/* All of a snapshot, which stays the caller's and where it is until the next one is shown, or
 * browse_release(). */
int browse_lend(struct browse *b, struct snapshot *whole, struct err *e);
/* Before numbers change: nothing is shown until browse_lend(), zooms have the new ones then. */
void browse_renew(struct browse *b, struct session_renewal *r);

/*
 * Other rows, made beside those that are shown: browse_work_run() by any one thread, while nothing
 * else changes the browse, then browse_work_take() shows them, if they are still wanted, and frees
 * it.
 */
struct browse_work;
/* Fewer samples; what: as users read it. The condition's text is copied. */
struct browse_work *browse_zoom(struct browse *b, const struct snapshot_condition *c,
				const char *what);
/* Back by one zoom, of which there are some: mostly to rows that were kept. */
struct browse_work *browse_unzoom(struct browse *b);
/* The same rows, shown otherwise. */
struct browse_work *browse_show(struct browse *b, const struct browse_look *look);
/* Whether it takes no longer than a key may. */
bool browse_work_is_little(const struct browse_work *w);
void browse_work_run(void *work, const bool *unwanted);
int browse_work_take(struct browse_work *w, bool wanted, struct err *e);

/* How much has been read. */
u64 browse_percent(const struct browse *b);
/* For a wish; ENOTSUP: the source is a stream. */
int browse_may_read_again(const struct browse *b, struct err *e);
/* "> time 1.5,2 > comm: sh ": what makes it less than all of the recording. */
void browse_add_scope(const struct browse *b, struct strbuf *out);
size_t browse_nr_events(const struct browse *b);
/* Whether a section has something to show; its event's name and counts. */
bool browse_event(const struct browse *b, size_t i, struct view_event *out);
/* The next with samples, from the one that is shown. */
size_t browse_next_event(const struct browse *b, bool forward);
/* NULL: rows of blocks have none. */
const struct agg_entry *browse_row(const struct browse *b, size_t row);
/* What a row has of a key by its name; false: it is not among the keys. */
bool browse_key(const struct browse *b, const char *name, const struct agg_key **key, u8 *place);
/* Whether asking the current snapshot takes no longer than a key may. */
bool browse_is_small(const struct browse *b);
/* The current snapshot: of the last zoom. */
const struct snapshot *browse_snapshot(const struct browse *b);

#endif
