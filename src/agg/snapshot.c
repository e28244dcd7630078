/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/snapshot.h"

#include <errno.h>

#include "agg/private.h"
#include "base/mem.h"

struct snapshot {
	const struct agg *of; /* whose configuration the words are by */
	struct worker_rows rows;
	struct row_chains chains;
	struct event_vec events;
	bool in_part; /* rows have samples left out: levels are not known */
};

enum { NOT_KEPT = -1 };

static struct snapshot *snapshot_new(const struct agg *of)
{
	struct snapshot *s = XNEW(struct snapshot);

	s->of = of;
	rows_init(&s->rows, of->c.nr_keys);
	return s;
}

void snapshot_free(struct snapshot *s)
{
	if (!s)
		return;
	rows_release(&s->rows);
	row_chains_release(&s->chains);
	vec_free(&s->events);
	free(s);
}

struct snapshot_size snapshot_size(const struct snapshot *s)
{
	return (struct snapshot_size){ .rows = s->rows.nr, .pairs = (u32)s->chains.pairs.nr };
}

/* ---- taking one ---- */

static u32 add_row(struct snapshot *s, const struct worker_rows *from, u32 i)
{
	const struct worker_row *row = rows_at(from, i);

	return rows_add_row(&s->rows, from, i, rows_hash(&s->rows, row->event, row->words));
}

/* Into row `row` of the snapshot. */
static void add_pair(struct snapshot *s, const struct row_chains *from, size_t i, u32 row)
{
	struct row_chain rc = from->pairs.v[i];

	rc.row = row;
	row_chains_add(&s->chains, &rc, row_chain_hash(row, rc.chain),
		       from->latency.nr ? &from->latency.v[i] : NULL);
}

static void add_events(struct snapshot *s, const struct event_vec *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		struct event_sums *to;

		while (s->events.nr <= i)
			*VEC_PUSH(&s->events) = (struct event_sums){ 0 };
		to = &s->events.v[i];
		to->period += from->v[i].period;
		to->nr += from->v[i].nr;
		to->shown_period += from->v[i].shown_period;
		to->shown_nr += from->v[i].shown_nr;
		to->latency += from->v[i].latency;
		to->shown_latency += from->v[i].shown_latency;
	}
}

/* What finds rows and pairs is not needed when there will be no others. */
static void close_tables(struct snapshot *s)
{
	map_release(&s->rows.by_words);
	map_release(&s->chains.by_chain);
}

static void add_worker(struct snapshot *s, const struct agg_worker *w)
{
	_cleanup_(mem_freep) u32 *rows = XNEW_ARRAY(u32, w->rows.nr + 1);

	map_reserve(&s->rows.by_words, w->rows.nr);
	map_reserve(&s->chains.by_chain, (u32)w->chains.pairs.nr);
	for (u32 i = 0; i < w->rows.nr; i++)
		rows[i] = add_row(s, &w->rows, i);
	for (size_t i = 0; i < w->chains.pairs.nr; i++)
		add_pair(s, &w->chains, i, rows[w->chains.pairs.v[i].row]);
	add_events(s, &w->events);
}

/* (shards have no pairs: of accumulations that keep them, rows stay with the workers) */
static void add_shards(struct snapshot *s, const struct agg *a)
{
	for (u32 n = 0; a->shards && n < ROW_SHARDS; n++)
		for (u32 i = 0; i < a->shards[n].rows.nr; i++)
			add_row(s, &a->shards[n].rows, i);
}

struct snapshot *snapshot_take(const struct agg *a)
{
	struct snapshot *s = snapshot_new(a);

	add_shards(s, a);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		add_worker(s, &a->workers[i]);
	close_tables(s);
	return s;
}

static void forget_worker(const struct agg *a, struct agg_worker *w)
{
	rows_release(&w->rows);
	rows_init(&w->rows, a->c.nr_keys);
	row_chains_release(&w->chains);
	w->events.nr = 0;
	w->last_row = 0;
	free(w->callers);
	w->callers = NULL;
}

struct snapshot *snapshot_take_over(struct agg *a)
{
	struct snapshot *s = snapshot_new(a);

	add_shards(s, a);
	for (u32 n = 0; a->shards && n < ROW_SHARDS; n++) {
		rows_release(&a->shards[n].rows);
		rows_init(&a->shards[n].rows, a->c.nr_keys);
	}
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];

		if (s->rows.nr) {
			add_worker(s, w);
		} else {
			/* the first one's are taken as they are; without rows there may be tables
			 * all the same */
			rows_release(&s->rows);
			row_chains_release(&s->chains);
			s->rows = w->rows;
			s->chains = w->chains;
			rows_init(&w->rows, a->c.nr_keys);
			w->chains = (struct row_chains){ 0 };
			add_events(s, &w->events);
		}
		forget_worker(a, w);
	}
	spots_forget(a);
	close_tables(s);
	return s;
}

struct snapshot_size agg_size(const struct agg *a)
{
	struct snapshot_size size = { 0 };

	for (u32 n = 0; a->shards && n < ROW_SHARDS; n++)
		size.rows += a->shards[n].rows.nr;
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		size.rows += a->workers[i].rows.nr;
		size.pairs += (u32)a->workers[i].chains.pairs.nr;
	}
	return size;
}

/* ---- aging ---- */

enum { LIGHT_ROW = 1 << 17 };

/* Whole numbers, without an overflow of the product. */
static void age(u64 *count, u64 num, u64 den)
{
	*count = *count / den * num + (u64)((unsigned __int128)(*count % den) * num / den);
}

static void age_row(struct worker_rows *t, u32 i, u64 num, u64 den)
{
	struct worker_row *row = rows_at(t, i);

	age(&row->period, num, den);
	age(&row->nr, num, den);
	if (i < t->levels.nr) {
		age(&t->levels.v[i].sys, num, den);
		age(&t->levels.v[i].us, num, den);
		age(&t->levels.v[i].guest_sys, num, den);
		age(&t->levels.v[i].guest_us, num, den);
	}
	if (i < t->latency.nr)
		age(&t->latency.v[i].own, num, den);
}

/* What light pairs of a row have that are not kept, and the last of them. */
struct carried {
	u64 period, latency;
	u32 nr;
	u32 pair1; /* + 1, 0 = none */
};

static void keep_carried(struct snapshot *s, struct row_chains *from, u32 row, struct carried *c)
{
	u32 i = c->pair1 - 1;

	from->pairs.v[i].period = c->period;
	from->pairs.v[i].nr = c->nr & INT32_MAX;
	if (from->latency.nr)
		from->latency.v[i] = c->latency;
	add_pair(s, from, i, row);
	*c = (struct carried){ 0 };
}

/* Pairs with rows that are left go to s; those lighter than `least` as far as they add up to it. */
static void add_pairs(struct snapshot *s, struct row_chains *from, const u32 *rows, u64 least)
{
	_cleanup_(mem_freep) struct carried *carried = XNEW_ARRAY(struct carried, s->rows.nr + 1);

	for (size_t i = 0; i < from->pairs.nr; i++) {
		const struct row_chain *rc = &from->pairs.v[i];
		u32 row = rows[rc->row];
		struct carried *c;

		if (row == UINT32_MAX || !rc->period)
			continue;
		if (rc->period >= least) {
			add_pair(s, from, i, row);
			continue;
		}
		c = &carried[row];
		c->period += rc->period;
		c->nr += rc->nr;
		if (from->latency.nr)
			c->latency += from->latency.v[i];
		c->pair1 = (u32)i + 1;
		if (c->period >= least)
			keep_carried(s, from, row, c);
	}
	for (u32 row = 0; row < s->rows.nr; row++)
		if (carried[row].pair1)
			keep_carried(s, from, row, &carried[row]);
}

void snapshot_thin(struct snapshot *s, u32 pairs)
{
	_cleanup_(mem_freep) u32 *rows = NULL;
	struct row_chains from = s->chains;
	u64 paired = 0;

	if (from.pairs.nr <= pairs)
		return;
	rows = XNEW_ARRAY(u32, s->rows.nr + 1);
	for (u32 i = 0; i < s->rows.nr; i++)
		rows[i] = i;
	VEC_FOR(&from.pairs, p)
		paired += p->period;
	s->chains = (struct row_chains){ 0 };
	add_pairs(s, &from, rows, paired / (pairs / 2 + 1));
	row_chains_release(&from);
	close_tables(s);
}

static void age_pair(struct row_chains *t, size_t i, u64 num, u64 den)
{
	u64 nr = t->pairs.v[i].nr;

	age(&t->pairs.v[i].period, num, den);
	age(&nr, num, den);
	t->pairs.v[i].nr = (u32)nr & INT32_MAX;
	if (t->latency.nr)
		age(&t->latency.v[i], num, den);
}

/*
 * Rows that are left go to `left`. Of those with no more than `least` some stand for the others of
 * their event, so that the event's sum stays. rows: their new numbers, UINT32_MAX = none; was: the
 * period that a row had before it stood for others, 0 = it does not.
 */
static void keep_rows(struct snapshot *left, struct snapshot *s, u64 least, u32 *rows, u64 *was)
{
	_cleanup_(mem_freep) u64 *carried = XNEW_ARRAY(u64, s->events.nr + 1);

	for (u32 i = 0; i < s->rows.nr; i++) {
		const struct worker_row *row = rows_at(&s->rows, i);

		rows[i] = UINT32_MAX;
		if (row->period <= least && row->period && row->event < s->events.nr) {
			u64 *sum = &carried[row->event];

			*sum += row->period;
			if (*sum <= least)
				continue;
			was[i] = row->period;
			age_row(&s->rows, i, *sum, was[i]);
			*sum = 0;
		}
		if (row->period)
			rows[i] = add_row(left, &s->rows, i);
	}
}

/* What is left of a snapshot, which is used up. */
static struct snapshot *aged(struct snapshot *s, u32 num, u32 den)
{
	_cleanup_(mem_freep) u32 *rows = XNEW_ARRAY(u32, s->rows.nr + 1);
	_cleanup_(mem_freep) u64 *was = XNEW_ARRAY(u64, s->rows.nr + 1);
	struct snapshot *left = snapshot_new(s->of);
	u64 total = 0, paired = 0;

	map_reserve(&left->rows.by_words, s->rows.nr);
	map_reserve(&left->chains.by_chain, (u32)MIN(s->chains.pairs.nr, (size_t)AGG_AGED_PAIRS));
	for (u32 i = 0; i < s->rows.nr; i++) {
		age_row(&s->rows, i, num, den);
		total += rows_at(&s->rows, i)->period;
	}
	keep_rows(left, s, total / LIGHT_ROW, rows, was);
	for (size_t i = 0; i < s->chains.pairs.nr; i++) {
		u32 row = s->chains.pairs.v[i].row;

		age_pair(&s->chains, i, num, den);
		if (was[row])
			age_pair(&s->chains, i, rows_at(&s->rows, row)->period, was[row]);
		paired += s->chains.pairs.v[i].period;
	}
	add_pairs(left, &s->chains, rows,
		  s->chains.pairs.nr > AGG_AGED_PAIRS ? paired / (AGG_AGED_PAIRS / 2) : 0);
	add_events(left, &s->events);
	VEC_FOR(&left->events, e) {
		age(&e->period, num, den);
		age(&e->nr, num, den);
		age(&e->shown_period, num, den);
		age(&e->shown_nr, num, den);
		age(&e->latency, num, den);
		age(&e->shown_latency, num, den);
	}
	snapshot_free(s);
	return left;
}

/* A snapshot takes the place of all that was accumulated and has been taken over; it is used up,
 * and its tables are open. */
static void go_on_with(struct agg *a, struct snapshot *s)
{
	/* with shards, a worker's memory for moving rows to them is limited */
	if (a->shards) {
		agg_give_rows(a, &s->rows);
		rows_release(&s->rows);
	} else {
		rows_release(&a->workers->rows);
		a->workers->rows = s->rows;
	}
	a->workers->chains = s->chains;
	vec_free(&a->workers->events);
	a->workers->events = s->events;
	free(s);
}

void agg_decay(struct agg *a, u32 num, u32 den)
{
	go_on_with(a, aged(snapshot_take_over(a), num, den));
}

/* ---- when numbers change ---- */

struct renewal {
	struct session_renewal *session;
	const struct intern *old_texts;
	struct intern *texts;
};

u64 agg_renewed_word(struct session_renewal *r, const struct agg_key *key, u64 word)
{
	if (key->flags & KEY_OF_NAMES)
		return session_renewed_name(r, (str_id)word);
	if (key->flags & KEY_OF_THREADS)
		return session_renewed_thread(r, (u32)word);
	if (key->flags & KEY_OF_FRAMES)
		return (word & ~(u64)UINT32_MAX) | session_renewed_frame(r, (frame_id)word);
	return key->flags & KEY_OF_CGROUP_NS ? session_renewed_cgroup_ns(r, (u32)word) : word;
}

static u64 renewed_word(const struct renewal *n, const struct agg_key *key, u64 word)
{
	const char *text;

	if (!(key->flags & KEY_OF_TEXTS))
		return agg_renewed_word(n->session, key, word);
	text = intern_str(n->old_texts, (str_id)word);
	return intern_adds(n->texts, text);
}

static void renew_row(const struct renewal *n, const struct agg_config *c, struct worker_rows *t,
		      u32 i)
{
	struct worker_row *row = rows_at(t, i);
	struct row_rest *rest = rows_rest(t, i);

	for (size_t k = 0; k < c->nr_keys; k++)
		row->words[k] = renewed_word(n, c->keys[k], row->words[k]);
	row->first_thread = session_renewed_thread(n->session, row->first_thread);
	rest->frame = session_renewed_frame(n->session, rest->frame);
}

/* The same with the new numbers; what has equal ones now is one. */
static void renew(const struct renewal *n, struct snapshot *s)
{
	_cleanup_(mem_freep) u32 *rows = XNEW_ARRAY(u32, s->rows.nr + 1);
	struct snapshot *to = snapshot_new(s->of);

	for (u32 i = 0; i < s->rows.nr; i++) {
		renew_row(n, &s->of->c, &s->rows, i);
		rows[i] = add_row(to, &s->rows, i);
	}
	for (size_t i = 0; i < s->chains.pairs.nr; i++) {
		struct row_chain *rc = &s->chains.pairs.v[i];

		rc->chain = session_renewed_chain(n->session, rc->chain);
		rc->first_thread = session_renewed_thread(n->session, rc->first_thread);
		add_pair(to, &s->chains, i, rows[rc->row]);
	}
	rows_release(&s->rows);
	row_chains_release(&s->chains);
	s->rows = to->rows;
	s->chains = to->chains;
	free(to);
}

/* What is remembered by numbers that mean others now. */
static void forget_answers(struct agg_worker *w)
{
	w->comms.nr = w->symbols.nr = w->parents.nr = w->ignored.nr = w->data.nr = 0;
	w->dso_names.nr = 0;
}

void agg_renew(struct agg *a, struct session_renewal *r, struct snapshot *const *snapshots,
	       size_t nr)
{
	struct snapshot *s = snapshot_take_over(a);
	struct intern old = a->own_texts;
	struct renewal n = { .session = r, .old_texts = &old, .texts = &a->own_texts };

	a->own_texts = (struct intern){ 0 };
	renew(&n, s);
	for (size_t i = 0; i < nr; i++) {
		renew(&n, snapshots[i]);
		close_tables(snapshots[i]);
	}
	go_on_with(a, s);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		forget_answers(&a->workers[i]);
	intern_release(&old);
}

/* ---- which words tell a key ---- */

static int refuse(struct err *e, const char *what, const char *needed)
{
	return err_set(e, EINVAL, "rows by '%s' need samples that were counted by %s", what,
		       needed);
}

static int find_source(const struct snapshot *s, const struct agg_key *key,
		       struct key_source *source, struct err *e)
{
	const struct agg_config *c = &s->of->c;

	for (u32 k = 0; k < c->nr_keys; k++)
		if (c->keys[k] == key) {
			*source = (struct key_source){ .word = k };
			return 0;
		}
	for (u32 k = 0; k < c->nr_keys; k++)
		if (c->keys[k]->canon == agg_same_symbol && !c->branches &&
		    key->flags & KEY_OF_CODE) {
			*source = (struct key_source){ .word = k, .of_frame = true };
			return 0;
		}
	return refuse(e, key->name, "it");
}

/* ---- conditions ---- */

/* A condition while it is asked of words: answers are kept. */
struct condition_test {
	const struct snapshot_condition *c;
	struct key_source source;
	u64 word; /* of the condition, as canon() has it */
	struct map by_word;
	VEC(u64) words;
	struct memo_vec answers; /* by number in words */
	struct memo_vec frames; /* by frame: 0 = not asked yet, 1 = no, 2 = yes */
};

struct zoom {
	const struct snapshot *s;
	struct snapshot *out;
	struct agg *names;
	struct condition_test *tests;
	size_t nr;
	bool callers; /* some condition asks for chains */
	struct strbuf text;
};

/* Rows without samples, to resolve names as the accumulation does. */
static struct agg *names_of(const struct snapshot *s)
{
	struct agg *a = agg_alloc(s->of->s, &s->of->c);

	a->texts = s->of->texts;
	a->nr_frames = session_nr_frames(a->s);
	return a;
}

static bool is_named(const struct agg_key *key)
{
	return key->canon == agg_same_symbol || key->flags & KEY_WORD_IS_TEXT;
}

static void add_name(struct agg *a, const struct agg_key *key, const struct agg_entry *e, u64 word,
		     struct strbuf *out)
{
	const struct frame *f;

	if (key->canon != agg_same_symbol) {
		key->text(a, e, word, 0, out);
		return;
	}
	f = session_frame_get(a->s, (frame_id)word);
	if (f->sym != SYM_NONE || f->inlined)
		strbuf_adds(out, agg_symbol_name(a, f));
	else
		strbuf_addf(out, "%#llx", (unsigned long long)agg_symbol_addr(f, word));
}

static bool ask(struct zoom *z, struct condition_test *t, u64 word)
{
	static const struct agg_entry none;
	const struct snapshot_condition *c = t->c;

	if (!c->text)
		return (c->key->canon ? c->key->canon(z->names, word) : word) == t->word;
	strbuf_reset(&z->text);
	add_name(z->names, c->key, &none, word, &z->text);
	return c->part ? strstr(z->text.buf, c->text) != NULL : !strcmp(z->text.buf, c->text);
}

static bool word_passes(struct zoom *z, struct condition_test *t, u64 word)
{
	u64 hash = hash_u64(word);
	bool yes;
	u32 i;

	for (struct map_probe p = map_first(&t->by_word, hash); map_next(&t->by_word, &p, &i);)
		if (t->words.v[i] == word)
			return t->answers.v[i];
	yes = ask(z, t, word);
	map_add(&t->by_word, hash, (u32)t->words.nr);
	*VEC_PUSH(&t->words) = word;
	*VEC_PUSH(&t->answers) = yes;
	return yes;
}

static bool row_passes(struct zoom *z, struct condition_test *t, u32 row)
{
	u64 word = rows_at(&z->s->rows, row)->words[t->source.word];

	if (t->source.of_frame)
		word = t->c->key->of_frame(z->names, (frame_id)word);
	return word_passes(z, t, word);
}

static bool frame_passes(struct zoom *z, struct condition_test *t, frame_id f)
{
	u8 *memo;

	while (t->frames.nr <= f)
		*VEC_PUSH(&t->frames) = 0;
	memo = &t->frames.v[f];
	if (!*memo)
		*memo = 1 + word_passes(z, t, t->c->key->of_frame(z->names, f));
	return *memo == 2;
}

static bool chain_passes(struct zoom *z, struct condition_test *t, chain_id chain)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(z->names->s, chain, &nr);

	for (size_t i = 0; chain && i < nr; i++)
		if (frame_passes(z, t, frames[i]))
			return true;
	return false;
}

/* ---- zooming ---- */

/* Whether its rows fulfil all that is asked of rows alone. */
static bool row_may_pass(struct zoom *z, u32 row)
{
	for (size_t i = 0; i < z->nr; i++) {
		struct condition_test *t = &z->tests[i];

		if (!t->c->callers && row_passes(z, t, row) == t->c->but)
			return false;
	}
	return true;
}

static bool pair_passes(struct zoom *z, const struct row_chain *rc)
{
	for (size_t i = 0; i < z->nr; i++) {
		struct condition_test *t = &z->tests[i];

		if (t->c->callers &&
		    (row_passes(z, t, rc->row) || chain_passes(z, t, rc->chain)) == t->c->but)
			return false;
	}
	return true;
}

static struct event_sums *sums_of(struct snapshot *s, const struct worker_row *row)
{
	return &s->events.v[row->event];
}

static void count_row(struct zoom *z, u32 row)
{
	const struct worker_rows *from = &z->s->rows;
	const struct worker_row *r = rows_at(from, row);
	struct event_sums *sums = sums_of(z->out, r);

	if (rows_rest(from, row)->filtered)
		return;
	sums->shown_period += r->period;
	sums->shown_nr += r->nr;
	sums->shown_latency += row < from->latency.nr ? from->latency.v[row].own : 0;
}

/* The row's number in the part, where it has only those samples that pairs bring. */
static u32 add_row_in_part(struct zoom *z, u32 row)
{
	const struct worker_row *from = rows_at(&z->s->rows, row);
	u64 hash = rows_hash(&z->out->rows, from->event, from->words);
	struct worker_row *to;
	u32 i;

	if (rows_find(&z->out->rows, from->event, from->words, hash, &i))
		return i;
	i = rows_add_row(&z->out->rows, &z->s->rows, row, hash);
	to = rows_at(&z->out->rows, i);
	to->period = to->nr = 0;
	to->first_time = UINT64_MAX;
	if (i < z->out->rows.latency.nr)
		z->out->rows.latency.v[i] = (struct latency_sums){ 0 };
	return i;
}

static void add_pair_to_row(struct zoom *z, size_t pair)
{
	const struct row_chain *rc = &z->s->chains.pairs.v[pair];
	u64 latency = z->s->chains.latency.nr ? z->s->chains.latency.v[pair] : 0;
	u32 row = add_row_in_part(z, rc->row);
	struct worker_row *to = rows_at(&z->out->rows, row);
	struct event_sums *sums = sums_of(z->out, to);

	to->period += rc->period;
	to->nr += rc->nr;
	if (z->s->chains.latency.nr)
		rows_add_latency(&z->out->rows, row, latency, 0);
	if (rows_note_first(to, rc->first_time, rc->first_thread))
		rows_rest(&z->out->rows, row)->filtered = rc->filtered;
	add_pair(z->out, &z->s->chains, pair, row);
	if (rc->filtered)
		return;
	sums->shown_period += rc->period;
	sums->shown_nr += rc->nr;
	sums->shown_latency += latency;
}

static void zoom_rows(struct zoom *z)
{
	_cleanup_(mem_freep) u32 *rows = XNEW_ARRAY(u32, z->s->rows.nr + 1);

	for (u32 i = 0; i < z->s->rows.nr; i++) {
		rows[i] = row_may_pass(z, i) ? i : UINT32_MAX;
		if (rows[i] == UINT32_MAX || z->callers)
			continue;
		count_row(z, i);
		rows[i] = add_row(z->out, &z->s->rows, i);
	}
	for (size_t i = 0; i < z->s->chains.pairs.nr; i++) {
		const struct row_chain *rc = &z->s->chains.pairs.v[i];

		if (rows[rc->row] == UINT32_MAX)
			continue;
		if (!z->callers)
			add_pair(z->out, &z->s->chains, i, rows[rc->row]);
		else if (pair_passes(z, rc))
			add_pair_to_row(z, i);
	}
}

static int prepare(struct zoom *z, struct condition_test *t, const struct snapshot_condition *c,
		   struct err *e)
{
	*t = (struct condition_test){ .c = c };
	if (find_source(z->s, c->key, &t->source, e) < 0)
		return -1;
	if (c->text && !is_named(c->key))
		return err_set(e, EINVAL, "'%s' cannot be chosen by name", c->key->name);
	if (c->callers && !(c->key->flags & KEY_OF_CODE))
		return err_set(e, EINVAL, "'%s' is the same for callers", c->key->name);
	if (c->callers && !z->s->of->c.again)
		return refuse(e, c->key->name, "their chains");
	t->word = c->key->canon && !c->text ? c->key->canon(z->names, c->word) : c->word;
	z->callers |= c->callers;
	return 0;
}

int snapshot_zoom(struct snapshot **out, const struct snapshot *s,
		  const struct snapshot_condition *conditions, size_t nr, struct err *e)
{
	struct zoom z = { .s = s,
			  .names = names_of(s),
			  .tests = XNEW_ARRAY(struct condition_test, nr + 1),
			  .nr = nr,
			  .text = STRBUF_INIT };
	int ret = 0;

	for (size_t i = 0; i < nr && !ret; i++)
		ret = prepare(&z, &z.tests[i], &conditions[i], e);
	if (!ret) {
		z.out = *out = snapshot_new(s->of);
		add_events(z.out, &s->events);
		VEC_FOR(&z.out->events, sums)
			sums->shown_period = sums->shown_nr = sums->shown_latency = 0;
		zoom_rows(&z);
		z.out->in_part = s->in_part || z.callers;
		close_tables(z.out);
	}
	for (size_t i = 0; i < nr; i++) {
		map_release(&z.tests[i].by_word);
		vec_free(&z.tests[i].words);
		vec_free(&z.tests[i].answers);
		vec_free(&z.tests[i].frames);
	}
	free(z.tests);
	strbuf_release(&z.text);
	agg_free(z.names);
	return ret;
}

/* ---- rows ---- */

static int check_asked(const struct snapshot *s, const struct agg_config *c, struct err *e)
{
	const struct agg_config *has = &s->of->c;

	if ((c->children || c->graphs) && !has->again)
		return refuse(e, c->children ? "callers" : "call graphs", "their chains");
	if (c->latency && !has->latency)
		return refuse(e, "latency", "it");
	if (c->levels && (!has->levels || s->in_part))
		return refuse(e, "level", "it");
	if (c->verbose != has->verbose || c->branches != has->branches)
		return refuse(e, c->verbose ? "address" : "branch", "it");
	return 0;
}

/* Whether each row's slot has the row's number. */
static bool are_same(const struct agg *a, const struct snapshot *s, const u32 *slots)
{
	if (a->sums.nr != s->rows.nr)
		return false;
	for (u32 i = 0; i < s->rows.nr; i++)
		if (slots[i] != i)
			return false;
	return true;
}

static void merge_pairs(struct agg *a, const struct snapshot *s, const u32 *slots)
{
	if (are_same(a, s, slots)) {
		a->chains = s->chains;
		a->chains_are_lent = true;
		return;
	}
	for (size_t i = 0; i < s->chains.pairs.nr; i++) {
		struct row_chain rc = s->chains.pairs.v[i];

		rc.row = slots[rc.row];
		row_chains_add(&a->chains, &rc, row_chain_hash(rc.row, rc.chain),
			       a->chains_have_latency ? &s->chains.latency.v[i] : NULL);
	}
	map_release(&a->chains.by_chain);
}

int snapshot_rows(struct agg **out, const struct snapshot *s, const struct agg_config *c,
		  struct err *e)
{
	struct key_source keys[AGG_MAX_KEYS];
	_cleanup_(mem_freep) u32 *slots = NULL;
	struct agg *a;

	if (check_asked(s, c, e) < 0)
		return -1;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (find_source(s, c->keys[k], &keys[k], e) < 0)
			return -1;
	a = agg_alloc(s->of->s, c);
	a->texts = s->of->texts;
	a->chains_have_latency = c->children && c->latency;
	agg_begin_rows(a);
	agg_merge_totals(a, s->events.v, s->events.nr);
	slots = agg_merge_rows(a, &s->rows, keys);
	if (c->children || c->graphs)
		merge_pairs(a, s, slots);
	agg_end_rows(a);
	*out = a;
	return 0;
}

/* ---- side by side ---- */

void agg_add_name(struct agg *a, size_t key, const struct agg_entry *e, struct strbuf *out)
{
	const struct agg_key *k = a->c.keys[key];
	const struct frame *f;

	if (k->canon == agg_same_symbol) {
		f = session_frame_get(a->s, (frame_id)e->words[key]);
		if (f->sym == SYM_NONE && !f->inlined)
			return;
	}
	add_name(a, k, e, e->words[key], out);
}

static str_id name_of_row(struct intern *names, struct agg *a, const struct agg_entry *e,
			  struct strbuf *text)
{
	strbuf_reset(text);
	for (size_t k = 0; k < a->c.nr_keys; k++) {
		agg_add_name(a, k, e, text);
		strbuf_addch(text, '\n');
	}
	return intern_add(names, text->buf, text->len);
}

/* Which row each row of the inputs is a part of. */
static u32 *find_rows(struct joined *j, const struct join_input *inputs, size_t nr, size_t nr_all)
{
	u32 *rows = XNEW_ARRAY(u32, nr_all + 1);
	struct strbuf text = STRBUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct agg_section *s = inputs[i].section;

		for (size_t r = 0; r < s->nr_rows; r++, n++) {
			rows[n] = name_of_row(&j->names, inputs[i].a, s->rows[r], &text) - 1;
			j->nr = MAX(j->nr, (size_t)rows[n] + 1);
		}
	}
	strbuf_release(&text);
	return rows;
}

void row_join(struct joined *out, const struct join_input *inputs, size_t nr)
{
	size_t nr_all = 0, n = 0;
	u32 *rows, *at;

	for (size_t i = 0; i < nr; i++)
		nr_all += inputs[i].section->nr_rows;
	*out = (struct joined){ .entries = xcalloc(nr_all + 1, sizeof(*out->entries)) };
	rows = find_rows(out, inputs, nr, nr_all);
	/* entries are put in order of row and input: at first, from[] counts them, one place ahead
	 */
	out->from = xcalloc(out->nr * nr + 2, sizeof(*out->from));
	at = out->from + 1;
	for (size_t i = 0; i < nr; i++)
		for (size_t r = 0; r < inputs[i].section->nr_rows; r++)
			at[rows[n++] * nr + i + 1]++;
	for (size_t i = 0; i < out->nr * nr; i++)
		at[i + 1] += at[i];
	n = 0;
	for (size_t i = 0; i < nr; i++)
		for (size_t r = 0; r < inputs[i].section->nr_rows; r++)
			out->entries[at[rows[n++] * nr + i]++] = inputs[i].section->rows[r];
	out->rows = XNEW_ARRAY(struct joined_row, out->nr + 1);
	for (size_t i = 0; i < out->nr; i++)
		out->rows[i] = (struct joined_row){ .name = intern_str(&out->names, (str_id)i + 1),
						    .from = out->from + i * nr };
	free(rows);
}

void joined_release(struct joined *j)
{
	intern_release(&j->names);
	free(j->rows);
	free((void *)j->entries);
	free(j->from);
	free(j->row_of_name);
	*j = (struct joined){ 0 };
}
