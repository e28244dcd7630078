/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiled in many ways by source_lines.py: inlining over several levels, in loops and headers. */
#include "nested.h"

int table[64];

static inline __attribute__((always_inline)) int scale(int v)
{
	return v * 3 +
	       clamp(v);
}

__attribute__((noinline)) int walk(int from, int to)
{
	int sum = 0;

	for (int i = from; i < to; i++) {
		sum += scale(table[i & 63]);
		if (sum > 1000)
			sum = clamp(sum) - spread(i);
	}
	return sum;
}

__attribute__((cold, noinline)) int rare(int v)
{
	return spread(clamp(v));
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
		table[i] = scale(i + argc);
	sum = walk(0, argc * 100);
	if (argc > 5)
		sum += rare(sum);
	return sum == 12345 && argv[0][0];
}
