/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch: the order of records.
 *
 * Data is a concatenation of per-CPU runs, each sorted by time; a FINISHED_ROUND record ends one
 * sweep over all CPUs. When round N ends, nothing older than the newest record of round N-1 can
 * come any more, so everything up to that time is due. A batch gathers rounds until it has its
 * target size, hands out what is due and carries the rest (about a round) over into the next one.
 */
#include "session/batch.h"

#include <errno.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/search.h"
#include "perfdata/info.h"
#include "perfdata/record.h"
#include "session/counters.h"

enum {
	READ_SIZE = 1 << 18,
	KEPT_AT_LEAST = 4 * READ_SIZE, /* of an endless source */
	TARGET_SIZE = 4 << 20,
	THREAD_SLOTS = 1 << 10,
	HEADS_MAX = 10 << 20,
	EXTRACTS_TARGET = 1 << 20,
	NEAR = 32, /* places that insertion moves a record by; more is left to merging */
};

/*
 * The layout by which every record's time and thread can be read, NULL when events differ in that.
 * Where they differ in what follows, it reaches no further than the shortest.
 */
static const struct sample_layout *common_layout(struct batcher *b)
{
	struct sample_layout *common = &b->common;

	if (!perfdata_nr_events(b->file))
		return NULL;
	*common = perfdata_event(b->file, 0)->layout;
	for (size_t i = 1; i < perfdata_nr_events(b->file); i++) {
		const struct sample_layout *l = &perfdata_event(b->file, i)->layout;

		if (l->time != common->time || l->tid != common->tid ||
		    l->tail_time != common->tail_time)
			return NULL;
		common->fixed_end = MIN(common->fixed_end, l->fixed_end);
		common->tail_size = MIN(common->tail_size, l->tail_size);
	}
	return common;
}

/* Whether no event records times: places in the file are taken for times then. */
static bool is_timeless(const struct perfdata *f)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->layout.time || perfdata_event(f, i)->layout.tail_time)
			return false;
	return perfdata_nr_events(f) > 0;
}

static bool copies_stacks(const struct perfdata_event *ev)
{
	return ev->attr.sample_type & PERF_SAMPLE_STACK_USER;
}

static bool has_heads(const struct perfdata_event *ev, const struct sample_layout *all)
{
	return ev->layout.time && ev->layout.tid && ev->layout.id_pos == all->id_pos &&
	       sample_layout_is_plain(&ev->layout) && !ev->attr.defer_callchain &&
	       ev->index < HEAD_EVENTS;
}

/* Whether the beginnings of long samples are enough, since none of them is kept. */
static bool wants_fronts(const struct batcher *b)
{
	bool some = false;

	for (size_t i = 0; i < perfdata_nr_events(b->file); i++)
		some |= copies_stacks(perfdata_event(b->file, i));
	return some && b->leave && b->layout && perfdata_data_size(b->file) < AT_MAX / 2;
}

static bool *events_with_heads(const struct perfdata *f)
{
	size_t nr = perfdata_nr_events(f);
	bool *v = XNEW_ARRAY(bool, nr + 1);

	for (size_t i = 0; i < nr; i++)
		v[i] = has_heads(perfdata_event(f, i), &perfdata_event(f, 0)->layout);
	return v;
}

void batcher_init(struct batcher *b, struct source *source, struct session_stats *stats,
		  const struct session_consumer *c)
{
	const struct perfdata *file = source->tables;

	*b = (struct batcher){
		.source = source,
		.file = file,
		.stats = stats,
		.ordered = c->order == SESSION_ORDERED,
		.all_records = c->all_records || c->order == SESSION_ORDERED,
		.switches = c->parallelism,
		.target = TARGET_SIZE,
		.timeless = is_timeless(file),
		.sorted = counters_present(file),
	};
	b->layout = common_layout(b);
	b->leave = !b->sorted && source->ops->read_at;
	head_pool_init(&b->pool, HEADS_MAX / HEAD_BLOCK_SIZE);
	if (b->leave && c->heads && b->layout)
		b->heads = events_with_heads(file);
	b->fronts = wants_fronts(b);
	if (b->leave && c->serial && c->extract && !source->ops->tells_late)
		b->extracting = c;
	if (b->extracting)
		b->target = EXTRACTS_TARGET;
	if (b->leave) {
		b->window = xmalloc(READ_SIZE);
		b->threads = XNEW_ARRAY(struct thread_slot, THREAD_SLOTS);
	}
}

void batcher_release(struct batcher *b)
{
	free(b->window);
	free(b->heads);
	free(b->threads);
	vec_free(&b->spare);
	vec_free(&b->waiting);
	vec_free(&b->waiting_heads);
	head_pool_release(&b->pool);
	extracts_release(&b->extracts);
}

void batch_release(struct batch *b)
{
	free(b->bytes);
	vec_free(&b->kept);
	vec_free(&b->side);
	vec_free(&b->due);
	vec_free(&b->heads);
	vec_free(&b->threads);
	*b = (struct batch){ 0 };
}

static void reserve(struct batch *b, size_t extra)
{
	size_t cap = b->cap ? b->cap : READ_SIZE;

	while (cap < b->len + extra)
		cap += cap / 4;
	cap = (size_t)ALIGN_UP(cap, 4096);
	if (cap != b->cap) {
		b->bytes = xrealloc_array(b->bytes, cap, 1);
		b->cap = cap;
	}
}

/* A batch that is done: its memory is that of one that was filled while the session stood still. */
static void give_back_backlog(struct batch *b)
{
	if (b->cap <= KEPT_AT_LEAST || b->len >= b->cap / 4)
		return;
	free(b->bytes);
	b->bytes = NULL;
	b->cap = 0;
	vec_free(&b->kept);
	vec_free(&b->side);
	vec_free(&b->due);
}

/* The layout of the record's event; NULL: the record belongs to no event. */
static const struct sample_layout *layout_of(const struct batcher *b,
					     const struct perf_event_header *h)
{
	const struct perfdata_event *ev;

	if (h->type >= PERF_RECORD_USER_TYPE_START)
		return NULL;
	if (b->layout)
		return b->layout;
	ev = perfdata_event_of(b->file, h);
	return ev ? &ev->layout : NULL;
}

/* 0 for records without a time, for which some writers put all ones. */
static u64 record_time(const struct sample_layout *l, const struct perf_event_header *h)
{
	u64 time = l ? sample_record_time(l, h) : 0;

	return time == UINT64_MAX ? 0 : time;
}

static void count_sample(struct session_stats *st, u64 time)
{
	st->nr_samples++;
	if (time && (!st->first_time || time < st->first_time))
		st->first_time = time;
	if (time > st->last_time)
		st->last_time = time;
}

/* Not inlined: its large local variables would cost the loop over samples time. */
static __attribute__((noinline)) void count_lost(struct session_stats *st,
						 const struct perf_event_header *h)
{
	union record_view v;
	bool whole = record_view(h, 0, &v);

	if (h->type == PERF_RECORD_LOST) {
		st->lost_chunks++;
		st->lost_events += v.lost.lost;
	} else if (whole && !(h->misc & PERF_RECORD_MISC_LOST_SAMPLES_BPF)) {
		st->lost_samples += v.lost_samples;
	}
}

static void count_record(struct session_stats *st, const struct perf_event_header *h, u64 time)
{
	if (h->type < PERF_RECORD_HEADER_MAX)
		st->nr_type[h->type]++;
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		count_sample(st, time);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		count_lost(st, h);
		break;
	case PERF_RECORD_THROTTLE:
		st->throttled++;
		break;
	default:
		break;
	}
}

static void note_kept(struct batch *out, u64 pos, size_t off, u32 type, struct rec_index *ix)
{
	ix->kept = 1;
	ix->at = out->kept.nr;
	*VEC_PUSH(&out->kept) = (struct kept_record){ .pos = pos, .off = (u32)off, .type = type };
}

/* A copy of the record in the batch's own bytes. */
static void keep_record(struct batch *out, const struct perf_event_header *h, u64 pos,
			struct rec_index *ix)
{
	size_t off = out->len;

	reserve(out, h->size + 8U);
	memcpy(out->bytes + off, h, h->size);
	out->len += ALIGN_UP(h->size, 8);
	note_kept(out, pos, off, h->type, ix);
}

static __attribute__((noinline)) u32 find_thread(struct batcher *b, struct batch *out, u64 key)
{
	struct thread_slot *slot = &b->threads[hash_u64(key) % THREAD_SLOTS];

	if (slot->batch != b->number || slot->key != key) {
		if (out->threads.nr >= MEMBERS_MAX)
			return MEMBERS_MAX;
		*slot = (struct thread_slot){ key, (u32)out->threads.nr, b->number };
		*VEC_PUSH(&out->threads) = key;
	}
	b->last_thread = *slot;
	return slot->number;
}

/* Number of a sample's thread in the batch; MEMBERS_MAX: it has none. */
static inline u32 thread_number(struct batcher *b, struct batch *out, u64 key)
{
	/* a CPU's samples follow each other in the file, and its thread does not change often */
	if (LIKELY(b->last_thread.key == key && b->last_thread.batch == b->number))
		return b->last_thread.number;
	return find_thread(b, out, key);
}

/* Where the record can be found again: in the file, or as a copy. */
static void place_record(struct batcher *b, struct batch *out, const struct sample_layout *l,
			 const struct perf_event_header *h, bool in_file, u64 pos,
			 struct rec_index *ix)
{
	u32 id[2];

	if (in_file && h->type == PERF_RECORD_SAMPLE && l && pos <= AT_MAX) {
		ix->at = pos;
		ix->member = MEMBERS_MAX;
		if (l->tid && h->size >= l->fixed_end) {
			memcpy(id, (const u8 *)h + l->tid, sizeof(id));
			ix->member = thread_number(b, out, (u64)id[0] << 32 | id[1]);
		}
		return;
	}
	keep_record(out, h, pos, ix);
}

/* The layout by which heads of an event's samples are read; NULL: they have none. */
static const struct sample_layout *head_layout(struct batcher *b, const struct perf_event_header *h)
{
	const struct perfdata_event *ev = perfdata_event_of(b->file, h);

	b->head_misc = ev ? (u16)(ev->index << HEAD_EVENT_SHIFT) : 0;
	b->head_layout = ev && b->heads[ev->index] ? &ev->layout : NULL;
	b->last_id = b->layout->id_pos ? bits_u64((const u8 *)h + b->layout->id_pos) : 0;
	return b->head_layout;
}

/* In the block being filled, or else a new one; false: there is none. */
static __attribute__((noinline)) bool start_run(struct batcher *b, u64 thread, u32 cpu, u64 time,
						u32 unit)
{
	struct head_block *block;

	if (head_writer_start_run(&b->writer, thread, cpu, time, unit))
		return true;
	head_writer_close(&b->writer);
	block = head_pool_take(&b->pool);
	b->full = !block;
	if (b->full)
		return false;
	*VEC_PUSH(&b->waiting_heads) = (struct waiting_heads){ .block = block };
	head_writer_open(&b->writer, block);
	return head_writer_start_run(&b->writer, thread, cpu, time, unit);
}

/* What was learned from samples in a row. */
struct seen_samples {
	u64 nr, late, first, last;
};

static void count_seen(struct batcher *b, const struct seen_samples *n)
{
	struct session_stats *st = b->stats;

	if (!n->nr)
		return;
	st->nr_type[PERF_RECORD_SAMPLE] += n->nr;
	st->nr_samples += n->nr;
	st->out_of_order += n->late;
	if (!st->first_time || n->first < st->first_time)
		st->first_time = n->first;
	st->last_time = MAX(st->last_time, n->last);
	b->max_time = MAX(b->max_time, n->last);
}

/* Keeps heads of the samples from `off` on, up to the first record that is no such sample; returns
 * its place in the chunk. */
static size_t scan_heads(struct batcher *b, const u8 *bytes, size_t off,
			 const struct perfdata_chunk *c)
{
	struct seen_samples seen = { .first = UINT64_MAX };
	const struct sample_layout *l = b->head_layout;
	struct head_writer w = b->writer;
	const u64 limit = b->limit;
	const size_t there = c->fronts ? PERFDATA_FRONT : UINT16_MAX;

	for (; off < c->len; seen.nr++) {
		const u8 *at = bytes + off;
		const struct perf_event_header *h =
			(const struct perf_event_header *)(const void *)at;
		struct sample_head head;
		u64 time, thread;
		u32 unit = (u32)((c->pos + off) / SESSION_UNIT);

		if (h->type != PERF_RECORD_SAMPLE || h->size < b->layout->fixed_end)
			break;
		if (UNLIKELY(!l || (l->id_pos && bits_u64(at + l->id_pos) != b->last_id)))
			l = head_layout(b, h);
		if (!l || !sample_head_decode(l, h, there, &head))
			break;
		time = bits_u64(at + l->time);
		thread = (u64)bits_u32(at + l->tid) << 32 | bits_u32(at + l->tid + 4);
		if (!time || time == UINT64_MAX || head.period > UINT32_MAX ||
		    head.misc & ~(u32)HEAD_MISC)
			break;
		if (UNLIKELY(!head_writer_fits(&w, thread, head.cpu, time, unit))) {
			b->writer = w;
			if (!start_run(b, thread, head.cpu, time, unit))
				break;
			w = b->writer;
		}
		head_writer_add(&w, &head, time, unit, b->head_misc);
		seen.late += time < limit;
		seen.first = MIN(seen.first, time);
		seen.last = MAX(seen.last, time);
		off += h->size;
	}
	if (!b->full)
		b->writer = w;
	count_seen(b, &seen);
	return off;
}

/* Keeps what the consumer wants of a sample; false: all of it. */
static bool extract_sample(struct batcher *b, struct batch *out, const struct perf_event_header *h,
			   u64 time)
{
	const struct perfdata_event *ev = known_events_of(&b->events, b->file, h);
	u8 *room = extracts_room(&b->extracts);
	enum session_extract what;

	if (UNLIKELY(!ev || !room))
		return false;
	what = b->extracting->extract(b->extracting->ctx, ev, h, room);
	if (what == EXTRACT_KEPT)
		*VEC_PUSH(&out->due) = extracts_add(&b->extracts, time);
	return what != EXTRACT_WHOLE;
}

/* The fast way of scan_chunk(), for samples as nearly all files have them; false: it must look at
 * the record itself. */
static bool scan_sample(struct batcher *b, struct batch *out, const struct perf_event_header *h,
			u64 pos)
{
	const struct sample_layout *l = b->layout;
	u64 time;
	u32 id[2];

	if (h->type != PERF_RECORD_SAMPLE || !l || !l->time || !l->tid || h->size < l->fixed_end)
		return false;
	time = bits_u64((const u8 *)h + l->time);
	if (!time || time == UINT64_MAX || pos > AT_MAX)
		return false;
	b->stats->nr_type[PERF_RECORD_SAMPLE]++;
	count_sample(b->stats, time);
	b->stats->out_of_order += time < b->limit;
	b->max_time = MAX(b->max_time, time);
	if (b->extracting && extract_sample(b, out, h, time))
		return true;
	memcpy(id, (const u8 *)h + l->tid, sizeof(id));
	*VEC_PUSH(&out->due) = (struct rec_index){
		.time = time,
		.at = pos,
		.member = thread_number(b, out, (u64)id[0] << 32 | id[1]),
	};
	return true;
}

/* Whether a record is needed; most are only counted. */
static bool is_wanted(const struct batcher *b, u32 type)
{
	if (type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE)
		return b->all_records || b->switches;
	return b->all_records || type == PERF_RECORD_SAMPLE ||
	       type == PERF_RECORD_CALLCHAIN_DEFERRED || record_is_sideband(type);
}

/* Index the records of one chunk: in the batch's bytes or, leaving samples in the file, elsewhere.
 */
static void scan_chunk(struct batcher *b, struct batch *out, const u8 *bytes,
		       const struct perfdata_chunk *c)
{
	size_t first = b->leave ? 0 : (size_t)(bytes - out->bytes);
	size_t off = 0;
	bool heads = b->heads && c->in_file && c->pos % SESSION_UNIT == 0 &&
		     (c->pos + c->len) / SESSION_UNIT <=
			     UINT32_MAX; /* session_run_again() finds samples by 32-bit units */

	while (off < c->len) {
		const struct perf_event_header *h;

		if (heads && !b->full)
			off = scan_heads(b, bytes, off, c);
		if (off == c->len)
			break;
		h = (const struct perf_event_header *)(const void *)(bytes + off);
		if (b->leave && c->in_file && scan_sample(b, out, h, c->pos + off)) {
			off += h->size;
			continue;
		}
		const struct sample_layout *l = layout_of(b, h);
		u64 time = record_time(l, h);
		struct rec_index *ix;

		u64 place = b->limit; /* of the end of a round: before what it makes due */

		count_record(b->stats, h, time);
		if (h->type == PERF_RECORD_FINISHED_ROUND) {
			b->limit = MAX(b->limit, b->round_max);
			b->round_max = b->max_time;
		}
		if (time && time < b->limit)
			b->stats->out_of_order++;
		b->max_time = MAX(b->max_time, time);
		if (b->timeless)
			++b->limit;
		if (!is_wanted(b, h->type)) {
			off += h->size;
			continue;
		}
		ix = VEC_PUSH(&out->due);
		*ix = (struct rec_index){
			.time = b->timeless                             ? b->limit
				: time                                  ? time
				: h->type == PERF_RECORD_FINISHED_ROUND ? place
									: b->limit,
		};
		if (b->leave)
			place_record(b, out, l, h, c->in_file, c->pos + off, ix);
		else
			note_kept(out, c->pos + off, first + off, h->type, ix);
		off += h->size;
	}
}

static void carry_over(struct batcher *b, const struct batch *prev, struct batch *out)
{
	for (size_t k = 0; k < prev->nr_later; k++) {
		const struct rec_index *i = &prev->later[k];
		struct rec_index *ix = VEC_PUSH(&out->due);

		*ix = *i;
		if (batch_is_extract(i))
			continue;
		if (i->kept)
			keep_record(out, batch_record(prev, i), prev->kept.v[i->at].pos, ix);
		else if (i->member != MEMBERS_MAX)
			ix->member = thread_number(b, out, prev->threads.v[i->member]);
	}
}

static void merge_runs(const struct rec_index *a, size_t na, const struct rec_index *b, size_t nb,
		       struct rec_index *out)
{
	while (na && nb) {
		if (b->time < a->time) {
			*out++ = *b++;
			nb--;
		} else {
			*out++ = *a++;
			na--;
		}
	}
	memcpy(out, a, na * sizeof(*a));
	memcpy(out + na, b, nb * sizeof(*b));
}

/* Puts the element at i where it belongs in those behind `from`; false: that is not near. */
static bool put_near(struct rec_index *v, size_t from, size_t i)
{
	const struct rec_index x = v[i];
	size_t end = i - from > NEAR ? i - NEAR : from, to = i;

	while (to > end && v[to - 1].time > x.time)
		to--;
	if (to > from && v[to - 1].time > x.time)
		return false;
	memmove(v + to + 1, v + to, (i - to) * sizeof(*v));
	v[to] = x;
	return true;
}

/*
 * Natural merge sort: the input is made of few long ascending runs, in which a record may lie a
 * little behind its time (those of mappings do). Records of one time stay in the order in which
 * they came, which is that of the file. spare: memory that is kept for it.
 */
static void sort_index(struct index_vec *v, struct index_vec *spare)
{
	VEC(size_t) runs = { 0 }; /* start of each run, and the end */

	*VEC_PUSH(&runs) = 0;
	for (size_t i = 1; i < v->nr; i++)
		if (v->v[i].time < v->v[i - 1].time && !put_near(v->v, runs.v[runs.nr - 1], i))
			*VEC_PUSH(&runs) = i;
	*VEC_PUSH(&runs) = v->nr;
	while (runs.nr > 2) {
		struct index_vec swap = *v;
		size_t out = 0;

		spare->nr = 0;
		VEC_GROW(spare, v->nr);
		spare->nr = v->nr;
		for (size_t r = 0; r + 1 < runs.nr; r += 2) {
			size_t a = runs.v[r];
			size_t m = runs.v[r + 1];
			size_t e = r + 2 < runs.nr ? runs.v[r + 2] : m;

			merge_runs(v->v + a, m - a, v->v + m, e - m, spare->v + a);
			runs.v[out++] = a;
		}
		runs.v[out++] = v->nr;
		runs.nr = out;
		*v = *spare;
		*spare = swap;
	}
	vec_free(&runs);
}

/* Sorted records: what must wait lies behind what is due. */
static void split_sorted(struct batch *out)
{
	size_t from = search_up_to(out->due.v, out->due.nr, sizeof(struct rec_index), out->limit);

	out->later = from < out->due.nr ? &out->due.v[from] : NULL;
	out->nr_later = out->due.nr - from;
	out->due.nr = from;
	VEC_FOR(&out->due, i)
		if (!batch_is_sample(out, i))
			*VEC_PUSH(&out->side) = *i;
}

/* Blocks of heads that have samples which are due; what is due later waits. */
static void split_heads(struct batcher *b, struct batch *out)
{
	size_t kept = 0;
	u32 whole = 0;

	head_writer_close(&b->writer);
	VEC_FOR(&b->waiting_heads, w) {
		struct due_heads due = { w->block, w->after, out->limit,
					 w->block->last <= out->limit };

		if (w->block->first <= out->limit) {
			*VEC_PUSH(&out->heads) = due;
			w->after = out->limit;
			whole += due.last;
		}
		if (!due.last)
			b->waiting_heads.v[kept++] = *w;
	}
	b->waiting_heads.nr = kept;
	head_pool_expect(&b->pool, whole);
}

void batch_return_heads(struct batcher *b, struct batch *done)
{
	VEC_FOR(&done->heads, d) {
		if (d->block && d->last)
			head_pool_return(&b->pool, d->block);
		d->block = NULL;
	}
}

/* Records in the order of the file: due ones are moved to the front. */
static void split_unsorted(struct batcher *b, struct batch *out)
{
	size_t kept = 0;

	b->waiting.nr = 0;
	VEC_FOR(&out->due, i) {
		const struct rec_index ix = *i;

		if (ix.time > out->limit) {
			*VEC_PUSH(&b->waiting) = ix;
			continue;
		}
		if (!batch_is_sample(out, i)) {
			*VEC_PUSH(&out->side) = ix;
			continue;
		}
		out->due.v[kept++] = ix;
	}
	out->due.nr = kept;
	out->later = b->waiting.v;
	out->nr_later = b->waiting.nr;
	sort_index(&out->side, &b->spare);
	if (b->sorted)
		sort_index(&out->due, &b->spare);
}

/* Split what was read (all in out->due until now) into what is due and what must wait. */
static void split(struct batcher *b, struct batch *out)
{
	out->limit = b->eof ? UINT64_MAX : b->limit;
	out->last = b->eof;
	split_heads(b, out);
	if (b->ordered) {
		sort_index(&out->due, &b->spare);
		split_sorted(out);
		extracts_close(&b->extracts, out, &out->done_extracts);
	} else {
		split_unsorted(b, out);
	}
}

int batcher_next(struct batcher *b, struct batch *prev, struct batch *out, struct err *e)
{
	const struct source_ops *kind = b->source->ops;
	size_t fresh = 0;
	u64 limit = b->limit, rounds = b->stats->nr_type[PERF_RECORD_FINISHED_ROUND];

	out->len = 0;
	out->kept.nr = out->side.nr = out->due.nr = out->nr_later = out->threads.nr =
		out->heads.nr = 0;
	b->number++;
	extracts_return(&b->extracts, &out->done_extracts);
	if (prev)
		carry_over(b, prev, out);
	if (prev && kind->endless) /* (it is not read ahead: nobody needs it any more) */
		give_back_backlog(prev);
	b->full = false;
	if (b->eof && !out->due.nr && !b->waiting_heads.nr)
		return 0;
	while (!b->eof) {
		struct perfdata_chunk c = { 0 };
		u8 *bytes = b->window;
		int got;

		if (!b->layout && kind->tells_late)
			b->layout = common_layout(b);
		if (out->len + READ_SIZE > UINT32_MAX)
			return err_set(e, EFBIG,
				       "more than 4 GiB of records without a "
				       "FINISHED_ROUND: the file cannot be put in order");
		if (!b->leave) {
			reserve(out, READ_SIZE + 8);
			bytes = out->bytes + out->len;
		}
		got = source_read(b->source, bytes, READ_SIZE, b->fronts, &c, e);
		if (got < 0)
			return -1;
		if (!got) {
			b->eof = true;
			break;
		}
		if (kind->tells_late)
			b->timeless = is_timeless(b->file);
		scan_chunk(b, out, bytes, &c);
		if (!b->leave)
			out->len += ALIGN_UP(c.len, 8);
		fresh += c.read;
		b->bytes += c.len;
		if (b->limit > limit && (fresh >= b->target || kind->by_round))
			break;
		/* a live consumer is called after each round, also an empty one */
		if (kind->endless && b->stats->nr_type[PERF_RECORD_FINISHED_ROUND] != rounds)
			break;
	}
	if (kind->tells_late)
		b->sorted = counters_present(b->file);
	out->timeless = b->timeless;
	split(b, out);
	return 1;
}

void reader_next(void *arg)
{
	struct reader *rd = arg;

	rd->got = batcher_next(rd->batcher, rd->prev, rd->out, &rd->err);
}

void reader_begin(struct reader *rd)
{
	if (rd && !atomic_exchange(&rd->begun, true))
		reader_next(rd);
}
