/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equal_symbols: what no row can tell apart has one word: objects of the same name, and symbols at
 * the same place of such objects.
 */
#include "agg/private.h"
#include "base/hash.h"

dso_id agg_same_dso(struct agg *a, dso_id d)
{
	u32 count = dso_table_count(session_dsos(a->s));

	if (!a->same_dso) {
		struct intern names = { 0 };
		VEC(dso_id) first = { 0 };

		a->same_dso = XNEW_ARRAY(u32, count + 1);
		*VEC_PUSH(&first) = 0;
		for (dso_id i = 1; i <= count; i++) {
			str_id id = intern_adds(&names, agg_dso_name(a, i));

			while (first.nr <= id)
				*VEC_PUSH(&first) = i;
			a->same_dso[i] = first.v[id] ? first.v[id] : i;
		}
		intern_release(&names);
		vec_free(&first);
	}
	return d <= count ? a->same_dso[d] : d;
}

/* ---- code without a symbol ---- */

static bool is_unnamed(const struct agg *a, const struct frame *f)
{
	return a->c.join_unnamed && f->sym == SYM_NONE && !f->inlined;
}

frame_id agg_unnamed_frame(struct agg *a, struct agg_worker *aw, frame_id frame)
{
	const struct frame *f = session_frame_get(a->s, frame);

	if (!is_unnamed(a, f))
		return frame;
	while (aw->unnamed.nr <= f->dso)
		*VEC_PUSH(&aw->unnamed) = 0;
	if (!aw->unnamed.v[f->dso])
		aw->unnamed.v[f->dso] = frame;
	if (aw->unnamed.v[f->dso] != frame)
		*memo_at(&aw->places, f->dso) = 1;
	return aw->unnamed.v[f->dso];
}

void agg_merge_places(struct agg *a, const struct agg_worker *aw)
{
	for (dso_id d = 0; d < aw->places.nr; d++)
		if (aw->places.v[d])
			*memo_at(&a->places, agg_same_dso(a, d)) = 1;
}

bool agg_has_places(struct agg *a, size_t key, const struct agg_entry *e)
{
	const struct frame *f;

	if (!a->c.join_unnamed || a->c.keys[key]->canon != agg_same_symbol)
		return false;
	f = session_frame_get(a->s, (frame_id)e->words[key]);
	return is_unnamed(a, f) && *memo_at(&a->places, agg_same_dso(a, f->dso));
}

/* ---- symbols ---- */

static u64 frame_end(struct agg *a, const struct frame *f)
{
	return symtab_end(dso_symtab(dso_table_get(session_dsos(a->s), f->dso)), f->sym);
}

static bool are_equal(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);

	if (is_unnamed(a, f) && is_unnamed(a, g))
		return agg_same_dso(a, f->dso) == agg_same_dso(a, g->dso);
	if (agg_symbol_addr(f, x) != agg_symbol_addr(g, y) ||
	    agg_same_dso(a, f->dso) != agg_same_dso(a, g->dso) ||
	    (f->sym == SYM_NONE) != (g->sym == SYM_NONE) || agg_compare_inlined(f, g))
		return false;
	return f->sym == SYM_NONE || frame_end(a, f) == frame_end(a, g);
}

static u64 symbol_hash(struct agg *a, const struct frame *f, u64 word)
{
	u64 addr = is_unnamed(a, f) ? 0 : agg_symbol_addr(f, word);

	return hash_finish(hash_mix(addr, agg_same_dso(a, f->dso)));
}

static bool find_equal(struct agg *a, u64 word, u64 hash, u32 *number)
{
	for (struct map_probe p = map_first(&a->by_equal_symbol, hash);
	     map_next(&a->by_equal_symbol, &p, number);)
		if (are_equal(a, word, a->equal_symbols.v[*number]))
			return true;
	return false;
}

static u64 hash_of_symbol(struct agg *a, u64 word)
{
	return symbol_hash(a, session_frame_get(a->s, (frame_id)word), word);
}

void agg_prefetch_equal_symbol(struct agg *a, u64 word)
{
	map_prefetch(&a->by_equal_symbol, hash_of_symbol(a, word));
}

u64 agg_same_symbol(struct agg *a, u64 word)
{
	u64 hash = hash_of_symbol(a, word);
	u32 number;

	if (find_equal(a, word, hash, &number)) {
		const struct frame *f = session_frame_get(a->s, (frame_id)word);

		if (UNLIKELY(word != a->equal_symbols.v[number] && is_unnamed(a, f)))
			*memo_at(&a->places, agg_same_dso(a, f->dso)) = 1;
		return a->equal_symbols.v[number];
	}
	map_add(&a->by_equal_symbol, hash, (u32)a->equal_symbols.nr);
	*VEC_PUSH(&a->equal_symbols) = word;
	return word;
}

void agg_forget_equal_symbols(struct agg *a)
{
	vec_free(&a->equal_symbols);
	map_release(&a->by_equal_symbol);
	free(a->same_dso);
	a->same_dso = NULL;
}

bool agg_equal_symbol_of(struct agg *a, u64 word, u32 *number)
{
	return find_equal(a, word, hash_of_symbol(a, word), number);
}

/* The search for the numbers of all frames as callers, divided among shards by their hash. */
struct equal_search {
	struct agg *a;
	u32 nr_shards;
	u64 *hashes; /* by frame */
	u32 *numbers; /* by frame */
};

enum { EQUAL_SLICE = 4096 };

static u64 caller_word(struct agg *a, frame_id frame)
{
	return agg_caller_symbol(frame, session_frame_get(a->s, frame));
}

static void hash_callers(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct equal_search *l = ctx;

	for (size_t i = from; i < to; i++)
		l->hashes[i] = hash_of_symbol(l->a, caller_word(l->a, (frame_id)i));
}

/* Among those of samples or else among the shard's callers, by frame. */
static u32 equal_in(struct agg *a, struct map *callers, u64 hash, frame_id frame)
{
	u64 word = caller_word(a, frame);
	u32 i;

	if (find_equal(a, word, hash, &i))
		return i;
	for (struct map_probe p = map_first(callers, hash); map_next(callers, &p, &i);)
		if (are_equal(a, word, caller_word(a, i)))
			return (u32)a->equal_symbols.nr + i;
	map_add(callers, hash, frame);
	return (u32)a->equal_symbols.nr + frame;
}

static void find_callers(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct equal_search *l = ctx;

	for (size_t shard = from; shard < to; shard++) {
		struct map callers = { 0 };

		map_reserve(&callers, l->a->nr_frames / l->nr_shards);
		for (frame_id i = 0; i <= l->a->nr_frames; i++)
			if (l->hashes[i] % l->nr_shards == shard)
				l->numbers[i] = equal_in(l->a, &callers, l->hashes[i], i);
		map_release(&callers);
	}
}

u32 *agg_equal_symbols_of_callers(struct agg *a)
{
	struct par *par = session_par(a->s);
	struct equal_search l = { .a = a,
				  .nr_shards = par_workers(par),
				  .hashes = XNEW_ARRAY(u64, a->nr_frames + 1),
				  .numbers = XNEW_ARRAY(u32, a->nr_frames + 1) };

	agg_same_dso(a, 0); /* its table is made */
	par_for(par, a->nr_frames + 1, EQUAL_SLICE, hash_callers, &l);
	par_for(par, l.nr_shards, 1, find_callers, &l);
	free(l.hashes);
	return l.numbers;
}

u64 agg_word_of_equal_symbol(struct agg *a, u32 number)
{
	return number < a->equal_symbols.nr ? a->equal_symbols.v[number]
					    : caller_word(a, number - (u32)a->equal_symbols.nr);
}
