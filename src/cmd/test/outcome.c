/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a check ends, and what several checks do. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/test/test.h"
#include "sys/perf_open.h"

enum test_result test_end(struct test *t, enum test_result r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->reason, sizeof(t->reason), fmt, ap);
	va_end(ap);
	return r;
}

void test_note(const struct test *t, const char *fmt, ...)
{
	va_list ap;

	if (!t->verbose)
		return;
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

/* Why the kernel refused an event, as far as its errno tells. */
static void refusal(struct test *t, int error)
{
	if (error == EACCES || error == EPERM)
		test_skip(t, "not permitted: kernel.perf_event_paranoid is %d", t->limits.paranoid);
	else if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == ENXIO)
		test_skip(t, "this machine does not have it");
	else if (error == EINVAL || error == E2BIG)
		test_skip(t, "this kernel does not know it");
	else if (error == ENOSYS)
		test_skip(t, "this kernel has no perf events");
	else
		test_skip(t, "perf_event_open: %s", strerror(error));
}

int test_open(struct test *t, struct perf_event_attr *attr, pid_t pid, int cpu, int group,
	      enum test_result *r)
{
	int fd = sys_perf_event_open(attr, pid, cpu, group, 0);

	test_note(t, "perf_event_open: type %u config %#llx pid %d cpu %d group %d = %d",
		  attr->type, (unsigned long long)attr->config, pid, cpu, group, fd);
	if (fd >= 0)
		return fd;
	refusal(t, -fd);
	*r = TEST_SKIP;
	return -1;
}

void test_spin(unsigned int ms)
{
	struct timespec now;
	u64 end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	end = (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec + ms * 1000000ULL;
	do {
		for (volatile unsigned int i = 0; i < 1000; i++)
			continue;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec < end);
}

u64 test_count(int fd)
{
	u64 value = 0;

	return read(fd, &value, sizeof(value)) == (ssize_t)sizeof(value) ? value : 0;
}
