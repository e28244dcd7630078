/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem find_bit: all set bits of a bitmap by searching for the next one, and by testing each. */
#include <stdio.h>

#include "cmd/bench/measure.h"

enum { MAX_BITS = 2048, WORD_BITS = 64 };

struct find_bit_opts {
	u64 outer, inner;
};

static const struct find_bit_opts find_bit_defaults = { .outer = 5, .inner = 100000 };

static const struct opt find_bit_table[] = { OPT_U64('i', "outer-iterations", struct find_bit_opts,
						     outer, "n", "Number of outer iterations used"),
					     OPT_U64('j', "inner-iterations", struct find_bit_opts,
						     inner, "n", "Number of inner iterations used"),
					     OPT_END };

static const char *const find_bit_usage[] = { "perf bench mem find_bit <options>", NULL };

struct bitmap {
	unsigned int nr;
	u64 words[MAX_BITS / WORD_BITS];
};

static unsigned int next_set(const struct bitmap *map, unsigned int from)
{
	unsigned int word = from / WORD_BITS;
	u64 bits;

	if (from >= map->nr)
		return map->nr;
	bits = map->words[word] & (~0ULL << (from % WORD_BITS));
	while (!bits) {
		word++;
		if (word * WORD_BITS >= map->nr)
			return map->nr;
		bits = map->words[word];
	}
	return word * WORD_BITS + (unsigned int)__builtin_ctzll(bits);
}

static bool test(const struct bitmap *map, unsigned int bit)
{
	return map->words[bit / WORD_BITS] >> (bit % WORD_BITS) & 1;
}

/* What both ways do with a bit; the compiler must not see through it. */
static __attribute__((noinline)) void use(unsigned int *sum, unsigned int bit)
{
	__asm__ volatile("" : : : "memory");
	*sum += bit;
}

static unsigned int by_search(const struct bitmap *map, u64 rounds)
{
	unsigned int sum = 0;

	for (u64 i = 0; i < rounds; i++) {
		for (unsigned int bit = next_set(map, 0); bit < map->nr;
		     bit = next_set(map, bit + 1))
			use(&sum, bit);
	}
	return sum;
}

static unsigned int by_test(const struct bitmap *map, u64 rounds)
{
	unsigned int sum = 0;

	for (u64 i = 0; i < rounds; i++) {
		for (unsigned int bit = 0; bit < map->nr; bit++) {
			if (test(map, bit))
				use(&sum, bit);
		}
	}
	return sum;
}

static void measure(const struct find_bit_opts *o, const struct bitmap *map, unsigned int set)
{
	struct bench_stats search = { 0 }, each = { 0 };

	for (u64 i = 0; i < o->outer; i++) {
		u64 t0 = clock_now(), t1, t2;
		unsigned int a = by_search(map, o->inner), b;

		t1 = clock_now();
		b = by_test(map, o->inner);
		t2 = clock_now();
		if (a != b)
			bench_die_text("the two ways found different bits");
		bench_stats_add(&search, (double)(t1 - t0) / 1000);
		bench_stats_add(&each, (double)(t2 - t1) / 1000);
	}
	printf("%lu operations %u bits set of %u bits\n", o->inner, set, map->nr);
	printf("  Average for_each_set_bit took: %.3f usec (+- %.3f usec)\n", search.mean,
	       bench_stats_error(&search));
	printf("  Average test_bit loop took:    %.3f usec (+- %.3f usec)\n", each.mean,
	       bench_stats_error(&each));
}

static int find_bit_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	for (unsigned int nr = 1; nr <= MAX_BITS; nr *= 2) {
		for (unsigned int set = 1; set <= nr; set *= 2) {
			struct bitmap map = { .nr = nr };

			for (unsigned int bit = 0; bit < nr; bit += nr / set)
				map.words[bit / WORD_BITS] |= 1ULL << (bit % WORD_BITS);
			measure(opts, &map, set);
		}
	}
	return 0;
}

BENCHMARK(bench_mem_find_bit, "find_bit", "Benchmark for find_bit() functions", find_bit_table,
	  find_bit_usage, find_bit_defaults, find_bit_run);
