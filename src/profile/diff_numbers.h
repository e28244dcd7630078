/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff_numbers: what diff.c keeps of the section that is compared, and the numbers of its rows.
 * Private to diff.c and diff_table.c.
 */
#ifndef PROFILE_DIFF_NUMBERS_H
#define PROFILE_DIFF_NUMBERS_H

#include "agg/snapshot.h"
#include "profile/alike.h"
#include "profile/block_diff.h"
#include "profile/diff.h"
#include "profile/diff_paths.h"
#include "profile/streams.h"

/* What a side has of a row. */
struct side_value {
	u32 nr; /* runs that have it */
	u64 period; /* the mean; with DIFF_OF_SAMPLES their number */
	double share; /* percent of the side, the mean */
	double variance; /* of the runs' shares */
};

struct diff_row {
	const struct joined_row *joined;
	const struct side_value *sides;
	const struct side_value *unnamed; /* the object's code without names; NULL = none */
	bool lacks_names; /* it is that, and a recording knows names of the object */
	const struct block_row *block; /* DIFF_CYCLES, else NULL */
};

enum column_kind {
	BASE,
	BASE_PERIOD,
	VALUE,
	INTERVAL,
	FORMULA,
	PERIOD,
	BLOCK, /* with its difference */
	RANGE, /* of the block */
	BASE_CYCLES,
	CYCLES,
	MORE_CYCLES,
	SPREAD, /* with the measurements as bars */
	SPREAD_NUMBER,
	KEY,
};

struct column {
	enum column_kind kind;
	u32 index; /* side, or key */
};

struct side {
	size_t from, to; /* inputs */
	u64 total; /* of the section; the mean */
};

struct diff {
	const struct diff_opts *o;
	const struct diff_input *in;
	size_t nr;
	struct side *sides;
	u32 nr_sides;
	bool runs; /* a side has several */
	struct profile **profiles;
	const struct view_profile **heads;
	struct view_profile head;
	struct view_files files;
	const char **names;
	/* the section that is shown */
	const struct agg_section **sections; /* by input */
	struct joined joined;
	struct alike_list alike;
	struct view_match *matches;
	size_t nr_matches;
	VEC(struct view_inlined) inlined;
	struct arena inlined_names;
	struct side_value *values; /* by row, by side */
	struct diff_row *rows;
	size_t nr_rows; /* of functions, whose paths are rows below them, there are more behind */
	struct diff_paths paths;
	bool named; /* a row has a symbol, or rows do not tell symbols */
	struct block_rows *blocks; /* by function, DIFF_CYCLES */
	size_t nr_functions;
	u64 base_total; /* what the base's shares are of */
	double *wholes; /* by input */
	struct column *cols;
	struct view_column *columns;
	char **headers; /* of numbered columns */
	size_t nr_cols;
	struct streams *hot[2];
	struct view_streams streams;
	struct view_event event;
	struct view_section view;
};

/* Of the section in a recording: the periods, or with DIFF_OF_SAMPLES the number of samples. */
u64 diff_total(const struct diff *d, size_t input);
/* What 100 % of a recording is, when the sides have their totals. */
double diff_whole_of(const struct diff *d, size_t input);
/* The sum of some joined rows on a side, when d->wholes is filled. */
struct side_value diff_value_of(const struct diff *d, const u32 *rows, size_t nr, u32 side);

/* Half of Welch's interval; NAN where a side has but one run. */
double diff_interval(const struct diff *d, const struct diff_row *r, u32 side);
/* Points of share that a side has more than the base. */
double diff_delta(const struct diff_row *r, u32 side);
/* DIFF_WDIFF. */
s64 diff_weighted(const struct diff *d, const struct diff_row *r, u32 side);
/* What orders the rows. Without the base a ratio is the period. */
double diff_computed(const struct diff *d, const struct diff_row *r, u32 side);

#endif
