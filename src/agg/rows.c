/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: the rows of a worker. There are more of them than the CPU's caches hold, so a sample should
 * touch few places: a slot of the table and the row, whose words stand in it.
 */
#include "agg/private.h"

enum { CACHE_LINE = 64 };

void rows_init(struct worker_rows *t, size_t nr_words)
{
	*t = (struct worker_rows){ .nr_words = (u32)nr_words,
				   .size = (u32)ALIGN_UP(sizeof(struct worker_row) +
								 nr_words * sizeof(u64),
							 CACHE_LINE) };
}

static size_t chunk_size(const struct worker_rows *t)
{
	return (t->size + sizeof(struct row_rest)) * ROW_CHUNK;
}

void rows_release(struct worker_rows *t)
{
	VEC_FOR(&t->chunks, c)
		mem_pages_free(*c, chunk_size(t));
	vec_free(&t->chunks);
	map_release(&t->by_words);
	vec_free(&t->codes);
	vec_free(&t->levels);
	vec_free(&t->acc);
	vec_free(&t->latency);
	t->nr = 0;
}

void rows_clear(struct worker_rows *t)
{
	map_clear(&t->by_words);
	t->codes.nr = t->levels.nr = t->acc.nr = t->latency.nr = 0;
	t->nr = 0;
}

u64 rows_hash(const struct worker_rows *t, u32 event, const u64 *words)
{
	u64 h = event;

	for (u32 k = 0; k < t->nr_words; k++)
		h = hash_mix(h, words[k]);
	return hash_finish(h);
}

bool rows_is(const struct worker_rows *t, u32 row, u32 event, const u64 *words)
{
	const struct worker_row *r = rows_at(t, row);

	for (u32 k = 0; k < t->nr_words; k++)
		if (r->words[k] != words[k])
			return false;
	return r->event == event;
}

bool rows_find(const struct worker_rows *t, u32 event, const u64 *words, u64 hash, u32 *row)
{
	for (struct map_probe at = map_first(&t->by_words, hash); map_next(&t->by_words, &at, row);)
		if (rows_is(t, *row, event, words))
			return true;
	return false;
}

u32 rows_add(struct worker_rows *t, u32 event, const u64 *words, u64 hash)
{
	struct worker_row *r;

	if (t->nr >> ROW_CHUNK_BITS == t->chunks.nr)
		*VEC_PUSH(&t->chunks) = mem_pages_new(chunk_size(t));
	r = rows_at(t, t->nr);
	*r = (struct worker_row){ .first_time = UINT64_MAX, .event = event };
	for (u32 k = 0; k < t->nr_words; k++)
		r->words[k] = words[k];
	*rows_rest(t, t->nr) = (struct row_rest){ 0 };
	map_add(&t->by_words, hash, t->nr);
	return t->nr++;
}

void rows_set_code(struct worker_rows *t, struct row_rest *rest, const struct agg_code *code)
{
	if (rest->code) {
		t->codes.v[rest->code - 1] = *code;
		return;
	}
	*VEC_PUSH(&t->codes) = *code;
	rest->code = (u32)t->codes.nr;
}

void rows_add_acc(struct worker_rows *t, u32 row, u64 period)
{
	while (t->acc.nr <= row)
		*VEC_PUSH(&t->acc) = 0;
	t->acc.v[row] += period;
}

void rows_add_latency(struct worker_rows *t, u32 row, u64 own, u64 acc)
{
	while (t->latency.nr <= row)
		*VEC_PUSH(&t->latency) = (struct latency_sums){ 0 };
	t->latency.v[row].own += own;
	t->latency.v[row].acc += acc;
}

bool rows_note_first(struct worker_row *row, u64 time, u32 thread)
{
	if (time > row->first_time || (time == row->first_time && thread >= row->first_thread))
		return false;
	row->first_time = time;
	row->first_thread = thread;
	return true;
}

void rows_prefetch(const struct worker_rows *t, u64 hash)
{
	struct map_probe at = map_first(&t->by_words, hash);
	u32 i;

	if (map_next(&t->by_words, &at, &i))
		__builtin_prefetch(rows_at(t, i));
}
