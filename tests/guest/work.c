/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload of the arm64 tests: work.c [N]: arithmetic in leaf(), called by middle(), and calls
 * through the procedure linkage table. The same instructions on every run.
 */
#include <stdlib.h>

__attribute__((noinline)) static unsigned long leaf(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++)
		sum += i ^ (sum << 1);
	return sum;
}

__attribute__((noinline)) static unsigned long middle(unsigned long n)
{
	return leaf(n) + 1;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	volatile unsigned long result = middle(n);

	for (unsigned long i = 0; i < n / 10; i++)
		result += (unsigned long)abs((int)i);
	return result == 1;
}
