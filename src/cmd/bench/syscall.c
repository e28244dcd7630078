/* SPDX-License-Identifier: GPL-2.0-or-later */
/* syscall basic, getpgid, fork, execve: one system call over and over. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/bench/measure.h"

struct syscall_opts {
	u64 loops;
};

static const struct syscall_opts quick_defaults = { .loops = 10000000 };
static const struct syscall_opts slow_defaults = { .loops = 10000 };

static const struct opt syscall_table[] = {
	OPT_U64('l', "loop", struct syscall_opts, loops, "n", "Specify number of loops"), OPT_END
};

static const char *const syscall_usage[] = { "perf bench syscall <options>", NULL };

static void call_getppid(void)
{
	getppid();
}

static void call_getpgid(void)
{
	getpgid(0);
}

static void wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			bench_die("waitpid");
	}
}

static void call_fork(void)
{
	pid_t pid = fork();

	if (pid < 0)
		bench_die("fork");
	if (!pid)
		_exit(0);
	wait_for(pid);
}

static void call_execve(void)
{
	char path[] = "/bin/true";
	char *const argv[] = { path, NULL };
	pid_t pid = fork();

	if (pid < 0)
		bench_die("fork");
	if (!pid) {
		execve(path, argv, (char *[]){ NULL });
		_exit(127);
	}
	wait_for(pid);
}

static int measure(const struct bench_ctx *ctx, u64 loops, const char *name, void (*call)(void))
{
	u64 start, ns;

	fflush(stdout);
	start = clock_now();
	for (u64 i = 0; i < loops; i++)
		call();
	ns = clock_now() - start;
	if (!ctx->simple)
		printf("# Executed %lu %s calls\n", loops, name);
	bench_print_total(ctx, ns);
	if (!ctx->simple) {
		printf("\n");
		bench_print_rate(ns, loops);
	}
	return 0;
}

static int basic_run(const struct bench_ctx *ctx, void *opts)
{
	return measure(ctx, ((struct syscall_opts *)opts)->loops, "getppid()", call_getppid);
}

static int getpgid_run(const struct bench_ctx *ctx, void *opts)
{
	return measure(ctx, ((struct syscall_opts *)opts)->loops, "getpgid()", call_getpgid);
}

static int fork_run(const struct bench_ctx *ctx, void *opts)
{
	return measure(ctx, ((struct syscall_opts *)opts)->loops, "fork()", call_fork);
}

static int execve_run(const struct bench_ctx *ctx, void *opts)
{
	if (access("/bin/true", X_OK))
		bench_die("/bin/true");
	return measure(ctx, ((struct syscall_opts *)opts)->loops, "execve()", call_execve);
}

BENCHMARK(bench_syscall_basic, "basic", "Benchmark for basic getppid(2) calls", syscall_table,
	  syscall_usage, quick_defaults, basic_run);
BENCHMARK(bench_syscall_getpgid, "getpgid", "Benchmark for getpgid(2) calls", syscall_table,
	  syscall_usage, quick_defaults, getpgid_run);
BENCHMARK(bench_syscall_fork, "fork", "Benchmark for fork(2) calls", syscall_table, syscall_usage,
	  slow_defaults, fork_run);
BENCHMARK(bench_syscall_execve, "execve", "Benchmark for execve(2) calls", syscall_table,
	  syscall_usage, slow_defaults, execve_run);
