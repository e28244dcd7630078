/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fake_aux: an LD_PRELOAD library that gives any perf a PMU with an AUX area, so that its recording can be tested
 * without Intel PT or Arm SPE. The PMU's description comes from a made-up sysfs (tests/diff/with_pmus.sh).
 *
 *	FAKE_AUX=TYPE LD_PRELOAD=... perf record -e intel_pt//u true
 *
 * Events of that type have rings of their own in ordinary memory; what others would write there is lost, and
 * members of their groups do not sample. The trace is
 * 8-byte words that tell their own offset in it. While the events are measured three quarters of the area are
 * written, and as much again when they are disabled, or what there is room for; then the record says that
 * it was truncated. FAKE_AUX_FLAGS are more flags of the records. An area that is mapped without the right to write is
 * overwritten; its head is a position in the area if FAKE_AUX_HEAD=area, else it counts up. FAKE_AUX_KERNEL is the
 * version that the kernel seems to have, FAKE_AUX_FILTERS a file to which address filters are appended.
 */
/* both names of mmap() are defined here */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/perf_event.h>

enum { MAX_FDS = 4096, AWAKE_MS = 100, TRACKED_US = 50000 };

struct fake {
	int used, overwritten, trailer_words, disabled;
	uint64_t id;
	struct perf_event_mmap_page *page, *seen; /* seen: the same page; it stays when the ring is unmapped */
	uint8_t *data, *aux;
	uint64_t aux_size, written; /* bytes of trace so far */
};

static struct fake fakes[MAX_FDS];
static long (*real_syscall)(long, ...);
static int (*real_ioctl)(int, unsigned long, ...);
static int (*real_close)(int);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);

__attribute__((constructor)) static void start(void)
{
	if (real_mmap)
		return;
	*(void **)&real_syscall = dlsym(RTLD_NEXT, "syscall");
	*(void **)&real_ioctl = dlsym(RTLD_NEXT, "ioctl");
	*(void **)&real_close = dlsym(RTLD_NEXT, "close");
	*(void **)&real_mmap = dlsym(RTLD_NEXT, "mmap");
}

static struct fake *fake_of(int fd)
{
	return fd >= 0 && fd < MAX_FDS && fakes[fd].used ? &fakes[fd] : NULL;
}

static uint64_t number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtoull(s, NULL, 0) : 0;
}

static void put_record(struct fake *f, uint64_t offset, uint64_t size, uint64_t flags)
{
	uint64_t words[4 + 8] = { 0, offset, size, flags };
	struct perf_event_header h = { .type = PERF_RECORD_AUX };
	uint64_t at = f->page->data_head, mask = f->page->data_size - 1;

	h.size = (uint16_t)(8 * (4 + f->trailer_words));
	memcpy(words, &h, sizeof(h));
	for (int i = 0; i < 4 + f->trailer_words; i++)
		memcpy(f->data + ((at + 8 * (uint64_t)i) & mask), &words[i], 8);
	__atomic_store_n(&f->page->data_head, at + h.size, __ATOMIC_RELEASE);
}

static void trace(struct fake *f)
{
	uint64_t want = f->aux_size / 4 * 3, flags = number("FAKE_AUX_FLAGS"), from = f->written, room;
	const char *head = getenv("FAKE_AUX_HEAD");

	if (f->overwritten) {
		flags |= PERF_AUX_FLAG_OVERWRITE;
	} else {
		room = f->aux_size - (from - __atomic_load_n(&f->page->aux_tail, __ATOMIC_ACQUIRE));
		if (room < want) {
			want = room;
			flags |= PERF_AUX_FLAG_TRUNCATED;
		}
	}
	for (uint64_t o = from; o < from + want; o += 8)
		memcpy(f->aux + o % f->aux_size, &o, 8);
	f->written += want;
	__atomic_store_n(&f->page->aux_head, head && !strcmp(head, "area") ? f->written % f->aux_size : f->written,
			 __ATOMIC_RELEASE);
	put_record(f, from, want, flags);
}

static int is_read(const struct fake *f)
{
	const struct perf_event_mmap_page *p = f->seen;

	return __atomic_load_n(&p->data_tail, __ATOMIC_ACQUIRE) == __atomic_load_n(&p->data_head, __ATOMIC_ACQUIRE) &&
	       (f->overwritten || __atomic_load_n(&p->aux_tail, __ATOMIC_ACQUIRE) >= __atomic_load_n(&p->aux_head, __ATOMIC_ACQUIRE));
}

/* Awake until all has been read, or for a moment; whoever waits has looked by then. */
static void *doze(void *arg)
{
	int fd = (int)(intptr_t)arg;
	const struct fake f = fakes[fd]; /* another may have the number later */
	uint64_t n = 1;

	usleep(TRACKED_US);
	(void)!write(fd, &n, sizeof(n));
	for (int i = 0; i < AWAKE_MS && !is_read(&f); i++)
		usleep(1000);
	(void)!read(fd, &n, sizeof(n));
	return NULL;
}

static long open_event(struct perf_event_attr *a, long pid, long cpu, long group, long flags)
{
	static const uint64_t words[] = { PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
					  PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER };
	static uint64_t ids = 1000000;
	struct perf_event_attr other = { .size = 0 };
	struct fake *f;
	int fd;

	/* nobody else can be in their groups, nor have samples of their area */
	if (group >= 0 && fake_of((int)group)) {
		memcpy(&other, a, a->size < sizeof(other) ? a->size : sizeof(other));
		other.sample_type &= ~(uint64_t)PERF_SAMPLE_AUX;
		other.aux_sample_size = 0;
		other.disabled = 1;
		return real_syscall(SYS_perf_event_open, &other, pid, cpu, -1L, flags);
	}
	if (!getenv("FAKE_AUX") || a->type != number("FAKE_AUX"))
		return real_syscall(SYS_perf_event_open, a, pid, cpu, group, flags);
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fd < 0 || fd >= MAX_FDS)
		return -1;
	f = &fakes[fd];
	*f = (struct fake){ .used = 1, .id = ++ids };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		f->trailer_words += (a->sample_type & words[i]) != 0;
	return fd;
}

long syscall(long nr, ...)
{
	long a[6];
	va_list ap;

	start();
	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_perf_event_open)
		return open_event((struct perf_event_attr *)a[0], a[1], (int)a[2], (int)a[3], a[4]);
	return real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void note_filter(const char *text)
{
	const char *path = getenv("FAKE_AUX_FILTERS");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;

	if (fd >= 0) {
		(void)!write(fd, text, strlen(text));
		(void)!write(fd, "\n", 1);
		real_close(fd);
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	struct fake *f;
	void *arg;
	va_list ap;

	start();
	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	f = fake_of(fd);
	if (!f) {
		if (request == PERF_EVENT_IOC_SET_OUTPUT && fake_of((int)(intptr_t)arg))
			return 0;
		return real_ioctl(fd, request, arg);
	}
	if (request == PERF_EVENT_IOC_SET_FILTER)
		note_filter(arg);
	if (request == PERF_EVENT_IOC_ID)
		memcpy(arg, &f->id, sizeof(f->id));
	if (request == PERF_EVENT_IOC_DISABLE && f->aux && !f->disabled)
		trace(f);
	if (request == PERF_EVENT_IOC_DISABLE || request == PERF_EVENT_IOC_ENABLE)
		f->disabled = request == PERF_EVENT_IOC_DISABLE;
	return 0;
}

static void *map_ring(struct fake *f, size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int fd = memfd_create("ring", MFD_CLOEXEC);
	void *p = MAP_FAILED, *seen = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, (off_t)len)) {
		p = real_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		seen = real_mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
	}
	if (fd >= 0)
		real_close(fd);
	if (p == MAP_FAILED || seen == MAP_FAILED)
		return MAP_FAILED;
	f->page = p;
	f->seen = seen;
	f->data = (uint8_t *)p + page;
	f->page->data_offset = page;
	f->page->data_size = len - page;
	f->page->cap_user_time = 1;
	f->page->cap_user_time_zero = 1;
	f->page->time_shift = 31;
	f->page->time_mult = 715827883;
	f->page->time_zero = 0x123456789abcULL;
	return p;
}

static void *map_aux(int fd, struct fake *f, size_t len, int prot)
{
	void *p = real_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t all, old;
	pthread_t thread;

	if (p == MAP_FAILED)
		return p;
	f->aux = p;
	f->aux_size = len;
	f->overwritten = !(prot & PROT_WRITE);
	trace(f);
	/* signals are for perf */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	if (!pthread_create(&thread, NULL, doze, (void *)(intptr_t)fd))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return p;
}

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	struct fake *f;

	start();
	f = fake_of(fd);
	if (!f)
		return real_mmap(addr, len, prot, flags, fd, offset);
	if (!offset)
		return map_ring(f, len);
	if (f->page && (uint64_t)offset == f->page->aux_offset && len == f->page->aux_size)
		return map_aux(fd, f, len, prot);
	errno = EINVAL;
	return MAP_FAILED;
}

void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset);
void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset)
{
	return mmap(addr, len, prot, flags, fd, (off_t)offset);
}

int uname(struct utsname *u)
{
	const char *kernel = getenv("FAKE_AUX_KERNEL");

	start();
	if (real_syscall(SYS_uname, u) < 0)
		return -1;
	if (kernel) {
		memset(u->release, 0, sizeof(u->release));
		memcpy(u->release, kernel, strnlen(kernel, sizeof(u->release) - 1));
	}
	return 0;
}

int close(int fd)
{
	start();
	if (fd >= 0 && fd < MAX_FDS)
		fakes[fd].used = 0;
	return real_close(fd);
}
