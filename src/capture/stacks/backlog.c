/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/stacks/backlog.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "base/vec.h"

enum { LOOK_EVERY_NS = 1000000 };

/* Records [from, to) of a ring. They stand where they stood: the copy is used like a ring. */
struct backlog_block {
	struct ring copy;
	u64 from, to;
};

struct backlog_waiting {
	u64 at; /* worked off up to here; with blocks: in the first of them */
	VEC(struct backlog_block) blocks; /* up to the ring's tail, without gaps */
};

struct spare {
	u8 *data;
	size_t size;
};

struct backlog {
	struct ring *rings;
	struct backlog_waiting *waiting; /* by ring */
	size_t nr;
	const size_t *which;
	size_t nr_which;
	u64 bytes; /* in blocks */
	/* memory of blocks that were worked off: to have it zeroed anew takes longer than the
	 * copying */
	VEC(struct spare) spares;
	u64 large_file;

	/* the thread that reads objects; started when there is a first one */
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct unwind_lane *lane; /* whose object is to be read; NULL: none is */
	bool stop;
};

struct backlog *backlog_new(struct ring *rings, size_t nr, const size_t *which, size_t nr_which,
			    u64 large_file)
{
	struct backlog *b = XNEW(struct backlog);
	pthread_condattr_t attr;

	b->rings = rings;
	b->nr = nr;
	b->waiting = XNEW_ARRAY(struct backlog_waiting, nr ? nr : 1);
	b->which = which;
	b->nr_which = which ? nr_which : nr;
	b->large_file = large_file;
	pthread_mutex_init(&b->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&b->work, NULL);
	pthread_cond_init(&b->done, &attr);
	pthread_condattr_destroy(&attr);
	return b;
}

static u8 *take_memory(struct backlog *b, size_t size)
{
	VEC_FOR(&b->spares, s) {
		u8 *data = s->data;

		if (s->size != size)
			continue;
		*s = b->spares.v[--b->spares.nr];
		return data;
	}
	return mem_large_new(size);
}

static void drop_first(struct backlog *b, size_t ring)
{
	struct backlog_waiting *w = &b->waiting[ring];
	struct backlog_block first = w->blocks.v[0];

	*VEC_PUSH(&b->spares) = (struct spare){ (u8 *)(uintptr_t)first.copy.data,
						first.copy.mask + 1 };
	b->bytes -= first.to - first.from;
	w->blocks.nr--;
	memmove(w->blocks.v, w->blocks.v + 1, w->blocks.nr * sizeof(*w->blocks.v));
}

void backlog_free(struct backlog *b)
{
	if (!b)
		return;
	if (b->started) {
		pthread_mutex_lock(&b->lock);
		b->stop = true;
		pthread_cond_signal(&b->work);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	for (size_t i = 0; i < b->nr; i++) {
		while (b->waiting[i].blocks.nr)
			drop_first(b, i);
		vec_free(&b->waiting[i].blocks);
	}
	VEC_FOR(&b->spares, s)
		mem_large_free(s->data, s->size);
	vec_free(&b->spares);
	pthread_cond_destroy(&b->work);
	pthread_cond_destroy(&b->done);
	pthread_mutex_destroy(&b->lock);
	free(b->waiting);
	free(b);
}

/* ---- records ---- */

static const struct backlog_block *first_block(const struct backlog *b, size_t ring)
{
	return b && b->waiting[ring].blocks.nr ? &b->waiting[ring].blocks.v[0] : NULL;
}

u64 backlog_at(const struct backlog *b, const struct ring *rings, size_t ring)
{
	return first_block(b, ring) ? b->waiting[ring].at : rings[ring].tail;
}

const struct ring *backlog_source(const struct backlog *b, const struct ring *rings, size_t ring,
				  u64 *to)
{
	const struct backlog_block *block = first_block(b, ring);

	if (!block)
		return &rings[ring];
	*to = MIN(*to, block->to);
	return &block->copy;
}

void backlog_consume(struct backlog *b, struct ring *rings, size_t ring, u64 to)
{
	const struct backlog_block *block = first_block(b, ring);

	if (!block) {
		ring_consume(&rings[ring], to);
		return;
	}
	b->waiting[ring].at = to;
	if (to == block->to)
		drop_first(b, ring);
}

static bool is_filling(const struct ring *r)
{
	return ring_head(r) - r->tail > (r->mask + 1) / 8 * 5;
}

static void copy_out(struct backlog *b, size_t ring, u64 to)
{
	struct ring *r = &b->rings[ring];
	struct backlog_waiting *w = &b->waiting[ring];
	u64 from = r->tail;
	struct iovec piece[2];
	int nr = ring_pieces(r, from, to, piece);
	u8 *data;

	if (b->bytes + (to - from) > BACKLOG_MAX)
		return;
	data = take_memory(b, r->mask + 1);
	for (int i = 0; i < nr; i++)
		memcpy(data + ((const u8 *)piece[i].iov_base - r->data), piece[i].iov_base,
		       piece[i].iov_len);
	if (!w->blocks.nr)
		w->at = from;
	*VEC_PUSH(&w->blocks) = (struct backlog_block){ .copy = { .data = data, .mask = r->mask },
							.from = from,
							.to = to };
	b->bytes += to - from;
	ring_consume(r, to);
}

static void relieve_rings(struct backlog *b, struct unwinder *u)
{
	for (size_t i = 0; i < b->nr_which; i++) {
		size_t ring = b->which ? b->which[i] : i;
		u64 head;

		if (!is_filling(&b->rings[ring]))
			continue;
		head = ring_head(&b->rings[ring]);
		/* the records about mappings are taken from the rings alone */
		unwinder_gather(u);
		copy_out(b, ring, head);
	}
}

/* ---- objects ---- */

static void *thread_main(void *arg)
{
	struct backlog *b = arg;

	pthread_mutex_lock(&b->lock);
	while (!b->stop) {
		struct unwind_lane *l = b->lane;

		if (!l) {
			pthread_cond_wait(&b->work, &b->lock);
			continue;
		}
		pthread_mutex_unlock(&b->lock);
		unwind_lane_read_object(l);
		pthread_mutex_lock(&b->lock);
		b->lane = NULL;
		pthread_cond_signal(&b->done);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static bool start(struct backlog *b)
{
	sigset_t all, old;

	if (b->started)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	b->started = !pthread_create(&b->thread, NULL, thread_main, b);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return b->started;
}

static struct timespec soon(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	ts.tv_nsec += LOOK_EVERY_NS;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_sec++;
		ts.tv_nsec -= 1000000000;
	}
	return ts;
}

void backlog_wait(struct backlog *b, struct unwinder *u, struct unwind_lane *l)
{
	if (unwind_lane_object_size(l) < b->large_file || !start(b)) {
		unwind_lane_read_object(l);
		return;
	}
	pthread_mutex_lock(&b->lock);
	b->lane = l;
	pthread_cond_signal(&b->work);
	while (b->lane) {
		struct timespec until = soon();

		pthread_cond_timedwait(&b->done, &b->lock, &until);
		pthread_mutex_unlock(&b->lock);
		relieve_rings(b, u);
		pthread_mutex_lock(&b->lock);
	}
	pthread_mutex_unlock(&b->lock);
}
