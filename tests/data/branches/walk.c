/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What branch records of tests are made over: loops, calls, recursion, an indirect call. */
static volatile unsigned int total;

__attribute__((noinline)) unsigned int leaf(unsigned int x)
{
	if (x & 1)
		x = 3 * x + 1;
	else
		x /= 2;
	return x ^ 5;
}

__attribute__((noinline)) unsigned int recurse(unsigned int n)
{
	if (!n)
		return leaf(n);
	return recurse(n - 1) + 1;
}

__attribute__((noinline)) unsigned int loop(unsigned int n)
{
	unsigned int sum = 0;

	for (unsigned int i = 0; i < n; i++) {
		for (unsigned int j = 0; j < (n & 7); j++)
			sum += total;
		if (sum & 4)
			sum += leaf(i);
	}
	return sum;
}

static unsigned int (*volatile chosen)(unsigned int) = recurse;

__attribute__((noinline)) void once(unsigned int i)
{
	total += loop(4);
	total += chosen(i & 7);
}

int main(void)
{
	for (unsigned int i = 0; i < 100; i++)
		once(i);
	return 0;
}
