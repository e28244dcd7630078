/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows, callers and call graphs of a recording made here: two processes, one function per 4 KiB
 * page of one object without symbols, so that every address is a place of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "agg/private.h"
#include "agg/snapshot.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "many.h"
#include "session/source.h"

enum { MAIN = 0x10000, WORK = 0x11000, LEAF = 0x12000, MANY = 9000 };
/* More places than a worker keeps rows for itself, each hit a few times. */
enum { PLACES = 20000, ROUNDS = 4 };

struct input {
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
					    PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN,
			     .sample_id_all = 1 },
		   .id = 1 };

	add_record(sb, PERF_RECORD_HEADER_ATTR, 0, &body, sizeof(body));
}

static void add_mmap(struct strbuf *sb, u32 pid, u64 addr, u64 time)
{
	struct {
		u32 pid, tid;
		u64 addr, len, pgoff;
		char name[16];
		u32 id_pid, id_tid;
		u64 time;
	} body = { .pid = pid,
		   .tid = pid,
		   .addr = addr,
		   .len = 0x10000,
		   .name = "/no/such/object",
		   .id_pid = pid,
		   .id_tid = pid,
		   .time = time };

	add_record(sb, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &body, sizeof(body));
}

static void add_comm(struct strbuf *sb, u32 pid, const char *name, u64 time)
{
	struct {
		u32 pid, tid;
		char name[16];
		u32 id_pid, id_tid;
		u64 time;
	} body = { .pid = pid, .tid = pid, .id_pid = pid, .id_tid = pid, .time = time };

	snprintf(body.name, sizeof(body.name), "%s", name);
	add_record(sb, PERF_RECORD_COMM, 0, &body, sizeof(body));
}

/* frames: leaf first */
static void add_sample(struct strbuf *sb, u32 pid, u64 time, u64 period, const u64 *frames, u64 nr)
{
	u64 body[16] = { frames[0], (u64)pid << 32 | pid, time, period, nr + 1, PERF_CONTEXT_USER };

	memcpy(body + 6, frames, nr * sizeof(*frames));
	add_record(sb, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body, (6 + nr) * 8);
}

static int give_input(void **state, struct strbuf *sb)
{
	struct input *in = XNEW(struct input);
	int fd;

	snprintf(in->path, sizeof(in->path), "/tmp/perf-unit-XXXXXX");
	fd = mkstemp(in->path);
	assert_true(fd >= 0);
	assert_int_equal(rw_write_full(fd, sb->buf, sb->len), 0);
	close(fd);
	strbuf_release(sb);
	*state = in;
	return 0;
}

static void add_head(struct strbuf *sb)
{
	static const u64 head[2] = { 0x32454c4946524550ULL, 16 };

	strbuf_add(sb, head, sizeof(head));
	add_attr(sb);
}

/* The head of a file whose data has that many bytes. */
static void add_file_head(struct strbuf *sb, u64 data_size)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
						       PERF_SAMPLE_CALLCHAIN,
					.sample_id_all = 1 };
	u64 head[13] = { 0x32454c4946524550ULL,
			 sizeof(head),
			 sizeof(attr) + 16,
			 sizeof(head),
			 sizeof(attr) + 16,
			 sizeof(head) + sizeof(attr) + 16,
			 data_size };

	strbuf_add(sb, head, sizeof(head));
	strbuf_add(sb, &attr, sizeof(attr));
	strbuf_add(sb, (const u64[2]){ 0 }, 16);
}

static int setup(void **state)
{
	static const u64 deep[] = { LEAF, WORK, MAIN }, flat[] = { LEAF, MAIN };
	static const u64 again[] = { WORK, WORK, MAIN };
	struct strbuf sb = STRBUF_INIT;

	add_head(&sb);
	for (u32 pid = 5; pid <= 6; pid++) {
		add_comm(&sb, pid, pid == 5 ? "five" : "six", 1);
		add_mmap(&sb, pid, MAIN, 1);
	}
	for (u64 i = 0; i < MANY; i++) {
		u64 t = 1000 + i;

		if (i % 9 < 5)
			add_sample(&sb, 5, t, 10, deep, 3);
		else if (i % 9 < 8)
			add_sample(&sb, 5, t, 20, flat, 2);
		else
			add_sample(&sb, 6, t, 7, again, 3);
	}
	return give_input(state, &sb);
}

static int setup_places(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	add_head(&sb);
	add_comm(&sb, 5, "five", 1);
	add_mmap(&sb, 5, MAIN, 1);
	for (u64 i = 0; i < PLACES * ROUNDS; i++)
		add_sample(&sb, 5, 1000 + i, 10, (const u64[]){ MAIN + i % PLACES }, 1);
	return give_input(state, &sb);
}

/*
 * In a file, where heads of samples are all that is kept: places that are hit twice one shortly
 * after the other. Of every second STRETCH of them the samples that come later in the file are the
 * earlier ones.
 */
enum { STRETCH = 100 };
static int setup_spots(void **state)
{
	struct strbuf sb = STRBUF_INIT, data = STRBUF_INIT;

	for (u32 pid = 5; pid <= 6; pid++) {
		add_comm(&data, pid, pid == 5 ? "five" : "six", 1);
		add_mmap(&data, pid, MAIN, 1);
	}
	for (u64 i = 0; i < PLACES * ROUNDS; i++) {
		u64 stretch = i / (2 * STRETCH), at = i % (2 * STRETCH);
		u64 place = (stretch * STRETCH + at % STRETCH) % PLACES;
		u64 later = (at + (stretch % 2 ? STRETCH : 0)) % (2 * STRETCH);

		add_sample(&data, place % 2 ? 6 : 5, 1000 + stretch * 2 * STRETCH + later,
			   10 + place % 2, (const u64[]){ MAIN + place }, 1);
	}
	add_file_head(&sb, data.len);
	strbuf_add(&sb, data.buf, data.len);
	strbuf_release(&data);
	return give_input(state, &sb);
}

static int teardown(void **state)
{
	struct input *in = *state;

	unlink(in->path);
	free(in);
	return 0;
}

struct run {
	struct session *s;
	struct agg *a;
};

static _Atomic u32 nr_spots;

static u64 take_spots(void *agg, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	u64 done = agg_take_spots(agg, w, v, nr);

	nr_spots += (u32)__builtin_popcountll(done);
	return done;
}

static struct run run_agg(const struct input *in, unsigned int workers, struct agg_config c)
{
	struct session_opts o = { .input = { .path = in->path }, .workers = workers };
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .samples = agg_samples,
					     .round = agg_round };
	struct run r;
	struct err e = ERR_INIT;

	c.socket = -1;
	c.time_quantum = 1;
	assert_int_equal(session_open(&r.s, &o, &e), 0);
	assert_int_equal(agg_new(&r.a, r.s, &c, &e), 0);
	consumer.ctx = r.a;
	agg_set_consumer(r.a, &consumer);
	consumer.spots = consumer.spots ? take_spots : NULL;
	assert_int_equal(session_run(r.s, &consumer, &e), 0);
	agg_finish(r.a);
	assert_int_equal(agg_nr_sections(r.a), 1);
	return r;
}

static void end(struct run *r)
{
	agg_free(r->a);
	session_close(r->s);
}

static struct agg_config by(const char *key, enum agg_value value)
{
	struct agg_config c = { .nr_keys = 1, .nr_sort = 2 };

	c.keys[0] = agg_key_find(key, strlen(key));
	assert_non_null(c.keys[0]);
	c.sort[0] = (struct agg_sort){ .index = (u8)value };
	c.sort[1] = (struct agg_sort){ .is_key = true };
	return c;
}

static const char *text_of(struct run *r, const struct agg_config *c, size_t row,
			   struct strbuf *out)
{
	const struct agg_entry *e = agg_section(r->a, 0)->rows[row];

	strbuf_reset(out);
	c->keys[0]->text(r->a, e, e->words[0], 0, out);
	return out->buf;
}

static void rows_by_comm(void **state)
{
	struct agg_config c = by("comm", AGG_OVERHEAD);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	c.levels = true;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct run r = run_agg(*state, workers, c);
		const struct agg_section *s = agg_section(r.a, 0);

		assert_int_equal(s->nr_rows, 2);
		assert_int_equal(s->nr[0], MANY);
		assert_int_equal(s->period[0], MANY / 9 * (50 + 60 + 7));
		assert_string_equal(text_of(&r, &c, 0, &text), "five");
		assert_int_equal(agg_sums_of(r.a, s->rows[0], 0).nr, MANY / 9 * 8);
		assert_int_equal(agg_sums_of(r.a, s->rows[0], 0).us, MANY / 9 * 110);
		assert_int_equal(agg_sums_of(r.a, s->rows[0], 0).sys, 0);
		assert_string_equal(text_of(&r, &c, 1, &text), "six");
		end(&r);
	}
}

/* What workers give away in between adds up, and the earliest sample is still known. */
static void rows_given_away(void **state)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD);

	c.levels = true;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct run r = run_agg(*state, workers, c);
		const struct agg_section *s = agg_section(r.a, 0);

		assert_int_equal(s->nr_rows, PLACES);
		assert_int_equal(s->nr[0], PLACES * ROUNDS);
		for (size_t i = 0; i < s->nr_rows; i++) {
			const struct agg_entry *e = s->rows[i];
			const struct agg_sums sums = agg_sums_of(r.a, e, 0);
			const struct frame *f = session_frame_get(r.s, (frame_id)e->words[0]);

			assert_int_equal(sums.nr, ROUNDS);
			assert_int_equal(sums.period, ROUNDS * 10);
			assert_int_equal(sums.us, ROUNDS * 10);
			assert_int_equal(e->first_time, 1000 + f->ip - MAIN);
			assert_int_equal(e->level, PERF_RECORD_MISC_USER);
			assert_int_equal(e->code.dso, f->dso);
			assert_int_equal(e->code.state, CODE_UNNAMED);
		}
		end(&r);
	}
}

/* Samples that lie where one lay before add up with the others, and the earliest of all is known.
 */
static void rows_of_spots(void **state)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD);

	c.keys[c.nr_keys++] = agg_key_find("comm", 4);
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct run r;
		const struct agg_section *s;

		nr_spots = 0;
		r = run_agg(*state, workers, c);
		s = agg_section(r.a, 0);
		assert_true(nr_spots > PLACES * ROUNDS / 8);
		assert_true(nr_spots < PLACES * ROUNDS);
		assert_int_equal(s->nr_rows, PLACES);
		assert_int_equal(s->nr[0], PLACES * ROUNDS);
		assert_int_equal(s->shown_nr[0], PLACES * ROUNDS);
		assert_int_equal(s->shown_period[0], PLACES * ROUNDS / 2 * 21);
		for (size_t i = 0; i < s->nr_rows; i++) {
			const struct agg_entry *e = s->rows[i];
			const struct agg_sums sums = agg_sums_of(r.a, e, 0);
			const struct frame *f = session_frame_get(r.s, (frame_id)e->words[0]);
			u64 place = f->ip - MAIN;

			assert_int_equal(sums.nr, ROUNDS);
			assert_int_equal(sums.period, ROUNDS * (10 + place % 2));
			assert_int_equal(e->first_time,
					 1000 + place / STRETCH * 2 * STRETCH + place % STRETCH);
			assert_int_equal(e->code.dso, f->dso);
		}
		end(&r);
	}
	c.levels = true; /* of each sample */
	{
		struct run r;

		nr_spots = 0;
		r = run_agg(*state, 2, c);
		assert_int_equal(nr_spots, 0);
		assert_int_equal(agg_sums_of(r.a, agg_section(r.a, 0)->rows[0], 0).us, ROUNDS * 11);
		end(&r);
	}
}

/* Samples of a stream cannot be read again, so their chains are there before rows are given away.
 */
static void chains_of_rows_given_away(void **state)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD);
	struct calltree_opts o = { .min_percent = 0 };

	c.chains = c.graphs = true;
	c.graph_min = 0.5 / PLACES;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct run r = run_agg(*state, workers, c);
		const struct agg_section *s = agg_section(r.a, 0);

		assert_int_equal(s->nr_rows, PLACES);
		o.total = s->period[0];
		agg_collect_chains(r.a, s->rows, s->nr_rows, 0);
		for (size_t i = 0; i < s->nr_rows; i++) {
			struct view_tree tree = { 0 };
			const struct view_node *n;

			assert_true(agg_calltree(r.a, s->rows[i], &o, &tree));
			n = &tree.nodes.v[0];
			assert_int_equal(n->total, ROUNDS * 10);
			assert_int_equal(n->count, ROUNDS);
			view_tree_release(&tree);
		}
		end(&r);
	}
}

/* ---- chains that wait ---- */

enum { PHASES = 3, OF_PHASE = MANY_OF(60000), OF_ROUND = 1000, PROCESSES = 50, APART = 0x100000 };

/*
 * A file of which each third has a hot place of its own, that is met now and then in the others,
 * too, from two callers; and places that matter nowhere. Each process has the object elsewhere:
 * what is shown as one row is many before.
 */
static int setup_phases(void **state)
{
	struct strbuf sb = STRBUF_INIT, data = STRBUF_INIT;

	for (u32 i = 0; i < PROCESSES; i++) {
		add_comm(&data, 5 + i, "five", 1);
		add_mmap(&data, 5 + i, MAIN + i * APART, 1);
	}
	for (u64 i = 0; i < (u64)PHASES * OF_PHASE; i++) {
		u64 phase = i / OF_PHASE, process = i / 3 % PROCESSES, base = process * APART;
		u64 caller = base + (i % 7 < 3 ? WORK : WORK + 16);
		u64 place = base + LEAF + 16 * (i % 2 ? phase : i % 500 ? 100 + i % 997 : i % 3);

		add_sample(&data, 5 + (u32)process, 1000 + i, 10,
			   (const u64[]){ place, caller + i % 5, base + MAIN }, 3);
		if (i % OF_ROUND == 0)
			add_record(&data, PERF_RECORD_FINISHED_ROUND, 0, NULL, 0);
	}
	add_file_head(&sb, data.len);
	strbuf_add(&sb, data.buf, data.len);
	strbuf_release(&data);
	return give_input(state, &sb);
}

static void add_graph_node(const struct view_tree *t, u32 node, struct strbuf *out)
{
	const struct view_node *n = &t->nodes.v[node];

	strbuf_addf(out, "(%llu %llu", (unsigned long long)n->total, (unsigned long long)n->count);
	for (u32 i = 0; i < n->nr_labels; i++)
		strbuf_addf(out, " %s", t->labels.v[n->labels + i].text);
	for (u32 c = n->child; c; c = t->nodes.v[c].next)
		add_graph_node(t, c, out);
	strbuf_addch(out, ')');
}

/* All call graphs that are shown, as text; to be freed. */
static char *graphs_of(const struct input *in, unsigned int workers, size_t late_max)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD);
	struct calltree_opts o = { .min_percent = 0.5 };
	const struct agg_entry *shown[2 * PHASES];
	struct strbuf text = STRBUF_INIT;
	const struct agg_section *s;
	struct run r;
	size_t nr = 0;

	c.chains = c.graphs = c.caller_first = true;
	c.graph_min = o.min_percent;
	c.late_max = late_max;
	r = run_agg(in, workers, c);
	s = agg_section(r.a, 0);
	o.total = s->period[0];
	while (nr < ARRAY_SIZE(shown) && agg_sums_of(r.a, s->rows[nr], 0).period * 200 >= o.total) {
		shown[nr] = s->rows[nr];
		nr++;
	}
	assert_int_equal(nr, PHASES);
	agg_collect_chains(r.a, shown, nr, 0);
	for (size_t i = 0; i < nr; i++) {
		struct view_tree tree = { 0 };

		assert_true(agg_calltree(r.a, shown[i], &o, &tree));
		add_graph_node(&tree, 0, &text);
		view_tree_release(&tree);
	}
	end(&r);
	return strbuf_detach(&text);
}

/* However few samples may wait for their chains, call graphs are the same. */
static void chains_that_wait(void **state)
{
	_cleanup_(mem_freep) char *all = graphs_of(*state, 1, 0);

	for (unsigned int workers = 1; workers <= 3; workers++)
		for (size_t max = 1; max <= OF_PHASE; max *= 200) {
			_cleanup_(mem_freep) char *few = graphs_of(*state, workers, max);

			assert_string_equal(all, few);
		}
}

/* Recursion counts once; a caller counts what its callees cost. */
static void callers_accumulate(void **state)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD_CHILDREN);

	c.chains = c.children = c.caller_first = true;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct run r = run_agg(*state, workers, c);
		const struct agg_section *s = agg_section(r.a, 0);
		u64 whole = s->period[0], most = 0, sum_self = 0;

		for (size_t i = 0; i < s->nr_rows; i++) {
			struct agg_sums sums = agg_sums_of(r.a, s->rows[i], 0);

			assert_true(sums.acc <= whole);
			assert_true(sums.acc >= sums.period);
			most = MAX(most, sums.acc);
			sum_self += sums.period;
		}
		assert_int_equal(most, whole);
		assert_int_equal(sum_self, whole);
		assert_int_equal(agg_sums_of(r.a, s->rows[0], 0).acc, whole);
		end(&r);
	}
}

static void call_graph(void **state)
{
	struct agg_config c = by("comm", AGG_OVERHEAD);
	struct calltree_opts o = { .min_percent = 0 };
	struct view_tree tree = { 0 };
	const struct view_node *n;
	struct run r;

	c.chains = c.graphs = c.caller_first = true;
	r = run_agg(*state, 2, c);
	o.total = agg_section(r.a, 0)->period[0];
	agg_collect_chains(r.a, agg_section(r.a, 0)->rows, 2, 0);
	assert_true(agg_calltree(r.a, agg_section(r.a, 0)->rows[0], &o, &tree));
	/* main, then the leaf itself (60 of 110) before work and leaf (50) */
	n = &tree.nodes.v[tree.nodes.v[0].child];
	assert_int_equal(n->next, 0);
	assert_int_equal(n->nr_labels, 1);
	assert_int_equal(n->total, MANY / 9 * 110);
	n = &tree.nodes.v[n->child];
	assert_int_equal(n->nr_labels, 1);
	assert_int_equal(n->self, MANY / 9 * 60);
	n = &tree.nodes.v[n->next];
	assert_int_equal(n->nr_labels, 2);
	assert_int_equal(n->total, MANY / 9 * 50);
	assert_int_equal(n->count, MANY / 9 * 5);

	/* 50 of 117 is below a half: gone, but still in the sum above */
	view_tree_reset(&tree);
	o.min_percent = 50;
	assert_true(agg_calltree(r.a, agg_section(r.a, 0)->rows[0], &o, &tree));
	n = &tree.nodes.v[tree.nodes.v[0].child];
	assert_int_equal(n->total, MANY / 9 * 110);
	assert_int_equal(tree.nodes.v[n->child].next, 0);
	view_tree_release(&tree);
	end(&r);
}

/* ---- snapshots ---- */

static struct agg_config by_comm_and_symbol(void)
{
	struct agg_config c = by("comm", AGG_OVERHEAD);

	c.keys[c.nr_keys++] = agg_key_find("symbol", 6);
	c.again = true;
	return c;
}

/* The same accumulation, with a snapshot taken in between. */
struct taking {
	struct agg *a;
	struct snapshot *s;
	u64 nr;
};

static bool take_in_between(void *ctx, struct session_worker *w, unsigned int worker,
			    const struct session_record *r, size_t nr)
{
	struct taking *t = ctx;

	if (t->nr >= MANY / 3 && !t->s)
		t->s = snapshot_take(t->a);
	t->nr += t->s ? 0 : nr;
	return agg_samples(t->a, w, worker, r, nr);
}

static struct agg *rows_of(const struct snapshot *s, struct agg_config c)
{
	struct err e = ERR_INIT;
	struct agg *a;

	assert_int_equal(snapshot_rows(&a, s, &c, &e), 0);
	return a;
}

static void snapshot_while_accumulating(void **state)
{
	const struct input *in = *state;
	struct session_opts o = { .input = { .path = in->path }, .workers = 1 };
	struct agg_config c = by_comm_and_symbol();
	struct taking t = { 0 };
	struct session_consumer consumer = { .samples = take_in_between, .ctx = &t };
	struct err e = ERR_INIT;
	struct session *s;
	struct agg *rows;

	c.socket = -1;
	assert_int_equal(session_open(&s, &o, &e), 0);
	assert_int_equal(agg_new(&t.a, s, &c, &e), 0);
	assert_int_equal(session_run(s, &consumer, &e), 0);
	rows = rows_of(t.s, by("comm", AGG_OVERHEAD));
	assert_int_equal(agg_section(rows, 0)->nr[0], t.nr);
	assert_true(t.nr < MANY);
	assert_int_equal(agg_sums_of(rows, agg_section(rows, 0)->rows[1], 0).nr, t.nr / 9);
	agg_free(rows);
	/* two rows of addresses of one program, one of the other; three chains */
	assert_int_equal(snapshot_size(t.s).rows, 2);
	assert_int_equal(snapshot_size(t.s).pairs, 3);
	snapshot_free(t.s);
	agg_free(t.a);
	session_close(s);
}

/* What samples were accumulated, without the rows. */
static struct run accumulate(const struct input *in, unsigned int workers, struct agg_config c,
			     struct snapshot **out)
{
	struct session_opts o = { .input = { .path = in->path }, .workers = workers };
	struct session_consumer consumer = { .samples = agg_samples };
	struct err e = ERR_INIT;
	struct run r;

	c.socket = -1;
	assert_int_equal(session_open(&r.s, &o, &e), 0);
	assert_int_equal(agg_new(&r.a, r.s, &c, &e), 0);
	consumer.ctx = r.a;
	assert_int_equal(session_run(r.s, &consumer, &e), 0);
	*out = snapshot_take(r.a);
	return r;
}

/* Other keys, another order and callers of what was accumulated once. */
static void snapshot_asked_again(void **state)
{
	struct agg_config by_dso = by("dso", AGG_OVERHEAD), by_cpu = by("cpu", AGG_OVERHEAD);
	struct agg_config callers = by("symbol", AGG_OVERHEAD_CHILDREN);
	struct err e = ERR_INIT;

	callers.chains = callers.children = callers.caller_first = true;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct snapshot *s;
		struct run r = accumulate(*state, workers, by_comm_and_symbol(), &s);
		snapshot_free(s);
		s = snapshot_take_over(r.a); /* as good as the copy */
		struct run whole = run_agg(*state, workers, callers);
		struct agg *again = rows_of(s, callers), *dsos = rows_of(s, by_dso), *none;
		const struct agg_section *x = agg_section(whole.a, 0), *y = agg_section(again, 0);

		assert_int_equal(x->nr_rows, y->nr_rows);
		for (size_t i = 0; i < x->nr_rows; i++) {
			struct agg_sums p = agg_sums_of(whole.a, x->rows[i], 0);
			struct agg_sums q = agg_sums_of(again, y->rows[i], 0);

			assert_memory_equal(&p, &q, sizeof(p));
			assert_int_equal(x->rows[i]->first_time, y->rows[i]->first_time);
		}
		assert_int_equal(agg_section(dsos, 0)->nr_rows, 1);
		assert_int_equal(agg_sums_of(dsos, agg_section(dsos, 0)->rows[0], 0).nr, MANY);
		assert_int_equal(snapshot_rows(&none, s, &by_cpu, &e), -1);
		agg_free(again);
		agg_free(dsos);
		snapshot_free(s);
		end(&r);
		end(&whole);
	}
}

static u64 shown_after(const struct snapshot *s, struct snapshot_condition c, struct session *of,
		       struct agg *rows, u64 ip)
{
	const struct agg_section *section = agg_section(rows, 0);
	struct err e = ERR_INIT;
	struct snapshot *zoomed;
	struct agg *a;
	u64 shown;

	for (size_t i = 0; ip && i < section->nr_rows; i++) {
		u64 word = section->rows[i]->words[0];

		/* (without symbols, callers' rows show other addresses than samples') */
		if (session_frame_get(of, (frame_id)word)->ip == ip && (word >> 32) == c.callers)
			c.word = word;
	}
	assert_int_equal(snapshot_zoom(&zoomed, s, &c, 1, &e), 0);
	a = rows_of(zoomed, by("comm", AGG_OVERHEAD));
	shown = agg_section(a, 0)->shown_nr[0];
	assert_int_equal(agg_section(a, 0)->nr[0], MANY);
	assert_int_equal(agg_sums_of(a, agg_section(a, 0)->rows[0], 0).nr +
				 (agg_section(a, 0)->nr_rows > 1
					  ? agg_sums_of(a, agg_section(a, 0)->rows[1], 0).nr
					  : 0),
			 shown);
	agg_free(a);
	snapshot_free(zoomed);
	return shown;
}

static void snapshot_zooms(void **state)
{
	struct agg_config callers = by("symbol", AGG_OVERHEAD_CHILDREN);
	const struct agg_key *comm = agg_key_find("comm", 4), *symbol = callers.keys[0];
	struct snapshot_condition by_name = { .key = comm, .text = "si", .part = true };
	struct snapshot_condition through = { .key = symbol, .callers = true };
	struct snapshot *s;
	struct run r = accumulate(*state, 2, by_comm_and_symbol(), &s);
	struct agg *rows;

	callers.chains = callers.children = true;
	rows = rows_of(s, callers);
	assert_int_equal(shown_after(s, by_name, r.s, rows, 0), MANY / 9);
	by_name.but = true;
	assert_int_equal(shown_after(s, by_name, r.s, rows, 0), MANY / 9 * 8);
	/* what calls WORK, or is it: 5 of 9 through it, 1 in it */
	assert_int_equal(shown_after(s, through, r.s, rows, WORK), MANY / 9 * 6);
	assert_int_equal(shown_after(s, through, r.s, rows, LEAF), MANY / 9 * 8);
	assert_int_equal(shown_after(s, through, r.s, rows, MAIN), MANY);
	through.callers = false;
	assert_int_equal(shown_after(s, through, r.s, rows, WORK), MANY / 9);
	agg_free(rows);
	snapshot_free(s);
	end(&r);
}

/* Both sides of a row: what it calls, and who calls it. */
static void snapshot_has_callers_and_callees(void **state)
{
	struct agg_config c = by("symbol", AGG_OVERHEAD_CHILDREN);
	struct calltree_opts o = { .min_percent = 0 };
	struct snapshot *s;
	struct run r = accumulate(*state, 2, by_comm_and_symbol(), &s);

	c.chains = c.children = c.graphs = true;
	for (int caller_first = 0; caller_first < 2; caller_first++) {
		const struct agg_section *section;
		size_t nr_nodes = 0;
		struct agg *a;

		c.caller_first = caller_first;
		a = rows_of(s, c);
		section = agg_section(a, 0);
		o.total = section->period[0];
		agg_collect_chains(a, section->rows, section->nr_rows, 0);
		for (size_t i = 0; i < section->nr_rows; i++) {
			const struct frame *f = session_frame_get(
				r.s, (frame_id)section->rows[i]->words[0]);
			struct view_tree tree = { 0 };

			if (f->ip == WORK && section->rows[i]->words[0] >> 32) {
				assert_true(agg_calltree(a, section->rows[i], &o, &tree));
				nr_nodes = tree.nodes.nr;
				assert_int_equal(tree.nodes.v[0].total, MANY / 9 * 57);
			}
			view_tree_release(&tree);
		}
		assert_true(nr_nodes > 1);
		agg_free(a);
	}
	snapshot_free(s);
	end(&r);
}

static void counts_age(void **state)
{
	struct snapshot *s, *old;
	struct run r = accumulate(*state, 3, by_comm_and_symbol(), &old);
	struct agg *a;

	agg_decay(r.a, 7, 8);
	s = snapshot_take(r.a);
	a = rows_of(s, by("comm", AGG_OVERHEAD));
	assert_int_equal(agg_section(a, 0)->nr_rows, 2);
	assert_int_equal(agg_sums_of(a, agg_section(a, 0)->rows[0], 0).period,
			 MANY / 9 * 110 * 7 / 8);
	assert_int_equal(agg_section(a, 0)->period[0], MANY / 9 * 117 * 7 / 8);
	agg_free(a);
	snapshot_free(s);
	a = rows_of(old, by("comm", AGG_OVERHEAD));
	assert_int_equal(agg_section(a, 0)->period[0], MANY / 9 * 117);
	agg_free(a);
	snapshot_free(old);
	for (int i = 0; i < 100; i++)
		agg_decay(r.a, 7, 8);
	s = snapshot_take(r.a);
	assert_int_equal(snapshot_size(s).rows, 0);
	assert_int_equal(snapshot_size(s).pairs, 0);
	snapshot_free(s);
	end(&r);
}

/* Of very many chains some stand for others; sums stay, and so do heavy ones. */
static void chains_are_thinned(void **state)
{
	enum { FIRST = 900, LIGHT = 10, HEAVY = 64 * AGG_AGED_PAIRS, NR = 3 * AGG_AGED_PAIRS };
	struct snapshot *s;
	struct run r = accumulate(*state, 2, by_comm_and_symbol(), &s);
	struct row_chains *chains = &r.a->workers[0].chains;
	struct row_chain rc = { .chain = FIRST, .period = HEAVY, .nr = 1 };
	u64 period = 0, nr_heavy, together; /* light chains that one of them stands for */

	agg_decay(r.a, 1, 1); /* all are with the first worker */
	nr_heavy = chains->pairs.nr + 1;
	for (; rc.chain <= FIRST + NR; rc.chain++, rc.period = LIGHT)
		row_chains_add(chains, &rc, row_chain_hash(0, rc.chain), NULL);
	VEC_FOR(&chains->pairs, p)
		period += p->period;
	together = (period / (AGG_AGED_PAIRS / 2) + LIGHT - 1) / LIGHT;
	agg_decay(r.a, 1, 1);
	assert_int_equal(chains->pairs.nr, nr_heavy + (NR + together - 1) / together);
	VEC_FOR(&chains->pairs, p)
		period -= p->chain == FIRST ? HEAVY : p->period;
	assert_int_equal(period, 0);
	snapshot_free(s);
	end(&r);
}

struct ageing {
	struct agg *a;
	u32 calls;
};

static bool age_now_and_then(void *ctx, struct session_worker *w, unsigned int worker,
			     const struct session_record *r, size_t nr)
{
	struct ageing *t = ctx;

	if (++t->calls % 1024 == 0)
		agg_decay(t->a, 1, 1);
	return agg_samples(t->a, w, worker, r, nr);
}

/* More rows than a worker keeps for itself go on after they have aged, too. */
static void many_rows_age(void **state)
{
	const struct input *in = *state;
	struct session_opts o = { .input = { .path = in->path }, .workers = 1 };
	struct agg_config c = by("symbol", AGG_OVERHEAD);
	struct session_consumer consumer = { .samples = age_now_and_then };
	struct ageing t = { 0 };
	struct err e = ERR_INIT;
	struct session *s;
	struct agg *rows;
	struct snapshot *snapshot;

	c.socket = -1;
	assert_int_equal(session_open(&s, &o, &e), 0);
	assert_int_equal(agg_new(&t.a, s, &c, &e), 0);
	consumer.ctx = &t;
	assert_int_equal(session_run(s, &consumer, &e), 0);
	assert_true(t.calls > 2048);
	snapshot = snapshot_take(t.a);
	assert_int_equal(snapshot_size(snapshot).rows, PLACES);
	rows = rows_of(snapshot, c);
	assert_int_equal(agg_section(rows, 0)->nr[0], PLACES * ROUNDS);
	assert_int_equal(agg_section(rows, 0)->nr_rows, PLACES);
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(agg_sums_of(rows, agg_section(rows, 0)->rows[i], 0).nr, ROUNDS);
	agg_free(rows);
	snapshot_free(snapshot);
	agg_free(t.a);
	session_close(s);
}

static void rows_of_two_recordings(void **state)
{
	struct snapshot *s[2];
	struct run r[2] = { accumulate(*state, 1, by_comm_and_symbol(), &s[0]),
			    accumulate(*state, 2, by_comm_and_symbol(), &s[1]) };
	struct snapshot_condition six = { .key = agg_key_find("comm", 4), .text = "six" };
	struct agg_config c = by("comm", AGG_OVERHEAD);
	struct join_input in[2];
	struct snapshot *part;
	struct err e = ERR_INIT;
	struct joined j;

	assert_int_equal(snapshot_zoom(&part, s[0], &six, 1, &e), 0);
	in[0].a = rows_of(part, c);
	in[1].a = rows_of(s[1], c);
	for (size_t i = 0; i < 2; i++)
		in[i].section = agg_section(in[i].a, 0);
	row_join(&j, in, 2);
	assert_int_equal(j.nr, 2);
	for (u32 n = 0; n < 2; n++)
		assert_int_equal(j.rows[0].from[n + 1], j.rows[0].from[n] + 1);
	assert_int_equal(agg_sums_of(in[0].a, j.entries[0], 0).nr, MANY / 9);
	assert_int_equal(agg_sums_of(in[1].a, j.entries[1], 0).nr, MANY / 9);
	assert_string_equal(j.rows[0].name, "six\n");
	assert_int_equal(j.rows[1].from[1], j.rows[1].from[0]);
	assert_int_equal(agg_sums_of(in[1].a, j.entries[2], 0).nr, MANY / 9 * 8);
	joined_release(&j);
	snapshot_free(part);
	for (size_t i = 0; i < 2; i++) {
		agg_free(in[i].a);
		snapshot_free(s[i]);
		end(&r[i]);
	}
}

/* ---- without end ---- */

/* A stream that is read as if it went on for days. */
struct endless {
	struct source source;
	struct source_ops ops;
	struct source *stream;
};

enum { PIECE = 1 << 17 }; /* what is told of some lives */

static int read_endless(struct source *s, void *buf, size_t size, bool fronts,
			struct perfdata_chunk *c, struct err *e)
{
	return source_read(((struct endless *)s)->stream, buf, MIN(size, (size_t)PIECE), fronts, c,
			   e);
}

static void close_endless(struct source *s)
{
	source_close(((struct endless *)s)->stream);
	free(s);
}

static struct source *endless(const char *path)
{
	const struct perfdata_opts o = { .path = path };
	struct endless *x = XNEW(struct endless);
	struct err e = ERR_INIT;

	assert_int_equal(source_open(&x->stream, &o, &e), 0);
	x->ops = *x->stream->ops;
	x->ops.read = read_endless;
	x->ops.close = close_endless;
	x->ops.endless = true;
	x->source = (struct source){ .ops = &x->ops, .tables = x->stream->tables };
	return &x->source;
}

enum { LIVES = 300, SAMPLES_OF_LIFE = 50 };

static void add_exit(struct strbuf *sb, u32 pid, u64 time)
{
	struct {
		u32 pid, ppid, tid, ptid;
		u64 time;
		u32 id_pid, id_tid;
		u64 id_time;
	} body = {
		.pid = pid, .tid = pid, .time = time, .id_pid = pid, .id_tid = pid, .id_time = time
	};

	add_record(sb, PERF_RECORD_EXIT, 0, &body, sizeof(body));
}

/* One process after the other, each with a name of its own, beside one that stays. */
static int setup_lives(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char name[16];

	add_head(&sb);
	add_comm(&sb, 5, "five", 1);
	add_mmap(&sb, 5, MAIN, 1);
	for (u32 i = 0; i < LIVES; i++) {
		u64 t = 1000 * (i + 1ULL);

		snprintf(name, sizeof(name), "life-%u", i);
		add_comm(&sb, 100 + i, name, t);
		add_mmap(&sb, 100 + i, MAIN, t);
		for (u32 k = 1; k <= SAMPLES_OF_LIFE; k++) {
			add_sample(&sb, 100 + i, t + 2 * k, 10,
				   (const u64[]){ LEAF + i % 64 * 16, WORK + i, MAIN }, 3);
			add_sample(&sb, 5, t + 2 * k + 1, 20, (const u64[]){ LEAF, MAIN }, 2);
		}
		if (!i) /* one sample that weighs much */
			add_sample(&sb, 5, t + 2 * SAMPLES_OF_LIFE + 2, 1 << 30,
				   (const u64[]){ MAIN }, 1);
		add_exit(&sb, 100 + i, t + 500);
		add_record(&sb, PERF_RECORD_FINISHED_ROUND, 0, NULL, 0);
	}
	return give_input(state, &sb);
}

struct top {
	struct run run;
	struct snapshot *kept; /* of the first round with samples, as long as the session lasts */
	bool decay;
	u32 most_rows, most_pairs, rounds;
};

static bool top_samples(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r, size_t nr)
{
	return agg_samples(((struct top *)ctx)->run.a, w, worker, r, nr);
}

/* Every chain ends at some node, also when there is nothing left of its samples but a weight. */
static void check_graphs(const struct snapshot *s)
{
	struct agg_config c = by("comm", AGG_OVERHEAD);
	struct calltree_opts o = { .min_percent = 0 };
	const struct agg_section *v;
	struct agg *a;

	c.chains = c.graphs = c.caller_first = true;
	a = rows_of(s, c);
	v = agg_section(a, 0);
	o.total = v->period[0];
	agg_collect_chains(a, v->rows, v->nr_rows, 0);
	for (size_t i = 0; i < v->nr_rows; i++) {
		struct view_tree tree = { 0 };
		u64 ends = 0;

		assert_true(agg_calltree(a, v->rows[i], &o, &tree));
		VEC_FOR(&tree.nodes, n)
			ends += n->self;
		assert_int_equal(tree.nodes.v[0].total, ends);
		view_tree_release(&tree);
	}
	agg_free(a);
}

static bool top_round(void *ctx, const struct session_round *r UNUSED)
{
	struct top *t = ctx;
	struct snapshot *s = snapshot_take(t->run.a);
	struct agg *rows = rows_of(s, by("comm", AGG_OVERHEAD));

	assert_true(!snapshot_size(s).rows == !agg_section(rows, 0)->nr_rows);
	t->most_rows = MAX(t->most_rows, snapshot_size(s).rows);
	t->most_pairs = MAX(t->most_pairs, snapshot_size(s).pairs);
	t->rounds++;
	check_graphs(s);
	agg_free(rows);
	if (!t->kept && snapshot_size(s).rows)
		t->kept = s;
	else
		snapshot_free(s);
	if (t->decay)
		agg_decay(t->run.a, 1, 4);
	return true;
}

static void top_renew(void *ctx, struct session_renewal *r)
{
	struct top *t = ctx;

	agg_renew(t->run.a, r, &t->kept, t->kept != NULL);
}

static struct top run_top(const struct input *in, unsigned int workers, bool decay)
{
	struct session_opts o = { .workers = workers,
				  .renew_slack = 1,
				  .source = endless(in->path) };
	struct agg_config c = by_comm_and_symbol();
	struct top t = { .decay = decay };
	struct session_consumer consumer = {
		.samples = top_samples, .round = top_round, .renew = top_renew, .ctx = &t
	};
	struct err e = ERR_INIT;

	c.keys[c.nr_keys++] = agg_key_find("tid", 3);
	c.socket = -1;
	assert_int_equal(session_open(&t.run.s, &o, &e), 0);
	assert_int_equal(agg_new(&t.run.a, t.run.s, &c, &e), 0);
	assert_int_equal(session_run(t.run.s, &consumer, &e), 0);
	assert_true(session_stats(t.run.s)->renewals > 3);
	return t;
}

static u64 samples_of(struct agg *a, const char *comm)
{
	const struct agg_section *s = agg_section(a, 0);
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	u64 nr = 0;

	for (size_t i = 0; i < s->nr_rows; i++) {
		strbuf_reset(&text);
		agg_add_name(a, 0, s->rows[i], &text);
		if (!strcmp(text.buf, comm))
			nr += agg_sums_of(a, s->rows[i], 0).nr;
	}
	return nr;
}

/* However often what is not needed is forgotten, sums are those of a reader that forgets nothing.
 */
static void numbers_change(void **state)
{
	struct agg_config callers = by("symbol", AGG_OVERHEAD_CHILDREN);

	callers.chains = callers.children = callers.caller_first = true;
	for (unsigned int workers = 1; workers <= 3; workers++) {
		struct top t = run_top(*state, workers, false);
		struct run whole = run_agg(*state, workers, callers);
		struct snapshot *s = snapshot_take(t.run.a);
		struct agg *comms = rows_of(s, by("comm", AGG_OVERHEAD));
		struct agg *tids = rows_of(s, by("tid", AGG_OVERHEAD));
		struct agg *again = rows_of(s, callers);
		struct agg *kept = rows_of(t.kept, by("comm", AGG_OVERHEAD));
		const struct agg_section *x = agg_section(whole.a, 0), *y = agg_section(again, 0);

		assert_int_equal(agg_section(comms, 0)->nr_rows, LIVES + 1);
		assert_int_equal(samples_of(comms, "five"), LIVES * SAMPLES_OF_LIFE + 1);
		assert_int_equal(samples_of(comms, "life-7"), SAMPLES_OF_LIFE);
		assert_true(agg_section(tids, 0)->nr_rows < LIVES / 2);
		assert_int_equal(samples_of(kept, "life-0"), SAMPLES_OF_LIFE);
		assert_true(samples_of(kept, "five") > SAMPLES_OF_LIFE);
		assert_int_equal(x->nr_rows, y->nr_rows);
		for (size_t i = 0; i < x->nr_rows; i++) {
			struct agg_sums p = agg_sums_of(whole.a, x->rows[i], 0);
			struct agg_sums q = agg_sums_of(again, y->rows[i], 0);

			assert_memory_equal(&p, &q, sizeof(p));
			assert_int_equal(x->rows[i]->first_time, y->rows[i]->first_time);
		}
		agg_free(kept);
		agg_free(again);
		agg_free(tids);
		agg_free(comms);
		snapshot_free(s);
		snapshot_free(t.kept);
		end(&whole);
		end(&t.run);
	}
}

/* What ages and is renewed takes as much memory as what still counts. */
static void memory_is_flat(void **state)
{
	struct top t = run_top(*state, 2, true);

	assert_true(t.rounds > LIVES / 16);
	assert_true(t.most_rows < LIVES / 2 && t.most_pairs < LIVES / 2);
	snapshot_free(t.kept);
	end(&t.run);
}

static void filters_hide_rows(void **state)
{
	struct agg_config c = by("comm", AGG_OVERHEAD);
	struct run r;

	c.comms = "six,none";
	r = run_agg(*state, 2, c);
	assert_int_equal(agg_section(r.a, 0)->nr_rows, 1);
	assert_int_equal(agg_section(r.a, 0)->nr[0], MANY);
	assert_int_equal(agg_section(r.a, 0)->shown_nr[0], MANY / 9);
	end(&r);
}

static void key_names(void **state)
{
	(void)state;
	assert_ptr_equal(agg_key_find("sym", 3), agg_key_find("symbol", 6));
	assert_string_equal(agg_key_find("dso", 3)->name, "dso");
	assert_string_equal(agg_key_find("dso_s", 5)->name, "dso_size");
	assert_true(!agg_key_find("nonsense", 8) && !agg_key_find("", 0));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rows_by_comm),
		TEST(callers_accumulate),
		TEST(call_graph),
		TEST(filters_hide_rows),
		TEST(snapshot_while_accumulating),
		TEST(snapshot_asked_again),
		TEST(snapshot_zooms),
		TEST(snapshot_has_callers_and_callees),
		TEST(counts_age),
		TEST(chains_are_thinned),
		TEST(rows_of_two_recordings),
		cmocka_unit_test(key_names),
		cmocka_unit_test_setup_teardown(rows_given_away, setup_places, teardown),
		cmocka_unit_test_setup_teardown(chains_that_wait, setup_phases, teardown),
		cmocka_unit_test_setup_teardown(many_rows_age, setup_places, teardown),
		cmocka_unit_test_setup_teardown(numbers_change, setup_lives, teardown),
		cmocka_unit_test_setup_teardown(memory_is_flat, setup_lives, teardown),
		cmocka_unit_test_setup_teardown(rows_of_spots, setup_spots, teardown),
		cmocka_unit_test_setup_teardown(chains_of_rows_given_away, setup_places, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
