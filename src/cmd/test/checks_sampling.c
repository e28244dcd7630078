/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sampling: periods, clocks, stacks, registers, and the side records that the kernel writes. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/test/test.h"
#include "sys/perf_open.h"
#include "sys/ring.h"

enum { SPIN_MS = 50, RING_PAGES = 64, MAX_RECORD = 65536, TRIES = 4 };

#define CLOCK .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK
#define CYCLES .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES
#define DUMMY .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY
#define WORDS (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)
#define EACH_MS .sample_period = 1000000 /* ns */
#define USER .exclude_kernel = 1, .exclude_hv = 1, .disabled = 1

static struct perf_event_attr sampling_attr(void)
{
	return (struct perf_event_attr){ CLOCK, EACH_MS, .sample_type = WORDS, USER };
}

/* Looks at one record; wanted: stop, this is what the check waits for. */
typedef bool (*record_fn)(const struct perf_event_header *h, void *ctx);

/*
 * Records what work() does and gives each record to look(). *r is the result when the event cannot
 * be opened; the number of records for which look() said true, or -1.
 */
static int record(struct test *t, struct perf_event_attr *attr, void (*work)(void), record_fn look,
		  void *ctx, enum test_result *r)
{
	static u64 buffer[MAX_RECORD / 8];
	struct ring ring = { 0 };
	int fd = test_open(t, attr, 0, -1, -1, r), err, hits = 0;
	u64 head;

	if (fd < 0)
		return -1;
	err = ring_map(&ring, fd, RING_PAGES * (size_t)sysconf(_SC_PAGESIZE));
	if (err) {
		close(fd);
		*r = test_skip(t, "no memory for a ring buffer: %s", strerror(-err));
		return -1;
	}
	sys_perf_ioctl(fd, PERF_EVENT_IOC_ENABLE, NULL);
	work();
	sys_perf_ioctl(fd, PERF_EVENT_IOC_DISABLE, NULL);
	head = ring_head(&ring);
	for (u64 pos = ring.tail; pos < head;) {
		struct perf_event_header *h = (void *)buffer;

		ring_copy(&ring, pos, h, sizeof(*h));
		if (h->size < sizeof(*h) || h->size > head - pos)
			break;
		ring_copy(&ring, pos, h, h->size);
		hits += look(h, ctx);
		pos += h->size;
	}
	ring_unmap(&ring);
	close(fd);
	test_note(t, "%d records", hits);
	return hits;
}

static void spin(void)
{
	test_spin(SPIN_MS);
}

static bool is_sample(const struct perf_event_header *h, void *ctx UNUSED)
{
	return h->type == PERF_RECORD_SAMPLE;
}

static enum test_result by_period(struct test *t)
{
	struct perf_event_attr attr = sampling_attr();
	enum test_result r = TEST_OK;
	int n = 0;

	/* One per millisecond: timers may come late, but not more often. A virtual machine that its
	 * host gives no time just then gets few of them. */
	for (int i = 0; i < TRIES && n <= SPIN_MS / 10; i++) {
		n = record(t, &attr, spin, is_sample, NULL, &r);
		if (n < 0)
			return r;
	}
	return n > SPIN_MS / 10 && n <= SPIN_MS * 2
		       ? TEST_OK
		       : test_fail(t, "%d samples in %d ms", n, SPIN_MS);
}

struct sampled_check {
	struct perf_event_attr attr;
	const char *fault; /* if no sample comes; NULL: none need come */
};

static enum test_result samples_come(struct test *t)
{
	const struct sampled_check *s = t->with;
	struct perf_event_attr attr = s->attr;
	enum test_result r = TEST_OK;
	int n = record(t, &attr, spin, is_sample, NULL, &r);

	return n || !s->fault ? r : test_fail(t, "%s", s->fault);
}

/* ---- clocks ---- */

struct clock_ctx {
	u64 before, after;
	bool outside;
};

/* IP, TID, TIME: the time is the third word. */
static bool in_time(const struct perf_event_header *h, void *ctx)
{
	struct clock_ctx *c = ctx;
	const u64 *words = (const void *)(h + 1);

	if (h->type != PERF_RECORD_SAMPLE)
		return false;
	c->outside = c->outside || words[2] < c->before || words[2] > c->after;
	return true;
}

static u64 clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

static enum test_result with_clock(struct test *t)
{
	clockid_t id = *(const clockid_t *)t->with;
	struct perf_event_attr attr = sampling_attr();
	struct clock_ctx c = { .before = clock_ns(id), .after = UINT64_MAX };
	enum test_result r = TEST_OK;
	int n;

	attr.use_clockid = 1;
	attr.clockid = id;
	n = record(t, &attr, spin, in_time, &c, &r);
	if (n < 0)
		return r;
	if (clock_ns(id) < c.before)
		return test_skip(t, "the clock was set back meanwhile");
	return n && !c.outside ? TEST_OK : test_fail(t, "%d samples, times outside of the run", n);
}

/* ---- stacks and registers ---- */

struct chain_ctx {
	u64 from[3]; /* start of the functions, innermost first */
	int complete;
};

/* Each called by the next: their return addresses stand in the chain in this order. */
static KEPT void chain_leaf(void)
{
	test_spin(SPIN_MS);
	__asm__ volatile("");
}

static KEPT void chain_middle(void)
{
	chain_leaf();
	__asm__ volatile("");
}

static KEPT void chain_outer(void)
{
	chain_middle();
	__asm__ volatile("");
}

/* IP, TID, TIME, NR, IPS[NR] */
static bool has_chain(const struct perf_event_header *h, void *ctx)
{
	struct chain_ctx *c = ctx;
	const u64 *words = (const void *)(h + 1);
	u64 nr = h->type == PERF_RECORD_SAMPLE ? words[3] : 0;
	unsigned int found = 0;

	if (nr > (h->size - sizeof(*h)) / 8 - 4)
		return false;
	for (u64 i = 0; i < nr && found < ARRAY_SIZE(c->from); i++) {
		u64 ip = words[4 + i];

		found += ip >= c->from[found] && ip < c->from[found] + 64;
	}
	c->complete += found == ARRAY_SIZE(c->from);
	return h->type == PERF_RECORD_SAMPLE;
}

static enum test_result frame_pointers(struct test *t)
{
	struct perf_event_attr attr = sampling_attr();
	struct chain_ctx c = { .from = { (u64)(uintptr_t)chain_leaf, (u64)(uintptr_t)chain_middle,
					 (u64)(uintptr_t)chain_outer } };
	enum test_result r = TEST_OK;
	int n;

	attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
	attr.exclude_callchain_kernel = 1;
	n = record(t, &attr, chain_outer, has_chain, &c, &r);
	if (n < 0)
		return r;
	test_note(t, "%d of %d chains show the three functions", c.complete, n);
	return c.complete ? TEST_OK : test_fail(t, "no chain of %d shows its callers", n);
}

#if defined(__x86_64__)
#define SP_AND_IP (1ULL << 7 | 1ULL << 8)
#elif defined(__aarch64__)
#define SP_AND_IP (1ULL << 31 | 1ULL << 32)
#else
#define SP_AND_IP 0ULL
#endif

/* IP, TID, TIME, ABI, SP, PC, SIZE, ... DYN_SIZE */
static bool has_stack(const struct perf_event_header *h, void *ctx UNUSED)
{
	const u64 *words = (const void *)(h + 1);

	if (h->type != PERF_RECORD_SAMPLE || h->size < sizeof(*h) + 8 * 8)
		return false;
	return words[3] && words[5] == words[0] && words[6] >= 1024;
}

static enum test_result user_stack(struct test *t)
{
	struct perf_event_attr attr = sampling_attr();
	enum test_result r = TEST_OK;
	int n;

	if (!SP_AND_IP)
		return test_skip(t, "registers of this architecture are not known");
	attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr.sample_regs_user = SP_AND_IP;
	attr.sample_stack_user = 1024;
	n = record(t, &attr, spin, has_stack, NULL, &r);
	if (n < 0)
		return r;
	return n ? TEST_OK : test_fail(t, "no sample has registers and stack");
}

/* ---- side records ---- */

struct side_record {
	struct perf_event_attr attr;
	u32 type;
	void (*work)(void);
};

static bool is_type(const struct perf_event_header *h, void *ctx)
{
	return h->type == ((const struct side_record *)ctx)->type;
}

static enum test_result side_record(struct test *t)
{
	struct side_record s = *(const struct side_record *)t->with;
	enum test_result r = TEST_OK;
	int n = record(t, &s.attr, s.work, is_type, &s, &r);

	return n ? r : test_fail(t, "none came");
}

static void rename_self(void)
{
	char name[16] = "";

	prctl(PR_GET_NAME, name);
	prctl(PR_SET_NAME, "perf-renamed");
	prctl(PR_SET_NAME, name);
}

static void map_code(void)
{
	void *p = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p != MAP_FAILED)
		munmap(p, (size_t)sysconf(_SC_PAGESIZE));
}

static void fork_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}

static void nap(void)
{
	for (int i = 0; i < 3; i++)
		usleep(1000);
}

/* Bits that only some kernels know: whether an event with the bit opens at all. */
static enum test_result knows(struct test *t)
{
	struct perf_event_attr attr = *(const struct perf_event_attr *)t->with;
	enum test_result r = TEST_OK;
	int fd = test_open(t, &attr, 0, -1, -1, &r);

	if (fd >= 0)
		close(fd);
	return r;
}

#define SAMPLING(fault, ...)                                                                       \
	.with = &(const struct sampled_check)                                                      \
	{                                                                                          \
		{ __VA_ARGS__ }, fault                                                             \
	}
static const struct self_test rate_subs[] = {
	{ "By period", by_period },
	{ "By frequency", samples_come,
	  SAMPLING("no sample", CLOCK, .freq = 1, .sample_freq = 1000, .sample_type = WORDS,
		   USER) },
	{ "Kernel side too", samples_come,
	  SAMPLING(NULL, CLOCK, EACH_MS, .sample_type = WORDS, .exclude_hv = 1, .disabled = 1) },
	{ "Hardware counter overflow", samples_come,
	  SAMPLING("the counter does not interrupt", CYCLES, EACH_MS, .sample_type = WORDS, USER) },
	{ "Precise (PEBS, IBS, SPE)", samples_come,
	  SAMPLING("no sample", CYCLES, EACH_MS, .sample_type = WORDS, USER, .precise_ip = 1) },
	{ NULL },
};

#define AT(id)                                                                                     \
	.with = &(const clockid_t)                                                                 \
	{                                                                                          \
		id                                                                                 \
	}
static const struct self_test clock_subs[] = {
	{ "monotonic", with_clock, AT(CLOCK_MONOTONIC) },
	{ "monotonic_raw", with_clock, AT(CLOCK_MONOTONIC_RAW) },
	{ "boottime", with_clock, AT(CLOCK_BOOTTIME) },
	{ "realtime", with_clock, AT(CLOCK_REALTIME) },
	{ "tai", with_clock, AT(CLOCK_TAI) },
	{ NULL },
};

static const struct self_test stack_subs[] = {
	{ "By frame pointers", frame_pointers },
	{ "Registers and copies of the stack", user_stack },
	{ "Branch stack", samples_come,
	  SAMPLING(NULL, CYCLES, EACH_MS, .sample_type = WORDS | PERF_SAMPLE_BRANCH_STACK, USER,
		   .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY) },
	{ NULL },
};

#define SIDE(type, work, ...)                                                                      \
	.with = &(const struct side_record)                                                        \
	{                                                                                          \
		{ DUMMY, EACH_MS, .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, USER,         \
		  __VA_ARGS__ },                                                                   \
			type, work                                                                 \
	}
static const struct self_test side_subs[] = {
	{ "COMM", side_record, SIDE(PERF_RECORD_COMM, rename_self, .comm = 1, .comm_exec = 1) },
	{ "MMAP2", side_record, SIDE(PERF_RECORD_MMAP2, map_code, .mmap = 1, .mmap2 = 1) },
	{ "FORK", side_record, SIDE(PERF_RECORD_FORK, fork_child, .task = 1) },
	{ "SWITCH", side_record, SIDE(PERF_RECORD_SWITCH, nap, .context_switch = 1) },
	{ NULL },
};

#define BITS(...)                                                                                  \
	.with = &(const struct perf_event_attr)                                                    \
	{                                                                                          \
		DUMMY, EACH_MS, .sample_type = WORDS, USER, __VA_ARGS__                            \
	}
static const struct self_test kernel_subs[] = {
	{ "Overwritable ring buffers (4.7)", knows, BITS(.write_backward = 1) },
	{ "BPF programs and their symbols (5.1)", knows, BITS(.ksymbol = 1, .bpf_event = 1) },
	{ "Control groups of samples (5.7)", knows, BITS(.cgroup = 1) },
	{ "Changes of kernel code (5.9)", knows, BITS(.text_poke = 1) },
	{ "Build ids in MMAP2 (5.12)", knows, BITS(.mmap = 1, .mmap2 = 1, .build_id = 1) },
	{ "Lost samples per event (6.0)", knows, BITS(.read_format = PERF_FORMAT_LOST) },
	{ NULL },
};

const struct self_test checks_sampling[] = { { "Sampling", NULL, rate_subs },
					     { "Clocks for sample times", NULL, clock_subs },
					     { "Call chains", NULL, stack_subs },
					     { "Side records", NULL, side_subs },
					     { "What this kernel knows", NULL, kernel_subs },
					     { NULL, NULL, NULL } };
