/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/find_bytes.h"
#include "base/mem.h"

/* The same as memmem(), of texts in which much is alike, wherever they begin and end in memory. */
static void as_memmem(void **state)
{
	_cleanup_(mem_freep) char *text = malloc(600);
	unsigned int seed = 7;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		size_t len = (size_t)rand_r(&seed) % 500, what_len = 1 + (size_t)rand_r(&seed) % 20;
		size_t from = (size_t)rand_r(&seed) % 16;
		char what[20];

		for (size_t i = 0; i < from + len; i++)
			text[i] = (char)('a' + rand_r(&seed) % 3);
		for (size_t i = 0; i < what_len; i++)
			what[i] = (char)('a' + rand_r(&seed) % 3);
		if (len > what_len && round % 2)
			memcpy(text + from + (size_t)rand_r(&seed) % (len - what_len), what,
			       what_len);
		assert_ptr_equal(find_bytes(text + from, len, what, what_len),
				 memmem(text + from, len, what, what_len));
	}
	assert_ptr_equal(find_bytes(text, 10, "", 0), text);
	assert_null(find_bytes(text, 0, "a", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(as_memmem) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
