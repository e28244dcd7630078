/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Without -DMAIN a plugin that spends time in a callback; with it the program that loads and unloads
 * ./plugin.so again and again. Argument: milliseconds of CPU time. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

#ifdef MAIN
int main(int argc, char **argv)
{
	clock_t end = clock() + (argc > 1 ? atoi(argv[1]) : 400) * (CLOCKS_PER_SEC / 1000);

	while (clock() < end) {
		void *plugin = dlopen("./plugin.so", RTLD_NOW);
		void (*work)(void) = plugin ? (void (*)(void))dlsym(plugin, "work") : NULL;

		if (!work)
			return 1;
		work();
		dlclose(plugin);
	}
	return 0;
}
#else
static volatile long sink;

static int compare(const void *a, const void *b)
{
	for (long i = 0; i < 20000; i++)
		sink += i * i;
	return *(const int *)a - *(const int *)b;
}

void work(void)
{
	int v[64];

	for (int i = 0; i < 64; i++)
		v[i] = rand();
	qsort(v, 64, sizeof(*v), compare);
	sink += v[3];
}
#endif
