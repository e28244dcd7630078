/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User callchains that come later (CALLCHAIN_DEFERRED, type 22), and the samples that wait for
 * them, in a file and in a stream, which has them in batches. The input is read as a list of steps
 * that make records of all kinds: right ones, cut ones, ones that claim more than they hold.
 *
 * What must hold besides: in a file every sample gets what is there for its thread and cookie; a
 * stream can miss some of it, and never has more.
 */
#include <stdint.h>

#include "session/session.h"
#include "stream_file.h"

enum {
	TID = 2,
	TIME = 4,
	CHAIN = 32,
	IDENTIFIER = 1 << 16,
	ID = 1,
	THREADS = 4,
	COOKIES = 8,
	MAX_STEPS = 4096
};
enum { ADD_SAMPLE, ADD_DEFERRED, ADD_ROUND, ADD_CUT_DEFERRED, ADD_LYING, ADD_RAW, KINDS };

struct making {
	struct strbuf records;
	u64 time;
	bool there[THREADS][COOKIES]; /* such a chain is in the recording */
	u64 waiting[THREADS][COOKIES]; /* samples */
};

static void put64(struct strbuf *s, u64 v)
{
	strbuf_add(s, &v, sizeof(v));
}

static void put_task(struct strbuf *s, u32 thread)
{
	u32 task[2] = { 1, 10 + thread };

	strbuf_add(s, task, sizeof(task));
}

/* TID, TIME, IDENTIFIER */
static void put_trailer(struct strbuf *s, u32 thread, u64 time)
{
	put_task(s, thread);
	put64(s, time);
	put64(s, ID);
}

static void add_sample(struct making *m, u32 thread, u32 cookie, u32 nr)
{
	_cleanup_(strbuf_releasep) struct strbuf s = STRBUF_INIT;

	put64(&s, ID);
	put_task(&s, thread);
	put64(&s, m->time);
	put64(&s, nr + 2);
	for (u32 i = 0; i < nr; i++)
		put64(&s, i ? 0x1000 + i : PERF_CONTEXT_KERNEL);
	put64(&s, PERF_CONTEXT_USER_DEFERRED);
	put64(&s, cookie);
	stream_record(&m->records, PERF_RECORD_SAMPLE, s.buf, s.len);
	m->waiting[thread][cookie]++;
}

/* claimed: how many addresses it says; cut: bytes that are missing at the end */
static void add_deferred(struct making *m, u32 thread, u32 cookie, u32 nr, u64 claimed, size_t cut)
{
	_cleanup_(strbuf_releasep) struct strbuf s = STRBUF_INIT;

	put64(&s, cookie);
	put64(&s, claimed);
	for (u32 i = 0; i < nr; i++)
		put64(&s, i || cookie % 2 ? 0x400000 + i : PERF_CONTEXT_USER);
	put_trailer(&s, thread, m->time);
	stream_record(&m->records, PERF_RECORD_CALLCHAIN_DEFERRED, s.buf, s.len - MIN(cut, s.len));
	m->there[thread][cookie] |= !cut;
}

static void make(struct making *m, const uint8_t *data, size_t size)
{
	enum { STEP = 4 };

	for (size_t at = 0; at + STEP <= size && at < STEP * MAX_STEPS; at += STEP) {
		u32 thread = data[at + 1] % THREADS, cookie = data[at + 1] / THREADS % COOKIES,
		    nr = data[at + 2] % 64;

		m->time += data[at + 3] % 16;
		switch (data[at] % KINDS) {
		case ADD_SAMPLE:
			add_sample(m, thread, cookie, nr);
			break;
		case ADD_DEFERRED:
			add_deferred(m, thread, cookie, nr, nr, 0);
			break;
		case ADD_ROUND:
			stream_record(&m->records, PERF_RECORD_FINISHED_ROUND, "", 0);
			break;
		case ADD_CUT_DEFERRED:
			/* (the thread that is left is another one, or none) */
			add_deferred(m, THREADS - 1, COOKIES - 1, nr, nr,
				     8 + (size_t)data[at + 3] / 8 * 8);
			break;
		case ADD_LYING:
			add_deferred(m, thread, cookie, nr, ~0ULL - data[at + 3], 0);
			break;
		default:
			stream_record(&m->records, PERF_RECORD_CALLCHAIN_DEFERRED, data + at,
				      MIN((size_t)nr / 8 * 8, size - at));
		}
	}
}

static void put_attr(struct strbuf *out)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = PERF_ATTR_SIZE_VER7,
		.sample_type = TID | TIME | CHAIN | IDENTIFIER,
	};

	attr.sample_id_all = 1;
	attr.defer_callchain = 1;
	attr.defer_output = 1;
	strbuf_add(out, &attr, PERF_ATTR_SIZE_VER7);
}

static void put_stream(const struct making *m, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf attr = STRBUF_INIT;

	put_attr(&attr);
	put64(&attr, ID);
	stream_begin(out);
	stream_record(out, PERF_RECORD_HEADER_ATTR, attr.buf, attr.len);
	strbuf_add(out, m->records.buf, m->records.len);
}

static void put_file(const struct making *m, struct strbuf *out)
{
	enum { HEADER = 104, SECTION = 16, ENTRY = (u64)PERF_ATTR_SIZE_VER7 + SECTION };
	u64 words[] = { HEADER, ENTRY, HEADER + 8, ENTRY, HEADER + 8 + ENTRY, m->records.len, 0, 0,
			0,      0,     0,          0 };

	strbuf_add(out, "PERFILE2", 8);
	strbuf_add(out, words, sizeof(words));
	put64(out, ID);
	put_attr(out);
	put64(out, HEADER);
	put64(out, 8);
	strbuf_add(out, m->records.buf, m->records.len);
}

/* Every address of every chain is looked at. */
static bool look_at(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		    const struct session_record *r)
{
	u64 *sum = ctx;

	for (u64 i = 0; i < r->sample->nr_chain; i++)
		*sum += r->sample->chain[i];
	session_chain(w, &r->site, r->sample);
	return true;
}

static struct session_stats read_all(const struct strbuf *bytes, bool apart)
{
	struct session_stats stats = { 0 };
	int fd = memfd_create("fuzz", 0);
	char path[64];
	u64 sum = 0;
	struct session_consumer c = { .order = SESSION_UNORDERED, .sample = look_at, .ctx = &sum };
	struct session *s;

	if (fd < 0 || rw_write_full(fd, bytes->buf, bytes->len))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct session_opts o = { .input = { .path = path, .force = true },
				  .workers = 1,
				  .deferred_apart = apart };
	if (!session_open(&s, &o, NULL)) {
		session_run(s, &c, NULL);
		stats = *session_stats(s);
		session_close(s);
	}
	close(fd);
	return stats;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(strbuf_releasep) struct strbuf file = STRBUF_INIT, stream = STRBUF_INIT;
	struct making m = { .records = STRBUF_INIT, .time = 1 };
	struct session_stats in_file, in_stream;
	u64 all = 0, missing = 0;

	make(&m, data, size);
	for (u32 t = 0; t < THREADS; t++)
		for (u32 c = 0; c < COOKIES; c++) {
			all += m.waiting[t][c];
			missing += m.there[t][c] ? 0 : m.waiting[t][c];
		}
	put_file(&m, &file);
	put_stream(&m, &stream);
	in_file = read_all(&file, false);
	in_stream = read_all(&stream, false);
	read_all(&stream, true);
	/* raw records may be of any thread and have any cookie: then less is missing */
	if (in_file.deferred != all || in_file.deferred_missing > missing ||
	    in_stream.deferred != all || in_stream.deferred_missing < in_file.deferred_missing)
		abort();
	strbuf_release(&m.records);
	return 0;
}
