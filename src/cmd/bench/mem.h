/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem: what the benchmarks of memory share. */
#ifndef CMD_BENCH_MEM_H
#define CMD_BENCH_MEM_H

#include "base/types.h"

struct bench_ctx;

/* Options of all of them; s: the struct with their values. */
#define MEM_OPT_SIZE(s)                                                                            \
	OPT_STR('s', "size", s, size, "1MB",                                                       \
		"Specify the size of the memory buffers. Available units: B, KB, MB, GB and TB "   \
		"(case insensitive)")
#define MEM_OPT_FUNCTION(s)                                                                          \
	OPT_STR('f', "function", s, function, "all",                                                 \
		"Specify the function to run, \"all\" runs all available functions, \"help\" lists " \
		"them")

#define MEM_OPT_PAGE(s)                                                                            \
	OPT_STR('p', "page", s, page, "4KB",                                                       \
		"Specify page-size for mapping memory buffers. Available sizes: 4KB, 2MB, 1GB "    \
		"(case insensitive)")
#define MEM_OPT_CYCLES(s)                                                                          \
	OPT_BOOL('c', "cycles", s, cycles,                                                         \
		 "Use a cycles event instead of gettimeofday() to measure performance")

/* "4MB" to bytes, 0 = not a size. */
u64 mem_parse_size(const char *text);
/* The size of a page and the flags of mmap() for it; false: there are no such pages. */
bool mem_page_flags(const char *text, u64 *page, int *flags);
/* Tells that mmap() of so much memory failed, and exits with 1. */
void mem_map_failed(const char *size, int flags) __attribute__((noreturn));

/* A counter of this thread's cycles; -1: there is none, which is told. The caller closes it. */
int mem_open_cycles(void);
/* Cycles until now, or without a counter (-1) nanoseconds. */
u64 mem_stamp(int cycles);
/* The line with the result, in the format that was asked for; behind: what follows the unit. */
void mem_print_speed(const struct bench_ctx *ctx, double bytes_per_second, const char *behind);
void mem_print_cycles(const struct bench_ctx *ctx, double each, const char *behind);

#endif
