/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is packed into blocks of heads comes out again, and blocks come back to those who wait for
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/par.h"
#include "session/heads.h"

struct head {
	u64 thread, time;
	u32 cpu, unit;
	u16 event;
	struct sample_head h;
};

/* The i-th of samples that share threads and CPUs, jump in time and in the file, and have extreme
 * values. */
static struct head head_of(u32 i)
{
	struct head h = { .thread = i / 7 % 3 ? (u64)-1 : i / 1000,
			  .time = 5000000000ULL + i,
			  .cpu = i / 50 % 4,
			  .unit = i * 9,
			  .event = i % 5 ? (u16)(i % 5) : HEAD_EVENTS - 1,
			  .h = { .ip = 0xffffffff81000000ULL * (i % 3) + i,
				 .period = i % 2 ? UINT32_MAX : 0,
				 .misc = i % 4 ? HEAD_MISC : 0 } };

	if (i % 11 == 0)
		h.time -= 4000000000ULL;
	if (i % 501 == 0)
		h.time += 1ULL << 33;
	if (i > 1500)
		h.unit += 1 << 20;
	h.h.cpu = h.cpu;
	return h;
}

static bool put(struct head_writer *w, const struct head *h)
{
	if (!head_writer_fits(w, h->thread, h->cpu, h->time, h->unit) &&
	    !head_writer_start_run(w, h->thread, h->cpu, h->time, h->unit))
		return false;
	head_writer_add(w, &h->h, h->time, h->unit, (u16)(h->event << HEAD_EVENT_SHIFT));
	return true;
}

/* Returns the number of the first sample behind the block. */
static u32 check(struct head_block *b, u32 from)
{
	const struct kept_head *k = head_block_samples(b);
	u64 first = UINT64_MAX, last = 0;
	u32 i = from;

	for (u32 r = 0; r < b->nr_runs; r++) {
		const struct head_run *run = head_block_run(b, r);

		assert_true(run->nr > 0);
		for (u32 n = 0; n < run->nr; n++, k++, i++) {
			struct head h = head_of(i);

			assert_int_equal(run->thread, h.thread);
			assert_int_equal(run->cpu, h.cpu);
			assert_int_equal(run->time + k->time, h.time);
			assert_int_equal(run->unit + k->unit, h.unit);
			assert_int_equal(kept_head_ip(k), h.h.ip);
			assert_int_equal(k->period, h.h.period);
			assert_int_equal(kept_head_misc(k), h.h.misc);
			assert_int_equal(kept_head_event(k), h.event);
			first = MIN(first, h.time);
			last = MAX(last, h.time);
		}
	}
	assert_int_equal(i - from, b->nr);
	assert_int_equal(b->first, first);
	assert_int_equal(b->last, last);
	return i;
}

static void packed(void **state UNUSED)
{
	enum { NR = 20000 };
	struct head_block *blocks[200];
	struct head_writer w = { 0 };
	struct head_pool p;
	size_t nr = 0;
	u32 at = 0;

	head_pool_init(&p, ARRAY_SIZE(blocks));
	assert_false(head_writer_start_run(&w, 1, 1, 1, 1)); /* no block yet */
	for (u32 i = 0; i < NR; i++) {
		struct head h = head_of(i);

		if (put(&w, &h))
			continue;
		head_writer_close(&w);
		assert_true(nr < ARRAY_SIZE(blocks));
		blocks[nr] = head_pool_take(&p);
		head_writer_open(&w, blocks[nr++]);
		assert_true(put(&w, &h));
	}
	head_writer_close(&w);
	for (size_t i = 0; i < nr; i++)
		at = check(blocks[i], at);
	assert_int_equal(at, NR);
	head_pool_release(&p);
}

/* A run that is long has nearly all of the block for its samples. */
static void dense(void **state UNUSED)
{
	struct head h = { .thread = 1, .time = 1 };
	struct head_writer w;
	struct head_pool p;
	struct head_block *b;

	head_pool_init(&p, 1);
	b = head_pool_take(&p);
	head_writer_open(&w, b);
	for (; put(&w, &h); h.time++)
		;
	head_writer_close(&w);
	assert_int_equal(b->nr_runs, 1);
	assert_int_equal(b->nr,
			 (sizeof(b->bytes) - sizeof(struct head_run)) / sizeof(struct kept_head));
	assert_int_equal(b->last, b->nr);
	head_pool_release(&p);
}

struct bringing {
	struct head_pool *p;
	struct head_block *b;
};

static void bring(void *ctx)
{
	struct bringing *g = ctx;

	head_pool_return(g->p, g->b);
}

/* With all blocks in use, one comes when one that is due is returned; if none is due, none comes.
 */
static void pool(void **state UNUSED)
{
	struct bringing g;
	struct head_pool p;
	struct par_task *t;

	head_pool_init(&p, 2);
	g = (struct bringing){ &p, head_pool_take(&p) };
	assert_non_null(head_pool_take(&p));
	assert_null(head_pool_take(&p));
	head_pool_expect(&p, 1);
	t = par_task_start(bring, &g);
	assert_ptr_equal(head_pool_take(&p), g.b);
	par_task_wait(t);
	assert_null(head_pool_take(&p));
	head_pool_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed),
		cmocka_unit_test(dense),
		cmocka_unit_test(pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
