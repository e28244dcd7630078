/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem: what the benchmarks of memory share. */
#ifndef CMD_BENCH_MEM_H
#define CMD_BENCH_MEM_H

#include "base/types.h"

struct bench_ctx;

/* Options of all of them; s: the struct with their values. */
#define MEM_OPT_SIZE(s)                                                                          \
	OPT_STR('s', "size", s, size, "1MB",                                                     \
		"Specify the size of the memory buffers. Available units: B, KB, MB, GB and TB " \
		"(case insensitive)")
#define MEM_OPT_FUNCTION(s)                                                                          \
	OPT_STR('f', "function", s, function, "all",                                                 \
		"Specify the function to run, \"all\" runs all available functions, \"help\" lists " \
		"them")

/* "4MB" to bytes, 0 = not a size. */
u64 mem_parse_size(const char *text);
/* The line with the result, in the format that was asked for. */
void mem_print_speed(const struct bench_ctx *ctx, double bytes_per_second);

#endif
