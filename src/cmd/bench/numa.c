/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa mem: options, the suite of `-a`, and the text of the results. */
#include "cmd/bench/numa.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"
#include "sys/cpu.h"

typedef struct numa_opts N;

static const struct numa_opts numa_defaults = { .mb_global = 1, .seconds = 5, .rand_walk = true };

static const struct opt numa_table[] = {
	OPT_U64('p', "nr_proc", N, nr_proc, "n", "number of processes"),
	OPT_U64('t', "nr_threads", N, nr_threads, "n", "number of threads per process"),
	OPT_U64('G', "mb_global", N, mb_global, "MB", "global  memory (MBs)"),
	OPT_U64('P', "mb_proc", N, mb_proc, "MB", "process memory (MBs)"),
	OPT_U64('L', "mb_proc_locked", N, mb_locked, "MB",
		"process serialized/locked memory access (MBs), <= process_memory"),
	OPT_U64('T', "mb_thread", N, mb_thread, "MB", "thread  memory (MBs)"),
	OPT_U64('l', "nr_loops", N, loops, "n", "max number of loops to run (default: unlimited)"),
	OPT_U64('s', "nr_secs", N, seconds, "n", "max number of seconds to run (default: 5 secs)"),
	OPT_U64('u', "usleep", N, usleep, "n", "usecs to sleep per loop iteration"),
	OPT_BOOL('R', "data_reads", N, reads, "access the data via reads (can be mixed with -W)"),
	OPT_BOOL('W', "data_writes", N, writes,
		 "access the data via writes (can be mixed with -R)"),
	OPT_BOOL('B', "data_backwards", N, backwards, "access the data backwards as well"),
	OPT_BOOL('Z', "data_zero_memset", N, zero_memset, "access the data via glibc bzero only"),
	OPT_BOOL('r', "data_rand_walk", N, rand_walk,
		 "access the data with random (32bit LFSR) walk"),
	OPT_BOOL('z', "init_zero", N, init_zero, "bzero the initial allocations"),
	OPT_BOOL('I', "init_random", N, init_random,
		 "randomize the contents of the initial allocations"),
	OPT_BOOL('0', "init_cpu0", N, init_cpu0, "do the initial allocations on CPU#0"),
	OPT_U64('x', "perturb_secs", N, perturb, "n",
		"perturb thread 0/0 every X secs, to test convergence stability"),
	OPT_BOOL('d', "show_details", N, details, "Show details"),
	OPT_BOOL('a', "all", N, all, "Run all tests in the suite"),
	OPT_INT('H', "thp", N, thp, "n", "MADV_NOHUGEPAGE < 0 < MADV_HUGEPAGE"),
	OPT_BOOL('c', "show_convergence", N, show_convergence,
		 "show convergence details, convergence is reached when each process (all its "
		 "threads) is running on a single NUMA node."),
	OPT_BOOL('m', "measure_convergence", N, measure_convergence, "measure convergence latency"),
	OPT_BOOL('q', "quiet", N, quiet, "quiet mode (do not show any warnings or messages)"),
	OPT_BOOL('S', "serialize-startup", N, serialize, "serialize thread startup"),
	OPT_STR('C', "cpus", N, cpus, "cpu[,cpu2,...cpuN]",
		"bind the first N tasks to these specific cpus (the rest is unbound)"),
	OPT_STR('M', "memnodes", N, nodes, "node[,node2,...nodeN]",
		"bind the first N tasks to these specific memory nodes (the rest is unbound)"),
	OPT_END
};

static const char *const numa_usage[] = { "perf bench numa <options>", NULL };
static const char *const test_usage[] = { "perf bench numa mem [<options>]", NULL };

/* "0,2-3,1x4": numbers, ranges, a number several times. false: not a list. */
static bool parse_list(const char *text, numa_list *out)
{
	while (text && *text) {
		char *end;
		unsigned long from, to, times = 1;

		if (!isdigit((unsigned char)*text))
			return false;
		from = to = strtoul(text, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			to = strtoul(end + 1, &end, 10);
		if (*end == 'x' && isdigit((unsigned char)end[1]))
			times = strtoul(end + 1, &end, 10);
		if ((*end && *end != ',') || to < from || to > UINT16_MAX || times > NUMA_MAX_TASKS)
			return false;
		for (unsigned long i = 0; i < times; i++) {
			for (unsigned long n = from; n <= to; n++)
				*VEC_PUSH(out) = (u32)n;
		}
		if (out->nr > NUMA_MAX_TASKS)
			return false;
		text = *end ? end + 1 : end;
	}
	return true;
}

/* Highest number of a list plus one. */
static u32 needed(const numa_list *l)
{
	u32 most = 0;

	VEC_FOR(l, n)
		most = MAX(most, *n + 1);
	return most;
}

static u32 nr_nodes(void)
{
	struct err e = ERR_INIT;
	u32 *list = NULL, most = 1;
	size_t nr = 0;

	if (!sys_cpu_list(NULL, "node/online", &list, &nr, &e) && nr)
		most = list[nr - 1] + 1;
	free(list);
	return most;
}

static u32 nr_cpus(void)
{
	u32 *list = NULL, most;
	size_t nr = 0;

	sys_cpus_online(NULL, &list, &nr);
	most = nr ? list[nr - 1] + 1 : 1;
	free(list);
	return most;
}

/* ---- text ---- */

static void print_plan(const struct numa_opts *o)
{
	long loops = o->loops ? (long)o->loops : -1;

	printf("#\n#\n\n ###\n # %lu tasks will execute (on %u nodes, %u CPUs):\n",
	       o->nr_proc * o->nr_threads, nr_nodes(), nr_cpus());
	printf(" # %10ldx %5luMB global  shared mem operations\n", loops, o->mb_global);
	printf(" # %10ldx %5luMB process shared mem operations\n", loops, o->mb_proc);
	printf(" # %10ldx %5luMB thread  local  mem operations\n", loops, o->mb_thread);
	printf(" ###\n\n ###\n #\n # Startup synchronization: ...");
}

static void show_started(const struct numa_opts *o, u64 ns, const pid_t *pids)
{
	if (o->quiet)
		return;
	for (u64 i = 0; o->details && i < o->nr_proc; i++)
		printf(" # process %2lu: PID %d\n", i, pids[i]);
	printf(" threads initialized in %.6f seconds.\n #\n", (double)ns / 1e9);
	fflush(stdout);
}

/* How many nodes the threads of each process are on. */
static void show_nodes(const struct numa_opts *o, const struct numa_task *tasks)
{
	printf("  nodes of each process:");
	for (u64 p = 0; p < o->nr_proc; p++) {
		const struct numa_task *t = &tasks[p * o->nr_threads];
		unsigned int nodes = 0;

		for (u64 i = 0; i < o->nr_threads; i++) {
			bool seen = false;

			for (u64 j = 0; j < i; j++)
				seen = seen || t[j].node == t[i].node;
			nodes += !seen;
		}
		printf(" %u", nodes);
	}
}

static void show_progress(const struct numa_opts *o, u64 ns, const struct numa_task *tasks)
{
	u64 whole = ns / 1000000000;
	double seconds = (double)whole;

	if (o->quiet)
		return;
	printf("\r # %6.1f%%  [%.1f mins]", 100 * seconds / (double)o->seconds, seconds / 60);
	if (o->show_convergence)
		show_nodes(o, tasks);
	fflush(stdout);
}

static void print_value(const struct numa_opts *o, const char *name, double value, const char *unit,
			const char *key, const char *text)
{
	char label[80];

	snprintf(label, sizeof(label), "%s,", name);
	if (o->quiet)
		printf(" %14.3f %s\n", value, text);
	else
		printf(" %-30s %15.3f, %-15s %s\n", label, value, unit, key);
}

static void print_result(const struct numa_opts *o, const char *name, const struct numa_result *r)
{
	u64 nr = o->nr_proc * o->nr_threads;
	double longest = 0, shortest = 1e30, sum = 0, bytes = 0, each;

	for (u64 i = 0; i < nr; i++) {
		double s = (double)r->tasks[i].ns / 1e9;

		longest = MAX(longest, s);
		shortest = s < shortest ? s : shortest;
		sum += s;
		bytes += (double)r->tasks[i].bytes;
	}
	each = bytes / (double)nr;
	if (!o->quiet)
		printf("\n ###\n\n");
	if (o->measure_convergence && r->converged_ns)
		print_value(o, name, (double)r->converged_ns / 1e9, "secs,",
			    "NUMA-convergence-latency", "secs latency to NUMA-converge");
	print_value(o, name, longest, "secs,", "runtime-max/thread",
		    "secs slowest (max) thread-runtime");
	print_value(o, name, shortest, "secs,", "runtime-min/thread",
		    "secs fastest (min) thread-runtime");
	print_value(o, name, sum / (double)nr, "secs,", "runtime-avg/thread",
		    "secs average thread-runtime");
	print_value(o, name, longest > 0 ? 100 * (longest - sum / (double)nr) / longest : 0, "%,",
		    "spread-runtime/thread", "% difference between max/avg runtime");
	print_value(o, name, each / 1e9, "GB,", "data/thread", "GB data processed, per thread");
	print_value(o, name, bytes / 1e9, "GB,", "data-total", "GB data processed, total");
	print_value(o, name, each > 0 ? longest * 1e9 / each : 0, "nsecs,", "runtime/byte/thread",
		    "nsecs/byte/thread runtime");
	print_value(o, name, longest > 0 ? each / 1e9 / longest : 0, "GB/sec,", "thread-speed",
		    "GB/sec/thread speed");
	print_value(o, name, longest > 0 ? bytes / 1e9 / longest : 0, "GB/sec,", "total-speed",
		    "GB/sec total speed");
}

/* ---- one test, and the suite ---- */

static bool in_range(struct numa_opts *o)
{
	u32 nodes = nr_nodes(), cpus = nr_cpus();

	if (!o->reads && !o->writes)
		o->reads = o->writes = true;
	o->nr_proc = o->nr_proc ? o->nr_proc : nodes;
	o->nr_threads = o->nr_threads ? o->nr_threads : MAX(cpus / nodes, 1U);
	return o->nr_proc <= NUMA_MAX_TASKS && o->nr_threads <= NUMA_MAX_TASKS / o->nr_proc &&
	       o->mb_global <= NUMA_MAX_MB && o->mb_proc <= NUMA_MAX_MB &&
	       o->mb_locked <= NUMA_MAX_MB && o->mb_thread <= NUMA_MAX_MB &&
	       o->seconds <= UINT32_MAX && o->usleep < 1000000 && o->perturb <= UINT32_MAX;
}

/* false: this machine has too few CPUs or nodes. */
static bool run_test(const char *name, struct numa_opts *o)
{
	bool enough;

	static const struct numa_hooks hooks = { show_started, show_progress };
	numa_list cpus = { 0 }, nodes = { 0 };
	struct numa_result r;

	if (!in_range(o) || !parse_list(o->cpus, &cpus) || !parse_list(o->nodes, &nodes))
		bench_die_text("a number of the options is too large, or -C or -M is no list");
	enough = needed(&cpus) <= nr_cpus() && needed(&nodes) <= nr_nodes();
	if (!enough) {
		if (needed(&cpus) > nr_cpus())
			printf("\nTest not applicable, system has only %u CPUs.\n", nr_cpus());
		else
			printf("\nTest not applicable, system has only %u nodes.\n", nr_nodes());
	} else {
		if (!o->quiet)
			print_plan(o);
		numa_run(o, &cpus, &nodes, &hooks, &r);
		print_result(o, name, &r);
		numa_release(o, &r);
	}
	fflush(stdout);
	vec_free(&cpus);
	vec_free(&nodes);
	return enough;
}

#define RAM " -s 20 -zZq --thp  1 --no-data_rand_walk"
#define CONVERGE " -s 100 -zZ0qcm --thp  1"

static const struct {
	const char *name, *options;
} suite[] = {
	{ "RAM-bw-local", "-p 1 -t 1 -P 1024 -C 0 -M 0" RAM },
	{ "RAM-bw-local-NOTHP", "-p 1 -t 1 -P 1024 -C 0 -M 0" RAM " --thp -1" },
	{ "RAM-bw-remote", "-p 1 -t 1 -P 1024 -C 0 -M 1" RAM },
	{ "RAM-bw-local-2x", "-p 2 -t 1 -P 1024 -C 0,2 -M 0x2" RAM },
	{ "RAM-bw-remote-2x", "-p 2 -t 1 -P 1024 -C 0,2 -M 1x2" RAM },
	{ "RAM-bw-cross", "-p 2 -t 1 -P 1024 -C 0,8 -M 1,0" RAM },
	{ " 1x3-convergence", "-p 1 -t 3 -P 512" CONVERGE },
	{ " 1x4-convergence", "-p 1 -t 4 -P 512" CONVERGE },
	{ " 1x6-convergence", "-p 1 -t 6 -P 1020" CONVERGE },
	{ " 2x3-convergence", "-p 2 -t 3 -P 1020" CONVERGE },
	{ " 3x3-convergence", "-p 3 -t 3 -P 1020" CONVERGE },
	{ " 4x4-convergence", "-p 4 -t 4 -P 512" CONVERGE },
	{ " 4x4-convergence-NOTHP", "-p 4 -t 4 -P 512" CONVERGE " --thp -1" },
	{ " 4x6-convergence", "-p 4 -t 6 -P 1020" CONVERGE },
	{ " 4x8-convergence", "-p 4 -t 8 -P 512" CONVERGE },
};

enum { MAX_WORDS = 32 };

static int run_suite(void)
{
	struct utsname u;

	if (!uname(&u))
		printf(" #\n # Running test on: %s %s %s %s %s GNU/Linux\n #\n", u.sysname,
		       u.nodename, u.release, u.version, u.machine);
	for (size_t i = 0; i < ARRAY_SIZE(suite); i++) {
		_cleanup_(mem_freep) char *words = xstrdup(suite[i].options);
		char *rest = words, *word;
		const char *argv[MAX_WORDS] = { "mem" };
		struct numa_opts o = numa_defaults;
		int argc = 1;

		printf("\n # Running %s, \"perf bench numa mem %s\"\n", suite[i].name,
		       suite[i].options);
		while ((word = strsep(&rest, " ")) != NULL && argc < MAX_WORDS) {
			if (*word)
				argv[argc++] = word;
		}
		if (opts_parse(numa_table, &o, argc, argv, numa_usage, 0) < 0)
			return EXIT_USAGE;
		run_test(suite[i].name, &o);
	}
	return 0;
}

static int numa_mem_run(const struct bench_ctx *ctx, void *opts)
{
	struct numa_opts *o = opts;

	printf("\n # Running main, \"perf bench numa numa-mem");
	for (int i = 1; i < ctx->argc; i++)
		printf(" %s", ctx->argv[i]);
	printf("\"\n");
	if (o->all || ctx->argc == 1)
		return run_suite();
	if (run_test("main", o))
		return 0;
	opts_print_usage(numa_table, test_usage, NULL);
	return EXIT_USAGE;
}

BENCHMARK(bench_numa_mem, "mem", "Benchmark for NUMA workloads", numa_table, numa_usage,
	  numa_defaults, numa_mem_run);
