/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/xml.h"

static void check(const char *text, const char *want)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	xml_add_text(&sb, text);
	assert_string_equal(sb.buf, want);
}

static void meanings(void **state)
{
	(void)state;
	check("", "");
	check("a <b> & \"c\" 'd'", "a &lt;b&gt; &amp; &quot;c&quot; 'd'");
	check("]]>", "]]&gt;");
	check("two\nlines", "two\nlines");
	check("gr\xc3\xb6\xc3\x9f"
	      "e",
	      "gr\xc3\xb6\xc3\x9f"
	      "e");
}

/* What XML has no way to write, in an entity neither. */
static void impossible(void **state)
{
	(void)state;
	check("\x1b[31m\x7f", "\\x1b[31m\\x7f");
	check("\xff\xc3", "\\xff\\xc3");
	check("\xc2\x9b", "\\x9b");
	check("\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbd", "\\uffff\\ufffe\xef\xbf\xbd");
	check("\xe2\x80\xae", "\\u202e");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meanings),
		cmocka_unit_test(impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
