/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_counters: an LD_PRELOAD library that lets any perf count what the test says, so that counting
 * can be tested without a PMU and with numbers that repeat.
 *
 *	FAKE_COUNTERS="0:0=3000000 0:1=6000000/50 1:1=2000000" LD_PRELOAD=... perf stat true
 *
 * Each word is TYPE:CONFIG=VALUE[/PERCENT]: what an event of that type and config reads as, and which
 * part of the time it was on the counter (value and time running are as the kernel gives them, not
 * scaled up). VALUE may be "none": no counter counts that (ENOENT). CONFIG and VALUE may be 0x numbers. On CPU n the value is (n + 1) times as large. The
 * time enabled is always 10 ms. Every other event is the kernel's. Works by opening a software dummy
 * in place of the event and answering read() for it.
 *
 * FAKE_GROUP_MAX=N: as if there were N counters, a group takes no more than N such events; further
 * ones are refused with EINVAL, or with the errno of FAKE_GROUP_ERRNO.
 * FAKE_PRECISE=N: the highest precise level of such events; a higher one is refused (EOPNOTSUPP).
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

enum { MAX_FDS = 4096, ENABLED_NS = 10000000 };

struct fake {
	int used;
	int leader; /* fd */
	uint64_t value, running, id, format;
};

static struct fake fakes[MAX_FDS];
static long (*real_syscall)(long, ...);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_close)(int);

/* Other libraries' constructors may read before ours has run. */
__attribute__((constructor)) static void start(void)
{
	if (real_close)
		return;
	*(void **)&real_syscall = dlsym(RTLD_NEXT, "syscall");
	*(void **)&real_read = dlsym(RTLD_NEXT, "read");
	*(void **)&real_close = dlsym(RTLD_NEXT, "close");
}

static const uint64_t NONE = UINT64_MAX;

static int look_up(const struct perf_event_attr *a, uint64_t *value, uint64_t *percent)
{
	const char *p = getenv("FAKE_COUNTERS");

	while (p && *p) {
		char *end;
		uint64_t type = strtoull(p, &end, 0);
		uint64_t config = *end == ':' ? strtoull(end + 1, &end, 0) : 0;

		if (!strncmp(end, "=none", 5)) {
			*value = NONE;
			end += 5;
		} else {
			*value = *end == '=' ? strtoull(end + 1, &end, 0) : 0;
		}
		*percent = *end == '/' ? strtoull(end + 1, &end, 0) : 100;
		if (type == a->type && config == a->config)
			return 1;
		p = end + strspn(end, " ");
		if (p == end)
			break;
	}
	return 0;
}

/* Is there no counter left for one more in the group? */
static int group_full(int leader)
{
	const char *max = getenv("FAKE_GROUP_MAX");
	long members = 0;

	for (int i = 0; max && i < MAX_FDS; i++)
		members += fakes[i].used && fakes[i].leader == leader;
	return max && members >= strtol(max, NULL, 0);
}

static int too_precise(const struct perf_event_attr *a)
{
	const char *max = getenv("FAKE_PRECISE");

	return max && a->precise_ip > strtoull(max, NULL, 0);
}

static long open_event(struct perf_event_attr *a, long pid, long cpu, long group, long flags)
{
	struct perf_event_attr dummy;
	uint64_t value, percent;
	struct fake *f;
	long fd;

	if (!look_up(a, &value, &percent))
		return real_syscall(SYS_perf_event_open, a, pid, cpu, group, flags);
	if (value == NONE) {
		errno = ENOENT;
		return -1;
	}
	if (too_precise(a)) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (group >= 0 && group_full((int)group)) {
		const char *code = getenv("FAKE_GROUP_ERRNO");

		errno = code ? (int)strtol(code, NULL, 0) : EINVAL;
		return -1;
	}
	memset(&dummy, 0, sizeof(dummy));
	memcpy(&dummy, a, a->size < sizeof(dummy) ? a->size : sizeof(dummy));
	dummy.type = PERF_TYPE_SOFTWARE;
	dummy.config = PERF_COUNT_SW_DUMMY;
	dummy.size = sizeof(dummy);
	fd = real_syscall(SYS_perf_event_open, &dummy, pid, cpu, group, flags);
	if (fd < 0 || fd >= MAX_FDS)
		return fd;
	f = &fakes[fd];
	f->used = 1;
	f->leader = group >= 0 ? (int)group : (int)fd;
	f->value = value * (uint64_t)(cpu >= 0 ? cpu + 1 : 1);
	f->running = ENABLED_NS * percent / 100;
	f->format = a->read_format;
	ioctl((int)fd, PERF_EVENT_IOC_ID, &f->id);
	return fd;
}

long syscall(long number, ...)
{
	long a[6];
	va_list ap;

	start();
	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return open_event((struct perf_event_attr *)a[0], a[1], (int)a[2], (int)a[3], a[4]);
	return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static size_t put_group(int fd, uint64_t *w)
{
	const struct fake *leader = &fakes[fd];
	uint64_t *nr = w;
	size_t n = 1;

	*nr = 0;
	w[n++] = ENABLED_NS;
	w[n++] = leader->running;
	for (int i = 0; i < MAX_FDS; i++) {
		if (!fakes[i].used || fakes[i].leader != fd)
			continue;
		++*nr;
		w[n++] = fakes[i].value;
		if (leader->format & PERF_FORMAT_ID)
			w[n++] = fakes[i].id;
	}
	return n * sizeof(*w);
}

ssize_t read(int fd, void *buf, size_t size)
{
	uint64_t w[MAX_FDS * 2 + 3];
	size_t n = 0;

	start();
	if (fd < 0 || fd >= MAX_FDS || !fakes[fd].used)
		return real_read(fd, buf, size);
	if (fakes[fd].format & PERF_FORMAT_GROUP) {
		n = put_group(fd, w);
	} else {
		w[0] = fakes[fd].value;
		w[1] = ENABLED_NS;
		w[2] = fakes[fd].running;
		w[3] = fakes[fd].id;
		n = (fakes[fd].format & PERF_FORMAT_ID ? 4 : 3) * sizeof(*w);
	}
	if (n > size)
		n = size;
	memcpy(buf, w, n);
	return (ssize_t)n;
}

/* what read() becomes in programs built with checks */
ssize_t __read_chk(int fd, void *buf, size_t size, size_t room);
ssize_t __read_chk(int fd, void *buf, size_t size, size_t room)
{
	(void)room;
	return read(fd, buf, size);
}

int close(int fd)
{
	start();
	if (fd >= 0 && fd < MAX_FDS)
		fakes[fd].used = 0;
	return real_close(fd);
}
