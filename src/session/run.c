/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the loop over batches. While workers have one batch, a task reads and indexes the next.
 */
#include "session/run.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "perfdata/info.h"
#include "perfdata/record.h"

enum { SLICE = 2048, SLICE_OF_STACKS = 256 };

/* pid << 32 | tid of a sample; false when it does not say. */
static bool thread_key(const struct run *r, const struct batch *b, const struct rec_index *i,
		       u64 *key)
{
	const struct perf_event_header *h;
	const struct perfdata_event *ev;
	u32 id[2];

	if (!i->kept) {
		*key = i->member == MEMBERS_MAX ? 0 : b->threads.v[i->member];
		return i->member != MEMBERS_MAX;
	}
	h = batch_record(b, i);
	ev = r->batcher.layout ? perfdata_event(r->s->file, 0) : perfdata_event_of(r->s->file, h);
	if (!ev || !ev->layout.tid || h->size < ev->layout.fixed_end)
		return false;
	memcpy(id, (const u8 *)h + ev->layout.tid, sizeof(id));
	*key = (u64)id[0] << 32 | id[1];
	return true;
}

static void touch_thread(struct run *r, u64 key, u64 time)
{
	u64 *slot = &r->touched[hash_u64(key + 1) % TOUCH_SLOTS];

	/* a task that is gone has pid and tid -1: its key + 1 is 0, which is an empty slot */
	if (key + 1 && *slot == key + 1)
		return;
	*slot = key + 1;
	if (!model_thread_at(r->s->model, (u32)(key >> 32), (u32)key, time))
		model_touch_thread(r->s->model, (u32)(key >> 32), (u32)key);
}

static void touch_threads_of_heads(struct run *r, const struct due_heads *d)
{
	const struct kept_head *k = head_block_samples(d->block);

	for (u32 i = 0; i < d->block->nr_runs; i++) {
		const struct head_run *run = head_block_run(d->block, i);
		u32 at = 0;

		while (at < run->nr && !due_heads_have(d, run->time + k[at].time))
			at++;
		if (at < run->nr)
			touch_thread(r, run->thread, run->time + k[at].time);
		k += run->nr;
	}
}

/* Make the model know every thread that has a sample, before workers ask. */
static void touch_threads(struct run *r, const struct batch *b)
{
	r->seen.nr = 0;
	VEC_GROW(&r->seen, b->threads.nr + 1);
	memset(r->seen.v, 0, b->threads.nr + 1);
	VEC_FOR(&b->due, i) {
		u64 key;

		/* the consumer took what it wants of the sample when that was read */
		if (batch_is_extract(i))
			continue;
		if (!i->kept && i->member < b->threads.nr) {
			if (r->seen.v[i->member])
				continue;
			r->seen.v[i->member] = true;
		}
		if (batch_is_sample(b, i) && thread_key(r, b, i, &key))
			touch_thread(r, key, i->time);
	}
	VEC_FOR(&b->heads, d)
		touch_threads_of_heads(r, d);
}

static void run_others(struct run *r, const struct batch *b)
{
	if (!r->c->other)
		return;
	VEC_FOR(&b->side, i) {
		struct session_record rec;
		struct sample smp;

		if (r->stop ||
		    !run_prepare(r, &r->s->workers[0], batch_record(b, i), i, &rec, &smp))
			continue;
		if (!r->c->other(r->c->ctx, &rec))
			r->stop = true;
	}
}

static bool has_monotonic_times(const struct perfdata *f)
{
	const struct perf_event_attr *attr = perfdata_nr_events(f) ? &perfdata_event(f, 0)->attr
								   : NULL;

	return attr && attr->use_clockid && attr->clockid == CLOCK_MONOTONIC;
}

static void count_running(struct run *r, const struct batch *b)
{
	parallelism_begin(&r->parallelism, perfdata_info(r->s->file)->cpus_avail, b->timeless);
	VEC_FOR(&b->side, i)
		parallelism_note(&r->parallelism, batch_record(b, i), i->time, batch_pos(b, i));
}

/*
 * The kernel takes some 20 ms to list its symbols. Meanwhile workers take the samples of the first
 * batch that do not need them.
 */
static bool can_wait_for_kernel(const struct run *r)
{
	const struct session *s = r->s;

	return r->number == 1 && r->c->kernel_symbols && s->nr_workers > 1 &&
	       dso_table_kernel(s->dsos) && !s->source->ops->by_round &&
	       filter_is_empty(&s->filter) && !resolver_needs_order(s->resolver);
}

static void run_pass(struct run *r, struct batch *b, const struct index_vec *due)
{
	if (!r->stop)
		par_for(r->s->par, b->heads.nr, 1, run_heads_slice, r);
	r->due = due->v;
	if (!r->stop)
		par_for(r->s->par, due->nr, r->batcher.fronts ? SLICE_OF_STACKS : SLICE,
			run_sample_slice, r);
}

static void run_unordered(struct run *r, struct batch *b)
{
	struct index_vec put_off = { 0 };

	r->pass = can_wait_for_kernel(r) ? PASS_USER : PASS_ALL;
	run_pass(r, b, &b->due);
	if (r->pass == PASS_ALL)
		return;
	for (unsigned int i = 0; i < r->s->nr_workers; i++) {
		struct session_worker *w = &r->s->workers[i];

		VEC_FOR(&w->put_off, p)
			*VEC_PUSH(&put_off) = *p;
		vec_free(&w->put_off);
	}
	r->pass = PASS_KERNEL;
	run_pass(r, b, &put_off);
	vec_free(&put_off);
	par_task_wait(r->kernel_task);
	r->kernel_task = NULL;
}

static void note_malformed(struct perfdata_malformed *m, const struct perf_event_header *h, u64 pos)
{
	if (!m->nr++ || pos < m->pos) {
		m->first = *h;
		m->pos = pos;
	}
}

/* What the batch tells of tasks and mappings becomes part of the model. */
static void apply(struct run *r, struct batch *b)
{
	struct session *s = r->s;

	VEC_FOR(&b->side, i) {
		const struct perf_event_header *h = batch_record(b, i);

		if (record_is_sideband(h->type) && !model_apply(s->model, h, i->time))
			note_malformed(&r->malformed, h, batch_pos(b, i));
		deferred_add(&s->deferred, s->file, h);
	}
	model_advance(s->model, b->last ? UINT64_MAX : b->limit);
	touch_threads(r, b);
}

static void run_batch(struct run *r, struct batch *b)
{
	struct session *s = r->s;

	r->now = b;
	r->number++;
	if (s->source->ops->tells_late)
		session_learn(s);
	if (s->source->ops->endless)
		run_renew_begin(r);
	if (r->number == 1)
		model_set_jit_times(s->model, has_monotonic_times(s->file));
	if (!r->second)
		apply(r, b);
	if (r->c->parallelism)
		count_running(r, b);
	if (r->batcher.sorted)
		counters_expand(&r->counters, s->file, b);
	model_freeze(s->model);
	resolver_prepare(s->resolver);
	if (s->opts.unwind)
		stacks_prepare(&s->stacks, perfdata_info(s->file)->arch);
	s->stacks.some_unwound = perfdata_info(s->file)->stacks.stacks != 0;
	for (unsigned int i = 0; i < s->nr_workers; i++)
		worker_begin(&s->workers[i], r->number);
	if (r->c->order == SESSION_ORDERED) {
		run_ordered(r, b);
		return;
	}
	if (r->c->all_records)
		run_others(r, b);
	if (!r->c->sample && !r->c->samples)
		return;
	run_unordered(r, b);
}

static void end_round(struct run *r, const struct batch *b)
{
	const struct session_round round = { .number = r->number,
					     .until = b->last ? UINT64_MAX : b->limit,
					     .last = b->last };

	if (!r->stop && r->c->round && !r->c->round(r->c->ctx, &round))
		r->stop = true;
}

/* Works on a batch; ahead: reads the next one at the same time. */
static void run_and_read(struct run *r, struct batch *b, struct reader *rd, bool ahead)
{
	bool aside = ahead && (r->c->order != SESSION_ORDERED || r->c->serial);

	rd->begun = false;
	r->reader = NULL;
	/* ordered workers never wait for each other, so one of them can read meanwhile */
	if (aside)
		par_aside(r->s->par, reader_next, rd);
	else if (ahead)
		r->reader = rd;
	run_batch(r, b);
	batch_return_heads(&r->batcher, b); /* if the consumer stopped before them */
	par_aside_wait(r->s->par);
	end_round(r, b);
	if (!r->stop && r->s->source->ops->endless)
		run_renew(r, b);
	if (!aside && !b->last && !r->stop && !rd->begun)
		reader_next(rd);
}

static int run_batches(struct run *r, struct err *e)
{
	struct session *s = r->s;
	struct reader rd = { .batcher = &r->batcher, .out = &r->batches[0] };
	bool ahead = !s->source->ops->by_round && s->nr_workers > 1;
	int cur = 0;

	reader_next(&rd);
	while (rd.got > 0 && !r->stop) {
		struct batch *now = &r->batches[cur];

		rd.prev = now;
		rd.out = &r->batches[!cur];
		run_and_read(r, now, &rd, ahead && !now->last);
		if (s->opts.progress && !r->second)
			s->opts.progress(s->opts.progress_ctx, r->batcher.bytes,
					 perfdata_data_size(s->file));
		if (now->last)
			break;
		cur = !cur;
	}
	if (rd.got >= 0)
		return 0;
	if (e)
		*e = rd.err;
	return -1;
}

static void count_stacks(struct session *s, struct session_worker *w)
{
	for (int end = 0; end < UNWIND_NR_ENDS; end++) {
		s->stats.stacks += w->unwound[end];
		if (end == UNWIND_TRUNCATED)
			s->stats.stacks_truncated += w->unwound[end];
		else if (end == UNWIND_GUESSED)
			s->stats.stacks_guessed += w->unwound[end];
		else if (end != UNWIND_COMPLETE && end != UNWIND_FULL)
			s->stats.stacks_incomplete += w->unwound[end];
		if (end == UNWIND_ABSENT)
			s->stats.stacks_absent += w->unwound[end];
		w->unwound[end] = 0;
	}
}

static int run(struct session *s, const struct session_consumer *c, bool second, struct err *e)
{
	struct run r = { .s = s, .c = c, .second = second };
	int ret;

	if (second)
		r.malformed = s->malformed;
	batcher_init(&r.batcher, s->source, &s->stats, c);
	if (!filter_is_empty(&s->filter) && !s->opts.tell_left_out)
		r.batcher.extracting = NULL;
	r.touched = XNEW_ARRAY(u64, TOUCH_SLOTS);
	if (c->order == SESSION_ORDERED)
		r.line = text_line_new(s->nr_workers);
	parallelism_init(&r.parallelism);
	for (unsigned int i = 0; i < s->nr_workers; i++)
		s->workers[i].parallelism = c->parallelism ? &r.parallelism : NULL;
	s->had_heads = r.batcher.heads != NULL;
	s->running = true;
	ret = run_batches(&r, e);
	s->running = false;
	perfdata_add_malformed(s->file, &r.malformed);
	s->malformed = r.malformed;
	for (unsigned int i = 0; i < s->nr_workers; i++) {
		s->stats.bad_samples += s->workers[i].bad_samples;
		if (s->workers[i].bad_size &&
		    (!s->stats.bad_size || s->workers[i].bad_pos < s->stats.bad_pos)) {
			s->stats.bad_pos = s->workers[i].bad_pos;
			s->stats.bad_size = s->workers[i].bad_size;
		}
		s->stats.unknown_id += s->workers[i].unknown_id;
		count_stacks(s, &s->workers[i]);
		s->stats.deferred += s->workers[i].deferred;
		s->stats.deferred_missing += s->workers[i].deferred_missing;
		s->workers[i].parallelism = NULL;
		worker_forget(&s->workers[i]);
	}
	resolver_forget(s->resolver);
	parallelism_release(&r.parallelism);
	text_line_free(r.line);
	free(r.touched);
	vec_free(&r.seen);
	counters_release(&r.counters);
	batcher_release(&r.batcher);
	batch_release(&r.batches[0]);
	batch_release(&r.batches[1]);
	return ret;
}

int session_run(struct session *s, const struct session_consumer *c, struct err *e)
{
	if (deferred_read(&s->deferred, s->source, e) < 0)
		return -1;
	return run(s, c, false, e);
}

int session_run_again(struct session *s, const struct session_consumer *c, struct err *e)
{
	const struct session_stats first = s->stats;
	int ret;

	if (!s->source->ops->rewind)
		return err_set(e, ENOTSUP, "a stream cannot be read twice");
	s->source->ops->rewind(s->source);
	ret = run(s, c, true, e);
	s->stats = first;
	return ret;
}

/* The next sample of the lists in the order of the file; false: there is none. */
static bool take_again(struct session_again_list *lists, size_t nr, struct session_again *out)
{
	struct session_again_list *first = NULL;

	for (size_t i = 0; i < nr; i++)
		if (lists[i].nr && (!first || lists[i].v->unit < first->v->unit))
			first = &lists[i];
	if (!first)
		return false;
	*out = *first->v++;
	first->nr--;
	return true;
}

/* Counts the stacks that were read again: in the first reading they were not, where heads were
 * enough. */
static void count_again(struct session *s)
{
	struct session_stats *st = &s->stats;

	if (s->had_heads && !st->stacks_chosen)
		st->stacks = st->stacks_truncated = st->stacks_incomplete = st->stacks_absent = 0;
	st->stacks_chosen = s->had_heads;
	for (unsigned int i = 0; i < s->nr_workers; i++)
		if (s->had_heads)
			count_stacks(s, &s->workers[i]);
}

void session_read_again(struct session *s, const struct session_consumer *c,
			enum session_again_of of, const struct session_again_list *lists, size_t nr)
{
	enum { PART = 1 << 16 };
	struct session_again_list *left = XNEW_ARRAY(struct session_again_list, nr);
	struct batch b = { 0 };
	struct run r = { .s = s, .c = c, .now = &b, .number = 1, .again = true };
	struct session_again v;
	bool between = s->running; /* rounds of session_run() */

	if (nr)
		memcpy(left, lists, nr * sizeof(*left));
	s->running = true;
	for (unsigned int i = 0; i < s->nr_workers; i++) {
		if (between && of == AGAIN_OF_ROUND)
			continue;
		if (between) /* the caches may hold a later state of a thread than the samples */
			worker_renew(&s->workers[i], s->resolver);
		else
			worker_begin(&s->workers[i], r.number);
	}
	do {
		b.due.nr = 0;
		while (b.due.nr < PART && take_again(left, nr, &v))
			*VEC_PUSH(&b.due) = (struct rec_index){ .time = v.tag,
								.at = (u64)v.unit * SESSION_UNIT };
		r.due = b.due.v;
		resolver_prepare(s->resolver);
		par_for(s->par, b.due.nr, SLICE_OF_STACKS, run_sample_slice, &r);
	} while (b.due.nr == PART && !r.stop);
	s->running = between;
	count_again(s);
	for (unsigned int i = 0; i < s->nr_workers; i++) {
		if (!between)
			worker_forget(&s->workers[i]);
		else if (of == AGAIN_OF_ANY)
			worker_renew(&s->workers[i], s->resolver);
	}
	if (!between)
		resolver_forget(s->resolver);
	batch_release(&b);
	free(left);
}
