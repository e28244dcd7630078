/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mem: what the benchmarks of memory share. */
#ifndef CMD_BENCH_MEM_H
#define CMD_BENCH_MEM_H

#include "base/types.h"

struct bench_ctx;

/* "4MB" to bytes, 0 = not a size. */
u64 mem_parse_size(const char *text);
/* The line with the result, in the format that was asked for. */
void mem_print_speed(const struct bench_ctx *ctx, double bytes_per_second);

#endif
