/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where symbols begin and end: tables with what lies at a boundary, and each lookup compared, at
 * all addresses around each boundary, with what the rows themselves say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "dso/symbols/symtab.h"

/* In order of their starts, no two of which are equal. */
struct row {
	u64 start, end; /* the same: no size is known */
	const char *name;
};

struct table {
	const struct row *rows;
	u32 nr;
	bool overlaps; /* some lie in others */
	struct symtab *st;
};

static u64 reaches(const struct table *t, u32 i)
{
	const struct row *r = &t->rows[i];
	u64 page_behind = (r->start + 4095) / 4096 * 4096 + 4096;

	if (r->end > r->start)
		return r->end;
	if (i + 1 < t->nr)
		return r[1].start;
	return page_behind > r->start ? page_behind : UINT64_MAX;
}

/* Without a size, in a row that has one. */
static bool is_label(const struct table *t, u32 i)
{
	const struct row *r = &t->rows[i];

	for (u32 k = 0; k < i; k++)
		if (t->rows[k].end > t->rows[k].start && r->start < t->rows[k].end)
			return r->end == r->start;
	return false;
}

/* The row that begins last of those with the address; labels where there is no other. */
static u32 wanted(const struct table *t, u64 addr)
{
	u32 found = SYM_NONE, label = SYM_NONE;

	for (u32 i = 0; i < t->nr; i++)
		if (t->rows[i].start <= addr && addr < reaches(t, i))
			*(is_label(t, i) ? &label : &found) = i;
	return found == SYM_NONE ? label : found;
}

static u32 begins_before(const struct table *t, u64 addr)
{
	u32 found = SYM_NONE;

	for (u32 i = 0; i < t->nr && t->rows[i].start <= addr; i++)
		found = i;
	return found;
}

/* [from, until) is about addr, has one answer, and where no symbols overlap, or none is there, is
 * all that has it. */
static void check_range(const struct table *t, u64 addr, u32 want, u64 from, u64 until)
{
	assert_in_range(addr, from, until - 1);
	assert_int_equal(wanted(t, from), want);
	assert_int_equal(wanted(t, until - 1), want);
	for (u32 i = 0; i < t->nr; i++) {
		if (t->rows[i].start > from && t->rows[i].start < until)
			assert_int_equal(wanted(t, t->rows[i].start), want);
		if (reaches(t, i) > from && reaches(t, i) < until)
			assert_int_equal(wanted(t, reaches(t, i)), want);
	}
	if (t->overlaps && want != SYM_NONE)
		return;
	if (from)
		assert_int_not_equal(wanted(t, from - 1), want);
	if (until != UINT64_MAX)
		assert_int_not_equal(wanted(t, until), want);
}

static void check(const struct table *t, u64 addr)
{
	u32 want = wanted(t, addr);
	u64 from, until;

	assert_int_equal(symtab_find(t->st, addr), want);
	assert_int_equal(symtab_find_before(t->st, addr),
			 want == SYM_NONE ? begins_before(t, addr) : want);
	if (addr == UINT64_MAX)
		return; /* no [from, until) has it */
	assert_int_equal(symtab_find_around(t->st, addr, &from, &until), want);
	check_range(t, addr, want, from, until);
}

static void check_table(const struct row *rows, u32 nr, bool overlaps)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct table t = { .rows = rows, .nr = nr, .overlaps = overlaps };

	for (u32 i = 0; i < nr; i++)
		symtab_builder_add(&b, rows[i].start, rows[i].end, rows[i].name, 'g');
	t.st = symtab_build(&b, 0);
	assert_int_equal(symtab_count(t.st), nr);
	for (u32 i = 0; i < nr; i++) {
		const u64 bounds[] = { rows[i].start, reaches(&t, i) };

		assert_string_equal(symtab_name(t.st, i), rows[i].name);
		assert_int_equal(symtab_start(t.st, i), rows[i].start);
		assert_int_equal(symtab_end(t.st, i), reaches(&t, i));
		assert_int_equal(symtab_is_label(t.st, i), is_label(&t, i));
		for (u32 k = 0; k < 2; k++)
			for (u64 off = 0; off < 5; off++)
				check(&t, bounds[k] + off - 2);
		/* somewhere in it, and halfway to the next one */
		check(&t, bounds[0] + (bounds[1] - bounds[0]) / 2);
		if (i + 1 < nr && bounds[1] < rows[i + 1].start)
			check(&t, bounds[1] + (rows[i + 1].start - bounds[1]) / 2);
	}
	check(&t, 0);
	check(&t, UINT64_MAX - 1);
	check(&t, UINT64_MAX);
	symtab_free(t.st);
}

static void side_by_side(void **state)
{
	static const struct row rows[] = {
		{ 0x1000, 0x1010, "first" },           { 0x1010, 0x1011, "a byte, no gap" },
		{ 0x1012, 0x1013, "a gap of a byte" }, { 0x1020, 0x1030, "a gap" },
		{ 0x1040, 0x1040, "no size" },         { 0x1050, 0x1058, "next" },
		{ 0x1058, 0x1058, "no size, no gap" }, { 0x1060, 0x1068, "last" },
	};

	(void)state;
	for (u32 nr = 1; nr <= ARRAY_SIZE(rows); nr++)
		check_table(rows, nr, false);
}

/* Lengths around what 16 bits hold, and symbols around multiples of 4 GiB. */
static void long_and_far(void **state)
{
	static const struct row rows[] = {
		{ 0, 0x10, "null" },
		{ 0x10000, 0x1fffe, "fffe" },
		{ 0x20000, 0x2ffff, "ffff" },
		{ 0x30000, 0x40000, "10000" },
		{ 0x40000, 0x50001, "10001" },
		{ 0xffffff00, 0x180000000, "over 4 GiB, and far into what follows" },
		{ 0x200000000, 0x200000001, "at 8 GiB" },
		{ 0x2ffffffff, 0x300000000, "below 12 GiB" },
		{ 0x300000000, 0x300000000, "at 12 GiB, no size" },
		{ 0x500000010, 0x500000020, "none at 16 GiB" },
		{ 0xffffffff81000000, 0xffffffff81000040, "kernel" },
		{ 0xfffffffffffffff0, 0xfffffffffffffffc, "the end" },
	};

	(void)state;
	check_table(rows, ARRAY_SIZE(rows), false);
}

/* The last symbol reaches over the page that it begins in and the next one, or the next one where
 * it begins with a page. */
static void last_without_size(void **state)
{
	static const u64 starts[] = {
		0x3000, 0x3001, 0x3800, 0x3fff, 0xffffffffffffe001, 0xfffffffffffff800
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(starts); i++) {
		const struct row rows[] = { { 0x1000, 0x1010, "first" },
					    { starts[i], starts[i], "last" } };

		check_table(rows, 2, false);
	}
}

static void inside_of_others(void **state)
{
	static const struct row rows[] = {
		{ 0x100, 0x200, "outer" },
		{ 0x101, 0x110, "one behind its begin" },
		{ 0x110, 0x120, "touches it" },
		{ 0x118, 0x11c, "third level" },
		{ 0x130, 0x140, "ends before" },
		{ 0x1f0, 0x200, "ends with outer" },
		{ 0x200, 0x210, "touches outer" },
		{ 0x208, 0x220, "overlaps" },
		{ 0x300, 0x400, "function" },
		{ 0x320, 0x320, "label" },
		{ 0x380, 0x380, "label that goes on behind it" },
		{ 0x480, 0x490, "next" },
		{ 0x490, 0x490, "no label" },
		{ 0x500, 0x510, "with one at its end" },
		{ 0x50f, 0x50f, "label on the last byte" },
		{ 0x510, 0x510, "behind the last byte" },
		{ 0x600, 0x20000, "long" },
		{ 0x1ffff, 0x30000, "overlaps a byte" },
	};

	(void)state;
	check_table(rows, ARRAY_SIZE(rows), true);
}

/* As many as make several blocks of starts, full and not full. */
static void blocks(void **state)
{
	static const u64 bases[] = { 0x1000, 0xffffff80 };
	enum { MOST = 70 };
	static char names[MOST][8];
	struct row rows[MOST];

	(void)state;
	for (u32 p = 0; p < ARRAY_SIZE(bases); p++)
		for (u32 nr = 1; nr <= MOST; nr++) {
			for (u32 i = 0; i < nr; i++) {
				u64 start = bases[p] + 8 * i;

				snprintf(names[i], sizeof(names[i]), "f%u", i);
				rows[i] = (struct row){ start, start + (i % 3 ? 8 : 5), names[i] };
			}
			check_table(rows, nr, false);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(long_and_far),
		cmocka_unit_test(last_without_size),
		cmocka_unit_test(inside_of_others),
		cmocka_unit_test(blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
