/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What profile/alike leaves out of names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/alike.h"

static void same(void (*add)(const char *name, size_t len, struct strbuf *out), const char *name,
		 const char *plain)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;

	add(name, strlen(name), &out);
	assert_string_equal(out.buf, plain);
}

static void symbols(void **state UNUSED)
{
	static const char *const rows[][2] = {
		{ "foo", "foo" },
		{ "foo.constprop.0", "foo" },
		{ "foo.isra.1.part.22.cold", "foo" },
		{ "foo.cold", "foo" },
		{ "foo.lto_priv.0", "foo" },
		{ "foo.llvm.1234567890", "foo" },
		{ "ns::f(int) [clone .constprop.0]", "ns::f(int)" },
		{ "f(int) [clone .part.0] [clone .cold]", "f(int)" },
		{ "core::fmt::write::h0123456789abcdef", "core::fmt::write" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE", "_ZN4core3fmt5write" },
		{ "core[0123456789abcdef]::fmt::write", "core::fmt::write" },
		/* names of their own */
		{ "foo.0", "foo.0" },
		{ "foo.constproper", "foo.constproper" },
		{ ".cold", ".cold" },
		{ "operator[]", "operator[]" },
		{ "f(int [12])", "f(int [12])" },
		{ "a::h0123", "a::h0123" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		same(alike_add_symbol, rows[i][0], rows[i][1]);
}

static void objects(void **state UNUSED)
{
	static const char *const rows[][2] = {
		{ "libfoo-1.2.so", "libfoo.so" },
		{ "libfoo.so.1.2.3", "libfoo.so" },
		{ "libfoo.so.1.debug", "libfoo.so" },
		{ "python3.11", "python" },
		{ "app-v2.1", "app" },
		{ "/nix/store/0123456789abcdfghijklmnpqrsvwxyz-glibc-2.37/lib/libc.so.6",
		  "glibc/lib/libc.so" },
		{ "/lib/modules/6.1.0-13-amd64/kernel/fs/xfs.ko",
		  "/lib/modules/-amd/kernel/fs/xfs.ko" },
		{ "[kernel.kallsyms]", "[kernel.kallsyms]" },
		{ "work", "work" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		same(alike_add_object, rows[i][0], rows[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(symbols), cmocka_unit_test(objects) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
