/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions that hand arguments to BPF programs: what is fetched, and that every way ends behind
 * them. */
/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/mem.h"
#include "bpf/arguments.h"

static int code(const char *a, const char *b, struct bpf_insns *out, struct err *e)
{
	char *fetches[] = { (char *)(uintptr_t)a, (char *)(uintptr_t)b };

	*out = (struct bpf_insns){ 0 };
	return bpf_arguments_code(fetches, b ? 2 : 1, true, out, e);
}

/* No jump leads elsewhere than into the code or right behind it. */
static void check_jumps(const struct bpf_insns *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		u8 op = c->v[i].code;

		if ((op & 0x07) == BPF_JMP && op != (BPF_JMP | BPF_CALL))
			assert_true(c->v[i].off >= 0 && i + 1 + (size_t)c->v[i].off <= c->nr);
	}
}

static size_t calls(const struct bpf_insns *c, s32 helper)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nr; i++)
		n += c->v[i].code == (BPF_JMP | BPF_CALL) && c->v[i].imm == helper;
	return n;
}

static void test_fetches(void **state UNUSED)
{
	struct err e = ERR_INIT;
	struct bpf_insns c;

	assert_int_equal(code("$retval", NULL, &c, &e), 0);
	check_jumps(&c);
	assert_int_equal(calls(&c, BPF_FUNC_probe_read_user), 0);
	vec_free(&c);
	assert_int_equal(code("a=+4(-8($retval)):s32", "b=$stack2:u16", &c, &e), 0);
	check_jumps(&c);
	assert_int_equal(calls(&c, BPF_FUNC_probe_read_user), 3);
	vec_free(&c);
	assert_int_equal(code("\\17", "x=\\0x123456789abc:u64", &c, &e), 0);
	check_jumps(&c);
	vec_free(&c);
}

static void test_refused(void **state UNUSED)
{
	static const char *const wrong[] = { "", "a=", "%none", "%", "+4", "+(%sp)", "+4(%sp", "@symbol", "$comm", "$arg0", "$arg99",
					     "+0(%sp):string", "%sp:u7", "%sp:b4@1/8", "%sp:u8[2]", "+99999999999(%sp)", "--9223372036854775808(%sp)", "%sp:", "$stack-1",
					     "+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(+0(%sp)))))))))))))))))" };
	struct bpf_insns c;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct err e = ERR_INIT;

		assert_int_equal(code(wrong[i], NULL, &c, &e), -1);
		assert_non_null(strstr(e.text, "no arguments of this kind"));
		vec_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fetches),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
