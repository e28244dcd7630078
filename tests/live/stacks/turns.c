/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callers that take turns: each of 16 has a leaf of its own, which it calls through large(), whose frame has 12 kB. So
 * of each leaf one caller is true. What is above the leaf's frame differs each time that somebody looks at it.
 * Argument: milliseconds of CPU time; more: that it sleeps in the leaf instead, in so many ms at a time. */
#include <stdlib.h>
#include <time.h>

static volatile long sink;
static long nap;

__attribute__((noinline)) static void spin(void)
{
	struct timespec t = { .tv_nsec = nap * 1000000 };

	if (nap)
		nanosleep(&t, NULL);
	for (int i = 0; !nap && i < 20000; i++)
		sink += i;
	sink++;
}

__attribute__((noinline)) static void large(void (*leaf)(const char *))
{
	char room[12288];

	for (size_t i = 0; i < sizeof(room); i += 64)
		room[i] = (char)sink;
	leaf(room);
	sink += room[0];
}

#define TURN(n)                                                                      \
	__attribute__((noinline)) static void leaf_##n(const char *room)             \
	{                                                                            \
		spin();                                                              \
		sink += room[n];                                                     \
	}                                                                            \
	__attribute__((noinline)) static void caller_##n(void)                       \
	{                                                                            \
		large(leaf_##n);                                                     \
		sink += n;                                                           \
	}
TURN(0) TURN(1) TURN(2) TURN(3) TURN(4) TURN(5) TURN(6) TURN(7)
TURN(8) TURN(9) TURN(10) TURN(11) TURN(12) TURN(13) TURN(14) TURN(15)

int main(int argc, char **argv)
{
	static void (*const callers[])(void) = {
		caller_0, caller_1, caller_2, caller_3, caller_4, caller_5, caller_6, caller_7,
		caller_8, caller_9, caller_10, caller_11, caller_12, caller_13, caller_14, caller_15,
	};
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 1000) * (CLOCKS_PER_SEC / 1000);

	nap = argc > 2 ? atoi(argv[2]) : 0;
	for (unsigned int i = 0; nap ? i < 16 : clock() < end; i++)
		callers[i % 16]();
	return 0;
}
