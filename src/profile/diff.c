/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "agg/snapshot.h"
#include "base/mem.h"
#include "perfdata/perfdata.h"
#include "profile/alike.h"
#include "profile/block_diff.h"
#include "profile/comparable.h"
#include "profile/diff_paths.h"
#include "profile/interval.h"
#include "profile/section.h"
#include "profile/streams.h"

enum {
	BASE_WIDTH = 8,
	NUMBER_WIDTH = 14,
	FORMULA_WIDTH = 70,
	BLOCK_WIDTH = 70,
	SPREAD_WIDTH = 17,
};

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

static const struct agg_section empty_section;
static const char mark_of_match[] = " *";

static const struct compute {
	const char *name; /* of its column for programs */
	const char *header;
	u32 width;
	enum view_unit unit;
} computes[DIFF_NR_COMPUTES] = {
	[DIFF_DELTA_ABS] = { "delta", "Delta Abs", 0, VIEW_POINTS },
	[DIFF_DELTA] = { "delta", "Delta", 7, VIEW_POINTS },
	[DIFF_RATIO] = { "ratio", "Ratio", NUMBER_WIDTH, VIEW_RATIO },
	[DIFF_WDIFF] = { "wdiff", "Weighted diff", NUMBER_WIDTH, VIEW_WEIGHTED },
	[DIFF_CYCLES] = { "block", "[Program Block Range] Cycles Diff", BLOCK_WIDTH,
			  VIEW_MORE_CYCLES },
};

/* ---- numbers ---- */

/* Half of Welch's interval; NAN where a side has but one run. */
static double interval_of(const struct diff *d, const struct diff_row *r, u32 side)
{
	return interval_welch(r->sides[0].variance, d->sides[0].to - d->sides[0].from,
			      r->sides[side].variance, d->sides[side].to - d->sides[side].from);
}

static double delta(const struct diff_row *r, u32 side)
{
	double points = r->sides[side].share - r->sides[0].share;

	return fabs(points) < 1e-9 ? 0 : points; /* means of the same numbers may differ a bit */
}

static s64 weighted(const struct diff *d, const struct diff_row *r, u32 side)
{
	return (s64)(r->sides[side].period * (u64)d->o->weight -
		     r->sides[0].period * (u64)d->o->base_weight);
}

/* What orders the rows. Without the base a ratio is the period. */
static double computed(const struct diff *d, const struct diff_row *r, u32 side)
{
	double period = (double)r->sides[side].period;

	switch (d->o->compute) {
	case DIFF_DELTA_ABS:
		return fabs(delta(r, side));
	case DIFF_RATIO:
		return r->sides[0].period ? period / (double)r->sides[0].period : period;
	case DIFF_WDIFF:
		return (double)weighted(d, r, side);
	default:
		return delta(r, side);
	}
}

static u64 total_of(const struct diff *d, size_t input)
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
		total += (double)total_of(d, i);
		seconds += seconds_of(d, i);
	}
	return seconds > 0 ? total / seconds : 0;
}

/* What 100 % of a recording is. */
static double whole_of(const struct diff *d, size_t input)
{
	if (d->o->whole == DIFF_OF_TIME)
		return base_rate(d) * seconds_of(d, input);
	if (d->o->whole == DIFF_OF_BASE)
		return (double)d->sides[0].total;
	return (double)total_of(d, input);
}

/* The sum of some rows. */
static struct side_value value_of(const struct diff *d, const u32 *rows, size_t nr, u32 side)
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

/* ---- which rows, in which order ---- */

static bool has_pair(const struct diff *d, const struct diff_row *r)
{
	for (u32 s = 1; s < d->nr_sides; s++)
		if (r->sides[s].nr)
			return true;
	return false;
}

static bool is_wanted(const struct diff *d, const struct diff_row *r)
{
	bool differs = d->o->noise <= 0 && !d->o->sure;

	if (d->o->base_only && !(r->sides[0].nr && has_pair(d, r)))
		return false;
	for (u32 s = 1; s < d->nr_sides && !differs; s++)
		differs = fabs(delta(r, s)) >= d->o->noise &&
			  !(d->o->sure && fabs(delta(r, s)) <= interval_of(d, r, s));
	return differs;
}

static int compare_side(const struct diff *d, const struct diff_row *x, const struct diff_row *y,
			u32 side)
{
	bool in_x = x->sides[side].nr, in_y = y->sides[side].nr;
	bool by_base = d->o->compute == DIFF_RATIO || d->o->compute == DIFF_WDIFF;
	double a, b;

	if (in_x != in_y)
		return in_x ? -1 : 1;
	if (!in_x)
		return 0;
	if (by_base && !x->sides[0].nr != !y->sides[0].nr)
		return x->sides[0].nr ? -1 : 1;
	a = computed(d, x, side);
	b = computed(d, y, side);
	return a > b ? -1 : a < b;
}

/* By the chosen column, then by all from left to right, then by name. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct diff_row *x = a, *y = b;
	const struct diff *d = ctx;
	bool by_side = d->o->compute != DIFF_CYCLES; /* blocks have an order of their own */
	int c = by_side && d->o->order ? compare_side(d, x, y, d->o->order) : 0;

	if (c)
		return c;
	if (x->sides[0].share != y->sides[0].share)
		return x->sides[0].share > y->sides[0].share ? -1 : 1;
	for (u32 s = 1; by_side && s < d->nr_sides; s++) {
		c = compare_side(d, x, y, s);
		if (c)
			return c;
	}
	c = strcmp(x->joined->name, y->joined->name);
	return c ? c : x->joined < y->joined ? -1 : x->joined > y->joined;
}

/* A line of joined names. */
size_t diff_key(const struct agg_config *c, const char *name)
{
	size_t k = 0;

	while (k < c->nr_keys && strcmp(c->keys[k]->name, name))
		k++;
	return k;
}

/* The number of the joined row that differs from this one by having no symbol, + 1; 0 = none. */
static u32 find_unnamed(const struct diff *d, const char *name, struct strbuf *text)
{
	const struct agg_config *c = &d->in[0].o->agg;
	size_t line = diff_key(c, "symbol");
	const char *at = name, *end;
	u32 row;

	if (line == c->nr_keys)
		return 0;
	for (size_t k = 0; k < line && at; k++) {
		at = strchr(at, '\n');
		at += at != NULL;
	}
	end = at ? strchr(at, '\n') : NULL;
	if (!end)
		return 0;
	strbuf_reset(text);
	strbuf_add(text, name, (size_t)(at - name));
	strbuf_adds(text, end);
	row = intern_find(&d->joined.names, text->buf);
	return row && d->joined.row_of_name ? d->joined.row_of_name[row - 1] + 1 : row;
}

static void choose_rows(struct diff *d)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	u32 *unnamed = XNEW_ARRAY(u32, d->joined.nr + 1); /* of each row, + 1 */
	bool *lacks = xcalloc(d->joined.nr + 1, sizeof(*lacks));

	/* (no more functions than paths) */
	d->values = XNEW_ARRAY(struct side_value, 2 * d->joined.nr * d->nr_sides + 1);
	d->rows = XNEW_ARRAY(struct diff_row, 2 * d->joined.nr + 1);
	d->base_total = d->sides[0].total;
	d->named = !d->joined.nr;
	for (size_t i = 0; i < d->joined.nr; i++) {
		unnamed[i] = find_unnamed(d, d->joined.rows[i].name, &text);
		lacks[unnamed[i]] |= unnamed[i] != i + 1;
		d->named |= unnamed[i] != i + 1;
	}
	for (size_t i = 0; i < d->joined.nr; i++) {
		struct side_value *v = d->values + i * d->nr_sides;
		struct diff_row r = { .joined = &d->joined.rows[i],
				      .sides = v,
				      .lacks_names = unnamed[i] == i + 1 && lacks[i + 1] };

		for (u32 s = 0; s < d->nr_sides; s++)
			v[s] = value_of(d, &(u32){ (u32)i }, 1, s);
		if (unnamed[i] && unnamed[i] != i + 1)
			r.unnamed = d->values + (size_t)(unnamed[i] - 1) * d->nr_sides;
		if (is_wanted(d, &r))
			d->rows[d->nr_rows++] = r;
		else if (d->o->base_only)
			d->base_total -= MIN(v[0].period, d->base_total);
	}
	free(unnamed);
	free(lacks);
	qsort_r(d->rows, d->nr_rows, sizeof(*d->rows), compare_rows, d);
}

/* ---- functions above call paths ---- */

/* A row for each function behind those of the paths, if it or one of these is wanted. group: by
 * joined row; place: by group, 1 for those of wanted paths. */
static size_t add_functions(struct diff *d, const u32 *group, size_t nr_groups, u32 *place)
{
	u32 *first = xcalloc(nr_groups + 2, sizeof(*first));
	u32 *members = diff_paths_divide(group, d->joined.nr, nr_groups, first);
	struct diff_row *rows = d->rows + d->nr_rows;
	size_t nr = 0;

	for (size_t g = 0; g < nr_groups; g++) {
		const u32 *of = members + first[g];
		struct side_value *v = d->values + (d->joined.nr + g) * d->nr_sides;

		for (u32 s = 0; s < d->nr_sides; s++)
			v[s] = value_of(d, of, first[g + 1] - first[g], s);
		rows[nr] = (struct diff_row){ .joined = &d->joined.rows[*of], .sides = v };
		nr += place[g] || is_wanted(d, &rows[nr]);
	}
	qsort_r(rows, nr, sizeof(*rows), compare_rows, d);
	for (size_t i = 0; i < nr; i++)
		place[group[rows[i].joined - d->joined.rows]] = (u32)i;
	free(members);
	free(first);
	return nr;
}

static void group_paths(struct diff *d)
{
	struct diff_paths *p = &d->paths;
	size_t line = diff_key(&d->in[0].o->agg, AGG_KEY_CALLERS), nr_groups;
	u32 *group = diff_paths_functions(&d->joined, line, &nr_groups);
	u32 *place = xcalloc(nr_groups + 1, sizeof(*place));
	u32 *of_path = XNEW_ARRAY(u32, d->nr_rows + 1);

	for (size_t i = 0; i < d->nr_rows; i++)
		place[group[d->rows[i].joined - d->joined.rows]] = 1;
	p->nr = add_functions(d, group, nr_groups, place);
	for (size_t i = 0; i < d->nr_rows; i++)
		of_path[i] = place[group[d->rows[i].joined - d->joined.rows]];
	diff_paths_fill(p, of_path, d->nr_rows);
	free(group);
	free(place);
	free(of_path);
}

/* ---- blocks of code ---- */

/* The functions of a row, in every recording; how many. */
static size_t find_functions(const struct diff *d, const struct joined_row *r,
			     struct block_input *out)
{
	size_t key = diff_key(&d->in[0].o->agg, "symbol"), nr = 0;

	for (size_t i = 0; i < d->nr; i++) {
		size_t first = nr;

		for (u32 n = r->from[i]; n < r->from[i + 1]; n++) {
			struct block_input in = {
				.blocks = d->in[i].blocks,
				.event = d->sections[i]->event,
				.side = d->in[i].side,
				.function = (frame_id)d->joined.entries[n]->words[key]
			};
			size_t k = first;

			while (k < nr && out[k].function != in.function)
				k++;
			if (k == nr)
				out[nr++] = in;
		}
	}
	return nr;
}

/* In place of each function its blocks. */
static void divide_rows(struct diff *d)
{
	VEC(struct diff_row) rows = { 0 };

	d->nr_functions = d->nr_rows;
	d->blocks = xcalloc(d->nr_functions + 1, sizeof(*d->blocks));
	for (size_t i = 0; i < d->nr_functions; i++) {
		const struct joined_row *r = d->rows[i].joined;
		struct block_input *inputs = XNEW_ARRAY(struct block_input,
							r->from[d->nr] - r->from[0] + 1);
		size_t nr = find_functions(d, r, inputs);

		block_diff_rows(&d->blocks[i], inputs, nr, d->nr_sides, d->o->order);
		free(inputs);
		VEC_FOR(&d->blocks[i].v, b) {
			struct diff_row *row = VEC_PUSH(&rows);

			*row = d->rows[i];
			row->block = b;
		}
	}
	free(d->rows);
	d->rows = rows.v;
	d->nr_rows = rows.nr;
}

/* ---- cells ---- */

/* The recording that an entry of a joined row is of. */
static const struct diff_input *input_of(const struct diff *d, const struct joined_row *r, u32 n)
{
	size_t i = 0;

	while (r->from[i + 1] <= n)
		i++;
	return &d->in[i];
}

static void add_text(const struct diff_input *in, const struct agg_entry *e, u32 key, u32 width,
		     struct strbuf *out)
{
	in->o->agg.keys[key]->text(in->a, e, e->words[key], width, out);
}

/* Code without a symbol is one row for each object, whatever its addresses are. */
static bool has_several_addresses(const struct diff *d, const struct joined_row *r, u32 key)
{
	_cleanup_(strbuf_releasep) struct strbuf first = STRBUF_INIT, text = STRBUF_INIT;
	bool differ = false;

	for (u32 n = r->from[0]; n < r->from[d->nr] && !differ; n++) {
		const struct agg_entry *e = d->joined.entries[n];

		if (agg_has_places(input_of(d, r, n)->a, key, e))
			return true;
		strbuf_reset(&text);
		add_text(input_of(d, r, n), d->joined.entries[n], key, 0,
			 n == r->from[0] ? &first : &text);
		differ = n > r->from[0] && strcmp(first.buf, text.buf) != 0;
	}
	return differ;
}

/* What stands for several names of its symbol or object, + 1; 0 = each has one. */
static u32 match_of(const struct diff *d, const struct diff_row *r, bool object)
{
	const u32 *of = object ? d->alike.object_of_row : d->alike.of_row;

	return of ? of[r->joined - d->joined.rows] : 0;
}

static bool is_marked(const struct diff *d, const struct diff_row *r, u32 key)
{
	const char *name = d->in[0].o->agg.keys[key]->name;

	return (!strcmp(name, "symbol") && match_of(d, r, false)) ||
	       (!strcmp(name, "dso") && match_of(d, r, true));
}

/* The first recording that has the row names it. */
static void add_key(const struct diff *d, const struct diff_row *r, u32 key, u32 width,
		    struct strbuf *out)
{
	const struct agg_entry *e = d->joined.entries[r->joined->from[0]];
	const struct diff_input *in = input_of(d, r->joined, r->joined->from[0]);
	size_t from = out->len;
	const char *last;

	add_text(in, e, key, width, out);
	if (!(in->o->agg.keys[key]->flags & KEY_SYMBOL) || !agg_is_unresolved(in->a, e) ||
	    !has_several_addresses(d, r->joined, key))
		return;
	last = strstr(out->buf + from, "] 0x");
	if (!last)
		return;
	out->len = (size_t)(last - out->buf) + 2;
	strbuf_adds(out, "[unknown]");
}

/* With a mark where it stands for several names. */
static void add_marked(const struct diff *d, const struct diff_row *r, u32 key, u32 width,
		       struct strbuf *out)
{
	size_t from = out->len;

	if (!is_marked(d, r, key)) {
		add_key(d, r, key, width, out);
		return;
	}
	add_key(d, r, key, 0, out);
	strbuf_adds(out, mark_of_match);
	if (out->len - from < width)
		strbuf_pad(out, ' ', width - (out->len - from));
}

static double whole_of_side(const struct diff *d, u32 side)
{
	double sum = 0;

	for (size_t i = d->sides[side].from; i < d->sides[side].to; i++)
		sum += d->wholes[i];
	return sum / (double)(d->sides[side].to - d->sides[side].from);
}

static void add_formula(const struct diff *d, const struct diff_row *r, u32 side,
			struct strbuf *out)
{
	unsigned long long new = r->sides[side].period, base = r->sides[0].period;

	if (d->o->compute == DIFF_RATIO)
		strbuf_addf(out, "%llu / %llu", new, base);
	else if (d->o->compute == DIFF_WDIFF)
		strbuf_addf(out, "(%llu * %lld) - (%llu * %lld)", new, (long long)d->o->weight,
			    base, (long long)d->o->base_weight);
	else if (d->o->compute != DIFF_CYCLES)
		strbuf_addf(out, "(%llu * 100 / %llu) - (%llu * 100 / %llu)", new,
			    (unsigned long long)whole_of_side(d, side), base,
			    (unsigned long long)whole_of_side(d, 0));
}

static void add_value(const struct diff *d, const struct diff_row *r, u32 side, struct strbuf *out)
{
	bool by_base = d->o->compute == DIFF_RATIO || d->o->compute == DIFF_WDIFF;

	if (by_base && !r->sides[0].nr)
		strbuf_adds(out, "N/A");
	else if (d->o->compute == DIFF_RATIO)
		strbuf_addf(out, "%*.6f", NUMBER_WIDTH, computed(d, r, side));
	else if (d->o->compute == DIFF_WDIFF)
		strbuf_addf(out, "%*lld", NUMBER_WIDTH, (long long)weighted(d, r, side));
	else
		strbuf_addf(out, "%+.2f%%", delta(r, side));
}

static void add_interval(const struct diff *d, const struct diff_row *r, u32 side,
			 struct strbuf *out)
{
	double v = interval_of(d, r, side);

	if (!isnan(v))
		strbuf_addf(out, "%.2f%%", v);
}

static double base_share(const struct diff *d, const struct diff_row *r)
{
	return d->o->base_only ? section_percent(r->sides[0].period, d->base_total)
			       : r->sides[0].share;
}

static void add_range(const struct diff_row *r, u32 side, struct strbuf *out)
{
	const struct block_side *b = &r->block->sides[side];

	if (b->of)
		blocks_add_range(b->of, b->block, out);
}

/* As perf has it: 0 where the base has no such block, too. */
static void add_block(const struct diff_row *r, u32 side, struct strbuf *out)
{
	s64 more;

	if (!r->block->sides[side].of)
		return;
	if (!block_diff_delta(r->block, side, &more))
		more = 0;
	add_range(r, side, out);
	strbuf_addf(out, " %4lld", (long long)more);
}

/* What a cell says of a block. */
static void add_of_block(const struct diff_row *r, struct column c, struct strbuf *out)
{
	if (c.kind == BLOCK)
		add_block(r, c.index, out);
	else if (c.kind == SPREAD)
		block_diff_add_spread(r->block, c.index, out);
}

/* What a cell says, but for those of keys. */
static void add_number(const struct diff *d, const struct diff_row *r, struct column c,
		       struct strbuf *out)
{
	const struct side_value *v = &r->sides[c.kind == BASE_PERIOD ? 0 : c.index];

	switch (c.kind) {
	case BASE:
		if (v->nr)
			strbuf_addf(out, d->o->separated ? "%.2f" : "%.2f%%", base_share(d, r));
		break;
	case BASE_PERIOD:
		strbuf_addf(out, "%llu", (unsigned long long)v->period);
		break;
	case VALUE:
		if (v->nr)
			add_value(d, r, c.index, out);
		break;
	case INTERVAL:
		add_interval(d, r, c.index, out);
		break;
	case FORMULA:
		if (v->nr)
			add_formula(d, r, c.index, out);
		break;
	case PERIOD:
		if (v->nr)
			strbuf_addf(out, "%llu", (unsigned long long)v->period);
		break;
	default:
		add_of_block(r, c, out);
	}
}

static void mark(const struct diff *d, const struct diff_row *r, struct column c,
		 const struct strbuf *out, size_t from, struct view_marks *marks)
{
	bool points = c.kind == VALUE && computes[d->o->compute].unit == VIEW_POINTS;
	double percent = c.kind == BASE ? base_share(d, r) : points ? fabs(delta(r, c.index)) : 0;
	enum view_class class = view_class_of(percent);

	if (class != VIEW_PLAIN)
		*VEC_PUSH(marks) = (struct view_mark){ from, out->len - from, class };
}

static void add_cell(void *ctx, size_t row, size_t column, u32 width, struct strbuf *out,
		     struct view_marks *marks)
{
	const struct diff *d = ctx;
	const struct diff_row *r = &d->rows[row];
	struct column c = d->cols[column];
	struct strbuf text = STRBUF_INIT;
	size_t from;

	if (c.kind == KEY) {
		add_marked(d, r, c.index, d->columns[column].width, out);
		return;
	}
	add_number(d, r, c, &text);
	if (c.kind == SPREAD) {
		block_diff_pad_spread(&text, width, out);
		strbuf_release(&text);
		return;
	}
	/* perf has numbers of this width at the left edge, also below a wider header */
	if (text.len < width && !(c.kind == VALUE && text.len == NUMBER_WIDTH))
		strbuf_pad(out, ' ', width - text.len);
	from = out->len;
	strbuf_add(out, text.buf, text.len);
	if (marks)
		mark(d, r, c, out, from, marks);
	strbuf_release(&text);
}

static bool text_of_cell(void *ctx, size_t row, size_t column, struct strbuf *out)
{
	const struct diff *d = ctx;
	const struct diff_row *r = &d->rows[row];
	struct column c = d->cols[column];

	if (c.kind == KEY)
		add_key(d, r, c.index, 0, out);
	else if (c.kind == FORMULA && r->sides[c.index].nr && !r->block)
		add_formula(d, r, c.index, out);
	else if (c.kind == RANGE && r->block->sides[c.index].of)
		add_range(r, c.index, out);
	else
		return false;
	return true;
}

static bool number_of_value(const struct diff *d, const struct diff_row *r, u32 side,
			    struct view_amount *out)
{
	if (d->o->compute == DIFF_RATIO)
		out->real = computed(d, r, side);
	else if (d->o->compute == DIFF_WDIFF)
		out->value = (u64)weighted(d, r, side);
	else
		out->real = delta(r, side);
	return r->sides[side].nr && (r->sides[0].nr || computes[d->o->compute].unit == VIEW_POINTS);
}

static bool number_of_block(const struct block_row *b, struct column c, struct view_amount *out)
{
	const struct block_side *s = &b->sides[c.kind == BASE_CYCLES ? 0 : c.index];
	s64 more;

	switch (c.kind) {
	case BASE_CYCLES:
	case CYCLES:
		out->value = block_diff_average(s);
		return s->of;
	case MORE_CYCLES:
		if (!block_diff_delta(b, c.index, &more))
			return false;
		out->value = (u64)more;
		return true;
	case SPREAD_NUMBER:
		out->real = block_diff_spread(b, c.index);
		return !isnan(out->real);
	default:
		return false;
	}
}

static bool number_of_cell(void *ctx, size_t row, size_t column, u32 member UNUSED,
			   struct view_amount *out)
{
	const struct diff *d = ctx;
	const struct diff_row *r = &d->rows[row];
	struct column c = d->cols[column];
	const struct side_value *v = &r->sides[c.kind == KEY ? 0 : c.index];

	*out = (struct view_amount){ .value = v->period };
	switch (c.kind) {
	case BASE:
		out->percent = base_share(d, r);
		return v->nr;
	case BASE_PERIOD:
	case PERIOD:
		return v->nr;
	case VALUE:
		return number_of_value(d, r, c.index, out);
	case INTERVAL:
		out->real = interval_of(d, r, c.index);
		return !isnan(out->real);
	default:
		return r->block && number_of_block(r->block, c, out);
	}
}

/* ---- columns ---- */

/* With more than two sides, or several runs, all have numbers. */
static void add_column(struct diff *d, struct column c, struct view_column view)
{
	u32 side = c.kind == KEY ? 0 : c.index;

	if (c.kind != KEY && d->nr_sides > 2) {
		d->headers[d->nr_cols] = xasprintf("%s/%u", view.header, side);
		view.header = d->headers[d->nr_cols];
	}
	view.width = MAX(view.width, (u32)strlen(view.header));
	d->cols[d->nr_cols] = c;
	d->columns[d->nr_cols++] = view;
}

static void add_numbers(struct diff *d)
{
	const struct compute *compute = &computes[d->o->compute];
	struct view_column number = { .right = true, .number = true };
	bool samples = d->o->whole == DIFF_OF_SAMPLES;
	enum view_unit unit = samples ? VIEW_SAMPLES : VIEW_PERIOD;

#define COLUMN(kind_, side_, name_, header_, width_, unit_, share_)                                \
	({                                                                                         \
		number.name = name_;                                                               \
		number.header = header_;                                                           \
		number.width = width_;                                                             \
		number.unit = unit_;                                                               \
		number.share = share_;                                                             \
		add_column(d, (struct column){ kind_, side_ }, number);                            \
	})
	COLUMN(BASE, 0, "baseline", "Baseline", BASE_WIDTH, unit, true);
	if (d->o->period)
		COLUMN(BASE_PERIOD, 0, samples ? "base_samples" : "base_period",
		       samples ? "Base samples" : "Base period", NUMBER_WIDTH, unit, false);
	for (u32 s = 1; s < d->nr_sides; s++) {
		if (d->o->compute != DIFF_CYCLES) {
			COLUMN(VALUE, s, compute->name, compute->header, compute->width,
			       compute->unit, false);
		} else if (d->o->apart) {
			COLUMN(RANGE, s, "range", "Range", 0, VIEW_TEXT, false);
			COLUMN(BASE_CYCLES, s, "base_cycles", "Base cycles", 0, VIEW_CYCLES, false);
			COLUMN(CYCLES, s, "cycles", "Cycles", 0, VIEW_CYCLES, false);
			COLUMN(MORE_CYCLES, s, "cycles_delta", "Cycles Diff", 0, VIEW_MORE_CYCLES,
			       false);
			COLUMN(SPREAD_NUMBER, s, "spread", "stddev", 0, VIEW_POINTS, false);
		} else {
			COLUMN(BLOCK, s, compute->name, compute->header, compute->width, VIEW_TEXT,
			       false);
			if (d->o->spread)
				COLUMN(SPREAD, s, "spread", "stddev/Hist", SPREAD_WIDTH, VIEW_TEXT,
				       false);
		}
		if (d->runs && compute->unit == VIEW_POINTS)
			COLUMN(INTERVAL, s, "interval", "+- 95%", BASE_WIDTH, VIEW_POINTS, false);
		if (d->o->formula)
			COLUMN(FORMULA, s, "formula", "Formula", FORMULA_WIDTH, VIEW_TEXT, false);
		if (d->o->period)
			COLUMN(PERIOD, s, samples ? "samples" : "period",
			       samples ? "Samples" : "Period", NUMBER_WIDTH, unit, false);
	}
#undef COLUMN
}

static u32 key_width(const struct diff *d, const struct agg_key *key, u32 index)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u32 width = d->nr_rows || key->flags & (KEY_DYNAMIC | KEY_ALWAYS_WIDE) ? key->min_width : 0;

	width = MAX(width, (u32)strlen(key->header));
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct joined_row *r = d->rows[i].joined;
		u32 mark = is_marked(d, &d->rows[i], index) ? (u32)strlen(mark_of_match) : 0;

		for (u32 n = r->from[0]; n < r->from[d->nr]; n++) {
			const struct diff_input *in = input_of(d, r, n);
			const struct agg_entry *e = d->joined.entries[n];

			if (key->width) {
				width = MAX(width, mark + key->width(in->a, e, e->words[index],
								     width - mark));
				continue;
			}
			strbuf_reset(&text);
			add_text(in, e, index, 0, &text);
			width = MAX(width, (u32)text.len + mark);
		}
	}
	return width;
}

static void add_columns(struct diff *d)
{
	const struct profile_columns *columns = d->in[0].columns;
	size_t most = 2 + 8 * (size_t)d->nr_sides + columns->nr;

	d->cols = XNEW_ARRAY(struct column, most);
	d->columns = XNEW_ARRAY(struct view_column, most);
	d->headers = xcalloc(most, sizeof(*d->headers));
	add_numbers(d);
	for (size_t i = 0; i < columns->nr; i++) {
		const struct profile_column *c = &columns->v[i];
		const struct agg_key *key = c->is_key && !c->elided ? d->in[0].o->agg.keys[c->index]
								    : NULL;

		if (key && !strcmp(key->name, AGG_KEY_IPC))
			key = NULL;
		if (key)
			key = agg_key_of_event(key, d->sections[0]->event);
		if (!key)
			continue;
		add_column(d, (struct column){ KEY, c->index },
			   (struct view_column){ .name = strcmp(key->name, AGG_KEY_CALLERS)
								 ? key->name
								 : "call_path",
						 .header = key->header,
						 .right = key->flags & KEY_RIGHT,
						 .width = key_width(d, key, c->index) });
	}
}

/* ---- sections ---- */

static const struct agg_section *find_section(const struct diff *d, size_t input, size_t section)
{
	const struct agg_section *s = comparable_section(d->in, input, section);

	return s ? s : &empty_section;
}

static void join_alike(struct diff *d)
{
	const struct agg_config *c = &d->in[0].o->agg;
	u32 *side_of = XNEW_ARRAY(u32, d->nr);

	for (size_t i = 0; i < d->nr; i++)
		side_of[i] = d->in[i].side;
	alike_join(&d->joined,
		   &(struct alike_input){ .side_of = side_of,
					  .nr = d->nr,
					  .nr_sides = d->nr_sides,
					  .object_line = diff_key(c, "dso"),
					  .symbol_line = diff_key(c, "symbol"),
					  .path_line = diff_key(c, AGG_KEY_CALLERS),
					  .nr_keys = c->nr_keys },
		   &d->alike);
	free(side_of);
}

static void join_rows(struct diff *d, size_t section)
{
	struct join_input *inputs = XNEW_ARRAY(struct join_input, d->nr);

	for (size_t i = 0; i < d->nr; i++) {
		d->sections[i] = find_section(d, i, section);
		inputs[i] = (struct join_input){ .a = d->in[i].a, .section = d->sections[i] };
	}
	row_join(&d->joined, inputs, d->nr);
	if (!d->o->exact)
		join_alike(d);
	free(inputs);
	for (u32 s = 0; s < d->nr_sides; s++) {
		struct side *side = &d->sides[s];

		side->total = 0;
		for (size_t i = side->from; i < side->to; i++)
			side->total += total_of(d, i);
		side->total /= (u64)(side->to - side->from);
	}
	for (size_t i = 0; i < d->nr; i++)
		d->wholes[i] = whole_of(d, i);
}

/* What stands for several names in the rows that are shown. */
static void tell_matches(struct diff *d)
{
	bool *shown = xcalloc(d->alike.v.nr + 1, sizeof(*shown));

	for (size_t i = 0; i < d->nr_rows; i++) {
		shown[match_of(d, &d->rows[i], false)] = true;
		shown[match_of(d, &d->rows[i], true)] = true;
	}
	d->matches = alike_matches(&d->alike, shown, &d->nr_matches);
	free(shown);
}

static void join_streams(struct diff *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(d->hot); i++)
		d->hot[i] = streams_new(d->in[i].a, d->sections[i]);
	d->streams.v = streams_join(d->hot[0], d->hot[1], &d->streams.nr);
}

/* Call paths are rows below their functions. */
static bool has_paths(const struct diff *d)
{
	const struct agg_config *c = &d->in[0].o->agg;

	return d->o->outline && diff_key(c, AGG_KEY_CALLERS) < c->nr_keys;
}

static void close_section(struct diff *d)
{
	streams_free(d->hot[0]);
	streams_free(d->hot[1]);
	free((void *)d->streams.v);
	d->hot[0] = d->hot[1] = NULL;
	d->streams.v = NULL;
	joined_release(&d->joined);
	alike_release(&d->alike);
	free(d->matches);
	d->matches = NULL;
	d->nr_matches = 0;
	for (size_t i = 0; i < d->nr_functions; i++)
		block_diff_release(&d->blocks[i]);
	free(d->blocks);
	d->blocks = NULL;
	d->nr_functions = 0;
	diff_paths_close(&d->paths);
	free(d->values);
	free(d->rows);
	for (size_t i = 0; i < d->nr_cols; i++)
		free(d->headers[i]);
	free((void *)d->headers);
	free(d->cols);
	free(d->columns);
	d->values = NULL;
	d->rows = NULL;
	d->headers = NULL;
	d->cols = NULL;
	d->columns = NULL;
	d->nr_rows = d->nr_cols = 0;
}

const struct view_section *diff_section(struct diff *d, size_t i)
{
	close_section(d);
	join_rows(d, i);
	if (d->o->streams)
		join_streams(d);
	else
		choose_rows(d);
	if (d->o->compute == DIFF_CYCLES)
		divide_rows(d);
	if (has_paths(d))
		group_paths(d);
	if (!d->o->streams) {
		tell_matches(d);
		add_columns(d);
	}
	d->event = (struct view_event){ .name = comparable_event(&d->in[0], i),
					.samples = d->sections[0]->nr[0],
					.period = d->sides[0].total,
					.total = d->sides[0].total };
	d->view = (struct view_section){ .events = &d->event,
					 .nr_events = 1,
					 .time = d->in[0].o->time,
					 .socket = -1,
					 .graph_min = -1,
					 .last = i + 1 == diff_nr_sections(d),
					 .matches = d->matches,
					 .nr_matches = d->nr_matches,
					 .streams = d->o->streams ? &d->streams : NULL,
					 .files = &d->files };
	d->view.table = (struct view_table){ .columns = d->columns,
					     .nr_columns = d->nr_cols,
					     .nr_rows = d->nr_rows,
					     .nr_members = 1,
					     /* source lines of blocks are read by one at a time */
					     .serial = d->o->compute == DIFF_CYCLES,
					     .ctx = d,
					     .cell = add_cell,
					     .text = text_of_cell,
					     .number = number_of_cell };
	if (has_paths(d))
		d->view.outline = diff_paths_open(&d->paths, &d->view.table);
	return &d->view;
}

const struct agg_entry *diff_entry(const struct diff *d, const struct view_rows *level, size_t row,
				   size_t input, const struct agg_section **section)
{
	u32 own = (u32)row;
	size_t nr = 1;
	const u32 *rows = level ? diff_paths_below(level, row, &nr) : &own;

	*section = d->sections[input];
	for (size_t i = 0; i < nr; i++) {
		const struct joined_row *r = d->rows[rows[i]].joined;

		if (r->from[input] < r->from[input + 1])
			return d->joined.entries[r->from[input]];
	}
	return NULL;
}

struct diff_growth diff_worst(const struct diff *d)
{
	struct diff_growth worst = { .interval = NAN };

	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct diff_row *r = &d->rows[i];
		double doubt = r->unnamed ? r->unnamed[0].share : 0;

		for (u32 s = 1; s < d->nr_sides; s++) {
			double points = delta(r, s) - doubt, interval = interval_of(d, r, s);

			/* what has no names may have them on the other side */
			if (r->lacks_names || points <= worst.points || points <= interval)
				continue;
			worst = (struct diff_growth){ .name = r->joined->name,
						      .points = points,
						      .interval = interval };
		}
	}
	return worst;
}

struct diff_doubt diff_doubt(const struct diff *d)
{
	enum { LEAST = 1 }; /* points */
	struct diff_doubt most = { .name = NULL };

	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct diff_row *r = &d->rows[i];

		for (u32 s = 1; s < d->nr_sides && r->lacks_names; s++) {
			double differ = fabs(delta(r, s));

			if (differ < LEAST || differ <= fabs(most.other - most.base))
				continue;
			most = (struct diff_doubt){ .name = r->joined->name,
						    .base = r->sides[0].share,
						    .other = r->sides[s].share,
						    .file = d->in[d->sides[s].from].name };
		}
	}
	return most;
}

bool diff_has_names(const struct diff *d)
{
	return d->named;
}

/* ---- all of it ---- */

size_t diff_nr_sections(const struct diff *d)
{
	return agg_nr_sections(d->in[0].a);
}

struct diff *diff_new(const struct diff_opts *o, const struct diff_input *inputs, size_t nr)
{
	struct diff *d = XNEW(struct diff);

	*d = (struct diff){ .o = o, .in = inputs, .nr = nr };
	d->nr_sides = inputs[nr - 1].side + 1;
	d->runs = d->nr_sides < nr;
	d->sides = xcalloc(d->nr_sides, sizeof(*d->sides));
	d->sections = xcalloc(nr, sizeof(*d->sections));
	d->profiles = xcalloc(nr, sizeof(*d->profiles));
	d->heads = xcalloc(nr, sizeof(*d->heads));
	d->names = xcalloc(nr, sizeof(*d->names));
	d->wholes = xcalloc(nr, sizeof(*d->wholes));
	for (size_t i = 0; i < nr; i++) {
		struct side *side = &d->sides[inputs[i].side];

		if (!side->to)
			side->from = i;
		side->to = i + 1;
		d->profiles[i] = profile_new(inputs[i].o, inputs[i].columns, inputs[i].s,
					     inputs[i].a, NULL);
		d->heads[i] = profile_head(d->profiles[i]);
		d->names[i] = inputs[i].name;
	}
	d->head = (struct view_profile){ .command = "diff", .of = d->heads, .nr_of = nr };
	d->files = (struct view_files){
		.names = d->names, .nr = nr, .nr_base = d->sides[0].to, .told = nr > 2 || o->told
	};
	return d;
}

const struct view_profile *diff_head(struct diff *d)
{
	return &d->head;
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	close_section(d);
	for (size_t i = 0; i < d->nr; i++)
		profile_free(d->profiles[i]);
	free((void *)d->profiles);
	free((void *)d->heads);
	free((void *)d->names);
	free((void *)d->sections);
	free(d->wholes);
	free(d->sides);
	free(d);
}
