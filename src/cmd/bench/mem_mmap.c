/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem mmap: bytes per second of memory that is mapped, touched and given back. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"
#include "cmd/bench/mem.h"

enum { NO_COUNTER = 255 };

struct mmap_opts {
	const char *size, *function, *page;
	u64 loops, seed, threads;
	bool cycles;
};

static const struct mmap_opts mmap_defaults = {
	.size = "1MB", .function = "all", .page = "4KB", .loops = 1, .threads = 1
};

static const struct opt mmap_table[] = {
	MEM_OPT_SIZE(struct mmap_opts),
	MEM_OPT_FUNCTION(struct mmap_opts),
	MEM_OPT_PAGE(struct mmap_opts),
	OPT_U64('l', "nr_loops", struct mmap_opts, loops, "n",
		"Specify the number of loops to run. (default: 1)"),
	OPT_U64('t', "threads", struct mmap_opts, threads, "n",
		"Number of threads to run concurrently (default: 1)."),
	OPT_U64('r', "randomize", struct mmap_opts, seed, "n",
		"Seed to randomize page access offset."),
	MEM_OPT_CYCLES(struct mmap_opts),
	OPT_END
};

static const struct mmap_function {
	const char *name, *summary;
	int flags;
} functions[] = {
	{ "demand", "Demand loaded mmap()", 0 },
	{ "populate", "Eagerly populated mmap()", MAP_POPULATE },
};

struct mmap_bench {
	const struct bench_ctx *ctx;
	const struct mmap_opts *o;
	u64 size, page;
	int map_flags;
};

struct mmap_thread {
	const struct mmap_bench *b;
	struct bench_gate *gate;
	int map_flags;
	u64 random; /* 0 = the first page is touched first */
	u64 used; /* cycles or nanoseconds */
};

/* The next of a sequence of pseudo-random numbers: a shift register, never 0 (Marsaglia). */
static u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void map_and_touch(struct mmap_thread *t)
{
	u64 size = t->b->size, page = t->b->page, first = 0;
	volatile u8 *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | t->map_flags, -1, 0);

	if (p == MAP_FAILED)
		mem_map_failed(t->b->o->size, t->map_flags);
	if (t->random)
		first = next_random(&t->random) % ((size + page - 1) / page) * page;
	for (u64 at = first; at < size; at += page)
		p[at] = 1;
	for (u64 at = 0; at < first; at += page)
		p[at] = 1;
	munmap((void *)p, size);
}

static void *mmap_thread(void *arg)
{
	struct mmap_thread *t = arg;
	int cycles = t->b->o->cycles ? mem_open_cycles() : -1;
	u64 start;

	if (t->b->o->cycles && cycles < 0)
		exit(NO_COUNTER);
	bench_gate_wait(t->gate);
	start = mem_stamp(cycles);
	for (u64 i = 0; i < t->b->o->loops; i++)
		map_and_touch(t);
	t->used = mem_stamp(cycles) - start;
	if (cycles >= 0)
		close(cycles);
	return NULL;
}

/* The mean of the threads. */
static void print_result(const struct mmap_bench *b, const struct mmap_thread *threads,
			 unsigned int nr)
{
	double bytes = (double)b->size * (double)b->o->loops;
	struct bench_stats stats = { 0 };
	char behind[64] = "";

	for (unsigned int i = 0; i < nr; i++)
		bench_stats_add(&stats, b->o->cycles ? (double)threads[i].used / bytes
						     : bytes / ((double)threads[i].used / 1e9));
	if (nr > 1)
		snprintf(behind, sizeof(behind), "/thread\t( +- %6.2f%% )",
			 bench_stats_percent(&stats));
	if (b->o->cycles)
		mem_print_cycles(b->ctx, stats.mean, behind);
	else
		mem_print_speed(b->ctx, stats.mean, behind);
}

static void run_function(const struct mmap_bench *b, const struct mmap_function *f)
{
	unsigned int nr = bench_nr_threads(b->o->threads);
	struct mmap_thread *threads = XNEW_ARRAY(struct mmap_thread, nr);
	struct bench_threads t;
	struct bench_gate gate;

	printf("# function '%s' (%s)\n", f->name, f->summary);
	if (!b->ctx->simple)
		printf("# Copying %s bytes ...\n\n", b->o->size);
	fflush(stdout);
	bench_gate_init(&gate, nr);
	for (unsigned int i = 0; i < nr; i++)
		threads[i] = (struct mmap_thread){ .b = b,
						   .gate = &gate,
						   .map_flags = b->map_flags | f->flags,
						   .random = b->o->seed ? b->o->seed + i : 0 };
	bench_threads_start(&t, nr, false, mmap_thread, threads, sizeof(*threads));
	bench_threads_join(&t);
	print_result(b, threads, nr);
	free(threads);
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
	struct mmap_bench b = { .ctx = ctx, .o = o, .size = mem_parse_size(o->size) };
	bool all = !strcmp(o->function, "all"), found = false;

	if (!strcmp(o->function, "help"))
		return list_functions();
	fflush(stdout);
	if (!b.size) {
		fprintf(stderr, "Invalid size:%s\n", o->size);
		return 1;
	}
	if (!mem_page_flags(o->page, &b.page, &b.map_flags)) {
		fprintf(stderr, "Invalid page-size:%s\n", o->page);
		return 1;
	}
	if (!o->loops) {
		fprintf(stderr, "Invalid number of loops: 0\n");
		return 1;
	}
	if (!o->threads) {
		fprintf(stderr, "Invalid number of threads: 0\n");
		return 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!all && strcmp(o->function, functions[i].name) != 0)
			continue;
		found = true;
		run_function(&b, &functions[i]);
	}
	if (found)
		return 0;
	printf("Unknown function: %s\n", o->function);
	return list_functions();
}

static const char *const mmap_usage[] = { "perf bench mem mmap <options>", NULL };

BENCHMARK(bench_mem_mmap, "mmap", "Benchmark for mmap() mappings", mmap_table, mmap_usage,
	  mmap_defaults, mmap_run);
