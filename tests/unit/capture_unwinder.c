/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of this program's own stack in rings made by hand: what comes out has its callers;
 * mappings of other rings count, damaged samples do not. */
#include <execinfo.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "capture/attr.h"
#include "capture/stacks/backlog.h"
#include "capture/stacks/unwinder.h"
#include "perfdata/sample.h"

#if defined(__x86_64__)

enum {
	RING_BYTES = 1 << 18,
	COPY = 16384,
	FRAMES = 64,
	PID = 4711,
	MAPPED_AT = 50,
	MMAP2_NAME = 72
};

static u64 memory[2][RING_BYTES / 8];
static struct perf_event_mmap_page pages[2];
static struct ring rings[2];
static struct event_list events;
static struct unwinder *unwinder;
static struct unwind_lane *lane;
static struct sample_layout layout; /* of what comes out */
static u32 expected_pid = PID; /* of the last sample */
static const char *name_of_all; /* of what is mapped, NULL = its own */
static u8 result[RING_BYTES];
static size_t result_len;

static void put(int ring, const void *data, size_t len)
{
	struct ring *r = &rings[ring];
	u8 *to = (u8 *)memory[ring];

	for (size_t i = 0; i < len; i++)
		to[(pages[ring].data_head + i) & r->mask] = ((const u8 *)data)[i];
	pages[ring].data_head += len;
}

/* Rings whose first bytes stand at a position. */
static void start(u64 at, bool second_event)
{
	struct perf_event_attr attr;
	struct unwinder_opts opts = { .events = &events, .rings = rings, .nr_rings = 2 };
	struct event *ev;

	for (int i = 0; i < 2; i++) {
		pages[i] = (struct perf_event_mmap_page){ .data_head = at, .data_tail = at };
		rings[i] = (struct ring){ .page = &pages[i],
					  .data = (const u8 *)memory[i],
					  .mask = RING_BYTES - 1,
					  .tail = at };
	}
	events = (struct event_list){ 0 };
	ev = event_list_add(&events, "a", PERF_TYPE_SOFTWARE, 0);
	ev->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       PERF_SAMPLE_STACK_USER;
	ev->attr.sample_regs_user = capture_all_user_regs();
	ev->attr.sample_stack_user = COPY;
	ev->attr.sample_id_all = 1;
	opts.tracking = ev;
	if (second_event) {
		ev = event_list_add(&events, "b", PERF_TYPE_SOFTWARE, 0);
		ev->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID;
		ev->attr.sample_id_all = 1;
	}
	unwinder = unwinder_new(&opts);
	assert_non_null(unwinder);
	unwinder_add_id(unwinder, 7, 0);
	unwinder_add_id(unwinder, 8, 1);
	lane = unwind_lane_new(unwinder);
	unwinder_file_attr(unwinder, opts.tracking, &attr);
	assert_false(attr.sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER));
	assert_int_equal(attr.sample_stack_user, COPY);
	sample_layout_init(&layout, &attr);
}

static void end(void)
{
	unwind_lane_free(lane);
	unwinder_free(unwinder);
	event_list_release(&events);
}

/* The executable mappings of this process as records, at a time. */
static void put_maps(int ring, u64 time)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4400], perms[8], name[4200];
	unsigned long from, to, offset;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		union {
			struct perf_event_header h;
			u64 words[600];
			u8 bytes[4800];
		} r = { .h = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, 0 } };
		u64 pid = (u64)PID << 32 | PID, id = 7;
		size_t len;

		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4199s", &from, &to, perms, &offset,
			   name) != 5 ||
		    perms[2] != 'x')
			continue;
		if (name_of_all)
			snprintf(name, sizeof(name), "%s", name_of_all);
		len = MMAP2_NAME + ALIGN_UP(strlen(name) + 1, 8);
		r.words[1] = pid;
		r.words[2] = from;
		r.words[3] = to - from;
		r.words[4] = offset;
		r.words[8] = 5;
		memcpy(r.bytes + MMAP2_NAME, name, strlen(name) + 1);
		memcpy(r.bytes + len, &pid, 8);
		memcpy(r.bytes + len + 8, &time, 8);
		memcpy(r.bytes + len + 16, &id, 8);
		r.h.size = (u16)(len + 24);
		put(ring, &r, r.h.size);
	}
	fclose(f);
}

static u64 reg(const ucontext_t *c, int bit)
{
	static const int greg[24] = {
		REG_RAX, REG_RBX, REG_RCX,    REG_RDX,    REG_RSI, REG_RDI, REG_RBP, REG_RSP,
		REG_RIP, REG_EFL, REG_CSGSFS, REG_CSGSFS, 0,       0,       0,       0,
		REG_R8,  REG_R9,  REG_R10,    REG_R11,    REG_R12, REG_R13, REG_R14, REG_R15,
	};

	return (u64)c->uc_mcontext.gregs[greg[bit]];
}

struct copy {
	u64 words[4096];
	size_t nr;
};

static u64 stack_top(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4400];
	unsigned long top = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "[stack]"))
			sscanf(line, "%*[0-9a-f]-%lx", &top);
	fclose(f);
	return top;
}

/* Across the borders of variables. */
__attribute__((no_sanitize("address"))) static void copy_stack(u64 *to, const u64 *from,
							       size_t words)
{
	for (size_t i = 0; i < words; i++)
		to[i] = ((const volatile u64 *)from)[i];
}

/* A sample of this program as it is in c; nr_chain: what it claims to have. */
static void make_sample(struct copy *s, const ucontext_t *c, u64 time, u64 size, u64 nr_chain)
{
	struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 0 };
	u64 filled;

	s->nr = 1;
	s->words[s->nr++] = (u64)PID << 32 | PID;
	s->words[s->nr++] = time;
	s->words[s->nr++] = 7;
	s->words[s->nr++] = nr_chain;
	s->words[s->nr++] = PERF_CONTEXT_KERNEL;
	s->words[s->nr++] = 0xffffffff81000000;
	s->words[s->nr++] = PERF_SAMPLE_REGS_ABI_64;
	for (int bit = 0; bit < 24; bit++)
		if (capture_all_user_regs() >> bit & 1)
			s->words[s->nr++] = reg(c, bit);
	s->words[s->nr++] = size;
	filled = MIN(size, stack_top() - reg(c, 7));
	memset(&s->words[s->nr], 0, size);
	copy_stack(&s->words[s->nr], (const u64 *)(uintptr_t)reg(c, 7), filled / 8);
	s->nr += size / 8;
	s->words[s->nr++] = filled;
	h.size = (u16)(s->nr * 8);
	memcpy(s->words, &h, sizeof(h));
}

/* What the lane makes of the first ring, at once or with a backlog while objects are read. */
static void write_out_from(struct backlog *b)
{
	char path[] = "/tmp/unwinder-test-XXXXXX";
	int fd = mkstemp(path);
	struct perfdata_writer_opts opts = { .path = path, .fd = -1, .bare = true };
	struct perfdata_writer *w;
	struct err e = ERR_INIT;

	assert_true(fd >= 0);
	assert_int_equal(perfdata_writer_open(&w, &opts, &e), 0);
	assert_int_equal(writer_begin(w, &e), 0);
	unwinder_gather(unwinder);
	while (b && backlog_at(b, rings, 0) != pages[0].data_head) {
		u64 to = pages[0].data_head;
		const struct ring *r = backlog_source(b, rings, 0, &to);

		to = unwind_lane_make(lane, r, backlog_at(b, rings, 0), to, true);
		assert_int_equal(unwind_lane_flush(lane, w, &e), 0);
		backlog_consume(b, rings, 0, to);
		if (!unwind_lane_is_waiting(lane))
			continue;
		backlog_wait(b, unwinder, lane);
		assert_int_equal(pages[0].data_tail, pages[0].data_head);
	}
	if (!b)
		assert_int_equal(unwind_lane_write(lane, &rings[0], rings[0].tail,
						   pages[0].data_head, w, &e),
				 0);
	assert_int_equal(writer_finish(w, &e), 0);
	close(fd);
	fd = open(path, O_RDONLY);
	result_len = (size_t)read(fd, result, sizeof(result));
	close(fd);
	unlink(path);
}

static void write_out(void)
{
	write_out_from(NULL);
}

/* The last record is a sample whose user frames begin as backtrace() says. */
static void check_chain(void *const *want, int nr, bool cut)
{
	const struct perf_event_header *h = NULL;
	struct sample s;
	int equal = 0, from = 0;

	for (size_t at = 0; at < result_len; at += h->size)
		h = (const void *)(result + at);
	assert_non_null(h);
	assert_int_equal(h->type, PERF_RECORD_SAMPLE);
	assert_true(sample_decode(&layout, h, &s));
	assert_int_equal(s.pid, expected_pid);
	assert_true(s.nr_chain > 4);
	assert_true(s.chain[0] == PERF_CONTEXT_KERNEL && s.chain[2] == PERF_CONTEXT_USER);
	/* Callers are told by the end of their call. backtrace() may begin with frames of its own.
	 */
	while (from < nr && s.chain[4] + 1 != (u64)(uintptr_t)want[from])
		from++;
	for (u64 i = 4; i < s.nr_chain && (int)i - 4 + from < nr; i++)
		equal += s.chain[i] + 1 == (u64)(uintptr_t)want[(int)i - 4 + from];
	assert_int_equal(s.chain[s.nr_chain - 1] == PERF_CONTEXT_USER, cut);
	assert_true(from <= 3 && (cut ? equal >= 1 : equal == nr - from));
}

__attribute__((noinline)) static int here(struct copy *s, void **frames, u64 size, u64 nr_chain)
{
	ucontext_t c;
	int nr = backtrace(frames, FRAMES);

	getcontext(&c);
	make_sample(s, &c, MAPPED_AT + 50, size, nr_chain);
	return nr;
}

static void chains_of_copies(void **state)
{
	void *frames[FRAMES];
	static struct copy s;
	int nr;

	(void)state;
	/* at the end of the ring: records wrap */
	for (u64 at = 0; at < 2; at++) {
		start(at ? RING_BYTES - 2048 : 0, false);
		put_maps(0, MAPPED_AT);
		nr = here(&s, frames, COPY, 2);
		put(0, s.words, s.nr * 8);
		write_out();
		check_chain(frames, nr, false);
		assert_int_equal(unwind_lane_take_stats(lane).stacks, 1);
		end();
	}
}

static void mappings_of_another_ring(void **state)
{
	void *frames[FRAMES];
	static struct copy s;
	int nr;

	(void)state;
	start(0, false);
	nr = here(&s, frames, COPY, 2);
	put(0, s.words, s.nr * 8);
	put_maps(1, MAPPED_AT);
	write_out();
	check_chain(frames, nr, false);
	end();
}

/* What is mapped later says nothing. */
static void mappings_have_times(void **state)
{
	void *frames[FRAMES];
	struct unwind_stats st;
	static struct copy s;

	(void)state;
	start(0, false);
	here(&s, frames, COPY, 2);
	put(0, s.words, s.nr * 8);
	put_maps(1, MAPPED_AT + 100);
	write_out();
	st = unwind_lane_take_stats(lane);
	assert_true(st.stacks == 1 && st.incomplete == 1 && !st.cut);
	end();
}

static void cut_stacks_are_marked(void **state)
{
	void *frames[FRAMES];
	struct unwind_stats st;
	static struct copy s;
	int nr;

	(void)state;
	start(0, false);
	put_maps(0, MAPPED_AT);
	nr = here(&s, frames, 2048, 2);
	put(0, s.words, s.nr * 8);
	write_out();
	st = unwind_lane_take_stats(lane);
	assert_true(st.stacks == 1 && st.cut == 1);
	check_chain(frames, nr, true);
	end();
}

static void damaged_samples_are_left_out(void **state)
{
	static const u64 claims[] = { 1 << 20, UINT64_MAX, 1ULL << 61, 400 };
	void *frames[FRAMES];
	static struct copy s;
	int nr;

	(void)state;
	start(0, false);
	put_maps(0, MAPPED_AT);
	for (size_t i = 0; i < ARRAY_SIZE(claims); i++) {
		here(&s, frames, COPY, claims[i]);
		put(0, s.words, s.nr * 8);
	}
	nr = here(&s, frames, COPY, 2);
	put(0, s.words, s.nr * 8);
	write_out();
	check_chain(frames, nr, false);
	assert_true(unwind_lane_take_stats(lane).broken >= 3);
	end();
}

static void other_events_stay(void **state)
{
	u64 plain[4] = { 0, (u64)PID << 32 | PID, MAPPED_AT, 8 };
	struct perf_event_header h = { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(plain) };

	(void)state;
	memcpy(plain, &h, sizeof(h));
	start(0, true);
	put(0, plain, sizeof(plain));
	write_out();
	assert_int_equal(result_len, sizeof(plain));
	assert_memory_equal(result, plain, sizeof(plain));
	end();
}

/* A new file: the state is told anew, nothing of before counts. */
static void restart_forgets(void **state)
{
	void *frames[FRAMES];
	struct unwind_stats st;
	static struct copy s;

	(void)state;
	start(0, false);
	put_maps(0, MAPPED_AT);
	here(&s, frames, COPY, 2);
	put(0, s.words, s.nr * 8);
	write_out();
	assert_int_equal(unwind_lane_take_stats(lane).incomplete, 0);
	ring_consume(&rings[0], pages[0].data_head);
	unwinder_restart(unwinder);
	put(0, s.words, s.nr * 8);
	write_out();
	st = unwind_lane_take_stats(lane);
	assert_true(st.stacks == 1 && st.incomplete == 1);
	end();
}

static int tasks_to; /* the ring that the next two write to */

/* A record about a process with one thread. */
static void put_task(u32 type, u32 pid, u32 ppid, u64 time)
{
	u64 id = (u64)pid << 32 | pid, parent = (u64)ppid << 32 | pid;
	u64 r[] = { 0, parent, parent, time, id, time, 7 };
	struct perf_event_header h = { type, 0, sizeof(r) };

	memcpy(r, &h, sizeof(h));
	put(tasks_to, r, sizeof(r));
}

static void put_anonymous(u32 pid, u64 addr, u64 time)
{
	u64 id = (u64)pid << 32 | pid, name = 0;
	u64 r[] = { 0, id, addr, 4096, 0, 0, 0, 0, 5, 0, id, time, 7 };
	struct perf_event_header h = { PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, sizeof(r) };

	memcpy(&name, "//anon", 6);
	r[MMAP2_NAME / 8] = name;
	memcpy(r, &h, sizeof(h));
	put(tasks_to, r, sizeof(r));
}

static const struct unwind_rings all_rings = { 0 };

/* Short processes, one after the other, in the ring of tasks_to. */
enum { PROCESSES = 300, FIRST = 10000, KEPT_MAX = 8 * PROCESSES };
static void put_storm(u32 parent, u64 *time)
{
	for (u32 pid = FIRST; pid < FIRST + PROCESSES; pid++) {
		*time += 10;
		put_task(PERF_RECORD_FORK, pid, parent, *time);
		for (u64 i = 0; i < 3; i++)
			put_anonymous(pid, 0x100000 * (i + 1), *time + 1);
		put_task(PERF_RECORD_EXIT, pid, parent, *time + 2);
	}
}

/* Few are known after many short processes; one whose parent has ended keeps what it inherited. */
static void ended_processes_are_forgotten(void **state)
{
	enum { ROUNDS = 120, CHILD = 4712 };
	void *frames[FRAMES];
	static struct copy s;
	u64 time = MAPPED_AT + 10;
	u32 most = 0;
	int nr;

	(void)state;
	start(0, false);
	put_maps(0, MAPPED_AT);
	put_task(PERF_RECORD_FORK, CHILD, PID, time);
	put_task(PERF_RECORD_EXIT, PID, 1, time + 1);
	for (int round = 0; round < ROUNDS; round++) {
		unwinder_begin_round(unwinder, NULL, all_rings);
		put_storm(CHILD, &time);
		unwinder_gather(unwinder);
		ring_consume(&rings[0], pages[0].data_head);
		most = MAX(most, unwinder_nr_threads(unwinder));
	}
	assert_true(most < KEPT_MAX);
	nr = here(&s, frames, COPY, 2);
	s.words[1] = (u64)CHILD << 32 | CHILD;
	s.words[2] = time;
	put(0, s.words, s.nr * 8);
	write_out();
	expected_pid = CHILD;
	check_chain(frames, nr, false);
	expected_pid = PID;
	end();
}

/* Two rings, of which one holds a sample that nobody reads for many rounds: the process that it is
 * of, ended long ago, is known still; when it has been read, few are known. */
static void unread_samples_keep_the_ended(void **state)
{
	enum { ROUNDS = 60, CHILD = 4712 };
	void *frames[FRAMES];
	static struct copy s;
	u64 time = MAPPED_AT + 10, made[2] = { 0 };
	int nr;

	(void)state;
	start(0, false);
	tasks_to = 1;
	put_maps(1, MAPPED_AT);
	put_task(PERF_RECORD_FORK, CHILD, PID, time);
	nr = here(&s, frames, COPY, 2);
	s.words[1] = (u64)CHILD << 32 | CHILD;
	s.words[2] = time + 1;
	put(0, s.words, s.nr * 8);
	put_task(PERF_RECORD_EXIT, CHILD, PID, time + 2);
	for (int round = 0; round < 2 * ROUNDS; round++) {
		unwinder_begin_round(unwinder, made, all_rings);
		put_storm(PID, &time);
		unwinder_gather(unwinder);
		made[1] = pages[1].data_head;
		ring_consume(&rings[1], made[1]);
		if (round == ROUNDS) {
			assert_true(unwinder_nr_threads(unwinder) > ROUNDS * PROCESSES);
			expected_pid = CHILD;
			write_out();
			check_chain(frames, nr, false);
			made[0] = pages[0].data_head;
		}
	}
	assert_true(unwinder_nr_threads(unwinder) < KEPT_MAX);
	expected_pid = PID;
	tasks_to = 0;
	end();
}

/*
 * Two lanes, each with a ring of its own. That whose ring holds nearly nothing has not read it for
 * long: it is asked to, once, and the process of its sample is known till then. From then on few
 * are known, and it reads on.
 */
static void lanes_forget_together(void **state)
{
	enum { ROUNDS = 60, CHILD = 4712 };
	static const size_t numbers[] = { 0, 1 };
	static const struct unwind_rings first = { &numbers[0], 1 }, second = { &numbers[1], 1 };
	struct unwind_lane *other;
	u64 time = MAPPED_AT + 10, made[2] = { 0 };
	void *frames[FRAMES];
	static struct copy s;
	int nr, asked = 0;

	(void)state;
	start(0, false);
	other = unwind_lane_new(unwinder);
	tasks_to = 1;
	put_maps(1, MAPPED_AT);
	put_task(PERF_RECORD_FORK, CHILD, PID, time);
	nr = here(&s, frames, COPY, 2);
	s.words[1] = (u64)CHILD << 32 | CHILD;
	s.words[2] = time + 1;
	put(0, s.words, s.nr * 8);
	put_task(PERF_RECORD_EXIT, CHILD, PID, time + 2);
	expected_pid = CHILD;
	for (int round = 0; round < 2 * ROUNDS; round++) {
		asked += unwinder_begin_round(unwinder, made, second);
		put_storm(PID, &time);
		unwinder_gather(unwinder);
		made[1] = unwind_lane_make(other, &rings[1], made[1], pages[1].data_head, false);
		ring_consume(&rings[1], made[1]);
		assert_true(made[1] == pages[1].data_head);
		if (round < ROUNDS)
			continue;
		if (round == ROUNDS) {
			assert_int_equal(asked, 1);
			assert_true(unwinder_nr_threads(unwinder) > ROUNDS * PROCESSES);
			write_out();
			check_chain(frames, nr, false);
			made[0] = pages[0].data_head;
		}
		unwinder_begin_round(unwinder, made, first);
	}
	assert_true(unwinder_nr_threads(unwinder) < KEPT_MAX);
	expected_pid = PID;
	tasks_to = 0;
	unwind_lane_free(other);
	end();
}

/* While objects are read a ring that fills is emptied; what comes out is the same. */
static void wait_for_objects(u64 large_file)
{
	enum { SAMPLES = 11 };
	static u8 at_once[RING_BYTES];
	static struct copy s;
	void *frames[FRAMES];
	size_t len = 0;

	here(&s, frames, COPY, 2);
	for (int turn = 0; turn < 2; turn++) {
		struct backlog *b = NULL;

		start(RING_BYTES - 4096, false);
		put_maps(0, MAPPED_AT);
		for (int i = 0; i < SAMPLES; i++)
			put(0, s.words, s.nr * 8);
		if (turn)
			b = backlog_new(rings, ARRAY_SIZE(rings), NULL, 0, large_file);
		write_out_from(b);
		assert_int_equal(unwind_lane_take_stats(lane).stacks, SAMPLES);
		if (turn)
			assert_true(result_len == len && !memcmp(at_once, result, len));
		memcpy(at_once, result, result_len);
		len = result_len;
		backlog_free(b);
		end();
	}
}

static void waiting_empties_rings(void **state)
{
	(void)state;
	wait_for_objects(0);
}

/* So it is with one whose size nobody knows before it is found. */
static void waiting_for_what_is_gone(void **state)
{
	(void)state;
	name_of_all = "/nonexistent/object";
	wait_for_objects(BACKLOG_LARGE_FILE);
	name_of_all = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_of_copies),
		cmocka_unit_test(mappings_of_another_ring),
		cmocka_unit_test(mappings_have_times),
		cmocka_unit_test(cut_stacks_are_marked),
		cmocka_unit_test(damaged_samples_are_left_out),
		cmocka_unit_test(other_events_stay),
		cmocka_unit_test(restart_forgets),
		cmocka_unit_test(ended_processes_are_forgotten),
		cmocka_unit_test(unread_samples_keep_the_ended),
		cmocka_unit_test(lanes_forget_together),
		cmocka_unit_test(waiting_empties_rings),
		cmocka_unit_test(waiting_for_what_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
	return 77; /* registers are those of x86_64 */
}

#endif
