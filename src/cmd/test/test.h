/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test: checks of the machine that perf runs on: what works here, what does not, and why.
 *
 * A check is a row of a table: a name and a function, or a list of subtests. It runs in a child
 * process, so that a crash or a hanging system call costs nothing else, and says Ok, Skip with the
 * reason (the machine or the permissions lack something) or FAILED (what should work does not).
 */
#ifndef CMD_TEST_TEST_H
#define CMD_TEST_TEST_H

#include "abi/perf_event.h"
#include "base/err.h"
#include "base/types.h"
#include "base/vec.h"
#include "sys/limits.h"

/* A function of its own with its own name, whatever the compiler thinks of it. */
#if defined(__clang__)
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

enum test_result { TEST_OK = 0, TEST_FAIL = -1, TEST_SKIP = -2 };

/* What one check works with. */
struct test {
	int verbose; /* how often -v was given */
	const char *dso; /* --dso: the file to test, NULL = this program's */
	const char *buildid_dir; /* NULL = ~/.debug */
	const char *debugfs_dir; /* see sys_tracefs_find() */
	const void *with; /* the row's */
	char reason[256]; /* of a skip or a failure */
	struct sys_limits limits;
};

typedef enum test_result (*test_fn)(struct test *t);

struct self_test {
	const char *name;
	test_fn run; /* NULL: subtests */
	const struct self_test *subs; /* name NULL at the end */
	const void *with; /* what run() works with, of a type that it knows */
};

/* Rows of the tables in checks_*.c; each ends with a row without name. */
extern const struct self_test checks_permissions[], checks_counting[], checks_sampling[],
	checks_tracing[], checks_symbols[], checks_commands[];

/* outcome.c. "return test_skip(t, "no PMU")": the result with its reason. */
enum test_result test_end(struct test *t, enum test_result r, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
#define test_skip(t, ...) test_end(t, TEST_SKIP, __VA_ARGS__)
#define test_fail(t, ...) test_end(t, TEST_FAIL, __VA_ARGS__)
/* A line for -v. */
void test_note(const struct test *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Opens an event; -1 when the kernel refuses, and *r is then what the check returns: a skip that
 * tells what is missing (permission, hardware, a kernel that knows the attribute).
 */
int test_open(struct test *t, struct perf_event_attr *attr, pid_t pid, int cpu, int group,
	      enum test_result *r);
/* Uses the CPU for so many milliseconds of its time. */
void test_spin(unsigned int ms);
/* The counter's value; 0 when it cannot be read. */
u64 test_count(int fd);

/* How one check ended. */
struct test_case {
	const char *title, *name; /* of the check and its subtest; the same without subtests */
	enum test_result result;
	char *reason;
	u64 us;
};
typedef VEC(struct test_case) test_results;

/* junit.c: the results as XML that build servers read. */
int test_junit_write(const char *path, const test_results *results, struct err *e);

/* workloads.c: perf test -w NAME [ARG...]. Returns the exit code, 255 for an unknown name. */
int workload_run(const char *name, int argc, const char **argv);
void workload_list(void);

/* record_control.c: a recorder that waits for commands (perf record --control fifo:CTL,ACK). */
struct record_control {
	int commands, acks; /* -1 = not open */
};
/* spec: "fifo:CTL-FIFO[,ACK-FIFO]". -1: e. Closed by record_control_close(). */
int record_control_open(struct record_control *c, const char *spec, struct err *e);
/* Waits for the answer where there is a FIFO for it. */
int record_control_say(struct record_control *c, const char *command, struct err *e);
void record_control_close(struct record_control *c);

#endif
