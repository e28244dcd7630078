// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/frames.h"

static struct frame at(dso_id dso, u64 ip, u8 cpumode)
{
	return (struct frame){
		.dso = dso, .sym = SYM_NONE, .addr = ip, .ip = ip, .cpumode = cpumode
	};
}

static struct frame_block block;

static frame_id number(struct frame_table *t, struct frame f)
{
	frame_id id = frame_of_address(t, &block, &f);

	assert_int_equal(frame_at(t, id)->dso, f.dso);
	assert_int_equal(frame_at(t, id)->ip, f.ip);
	return id;
}

static struct frame_table *new_table(void)
{
	struct frame_table *t = XNEW(struct frame_table);

	frame_table_init(t, 0);
	block = (struct frame_block){ 0 };
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
	assert_int_equal(block.next, 5);
	/* what has no frame yet is one of nothing */
	assert_true(t->nr > 5);
	for (frame_id i = 5; i < t->nr; i++) {
		assert_int_equal(frame_at(t, i)->sym, SYM_NONE);
		assert_int_equal(frame_at(t, i)->dso, 0);
	}
	free_table(t);
}

static void many_objects_at_an_address(void **state UNUSED)
{
	enum { NR = 1000 };
	struct frame_table *t = new_table();
	frame_id id[NR];

	for (u32 i = 0; i < NR; i++)
		id[i] = number(t, at(i, 0x1000, PERF_RECORD_MISC_USER));
	for (u32 i = 0; i < NR; i++)
		assert_int_equal(number(t, at(i, 0x1000, PERF_RECORD_MISC_USER)), id[i]);
	assert_int_equal(block.next, NR + 1);
	frame_table_make_room(t);
	for (u32 i = 0; i < NR; i++)
		assert_int_equal(number(t, at(i, 0x1000, PERF_RECORD_MISC_USER)), id[i]);
	frame_table_forget_addresses(t);
	assert_int_equal(number(t, at(0, 0x1000, PERF_RECORD_MISC_USER)), NR + 1);
	free_table(t);
}

enum { SHARED = 100000 };

struct sharing {
	struct frame_table *t;
	struct frame_block blocks[4];
	_Atomic u32 ids[SHARED];
	_Atomic u32 wrong;
};

/* Every worker asks for all addresses, in an order of its own. */
static void ask(void *ctx, unsigned int worker, size_t from, size_t to UNUSED)
{
	struct sharing *s = ctx;

	for (u32 i = 0; i < SHARED; i++) {
		u32 n = (i * 7919U + (u32)from * 101) % SHARED;
		struct frame f = at(n % 3, n, PERF_RECORD_MISC_USER);
		frame_id id = frame_of_address(s->t, &s->blocks[worker], &f);
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
	/* none was given out in vain, but for what is left of the workers' blocks */
	assert_true(s->t->nr > SHARED && s->t->nr <= SHARED + 1 + 4 * FRAME_BLOCK);
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
