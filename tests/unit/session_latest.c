// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/latest.h"

static struct shared_end share(const u64 *x, u64 nr_x, const u64 *y, u64 nr_y)
{
	return chains_share(x, nr_x, PERF_RECORD_MISC_USER, y, nr_y, PERF_RECORD_MISC_USER);
}

static void outer_ends(void **state UNUSED)
{
	const u64 x[] = { PERF_CONTEXT_KERNEL, 1, 2, PERF_CONTEXT_USER, 3, 4, 5 };
	const u64 y[] = { PERF_CONTEXT_USER, 9, 4, 5 };
	struct shared_end end = share(x, ARRAY_SIZE(x), y, ARRAY_SIZE(y));

	assert_int_equal(end.nr, 2);
	assert_int_equal(end.nr_frames, 2);
	end = share(x, ARRAY_SIZE(x), x + 1, ARRAY_SIZE(x) - 1);
	assert_int_equal(end.nr, 0); /* of another level at their inner ends */
	end = share(x, ARRAY_SIZE(x), x, ARRAY_SIZE(x));
	assert_int_equal(end.nr, 7);
	assert_int_equal(end.nr_frames, 5); /* markers have none */
	assert_int_equal(share(x, 3, y, ARRAY_SIZE(y)).nr, 0);
	assert_int_equal(share(x, 0, y, ARRAY_SIZE(y)).nr, 0);
}

/* The same address is not the same code at another level. */
static void levels(void **state UNUSED)
{
	const u64 x[] = { PERF_CONTEXT_KERNEL, 1, 2 }, y[] = { PERF_CONTEXT_USER, 7, 2 },
		  z[] = { 7, 2 };

	assert_int_equal(share(x, 3, y, 3).nr_frames, 0);
	assert_int_equal(share(y, 3, z, 2).nr_frames, 2); /* user level is where chains begin */
	assert_int_equal(
		chains_share(y, 3, PERF_RECORD_MISC_USER, z, 2, PERF_RECORD_MISC_KERNEL).nr_frames,
		0);
}

static void keep(struct latest_chains *l, u32 thread, u32 space, u64 *words, frame_id *frames,
		 u32 nr)
{
	u32 nr_frames = 0;

	for (u32 i = 0; i < nr; i++)
		nr_frames += words[i] < PERF_CONTEXT_MAX;
	latest_keep(l, &(struct latest_chain){ .thread = thread,
					       .space = space,
					       .words = words,
					       .nr = nr,
					       .frames = frames,
					       .nr_frames = nr_frames,
					       .valid_from = 5 });
}

static void kept_by_thread(void **state UNUSED)
{
	struct latest_chains l = { 0 };
	u64 words[] = { PERF_CONTEXT_USER, 1, 2 };
	frame_id frames[] = { 10, 20 };
	const struct latest_chain *c;

	assert_null(latest_find(&l, 1, 1));
	keep(&l, 1, 1, words, frames, 3);
	assert_null(latest_find(&l, 1, 2)); /* another program by now */
	assert_null(latest_find(&l, 2, 1));
	words[2] = 3; /* it is a copy */
	c = latest_find(&l, 1, 1);
	assert_non_null(c);
	assert_int_equal(c->nr, 3);
	assert_int_equal(c->words[2], 2);
	assert_int_equal(c->frames[1], 20);
	assert_int_equal(c->valid_from, 5);
	latest_release(&l);
}

/* Of a long chain the outermost words, with the level that they are of. */
static void long_chains(void **state UNUSED)
{
	enum { NR = 2 * LATEST_WORDS };
	struct latest_chains l = { 0 };
	u64 words[NR];
	frame_id frames[NR];
	const struct latest_chain *c;

	words[0] = PERF_CONTEXT_KERNEL;
	for (u32 i = 1; i < NR; i++) {
		words[i] = i;
		frames[i - 1] = i;
	}
	keep(&l, 1, 1, words, frames, NR);
	c = latest_find(&l, 1, 1);
	assert_int_equal(c->nr, LATEST_WORDS);
	assert_int_equal(c->mode, PERF_RECORD_MISC_KERNEL);
	assert_int_equal(c->words[0], NR - LATEST_WORDS);
	assert_int_equal(c->frames[c->nr_frames - 1], NR - 1);
	latest_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outer_ends),
		cmocka_unit_test(levels),
		cmocka_unit_test(kept_by_thread),
		cmocka_unit_test(long_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
