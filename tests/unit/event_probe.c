/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points in code as events: what is asked for, and what becomes of it. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "event/event.h"

static struct strbuf asked = STRBUF_INIT;
static int removed;

static void count_removal(const struct event_probe *p)
{
	assert_string_equal(p->group, "perf_group");
	removed++;
}

/* "PATH|DEFINITION". */
static int make(const struct event_env *env, const struct event_probe_ask *ask,
		struct event_probe_vec *out, struct err *e)
{
	struct event_probe *p;

	(void)env;
	strbuf_reset(&asked);
	strbuf_addf(&asked, "%s %d %s|%s", ask->word, ask->is_user, ask->object ? ask->object : "-",
		    ask->definition);
	p = VEC_PUSH(out);
	*p = (struct event_probe){ .name = xstrdup("f"),
				   .tracefs = xstrdup("/nowhere"),
				   .group = xstrdup("perf_group"),
				   .tracepoint = xstrdup("f_9"),
				   .id = 5,
				   .remove = count_removal };
	return strstr(ask->definition, "wrong") ? err_set(e, ENOENT, "first\nsecond") : 0;
}

static const struct event_env env = { .sysfs = "/nowhere",
				      .tracefs = "/nowhere",
				      .make_probes = make };

static void asks(void **state)
{
	static const struct {
		const char *text, *asked;
	} cases[] = {
		{ "uprobe:/bin/x:main", "uprobe 1 /bin/x|main" },
		{ "uprobe:x:main:u", "uprobe 1 x|main" },
		{ "uprobe:/bin/x:main:10", "uprobe 1 /bin/x|main:10" },
		{ "uprobe:/bin/x:main+4:u", "uprobe 1 /bin/x|main+4" },
		{ "uprobe:/bin/x:src/a.c:10", "uprobe 1 /bin/x|src/a.c:10" },
		{ "uprobe:/bin/x:f@src/a.c", "uprobe 1 /bin/x|f@src/a.c" },
		{ "uprobe:/bin/x:f_*", "uprobe 1 /bin/x|f_*" },
		{ "uprobe:/bin/x:ev=f", "uprobe 1 /bin/x|ev=f" },
		{ "uprobe:/bin/x:ns\\:\\:f", "uprobe 1 /bin/x|ns\\:\\:f" },
		{ "uprobe:\"/a b:c,d\":f", "uprobe 1 /a b:c,d|f" },
		{ "uprobe:/a\\:b:f", "uprobe 1 /a:b|f" },
		{ "uprobe:/bin/x:\"f;g(*,n)\"", "uprobe 1 /bin/x|f;g(*,n)" },
		{ "uprobe:/bin/x:f()", "uprobe 1 /bin/x|f" },
		{ "uprobe:/bin/x:f( n , it->v[1], s=+0(+8(%si)):string )",
		  "uprobe 1 /bin/x|f n it->v[1] s=+0(+8(%si)):string" },
		{ "uprobe:/bin/x:f(n):u", "uprobe 1 /bin/x|f n" },
		{ "uprobe:/bin/x:f(n)/call-graph=fp/", "uprobe 1 /bin/x|f n" },
		{ "uretprobe:/bin/x:f($retval)", "uretprobe 1 /bin/x|f%return $retval" },
		{ "kprobe:tcp_sendmsg", "kprobe 0 -|tcp_sendmsg" },
		{ "kprobe:nf_tables:nft_do_chain:k", "kprobe 0 nf_tables|nft_do_chain" },
		{ "kprobe:f:10", "kprobe 0 -|f:10" },
		{ "kprobe:fs/open.c:10", "kprobe 0 -|fs/open.c:10" },
		{ "kretprobe:f", "kretprobe 0 -|f%return" },
		{ "usdt:/bin/x:prov:name", "usdt 1 /bin/x|%sdt_prov:name" },
		{ "usdt:/bin/x:prov:p:u", "usdt 1 /bin/x|%sdt_prov:p" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event_list l;
		struct event_error ee;

		event_list_init(&l);
		if (event_parse(&l, cases[i].text, &env, &ee))
			fail_msg("'%s': %s", cases[i].text, ee.text);
		assert_int_equal(l.events.nr, 1);
		assert_string_equal(asked.buf, cases[i].asked);
		event_list_release(&l);
	}
}

static void events(void **state)
{
	static const char *const names[] = { "uprobe:f", "uprobe:f_1", "kprobe:f", "uprobe:f_2" };
	struct event_list l, copies;
	struct event_error ee;

	(void)state;
	removed = 0;
	event_list_init(&l);
	event_list_init(&copies);
	assert_int_equal(event_parse(&l, "{uprobe:x:f,uprobe:y:f(n)}:u,kprobe:f:k", &env, &ee), 0);
	assert_int_equal(event_parse(&l, "uprobe:x:f", &env, &ee), 0);
	assert_int_equal(l.events.nr, 4);
	for (size_t i = 0; i < l.events.nr; i++)
		assert_string_equal(l.events.v[i]->name, names[i]);
	const struct event *first = l.events.v[0], *tracepoint = l.events.v[1];
	assert_true(first->attr.exclude_kernel);
	assert_int_equal(tracepoint->kind, EVENT_TRACEPOINT);
	assert_int_equal(tracepoint->attr.config, 5);
	assert_string_equal(tracepoint->tp_system, "uprobe");
	assert_string_equal(tracepoint->tp_name, "f_1");
	assert_ptr_equal(tracepoint->leader, first);
	/* a copy takes nothing back */
	event_list_append_copy(&copies, &l);
	event_list_release(&copies);
	assert_int_equal(removed, 0);
	event_list_release(&l);
	assert_int_equal(removed, 4);
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		long column;
		const char *says;
	} cases[] = {
		{ "cs,uprobe:", 10, "uprobe:PATH:FUNCTION is expected" },
		{ "uprobe:/x", 7, "uprobe:PATH:FUNCTION is expected" },
		{ "uprobe:/x:", 10, "a function is missing" },
		{ "kprobe:", 7, "a function is missing" },
		{ "usdt:/x:name", 8, "a provider and, behind ':', a point's name are expected" },
		{ "usdt:/x:p:", 10, "a point's name is missing" },
		{ "uprobe:/x:f(a", 12, "')' is missing behind the arguments" },
		{ "uprobe:/x:f(a,)", 14, "an argument is missing" },
		{ "uprobe:/x:f(,a)", 12, "an argument is missing" },
		{ "uprobe:/x:\"f", 10, "the quote has no end" },
		{ "uprobe:/x:wrong", 10, "first" },
		{ "uprobe:/x:f(n,wrong)", 10, "first" },
		{ "uprobe:/x:f(n)g", 13, "parser error" },
	};
	struct event_list l;
	struct event_error ee;

	(void)state;
	removed = 0;
	event_list_init(&l);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(event_parse(&l, cases[i].text, &env, &ee), -1);
		if (ee.column != cases[i].column || strcmp(ee.text, cases[i].says) != 0)
			fail_msg("'%s': %ld %s", cases[i].text, ee.column, ee.text);
		if (!strcmp(ee.text, "first"))
			assert_string_equal(ee.help, "second\n");
	}
	/* what was made before the error is taken back */
	assert_int_equal(removed, 3);
	assert_int_equal(
		event_parse(&l, "uprobe:/x:f", &(struct event_env){ .sysfs = "/nowhere" }, &ee),
		-1);
	event_list_release(&l);
}

static void spans(void **state)
{
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{ "cs,page-faults", 2 },
		{ "cpu/a=1,b=2/u,cs", 13 },
		{ "{a,b}:S,c", 7 },
		{ "uprobe:/bin/x:f(a,b[1]),write", 23 },
		{ "uprobe:/bin/x:f,write", 15 },
		{ "uprobe:\"/a,b\":f,write", 15 },
		{ "s:[a,b]*,c", 8 },
		{ "last", 4 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(event_span(cases[i].text), cases[i].n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks),
		cmocka_unit_test(events),
		cmocka_unit_test(errors),
		cmocka_unit_test(spans),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	strbuf_release(&asked);
	return rc;
}
