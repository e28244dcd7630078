/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order and completeness of what consumers get, on a stream made here: two CPUs whose runs
 * interleave, rounds, records that belong to the next round, a mapping that becomes known one round
 * late.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "many.h"
#include "session/batch.h"
#include "session/opened.h"

enum { ROUNDS = MANY_OF(2000), PER_CPU = 40 }; /* several batches of a file */
/* When something is mapped at an address that all chains had before, too. */
enum { CALLER = 0xdead, CALLER_MAPPED = 1000 + ROUNDS / 4 * 1000 + 100 };

struct stream {
	struct strbuf bytes;
	char path[64];
};

static void add_record(struct strbuf *sb, u32 type, u16 misc, const void *body, size_t len)
{
	struct perf_event_header h = { .type = type, .misc = misc, .size = (u16)(sizeof(h) + len) };

	strbuf_add(sb, &h, sizeof(h));
	strbuf_add(sb, body, len);
}

static void add_attr(struct strbuf *sb)
{
	struct {
		struct perf_event_attr attr;
		u64 id;
	} body = { .attr = { .type = PERF_TYPE_SOFTWARE,
			     .size = sizeof(body.attr),
			     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
					    PERF_SAMPLE_CALLCHAIN,
			     .sample_id_all = 1 },
		   .id = 1 };

	add_record(sb, PERF_RECORD_HEADER_ATTR, 0, &body, sizeof(body));
}

static void add_sample(struct strbuf *sb, u32 pid, u64 time, u64 ip)
{
	u64 body[7] = { ip, (u64)pid << 32 | pid, time, 3, PERF_CONTEXT_USER, ip, CALLER };

	add_record(sb, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, sizeof(body));
}

static void add_mmap(struct strbuf *sb, u32 pid, u64 start, const char *name, u64 time)
{
	struct {
		u32 pid, tid;
		u64 addr, len, pgoff;
		char name[16];
		u32 id_pid, id_tid;
		u64 time;
	} body = { .pid = pid,
		   .tid = pid,
		   .addr = start,
		   .len = 0x1000,
		   .id_pid = pid,
		   .id_tid = pid,
		   .time = time };

	snprintf(body.name, sizeof(body.name), "%s", name);
	add_record(sb, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

/* The records of a stream as an ordinary file, whose samples are read a second time when they are
 * due. */
static void make_file(struct stream *st)
{
	const size_t skip = 16 + sizeof(struct perf_event_header) + sizeof(struct perf_event_attr) +
			    8;
	const char *attr = st->bytes.buf + 16 + sizeof(struct perf_event_header);
	u64 ids[2] = { 0 };
	u64 head[13] = { 0x32454c4946524550ULL, sizeof(head),
			 sizeof(struct perf_event_attr) + sizeof(ids), sizeof(head),
			 sizeof(struct perf_event_attr) + sizeof(ids) };
	struct strbuf file = STRBUF_INIT;

	head[5] = sizeof(head) + head[4];
	head[6] = st->bytes.len - skip;
	strbuf_add(&file, head, sizeof(head));
	strbuf_add(&file, attr, sizeof(struct perf_event_attr));
	strbuf_add(&file, ids, sizeof(ids));
	strbuf_add(&file, st->bytes.buf + skip, st->bytes.len - skip);
	strbuf_release(&st->bytes);
	st->bytes = file;
}

static void make_stream(struct stream *st, bool as_file)
{
	static const u64 head[2] = { 0x32454c4946524550ULL, 16 };
	int fd;

	st->bytes = (struct strbuf)STRBUF_INIT;
	strbuf_add(&st->bytes, head, sizeof(head));
	add_attr(&st->bytes);
	add_mmap(&st->bytes, 5, 0x10000, "/bin/old", 1);
	for (u64 r = 0; r < ROUNDS; r++) {
		for (u64 cpu = 0; cpu < 2; cpu++) {
			/* CPU 1 is read later and so reaches into the next round's time. */
			u64 t = 1000 + r * 1000 + cpu * 300;

			for (u64 i = 0; i < PER_CPU; i++)
				add_sample(&st->bytes, 5, t + i * 20 + cpu, 0x10000 + i);
			if (cpu && r == ROUNDS / 2)
				add_mmap(&st->bytes, 5, 0x10000, "/bin/new", t - 200);
			if (cpu && r == ROUNDS / 4)
				add_mmap(&st->bytes, 5, CALLER & ~0xfff, "/bin/caller",
					 CALLER_MAPPED);
		}
		add_record(&st->bytes, PERF_RECORD_FINISHED_ROUND, 0, NULL, 0);
	}
	if (as_file)
		make_file(st);
	snprintf(st->path, sizeof(st->path), "/tmp/perf-unit-XXXXXX");
	fd = mkstemp(st->path);
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, st->bytes.buf, st->bytes.len), 0);
	close(fd);
}

static int setup(void **state)
{
	struct stream *st = XNEW(struct stream);

	make_stream(st, false);
	*state = st;
	return 0;
}

static int setup_file(void **state)
{
	struct stream *st = XNEW(struct stream);

	make_stream(st, true);
	*state = st;
	return 0;
}

static int teardown(void **state)
{
	struct stream *st = *state;

	unlink(st->path);
	strbuf_release(&st->bytes);
	free(st);
	return 0;
}

static struct session *open_stream(const struct stream *st, unsigned int workers)
{
	struct session_opts o = { .input = { .path = st->path }, .workers = workers };
	struct session *s = NULL;
	struct err e = ERR_INIT;

	assert_int_equal(session_open(&s, &o, &e), 0);
	return s;
}

struct ordered {
	struct strbuf text;
};

static bool format(void *ctx, struct session_worker *w, unsigned int worker,
		   const struct session_record *r, struct strbuf *out)
{
	struct location loc;

	(void)ctx;
	(void)worker;
	if (!r->sample)
		return true;
	session_resolve(w, &r->site, r->sample->cpumode, r->sample->ip, &loc);
	strbuf_addf(out, "%llu %u\n", (unsigned long long)r->time, loc.dso);
	return true;
}

static bool collect(void *ctx, const char *text, size_t len)
{
	struct ordered *o = ctx;

	strbuf_add(&o->text, text, len);
	return true;
}

static void run_in_order(const struct stream *st, unsigned int workers, bool serial,
			 struct ordered *o)
{
	struct session_consumer c = { .order = SESSION_ORDERED,
				      .serial = serial,
				      .ctx = o,
				      .record = format,
				      .emit = collect };
	struct session *s = open_stream(st, workers);
	struct err e = ERR_INIT;

	o->text = (struct strbuf)STRBUF_INIT;
	assert_int_equal(session_run(s, &c, &e), 0);
	assert_int_equal(session_stats(s)->nr_samples, ROUNDS * PER_CPU * 2);
	session_close(s);
}

static void ordered_by_time(void **state)
{
	struct ordered one;
	unsigned long long last = 0;
	u32 last_dso = 0;
	unsigned int lines = 0;
	char *save = NULL;

	run_in_order(*state, 1, false, &one);
	for (char *l = strtok_r(one.text.buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		unsigned long long t;
		u32 dso;

		assert_int_equal(sscanf(l, "%llu %u", &t, &dso), 2);
		assert_true(t >= last);
		assert_true(dso >= last_dso); /* old, then new: never back */
		assert_int_equal(
			dso, t < 1000 + ROUNDS / 2 * 1000 + 100 ? 1 : 3); /* 2 is the caller's */
		last = t;
		last_dso = dso;
		lines++;
	}
	assert_int_equal(lines, ROUNDS * PER_CPU * 2);
	strbuf_release(&one.text);
}

static void same_for_any_workers(void **state)
{
	struct ordered one;

	run_in_order(*state, 1, false, &one);
	for (unsigned int workers = 1; workers <= 4; workers++) {
		struct ordered other;

		run_in_order(*state, workers, workers == 4, &other);
		assert_string_equal(one.text.buf, other.text.buf);
		strbuf_release(&other.text);
	}
	strbuf_release(&one.text);
}

struct counts {
	_Atomic u64 samples, chains, old, fresh;
	struct session *s;
};

static bool count(void *ctx, struct session_worker *w, unsigned int worker,
		  const struct session_record *r)
{
	struct counts *c = ctx;
	size_t nr;
	chain_id chain = session_chain(w, &r->site, r->sample);
	const frame_id *frames = session_chain_frames(c->s, chain, &nr);

	(void)worker;
	assert_int_equal(nr, 2);
	assert_int_equal(frames[0], session_frame(w, &r->site, r->sample->cpumode, r->sample->ip));
	assert_int_equal(session_frame_get(c->s, frames[1])->dso != 0, r->time >= CALLER_MAPPED);
	c->samples++;
	c->chains += chain != 0;
	if (session_frame_get(c->s, frames[0])->dso == 1)
		c->old++;
	else
		c->fresh++;
	return true;
}

static void unordered_counts(void **state)
{
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct counts c = { .s = open_stream(*state, workers) };
		struct session_consumer consumer = { .order = SESSION_UNORDERED,
						     .ctx = &c,
						     .sample = count };
		struct err e = ERR_INIT;
		u64 half = ROUNDS / 2;

		assert_int_equal(session_run(c.s, &consumer, &e), 0);
		assert_int_equal(c.samples, ROUNDS * PER_CPU * 2);
		assert_int_equal(c.chains, c.samples);
		assert_int_equal(c.old + c.fresh, c.samples);
		assert_true(c.old > half * PER_CPU * 2 - PER_CPU &&
			    c.old < half * PER_CPU * 2 + PER_CPU);
		session_close(c.s);
	}
}

static bool count_heads(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r)
{
	struct counts *c = ctx;
	frame_id frame = session_frame(w, &r->site, r->sample->cpumode, r->sample->ip);

	(void)worker;
	assert_null(r->h);
	assert_null(r->sample->chain);
	assert_true(r->in_file);
	assert_int_equal(r->sample->time, r->time);
	assert_int_equal(r->event->index, 0);
	c->samples++;
	if (session_frame_get(c->s, frame)->dso == 1)
		c->old++;
	else
		c->fresh++;
	return true;
}

/* The same samples, and the same frames, where their fixed fields are all that is asked for. */
static void unordered_heads(void **state)
{
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct counts whole = { .s = open_stream(*state, workers) };
		struct counts heads = { .s = open_stream(*state, workers) };
		struct session_consumer c = { .order = SESSION_UNORDERED,
					      .ctx = &whole,
					      .sample = count };
		struct err e = ERR_INIT;

		assert_int_equal(session_run(whole.s, &c, &e), 0);
		c.ctx = &heads;
		c.sample = count_heads;
		c.heads = true;
		assert_int_equal(session_run(heads.s, &c, &e), 0);
		assert_int_equal(heads.samples, ROUNDS * PER_CPU * 2);
		assert_int_equal(heads.old, whole.old);
		assert_int_equal(heads.fresh, whole.fresh);
		session_close(whole.s);
		session_close(heads.s);
	}
}

static u64 due_in_blocks(const struct batch *b)
{
	u64 nr = 0;

	VEC_FOR(&b->heads, d) {
		const struct kept_head *k = head_block_samples(d->block);

		for (u32 i = 0; i < d->block->nr_runs; i++) {
			const struct head_run *run = head_block_run(d->block, i);

			for (const struct kept_head *end = k + run->nr; k < end; k++)
				nr += run->time + k->time > d->after &&
				      run->time + k->time <= d->until;
		}
	}
	return nr;
}

/* Heads for which there is no room are left in the file, and each sample is due once. */
static void heads_without_room(void **state)
{
	const struct session_consumer c = { .order = SESSION_UNORDERED,
					    .heads = true,
					    .sample = count_heads };
	struct session *s = open_stream(*state, 1);
	struct session_stats stats = { 0 };
	struct batch batches[2] = { 0 };
	struct batch *prev = NULL;
	u64 kept = 0, left = 0;
	struct batcher b;
	struct err e = ERR_INIT;
	int got;

	batcher_init(&b, s->source, &stats, &c);
	b.pool.max = 3;
	for (int cur = 0; (got = batcher_next(&b, prev, &batches[cur], &e)) > 0; cur = !cur) {
		prev = &batches[cur];
		kept += due_in_blocks(prev);
		left += prev->due.nr;
		batch_return_heads(&b, &batches[cur]);
		if (prev->last)
			break;
	}
	assert_true(got >= 0);
	assert_int_equal(kept + left, ROUNDS * PER_CPU * 2);
	assert_true(kept > 0 && left > 0);
	batch_release(&batches[0]);
	batch_release(&batches[1]);
	batcher_release(&b);
	session_close(s);
}

static void time_filter(void **state)
{
	const struct stream *st = *state;
	struct session_opts o = { .input = { .path = st->path },
				  .workers = 1,
				  .time = "0.000002,0.000003" };
	struct counts c = { .samples = 0 };
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .ctx = &c,
					     .sample = count };
	struct err e = ERR_INIT;

	assert_int_equal(session_open(&c.s, &o, &e), 0);
	assert_int_equal(session_run(c.s, &consumer, &e), 0);
	assert_true(c.samples > 60 && c.samples < 120);
	session_close(c.s);
	o.time = "3,2";
	assert_int_equal(session_open(&c.s, &o, &e), -1);
	o.time = "x";
	assert_int_equal(session_open(&c.s, &o, &e), -1);
}

/* A file of two events whose samples begin with the same fields; the first one's go on. ids are
 * behind the attributes. */
static void add_two_events(struct strbuf *sb, u64 more, u64 data_size)
{
	enum { ATTRS = 2 * (sizeof(struct perf_event_attr) + 16) };
	static const u64 ids[2] = { 1, 2 };
	u64 head[13] = { 0x32454c4946524550ULL, sizeof(head), ATTRS / 2, sizeof(head) + sizeof(ids),
			 ATTRS };

	head[5] = sizeof(head) + sizeof(ids) + ATTRS;
	head[6] = data_size;
	strbuf_add(sb, head, sizeof(head));
	strbuf_add(sb, ids, sizeof(ids));
	for (u64 i = 0; i < 2; i++) {
		struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
						.size = sizeof(attr),
						.sample_type = PERF_SAMPLE_IDENTIFIER |
							       PERF_SAMPLE_IP | PERF_SAMPLE_TID |
							       PERF_SAMPLE_TIME | (i ? 0 : more),
						.sample_id_all = 1 };
		u64 section[2] = { sizeof(head) + i * 8, 8 };

		strbuf_add(sb, &attr, sizeof(attr));
		strbuf_add(sb, section, sizeof(section));
	}
}

static bool add_time(void *ctx, struct session_worker *w UNUSED, unsigned int worker UNUSED,
		     const struct session_record *r, struct strbuf *out)
{
	(void)ctx;
	if (r->sample)
		strbuf_addf(out, "%llu ", (unsigned long long)r->time);
	return true;
}

/* The first event's samples are longer than the second's: both have their times where they are. */
static void longer_and_shorter(void **state UNUSED)
{
	static const u64 shorter[4] = { 2, 0x10000, 5ULL << 32 | 5, 2000 };
	static const u64 longer[7] = { 1, 0x10000, 5ULL << 32 | 5, 1000, 0xadd, 3, 0xda7a };
	struct stream st = { .bytes = STRBUF_INIT, .path = "/tmp/perf-unit-XXXXXX" };
	struct ordered o = { .text = STRBUF_INIT };
	struct session_consumer c = {
		.order = SESSION_ORDERED, .ctx = &o, .record = add_time, .emit = collect
	};
	int fd = mkstemp(st.path);
	struct session *s;
	struct err e = ERR_INIT;

	assert_true(fd >= 0);
	add_two_events(&st.bytes, PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD | PERF_SAMPLE_DATA_SRC,
		       2 * sizeof(struct perf_event_header) + sizeof(shorter) + sizeof(longer));
	add_record(&st.bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, shorter, sizeof(shorter));
	add_record(&st.bytes, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, longer, sizeof(longer));
	assert_int_equal(rw_write_full(fd, st.bytes.buf, st.bytes.len), 0);
	close(fd);
	s = open_stream(&st, 1);
	assert_int_equal(session_run(s, &c, &e), 0);
	assert_string_equal(o.text.buf, "1000 2000 ");
	assert_int_equal(session_stats(s)->first_time, 1000);
	session_close(s);
	unlink(st.path);
	strbuf_release(&st.bytes);
	strbuf_release(&o.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ordered_by_time, setup, teardown),
		cmocka_unit_test_setup_teardown(same_for_any_workers, setup, teardown),
		cmocka_unit_test_setup_teardown(unordered_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(time_filter, setup, teardown),
		cmocka_unit_test(longer_and_shorter),
		{ "ordered_by_time in a file", ordered_by_time, setup_file, teardown, NULL },
		{ "same_for_any_workers in a file", same_for_any_workers, setup_file, teardown,
		  NULL },
		{ "unordered_counts in a file", unordered_counts, setup_file, teardown, NULL },
		{ "unordered_heads in a file", unordered_heads, setup_file, teardown, NULL },
		{ "heads_without_room in a file", heads_without_room, setup_file, teardown, NULL },
		{ "time_filter in a file", time_filter, setup_file, teardown, NULL },
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
