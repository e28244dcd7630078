/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interval of perf diff covers the true difference as often as it promises: programs whose
 * functions have known shares are sampled over and over (the numbers are the same in every run of
 * this test), and the interval of each comparison either has the truth in it or not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/types.h"
#include "profile/interval.h"

enum { MAX_RUNS = 8, COMPARISONS = 4000 };

static u64 state;

static double random_number(void) /* 0 to 1, by splitmix64 */
{
	u64 z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) / (double)(1ULL << 53);
}

/* A normally distributed number, nearly: the sum of twelve. */
static double noise(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += random_number();
	return sum;
}

struct side {
	double share, spread; /* in percent: of the function, and of runs around it */
	size_t runs, samples; /* of each */
	double mean, variance; /* as they were found */
};

/* The share that a recording tells: samples hit the function or not. */
static double record(const struct side *s)
{
	double share = (s->share + s->spread * noise()) / 100;
	size_t hits = 0;

	for (size_t i = 0; i < s->samples; i++)
		hits += random_number() < share;
	return 100.0 * (double)hits / (double)s->samples;
}

static void measure(struct side *s)
{
	double v[MAX_RUNS];

	s->mean = s->variance = 0;
	for (size_t i = 0; i < s->runs; i++) {
		v[i] = record(s);
		s->mean += v[i] / (double)s->runs;
	}
	for (size_t i = 0; i < s->runs; i++)
		s->variance += (v[i] - s->mean) * (v[i] - s->mean) / (double)(s->runs - 1);
}

/* In percent. */
static double coverage(struct side a, struct side b)
{
	size_t covered = 0;

	for (int i = 0; i < COMPARISONS; i++) {
		measure(&a);
		measure(&b);
		covered += fabs(b.mean - a.mean - (b.share - a.share)) <=
			   interval_welch(a.variance, a.runs, b.variance, b.runs);
	}
	return 100.0 * (double)covered / COMPARISONS;
}

/* 4,000 comparisons tell the rate to 0.7 points; with few runs the interval is rather too wide. */
static void covers_the_truth(void **unused UNUSED)
{
	static const struct side pairs[][2] = {
		{ { .share = 30, .runs = 3, .samples = 200 },
		  { .share = 35, .runs = 3, .samples = 200 } },
		{ { .share = 30, .runs = 5, .samples = 200 },
		  { .share = 30, .runs = 5, .samples = 200 } },
		{ { .share = 20, .spread = 2, .runs = 5, .samples = 300 },
		  { .share = 26, .spread = 2, .runs = 5, .samples = 300 } },
		/* one side is noisier, and there are fewer of it */
		{ { .share = 50, .spread = 1, .runs = 8, .samples = 400 },
		  { .share = 45, .spread = 4, .runs = 4, .samples = 100 } },
	};

	state = 1;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		double percent = coverage(pairs[i][0], pairs[i][1]);

		print_message("# %zu: %.2f %%\n", i, percent);
		assert_true(percent > 94 && percent < 99);
	}
}

static void known_values(void **unused UNUSED)
{
	/* two of each, by hand: df = 2, t = 4.303 */
	assert_true(fabs(interval_welch(1, 2, 1, 2) - 4.303) < 1e-9);
	assert_true(interval_welch(0, 3, 0, 3) == 0);
	assert_true(isnan(interval_welch(1, 1, 1, 3)));
	/* many: nearly that of the normal distribution */
	assert_true(fabs(interval_welch(1, 5000, 1, 5000) - 1.96 * sqrt(2.0 / 5000)) < 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(known_values),
					    cmocka_unit_test(covers_the_truth) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
