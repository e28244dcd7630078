/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/block_diff.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

static void add_blocks(struct block_rows *rows, const struct block_input *in)
{
	const struct block *b;
	size_t nr = blocks_of(in->blocks, in->event, in->function, &b);

	for (size_t i = 0; i < nr; i++) {
		u64 base = blocks_base(in->blocks, &b[i]);
		struct block_row r = { .start = b[i].start - base,
				       .end = b[i].end - base,
				       .sides = xcalloc(rows->nr_sides, sizeof(*r.sides)) };

		r.sides[in->side] = (struct block_side){
			.of = in->blocks, .block = &b[i], .cycles = b[i].cycles, .nr = b[i].nr
		};
		*VEC_PUSH(&rows->v) = r;
	}
}

static int compare_places(const struct block_row *x, const struct block_row *y)
{
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static int compare_unjoined(const void *x, const void *y)
{
	return compare_places(x, y);
}

static void join(struct block_rows *rows, struct block_row *to, struct block_row *r)
{
	for (u32 s = 0; s < rows->nr_sides; s++) {
		if (!to->sides[s].of) {
			to->sides[s] = r->sides[s];
			continue;
		}
		to->sides[s].cycles += r->sides[s].cycles;
		to->sides[s].nr += r->sides[s].nr;
	}
	free(r->sides);
}

static void join_rows(struct block_rows *rows)
{
	size_t nr = 0;

	if (rows->v.nr)
		qsort(rows->v.v, rows->v.nr, sizeof(*rows->v.v), compare_unjoined);
	VEC_FOR(&rows->v, r) {
		if (nr && !compare_places(&rows->v.v[nr - 1], r))
			join(rows, &rows->v.v[nr - 1], r);
		else
			rows->v.v[nr++] = *r;
	}
	rows->v.nr = nr;
}

static bool is_new(const struct block_rows *rows, const struct block_row *r)
{
	for (u32 s = 1; s < rows->nr_sides; s++)
		if (r->sides[s].of)
			return true;
	return false;
}

static u64 size_of_delta(const struct block_row *r, u32 side)
{
	s64 d;

	return block_diff_delta(r, side, &d) ? (u64)llabs(d) : 0;
}

static int compare_rows(const void *x, const void *y, void *ctx)
{
	const struct block_row *p = x, *q = y;
	u32 side = *(const u32 *)ctx;
	u64 a = size_of_delta(p, side), b = size_of_delta(q, side);

	if (a != b)
		return a > b ? -1 : 1;
	return compare_places(p, q);
}

void block_diff_rows(struct block_rows *out, const struct block_input *inputs, size_t nr,
		     u32 nr_sides, u32 order)
{
	size_t kept = 0;

	*out = (struct block_rows){ .nr_sides = nr_sides };
	order = MAX(order, 1U);
	for (size_t i = 0; i < nr; i++)
		add_blocks(out, &inputs[i]);
	join_rows(out);
	VEC_FOR(&out->v, r) {
		if (is_new(out, r))
			out->v.v[kept++] = *r;
		else
			free(r->sides);
	}
	out->v.nr = kept;
	if (kept)
		qsort_r(out->v.v, kept, sizeof(*out->v.v), compare_rows, &order);
}

void block_diff_release(struct block_rows *rows)
{
	VEC_FOR(&rows->v, r)
		free(r->sides);
	vec_free(&rows->v);
}

u64 block_diff_average(const struct block_side *s)
{
	return s->nr ? s->cycles / s->nr : 0;
}

bool block_diff_delta(const struct block_row *r, u32 side, s64 *delta)
{
	*delta = (s64)(block_diff_average(&r->sides[side]) - block_diff_average(&r->sides[0]));
	return r->sides[side].of && r->sides[0].of;
}

/* How much both took, one beside the other. */
static u32 first_differences(const struct block_row *r, u32 side, double *out)
{
	const struct block_side *x = &r->sides[0], *y = &r->sides[side];
	const struct block_first *f, *g;
	u32 nr;

	if (!x->of || !y->of)
		return 0;
	f = blocks_first(x->of, x->block);
	g = blocks_first(y->of, y->block);
	nr = MIN(f->nr, g->nr);
	for (u32 i = 0; i < nr; i++)
		out[i] = abs(g->v[i].cycles - f->v[i].cycles);
	return nr;
}

static double relative_error(const double *v, u32 nr)
{
	double mean = 0, squares = 0;

	for (u32 i = 0; i < nr; i++)
		mean += v[i] / nr;
	for (u32 i = 0; i < nr; i++)
		squares += (v[i] - mean) * (v[i] - mean);
	return nr < 2 || mean <= 0 ? NAN : 100.0 * sqrt(squares / (nr - 1) / nr) / mean;
}

double block_diff_spread(const struct block_row *r, u32 side)
{
	double v[BLOCK_FIRST];

	return relative_error(v, first_differences(r, side, v));
}

void block_diff_add_spread(const struct block_row *r, u32 side, struct strbuf *out)
{
	enum { HEIGHTS = 8 };
	static const char *const bars[HEIGHTS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double v[BLOCK_FIRST], low = INFINITY, high = 0;
	u32 nr = first_differences(r, side, v);
	double error = relative_error(v, nr);

	if (isnan(error))
		return;
	for (u32 i = 0; i < nr; i++) {
		low = MIN(low, v[i]);
		high = MAX(high, v[i]);
	}
	strbuf_addf(out, "±%5.1f%% ", error);
	for (u32 i = 0; i < nr; i++)
		strbuf_adds(
			out,
			bars[high > low ? (int)((v[i] - low) * (HEIGHTS - 1) / (high - low)) : 0]);
}

/* To the left; two bars begin a column later, as perf has them. Every bar has three bytes. */
void block_diff_pad_spread(const struct strbuf *text, u32 width, struct strbuf *out)
{
	enum { BEFORE = 8, BAR = 3 };
	u32 bars = text->len > BEFORE ? (u32)(text->len - BEFORE) / BAR : 0;
	u32 len = bars ? BEFORE + bars : 0;

	if (bars == 2 && width)
		strbuf_addch(out, ' ');
	strbuf_add(out, text->buf, text->len);
	if (len < width)
		strbuf_pad(out, ' ', width - len);
}
