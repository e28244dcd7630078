/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of structures, from type information that is made up, whole and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/btf.h>
#include <string.h>

#include "bpf/btf.h"

#define NAMES "\0int\0pid\0task\0comm\0task_struct\0cast"

static const struct info {
	struct btf_header h;
	u32 types[4 + 3 + 2 * 3 + 3 + 2 * 3 + 3 + 3 + 3];
	char names[sizeof(NAMES)];
} info = {
	.h = { .magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(struct btf_header),
	       .type_len = sizeof(info.types), .str_off = sizeof(info.types), .str_len = sizeof(NAMES) },
	.types = {
		1, BTF_KIND_INT << 24, 4, 32,			       /* int */
		9, BTF_KIND_STRUCT << 24 | 2, 24,		       /* task { int comm @0; int pid @20 } */
		14, 1, 0, 5, 1, 160,
		19, BTF_KIND_STRUCT << 24 | 1U << 31 | 2, 8,	       /* task_struct { int pid:8 @8; int comm @4 } */
		5, 1, 8 << 24 | 64, 14, 1, 32,
		0, BTF_KIND_PTR << 24, 1,			       /* int * */
		0, BTF_KIND_FUNC_PROTO << 24, 1,		       /* int (void) */
		31, BTF_KIND_FUNC << 24, 5,			       /* int cast(void) */
	},
	.names = NAMES,
};

static void test_members(void **state UNUSED)
{
	u32 at = 0;

	assert_true(btf_member(&info, sizeof(info), "task", "pid", &at));
	assert_int_equal(at, 20);
	assert_true(btf_member(&info, sizeof(info), "task_struct", "pid", &at));
	assert_int_equal(at, 8);
	assert_true(btf_member(&info, sizeof(info), "task_struct", "comm", &at));
	assert_int_equal(at, 4);
	assert_false(btf_member(&info, sizeof(info), "task_struct", "int", &at));
	assert_false(btf_member(&info, sizeof(info), "task_stru", "pid", &at));
}

static void test_functions(void **state UNUSED)
{
	u32 id = 0;

	assert_true(btf_function(&info, sizeof(info), "cast", &id));
	assert_int_equal(id, 6);
	assert_false(btf_function(&info, sizeof(info), "task", &id));
	assert_false(btf_function(&info, sizeof(info) - 8, "cast", &id));
}

/* Any length and any changed word: no member, or some offset; nothing behind the end is read. */
static void test_damaged(void **state UNUSED)
{
	u32 at;

	for (size_t len = 0; len < offsetof(struct info, names) + sizeof(NAMES); len++) {
		void *cut = test_malloc(len ? len : 1);

		memcpy(cut, &info, len);
		assert_false(btf_member(cut, len, "task_struct", "pid", &at));
		test_free(cut);
	}
	for (size_t i = 0; i < sizeof(info) / 4; i++) {
		struct info bad = info;

		memset((u32 *)(void *)&bad + i, 0xff, 4);
		(void)btf_member(&bad, sizeof(bad), "task_struct", "pid", &at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
