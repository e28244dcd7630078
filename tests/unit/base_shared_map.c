// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/par.h"
#include "base/shared_map.h"
#include "many.h"

enum { NR = MANY_OF(50000), WORKERS = 4 };

/* Items are numbers; every worker makes them in a part of its own. */
struct items {
	struct shared_map map;
	u32 *v;
	u32 used[WORKERS];
	_Atomic u32 index[NR];
	_Atomic u32 wrong;
	u64 (*hash)(u32 n);
};

struct wanted {
	struct items *s;
	unsigned int worker;
	u32 n;
};

static bool is(void *ctx, u32 index)
{
	struct wanted *w = ctx;

	return w->s->v[index] == w->n;
}

static u32 make(void *ctx)
{
	struct wanted *w = ctx;
	u32 index = w->worker * NR + w->s->used[w->worker]++;

	w->s->v[index] = w->n;
	return index;
}

static void unmake(void *ctx, u32 index)
{
	struct wanted *w = ctx;

	w->s->v[index] = NR;
	w->s->used[w->worker]--;
}

static const struct shared_map_ops ops = { is, make, unmake };

static u32 take(struct items *s, unsigned int worker, u32 n)
{
	struct wanted w = { s, worker, n };

	return shared_map_take(&s->map, s->hash(n), &ops, &w);
}

static u64 spread(u32 n)
{
	return hash_u64(n);
}

/* The same digest for many. */
static u64 crowded(u32 n)
{
	return hash_u64(n / 100);
}

static struct items *items_new(u64 (*hash)(u32 n), u32 expected)
{
	struct items *s = XNEW(struct items);

	s->hash = hash;
	s->v = XNEW_ARRAY(u32, WORKERS * NR);
	shared_map_init(&s->map, expected);
	return s;
}

static void items_free(struct items *s)
{
	shared_map_release(&s->map);
	free(s->v);
	free(s);
}

static u32 nr_made(const struct items *s)
{
	u32 nr = 0;

	for (u32 i = 0; i < WORKERS; i++)
		nr += s->used[i];
	return nr;
}

static void grows_between_uses(void **state UNUSED)
{
	struct items *s = items_new(spread, 0);

	for (u32 n = 0; n < NR; n++) {
		assert_int_equal(take(s, 0, n), n);
		if (n % 1000 == 0)
			shared_map_make_room(&s->map);
	}
	shared_map_make_room(&s->map);
	assert_true(s->map.mask > NR / 2 / SHARED_WAYS);
	assert_true(s->map.rest.nr < NR / 10);
	for (u32 n = 0; n < NR; n++)
		assert_int_equal(take(s, 0, n), n);
	assert_int_equal(nr_made(s), NR);
	items_free(s);
}

/* No room was made: nearly all is in the table under the lock. */
static void works_without_room(void **state UNUSED)
{
	struct items *s = items_new(spread, 0);

	for (u32 n = 0; n < NR; n++)
		assert_int_equal(take(s, 0, n), n);
	assert_true(s->map.rest.nr > NR / 2);
	for (u32 n = 0; n < NR; n++)
		assert_int_equal(take(s, 0, n), n);
	shared_map_make_room(&s->map);
	assert_true(s->map.rest.nr < NR / 10);
	for (u32 n = 0; n < NR; n++)
		assert_int_equal(take(s, 0, n), n);
	items_free(s);
}

static u32 nothing(void *ctx UNUSED)
{
	return SHARED_NONE;
}

static void tells_when_nothing_is_made(void **state UNUSED)
{
	static const struct shared_map_ops none = { is, nothing, unmake };
	struct items *s = items_new(spread, 0);
	struct wanted w = { s, 0, 7 };

	assert_int_equal(shared_map_take(&s->map, spread(7), &none, &w), SHARED_NONE);
	assert_int_equal(take(s, 0, 7), 0);
	assert_int_equal(shared_map_take(&s->map, spread(7), &none, &w), 0);
	items_free(s);
}

/* Every worker asks for all, in an order of its own. */
static void ask(void *ctx, unsigned int worker, size_t from, size_t to UNUSED)
{
	struct items *s = ctx;

	for (u32 i = 0; i < NR; i++) {
		u32 n = (i * 7919U + (u32)from * 101) % NR;
		u32 index = take(s, worker, n);
		u32 before = atomic_exchange(&s->index[n], index + 1);

		s->wrong += (before && before != index + 1) || s->v[index] != n;
	}
}

static void ask_in_parallel(u64 (*hash)(u32 n), u32 expected)
{
	struct items *s = items_new(hash, expected);
	struct par *par = par_new(WORKERS);

	for (u32 round = 0; round < 3; round++) {
		par_for(par, WORKERS, 1, ask, s);
		shared_map_make_room(&s->map);
	}
	assert_int_equal(s->wrong, 0);
	assert_int_equal(nr_made(s), NR);
	par_free(par);
	items_free(s);
}

static void one_for_all_workers(void **state UNUSED)
{
	ask_in_parallel(spread, NR);
	ask_in_parallel(spread, NR / 10);
}

static void one_for_all_workers_in_few_buckets(void **state UNUSED)
{
	ask_in_parallel(crowded, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_between_uses),
		cmocka_unit_test(works_without_room),
		cmocka_unit_test(tells_when_nothing_is_made),
		cmocka_unit_test(one_for_all_workers),
		cmocka_unit_test(one_for_all_workers_in_few_buckets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
