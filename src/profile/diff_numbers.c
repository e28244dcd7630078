/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/diff_numbers.h"

#include <math.h>

#include "profile/interval.h"

double diff_interval(const struct diff *d, const struct diff_row *r, u32 side)
{
	return interval_welch(r->sides[0].variance, d->sides[0].to - d->sides[0].from,
			      r->sides[side].variance, d->sides[side].to - d->sides[side].from);
}

double diff_delta(const struct diff_row *r, u32 side)
{
	double points = r->sides[side].share - r->sides[0].share;

	return fabs(points) < 1e-9 ? 0 : points; /* means of the same numbers may differ a bit */
}

s64 diff_weighted(const struct diff *d, const struct diff_row *r, u32 side)
{
	return (s64)(r->sides[side].period * (u64)d->o->weight -
		     r->sides[0].period * (u64)d->o->base_weight);
}

double diff_computed(const struct diff *d, const struct diff_row *r, u32 side)
{
	double period = (double)r->sides[side].period;

	switch (d->o->compute) {
	case DIFF_DELTA_ABS:
		return fabs(diff_delta(r, side));
	case DIFF_RATIO:
		return r->sides[0].period ? period / (double)r->sides[0].period : period;
	case DIFF_WDIFF:
		return (double)diff_weighted(d, r, side);
	default:
		return diff_delta(r, side);
	}
}

u64 diff_total(const struct diff *d, size_t input)
{
	const struct agg_section *s = d->sections[input];

	if (!s->nr_members)
		return 0;
	if (d->o->whole == DIFF_OF_SAMPLES)
		return d->o->relative ? s->shown_nr[0] : s->nr[0];
	return d->o->relative ? s->shown_period[0] : s->period[0];
}

static double seconds_of(const struct diff *d, size_t input)
{
	const struct session_stats *st = session_stats(d->in[input].s);

	return (double)(st->last_time - st->first_time) / 1e9;
}

/* The base's cost per second; 0 = it took no time. */
static double base_rate(const struct diff *d)
{
	double total = 0, seconds = 0;

	for (size_t i = d->sides[0].from; i < d->sides[0].to; i++) {
		total += (double)diff_total(d, i);
		seconds += seconds_of(d, i);
	}
	return seconds > 0 ? total / seconds : 0;
}

double diff_whole_of(const struct diff *d, size_t input)
{
	if (d->o->whole == DIFF_OF_TIME)
		return base_rate(d) * seconds_of(d, input);
	if (d->o->whole == DIFF_OF_BASE)
		return (double)d->sides[0].total;
	return (double)diff_total(d, input);
}

struct side_value diff_value_of(const struct diff *d, const u32 *rows, size_t nr, u32 side)
{
	const struct side *at = &d->sides[side];
	double runs = (double)(at->to - at->from), squares = 0;
	struct side_value v = { 0 };
	enum agg_value what = d->o->whole == DIFF_OF_SAMPLES ? AGG_SAMPLES : AGG_PERIOD;

	for (size_t i = at->from; i < at->to; i++) {
		u64 period = 0;
		bool has = false;
		double share;

		for (size_t k = 0; k < nr; k++) {
			const struct joined_row *row = &d->joined.rows[rows[k]];

			for (u32 n = row->from[i]; n < row->from[i + 1]; n++)
				period += agg_value(d->in[i].a, d->joined.entries[n], 0, what);
			has |= row->from[i] < row->from[i + 1];
		}
		share = d->wholes[i] > 0 ? (double)period * 100.0 / d->wholes[i] : 0;
		v.nr += has;
		v.period += period;
		v.share += share;
		squares += share * share;
	}
	v.period /= (u64)(at->to - at->from);
	v.share /= runs;
	if (runs > 1)
		v.variance = MAX((squares - runs * v.share * v.share) / (runs - 1), 0.0);
	return v;
}
