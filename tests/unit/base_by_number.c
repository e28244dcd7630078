/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
/* after those that it needs */
#include <cmocka.h>

#include "base/by_number.h"
#include "base/mem.h"

/* Sorts numbers that of() makes of places: the larger first, what is alike in its order. */
static void check(size_t nr, u64 (*of)(size_t i))
{
	struct numbered *v = XNEW_ARRAY(struct numbered, nr + 1);
	struct numbered *spare = XNEW_ARRAY(struct numbered, nr + 1);
	char *places = xcalloc(nr + 1, 1);

	for (size_t i = 0; i < nr; i++)
		v[i] = (struct numbered){ of(i), &places[i] };
	by_number_sort(v, nr, spare);
	for (size_t i = 0; i < nr; i++) {
		char *at = (char *)v[i].thing;

		assert_int_equal(v[i].number, of((size_t)(at - places)));
		assert_int_equal(*at, 0);
		*at = 1;
		if (i && v[i].number == v[i - 1].number)
			assert_true(v[i].thing > v[i - 1].thing);
		else if (i)
			assert_true(v[i].number < v[i - 1].number);
	}
	free(v);
	free(spare);
	free(places);
}

static u64 scattered(size_t i)
{
	return (i + 1) * 0x9e3779b97f4a7c15ULL;
}

static u64 alike(size_t i)
{
	return scattered(i) % 7;
}

/* They differ in the first and the last digit alone. */
static u64 outer(size_t i)
{
	return (scattered(i) >> 62 << 62) | 0x123400 | (scattered(i) & 3);
}

static u64 one(size_t i)
{
	(void)i;
	return UINT64_MAX;
}

static void orders(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 47, 48, 49, 50, 1000, 70001 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		check(sizes[i], scattered);
		check(sizes[i], alike);
		check(sizes[i], outer);
		check(sizes[i], one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(orders) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
