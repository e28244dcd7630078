/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem memcpy, memset: bytes per second of the C library's function and of other ways to do it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/bench/measure.h"
#include "cmd/bench/mem.h"
#include "sys/perf_open.h"

struct mem_opts {
	const char *size, *function, *chunk, *page;
	u64 loops;
	bool cycles;
};

#define WHOLE "0" /* chunk: no smaller pieces */

static const struct mem_opts mem_defaults = {
	.size = "1MB", .function = "all", .chunk = WHOLE, .page = "4KB", .loops = 1
};

static const struct opt mem_table[] = {
	MEM_OPT_SIZE(struct mem_opts),
	MEM_OPT_FUNCTION(struct mem_opts),
	MEM_OPT_PAGE(struct mem_opts),
	OPT_STR('k', "chunk", struct mem_opts, chunk, "0",
		"Specify the chunk-size for each invocation. Available units: B, KB, MB, GB and TB "
		"(case insensitive)"),
	OPT_U64('l', "nr_loops", struct mem_opts, loops, "n",
		"Specify the number of loops to run. (default: 1)"),
	MEM_OPT_CYCLES(struct mem_opts),
	OPT_END
};

/* One way to copy or to fill; copies ignore value, fills ignore src. */
struct mem_function {
	const char *name, *summary;
	void (*run)(void *dst, const void *src, int value, size_t size);
};

static void copy_libc(void *dst, const void *src, int value UNUSED, size_t size)
{
	memcpy(dst, src, size);
}

static void fill_libc(void *dst, const void *src UNUSED, int value, size_t size)
{
	memset(dst, value, size);
}

#if defined(__x86_64__)
static void copy_unrolled(void *dst, const void *src, int value UNUSED, size_t size)
{
	u64 *to = dst;
	const u64 *from = src;
	size_t rounds = size / 32;

	for (size_t i = 0; i < rounds; i++, to += 4, from += 4) {
		u64 a, b, c, d;

		__asm__ volatile("movq (%4), %0\n\tmovq 8(%4), %1\n\tmovq 16(%4), %2\n\t"
				 "movq 24(%4), %3\n\tmovq %0, (%5)\n\tmovq %1, 8(%5)\n\t"
				 "movq %2, 16(%5)\n\tmovq %3, 24(%5)"
				 : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
				 : "r"(from), "r"(to)
				 : "memory");
	}
	for (size_t i = rounds * 32; i < size; i++)
		((volatile u8 *)dst)[i] = ((const u8 *)src)[i];
}

static void copy_movsq(void *dst, const void *src, int value UNUSED, size_t size)
{
	size_t words = size / 8, rest = size % 8;

	__asm__ volatile("rep movsq\n\tmovq %3, %%rcx\n\trep movsb"
			 : "+D"(dst), "+S"(src), "+c"(words)
			 : "r"(rest)
			 : "memory");
}

static void copy_movsb(void *dst, const void *src, int value UNUSED, size_t size)
{
	__asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(size) : : "memory");
}

static void fill_unrolled(void *dst, const void *src UNUSED, int value, size_t size)
{
	u64 word = (u8)value * 0x0101010101010101ULL;
	u64 *to = dst;
	size_t rounds = size / 32;

	for (size_t i = 0; i < rounds; i++, to += 4)
		__asm__ volatile("movq %0, (%1)\n\tmovq %0, 8(%1)\n\tmovq %0, 16(%1)\n\t"
				 "movq %0, 24(%1)"
				 :
				 : "r"(word), "r"(to)
				 : "memory");
	for (size_t i = rounds * 32; i < size; i++)
		((volatile u8 *)dst)[i] = (u8)value;
}

static void fill_stosq(void *dst, const void *src UNUSED, int value, size_t size)
{
	size_t words = size / 8, rest = size % 8;

	__asm__ volatile("rep stosq\n\tmovq %2, %%rcx\n\trep stosb"
			 : "+D"(dst), "+c"(words)
			 : "r"(rest), "a"((u8)value * 0x0101010101010101ULL)
			 : "memory");
}

static void fill_stosb(void *dst, const void *src UNUSED, int value, size_t size)
{
	__asm__ volatile("rep stosb" : "+D"(dst), "+c"(size) : "a"(value) : "memory");
}
#endif

static const struct mem_function copies[] = {
	{ "default", "Default memcpy() provided by glibc", copy_libc },
#if defined(__x86_64__)
	{ "x86-64-unrolled", "unrolled memcpy(), 32 bytes a round", copy_unrolled },
	{ "x86-64-movsq", "movsq-based memcpy()", copy_movsq },
	{ "x86-64-movsb", "movsb-based memcpy()", copy_movsb },
#endif
	{ NULL, NULL, NULL }
};

static const struct mem_function fills[] = {
	{ "default", "Default memset() provided by glibc", fill_libc },
#if defined(__x86_64__)
	{ "x86-64-unrolled", "unrolled memset(), 32 bytes a round", fill_unrolled },
	{ "x86-64-stosq", "stosq-based memset()", fill_stosq },
	{ "x86-64-stosb", "stosb-based memset()", fill_stosb },
#endif
	{ NULL, NULL, NULL }
};

u64 mem_parse_size(const char *text)
{
	static const char units[] = "KMGT";
	char *end;
	u64 n, factor = 1;

	if (*text < '0' || *text > '9')
		return 0;
	errno = 0;
	n = strtoull(text, &end, 10);
	for (size_t i = 0; *end && i < sizeof(units) - 1; i++) {
		if ((*end & ~0x20) == units[i]) {
			factor = 1ULL << (10 * (i + 1));
			end++;
			break;
		}
	}
	if (*end == 'B' || *end == 'b')
		end++;
	return errno || *end || (n && factor > UINT64_MAX / n) ? 0 : n * factor;
}

bool mem_page_flags(const char *text, u64 *page, int *flags)
{
	enum { SHIFT_2M = 21, SHIFT_1G = 30 };

	*page = mem_parse_size(text);
	if (*page == 4096)
		*flags = 0;
	else if (*page == 1ULL << SHIFT_2M)
		*flags = MAP_HUGETLB | SHIFT_2M << MAP_HUGE_SHIFT;
	else if (*page == 1ULL << SHIFT_1G)
		*flags = MAP_HUGETLB | SHIFT_1G << MAP_HUGE_SHIFT;
	else
		return false;
	return true;
}

void mem_map_failed(const char *size, int flags)
{
	fflush(stdout);
	fprintf(stderr, "# Memory allocation failed - maybe size (%s) %s?\n", size,
		flags & MAP_HUGETLB ? "is unaligned, or there are too few huge pages"
				    : "is too large");
	exit(1);
}

u64 mem_stamp(int cycles)
{
	u64 value = 0;

	if (cycles < 0)
		return clock_now();
	if (read(cycles, &value, sizeof(value)) != (ssize_t)sizeof(value))
		bench_die("cannot read the cycles counter");
	return value;
}

int mem_open_cycles(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.config = PERF_COUNT_HW_CPU_CYCLES };
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0) {
		fflush(stdout);
		fprintf(stderr, "Failed to open cycles counter\n");
		log_hint("without --cycles the clock is used");
	}
	return fd;
}

void mem_print_cycles(const struct bench_ctx *ctx, double each, const char *behind)
{
	if (ctx->simple)
		printf("%lf\n", each);
	else
		printf(" %14lf cycles/byte%s\n", each, behind);
}

void mem_print_speed(const struct bench_ctx *ctx, double bytes_per_second, const char *behind)
{
	static const struct {
		double from;
		const char *name;
	} units[] = { { 1 << 30, "GB" }, { 1 << 20, "MB" }, { 1 << 10, "KB" } };

	if (ctx->simple) {
		printf("%lf\n", bytes_per_second);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (bytes_per_second >= units[i].from) {
			printf(" %14lf %s/sec%s\n", bytes_per_second / units[i].from, units[i].name,
			       behind);
			return;
		}
	}
	printf(" %14lf bytes/sec%s\n", bytes_per_second, behind);
}

struct mem_bench {
	const struct bench_ctx *ctx;
	const struct mem_opts *o;
	u64 size, chunk, page;
	int map_flags;
	int cycles; /* fd of the counter, -1 = clock */
	bool copy;
};

/* What is mapped: huge pages are unmapped as a whole. */
static u64 map_size(const struct mem_bench *b)
{
	u64 rest = b->size % b->page;

	return rest && b->size <= UINT64_MAX - b->page ? b->size + (b->page - rest) : b->size;
}

static void *map_buffer(const struct mem_bench *b)
{
	/* huge pages that are not reserved would be missing at the first touch */
	int flags = b->map_flags ? b->map_flags : MAP_NORESERVE;
	void *p = mmap(NULL, map_size(b), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		mem_map_failed(b->o->size, b->map_flags);
	return p;
}

/* The buffer once, in pieces of a chunk. */
static void run_once(const struct mem_bench *b, const struct mem_function *f, char *dst,
		     const char *src, int value)
{
	for (u64 at = 0; at < b->size; at += b->chunk)
		f->run(dst + at, src ? src + at : NULL, value, MIN(b->chunk, b->size - at));
}

static void run_function(const struct mem_bench *b, const struct mem_function *f)
{
	void *dst = map_buffer(b), *src = b->copy ? map_buffer(b) : NULL;
	double bytes = (double)b->size * (double)b->o->loops;
	u64 start, used;

	printf("# function '%s' (%s)\n", f->name, f->summary);
	if (!b->ctx->simple)
		printf("# Copying %s bytes ...\n\n", b->o->size);
	fflush(stdout);
	/* once before, so that all pages are there */
	if (src)
		memset(src, 1, b->size);
	f->run(dst, src, 0, b->size);
	start = mem_stamp(b->cycles);
	for (u64 i = 0; i < b->o->loops; i++)
		run_once(b, f, dst, src, (int)i);
	used = mem_stamp(b->cycles) - start;
	munmap(dst, map_size(b));
	if (src)
		munmap(src, map_size(b));
	if (b->cycles >= 0)
		mem_print_cycles(b->ctx, (double)used / bytes, "");
	else
		mem_print_speed(b->ctx, bytes / ((double)used / 1e9), "");
}

static int list_functions(const struct mem_function *table, const char *unknown)
{
	fflush(stdout);
	if (unknown)
		printf("Unknown function: %s\n", unknown);
	printf("Available functions:\n");
	for (const struct mem_function *f = table; f->name; f++)
		printf("\t%s ... %s\n", f->name, f->summary);
	return 1;
}

/* The sizes among the options; false: one is wrong, which is told. */
static bool read_sizes(struct mem_bench *b)
{
	const struct mem_opts *o = b->o;

	fflush(stdout);
	b->size = mem_parse_size(o->size);
	if (!b->size) {
		fprintf(stderr, "Invalid size:%s\n", o->size);
		return false;
	}
	b->chunk = strcmp(o->chunk, WHOLE) != 0 ? mem_parse_size(o->chunk) : b->size;
	if (!b->chunk || b->chunk > b->size) {
		fprintf(stderr, "Invalid chunk_size:%s\n", o->chunk);
		return false;
	}
	if (!mem_page_flags(o->page, &b->page, &b->map_flags)) {
		fprintf(stderr, "Invalid page-size:%s\n", o->page);
		return false;
	}
	if (!o->loops)
		fprintf(stderr, "Invalid number of loops: 0\n");
	return o->loops != 0;
}

static int mem_run(const struct bench_ctx *ctx, const struct mem_opts *o,
		   const struct mem_function *table, bool copy)
{
	struct mem_bench b = { .ctx = ctx, .o = o, .cycles = -1, .copy = copy };
	bool found = false;

	if (!strcmp(o->function, "help"))
		return list_functions(table, NULL);
	if (!read_sizes(&b))
		return 1;
	for (const struct mem_function *f = table; f->name; f++)
		found = found || !strcmp(o->function, f->name) || !strcmp(o->function, "all");
	if (!found)
		return list_functions(table, o->function);
	if (o->cycles) {
		b.cycles = mem_open_cycles();
		if (b.cycles < 0)
			return 255;
	}
	for (const struct mem_function *f = table; f->name; f++) {
		if (!strcmp(o->function, f->name) || !strcmp(o->function, "all"))
			run_function(&b, f);
	}
	if (b.cycles >= 0)
		close(b.cycles);
	return 0;
}

static int memcpy_run(const struct bench_ctx *ctx, void *opts)
{
	return mem_run(ctx, opts, copies, true);
}

static int memset_run(const struct bench_ctx *ctx, void *opts)
{
	return mem_run(ctx, opts, fills, false);
}

static const char *const memcpy_usage[] = { "perf bench mem memcpy <options>", NULL };
static const char *const memset_usage[] = { "perf bench mem memset <options>", NULL };

BENCHMARK(bench_mem_memcpy, "memcpy", "Benchmark for memcpy() functions", mem_table, memcpy_usage,
	  mem_defaults, memcpy_run);
BENCHMARK(bench_mem_memset, "memset", "Benchmark for memset() functions", mem_table, memset_usage,
	  mem_defaults, memset_run);
