/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/test/workloads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/print_err.h"
#include "cmd/test/test.h"

static KEPT int noploop(int argc, const char **argv)
{
	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	prctl(PR_SET_NAME, "perf-noploop"); /* scripts look for it */
	while (!workload_done)
		continue;
	return 0;
}

/* ---- leafloop: leaf, called by parent ---- */

static volatile int leaf_value;

static KEPT void leaf(int b)
{
	while (!workload_done)
		leaf_value += b;
}

static KEPT void parent(int b)
{
	leaf(b);
	leaf_value++; /* so that the call is no jump */
}

static int leafloop(int argc, const char **argv)
{
	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	parent(1);
	return 0;
}

/* ---- sqrtloop: in a child ---- */

static KEPT int sqrt_child(int argc, const char **argv)
{
	volatile double x = 2;

	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	while (!workload_done)
		x = sqrt(x + 2);
	return 0;
}

static int sqrtloop(int argc, const char **argv)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		return 1;
	}
	if (!pid)
		_exit(sqrt_child(argc, argv));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* ---- brstack: calls, returns, taken and not taken branches ---- */

static volatile unsigned int branches;

static KEPT void brstack_bar(void)
{
	branches++;
}

static KEPT void brstack_foo(void)
{
	brstack_bar();
	branches++;
}

static KEPT void brstack_bench(void)
{
	void (*volatile indirect)(void) = brstack_foo;

	if (branches % 3)
		brstack_bar();
	brstack_foo();
	indirect();
}

static int brstack(int argc, const char **argv)
{
	unsigned int rounds = 999999;

	if (!workload_number(argc, argv, 0, 0, UINT32_MAX, &rounds))
		return WORKLOAD_WRONG_ARGUMENT;
	for (unsigned int i = 0; i < rounds; i++)
		brstack_bench();
	return 0;
}

/* ---- datasym: one word of a structure read and written ---- */

static struct {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64))) buf1;

static int datasym(int argc, const char **argv)
{
	volatile char *data = &buf1.data1, *other = &buf1.data2;

	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
	while (!workload_done) {
		(*data)++;
		if (*data == 123)
			(*data)++;
		*other = (char)(*other + *data);
	}
	return 0;
}

/* ---- landlock: two system calls with structures as arguments ---- */

static int landlock(int argc UNUSED, const char **argv UNUSED)
{
	struct {
		u64 allowed_access;
		s32 parent_fd;
	} __attribute__((packed)) path = { .allowed_access = 1, .parent_fd = 14 };
	struct {
		u64 allowed_access, port;
	} net = { .allowed_access = 2, .port = 19 };

	/* no such ruleset: both fail, which is what the tests of `perf trace` look at */
	syscall(SYS_landlock_add_rule, 11, 1, &path, 45);
	syscall(SYS_landlock_add_rule, 11, 2, &net, 45);
	return 0;
}

/* ---- traploop: instructions that trap into the kernel and come back ---- */

#if !defined(__aarch64__)
static void ignore_trap(int sig UNUSED)
{
}
#endif

static KEPT void trap_once(void)
{
#if defined(__aarch64__)
	unsigned long features;

	/* user space may not read it: the kernel does so in its place */
	__asm__ volatile("mrs %0, ID_AA64ISAR0_EL1" : "=r"(features));
#elif defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("int3");
#else
	raise(SIGTRAP);
#endif
}

static int traploop(int argc, const char **argv)
{
	if (!workload_begin(argc, argv))
		return WORKLOAD_WRONG_ARGUMENT;
#if !defined(__aarch64__)
	signal(SIGTRAP, ignore_trap);
#endif
	while (!workload_done)
		trap_once();
	return 0;
}

static const struct test_workload {
	const char *name;
	int (*run)(int argc, const char **argv);
} workloads[] = {
	{ "noploop", noploop },
	{ "thloop", workload_thloop },
	{ "named_threads", workload_named_threads },
	{ "leafloop", leafloop },
	{ "sqrtloop", sqrtloop },
	{ "brstack", brstack },
	{ "datasym", datasym },
	{ "landlock", landlock },
	{ "traploop", traploop },
	{ "inlineloop", workload_inlineloop },
	{ "jitdump", workload_jitdump },
	{ "context_switch_loop", workload_context_switch_loop },
	{ "deterministic", workload_deterministic },
	{ "callchain", workload_callchain },
};

int workload_run(const char *name, int argc, const char **argv)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		if (!strcmp(workloads[i].name, name))
			return workloads[i].run(argc, argv);
	}
	struct similar near;

	fprintf(stderr, "No workload found: %s\n", name);
	similar_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		similar_offer(&near, workloads[i].name);
	if (!print_similar(&near))
		log_hint("'perf test --list-workloads' names them");
	return WORKLOAD_WRONG_ARGUMENT;
}

void workload_list(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++)
		printf("%s\n", workloads[i].name);
}
