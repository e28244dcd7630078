/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks through memory for about 0.4 s of CPU time, as the program of the documents' command lines. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint32_t next[1 << 16];

__attribute__((noinline)) uint32_t benchmark_loads(uint32_t at)
{
	for (int i = 0; i < 1 << 16; i++)
		at = next[at];
	return at;
}

int main(void)
{
	const uint32_t n = sizeof(next) / sizeof(*next);
	uint32_t at = 0;

	for (uint32_t i = 0; i < n; i++)
		next[i] = (i + 4099) % n;
	while (clock() < CLOCKS_PER_SEC * 2 / 5)
		at = benchmark_loads(at);
	return at >= n;
}
