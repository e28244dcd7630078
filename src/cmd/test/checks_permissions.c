/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this user may do: perf_event_paranoid and capabilities, limits of memory and files. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/test/test.h"
#include "sys/perf_open.h"
#include "sys/ring.h"

enum { FEW_FILES = 1024, RING_BYTES = 128 * 4096 };

static struct perf_event_attr clock_attr(void)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_CPU_CLOCK };
}

/* Opens and closes; Ok when the kernel lets us. */
static enum test_result may_open(struct test *t, struct perf_event_attr *attr, pid_t pid, int cpu)
{
	enum test_result r = TEST_OK;
	int fd = test_open(t, attr, pid, cpu, -1, &r);

	if (fd >= 0)
		close(fd);
	return r;
}

static enum test_result own_user(struct test *t)
{
	struct perf_event_attr attr = clock_attr();

	attr.exclude_kernel = 1;
	return may_open(t, &attr, 0, -1);
}

static enum test_result own_kernel(struct test *t)
{
	struct perf_event_attr attr = clock_attr();

	return may_open(t, &attr, 0, -1);
}

static enum test_result whole_cpu(struct test *t)
{
	struct perf_event_attr attr = clock_attr();

	return may_open(t, &attr, -1, 0);
}

static enum test_result other_user(struct test *t)
{
	struct perf_event_attr attr = clock_attr();
	enum test_result r = may_open(t, &attr, 1, -1);

	if (r == TEST_SKIP && t->limits.paranoid < 2)
		return test_skip(t, "not permitted: needs CAP_PERFMON or CAP_SYS_PTRACE");
	return r;
}

static enum test_result ring_memory(struct test *t)
{
	struct perf_event_attr attr = clock_attr();
	enum test_result r = TEST_OK;
	struct ring ring = { 0 };
	int fd, err;

	attr.sample_period = 1000000000;
	attr.exclude_kernel = 1;
	fd = test_open(t, &attr, 0, -1, -1, &r);
	if (fd < 0)
		return r;
	err = ring_map(&ring, fd, RING_BYTES);
	if (err)
		r = test_skip(t, "512 kB are refused: %s; kernel.perf_event_mlock_kb is %llu",
			      strerror(-err), (unsigned long long)t->limits.mlock_kb);
	else
		ring_unmap(&ring);
	close(fd);
	return r;
}

static enum test_result open_files(struct test *t)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return test_fail(t, "getrlimit: %s", strerror(errno));
	test_note(t, "RLIMIT_NOFILE %llu, hard %llu", (unsigned long long)limit.rlim_cur,
		  (unsigned long long)limit.rlim_max);
	if (limit.rlim_max < FEW_FILES)
		return test_skip(t, "only %llu: events times CPUs need one each",
				 (unsigned long long)limit.rlim_max);
	return TEST_OK;
}

static enum test_result sample_rate(struct test *t)
{
	struct perf_event_attr attr = clock_attr();
	int fd;

	if (!t->limits.max_sample_rate)
		return test_skip(t, "kernel.perf_event_max_sample_rate cannot be read");
	test_note(t, "kernel.perf_event_max_sample_rate is %u", t->limits.max_sample_rate);
	attr.exclude_kernel = 1;
	attr.freq = 1;
	attr.sample_freq = t->limits.max_sample_rate + 1ULL;
	fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	if (fd >= 0) {
		close(fd);
		return test_fail(t, "a rate above the limit was accepted");
	}
	attr.sample_freq = t->limits.max_sample_rate;
	return may_open(t, &attr, 0, -1);
}

static const struct self_test access_subs[] = { { "User space of own processes", own_user, NULL },
						{ "Kernel side of own processes", own_kernel,
						  NULL },
						{ "Whole CPUs (-a, -C)", whole_cpu, NULL },
						{ "Processes of other users", other_user, NULL },
						{ NULL, NULL, NULL } };

static const struct self_test limit_subs[] = { { "Memory of ring buffers (mlock)", ring_memory,
						 NULL },
					       { "Open files", open_files, NULL },
					       { "Sampling rate", sample_rate, NULL },
					       { NULL, NULL, NULL } };

const struct self_test checks_permissions[] = { { "Permission to measure", NULL, access_subs },
						{ "Limits of this user", NULL, limit_subs },
						{ NULL, NULL, NULL } };
