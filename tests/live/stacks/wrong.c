/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls wrong() of wrong.s from below qsort(), until it is killed or for as many milliseconds of CPU time. */
#include <stdlib.h>
#include <time.h>

void wrong(void);

static int compare(const void *a, const void *b)
{
	wrong();
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 300) * (CLOCKS_PER_SEC / 1000);
	int v[64];

	while (clock() < end) {
		for (int i = 0; i < 64; i++)
			v[i] = i * 37 % 64;
		qsort(v, 64, sizeof(v[0]), compare);
	}
	return 0;
}
