/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/interval.h"

#include <math.h>

#include "base/types.h"

/* The t that 95 % of Student's distribution lie between, for so many degrees of freedom. */
static double student_t(double df)
{
	static const double table[] = { 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
					2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
					2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
					2.060,  2.056, 2.052, 2.048, 2.045, 2.042 };
	size_t n = ARRAY_SIZE(table);

	if (df < 1)
		df = 1;
	if (df >= (double)n) /* the first terms of its series in 1/df */
		return 1.960 + 2.372 / df + 2.82 / (df * df);
	return table[(size_t)df - 1]; /* rounded down: wider rather than narrower */
}

double interval_welch(double variance_a, size_t nr_a, double variance_b, size_t nr_b)
{
	double n[2] = { (double)nr_a, (double)nr_b };
	double a, b, df;

	if (nr_a < 2 || nr_b < 2)
		return NAN;
	a = variance_a / n[0];
	b = variance_b / n[1];
	if (a + b <= 0)
		return 0;
	df = (a + b) * (a + b) / (a * a / (n[0] - 1) + b * b / (n[1] - 1));
	return student_t(df) * sqrt(a + b);
}
