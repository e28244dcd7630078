/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of perf test as XML in the form of JUnit, which build servers read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/safe_file.h"
#include "base/strbuf.h"
#include "base/xml.h"
#include "cmd/test/test.h"

static void add_case(struct strbuf *out, const struct test_case *c)
{
	strbuf_adds(out, "    <testcase classname=\"");
	xml_add_text(out, c->title);
	strbuf_adds(out, "\" name=\"");
	xml_add_text(out, c->name);
	strbuf_addf(out, "\" time=\"%llu.%06llu\"", (unsigned long long)c->us / 1000000,
		    (unsigned long long)c->us % 1000000);
	if (c->result == TEST_OK) {
		strbuf_adds(out, "/>\n");
		return;
	}
	strbuf_addf(out, ">\n      <%s message=\"", c->result == TEST_SKIP ? "skipped" : "failure");
	xml_add_text(out, c->reason);
	strbuf_adds(out, "\"/>\n    </testcase>\n");
}

int test_junit_write(const char *path, const test_results *results, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	unsigned int failures = 0, skipped = 0;
	FILE *f;

	VEC_FOR(results, c) {
		failures += c->result == TEST_FAIL;
		skipped += c->result == TEST_SKIP;
	}
	strbuf_addf(
		&out,
		"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n"
		"  <testsuite name=\"perf-tests\" tests=\"%zu\" failures=\"%u\" skipped=\"%u\">\n",
		results->nr, failures, skipped);
	VEC_FOR(results, c)
		add_case(&out, c);
	strbuf_adds(&out, "  </testsuite>\n</testsuites>\n");
	f = output_file_stream(path, e);
	if (!f)
		return -1;
	fwrite(out.buf, 1, out.len, f);
	if (ferror(f) | fclose(f))
		return err_set(e, EIO, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}
