/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>

#include "base/mem.h"
#include "base/similar.h"

static void distances(void **state)
{
	(void)state;
	assert_int_equal(similar_distance("report", "report"), 0);
	assert_int_equal(similar_distance("reprot", "report"), 1); /* neighbours swapped */
	assert_int_equal(similar_distance("recor", "record"), 1);
	assert_int_equal(similar_distance("stat", "start"), 1);
	assert_int_equal(similar_distance("", "abc"), 3);
	assert_int_equal(similar_distance("abc", ""), 3);
	assert_int_equal(similar_distance("kitten", "sitting"), 3);
	char longer[SIMILAR_MAX + 2];
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(similar_distance(longer, "a"), UINT_MAX);
	assert_int_equal(similar_distance(longer + 1, longer + 1), 0);
}

static void closeness(void **state)
{
	unsigned int distance;
	(void)state;
	assert_true(similar_is_close("statt", "stat", &distance));
	assert_int_equal(distance, 1);
	assert_true(similar_is_close("rec", "record", &distance)); /* a beginning */
	assert_int_equal(distance, 0);
	assert_false(similar_is_close("xyzzy", "stat", &distance));
	assert_false(similar_is_close("a", "top", &distance));
}

/* What is left out without counting the edits is too far away: the same answer as with counting,
 * for all words. */
static void left_out(void **state)
{
	char a[7], b[7];
	unsigned int distance, nr = 1, close = 0;
	(void)state;
	for (int round = 0; round < 200000; round++) {
		char *words[] = { a, b };
		for (size_t w = 0; w < ARRAY_SIZE(words); w++) {
			size_t len = (nr = nr * 1103515245 + 12345) >> 16 & 3;
			for (len += 3, words[w][len] = '\0'; len--;)
				words[w][len] =
					"abC_-d"[((nr = nr * 1103515245 + 12345) >> 16) % 6];
		}
		unsigned int counted = similar_distance(a, b);
		bool expected = !strncmp(b, a, strlen(a)) || (counted <= 1 + strlen(a) / 4 &&
							      counted < MIN(strlen(a), strlen(b)));
		assert_int_equal(similar_is_close(a, b, &distance), expected);
		close += expected;
	}
	assert_in_range(close, 2000, 100000);
}

/* What is asked of a user who typed this, of these names. */
static void asks(const char *typed, const char *names, const char *expected)
{
	_cleanup_(mem_freep) char *copy = xstrdup(names);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct similar s;
	char *rest = NULL;
	similar_init(&s, typed);
	for (char *name = strtok_r(copy, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
		similar_offer(&s, name);
	assert_int_equal(similar_question(&s, &text), expected[0] != '\0');
	assert_string_equal(text.buf, expected);
}

static void questions(void **state)
{
	(void)state;
	asks("symbl", "comm dso symbol", "did you mean 'symbol'?");
	asks("stat1", "stat2 stat0", "did you mean 'stat0' or 'stat2'?");
	asks("stat1", "stat2 stat0 stat2", "did you mean 'stat0' or 'stat2'?");
	asks("ab", "abe aba abc abd", "did you mean 'aba', 'abc', 'abd' or 'abe'?");
	asks("ab", "abe aba abf abc abd", "did you mean 'aba', 'abc', 'abd', 'abe' or another?");
	asks("ab", "abcdefgh abc1 abc2 abc3 abc4 ab aba",
	     "did you mean 'ab', 'aba', 'abc1', 'abc2' or another?");
	asks("TASK_clock", "cpu-clock task-clock", "did you mean 'task-clock'?");
	asks("xyzzy", "comm dso", "");
	asks("cs", "cycles", "");
	asks("a\033b1", "a\033b2", "did you mean 'a\\x1bb2'?");
}

static void hints(void **state)
{
	static const char *const names[] = { "fp", "dwarf", "lbr" };
	struct err e = ERR_INIT;
	struct similar s;
	(void)state;
	similar_hint_of("dwraf", names, ARRAY_SIZE(names), &e);
	assert_string_equal(e.hint, "did you mean 'dwarf'? known are fp, dwarf, lbr");
	similar_hint_of("xyzzy", names, ARRAY_SIZE(names), &e);
	assert_string_equal(e.hint, "known are fp, dwarf, lbr");
	/* What is compared, and what is suggested for it. */
	similar_init(&s, "sched_swich");
	similar_offer_as(&s, "sched_switch", "sched:sched_switch");
	similar_hint(&s, &e);
	assert_string_equal(e.hint, "did you mean 'sched:sched_switch'?");
	similar_init(&s, "xyzzy");
	similar_hint(&s, &e); /* knows nothing: what was said before stays */
	assert_string_equal(e.hint, "did you mean 'sched:sched_switch'?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances), cmocka_unit_test(closeness),
		cmocka_unit_test(left_out),  cmocka_unit_test(questions),
		cmocka_unit_test(hints),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
