/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of /proc/schedstat, what is recorded of them, and what happened between two of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "analyze/schedstat.h"
#include "base/bits.h"

/* The values of a domain: first, first + 1, ... */
static void add_values(struct strbuf *text, u32 nr, u64 first)
{
	for (u32 i = 0; i < nr; i++)
		strbuf_addf(text, " %llu", (unsigned long long)(first + i));
	strbuf_addch(text, '\n');
}

static void make_text(struct strbuf *text, u32 version, u64 time, u64 first)
{
	u32 nr = schedstat_domain_values(version);

	strbuf_addf(text, "version %u\ntimestamp %llu\ncpu3 1 2 %llu 4 5 6 7000000000 8 9\n",
		    version, (unsigned long long)time, (unsigned long long)first);
	strbuf_adds(text,
		    version < 17 ? "domain0 0000000f,80000001" : "domain0 MC 0000000f,80000001");
	add_values(text, nr, first);
	strbuf_adds(text, version < 17 ? "domain1 f" : "domain1 PKG f");
	add_values(text, nr, first);
	strbuf_adds(text, "cpu4 0 0 0 0 0 0 0 0 0\n");
}

static void parse(struct schedstat *s, u32 version, u64 time, u64 first)
{
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;

	*s = (struct schedstat){ 0 };
	make_text(&text, version, time, first);
	assert_int_equal(schedstat_parse(s, text.buf, &e), 0);
	strbuf_release(&text);
}

static void texts(void **state)
{
	(void)state;
	for (u32 version = SCHEDSTAT_OLDEST; version <= SCHEDSTAT_NEWEST; version++) {
		struct schedstat s;
		const struct schedstat_domain *d;

		parse(&s, version, 77, 100);
		assert_int_equal(s.version, version);
		assert_int_equal(s.time, 77);
		assert_int_equal(s.cpus.nr, 2);
		assert_int_equal(s.cpus.v[0].cpu, 3);
		assert_int_equal(s.cpus.v[0].values[STAT_RUN_NS], 7000000000);
		assert_int_equal(s.cpus.v[0].domains.nr, 2);
		d = &s.cpus.v[0].domains.v[0];
		assert_string_equal(d->cpus, "0,31-35");
		assert_int_equal(d->values[schedstat_domain_values(version) - 1],
				 99 + schedstat_domain_values(version));
		if (version == 17)
			assert_string_equal(d->name, "MC");
		else
			assert_null(d->name);
		schedstat_release(&s);
	}
}

static void broken_texts(void **state)
{
	static const char *const list[] = {
		"",
		"version 14\ncpu0 1 2 3 4 5 6 7 8 9\n",
		"cpu0 1 2 3 4 5 6 7 8 9\n",
		"version 17\ncpu0 1 2 3\n",
		"version 17\ndomain0 MC f 1 2 3\n",
		"version 17\ncpu0 1 2 3 4 5 6 7 8 9\ndomain0 MC f 1 2 3\n"
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		struct schedstat s = { 0 };
		struct err e = ERR_INIT;

		assert_int_equal(schedstat_parse(&s, list[i], &e), -1);
		schedstat_release(&s);
	}
}

/* As perf 7.3 writes them. */
static void records(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct schedstat s;
	const u8 *b;

	(void)state;
	parse(&s, 17, 77, 100);
	schedstat_add_records(&s, &out);
	b = (const u8 *)out.buf;
	assert_int_equal(out.len, 72 + 2 * 208 + 72);
	assert_int_equal(bits_u32(b), PERF_RECORD_SCHEDSTAT_CPU);
	assert_int_equal(bits_u32(b + 4), 72U << 16);
	assert_int_equal(bits_u64(b + 8), 77);
	assert_int_equal(bits_u32(b + 16), 3);
	assert_int_equal(bits_u32(b + 20), 17);
	assert_int_equal(bits_u32(b + 24), 1);
	assert_int_equal(bits_u64(b + 48), 7000000000);
	b += 72 + 208;
	assert_int_equal(bits_u32(b), PERF_RECORD_SCHEDSTAT_DOMAIN);
	assert_int_equal(bits_u32(b + 20), 17 | 1U << 16);
	assert_int_equal(bits_u32(b + 24), 100);
	schedstat_release(&s);
	strbuf_release(&out);
}

/* Counters of 32 bits begin anew; CPUs that come later do not count. */
static void differences(void **state)
{
	struct schedstat first, last;
	struct schedstat_cpu mean;

	(void)state;
	parse(&first, 17, 77, UINT32_MAX);
	parse(&last, 17, 87, 9);
	first.cpus.nr = 1;
	schedstat_subtract(&last, &first);
	assert_int_equal(last.time, 10);
	assert_int_equal(last.cpus.nr, 1);
	assert_int_equal(last.cpus.v[0].values[STAT_SCHEDULES], 10);
	assert_int_equal(last.cpus.v[0].values[STAT_RUN_NS], 0);
	assert_int_equal(last.cpus.v[0].domains.v[1].values[0], 10);
	schedstat_mean(&last, &mean);
	assert_int_equal(mean.values[STAT_SCHEDULES], 10);
	assert_int_equal(mean.domains.nr, 2);
	assert_string_equal(mean.domains.v[1].name, "PKG");
	schedstat_cpu_release(&mean);
	schedstat_release(&first);
	schedstat_release(&last);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(broken_texts),
		cmocka_unit_test(records),
		cmocka_unit_test(differences),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
