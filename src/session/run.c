/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: the loop over batches. While workers have one batch, a task reads and indexes the next.
 */
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "session/private.h"

enum { SLICE = 2048, SLICE_OF_STACKS = 256 };

static const struct perfdata_event *event_of(const struct session *s,
					     const struct perf_event_header *h)
{
	if (h->type >= PERF_RECORD_USER_TYPE_START)
		return NULL;
	return perfdata_event_of(s->file, h);
}

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
	ev = r->batcher.layout ? perfdata_event(r->s->file, 0) : event_of(r->s, h);
	if (!ev || !ev->layout.tid || h->size < ev->layout.fixed_end)
		return false;
	memcpy(id, (const u8 *)h + ev->layout.tid, sizeof(id));
	*key = (u64)id[0] << 32 | id[1];
	return true;
}

static void touch_thread(struct run *r, u64 key, u64 time)
{
	u64 *slot = &r->touched[hash_u64(key + 1) % TOUCH_SLOTS];

	/* + 1 is 0 where both are -1, as a task that is gone has them */
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

		/* what is wanted of it is taken already */
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

/* pid and tid in the body or trailer of a record that is no sample. */
static void record_site(struct session_worker *w, const struct session_record *rec,
			struct site *site)
{
	union record_view v;
	struct sample_id id;

	*site = (struct site){ .time = rec->time };
	switch (rec->h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		record_view(rec->h, 0, &v);
		/* they begin alike */
		worker_site(w, v.comm.pid, v.comm.tid, rec->time, site);
		return;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		if (record_view(rec->h, 0, &v))
			worker_site(w, v.task.pid, v.task.tid, rec->time, site);
		return;
	default:
		if (rec->event && sample_id_decode(&rec->event->layout, rec->h, &id) &&
		    id.tid != (u32)-1)
			worker_site(w, id.pid, id.tid, rec->time, site);
		return;
	}
}

/* Make the record that of one counter; false when none of its counters moved. */
static bool take_member(const struct run *r, const struct rec_index *i, struct session_record *rec,
			struct sample *smp)
{
	const struct counter_member *m = &r->counters.members.v[i->member - 1];

	rec->again = m->again;
	if (!m->event)
		return false;
	rec->event = m->event;
	smp->id = m->id;
	smp->period = m->period;
	return true;
}

/* A record at pos, if the worker's window has all of it. */
static const struct perf_event_header *in_window(const struct session_worker *w, u64 pos)
{
	const struct perf_event_header *h;
	u64 off = pos - w->window_pos;

	if (pos < w->window_pos || off % 8 || off + sizeof(*h) > w->window_len)
		return NULL;
	h = (const struct perf_event_header *)(const void *)(w->window + off);
	return off + h->size <= w->window_len ? h : NULL;
}

/*
 * How much to read for the first of some samples: as far as the next ones lie close together. How
 * long the last one is will be known then: the longest so far is taken for it.
 */
static size_t window_wanted(const struct session_worker *w, const struct rec_index *i,
			    const struct rec_index *end)
{
	u64 to = i->at + w->longest;

	for (const struct rec_index *j = i + 1; j < end && !j->kept && j->at >= i->at; j++) {
		if (j->at > to + WINDOW_GAP || j->at + w->longest > i->at + WINDOW_SIZE)
			break;
		to = j->at + w->longest;
	}
	return (size_t)(to - i->at);
}

const struct perf_event_header *run_load_sample(const struct run *r, struct session_worker *w,
						const struct rec_index *i,
						const struct rec_index *end)
{
	const struct perf_event_header *h = in_window(w, i->at);
	size_t want = w->longest && !h ? window_wanted(w, i, end) : UINT16_MAX;

	while (!h) {
		ssize_t got;

		if (!w->window)
			w->window = xmalloc(WINDOW_SIZE);
		got = source_read_at(r->s->source, w->window, want, i->at);
		w->window_pos = i->at;
		w->window_len = got > 0 ? (size_t)got : 0;
		h = in_window(w, i->at);
		if (want >= UINT16_MAX)
			break;
		want = UINT16_MAX; /* longer than all before it */
	}
	if (!h || h->type != PERF_RECORD_SAMPLE || h->size < sizeof(*h))
		return NULL;
	w->longest = MAX(w->longest, h->size);
	return h;
}

/* Samples without a time have that of their round; of stacks, unwinding is most of the work. */
static bool can_read_again(const struct run *r, const struct rec_index *i,
			   const struct session_record *rec)
{
	return !i->kept && rec->time && rec->time == i->time && !rec->sample->user_regs &&
	       i->at % SESSION_UNIT == 0 && i->at / SESSION_UNIT <= UINT32_MAX && !r->again;
}

/* Whether it is one of those that are handed over together. */
static bool is_ahead(const struct session_worker *w, const struct sample *smp)
{
	return ((uintptr_t)smp - (uintptr_t)w->ahead) / sizeof(*smp) < AHEAD;
}

bool run_prepare(struct run *r, struct session_worker *w, const struct perf_event_header *h,
		 const struct rec_index *i, struct session_record *rec, struct sample *smp)
{
	*rec = (struct session_record){
		.h = h, .time = i->time, .pos = batch_pos(r->now, i), .event = event_of(r->s, h)
	};
	if (h->type != PERF_RECORD_SAMPLE) {
		if (h->size >= sizeof(*h) + 8)
			record_site(w, rec, &rec->site);
		if (r->now->timeless)
			rec->time = 0;
		return true;
	}
	if (!rec->event) {
		w->unknown_id++;
		return false;
	}
	if (!sample_decode(&rec->event->layout, h, smp)) {
		if (!w->bad_samples++ || rec->pos < w->bad_pos) {
			w->bad_pos = rec->pos;
			w->bad_size = h->size;
		}
		return false;
	}
	rec->time = smp->time == UINT64_MAX ? 0 : smp->time;
	rec->left_out = filter_judge(&r->s->filter, rec->time, smp->cpu);
	if (rec->left_out && !r->s->opts.tell_left_out)
		return false;
	if (i->kept && i->member && !take_member(r, i, rec, smp))
		return r->c->all_records && r->c->order == SESSION_ORDERED;
	rec->sample = smp;
	if (r->again)
		rec->tag = (u32)i->time;
	worker_site(w, smp->pid, smp->tid, r->again ? rec->time : i->time, &rec->site);
	rec->in_file = can_read_again(r, i, rec) && !r->s->opts.stitch_lbr &&
		       !r->s->opts.ref_chains;
	if (smp->nr_chain)
		deferred_join(w, &r->s->deferred, r->s->opts.deferred_apart, smp);
	/* others may follow before the consumer gets it */
	if (r->s->opts.unwind && smp->user_regs && smp->user_stack_size)
		stacks_put_off(w, &rec->event->layout, &rec->site, smp);
	else if (smp->nr_chain)
		stacks_take_stored(w, rec->event, smp);
	if (r->s->opts.unwind && smp->user_regs && !smp->user_stack_size)
		stacks_add_leaf_caller(w, &rec->event->layout, &rec->site, smp);
	if (!is_ahead(w, smp) || smp->nr_branch)
		stacks_walk(w);
	if (rec->event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
		if (r->s->opts.lbr && smp->nr_chain)
			lbr_take_stack(w, &rec->site, smp);
	} else if (r->s->opts.branches && smp->nr_branch) {
		branches_add_to_chain(w, smp);
	}
	if (UNLIKELY(r->s->ref_chains != NULL))
		ref_chains_take(r->s->ref_chains, rec->event, &rec->site, smp);
	return true;
}

bool run_hand_over(struct run *r, struct session_worker *w, size_t nr)
{
	bool go_on = true;

	if (!nr)
		return true;
	stacks_walk(w);
	worker_look_ahead(w, nr);
	if (r->c->samples)
		go_on = r->c->samples(r->c->ctx, w, w->number, w->ahead_rec, nr);
	else
		for (size_t i = 0; i < nr && go_on; i++)
			go_on = r->c->sample(r->c->ctx, w, w->number, &w->ahead_rec[i]);
	if (!go_on)
		__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
	return go_on;
}

static bool is_in_kernel(u16 misc)
{
	return (misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static void load_kernel(void *arg)
{
	dso_symtab(arg);
}

/* Once: the symbols that the first sample in the kernel asks for. */
static void begin_kernel(struct run *r)
{
	if (!atomic_load_explicit(&r->kernel_begun, memory_order_relaxed) &&
	    !atomic_exchange(&r->kernel_begun, true))
		r->kernel_task = par_task_beside(load_kernel, dso_table_kernel(r->s->dsos));
}

static void sample_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct run *r = ctx;
	struct session_worker *w = &r->s->workers[worker];
	const struct rec_index *due = r->due;
	size_t nr = 0; /* decoded, not handed over yet */

	w->ahead_is_bare = false;
	for (size_t i = from; i < to; i++) {
		const struct perf_event_header *h;
		struct sample *smp;

		/* those decoded point into the window; a chain that was made is the worker's only
		 * one */
		if (nr == AHEAD || (nr && !due[i].kept && !in_window(w, due[i].at)) ||
		    (nr && w->ahead[nr - 1].made)) {
			if (!run_hand_over(r, w, nr))
				return;
			nr = 0;
		}
		h = due[i].kept ? batch_record(r->now, &due[i])
				: run_load_sample(r, w, &due[i], &due[to]);
		if (UNLIKELY(r->pass == PASS_USER) && h && is_in_kernel(h->misc)) {
			begin_kernel(r);
			*VEC_PUSH(&w->put_off) = due[i];
			continue;
		}
		smp = &w->ahead[nr];
		if (!h)
			w->bad_samples++;
		else if (run_prepare(r, w, h, &due[i], &w->ahead_rec[nr], smp))
			nr++;
	}
	run_hand_over(r, w, nr);
}

bool run_takes(struct run *r, u16 misc)
{
	bool in_kernel;

	if (LIKELY(r->pass == PASS_ALL))
		return true;
	in_kernel = is_in_kernel(misc);
	if (r->pass == PASS_USER && in_kernel)
		begin_kernel(r);
	return in_kernel == (r->pass == PASS_KERNEL);
}

static void heads_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct run *r = ctx;
	struct session_worker *w = &r->s->workers[worker];

	for (size_t i = 0; i < AHEAD && !w->ahead_is_bare; i++)
		sample_of_nothing(&w->ahead[i]);
	w->ahead_is_bare = true;
	for (size_t i = from; i < to; i++) {
		struct due_heads *d = &r->now->heads.v[i];

		if (!run_heads(r, w, d))
			return;
		if (!d->last || r->pass == PASS_USER)
			continue;
		head_pool_return(&r->batcher.pool, d->block);
		d->block = NULL;
	}
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
 * The kernel takes its time to list its symbols. While that goes on beside them, workers have the
 * samples of the first batch that can do without.
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
		par_for(r->s->par, b->heads.nr, 1, heads_slice, r);
	r->due = due->v;
	if (!r->stop)
		par_for(r->s->par, due->nr, r->batcher.fronts ? SLICE_OF_STACKS : SLICE,
			sample_slice, r);
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
	VEC_FOR(&b->side, i) {
		const struct perf_event_header *h = batch_record(b, i);

		if (record_is_sideband(h->type) && !model_apply(s->model, h, i->time))
			note_malformed(&r->malformed, h, batch_pos(b, i));
		deferred_add(&s->deferred, s->file, h);
	}
	if (r->c->parallelism)
		count_running(r, b);
	model_advance(s->model, b->last ? UINT64_MAX : b->limit);
	touch_threads(r, b);
	if (r->batcher.sorted)
		counters_expand(&r->counters, s->file, b);
	model_freeze(s->model);
	resolver_prepare(s->resolver);
	if (s->opts.unwind)
		stacks_prepare(&s->stacks, perfdata_info(s->file)->arch);
	s->stacks.some_unwound = perfdata_info(s->file)->stacks.stacks != 0;
	for (unsigned int i = 0; i < s->nr_workers; i++)
		s->workers[i].batch = r->number;
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

static void read_next(void *arg)
{
	struct reader *rd = arg;

	rd->got = batcher_next(rd->batcher, rd->prev, rd->out, &rd->err);
}

void run_read_ahead(struct run *r)
{
	if (r->reader && !atomic_exchange(&r->reader->begun, true))
		read_next(r->reader);
}

static void end_round(struct run *r, const struct batch *b)
{
	const struct session_round round = { .number = r->number,
					     .until = b->last ? UINT64_MAX : b->limit,
					     .last = b->last };

	if (!r->stop && r->c->round && !r->c->round(r->c->ctx, &round))
		r->stop = true;
}

/* Works on a batch; while that is done, the next one is read, if ahead says so. */
static void run_and_read(struct run *r, struct batch *b, struct reader *rd, bool ahead)
{
	bool aside = ahead && (r->c->order != SESSION_ORDERED || r->c->serial);

	rd->begun = false;
	r->reader = NULL;
	/* workers on texts do not wait for each other, so one of them has time for it */
	if (aside)
		par_aside(r->s->par, read_next, rd);
	else if (ahead)
		r->reader = rd;
	run_batch(r, b);
	batch_return_heads(&r->batcher, b); /* those that nobody wanted */
	par_aside_wait(r->s->par);
	end_round(r, b);
	if (!r->stop && r->s->source->ops->endless)
		run_renew(r, b);
	if (!aside && !b->last && !r->stop && !rd->begun)
		read_next(rd);
}

static int run_batches(struct run *r, struct err *e)
{
	struct session *s = r->s;
	struct reader rd = { .batcher = &r->batcher, .out = &r->batches[0] };
	bool ahead = !s->source->ops->by_round && s->nr_workers > 1;
	int cur = 0;

	read_next(&rd);
	while (rd.got > 0 && !r->stop) {
		struct batch *now = &r->batches[cur];

		rd.prev = now;
		rd.out = &r->batches[!cur];
		run_and_read(r, now, &rd, ahead && !now->last);
		if (s->opts.progress)
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

int session_run(struct session *s, const struct session_consumer *c, struct err *e)
{
	struct run r = { .s = s, .c = c };
	int ret;

	if (deferred_read(&s->deferred, s->source, e) < 0)
		return -1;
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

/* Stacks that were read again: where heads were enough at first, nobody looked at them then. */
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
			const struct session_again_list *lists, size_t nr)
{
	enum { PART = 1 << 16 };
	struct session_again_list *left = XNEW_ARRAY(struct session_again_list, nr);
	struct batch b = { 0 };
	struct run r = { .s = s, .c = c, .now = &b, .number = 1, .again = true };
	struct session_again v;

	if (nr)
		memcpy(left, lists, nr * sizeof(*left));
	s->running = true;
	for (unsigned int i = 0; i < s->nr_workers; i++)
		s->workers[i].batch = r.number;
	do {
		b.due.nr = 0;
		while (b.due.nr < PART && take_again(left, nr, &v))
			*VEC_PUSH(&b.due) = (struct rec_index){ .time = v.tag,
								.at = (u64)v.unit * SESSION_UNIT };
		r.due = b.due.v;
		resolver_prepare(s->resolver);
		par_for(s->par, b.due.nr, SLICE_OF_STACKS, sample_slice, &r);
	} while (b.due.nr == PART && !r.stop);
	s->running = false;
	count_again(s);
	for (unsigned int i = 0; i < s->nr_workers; i++)
		worker_forget(&s->workers[i]);
	resolver_forget(s->resolver);
	batch_release(&b);
	free(left);
}
