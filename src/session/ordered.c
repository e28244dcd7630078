/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ordered: the records of a batch as text, in order of time.
 *
 * Workers take slices of records one after the other and make their texts. The worker that finishes
 * the slice whose turn it is writes its text and those behind it that are complete; a worker that
 * is ahead takes another slice. The length of slices follows from that of the last texts. A long
 * text goes out in pieces as soon as it is its turn, so that memory stays bounded.
 */
#include <string.h>

#include "base/mem.h"
#include "perfdata/info.h"
#include "session/run.h"

enum {
	TEXT_SIZE = 64 << 10, /* about, of a slice */
	TEXT_MOST = 128 << 10, /* that wait for their turn: then the worker waits, too */
	TEXTS_PER_WORKER = 2,
	SLICE_MIN = 64,
	SLICE_MAX = 1024,
};

/* Workers write to texts beside each other at the same time. */
struct PER_THREAD slice_text {
	struct strbuf buf;
	bool ready;
};

struct text_line {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	struct slice_text *texts; /* of slice n: n % nr */
	size_t nr;
	u64 begun; /* slices that workers took; these and what follows are under lock */
	_Atomic u64 next; /* the slice whose text goes out next; read without lock, too */
	size_t taken; /* records of the batch that are in slices */
	size_t slice; /* records of the next slice */
	bool emitting; /* a worker is writing the text of slice next */
};

/* What a worker is working on. */
struct slice {
	size_t from, to;
	u64 number;
	struct slice_text *text;
	size_t bytes; /* of its text that are out already */
};

struct text_line *text_line_new(unsigned int workers)
{
	struct text_line *l = XNEW(struct text_line);

	l->nr = workers * (size_t)TEXTS_PER_WORKER;
	l->texts = XNEW_PER_THREAD(struct slice_text, l->nr);
	for (size_t i = 0; i < l->nr; i++)
		l->texts[i].buf = (struct strbuf)STRBUF_INIT;
	l->slice = SLICE_MIN;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->moved, NULL);
	return l;
}

void text_line_free(struct text_line *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr; i++)
		strbuf_release(&l->texts[i].buf);
	free(l->texts);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->moved);
	free(l);
}

static bool is_stopped(const struct run *r)
{
	return __atomic_load_n(&r->stop, __ATOMIC_RELAXED);
}

static void stop(struct run *r)
{
	__atomic_store_n(&r->stop, true, __ATOMIC_RELAXED);
}

/* ------------------------------------------------------------------ records */

/* The record at pos when it lies in the block as a whole, else NULL. */
static inline const struct perf_event_header *record_in(const struct file_block *b, u64 pos)
{
	const struct perf_event_header *h;
	u64 off = pos - b->pos;

	if (pos < b->pos || off + sizeof(*h) > b->len || off % 8)
		return NULL;
	h = (const struct perf_event_header *)(const void *)(b->bytes + off);
	return off + h->size <= b->len ? h : NULL;
}

/* Reads a block for a record and, as far as there is room, those behind it that are wanted before
 * end. */
static struct file_block *read_block(const struct run *r, struct session_worker *w,
				     const struct rec_index *i, const struct rec_index *end)
{
	struct file_block *b = w->blocks;
	u64 tail = MAX((u64)BLOCK_TAIL, (u64)w->longest); /* of the last one */
	u64 furthest = i->at;

	for (const struct rec_index *j = i; j < end; j++)
		if (!j->kept && j->at > furthest && j->at - i->at + tail <= sizeof(b->bytes))
			furthest = j->at;
	for (struct file_block *x = w->blocks; x < w->blocks + w->nr_blocks; x++)
		if (w->block_clock - x->use > w->block_clock - b->use)
			b = x;
	ssize_t got = source_read_at(r->s->source, b->bytes, furthest - i->at + tail, i->at);

	b->pos = i->at;
	b->len = got > 0 ? (u32)got : 0;
	return b;
}

/* One for each place that is read at a time: of each CPU in this round and the next. */
static void make_blocks(const struct run *r, struct session_worker *w)
{
	u32 cpus = perfdata_info(r->s->file)->cpus_avail;

	w->nr_blocks = cpus && cpus < NR_BLOCKS / 2 ? 2 * cpus : NR_BLOCKS;
	w->blocks = XNEW_ARRAY(struct file_block, w->nr_blocks);
}

/* A sample that is in neither of the two blocks used last. */
static __attribute__((noinline)) const struct perf_event_header *load_spread(
	const struct run *r, struct session_worker *w, const struct rec_index *i,
	const struct rec_index *end)
{
	const struct perf_event_header *h = NULL;
	struct file_block *b = NULL;

	if (!w->blocks)
		make_blocks(r, w);
	for (u32 n = 0; n < w->nr_blocks && !h; n++) {
		b = &w->blocks[n];
		h = record_in(b, i->at);
	}
	if (!h) {
		b = read_block(r, w, i, end);
		h = record_in(b, i->at);
	}
	w->block_before = w->block;
	w->block = b;
	b->use = ++w->block_clock;
	if (h)
		w->longest = MAX(w->longest, h->size);
	return h ? h : run_load_sample(r, w, i, i + 1, false);
}

/* A record that is due for an ordered consumer; end: behind the last one that the worker will ask
 * for. */
static const struct perf_event_header *load_ordered(const struct run *r, struct session_worker *w,
						    const struct rec_index *i,
						    const struct rec_index *end)
{
	const struct perf_event_header *h;

	if (UNLIKELY(i->kept))
		return batch_record(r->now, i);
	h = w->block ? record_in(w->block, i->at) : NULL;
	/* records of two CPUs alternate */
	if (!h && w->block_before && (h = record_in(w->block_before, i->at))) {
		struct file_block *b = w->block_before;

		w->block_before = w->block;
		w->block = b;
		b->use = ++w->block_clock;
	}
	if (UNLIKELY(!h))
		h = load_spread(r, w, i, end);
	/* the file may have changed meanwhile */
	if (LIKELY(h && h->type == PERF_RECORD_SAMPLE && h->size >= sizeof(*h)))
		return h;
	w->bad_samples++;
	return NULL;
}

/* ------------------------------------------------------------------ texts */

/* Only one worker at a time gets here. */
static void emit(struct run *r, struct strbuf *text)
{
	if (text->len && r->c->emit && !r->c->emit(r->c->ctx, text->buf, text->len))
		stop(r);
	strbuf_reset(text);
	/* one long text does not keep its memory */
	if (text->cap > 2 * (size_t)TEXT_MOST)
		strbuf_release(text);
}

/* False when there is nothing more to do in this batch. */
static bool take_slice(struct run *r, struct slice *s)
{
	struct text_line *l = r->line;
	size_t nr = r->now->due.nr;

	pthread_mutex_lock(&l->lock);
	while (l->taken < nr && l->begun - l->next >= l->nr && !is_stopped(r))
		pthread_cond_wait(&l->moved, &l->lock);
	bool some = l->taken < nr && !is_stopped(r);

	if (some) {
		*s = (struct slice){ .from = l->taken, .number = l->begun++ };
		s->to = MIN(nr, s->from + l->slice);
		s->text = &l->texts[s->number % l->nr];
		l->taken = s->to;
	}
	pthread_mutex_unlock(&l->lock);
	return some;
}

/* Writes what there is of a slice's long text. */
static void emit_early(struct run *r, struct slice *s)
{
	struct text_line *l = r->line;

	if (l->next != s->number) {
		if (s->text->buf.len < TEXT_MOST)
			return;
		pthread_mutex_lock(&l->lock);
		while (l->next != s->number)
			pthread_cond_wait(&l->moved, &l->lock);
		pthread_mutex_unlock(&l->lock);
	}
	s->bytes += s->text->buf.len;
	emit(r, &s->text->buf);
}

/* Writes the complete text of a slice, and of those behind it that waited for it. */
static void finish_slice(struct run *r, const struct slice *s)
{
	struct text_line *l = r->line;
	size_t bytes = s->bytes + s->text->buf.len;
	size_t slice = bytes ? (s->to - s->from) * TEXT_SIZE / bytes : SLICE_MAX;

	pthread_mutex_lock(&l->lock);
	l->slice = MIN(MAX(slice, (size_t)SLICE_MIN), (size_t)SLICE_MAX);
	s->text->ready = true;
	while (!l->emitting && l->texts[l->next % l->nr].ready) {
		struct slice_text *text = &l->texts[l->next % l->nr];

		l->emitting = true;
		pthread_mutex_unlock(&l->lock);
		emit(r, &text->buf);
		pthread_mutex_lock(&l->lock);
		text->ready = false;
		l->emitting = false;
		l->next++;
		pthread_cond_broadcast(&l->moved);
	}
	pthread_mutex_unlock(&l->lock);
}

static void add_slice(struct run *r, struct session_worker *w, struct slice *s)
{
	const struct rec_index *due = r->now->due.v;
	struct strbuf *out = &s->text->buf;
	struct session_record rec;
	struct sample smp;

	for (size_t i = s->from; i < s->to; i++) {
		if (!r->c->all_records && !batch_is_sample(r->now, &due[i]))
			continue;
		const struct perf_event_header *h = load_ordered(r, w, &due[i], due + s->to);

		if (h && run_prepare(r, w, h, &due[i], &rec, &smp) &&
		    !r->c->record(r->c->ctx, w, w->number, &rec, out)) {
			stop(r);
			return;
		}
		if (UNLIKELY(out->len >= TEXT_SIZE))
			emit_early(r, s);
	}
}

static void work_on_texts(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct run *r = ctx;
	struct slice s;

	(void)from;
	(void)to;
	reader_begin(r->reader);
	while (take_slice(r, &s)) {
		add_slice(r, &r->s->workers[worker], &s);
		finish_slice(r, &s);
	}
}

/* Extracts between soon() and take(); as many before soon() the extract's memory is prefetched. */
enum { EXTRACTS_AHEAD = 24 };

static void tell_soon(const struct run *r, const struct rec_index *i, const struct rec_index *end)
{
	if (end - i > 2 * EXTRACTS_AHEAD && batch_is_extract(i + 2 * EXTRACTS_AHEAD))
		__builtin_prefetch(extracts_get(&r->batcher.extracts, i + 2 * EXTRACTS_AHEAD));
	if (end - i > EXTRACTS_AHEAD && batch_is_extract(i + EXTRACTS_AHEAD))
		r->c->soon(r->c->ctx, extracts_get(&r->batcher.extracts, i + EXTRACTS_AHEAD));
}

static void run_serial(struct run *r, const struct batch *b)
{
	struct session_worker *w = &r->s->workers[0];
	struct strbuf *out = &r->line->texts[0].buf;
	const struct rec_index *end = b->due.nr ? b->due.v + b->due.nr : NULL;

	VEC_FOR(&b->due, i) {
		struct session_record rec;
		struct sample smp;

		if (r->stop)
			break;
		if (r->c->soon)
			tell_soon(r, i, end);
		if (batch_is_extract(i)) {
			if (UNLIKELY(!r->c->take(r->c->ctx, extracts_get(&r->batcher.extracts, i))))
				stop(r);
			continue;
		}
		if (!r->c->all_records && !batch_is_sample(b, i))
			continue;
		const struct perf_event_header *h = load_ordered(
			r, w, i, end - i > BLOCK_AHEAD ? i + BLOCK_AHEAD : end);

		if (h && run_prepare(r, w, h, i, &rec, &smp) &&
		    !r->c->record(r->c->ctx, w, 0, &rec, out))
			stop(r);
		if (out->len > TEXT_SIZE)
			emit(r, out);
	}
	emit(r, out);
}

void run_ordered(struct run *r, const struct batch *b)
{
	if (r->c->serial) {
		run_serial(r, b);
		return;
	}
	r->line->taken = 0;
	par_for(r->s->par, r->s->nr_workers, 1, work_on_texts, r);
}
