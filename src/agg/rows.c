/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: the rows of a worker. There are more of them than the CPU's caches hold, so a sample should touch
 * few places: a slot of the table and the row, whose words stand in it.
 */
#include "agg/private.h"

enum { CACHE_LINE = 64 };

void rows_init(struct worker_rows *t, size_t nr_words)
{
	*t = (struct worker_rows){
		.nr_words = (u32)nr_words,
		.size = (u32)ALIGN_UP(sizeof(struct worker_row) + nr_words * sizeof(u64), CACHE_LINE) };
}

void rows_release(struct worker_rows *t)
{
	VEC_FOR(&t->chunks, c)
		free(*c);
	vec_free(&t->chunks);
	map_release(&t->by_words);
	vec_free(&t->rest);
	vec_free(&t->levels);
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
		*VEC_PUSH(&t->chunks) = xaligned_alloc(CACHE_LINE, (size_t)t->size << ROW_CHUNK_BITS);
	r = rows_at(t, t->nr);
	*r = (struct worker_row){ .first_time = UINT64_MAX, .event = event };
	for (u32 k = 0; k < t->nr_words; k++)
		r->words[k] = words[k];
	*VEC_PUSH(&t->rest) = (struct row_rest){ 0 };
	map_add(&t->by_words, hash, t->nr);
	return t->nr++;
}

void rows_prefetch(const struct worker_rows *t, u64 hash)
{
	struct map_probe at = map_first(&t->by_words, hash);
	u32 i;

	if (map_next(&t->by_words, &at, &i))
		__builtin_prefetch(rows_at(t, i));
}
