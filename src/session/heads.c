/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heads: fixed fields of samples on their way from the reader to the workers, in blocks of memory.
 *
 * Samples of a CPU follow each other in the file: most have the thread, CPU and event of the one
 * before, and lie near it in time and in the file. So samples in a row that share these are a run,
 * which stores them once, and a sample takes 20 bytes. In a block samples grow from the front and
 * runs from the back. A block whose samples are due in part is handed out several times, each time
 * for those of some times.
 */
#include "session/heads.h"

#include <stddef.h>

#include "base/mem.h"

enum { BLOCKS_PER_CHUNK = 16 };

_Static_assert(sizeof(struct kept_head) == 20, "what most of the memory goes into");
_Static_assert(sizeof(struct head_block) == HEAD_BLOCK_SIZE, "no room is lost");

void head_pool_init(struct head_pool *p, u32 max)
{
	*p = (struct head_pool){ .max = max };
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->returned, NULL);
}

void head_pool_release(struct head_pool *p)
{
	VEC_FOR(&p->chunks, c)
		mem_pages_free(*c, BLOCKS_PER_CHUNK * sizeof(struct head_block));
	vec_free(&p->chunks);
	vec_free(&p->spare);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->returned);
}

/* The caller holds the pool's lock. */
static void add_chunk(struct head_pool *p)
{
	struct head_block *v = mem_pages_new(BLOCKS_PER_CHUNK * sizeof(*v));

	*VEC_PUSH(&p->chunks) = v;
	for (size_t i = BLOCKS_PER_CHUNK; i-- > 0;)
		*VEC_PUSH(&p->spare) = &v[i];
}

struct head_block *head_pool_take(struct head_pool *p)
{
	struct head_block *b = NULL;

	pthread_mutex_lock(&p->lock);
	while (p->used >= p->max && p->due)
		pthread_cond_wait(&p->returned, &p->lock);
	if (p->used < p->max) {
		if (!p->spare.nr)
			add_chunk(p);
		b = p->spare.v[--p->spare.nr];
		p->used++;
	}
	pthread_mutex_unlock(&p->lock);
	if (!b)
		return NULL;
	b->first = UINT64_MAX;
	b->last = 0;
	b->nr = b->nr_runs = 0;
	return b;
}

void head_pool_expect(struct head_pool *p, u32 nr)
{
	pthread_mutex_lock(&p->lock);
	p->due += nr;
	pthread_mutex_unlock(&p->lock);
}

void head_pool_return(struct head_pool *p, struct head_block *b)
{
	pthread_mutex_lock(&p->lock);
	*VEC_PUSH(&p->spare) = b;
	p->used--;
	p->due--;
	pthread_cond_signal(&p->returned);
	pthread_mutex_unlock(&p->lock);
}

/* The end of the room for samples: the runs, which grow towards them. */
static struct kept_head *end_of_room(struct head_block *b)
{
	/* In numbers: clang 19 takes a difference of pointers for a multiple of what it is divided
	 * by. */
	size_t runs = MIN(b->nr_runs * sizeof(struct head_run), sizeof(b->bytes));

	return head_block_samples(b) + (sizeof(b->bytes) - runs) / sizeof(struct kept_head);
}

static void end_run(struct head_writer *w)
{
	u32 nr = (u32)(w->at - head_block_samples(w->block));

	if (w->run)
		w->run->nr = nr - w->block->nr;
	w->block->nr = nr;
}

void head_writer_open(struct head_writer *w, struct head_block *b)
{
	*w = (struct head_writer){ .block = b, .at = head_block_samples(b) };
	w->end = w->at; /* there is no run yet */
}

bool head_writer_start_run(struct head_writer *w, u64 thread, u32 cpu, u64 time, u32 unit)
{
	struct head_block *b = w->block;

	if (!b)
		return false;
	end_run(w);
	b->nr_runs++;
	w->end = end_of_room(b);
	if (w->end <= w->at) {
		b->nr_runs--;
		w->run = NULL;
		return false;
	}
	w->run = head_block_run(b, b->nr_runs - 1);
	*w->run = (struct head_run){ .thread = thread, .cpu = cpu, .time = time, .unit = unit };
	w->thread = thread;
	w->cpu = cpu;
	w->time = time;
	w->unit = unit;
	b->first = MIN(b->first, time);
	return true;
}

void head_writer_close(struct head_writer *w)
{
	if (w->block) {
		end_run(w);
		w->block->last = w->last;
	}
	*w = (struct head_writer){ 0 };
}
