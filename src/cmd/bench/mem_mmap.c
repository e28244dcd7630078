/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem mmap: bytes per second of memory that is mapped, touched and given back. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cmd/bench/measure.h"
#include "cmd/bench/mem.h"

struct mmap_opts {
	const char *size, *function, *page;
	u64 loops;
};

static const struct mmap_opts mmap_defaults = { .size = "1MB", .function = "all", .page = "4KB",
						.loops = 1 };

static const struct opt mmap_table[] = {
	MEM_OPT_SIZE(struct mmap_opts),
	MEM_OPT_FUNCTION(struct mmap_opts),
	OPT_STR('p', "page", struct mmap_opts, page, "4KB",
		"Specify page-size for mapping memory buffers. Available sizes: 4KB, 2MB, 1GB (case "
		"insensitive)"),
	OPT_U64('l', "nr_loops", struct mmap_opts, loops, "n",
		"Specify the number of loops to run. (default: 1)"),
	OPT_END
};

static const struct mmap_function {
	const char *name, *summary;
	int flags;
} functions[] = {
	{ "demand", "Demand loaded mmap()", 0 },
	{ "populate", "Eagerly populated mmap()", MAP_POPULATE },
};

/* The flags of mmap() for pages of this size; false: there are none. */
static bool page_flags(u64 page, int *flags)
{
	enum { SHIFT_2M = 21, SHIFT_1G = 30 };

	if (page == 4096)
		*flags = 0;
	else if (page == 1ULL << SHIFT_2M)
		*flags = MAP_HUGETLB | SHIFT_2M << MAP_HUGE_SHIFT;
	else if (page == 1ULL << SHIFT_1G)
		*flags = MAP_HUGETLB | SHIFT_1G << MAP_HUGE_SHIFT;
	else
		return false;
	return true;
}

static void map_and_touch(const struct mmap_opts *o, u64 size, u64 page, int flags)
{
	volatile u8 *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED) {
		fflush(stdout);
		fprintf(stderr, "# Memory allocation failed - maybe size (%s) %s?\n", o->size,
			flags & MAP_HUGETLB ? "is unaligned, or there are too few huge pages" :
					      "is too large");
		exit(1);
	}
	for (u64 at = 0; at < size; at += page)
		p[at] = 1;
	munmap((void *)p, size);
}

static void run_function(const struct bench_ctx *ctx, const struct mmap_opts *o,
			 const struct mmap_function *f, u64 size)
{
	double bytes = (double)size * (double)o->loops;
	u64 page = mem_parse_size(o->page), start;
	int flags = 0;

	page_flags(page, &flags);
	printf("# function '%s' (%s)\n", f->name, f->summary);
	if (!ctx->simple)
		printf("# Copying %s bytes ...\n\n", o->size);
	fflush(stdout);
	start = bench_ns();
	for (u64 i = 0; i < o->loops; i++)
		map_and_touch(o, size, page, flags | f->flags);
	mem_print_speed(ctx, bytes / ((double)(bench_ns() - start) / 1e9));
}

static int list_functions(void)
{
	printf("Available functions:\n");
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		printf("\t%s ... %s\n", functions[i].name, functions[i].summary);
	return 1;
}

static int mmap_run(const struct bench_ctx *ctx, void *opts)
{
	const struct mmap_opts *o = opts;
	u64 size = mem_parse_size(o->size);
	bool all = !strcmp(o->function, "all"), found = false;
	int flags;

	if (!strcmp(o->function, "help"))
		return list_functions();
	fflush(stdout);
	if (!size) {
		fprintf(stderr, "Invalid size:%s\n", o->size);
		return 1;
	}
	if (!page_flags(mem_parse_size(o->page), &flags)) {
		fprintf(stderr, "Invalid page-size:%s\n", o->page);
		return 1;
	}
	if (!o->loops) {
		fprintf(stderr, "Invalid number of loops: 0\n");
		return 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!all && strcmp(o->function, functions[i].name) != 0)
			continue;
		found = true;
		run_function(ctx, o, &functions[i], size);
	}
	if (found)
		return 0;
	printf("Unknown function: %s\n", o->function);
	return list_functions();
}

static const char *const mmap_usage[] = { "perf bench mem mmap <options>", NULL };

BENCHMARK(bench_mem_mmap, "mmap", "Benchmark for mmap() mappings", mmap_table, mmap_usage,
	  mmap_defaults, mmap_run);
