/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf bench [OPTIONS] COLLECTION BENCHMARK [OPTIONS]: the collections, their lists, one or all. */
#include "cmd/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/commands.h"

struct bench_opts {
	const char *format;
	u64 repeat;
};

static const struct opt bench_table[] = { OPT_STR('f', "format", struct bench_opts, format,
						  "default|simple",
						  "Specify the output formatting style"),
					  OPT_U64('r', "repeat", struct bench_opts, repeat, "n",
						  "Specify amount of times to repeat the run"),
					  OPT_END };

static const char *const bench_usage[] = {
	"perf bench [<common options>] <collection> <benchmark> [<options>]", NULL
};

enum { MAX_REPEAT = 1000000 };

#define LIST(...)                                                                                  \
	(const struct benchmark *const[])                                                          \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

static const struct bench_collection collections[] = {
	{ "sched", "Scheduler and IPC benchmarks", "Run all scheduler benchmarks",
	  LIST(&bench_sched_messaging, &bench_sched_pipe, &bench_sched_seccomp_notify) },
	{ "syscall", "System call benchmarks", "Run all syscall benchmarks",
	  LIST(&bench_syscall_basic, &bench_syscall_getpgid, &bench_syscall_fork,
	       &bench_syscall_execve) },
	{ "mem", "Memory access benchmarks", "Run all memory access benchmarks",
	  LIST(&bench_mem_memcpy, &bench_mem_memset, &bench_mem_find_bit, &bench_mem_mmap) },
	{ "numa", "NUMA scheduling and MM benchmarks", "Run all NUMA benchmarks",
	  LIST(&bench_numa_mem) },
	{ "futex", "Futex stressing benchmarks", "Run all futex benchmarks",
	  LIST(&bench_futex_hash, &bench_futex_wake, &bench_futex_wake_parallel,
	       &bench_futex_requeue, &bench_futex_lock_pi) },
	{ "epoll", "Epoll stressing benchmarks", "Run all futex benchmarks",
	  LIST(&bench_epoll_wait, &bench_epoll_ctl) },
	{ "internals", "Perf-internals benchmarks", NULL,
	  LIST(&bench_internals_synthesize, &bench_internals_kallsyms, &bench_internals_inject,
	       &bench_internals_open_close, &bench_internals_pmu_scan) },
	{ "breakpoint", "Breakpoint benchmarks", "Run all breakpoint benchmarks",
	  LIST(&bench_breakpoint_thread, &bench_breakpoint_enable) },
	{ "uprobe", "uprobe benchmarks", "Run all uprobe benchmarks",
	  LIST(&bench_uprobe_baseline, &bench_uprobe_empty, &bench_uprobe_printk,
	       &bench_uprobe_empty_ret, &bench_uprobe_printk_ret) },
};

static void list_benchmarks(const struct bench_collection *c)
{
	printf("\n        # List of available benchmarks for collection '%s':\n\n", c->name);
	for (const struct benchmark *const *b = c->benchmarks; *b; b++)
		printf("%14s: %s\n", (*b)->name, (*b)->summary);
	if (c->all_summary)
		printf("%14s: %s\n", "all", c->all_summary);
	printf("\n");
}

static void list_collections(void)
{
	printf("Usage: \n\t%s\n\n", bench_usage[0]);
	printf("        # List of all available benchmark collections:\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(collections); i++)
		printf("%14s: %s\n", collections[i].name, collections[i].summary);
	printf("%14s: %s\n\n", "all", "All benchmarks");
}

/* What is measured can be told from perf itself: "sched-pipe". */
static void name_task(const struct bench_collection *c, const struct benchmark *b)
{
	char name[64];

	snprintf(name, sizeof(name), "%s-%s", c->name, b->name);
	prctl(PR_SET_NAME, name); /* cut to 15 characters */
}

/* argv[0] is the benchmark's name. */
static int run_benchmark(const struct bench_ctx *ctx, const struct bench_collection *c,
			 const struct benchmark *b, int argc, const char **argv)
{
	_cleanup_(mem_freep) void *opts = xmalloc(b->opts_size);
	_cleanup_(mem_freep) const char **words = XNEW_ARRAY(const char *, (size_t)argc + 1);
	struct bench_ctx own = *ctx;

	memcpy(words, argv, (size_t)argc * sizeof(*argv));
	own.argc = argc;
	own.argv = words;
	memcpy(opts, b->defaults, b->opts_size);
	argc = opts_parse(b->opts, opts, argc, argv, b->usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc > 0) {
		fflush(stdout);
		log_error("'%s %s' has no argument '%s'", c->name, b->name, argv[0]);
		return EXIT_USAGE;
	}
	name_task(c, b);
	return b->run(&own, opts);
}

static int run_all_of(const struct bench_ctx *ctx, const struct bench_collection *c)
{
	int worst = 0;

	for (const struct benchmark *const *b = c->benchmarks; *b; b++) {
		const char *argv[] = { (*b)->name, NULL };
		int code;

		printf("# Running %s/%s benchmark...\n", c->name, (*b)->name);
		fflush(stdout);
		code = run_benchmark(ctx, c, *b, 1, argv);
		printf("\n");
		worst = worst ? worst : code;
	}
	return worst;
}

static int run_in_collection(const struct bench_ctx *ctx, const struct bench_collection *c,
			     int argc, const char **argv)
{
	struct similar near;

	if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		list_benchmarks(c);
		return 0;
	}
	if (!strcmp(argv[1], "all"))
		return run_all_of(ctx, c);
	for (const struct benchmark *const *b = c->benchmarks; *b; b++) {
		if (strcmp((*b)->name, argv[1]) != 0)
			continue;
		if (!ctx->simple)
			printf("# Running '%s/%s' benchmark:\n", c->name, (*b)->name);
		fflush(stdout);
		return run_benchmark(ctx, c, *b, argc - 1, argv + 1);
	}
	fprintf(stderr, "Unknown benchmark: '%s' for collection '%s'\n", argv[1], c->name);
	similar_init(&near, argv[1]);
	for (const struct benchmark *const *b = c->benchmarks; *b; b++)
		similar_offer(&near, (*b)->name);
	print_similar(&near);
	return 1;
}

static int bench_context(const struct bench_opts *o, struct bench_ctx *ctx)
{
	if (strcmp(o->format, "default") != 0 && strcmp(o->format, "simple") != 0) {
		fprintf(stderr, "Unknown format descriptor: '%s'\n", o->format);
		log_hint("--format=default or --format=simple");
		return -1;
	}
	if (!o->repeat || o->repeat > MAX_REPEAT) {
		fprintf(stderr, "Invalid repeat option: Must specify a positive value\n");
		return -1;
	}
	ctx->simple = !strcmp(o->format, "simple");
	ctx->repeat = (unsigned int)o->repeat;
	return 0;
}

static int bench_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct bench_opts o = { .format = "default", .repeat = 10 };
	struct bench_ctx ctx;
	struct similar near;
	int worst = 0;

	if (argc < 2) {
		list_collections();
		return 0;
	}
	argc = opts_parse(bench_table, &o, argc, argv, bench_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0 || bench_context(&o, &ctx))
		return EXIT_USAGE;
	if (!argc) {
		list_collections();
		return 0;
	}
	if (!strcmp(argv[0], "all")) {
		for (size_t i = 0; i < ARRAY_SIZE(collections); i++) {
			int code = run_all_of(&ctx, &collections[i]);

			worst = worst ? worst : code;
		}
		return worst;
	}
	for (size_t i = 0; i < ARRAY_SIZE(collections); i++) {
		if (!strcmp(collections[i].name, argv[0]))
			return run_in_collection(&ctx, &collections[i], argc, argv);
	}
	fprintf(stderr, "Unknown collection: '%s'\n", argv[0]);
	similar_init(&near, argv[0]);
	for (size_t i = 0; i < ARRAY_SIZE(collections); i++)
		similar_offer(&near, collections[i].name);
	print_similar(&near);
	return 1;
}

const struct command cmd_bench = {
	.name = "bench",
	.summary = "run small benchmarks of the kernel's services",
	.usage = bench_usage,
	.opts = bench_table,
	.run = bench_run,
};
