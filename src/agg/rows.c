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

static size_t bytes_of_chunk(const struct worker_rows *t, u32 chunk)
{
	return (t->size + sizeof(struct row_rest)) * row_chunk_size(chunk);
}

void rows_release(struct worker_rows *t)
{
	for (u32 c = 0; c < ROW_CHUNKS; c++) {
		mem_pages_free(t->chunks[c], bytes_of_chunk(t, c));
		t->chunks[c] = NULL;
	}
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
	u32 c = row_chunk(t->nr);
	struct worker_row *r;

	if (!t->chunks[c])
		t->chunks[c] = mem_pages_new(bytes_of_chunk(t, c));
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
	__atomic_store_n(&row->first_time, time, __ATOMIC_RELAXED);
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

static void add_levels(struct worker_rows *to, u32 k, const struct worker_rows *from, u32 i)
{
	const struct level_sums *l;

	if (i >= from->levels.nr)
		return;
	while (to->levels.nr <= k)
		*VEC_PUSH(&to->levels) = (struct level_sums){ 0 };
	l = &from->levels.v[i];
	to->levels.v[k].sys += l->sys;
	to->levels.v[k].us += l->us;
	to->levels.v[k].guest_sys += l->guest_sys;
	to->levels.v[k].guest_us += l->guest_us;
}

static void copy_rest(struct worker_rows *to, u32 k, const struct worker_rows *from, u32 i)
{
	const struct row_rest *rest = rows_rest(from, i);
	struct row_rest *copy = rows_rest(to, k);
	u32 code = copy->code;

	*copy = *rest;
	copy->code = code;
	if (rest->code && !rest->frame)
		rows_set_code(to, copy, &from->codes.v[rest->code - 1]);
}

u32 rows_add_row(struct worker_rows *to, const struct worker_rows *from, u32 i, u64 hash)
{
	const struct worker_row *row = rows_at(from, i);
	struct worker_row *sum;
	u32 k;

	if (!rows_find(to, row->event, row->words, hash, &k))
		k = rows_add(to, row->event, row->words, hash);
	sum = rows_at(to, k);
	/* (other workers may know it: count_spot()) */
	__atomic_fetch_add(&sum->period, row->period, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->nr, row->nr, __ATOMIC_RELAXED);
	if (rows_note_first(sum, row->first_time, row->first_thread))
		copy_rest(to, k, from, i);
	add_levels(to, k, from, i);
	if (i < from->acc.nr)
		rows_add_acc(to, k, from->acc.v[i]);
	if (i < from->latency.nr)
		rows_add_latency(to, k, from->latency.v[i].own, from->latency.v[i].acc);
	return k;
}
