/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/diff_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/section.h"

enum {
	BASE_WIDTH = 8,
	NUMBER_WIDTH = 14,
	FORMULA_WIDTH = 70,
	BLOCK_WIDTH = 70,
	SPREAD_WIDTH = 17,
};

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

u32 diff_match(const struct diff *d, const struct diff_row *r, bool object)
{
	const u32 *of = object ? d->alike.object_of_row : d->alike.of_row;

	return of ? of[r->joined - d->joined.rows] : 0;
}

static bool is_marked(const struct diff *d, const struct diff_row *r, u32 key)
{
	const char *name = d->in[0].o->agg.keys[key]->name;

	return (!strcmp(name, "symbol") && diff_match(d, r, false)) ||
	       (!strcmp(name, "dso") && diff_match(d, r, true));
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
	strbuf_pad_from(out, from, width);
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
		strbuf_addf(out, "%*.6f", NUMBER_WIDTH, diff_computed(d, r, side));
	else if (d->o->compute == DIFF_WDIFF)
		strbuf_addf(out, "%*lld", NUMBER_WIDTH, (long long)diff_weighted(d, r, side));
	else
		strbuf_addf(out, "%+.2f%%", diff_delta(r, side));
}

static void add_interval(const struct diff *d, const struct diff_row *r, u32 side,
			 struct strbuf *out)
{
	double v = diff_interval(d, r, side);

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
	double percent = c.kind == BASE ? base_share(d, r)
			 : points       ? fabs(diff_delta(r, c.index))
					: 0;
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
		out->real = diff_computed(d, r, side);
	else if (d->o->compute == DIFF_WDIFF)
		out->value = (u64)diff_weighted(d, r, side);
	else
		out->real = diff_delta(r, side);
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
		out->real = diff_interval(d, r, c.index);
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

void diff_table_add_columns(struct diff *d)
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

void diff_table_release(struct diff *d)
{
	for (size_t i = 0; i < d->nr_cols; i++)
		free(d->headers[i]);
	free((void *)d->headers);
	free(d->cols);
	free(d->columns);
	d->headers = NULL;
	d->cols = NULL;
	d->columns = NULL;
	d->nr_cols = 0;
}

struct view_table diff_table(struct diff *d)
{
	return (struct view_table){ .columns = d->columns,
				    .nr_columns = d->nr_cols,
				    .nr_rows = d->nr_rows,
				    .nr_members = 1,
				    /* source lines of blocks are read by one at a time */
				    .serial = d->o->compute == DIFF_CYCLES,
				    .ctx = d,
				    .cell = add_cell,
				    .text = text_of_cell,
				    .number = number_of_cell };
}
