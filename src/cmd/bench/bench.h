/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench: small benchmarks of the kernel's services, as `perf bench COLLECTION BENCHMARK`.
 *
 * A benchmark is a const struct with its options and a function; collections list them. What they
 * print is perf's text, so that scripts which read it go on working: see doc/cmd/bench.md.
 */
#ifndef CMD_BENCH_BENCH_H
#define CMD_BENCH_BENCH_H

#include "cli/options.h"

/* What all benchmarks are told. */
struct bench_ctx {
	bool simple; /* --format=simple: numbers for scripts */
	unsigned int repeat;
	int argc; /* of the benchmark; argv[0] is its name */
	const char *const *argv;
};

struct benchmark {
	const char *name;
	const char *summary;
	const struct opt *opts;
	const char *const *usage;
	const void *defaults; /* of the options struct that opts describes */
	size_t opts_size;
	/* opts: a filled copy of the defaults. Returns the exit code. */
	int (*run)(const struct bench_ctx *ctx, void *opts);
};

struct bench_collection {
	const char *name;
	const char *summary;
	const char *all_summary; /* NULL = no line for "all" */
	const struct benchmark *const *benchmarks; /* NULL at the end */
};

#define BENCHMARK(var, label, text, table, lines, start, fn)                                       \
	const struct benchmark var = {                                                             \
		.name = (label),                                                                   \
		.summary = (text),                                                                 \
		.opts = (table),                                                                   \
		.usage = (lines),                                                                  \
		.defaults = &(start),                                                              \
		.opts_size = sizeof(start),                                                        \
		.run = (fn),                                                                       \
	}

extern const struct benchmark bench_sched_messaging, bench_sched_pipe, bench_sched_seccomp_notify;
extern const struct benchmark bench_syscall_basic, bench_syscall_getpgid, bench_syscall_fork,
	bench_syscall_execve;
extern const struct benchmark bench_mem_memcpy, bench_mem_memset, bench_mem_find_bit,
	bench_mem_mmap;
extern const struct benchmark bench_numa_mem;
extern const struct benchmark bench_futex_hash, bench_futex_wake, bench_futex_wake_parallel,
	bench_futex_requeue, bench_futex_lock_pi;
extern const struct benchmark bench_epoll_wait, bench_epoll_ctl;
extern const struct benchmark bench_internals_synthesize, bench_internals_kallsyms,
	bench_internals_inject, bench_internals_open_close, bench_internals_pmu_scan;
extern const struct benchmark bench_breakpoint_thread, bench_breakpoint_enable;
extern const struct benchmark bench_uprobe_baseline, bench_uprobe_empty, bench_uprobe_printk,
	bench_uprobe_empty_ret, bench_uprobe_printk_ret;

#endif
