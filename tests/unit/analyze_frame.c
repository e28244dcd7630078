/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of an analyser's table, made from a recording that is written here, as a file and as a
 * stream: two tracepoints that are one event by two names, whose fields differ, and records of
 * tasks and losses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "analyze/analyze.h"
#include "base/mem.h"
#include "base/rw.h"
#include "many.h"

enum { ROUNDS = MANY_OF(2000), PER_CPU = 20, ID_FIRST = 301, ID_SECOND, ID_THIRD };
enum { PARENT = 5, CHILD = 77, LOST = 9 };
/* Their rows are more than a session keeps at a time. */
enum { LONG_ROUNDS = MANY_OF(4000) };

static const char magic[] = "PERFILE2";
static const char path[] = "/tmp/perf-unit-analyze";

#define COMMON                                                                                     \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"            \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *const formats[] = {
	"name: first\nID: 301\n" COMMON "\tfield:int value;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:char text[8];\toffset:12;\tsize:8;\tsigned:0;\n\nprint fmt: \"x\"\n",
	"name: second\nID: 302\n" COMMON "\tfield:u64 number;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"x\"\n",
	"name: third\nID: 303\n" COMMON "\nprint fmt: \"x\"\n",
};

/* ------------------------------------------------------------------ the recording */

static void add_u32(struct strbuf *sb, u32 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void add_u64(struct strbuf *sb, u64 v)
{
	strbuf_add(sb, &v, sizeof(v));
}

static void add_tracing_data(struct strbuf *sb)
{
	static const char head[] = "\x17\x08\x44tracing0.6\0\0\x08";

	strbuf_add(sb, head, sizeof(head) - 1);
	add_u32(sb, 4096);
	strbuf_add(sb, "header_page", 12);
	add_u64(sb, 0);
	strbuf_add(sb, "header_event", 13);
	add_u64(sb, 0);
	add_u32(sb, 0);
	add_u32(sb, 1);
	strbuf_add(sb, "made", 5);
	add_u32(sb, ARRAY_SIZE(formats));
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		add_u64(sb, strlen(formats[i]));
		strbuf_adds(sb, formats[i]);
	}
	add_u64(sb, 0);
	add_u64(sb, 0);
}

static void add_record(struct strbuf *sb, u32 type, const void *body, size_t len)
{
	struct perf_event_header h = { .type = type, .size = (u16)(sizeof(h) + len) };

	strbuf_add(sb, &h, sizeof(h));
	strbuf_add(sb, body, len);
}

static struct perf_event_attr attr_of(u64 id)
{
	return (struct perf_event_attr){ .type = PERF_TYPE_TRACEPOINT,
					 .size = sizeof(struct perf_event_attr),
					 .config = id,
					 .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID |
							PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
							PERF_SAMPLE_RAW,
					 .sample_id_all = 1 };
}

/* Values go up with time, below 0 first. */
static s64 value_at(u64 time)
{
	return (s64)time - 5000;
}

static void add_sample(struct strbuf *sb, u64 event, u64 time, u32 cpu)
{
	struct {
		u64 id;
		u32 pid, tid;
		u64 time;
		u32 cpu, res, raw_size;
		u16 type;
		u8 flags, count;
		u32 common_pid;
		u8 fields[12];
	} body = { .id = event,
		   .pid = PARENT,
		   .tid = PARENT,
		   .time = time,
		   .cpu = cpu,
		   .raw_size = 20,
		   .type = (u16)event };
	s64 value = value_at(time);

	if (event == ID_FIRST) {
		memcpy(body.fields, &(s32){ (s32)value }, 4);
		memcpy(body.fields + 4, "12345678", 8); /* without an end */
	} else {
		memcpy(body.fields, &value, 8);
	}
	add_record(sb, PERF_RECORD_SAMPLE, &body, sizeof(body));
}

/* A record of u32s, with its sample_id. */
static void add_other(struct strbuf *sb, u32 type, const u32 *body, size_t nr, u64 time)
{
	struct strbuf b = STRBUF_INIT;

	strbuf_add(&b, body, nr * sizeof(*body));
	add_u32(&b, PARENT);
	add_u32(&b, PARENT);
	add_u64(&b, time);
	add_u64(&b, 0); /* cpu */
	add_u64(&b, ID_FIRST);
	add_record(sb, type, b.buf, b.len);
	strbuf_release(&b);
}

/* Two CPUs, the second of which reaches into the next round's time. */
static void add_records(struct strbuf *sb, u64 rounds, bool finished)
{
	for (u64 r = 0; r < rounds; r++) {
		for (u32 cpu = 0; cpu < 2; cpu++) {
			u64 t = 1000 + r * 1000 + cpu * 300;

			for (u64 i = 0; i < PER_CPU; i++)
				add_sample(sb, i % 2 ? ID_SECOND : ID_FIRST, t + i * 40 + cpu, cpu);
		}
		if (r == ROUNDS / 2) {
			u64 t = 1000 + r * 1000;

			add_other(sb, PERF_RECORD_FORK,
				  (u32[]){ CHILD, PARENT, CHILD, PARENT, 0, 0 }, 6, t + 41);
			/* "made" and its end */
			add_other(sb, PERF_RECORD_COMM, (u32[]){ CHILD, CHILD, 0x6564616d, 0 }, 4,
				  t + 42);
			add_other(sb, PERF_RECORD_LOST, (u32[]){ ID_FIRST, 0, LOST, 0 }, 4, t + 43);
			add_other(sb, PERF_RECORD_EXIT,
				  (u32[]){ CHILD, PARENT, CHILD, PARENT, 0, 0 }, 6, t + 44);
		}
		if (finished)
			add_record(sb, PERF_RECORD_FINISHED_ROUND, NULL, 0);
	}
}

/* As a file: attributes, ids, records, formats. */
static void make_file_of(struct strbuf *sb, u64 rounds, bool finished)
{
	struct strbuf records = STRBUF_INIT, blob = STRBUF_INIT;
	const u64 head = 104, attr_size = sizeof(struct perf_event_attr) + 16;
	const u64 ids = head + 2 * attr_size, data = ids + 2 * sizeof(u64);

	add_records(&records, rounds, finished);
	add_tracing_data(&blob);
	strbuf_add(sb, magic, 8);
	add_u64(sb, head);
	add_u64(sb, attr_size);
	add_u64(sb, head);
	add_u64(sb, 2 * attr_size);
	add_u64(sb, data);
	add_u64(sb, records.len);
	add_u64(sb, 0);
	add_u64(sb, 0);
	add_u64(sb, 1 << 1); /* TRACING_DATA */
	for (int i = 0; i < 3; i++)
		add_u64(sb, 0);
	for (u64 i = 0; i < 2; i++) {
		struct perf_event_attr attr = attr_of(ID_FIRST + i);

		strbuf_add(sb, &attr, sizeof(attr));
		add_u64(sb, ids + i * sizeof(u64));
		add_u64(sb, sizeof(u64));
	}
	add_u64(sb, ID_FIRST);
	add_u64(sb, ID_SECOND);
	strbuf_add(sb, records.buf, records.len);
	add_u64(sb, data + records.len + 16);
	add_u64(sb, blob.len);
	strbuf_add(sb, blob.buf, blob.len);
	strbuf_release(&records);
	strbuf_release(&blob);
}

static void make_file(struct strbuf *sb)
{
	make_file_of(sb, ROUNDS, true);
}

static void make_long_file(struct strbuf *sb)
{
	make_file_of(sb, LONG_ROUNDS, false);
}

static void make_stream(struct strbuf *sb)
{
	struct strbuf blob = STRBUF_INIT;
	u32 size;

	strbuf_add(sb, magic, 8);
	add_u64(sb, 16);
	for (u64 id = ID_FIRST; id <= ID_SECOND; id++) {
		struct {
			struct perf_event_attr attr;
			u64 id;
		} body = { .attr = attr_of(id), .id = id };

		add_record(sb, PERF_RECORD_HEADER_ATTR, &body, sizeof(body));
	}
	add_tracing_data(&blob);
	while (blob.len % 8)
		strbuf_add(&blob, "", 1);
	size = (u32)blob.len;
	add_record(sb, PERF_RECORD_HEADER_TRACING_DATA, &size, sizeof(size));
	strbuf_add(sb, blob.buf, blob.len);
	strbuf_release(&blob);
	add_records(sb, ROUNDS, true);
}

/* The recording of a test. */
struct recording {
	char path[sizeof(path) + 8];
	u64 rounds;
};

static int write_recording(void **state, void (*make)(struct strbuf *sb), u64 rounds)
{
	struct recording *f = XNEW(struct recording);
	struct strbuf sb = STRBUF_INIT;
	int fd;

	f->rounds = rounds;
	make(&sb);
	snprintf(f->path, sizeof(f->path), "%s-XXXXXX", path);
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, sb.buf, sb.len), 0);
	close(fd);
	strbuf_release(&sb);
	*state = f;
	return 0;
}

static int setup_file(void **state)
{
	return write_recording(state, make_file, ROUNDS);
}

static int setup_long_file(void **state)
{
	return write_recording(state, make_long_file, LONG_ROUNDS);
}

static int setup_stream(void **state)
{
	return write_recording(state, make_stream, ROUNDS);
}

static int teardown(void **state)
{
	struct recording *f = *state;

	unlink(f->path);
	free(f);
	return 0;
}

static struct session *open_recording(void **state, unsigned int workers)
{
	const struct recording *f = *state;
	struct session_opts o = { .input = { .path = f->path }, .workers = workers };
	struct session *s = NULL;
	struct err e = ERR_INIT;

	assert_int_equal(session_open(&s, &o, &e), 0);
	return s;
}

/* ------------------------------------------------------------------ the analyser */

enum { EVENT_MADE, EVENT_OTHER };
enum { MADE_VALUE, MADE_TEXT, MADE_NOTHING };

struct seen {
	struct analyze *analyze;
	struct strbuf text;
	u64 nr, last;
	u64 nr_kinds[2];
	bool has;
};

static void take_made(void *ctx, const struct analyze_row *r)
{
	struct seen *s = ctx;
	const char *text = analyze_text(r, MADE_TEXT);

	s->has = analyze_has(s->analyze, EVENT_MADE) && !analyze_has(s->analyze, EVENT_OTHER);
	assert_true(r->time >= s->last);
	assert_int_equal(r->event, EVENT_MADE);
	assert_int_equal(analyze_signed(r, MADE_VALUE), value_at(r->time));
	assert_string_equal(text, r->kind ? "" : "12345678");
	assert_int_equal(r->values[MADE_NOTHING], 0);
	assert_int_equal(r->tid, PARENT);
	s->last = r->time;
	s->nr++;
	s->nr_kinds[r->kind]++;
	strbuf_addf(&s->text, "%llu %u\n", (unsigned long long)r->time, r->cpu);
}

static void take_other(void *ctx, const struct analyze_row *r)
{
	(void)ctx;
	(void)r;
	fail();
}

static void took(struct seen *s, const struct analyze_row *r, const char *what)
{
	assert_true(r->time >= s->last);
	s->last = r->time;
	strbuf_addf(&s->text, "%s ", what);
}

static void take_fork(void *ctx, const struct analyze_row *r)
{
	took(ctx, r, "fork");
	assert_int_equal(r->values[FORK_TID], CHILD);
	assert_int_equal(r->values[FORK_PARENT_TID], PARENT);
	assert_int_equal(r->tid, CHILD);
}

static void take_comm(void *ctx, const struct analyze_row *r)
{
	took(ctx, r, "comm");
	assert_int_equal(r->values[COMM_PID], CHILD);
	assert_string_equal(analyze_text(r, COMM_NAME), "made");
}

static void take_exit(void *ctx, const struct analyze_row *r)
{
	took(ctx, r, "exit");
	assert_int_equal(r->values[FORK_PID], CHILD);
}

static void take_lost(void *ctx, const struct analyze_row *r)
{
	took(ctx, r, "lost");
	assert_int_equal(r->values[LOST_NUMBER], LOST);
}

static const struct analyze_field made_fields[] = {
	[MADE_VALUE] = { .names = { "older", "value", "number" } },
	[MADE_TEXT] = { .names = { "text" }, .kind = ANALYZE_STRING, .optional = true },
	[MADE_NOTHING] = { .names = { "nothing" }, .optional = true },
	{ .names = { NULL } },
};
static const struct analyze_event made_events[] = {
	[EVENT_MADE] = { .names = { "made:first", "made:second" },
			 .needed = true,
			 .fields = made_fields,
			 .take = take_made },
	[EVENT_OTHER] = { .names = { "made:third", "mad:first" }, .take = take_other },
	{ .record = PERF_RECORD_FORK, .take = take_fork },
	{ .record = PERF_RECORD_COMM, .take = take_comm },
	{ .record = PERF_RECORD_LOST, .take = take_lost },
	{ .record = PERF_RECORD_EXIT, .take = take_exit },
};
static const struct analyze_machine made_machine = { .events = made_events,
						     .nr = ARRAY_SIZE(made_events) };

static void run_with(void **state, unsigned int workers, bool chains, struct seen *seen)
{
	struct session *s = open_recording(state, workers);
	struct analyze_opts o = { .machine = &made_machine, .ctx = seen, .chains = chains };
	u64 nr = ((const struct recording *)*state)->rounds * PER_CPU * 2;
	struct err e = ERR_INIT;

	*seen = (struct seen){ .text = STRBUF_INIT };
	assert_int_equal(analyze_new(&seen->analyze, s, &o, &e), 0);
	assert_int_equal(analyze_run(seen->analyze, &e), 0);
	assert_int_equal(seen->nr, nr);
	assert_int_equal(seen->nr_kinds[0], nr / 2);
	assert_int_equal(seen->nr_kinds[1], nr / 2);
	assert_true(seen->has);
	assert_non_null(strstr(seen->text.buf, "fork comm lost exit "));
	assert_non_null(analyze_format(seen->analyze, EVENT_MADE));
	assert_null(analyze_format(seen->analyze, EVENT_OTHER));
	analyze_free(seen->analyze);
	session_close(s);
}

/* Handlers check values, names and order. */
static void same_for_any_workers(void **state)
{
	struct seen one, other;

	run_with(state, 1, false, &one);
	for (unsigned int workers = 1; workers <= 4; workers++) {
		/* rows that are made when samples are read, and when they are due */
		for (int chains = 0; chains < 2; chains++) {
			run_with(state, workers, chains, &other);
			assert_string_equal(one.text.buf, other.text.buf);
			strbuf_release(&other.text);
		}
	}
	strbuf_release(&one.text);
}

/* ------------------------------------------------------------------ what is missing */

static void fails(void **state, const struct analyze_event *ev, bool late, const char *why)
{
	const struct analyze_machine m = { .events = ev, .nr = 1, .hint = "how it is recorded" };
	struct session *s = open_recording(state, 2);
	struct seen seen = { .nr = 0 };
	struct analyze_opts o = { .machine = &m, .ctx = &seen };
	struct err e = ERR_INIT;

	assert_int_equal(analyze_new(&seen.analyze, s, &o, &e), late ? 0 : -1);
	if (late)
		assert_int_equal(analyze_run(seen.analyze, &e), -1);
	assert_non_null(strstr(e.text, why));
	if (late)
		analyze_free(seen.analyze);
	session_close(s);
}

static const struct analyze_event absent_event = { .names = { "made:third" },
						   .needed = true,
						   .take = take_other };
static const struct analyze_field absent_fields[] = {
	{ .names = { "text", "text_of_later" } },
	{ .names = { NULL } },
};
static const struct analyze_event absent_field = { .names = { "made:second" },
						   .fields = absent_fields,
						   .take = take_other };
static const char no_event[] = "has no samples of made:third";
static const char no_field[] = "has no field 'text'";

static void missing(void **state)
{
	fails(state, &absent_event, false, no_event);
	fails(state, &absent_field, false, no_field);
	fails(state, &absent_field, false, "made:second of ");
}

/* In a stream it shows later. */
static void missing_in_stream(void **state)
{
	fails(state, &absent_event, true, no_event);
	fails(state, &absent_field, true, no_field);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(same_for_any_workers, setup_file, teardown),
		cmocka_unit_test_setup_teardown(same_for_any_workers, setup_long_file, teardown),
		cmocka_unit_test_setup_teardown(same_for_any_workers, setup_stream, teardown),
		cmocka_unit_test_setup_teardown(missing, setup_file, teardown),
		cmocka_unit_test_setup_teardown(missing_in_stream, setup_stream, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
