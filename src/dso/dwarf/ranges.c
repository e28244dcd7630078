/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranges of code of several units that overlap. Linkers keep one copy of an inline function or
 * template and let the debug information of the others, where they have the same size, point to it:
 * it describes the code as if it were of every unit that uses it, with lines of each. That of the
 * first unit is the copy's own.
 */
#include "dso/dwarf/dwarf.h"

static int range_cmp(const void *a, const void *b)
{
	const struct dwarf_range *x = a;
	const struct dwarf_range *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static bool overlap(const struct dwarf_ranges *r)
{
	for (size_t i = 1; i < r->nr; i++)
		if (r->v[i].lo < r->v[i - 1].hi)
			return true;
	return false;
}

/* A heap of ranges, that of the first unit on top. */
static void heap_add(struct dwarf_ranges *heap, const struct dwarf_range *range)
{
	size_t i = heap->nr;

	*VEC_PUSH(heap) = *range;
	for (size_t up; i && range->unit < heap->v[up = (i - 1) / 2].unit; i = up)
		heap->v[i] = heap->v[up];
	heap->v[i] = *range;
}

static void heap_drop(struct dwarf_ranges *heap)
{
	struct dwarf_range last = heap->v[--heap->nr];
	size_t i = 0;

	for (size_t down; (down = 2 * i + 1) < heap->nr; i = down) {
		if (down + 1 < heap->nr && heap->v[down + 1].unit < heap->v[down].unit)
			down++;
		if (last.unit <= heap->v[down].unit)
			break;
		heap->v[i] = heap->v[down];
	}
	heap->v[i] = last;
}

static void add_piece(struct dwarf_ranges *out, u64 lo, u64 hi, u64 unit)
{
	struct dwarf_range *last = out->nr ? VEC_LAST(out) : NULL;

	if (last && last->hi == lo && last->unit == unit)
		last->hi = hi;
	else
		*VEC_PUSH(out) = (struct dwarf_range){ lo, hi, unit };
}

void dwarf_ranges_sort(struct dwarf_ranges *r)
{
	struct dwarf_ranges heap = { 0 };
	struct dwarf_ranges out = { 0 };
	size_t i = 0;
	u64 at = 0;

	VEC_SORT(r, range_cmp);
	if (!overlap(r))
		return;
	while (i < r->nr || heap.nr) {
		u64 hi;

		if (!heap.nr)
			at = r->v[i].lo;
		for (; i < r->nr && r->v[i].lo <= at; i++)
			heap_add(&heap, &r->v[i]);
		while (heap.nr && heap.v[0].hi <= at)
			heap_drop(&heap);
		if (!heap.nr)
			continue;
		hi = heap.v[0].hi;
		if (i < r->nr && r->v[i].lo < hi)
			hi = r->v[i].lo;
		add_piece(&out, at, hi, heap.v[0].unit);
		at = hi;
	}
	vec_free(&heap);
	vec_free(r);
	*r = out;
}
