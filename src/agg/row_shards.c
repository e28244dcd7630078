/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_shards: rows of reports that have very many. A worker's table should fit into its CPU's
 * cache, and no row should be in the memory of every worker. So when a worker has many rows, they
 * are added to tables that all share, each under its lock, and the worker begins anew.
 */
#include "agg/private.h"
#include "base/mem.h"

enum { STEP = 16 }; /* rows whose memory is asked for at once */

/* A worker's rows, by shard. */
struct shard_order {
	u32 from[ROW_SHARDS + 1]; /* in row */
	u32 row[ROWS_OF_WORKER + SESSION_AHEAD];
	u64 hash[ROWS_OF_WORKER + SESSION_AHEAD]; /* by row */
	u32 moved[ROWS_OF_WORKER + SESSION_AHEAD]; /* by row: shard_row() */
	struct worker_row *to[ROWS_OF_WORKER + SESSION_AHEAD]; /* by row: that one */
};

struct row_shard *row_shards_new(const struct agg *a)
{
	struct row_shard *v = XNEW_ARRAY(struct row_shard, ROW_SHARDS);

	for (u32 i = 0; i < ROW_SHARDS; i++) {
		pthread_mutex_init(&v[i].lock, NULL);
		rows_init(&v[i].rows, a->c.nr_keys);
	}
	return v;
}

void row_shards_free(struct row_shard *v)
{
	for (u32 i = 0; v && i < ROW_SHARDS; i++) {
		pthread_mutex_destroy(&v[i].lock);
		rows_release(&v[i].rows);
		free(v[i].slots);
	}
	free(v);
}

static inline u32 shard_of(u64 hash)
{
	return hash >> 59;
}

static void order_by_shard(const struct worker_rows *t, struct shard_order *o)
{
	u32 at[ROW_SHARDS];

	_Static_assert(ROW_SHARDS == 32, "as many as shard_of() tells apart");
	memset(o->from, 0, sizeof(o->from));
	for (u32 i = 0; i < t->nr; i++) {
		const struct worker_row *row = rows_at(t, i);

		o->hash[i] = rows_hash(t, row->event, row->words);
		o->from[shard_of(o->hash[i]) + 1]++;
	}
	for (u32 s = 0; s < ROW_SHARDS; s++) {
		at[s] = o->from[s];
		o->from[s + 1] += o->from[s];
	}
	for (u32 i = 0; i < t->nr; i++)
		o->row[at[shard_of(o->hash[i])]++] = i;
}

static void add_to_shard(struct row_shard *s, u32 number, const struct worker_rows *t,
			 struct shard_order *o)
{
	for (u32 from = o->from[number]; from < o->from[number + 1]; from += STEP) {
		u32 to = MIN(from + STEP, o->from[number + 1]);

		for (u32 i = from; i < to; i++)
			map_prefetch(&s->rows.by_words, o->hash[o->row[i]]);
		for (u32 i = from; i < to; i++)
			rows_prefetch(&s->rows, o->hash[o->row[i]]);
		for (u32 i = from; i < to; i++) {
			u32 row = o->row[i];
			u32 moved = rows_add_row(&s->rows, t, row, o->hash[row]);

			o->moved[row] = shard_row(number, moved);
			o->to[row] = rows_at(&s->rows, moved);
		}
	}
}

/* The notes that came since rows moved last. Of rows that are lost nothing will be asked. */
static void renumber_late(struct agg_worker *w)
{
	size_t kept = w->late_moved;

	for (size_t i = kept; i < w->late.nr; i++) {
		struct session_again l = w->late.v[i];
		u32 row = l.tag & ~ROW_OF_WORKER;

		if (l.tag & ROW_OF_WORKER) {
			if (w->order->to[row]->lost)
				continue;
			l.tag = w->order->moved[row];
		}
		w->late.v[kept++] = l;
	}
	w->late.nr = w->late_moved = kept;
}

/* What knows rows by their numbers. */
static void renumber(struct agg *a, struct agg_worker *w)
{
	renumber_late(w);
	spots_follow_rows(a, w, w->order->moved);
	/* chains that could not wait */
	VEC_FOR(&w->chains.pairs, rc) {
		rc->row = w->order->moved[rc->row];
		row_chains_add(&w->moved, rc, row_chain_hash(rc->row, rc->chain), NULL);
	}
	w->chains.pairs.nr = 0;
	map_clear(&w->chains.by_chain);
}

void agg_move_rows(struct agg *a, struct agg_worker *w)
{
	u32 first = (u32)(w - a->workers); /* workers begin at different shards */

	a->shards_used = true;
	if (!w->rows.nr)
		return;
	if (!w->order)
		w->order = XNEW(struct shard_order);
	order_by_shard(&w->rows, w->order);
	for (u32 i = 0; i < ROW_SHARDS; i++) {
		u32 number = (first + i) % ROW_SHARDS;
		struct row_shard *s = &a->shards[number];

		pthread_mutex_lock(&s->lock);
		add_to_shard(s, number, &w->rows, w->order);
		pthread_mutex_unlock(&s->lock);
	}
	renumber(a, w);
	rows_clear(&w->rows);
}

void agg_give_rows(struct agg *a, const struct worker_rows *rows)
{
	a->shards_used = true;
	for (u32 i = 0; i < rows->nr; i++) {
		const struct worker_row *row = rows_at(rows, i);
		u64 hash = rows_hash(rows, row->event, row->words);

		rows_add_row(&a->shards[shard_of(hash)].rows, rows, i, hash);
	}
}
