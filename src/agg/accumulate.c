/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * accumulate: what a row's callees cost. Every distinct (row, chain) is walked with its weight. A
 * frame of the chain counts for the row that has the frame's code and otherwise the words of the
 * sampled row; a row that occurs several times in a chain counts once, where the order of the chain
 * meets it first, the sampled row itself with the whole chain.
 *
 * Frames that no row can tell apart share a code, a number. The row of (other words, code) is
 * looked up in a table of pages by code, one per set of other words. Pages, and with them rows, are
 * divided among shards; each shard walks all chains, and looks at what is its own: so nothing is
 * locked, and a row meets its chains in the same order for any number of workers.
 */
#include "agg/private.h"
#include "base/hash.h"

enum { PREFETCH = 8, AHEAD = 64, FRAMES_SLICE = 4096, NO_LEVEL = 0xff };
#define NO_CODE UINT32_MAX
#define OWN_SAMPLE UINT32_MAX

/* ---- sets of other words ---- */

static bool same_base(const struct agg *a, const struct agg_entry *x, const struct agg_entry *y)
{
	if (x->section != y->section)
		return false;
	for (size_t k = 0; k < a->c.nr_keys; k++)
		if (!(a->c.keys[k]->flags & KEY_OF_CODE) && x->words[k] != y->words[k])
			return false;
	return true;
}

static u32 base_of(struct agg *a, u32 entry)
{
	const struct agg_entry *e = &a->entries.v[entry];
	u64 h = e->section;
	u32 i;

	for (size_t k = 0; k < a->c.nr_keys; k++)
		if (!(a->c.keys[k]->flags & KEY_OF_CODE))
			h = hash_mix(h, e->words[k]);
	h = hash_finish(h);
	for (struct map_probe p = map_first(&a->by_base, h); map_next(&a->by_base, &p, &i);)
		if (same_base(a, e, &a->entries.v[a->base_entry.v[i]]))
			return i;
	i = (u32)a->bases.nr;
	*VEC_PUSH(&a->bases) =
		(struct agg_base){ .pages = XNEW_ARRAY(u32 *, a->nr_codes / BASE_PAGE + 1) };
	*VEC_PUSH(&a->base_entry) = entry;
	map_add(&a->by_base, h, i);
	return i;
}

/* ---- codes ---- */

/*
 * Where rows tell symbols apart, and all keys of code are of the symbol, codes are the numbers of
 * equal symbols. Else they are numbers of the words of these keys, which are kept one after the
 * other.
 */
struct codes {
	bool by_equal_symbol;
	size_t nr_words;
	size_t key[AGG_MAX_KEYS]; /* of each word */
	size_t symbol; /* by_equal_symbol: a key whose word is the number of equal symbols */
	VEC(u64) words;
	struct map by_words;
};

static void codes_init(struct codes *c, const struct agg *a)
{
	bool all = true;

	*c = (struct codes){ 0 };
	for (size_t k = 0; k < a->c.nr_keys; k++) {
		if (!(a->c.keys[k]->flags & KEY_OF_CODE))
			continue;
		c->key[c->nr_words++] = k;
		all &= (a->c.keys[k]->flags & KEY_OF_EQUAL_SYMBOLS) != 0;
		if (a->c.keys[k]->canon == agg_same_symbol) {
			c->by_equal_symbol = true;
			c->symbol = k;
		}
	}
	c->by_equal_symbol &= all;
}

static u64 caller_word(struct agg *a, const struct agg_key *key, frame_id frame)
{
	u64 word = key->of_frame(a, frame);

	return key->canon ? key->canon(a, word) : word;
}

static u32 find_code(const struct codes *c, const u64 *words, u64 hash)
{
	u32 i;

	for (struct map_probe p = map_first(&c->by_words, hash); map_next(&c->by_words, &p, &i);)
		if (!c->nr_words ||
		    !memcmp(c->words.v + i * c->nr_words, words, c->nr_words * sizeof(*words)))
			return i;
	return NO_CODE;
}

static u64 hash_words(const struct codes *c, const u64 *words)
{
	u64 h = 0;

	for (size_t i = 0; i < c->nr_words; i++)
		h = hash_mix(h, words[i]);
	return hash_finish(h);
}

static u32 code_of_frame(struct agg *a, struct codes *c, frame_id frame)
{
	u64 words[AGG_MAX_KEYS];
	u64 hash;
	u32 code;

	for (size_t i = 0; i < c->nr_words; i++)
		words[i] = caller_word(a, a->c.keys[c->key[i]], frame);
	hash = hash_words(c, words);
	code = find_code(c, words, hash);
	if (code != NO_CODE)
		return code;
	code = a->nr_codes++;
	map_add(&c->by_words, hash, code);
	VEC_GROW(&c->words, c->nr_words);
	for (size_t i = 0; i < c->nr_words; i++)
		c->words.v[c->words.nr++] = words[i];
	return code;
}

/* NO_CODE: no frame can be that of the row. */
static u32 code_of_entry(struct agg *a, const struct codes *c, u32 entry)
{
	const u64 *all = a->entries.v[entry].words;
	u64 words[AGG_MAX_KEYS];
	u32 number;

	if (c->by_equal_symbol)
		return agg_equal_symbol_of(a, all[c->symbol], &number) ? number : NO_CODE;
	for (size_t i = 0; i < c->nr_words; i++)
		words[i] = all[c->key[i]];
	return find_code(c, words, hash_words(c, words));
}

static void number_codes(struct agg *a, struct codes *c)
{
	codes_init(c, a);
	if (c->by_equal_symbol) {
		a->code_of = agg_equal_symbols_of_callers(a);
		a->nr_codes = (u32)a->equal_symbols.nr + a->nr_frames + 1;
		return;
	}
	a->code_of = XNEW_ARRAY(u32, a->nr_frames + 1);
	a->nr_codes = 0;
	for (frame_id f = 0; f <= a->nr_frames; f++)
		a->code_of[f] = code_of_frame(a, c, f);
}

/* The words of a code, among those of a row. */
static void take_words(struct agg *a, const struct codes *c, u32 code, u64 *words)
{
	u64 equal = c->by_equal_symbol ? agg_word_of_equal_symbol(a, code) : 0;

	for (size_t i = 0; i < c->nr_words; i++) {
		const struct agg_key *key = a->c.keys[c->key[i]];
		u64 *word = &words[c->key[i]];

		if (!c->by_equal_symbol)
			*word = c->words.v[code * c->nr_words + i];
		else if (key->canon == agg_same_symbol)
			*word = equal;
		else
			*word = caller_word(a, key, (frame_id)equal);
	}
}

/* ---- shards ---- */

/* What is known of a row while chains are walked. */
struct row_tally {
	u64 acc; /* of its first member */
	u64 first_time;
	u32 first_thread, first_member;
	u32 chain; /* that has the earliest sample, at pos; OWN_SAMPLE: none but those of the row
		      itself */
	u32 pos;
	u32 max_depth;
	u32 stamp; /* the last chain that counted here, + 1 */
	u32 more; /* in shard.more: see new_more() */
	u8 level; /* of the row's own samples */
};

/* A row of callers only: of the code, with the other words of an entry. */
struct new_row {
	u32 from, code;
};

struct walk;
struct shard {
	struct walk *w;
	u32 number;
	VEC(struct row_tally) tallies; /* of new rows */
	VEC(struct new_row) rows;
	VEC(u64) more;
	const u64 *latency; /* by chain, NULL = not counted */
	u32 first_entry, first_slot; /* of the new rows */
	u32 nr_slots;
};

struct walk {
	struct agg *a;
	struct codes codes;
	u32 nr_shards;
	u32 nr_old; /* rows that have samples */
	struct row_tally *old;
	u32 *code_of_old;
	u8 *shard_of_page; /* by code / BASE_PAGE */
	u8 *level_of; /* by frame; NO_LEVEL: outside every mapping, or not shown */
	struct shard *shards;
};

static u32 shard_of_code(const struct walk *w, u32 code)
{
	return w->shard_of_page[code / BASE_PAGE];
}

static u32 shard_of_old(const struct walk *w, u32 entry)
{
	u32 code = w->code_of_old[entry];

	return code == NO_CODE ? entry % w->nr_shards : shard_of_code(w, code);
}

static u32 nr_members(const struct agg *a, u32 entry)
{
	return a->sections.v[a->entries.v[entry].section].nr_members;
}

/* Of other members the periods, then of all members the latencies, where these count. */
static u32 new_more(struct shard *s, u32 members)
{
	u32 more = (u32)s->more.nr;
	u32 nr = members - 1 + (s->latency ? members : 0);

	VEC_GROW(&s->more, nr);
	for (u32 i = 0; i < nr; i++)
		s->more.v[s->more.nr++] = 0;
	return more;
}

static struct row_tally *tally_of(const struct shard *s, u32 row)
{
	return row < s->w->nr_old ? &s->w->old[row] : &s->tallies.v[row - s->w->nr_old];
}

/* The number of the row: behind the old ones, of each shard from there on until all are known. */
static u32 add_row(struct shard *s, u32 from, u32 code)
{
	u32 members = nr_members(s->w->a, from);

	*VEC_PUSH(&s->rows) = (struct new_row){ .from = from, .code = code };
	*VEC_PUSH(&s->tallies) = (struct row_tally){ .first_time = UINT64_MAX,
						     .first_member = UINT32_MAX,
						     .more = new_more(s, members) };
	s->nr_slots += members;
	return s->w->nr_old + (u32)s->tallies.nr - 1;
}

static __attribute__((noinline)) void count_latency(struct shard *s, const struct row_tally *t,
						    u32 chain, u32 member)
{
	const struct agg *a = s->w->a;
	u32 members = nr_members(a, a->slot_entry.v[a->chains.pairs.v[chain].row]);

	s->more.v[t->more + members - 1 + member] += s->latency[chain];
}

/* The frame at pos, or with pos 0 the row itself, is met in a chain of nr frames. */
static void count(struct shard *s, u32 row, u32 chain, const struct row_chain *rc, u32 member,
		  u32 pos, u32 nr)
{
	struct row_tally *t = tally_of(s, row);

	if (UNLIKELY(s->latency))
		count_latency(s, t, chain, member);
	if (member)
		s->more.v[t->more + member - 1] += rc->period;
	else
		t->acc += rc->period;
	if (!member)
		t->max_depth = MAX(t->max_depth, nr - pos);
	if (member != t->first_member         ? member > t->first_member
	    : rc->first_time != t->first_time ? rc->first_time > t->first_time
					      : rc->first_thread >= t->first_thread)
		return;
	t->first_member = member;
	t->first_time = rc->first_time;
	t->first_thread = rc->first_thread;
	t->chain = chain;
	t->pos = pos;
}

/* A frame of a chain that is the shard's; or the row of the chain's samples, at 0. */
struct met {
	u32 *slot; /* in its page: row + 1; NULL: the row is known */
	u32 code, row;
	u32 chain, self, pos, nr;
};

/* Those of some chains: rows are looked for when memory has had time to bring what tells them. */
struct met_batch {
	struct met met[2 * AHEAD];
	size_t nr;
};

static u32 *slot_of(struct agg *a, u32 base, u32 code)
{
	u32 **page = &a->bases.v[base].pages[code / BASE_PAGE];

	if (UNLIKELY(!*page))
		*page = XNEW_ARRAY(u32, BASE_PAGE);
	return &(*page)[code % BASE_PAGE];
}

static void count_met(struct shard *s, struct met_batch *b)
{
	struct agg *a = s->w->a;

	for (size_t i = 0; i < b->nr; i++) {
		struct met *m = &b->met[i];

		if (m->slot) {
			if (UNLIKELY(!*m->slot))
				*m->slot = add_row(s, m->self, m->code) + 1;
			m->row = *m->slot - 1;
		}
		__builtin_prefetch(tally_of(s, m->row));
	}
	for (size_t i = 0; i < b->nr; i++) {
		const struct met *m = &b->met[i];
		const struct row_chain *rc = &a->chains.pairs.v[m->chain];
		struct row_tally *t = tally_of(s, m->row);

		if (t->stamp == m->chain + 1)
			continue;
		t->stamp = m->chain + 1;
		count(s, m->row, m->chain, rc, rc->row - a->entries.v[m->self].slot, m->pos, m->nr);
	}
	b->nr = 0;
}

/* A frame of a chain that is the shard's. */
struct own_frame {
	u32 code, pos;
};

/* Those of [from, to) of the frames of a chain; returns how many. At most AHEAD. */
static size_t own_frames(const struct shard *s, const frame_id *frames, size_t nr, size_t from,
			 size_t to, struct own_frame *own)
{
	const struct agg *a = s->w->a;
	/* (kept here: the compiler cannot know that nothing below changes them) */
	const u32 *code_of = a->code_of;
	const u8 *shard_of_page = s->w->shard_of_page;
	u32 number = s->number;
	bool caller_first = a->c.caller_first;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		u32 code = code_of[frames[caller_first ? nr - 1 - i : i]];

		/* (whose frame it is cannot be predicted: no jump) */
		own[n] = (struct own_frame){ .code = code, .pos = (u32)i };
		n += shard_of_page[code / BASE_PAGE] == number;
	}
	return n;
}

static bool is_hidden(struct agg *a, const struct met *m, const frame_id *frames)
{
	return session_frame_get(a->s, frames[a->c.caller_first ? m->nr - 1 - m->pos : m->pos])
		       ->sym == SYM_NONE;
}

/* The shard's frames of [from, to) of a chain, into the batch, which has room for them. */
static void meet_frames(struct shard *s, struct met_batch *b, const struct met *of,
			const frame_id *frames, size_t from, size_t to)
{
	struct agg *a = s->w->a;
	struct own_frame own[AHEAD];
	size_t nr = own_frames(s, frames, of->nr, from, to, own);
	u32 base = a->entries.v[of->self].base;

	for (size_t i = 0; i < nr; i++) {
		struct met *m = &b->met[b->nr];

		*m = (struct met){ .code = own[i].code,
				   .chain = of->chain,
				   .self = of->self,
				   .pos = own[i].pos,
				   .nr = of->nr };
		if (UNLIKELY(a->c.hide_unresolved) && is_hidden(a, m, frames))
			continue;
		m->slot = slot_of(a, base, m->code);
		__builtin_prefetch(m->slot);
		b->nr++;
	}
}

static void walk_chain(struct shard *s, struct met_batch *b, u32 chain)
{
	struct agg *a = s->w->a;
	const struct row_chain *rc = &a->chains.pairs.v[chain];
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);
	struct met self = { .self = a->slot_entry.v[rc->row], .chain = chain, .nr = (u32)nr };

	self.row = self.self;
	if (shard_of_old(s->w, self.self) == s->number)
		b->met[b->nr++] = self;
	for (size_t from = 0; from < nr; from += AHEAD) {
		if (b->nr >= AHEAD)
			count_met(s, b);
		meet_frames(s, b, &self, frames, from, MIN(from + AHEAD, nr));
	}
	/* room for the next chain's own row */
	if (b->nr >= AHEAD)
		count_met(s, b);
}

static void walk_chains(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct walk *w = ctx;
	struct met_batch b = { .nr = 0 };

	for (size_t n = from; n < to; n++) {
		for (u32 i = 0; i < w->a->chains.pairs.nr; i++) {
			if (i + 2 * PREFETCH < w->a->chains.pairs.nr)
				session_chain_prefetch(
					w->a->s, w->a->chains.pairs.v[i + 2 * PREFETCH].chain);
			if (i + PREFETCH < w->a->chains.pairs.nr)
				session_chain_prefetch_frames(
					w->a->s, w->a->chains.pairs.v[i + PREFETCH].chain);
			walk_chain(&w->shards[n], &b, i);
		}
		count_met(&w->shards[n], &b);
	}
}

/* ---- the rows ---- */

/*
 * The level of the frame at pos of a chain. Outside every mapping it is that of the frame before,
 * as in perf: of the last one that has a level and is the first of its row in the chain.
 */
static u8 level_at(struct shard *s, u32 chain, u32 pos)
{
	struct agg *a = s->w->a;
	const struct row_chain *rc = &a->chains.pairs.v[chain];
	u32 self = a->slot_entry.v[rc->row];
	u32 self_code = s->w->code_of_old[self];
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, rc->chain, &nr);

	for (u32 i = pos + 1; i-- > 0;) {
		frame_id f = frames[a->c.caller_first ? nr - 1 - i : i];
		u32 code = a->code_of[f], before = 0;

		if (s->w->level_of[f] == NO_LEVEL || code == self_code)
			continue;
		while (a->code_of[frames[a->c.caller_first ? nr - 1 - before : before]] != code)
			before++;
		if (before == i)
			return s->w->level_of[f];
	}
	return s->w->old[self].level;
}

/* The frame that was met first, of a row of callers. */
static frame_id first_frame(const struct shard *s, const struct row_tally *t)
{
	const struct agg *a = s->w->a;
	size_t nr;
	const frame_id *frames = session_chain_frames(a->s, a->chains.pairs.v[t->chain].chain, &nr);

	return frames[a->c.caller_first ? nr - 1 - t->pos : t->pos];
}

/* What a row shows of the earliest sample, where that met it as a caller. */
static void take_first(struct shard *s, struct agg_entry *e, const struct row_tally *t)
{
	struct agg *a = s->w->a;
	const struct row_chain *rc;
	const struct frame *f;

	e->max_depth = t->max_depth;
	if (t->chain == OWN_SAMPLE)
		return;
	rc = &a->chains.pairs.v[t->chain];
	f = session_frame_get(a->s, first_frame(s, t));
	e->first_time = t->first_time;
	e->first_thread = t->first_thread;
	e->first_member = t->first_member;
	e->filtered = rc->filtered;
	e->level = f->dso ? f->cpumode : level_at(s, t->chain, t->pos);
	e->code = (struct agg_code){ .dso = f->dso,
				     .addr = f->ip,
				     .state = f->sym == SYM_NONE ? CODE_UNNAMED : CODE_NAMED };
}

static void take_sums(struct shard *s, const struct agg_entry *e, const struct row_tally *t,
		      u32 members)
{
	struct row_sums *sums = &s->w->a->sums.v[e->slot];

	sums[0].acc = t->acc;
	for (u32 m = 1; m < members; m++)
		sums[m].acc = s->more.v[t->more + m - 1];
	for (u32 m = 0; m < members && s->latency; m++)
		s->w->a->latency.v[e->slot + m].acc = s->more.v[t->more + members - 1 + m];
}

/* Ask for what make_row() will look at: of rows well ahead their chains, then the frames of these.
 */
static void prefetch_first(const struct shard *s, size_t row)
{
	const struct row_chain_vec *chains = &s->w->a->chains.pairs;

	if (row + 4 * PREFETCH < s->tallies.nr)
		__builtin_prefetch(&chains->v[s->tallies.v[row + 4 * PREFETCH].chain]);
	if (row + 3 * PREFETCH < s->tallies.nr)
		session_chain_prefetch(s->w->a->s,
				       chains->v[s->tallies.v[row + 3 * PREFETCH].chain].chain);
	if (row + 2 * PREFETCH < s->tallies.nr)
		session_chain_prefetch_frames(
			s->w->a->s, chains->v[s->tallies.v[row + 2 * PREFETCH].chain].chain);
	if (row + PREFETCH >= s->tallies.nr)
		return;
	__builtin_prefetch(
		session_frame_get(s->w->a->s, first_frame(s, &s->tallies.v[row + PREFETCH])));
	__builtin_prefetch(slot_of(s->w->a, s->w->a->entries.v[s->rows.v[row + PREFETCH].from].base,
				   s->rows.v[row + PREFETCH].code));
}

/* The i-th new row of a shard; its sums begin at slot. Returns how many there are. */
static u32 make_row(struct shard *s, u32 i, u32 slot)
{
	struct agg *a = s->w->a;
	struct new_row new = s->rows.v[i];
	const struct agg_entry *from = &a->entries.v[new.from];
	struct agg_entry *e = &a->entries.v[s->first_entry + i];
	u64 *words = a->caller_words + (size_t)(s->first_entry - s->w->nr_old + i) * a->c.nr_keys;
	u32 members = a->sections.v[from->section].nr_members;

	*e = (struct agg_entry){
		.section = from->section, .slot = slot, .words = words, .base = from->base
	};
	memcpy(words, from->words, a->c.nr_keys * sizeof(*words));
	take_words(a, &s->w->codes, new.code, words);
	memset(&a->sums.v[slot], 0, members * sizeof(*a->sums.v));
	take_first(s, e, &s->tallies.v[i]);
	take_sums(s, e, &s->tallies.v[i], members);
	if (a->code_weights)
		a->code_weights[new.code] += s->tallies.v[i].acc;
	*slot_of(a, e->base, new.code) = s->first_entry + i + 1;
	return members;
}

static void make_rows(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct walk *w = ctx;

	for (size_t n = from; n < to; n++) {
		struct shard *s = &w->shards[n];
		u32 slot = s->first_slot;

		for (u32 i = 0; i < s->rows.nr; i++) {
			prefetch_first(s, i);
			slot += make_row(s, i, slot);
		}
	}
}

/* Those that the configuration does not want are forgotten; what their code weighs is not. */
static void drop_light(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct walk *w = ctx;
	struct agg *a = w->a;

	for (size_t n = from; n < to; n++) {
		struct shard *s = &w->shards[n];
		u32 left = 0;

		for (u32 i = 0; i < s->rows.nr; i++) {
			const struct agg_entry *e = &a->entries.v[s->rows.v[i].from];
			const struct agg_section *v = &a->sections.v[e->section];
			u32 code = s->rows.v[i].code;
			u64 acc = s->tallies.v[i].acc;

			if (v->nr_members > 1 ||
			    (double)acc * 100 >= a->c.caller_min * (double)v->period[0]) {
				s->rows.v[left] = s->rows.v[i];
				s->tallies.v[left++] = s->tallies.v[i];
				continue;
			}
			if (a->code_weights)
				a->code_weights[code] += acc;
			*slot_of(a, e->base, code) = 0;
			s->nr_slots--;
		}
		s->rows.nr = s->tallies.nr = left;
	}
}

static void make_room(struct walk *w)
{
	struct agg *a = w->a;
	u32 entries = w->nr_old, slots = (u32)a->sums.nr;

	for (u32 n = 0; n < w->nr_shards; n++) {
		w->shards[n].first_entry = entries;
		w->shards[n].first_slot = slots;
		entries += (u32)w->shards[n].rows.nr;
		slots += w->shards[n].nr_slots;
	}
	a->caller_words = xcalloc(MAX((size_t)(entries - w->nr_old) * a->c.nr_keys, (size_t)1),
				  sizeof(u64));
	VEC_GROW(&a->entries, entries - w->nr_old);
	a->entries.nr = entries;
	VEC_GROW(&a->sums, slots - a->sums.nr);
	a->sums.nr = slots;
	if (a->c.levels && slots > a->levels.nr) {
		VEC_GROW(&a->levels, slots - a->levels.nr);
		memset(a->levels.v + a->levels.nr, 0,
		       (slots - a->levels.nr) * sizeof(*a->levels.v));
		a->levels.nr = slots;
	}
	if (a->c.latency && slots > a->latency.nr) {
		VEC_GROW(&a->latency, slots - a->latency.nr);
		memset(a->latency.v + a->latency.nr, 0,
		       (slots - a->latency.nr) * sizeof(*a->latency.v));
		a->latency.nr = slots;
	}
}

static void find_levels(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct walk *w = ctx;

	for (size_t i = from; i < to; i++) {
		const struct frame *f = session_frame_get(w->a->s, (frame_id)i);
		bool has = f->dso && !(w->a->c.hide_unresolved && f->sym == SYM_NONE);

		w->level_of[i] = has ? f->cpumode : NO_LEVEL;
	}
}

static void divide_pages(struct walk *w)
{
	size_t nr = w->a->nr_codes / BASE_PAGE + 1;

	w->shard_of_page = xmalloc(nr);
	for (size_t i = 0; i < nr; i++)
		w->shard_of_page[i] = (u8)(hash_u64(i) % w->nr_shards);
}

static void start_walk(struct walk *w, struct agg *a)
{
	*w = (struct walk){ .a = a,
			    .nr_shards = par_workers(session_par(a->s)),
			    .nr_old = (u32)a->entries.nr };
	number_codes(a, &w->codes);
	divide_pages(w);
	w->level_of = xmalloc(a->nr_frames + 1);
	par_for(session_par(a->s), a->nr_frames + 1, FRAMES_SLICE, find_levels, w);
	w->old = XNEW_ARRAY(struct row_tally, w->nr_old + 1);
	w->code_of_old = XNEW_ARRAY(u32, w->nr_old + 1);
	w->shards = XNEW_ARRAY(struct shard, w->nr_shards);
	for (u32 n = 0; n < w->nr_shards; n++)
		w->shards[n] = (struct shard){ .w = w,
					       .number = n,
					       .latency = a->chains_have_latency
								  ? a->chains.latency.v
								  : NULL };
	for (u32 i = 0; i < w->nr_old; i++) {
		struct agg_entry *e = &a->entries.v[i];

		e->base = base_of(a, i);
		w->code_of_old[i] = code_of_entry(a, &w->codes, i);
		if (w->code_of_old[i] != NO_CODE)
			*slot_of(a, e->base, w->code_of_old[i]) = i + 1;
		w->old[i] = (struct row_tally){ .first_time = e->first_time,
						.first_thread = e->first_thread,
						.first_member = e->first_member,
						.chain = OWN_SAMPLE,
						.level = e->level,
						.more = new_more(&w->shards[shard_of_old(w, i)],
								 nr_members(a, i)) };
	}
	map_release(&w->codes.by_words);
	map_release(&a->by_words);
}

void agg_accumulate(struct agg *a)
{
	struct walk w;

	start_walk(&w, a);
	par_for(session_par(a->s), w.nr_shards, 1, walk_chains, &w);
	mem_give_back(); /* little of what samples took is used again for rows, which need large
			    blocks */
	if (w.codes.by_equal_symbol)
		a->code_weights = XNEW_ARRAY(u64, a->nr_codes);
	if (a->c.caller_min > 0)
		par_for(session_par(a->s), w.nr_shards, 1, drop_light, &w);
	make_room(&w);
	par_for(session_par(a->s), w.nr_shards, 1, make_rows, &w);
	for (u32 i = 0; i < w.nr_old; i++) {
		struct shard *s = &w.shards[shard_of_old(&w, i)];

		take_first(s, &a->entries.v[i], &w.old[i]);
		take_sums(s, &a->entries.v[i], &w.old[i], nr_members(a, i));
		if (a->code_weights && w.code_of_old[i] != NO_CODE)
			a->code_weights[w.code_of_old[i]] += w.old[i].acc;
	}
	for (u32 n = 0; n < w.nr_shards; n++) {
		vec_free(&w.shards[n].tallies);
		vec_free(&w.shards[n].rows);
		vec_free(&w.shards[n].more);
	}
	free(w.shards);
	free(w.old);
	free(w.level_of);
	free(w.shard_of_page);
	free(w.code_of_old);
	vec_free(&w.codes.words);
}
