/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge: the workers' tables become one.
 */
#include "agg/private.h"
#include "base/hash.h"

enum {
	STEP = 16, /* rows whose memory is asked for at once */
	CHAINS_AHEAD = 8,
};

static bool same_words(const struct agg *a, const struct agg_entry *e, u32 section,
		       const u64 *words)
{
	return e->section == section &&
	       (!a->c.nr_keys || !memcmp(e->words, words, a->c.nr_keys * sizeof(*words)));
}

static u64 entry_hash(const struct agg *a, u32 section, const u64 *words)
{
	u64 h = section;

	for (size_t k = 0; k < a->c.nr_keys; k++)
		h = hash_mix(h, words[k]);
	return hash_finish(h);
}

static bool find_entry(const struct agg *a, u32 section, const u64 *words, u64 hash, u32 *entry)
{
	for (struct map_probe p = map_first(&a->by_words, hash); map_next(&a->by_words, &p, entry);)
		if (same_words(a, &a->entries.v[*entry], section, words))
			return true;
	return false;
}

bool agg_find_slot(struct agg *a, u32 event, const u64 *words, u32 *slot)
{
	struct member_of mo = a->member_of[event];
	u64 alike[AGG_MAX_KEYS];
	u32 i;

	for (size_t k = 0; k < a->c.nr_keys; k++) {
		const struct agg_key *key = a->c.keys[k];

		alike[k] = words[k];
		if (key->canon == agg_same_symbol) {
			if (!agg_equal_symbol_of(a, words[k], &i))
				return false;
			alike[k] = a->equal_symbols.v[i];
		} else if (key->canon) {
			alike[k] = key->canon(a, words[k]);
		}
	}
	if (!find_entry(a, mo.section, alike, entry_hash(a, mo.section, alike), &i))
		return false;
	*slot = a->entries.v[i].slot + mo.member;
	return true;
}

/* Number of the row of that section with those words; made when it is new. */
static u32 agg_entry_of(struct agg *a, u32 section, const u64 *words)
{
	size_t nr = a->c.nr_keys;
	u32 members = a->sections.v[section].nr_members;
	u64 h = entry_hash(a, section, words);
	u32 i;

	if (find_entry(a, section, words, h, &i))
		return i;
	i = (u32)a->entries.nr;
	*VEC_PUSH(&a->entries) = (struct agg_entry){
		.section = section,
		.slot = (u32)a->sums.nr,
		.first_time = UINT64_MAX,
		.first_member = UINT32_MAX,
		.words = nr ? arena_dup(&a->arena, words, nr * sizeof(*words)) : NULL
	};
	for (u32 m = 0; m < members; m++) {
		*VEC_PUSH(&a->sums) = (struct row_sums){ 0 };
		if (a->c.levels)
			*VEC_PUSH(&a->levels) = (struct level_sums){ 0 };
		if (a->c.latency)
			*VEC_PUSH(&a->latency) = (struct latency_sums){ 0 };
		*VEC_PUSH(&a->slot_entry) = i;
	}
	map_add(&a->by_words, h, i);
	return i;
}

/* The earliest sample decides what a row shows of it. */
static void agg_note_first(struct agg_entry *e, const struct agg_entry *sample)
{
	if (sample->first_member != e->first_member) {
		if (sample->first_member > e->first_member)
			return;
	} else if (sample->first_time != e->first_time) {
		if (sample->first_time > e->first_time)
			return;
	} else if (sample->first_thread >= e->first_thread) {
		return;
	}
	e->first_time = sample->first_time;
	e->first_thread = sample->first_thread;
	e->first_member = sample->first_member;
	e->level = sample->level;
	e->code = sample->code;
	e->filtered = sample->filtered;
}

static void add_sums(struct agg *a, u32 slot, const struct worker_rows *t, u32 i)
{
	const struct worker_row *row = rows_at(t, i);
	struct row_sums *to = &a->sums.v[slot];
	struct level_sums *levels;

	to->period += row->period;
	to->nr += row->nr;
	to->acc += i < t->acc.nr ? t->acc.v[i] : 0;
	if (i < t->latency.nr) {
		a->latency.v[slot].own += t->latency.v[i].own;
		a->latency.v[slot].acc += t->latency.v[i].acc;
	}
	if (i >= t->levels.nr)
		return;
	levels = &a->levels.v[slot];
	levels->sys += t->levels.v[i].sys;
	levels->us += t->levels.v[i].us;
	levels->guest_sys += t->levels.v[i].guest_sys;
	levels->guest_us += t->levels.v[i].guest_us;
}

/* Some rows on their way into the others, with their words. */
struct row_step {
	const struct worker_rows *rows;
	const struct key_source *keys;
	u32 from, nr;
	u64 words[STEP][AGG_MAX_KEYS];
};

static u64 word_of(struct agg *a, const struct row_step *s, u32 i, size_t k)
{
	const u64 *words = rows_at(s->rows, s->from + i)->words;

	if (!s->keys)
		return words[k];
	if (s->keys[k].of_frame)
		return a->c.keys[k]->of_frame(a, (frame_id)words[s->keys[k].word]);
	return words[s->keys[k].word];
}

/*
 * The words of some rows, as those that stand for all equal ones. Tables and frames lie all over
 * memory, so each step asks for what the next one needs of all rows.
 */
static void take_words(struct agg *a, struct row_step *s)
{
	for (size_t k = 0; k < a->c.nr_keys; k++) {
		u64 (*canon)(struct agg * a, u64 word) = a->c.keys[k]->canon;
		bool symbols = canon == agg_same_symbol;

		for (u32 i = 0; i < s->nr; i++) {
			s->words[i][k] = word_of(a, s, i, k);
			if (symbols)
				__builtin_prefetch(
					session_frame_get(a->s, (frame_id)s->words[i][k]));
		}
		for (u32 i = 0; symbols && i < s->nr; i++)
			agg_prefetch_equal_symbol(a, s->words[i][k]);
		for (u32 i = 0; canon && i < s->nr; i++)
			s->words[i][k] = canon(a, s->words[i][k]);
	}
	for (u32 i = 0; i < s->nr; i++) {
		u32 event = rows_at(s->rows, s->from + i)->event;

		map_prefetch(&a->by_words, entry_hash(a, a->member_of[event].section, s->words[i]));
	}
}

static u32 merge_row(struct agg *a, const struct worker_rows *t, u32 i, const u64 *words)
{
	const struct worker_row *row = rows_at(t, i);
	const struct row_rest *rest = rows_rest(t, i);
	const struct frame *f = rest->frame ? session_frame_get(a->s, rest->frame) : NULL;
	struct agg_code code = rest->code ? t->codes.v[rest->code - 1] : (struct agg_code){ 0 };
	struct member_of mo = a->member_of[row->event];
	struct agg_entry *e;
	u32 entry;

	entry = agg_entry_of(a, mo.section, words);
	e = &a->entries.v[entry];
	agg_note_first(e, &(struct agg_entry){ .first_time = row->first_time,
					       .first_thread = row->first_thread,
					       .first_member = mo.member,
					       .level = f ? f->cpumode : rest->level,
					       .code = f ? agg_code_of_frame(f) : code,
					       .filtered = rest->filtered });
	add_sums(a, e->slot + mo.member, t, i);
	return e->slot + mo.member;
}

u32 *agg_merge_rows(struct agg *a, const struct worker_rows *t, const struct key_source *keys)
{
	u32 *slots = XNEW_ARRAY(u32, t->nr + 1);
	struct row_step s = { .rows = t, .keys = keys };

	for (s.from = 0; s.from < t->nr; s.from += STEP) {
		s.nr = MIN((u32)STEP, t->nr - s.from);
		take_words(a, &s);
		for (u32 i = 0; i < s.nr; i++)
			slots[s.from + i] = merge_row(a, t, s.from + i, s.words[i]);
	}
	return slots;
}

/* ---- rows and chains ---- */

static void merge_worker(struct agg *a, struct agg_worker *w)
{
	_cleanup_(mem_freep) u32 *slots = agg_merge_rows(a, &w->rows, NULL);

	rows_release(&w->rows);
	map_release(&w->chains.by_chain);
	VEC_FOR(&w->chains.pairs, rc)
		rc->row = slots[rc->row];
	VEC_FOR(&w->late, l)
		l->tag = slots[l->tag & ~ROW_OF_WORKER];
}

static void merge_shards(struct agg *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		agg_move_rows(a, &a->workers[i]);
		rows_release(&a->workers[i].rows);
		map_release(&a->workers[i].moved.by_chain);
	}
	for (u32 i = 0; i < ROW_SHARDS; i++) {
		struct worker_rows *t = &a->shards[i].rows;
		u32 *slots = a->shards[i].slots = agg_merge_rows(a, t, NULL);

		for (u32 row = 0; a->some_lost && row < t->nr; row++)
			if (rows_at(t, row)->lost)
				*VEC_PUSH(&a->slots_of_lost) = slots[row];
		rows_release(t);
	}
}

void agg_merge_chains(struct agg *a, bool apart)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < a->nr_workers; i++)
		nr += a->workers[i].chains.pairs.nr;
	if (!apart)
		map_reserve(&a->chains.by_chain, (u32)MIN(nr, (size_t)1 << 30));
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct row_chains *t = &a->workers[i].chains;
		const struct row_chain *v = t->pairs.v;

		map_release(&t->by_chain);
		if (apart && t->pairs.nr) {
			/* the table can be taken as it is */
			a->chains = *t;
			*t = (struct row_chains){ 0 };
		}
		for (size_t c = 0; c < t->pairs.nr; c++) {
			if (c + CHAINS_AHEAD < t->pairs.nr)
				map_prefetch(&a->chains.by_chain,
					     row_chain_hash(v[c + CHAINS_AHEAD].row,
							    v[c + CHAINS_AHEAD].chain));
			row_chains_add(&a->chains, &v[c], row_chain_hash(v[c].row, v[c].chain),
				       a->chains_have_latency ? &t->latency.v[c] : NULL);
		}
		row_chains_release(t);
	}
	map_release(&a->chains.by_chain);
}

void agg_merge_totals(struct agg *a, const struct event_sums *events, size_t nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct member_of mo = a->member_of[i];
		struct agg_section *s = &a->sections.v[mo.section];

		s->period[mo.member] += events[i].period;
		s->nr[mo.member] += events[i].nr;
		s->latency[mo.member] += events[i].latency;
		s->shown_latency[mo.member] += events[i].shown_latency;
		s->shown_period[mo.member] += events[i].shown_period;
		s->shown_nr[mo.member] += events[i].shown_nr;
	}
}

bool agg_merge_workers(struct agg *a)
{
	size_t nr_rows = 0;
	unsigned int busy = 0;

	if (a->shards_used)
		merge_shards(a);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];

		agg_merge_totals(a, w->events.v, w->events.nr);
		agg_merge_places(a, w);
		if (!w->rows.nr)
			continue;
		busy++;
		nr_rows += w->rows.nr;
		merge_worker(a, w);
	}
	return busy == 1 && a->sums.nr == nr_rows;
}
