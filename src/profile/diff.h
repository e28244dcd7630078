/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff: what several recordings have in common and where they differ: rows that are called alike
 * (row_join() in agg/snapshot.h) beside each other, with the share that each has of its recording.
 *
 * Recordings stand on sides. The first side is the base that all others are compared with. A side
 * of several recordings (runs of the same) counts with the means of their shares and periods, and
 * tells how sure the difference is: half the width of Welch's interval of 95 % confidence, from the
 * variances of the runs' shares and Student's t with Welch and Satterthwaite's degrees of freedom
 * (B. L. Welch, Biometrika 34, 1947). Runs that lack a row have a share of 0.
 *
 * Life: agg_finish() of every recording; diff_new(); each section once, in order; diff_free(). One
 * thread. All that is given is borrowed.
 */
#ifndef PROFILE_DIFF_H
#define PROFILE_DIFF_H

#include "profile/profile.h"

enum diff_compute {
	DIFF_DELTA_ABS, /* shares: what is new minus the base, in points; the largest first */
	DIFF_DELTA, /* the same; the largest growth first */
	DIFF_RATIO, /* periods: what is new by the base */
	DIFF_WDIFF, /* periods: what is new times its weight minus the base times its own */
	DIFF_CYCLES, /* rows are blocks of code: their cycles on average minus the base's */
	DIFF_NR_COMPUTES,
};

/* What shares are of. */
enum diff_whole {
	DIFF_OF_PERIOD, /* of the periods of a row's own recording */
	DIFF_OF_SAMPLES, /* the same, by numbers of samples; amounts are these, too */
	DIFF_OF_TIME, /* of what the base cost in the time that its own recording took */
	DIFF_OF_BASE, /* of what the base cost: for recordings of the same work */
};

struct diff_opts {
	enum diff_compute compute;
	enum diff_whole whole;
	s64 base_weight, weight; /* DIFF_WDIFF */
	u32 order; /* the side that orders the rows; 0 = the base's share */
	bool base_only; /* rows that the base and another side have; its shares are of these */
	bool period, formula; /* columns of these, too */
	bool relative; /* shares of what filters leave */
	bool separated; /* cells are as short as possible */
	bool apart; /* what stands in one column of a text has several: for programs */
	bool spread; /* DIFF_CYCLES: how much single measurements differ, too */
	bool exact; /* rows belong together by their full names alone, else also by alike.h */
	bool streams; /* instead of rows the hottest streams: profile/streams.h; two recordings */
	bool outline; /* with call paths: these are rows below their functions */
	bool told; /* the names of two recordings, too */
	double noise; /* rows whose share differs less on all sides are left out, in points */
	bool sure; /* as well as those that do not differ by more than their interval */
};

/* A recording: the options and columns that its rows were made by, the same for all. */
struct diff_input {
	const char *name;
	struct session *s;
	struct agg *a;
	const struct profile_opts *o;
	const struct profile_columns *columns;
	const struct blocks *blocks; /* DIFF_CYCLES; after blocks_finish() without rows */
	u32 side; /* from 0 on, without gaps, in order */
};

/* The place of a key of that name; nr_keys = it is not there. */
size_t diff_key(const struct agg_config *c, const char *name);

struct diff;
struct diff *diff_new(const struct diff_opts *o, const struct diff_input *inputs, size_t nr);
void diff_free(struct diff *d);
/* Of all recordings. Valid until diff_free(). */
const struct view_profile *diff_head(struct diff *d);
/* One for each event of the first recording. */
size_t diff_nr_sections(const struct diff *d);
/* Valid until the next one is asked for. */
const struct view_section *diff_section(struct diff *d, size_t i);

/* The first entry of a row of the last section in an input, NULL: it has none; and the input's
 * section. level: NULL = a row of the table, else of these rows of the outline. */
const struct agg_entry *diff_entry(const struct diff *d, const struct view_rows *level, size_t row,
				   size_t input, const struct agg_section **section);

/*
 * The row of the last section whose share grew most for certain: by more than its interval, and by
 * more than what the base has of the same object without names, which may be that row.
 */
struct diff_growth {
	const char *name; /* NULL: none grew */
	double points; /* for certain, as to names */
	double interval; /* NAN = unknown */
};
struct diff_growth diff_worst(const struct diff *d);

/*
 * The object of the last section of which one side knows more names than the other: its functions
 * look as if they had come or gone. NULL: there is none, to a point. An object of which no side
 * knows any name is a row like others.
 */
struct diff_doubt {
	const char *name; /* of the row of its code without names */
	double base, other; /* its shares */
	const char *file; /* of the other side */
};
struct diff_doubt diff_doubt(const struct diff *d);
/* False: rows of the last section are to tell symbols, but no recording has any name of its code.
 */
bool diff_has_names(const struct diff *d);

#endif
