/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of a kilobyte, thirty deep, compiled with frame pointers. With -DBARE a program without a
 * library, which runs until it is killed; else the argument is its CPU time in milliseconds. */
static volatile long sink;

__attribute__((noinline)) static void leaf(void)
{
	for (int i = 0; i < 30000; i++)
		sink += i;
	sink++;
}

__attribute__((noinline)) static void deep(int n)
{
	volatile char room[1000];

	room[n] = 1;
	if (n)
		deep(n - 1);
	else
		leaf();
	sink += room[n];
}

#ifdef BARE
void _start(void)
{
	for (;;)
		deep(30);
}
#else
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 300) * (CLOCKS_PER_SEC / 1000);

	while (clock() < end)
		deep(30);
	return 0;
}
#endif
