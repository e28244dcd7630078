// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>

#include <cmocka.h>

#include "base/mem.h"
#include "session/dso_frames.h"

static const u64 here = -0x400000ULL, there = -0x7f0000000000ULL;

static frame_id find(const struct dso_frames *p, u64 key, u64 addr, bool *nameless)
{
	return dso_frame_find(p, dso_frame_hash(key, addr), key, addr, nameless);
}

static void keys(void **state UNUSED)
{
	assert_int_not_equal(dso_frame_key(1, false, here), 0);
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(1, false, there));
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(2, false, here));
	assert_int_not_equal(dso_frame_key(1, false, here), dso_frame_key(1, true, here));
	assert_int_equal(dso_frame_key(1, false, here + 1), 0); /* not by pages */
	assert_int_equal(dso_frame_key(1 << 23, false, here), 0);
	assert_int_equal(dso_frame_key(1, false, 0x1000), 0); /* below its own addresses */
	assert_int_not_equal(dso_frame_key_of_none(PERF_RECORD_MISC_USER),
			     dso_frame_key_of_none(PERF_RECORD_MISC_KERNEL));
	assert_int_not_equal(dso_frame_key_of_none(PERF_RECORD_MISC_USER),
			     dso_frame_key(1, false, 0));
}

static void named_everywhere(void **state UNUSED)
{
	struct dso_frames p;
	bool nameless;

	dso_frames_init(&p, DSO_FRAMES_MANY);
	assert_int_equal(find(&p, dso_frame_key(1, false, here), 8, &nameless), 0);
	dso_frame_add(&p, dso_frame_key(1, false, here), 8, true, 7);
	assert_int_equal(find(&p, dso_frame_key(1, false, here), 8, &nameless), 7);
	assert_int_equal(find(&p, dso_frame_key(1, false, there), 8, &nameless), 7);
	assert_int_equal(find(&p, dso_frame_key(2, false, here), 8, &nameless), 0);
	assert_false(nameless);
	dso_frames_release(&p);
}

static void nameless_by_position(void **state UNUSED)
{
	struct dso_frames p;
	bool nameless;

	dso_frames_init(&p, DSO_FRAMES_MANY);
	dso_frame_add(&p, dso_frame_key(1, false, here), 8, false, 7);
	assert_int_equal(find(&p, dso_frame_key(1, false, here), 8, &nameless), 7);
	assert_int_equal(find(&p, dso_frame_key(1, false, there), 8, &nameless), 0);
	assert_true(nameless);
	assert_int_equal(find(&p, dso_frame_key(2, false, there), 8, &nameless), 0);
	assert_false(nameless);
	dso_frames_release(&p);
}

/* Whatever is thrown out on the way, no answer is wrong, and growing loses nothing that is recent.
 */
static void grows(void **state UNUSED)
{
	enum { NR = 400000 };
	struct dso_frames p;
	bool nameless;
	u32 known = 0;

	dso_frames_init(&p, DSO_FRAMES_MANY);
	for (u32 i = 0; i < NR; i++)
		dso_frame_add(&p, dso_frame_key(1 + i % 3, false, here), i * 4ULL, true, i + 1);
	for (u32 i = 0; i < NR; i++) {
		frame_id id = find(&p, dso_frame_key(1 + i % 3, false, here), i * 4ULL, &nameless);

		assert_true(id == 0 || id == i + 1);
		known += id != 0;
	}
	assert_true(known > NR / 4);
	assert_int_equal(
		find(&p, dso_frame_key(1 + (NR - 1) % 3, false, here), (NR - 1) * 4ULL, &nameless),
		NR);
	dso_frames_release(&p);
}

enum { SHARED = 60000 };

struct sharing {
	struct dso_frames p;
	_Atomic u32 wrong, found;
};

/* Every worker asks for all addresses, in an order of its own, and adds what is not known. */
static void ask(void *ctx, unsigned int worker UNUSED, size_t from, size_t to UNUSED)
{
	u64 key = dso_frame_key(1, false, here);
	struct sharing *s = ctx;
	bool nameless;

	for (u32 i = 0; i < SHARED; i++) {
		u32 n = (i * 7919U + (u32)from * 101) % SHARED;
		frame_id id = find(&s->p, key, n, &nameless);

		s->wrong += (id && id != n + 1) || nameless;
		s->found += id != 0;
		if (!id)
			dso_frame_add(&s->p, key, n, n % 2, n + 1);
	}
}

static void shared(void **state UNUSED)
{
	struct sharing s = { .wrong = 0 };
	struct par *par = par_new(4);

	dso_frames_init(&s.p, DSO_FRAMES_MANY);
	par_for(par, 16, 1, ask, &s);
	assert_int_equal(s.wrong, 0);
	assert_true(s.found > SHARED);
	dso_frames_drop_old(&s.p);
	par_for(par, 1, 1, ask, &s);
	assert_int_equal(s.wrong, 0);
	dso_frames_release(&s.p);
	par_free(par);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys),
		cmocka_unit_test(named_everywhere),
		cmocka_unit_test(nameless_by_position),
		cmocka_unit_test(grows),
		cmocka_unit_test(shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
