// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/private.h"

static const u64 here = -0x400000ULL, there = -0x7f0000000000ULL;

static void keys(void **state UNUSED)
{
	assert_int_not_equal(dso_frame_key(1, false, here), 0);
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(1, false, there));
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(2, false, here));
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(1, true, here));
	assert_int_equal(dso_frame_key(1, false, here + 1), 0); /* not by pages */
	assert_int_equal(dso_frame_key(1 << 23, false, here), 0);
	assert_int_equal(dso_frame_key(1, false, 0x1000), 0); /* below its own addresses */
}

static void named_everywhere(void **state UNUSED)
{
	struct dso_frames p = { 0 };
	bool nameless;

	assert_int_equal(dso_frame_find(&p, dso_frame_key(1, false, here), 8, &nameless), 0);
	dso_frame_add(&p, dso_frame_key(1, false, here), 8, true, 7);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(1, false, here), 8, &nameless), 7);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(1, false, there), 8, &nameless), 7);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(2, false, here), 8, &nameless), 0);
	assert_false(nameless);
	dso_frames_release(&p);
}

static void nameless_by_position(void **state UNUSED)
{
	struct dso_frames p = { 0 };
	bool nameless;

	dso_frame_add(&p, dso_frame_key(1, false, here), 8, false, 7);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(1, false, here), 8, &nameless), 7);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(1, false, there), 8, &nameless), 0);
	assert_true(nameless);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(2, false, there), 8, &nameless), 0);
	assert_false(nameless);
	dso_frames_release(&p);
}

/* Whatever is thrown out on the way, no answer is wrong, and growing loses nothing that is recent. */
static void grows(void **state UNUSED)
{
	enum { NR = 400000 };
	struct dso_frames p = { 0 };
	bool nameless;
	u32 known = 0;

	for (u32 i = 0; i < NR; i++)
		dso_frame_add(&p, dso_frame_key(1 + i % 3, false, here), i * 4ULL, true, i + 1);
	for (u32 i = 0; i < NR; i++) {
		frame_id id = dso_frame_find(&p, dso_frame_key(1 + i % 3, false, here), i * 4ULL, &nameless);

		assert_true(id == 0 || id == i + 1);
		known += id != 0;
	}
	assert_true(known > NR / 4);
	assert_int_equal(dso_frame_find(&p, dso_frame_key(1 + (NR - 1) % 3, false, here), (NR - 1) * 4ULL,
				    &nameless), NR);
	dso_frames_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(named_everywhere),
		cmocka_unit_test(nameless_by_position),
		cmocka_unit_test(grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
