/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge: the workers' tables become one. Here also end the differences that no row can show: two
 * objects of the same name, two symbols at the same place of two such objects.
 */
#include "agg/private.h"
#include "base/hash.h"

enum {
	STEP = 16, /* rows whose memory is asked for at once */
	CHAINS_AHEAD = 8,
};

/* ---- things that look alike ---- */

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

static u64 frame_end(struct agg *a, const struct frame *f)
{
	return symtab_end(dso_symtab(dso_table_get(session_dsos(a->s), f->dso)), f->sym);
}

static bool look_alike(struct agg *a, u64 x, u64 y)
{
	const struct frame *f = session_frame_get(a->s, (frame_id)x);
	const struct frame *g = session_frame_get(a->s, (frame_id)y);

	if (agg_symbol_addr(f, x) != agg_symbol_addr(g, y) ||
	    agg_same_dso(a, f->dso) != agg_same_dso(a, g->dso) ||
	    (f->sym == SYM_NONE) != (g->sym == SYM_NONE) || agg_compare_inlined(f, g))
		return false;
	return f->sym == SYM_NONE || frame_end(a, f) == frame_end(a, g);
}

static u64 look_hash(struct agg *a, const struct frame *f, u64 word)
{
	return hash_finish(hash_mix(agg_symbol_addr(f, word), agg_same_dso(a, f->dso)));
}

static bool find_look(struct agg *a, u64 word, u64 hash, u32 *look)
{
	for (struct map_probe p = map_first(&a->by_look, hash); map_next(&a->by_look, &p, look);)
		if (look_alike(a, word, a->looks.v[*look]))
			return true;
	return false;
}

static u64 hash_of_look(struct agg *a, u64 word)
{
	return look_hash(a, session_frame_get(a->s, (frame_id)word), word);
}

u64 agg_same_symbol(struct agg *a, u64 word)
{
	u64 hash = hash_of_look(a, word);
	u32 look;

	if (find_look(a, word, hash, &look))
		return a->looks.v[look];
	map_add(&a->by_look, hash, (u32)a->looks.nr);
	*VEC_PUSH(&a->looks) = word;
	return word;
}

bool agg_look_of(struct agg *a, u64 word, u32 *look)
{
	return find_look(a, word, hash_of_look(a, word), look);
}

/* The looks of all frames as callers, divided among shards by their hash. */
struct look_search {
	struct agg *a;
	u32 nr_shards;
	u64 *hashes; /* by frame */
	u32 *looks;
};

enum { LOOKS_SLICE = 4096 };

static u64 caller_word(struct agg *a, frame_id frame)
{
	return agg_caller_symbol(frame, session_frame_get(a->s, frame));
}

static void hash_looks(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct look_search *l = ctx;

	for (size_t i = from; i < to; i++)
		l->hashes[i] = hash_of_look(l->a, caller_word(l->a, (frame_id)i));
}

/* Among those of samples or else among the shard's callers, by frame. */
static u32 look_in(struct agg *a, struct map *callers, u64 hash, frame_id frame)
{
	u64 word = caller_word(a, frame);
	u32 i;

	if (find_look(a, word, hash, &i))
		return i;
	for (struct map_probe p = map_first(callers, hash); map_next(callers, &p, &i);)
		if (look_alike(a, word, caller_word(a, i)))
			return (u32)a->looks.nr + i;
	map_add(callers, hash, frame);
	return (u32)a->looks.nr + frame;
}

static void find_looks(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct look_search *l = ctx;

	for (size_t shard = from; shard < to; shard++) {
		struct map callers = { 0 };

		map_reserve(&callers, l->a->nr_frames / l->nr_shards);
		for (frame_id i = 0; i <= l->a->nr_frames; i++)
			if (l->hashes[i] % l->nr_shards == shard)
				l->looks[i] = look_in(l->a, &callers, l->hashes[i], i);
		map_release(&callers);
	}
}

u32 *agg_looks_of_callers(struct agg *a)
{
	struct par *par = session_par(a->s);
	struct look_search l = { .a = a,
				 .nr_shards = par_workers(par),
				 .hashes = XNEW_ARRAY(u64, a->nr_frames + 1),
				 .looks = XNEW_ARRAY(u32, a->nr_frames + 1) };

	agg_same_dso(a, 0); /* its table is made */
	par_for(par, a->nr_frames + 1, LOOKS_SLICE, hash_looks, &l);
	par_for(par, l.nr_shards, 1, find_looks, &l);
	free(l.hashes);
	return l.looks;
}

u64 agg_word_of_look(struct agg *a, u32 look)
{
	return look < a->looks.nr ? a->looks.v[look] : caller_word(a, look - (u32)a->looks.nr);
}

/* ---- rows ---- */

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

/* Number of the row of that section with those words; made when it is new. */
static u32 agg_entry_of(struct agg *a, u32 section, const u64 *words)
{
	size_t nr = a->c.nr_keys;
	u32 members = a->sections.v[section].nr_members;
	u64 h = entry_hash(a, section, words);
	u32 i;

	for (struct map_probe p = map_first(&a->by_words, h); map_next(&a->by_words, &p, &i);)
		if (same_words(a, &a->entries.v[i], section, words))
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

void agg_sums_add(struct agg_sums *to, const struct agg_sums *from)
{
	to->period += from->period;
	to->nr += from->nr;
	to->latency += from->latency;
	to->sys += from->sys;
	to->us += from->us;
	to->guest_sys += from->guest_sys;
	to->guest_us += from->guest_us;
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
 * The words of some rows, as those that stand for what looks alike. Tables and frames lie all over
 * memory, so each step asks for what the next one needs of all rows.
 */
static void take_words(struct agg *a, struct row_step *s)
{
	for (size_t k = 0; k < a->c.nr_keys; k++) {
		u64 (*canon)(struct agg * a, u64 word) = a->c.keys[k]->canon;
		bool look = canon == agg_same_symbol;

		for (u32 i = 0; i < s->nr; i++) {
			s->words[i][k] = word_of(a, s, i, k);
			if (look)
				__builtin_prefetch(
					session_frame_get(a->s, (frame_id)s->words[i][k]));
		}
		for (u32 i = 0; look && i < s->nr; i++)
			map_prefetch(&a->by_look, hash_of_look(a, s->words[i][k]));
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

/* The rows of a worker, or of a shard, which need not be kept. */
static u32 *use_up_rows(struct agg *a, struct worker_rows *t)
{
	u32 *slots = agg_merge_rows(a, t, NULL);

	rows_release(t);
	return slots;
}

static void merge_worker(struct agg *a, struct agg_worker *w)
{
	_cleanup_(mem_freep) u32 *slots = use_up_rows(a, &w->rows);

	map_release(&w->chains.by_chain);
	VEC_FOR(&w->chains.pairs, rc)
		rc->row = slots[rc->row];
	VEC_FOR(&w->late, l)
		l->tag = slots[l->tag];
}

static void merge_shards(struct agg *a)
{
	u32 *slots[ROW_SHARDS];

	for (unsigned int i = 0; i < a->nr_workers; i++) {
		agg_move_rows(a, &a->workers[i]);
		rows_release(&a->workers[i].rows);
	}
	for (u32 i = 0; i < ROW_SHARDS; i++)
		slots[i] = use_up_rows(a, &a->shards[i].rows);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];

		map_release(&w->chains.by_chain);
		VEC_FOR(&w->chains.pairs, rc)
			rc->row = slots[rc->row % ROW_SHARDS][rc->row / ROW_SHARDS];
		VEC_FOR(&w->late, l)
			l->tag = slots[l->tag % ROW_SHARDS][l->tag / ROW_SHARDS];
	}
	for (u32 i = 0; i < ROW_SHARDS; i++)
		free(slots[i]);
}

/* apart: those of one worker alone, where no rows fell together. */
static void merge_chains(struct agg *a, bool apart)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < a->nr_workers && !apart; i++)
		nr += a->workers[i].chains.pairs.nr;
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

void agg_merge(struct agg *a)
{
	size_t nr_rows = 0;
	unsigned int busy = 0;

	if (a->shards_used)
		merge_shards(a);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];

		agg_merge_totals(a, w->events.v, w->events.nr);
		if (!w->rows.nr)
			continue;
		busy++;
		nr_rows += w->rows.nr;
		merge_worker(a, w);
	}
	if (a->late_chains)
		agg_read_late_chains(a);
	merge_chains(a, busy == 1 && a->sums.nr == nr_rows && !a->late_chains);
}
