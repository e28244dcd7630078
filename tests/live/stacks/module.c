/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stands for a kernel module: compiled with -c, a section per function. */
volatile long demo_sink;

static inline __attribute__((always_inline)) void demo_inner(long n)
{
	demo_sink += n * n;
}

__attribute__((noinline)) void demo_first(long n)
{
	demo_inner(n);
	demo_sink++;
}

__attribute__((noinline)) void demo_second(long n)
{
	for (long i = 0; i < n; i++) {
		demo_first(i);
		demo_inner(i + 1);
	}
}
