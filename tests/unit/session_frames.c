// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/private.h"

static struct frame at(dso_id dso, u64 ip, u8 cpumode)
{
	return (struct frame){ .dso = dso, .sym = SYM_NONE, .addr = ip, .ip = ip, .cpumode = cpumode };
}

static frame_id number(struct frame_table *t, struct frame f)
{
	frame_id id = frame_of_address(t, &f);

	assert_int_equal(frame_at(t, id)->dso, f.dso);
	assert_int_equal(frame_at(t, id)->ip, f.ip);
	return id;
}

static struct frame_table *new_table(void)
{
	struct frame_table *t = XNEW(struct frame_table);

	frame_table_init(t);
	return t;
}

static void free_table(struct frame_table *t)
{
	frame_table_release(t);
	free(t);
}

static void one_for_each_address(void **state UNUSED)
{
	struct frame_table *t = new_table();
	frame_id id = number(t, at(1, 8, PERF_RECORD_MISC_USER));

	assert_int_not_equal(id, 0);
	assert_int_equal(number(t, at(1, 8, PERF_RECORD_MISC_USER)), id);
	assert_int_not_equal(number(t, at(2, 8, PERF_RECORD_MISC_USER)), id);
	assert_int_not_equal(number(t, at(1, 16, PERF_RECORD_MISC_USER)), id);
	assert_int_not_equal(number(t, at(1, 8, PERF_RECORD_MISC_KERNEL)), id);
	assert_int_equal(t->nr, 5);
	free_table(t);
}

/* More objects than are kept under the hash of one address. */
static void many_objects_at_an_address(void **state UNUSED)
{
	enum { NR = 1000 };
	struct frame_table *t = new_table();
	frame_id id[NR];

	for (u32 i = 0; i < NR; i++)
		id[i] = number(t, at(i, 0x1000, PERF_RECORD_MISC_USER));
	for (u32 i = 0; i < NR; i++)
		assert_int_equal(number(t, at(i, 0x1000, PERF_RECORD_MISC_USER)), id[i]);
	assert_int_equal(t->nr, NR + 1);
	free_table(t);
}

enum { SHARED = 100000 };

struct sharing {
	struct frame_table *t;
	_Atomic u32 ids[SHARED];
	_Atomic u32 wrong;
};

/* Every worker asks for all addresses, in an order of its own. */
static void ask(void *ctx, unsigned int worker UNUSED, size_t from, size_t to UNUSED)
{
	struct sharing *s = ctx;

	for (u32 i = 0; i < SHARED; i++) {
		u32 n = (i * 7919U + (u32)from * 101) % SHARED;
		struct frame f = at(n % 3, n, PERF_RECORD_MISC_USER);
		frame_id id = frame_of_address(s->t, &f);
		u32 before = atomic_exchange(&s->ids[n], id);

		s->wrong += !id || (before && before != id) || frame_at(s->t, id)->ip != n;
	}
}

static void the_same_for_all_workers(void **state UNUSED)
{
	struct sharing *s = XNEW(struct sharing);
	struct par *par = par_new(4);

	s->t = new_table();
	par_for(par, 8, 1, ask, s);
	assert_int_equal(s->wrong, 0);
	assert_int_equal(s->t->nr, SHARED + 1); /* none was given out in vain */
	par_free(par);
	free_table(s->t);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_for_each_address),
		cmocka_unit_test(many_objects_at_an_address),
		cmocka_unit_test(the_same_for_all_workers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
