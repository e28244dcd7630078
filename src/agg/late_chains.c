/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_chains: chains only of rows that show a call graph. Without callers' rows, chains are for
 * call graphs alone, and only rows above a percentage of the whole show one: a few rows, with a
 * small part of the samples. So samples that can be read again are noted by their row at first;
 * when the rows are added up, those of the rows that matter are read once more, for their chains.
 *
 * When there are very many notes they are settled, and from then on whenever there are many,
 * between two rounds, so that memory follows rows and chains instead of samples:
 *
 *     rows that are heavy so far  are counted: the chains of their samples are read now, and from
 *                                 then on at the end of each round
 *     the others                  keep their notes, packed into a third of their memory
 *     when these are too many     rows that are nearly heavy are counted from then on, and the
 *                                 others lose them. If a row that lost them is shown in the end,
 *                                 all samples are read a second time to find its own; rows hardly
 *                                 ever change that much.
 *
 * A sample may be counted for any of the rows that will be shown as one (spots.c), so these lose
 * and find what they have together.
 */
#include "agg/private.h"
#include "base/compare.h"

enum {
	LATE_FIRST = 3 << 20, /* samples, before any is settled; */
	LATE_MAX = 1 << 18, /* and afterwards */
	PACKED_OF_NOTE = 28, /* bytes of packed notes for each of these: 7 MB */
	PACKED_NOTE = 3, /* bytes, about */
	VARINT_MAX = 5, /* bytes of a packed number */
	NEAR = 512, /* notes */
	/* percent of the period of a row that would be shown: */
	HEAVY = 100,
	NEARLY_HEAVY = 67,
};

static bool fits(const struct agg *a)
{
	return !a->c.again && a->c.chains && a->c.graphs && !a->c.children &&
	       !a->c.join_addresses && a->c.graph_min > 0;
}

/* A consumer's samples(): only their chains, into the workers' tables; tags are their rows. */
typedef bool again_fn(void *agg, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, size_t nr);

/* A row of shard_row() when they are merged. */
static u32 slot_of(const struct agg *a, u32 tag)
{
	return a->shards[tag % ROW_SHARDS].slots[tag / ROW_SHARDS];
}

/* ---- reading again ---- */

/* Samples of which nothing but the chain is wanted. */
static void begin_again(struct agg *a, struct session_worker *w, struct pending_sample *p,
			const struct session_record *r)
{
	p->c = (struct agg_sample_ctx){
		.agg = a, .worker = &a->workers[session_worker_number(w)], .w = w, .r = r
	};
	p->period = agg_period_of(a, r->sample);
	p->row = r->tag;
	p->filtered = false; /* callers alone ask for it */
}

static void take_again(struct agg *a, struct row_chains *to, struct session_worker *w,
		       const struct session_record *r, size_t nr)
{
	struct pending_sample p[SESSION_AHEAD];

	for (size_t i = 0; i < nr; i++)
		begin_again(a, w, &p[i], &r[i]);
	agg_add_chains(to, p, nr, (1ULL << nr) - 1);
}

/* Between rounds: tags are those of rows in shards. */
static bool take_moved(void *agg, struct session_worker *w, unsigned int worker UNUSED,
		       const struct session_record *r, size_t nr)
{
	struct agg *a = agg;

	take_again(a, &a->workers[session_worker_number(w)].moved, w, r, nr);
	return true;
}

/* When rows are merged: tags are slots. */
static bool take_chains(void *agg, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, size_t nr)
{
	struct agg *a = agg;

	take_again(a, &a->workers[session_worker_number(w)].chains, w, r, nr);
	return true;
}

static void read_lists(struct agg *a, again_fn *samples)
{
	_cleanup_(mem_freep) struct session_again_list *lists = XNEW_ARRAY(
		struct session_again_list, a->nr_workers);
	const struct session_consumer c = { .samples = samples, .ctx = a };

	for (unsigned int i = 0; i < a->nr_workers; i++)
		lists[i] = (struct session_again_list){ a->workers[i].late.v,
							a->workers[i].late.nr };
	session_read_again(a->s, &c, AGAIN_OF_ANY, lists, a->nr_workers);
}

/* ---- rows that are counted ---- */

/* A row is new to a worker: whether its chains are counted at once. */
static void mark_counted(const struct agg *a, struct worker_rows *t, u32 row, u64 hash)
{
	struct worker_row *r = rows_at(t, row);
	u32 i;

	if (!rows_find(&a->counted, r->event, r->words, hash, &i))
		return;
	r->counted = true;
	rows_rest(t, row)->counted_tag = a->counted_tags.v[i];
}

/*
 * A worker's notes are in the order of the file, but where samples that are looked at closer come
 * behind others: reading them again goes from one to the next.
 */
static void put_in_order(struct again_vec *v, size_t from)
{
	const struct session_again last = v->v[v->nr - 1];
	size_t at = v->nr - 1, end = at - from > NEAR ? at - NEAR : from;

	while (at > end && v->v[at - 1].unit > last.unit)
		at--;
	if (at == end && at > from && v->v[at - 1].unit > last.unit)
		return;
	memmove(v->v + at + 1, v->v + at, (v->nr - 1 - at) * sizeof(*v->v));
	v->v[at] = last;
}

/* A sample waits for its chain; number: of its row, as in struct spot_slot. */
static void put_off(struct agg_worker *w, const struct worker_row *row, u32 number, u32 unit)
{
	bool counted = row->counted;
	struct again_vec *to = counted ? &w->now : &w->late;
	u32 tag;

	if (row->lost)
		return;
	tag = counted && number & ROW_OF_WORKER
		      ? rows_rest(&w->rows, number & ~ROW_OF_WORKER)->counted_tag
		      : number;

	*VEC_PUSH(to) = (struct session_again){ .unit = unit, .tag = tag };
	if (to->nr > 1 && UNLIKELY(to->v[to->nr - 2].unit > unit))
		put_in_order(to, counted ? 0 : w->late_moved);
}

/* Those whose chain has to be looked at now are not put off. */
static void take(struct pending_sample *p, size_t nr, u64 of)
{
	struct agg_worker *w = agg_worker_of(&p->c);

	for (size_t i = 0; i < nr; i++) {
		const struct session_record *r = p[i].c.r;

		if (!(of & 1ULL << i) || !r->in_file)
			continue;
		put_off(w, rows_at(&w->rows, p[i].row), p[i].row | ROW_OF_WORKER,
			(u32)(r->pos / SESSION_UNIT));
		of &= ~(1ULL << i);
	}
	if (of)
		agg_add_chains(&w->chains, p, nr, of);
}

static void add_counted(struct agg *a, const struct worker_row *row, u32 tag)
{
	u64 hash = rows_hash(&a->counted, row->event, row->words);

	rows_add(&a->counted, row->event, row->words, hash);
	*VEC_PUSH(&a->counted_tags) = tag;
}

/* The chains of what was put off in this round for counted rows. */
static void read_counted(struct agg *a, again_fn *samples)
{
	_cleanup_(mem_freep) struct session_again_list *lists = XNEW_ARRAY(
		struct session_again_list, a->nr_workers);
	const struct session_consumer c = { .samples = samples, .ctx = a };

	for (unsigned int i = 0; i < a->nr_workers; i++)
		lists[i] = (struct session_again_list){ a->workers[i].now.v, a->workers[i].now.nr };
	session_read_again(a->s, &c, AGAIN_OF_ROUND, lists, a->nr_workers);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		a->workers[i].now.nr = 0;
}

/* ---- packed notes ---- */

static u8 *put_number(u8 *p, u32 v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (u8)(v | 0x80);
	*p++ = (u8)v;
	return p;
}

static u32 get_number(const u8 **p)
{
	u32 v = 0;

	for (int shift = 0;; shift += 7) {
		u8 byte = *(*p)++;

		v |= (u32)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

/* Differences, of which few are negative, as numbers that are small where they are. */
static u32 fold(u32 difference)
{
	return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

static u32 unfold(u32 v)
{
	return v >> 1 ^ (v & 1 ? UINT32_MAX : 0);
}

/*
 * Of each tag that has any: how many notes, how far the tag is from the one before, and where the
 * samples lie, each from the one before. ends: by tag, where its units end.
 */
static struct packed_notes pack(const u32 *units, const u32 *ends, u32 nr_tags)
{
	size_t most = ends[nr_tags - 1] * 3ULL; /* numbers: no tag is there without a note */
	struct packed_notes n = { .bytes = xmalloc(most * VARINT_MAX) };
	u32 from = 0, before = 0;
	u8 *p = n.bytes;

	for (u32 tag = 0; tag < nr_tags; from = ends[tag++]) {
		u32 unit = 0;

		if (from == ends[tag])
			continue;
		p = put_number(p, ends[tag] - from);
		p = put_number(p, tag - before);
		before = tag;
		for (u32 i = from; i < ends[tag]; i++) {
			p = put_number(p, fold(units[i] - unit));
			unit = units[i];
		}
	}
	n.len = (size_t)(p - n.bytes);
	n.bytes = xrealloc_array(n.bytes, n.len, 1);
	return n;
}

/* Adds those that are shown, by slot, to the others of the worker. */
static void unpack(const struct agg *a, struct agg_worker *w, const struct packed_notes *n,
		   const u8 *shown)
{
	const u8 *p = n->bytes;
	u32 tag = 0;

	while (p < n->bytes + n->len) {
		u32 nr = get_number(&p), slot, unit = 0;

		tag += get_number(&p);
		slot = slot_of(a, tag);
		for (; nr; nr--) {
			unit += unfold(get_number(&p));
			if (shown[slot])
				*VEC_PUSH(&w->late) = (struct session_again){ unit, slot };
		}
	}
}

/* Leaves out those of rows that are lost. */
static void drop_lost(const struct agg *a, struct packed_notes *n)
{
	const u8 *p = n->bytes, *units;
	u32 tag = 0, before = 0;
	u8 *to = n->bytes;

	while (p < n->bytes + n->len) {
		u32 nr = get_number(&p);

		tag += get_number(&p);
		units = p;
		for (u32 i = 0; i < nr; i++)
			get_number(&p);
		if (row_in_shard(a, tag)->lost)
			continue;
		/* no more bytes than those of what is left out and its own */
		to = put_number(put_number(to, nr), tag - before);
		before = tag;
		memmove(to, units, (size_t)(p - units));
		to += p - units;
	}
	n->len = (size_t)(to - n->bytes);
	n->bytes = xrealloc_array(n->bytes, n->len, 1);
}

/* ---- between rounds ---- */

struct settling {
	struct agg *a;
	u64 *heavy; /* by event: the least period of a row that would be shown by now */
	/* NULL, or by shard and row: the period of all rows that will be shown as one with it */
	u64 **together;
};

static u64 *heavy_periods(const struct agg *a)
{
	size_t nr = perfdata_nr_events(session_file(a->s));
	u64 *min = XNEW_ARRAY(u64, nr + 1);

	for (unsigned int i = 0; i < a->nr_workers; i++)
		for (size_t e = 0; e < a->workers[i].events.nr; e++)
			min[e] += a->workers[i].events.v[e].period;
	for (size_t e = 0; e < nr; e++)
		min[e] = (u64)((double)min[e] * (a->c.graph_min / 100.0));
	return min;
}

static bool has_weight(const struct settling *s, u32 shard, u32 i, int percent)
{
	const struct worker_row *row = rows_at(&s->a->shards[shard].rows, i);
	u64 period = s->together ? s->together[shard][i] : row->period;

	return (double)period >= (double)s->heavy[row->event] * percent / 100;
}

/* Of what will be shown as one with a row of a shard. */
static u64 hash_together(struct agg *a, const struct worker_row *row)
{
	u64 words[AGG_MAX_KEYS];

	for (size_t k = 0; k < a->c.nr_keys; k++) {
		const struct agg_key *key = a->c.keys[k];

		words[k] = key->canon ? key->canon(a, row->words[k]) : row->words[k];
	}
	return hash_bytes(words, a->c.nr_keys * sizeof(*words), row->event);
}

/*
 * Rows of objects with the same name, for one, are told apart by nobody who reads the report.
 * (Others with the same hash would only keep their notes longer.)
 */
static void add_together(struct settling *s)
{
	struct agg *a = s->a;
	VEC(u64) sums = { 0 };
	struct map by_hash = { 0 };
	u32 sum;

	s->together = XNEW_ARRAY(u64 *, ROW_SHARDS);
	for (u32 n = 0; n < ROW_SHARDS; n++) {
		const struct worker_rows *t = &a->shards[n].rows;

		s->together[n] = XNEW_ARRAY(u64, t->nr + 1);
		for (u32 i = 0; i < t->nr; i++) {
			u64 hash = hash_together(a, rows_at(t, i));
			struct map_probe at = map_first(&by_hash, hash);

			if (!map_next(&by_hash, &at, &sum)) {
				sum = (u32)sums.nr;
				map_add(&by_hash, hash, sum);
				*VEC_PUSH(&sums) = 0;
			}
			s->together[n][i] = sum;
			sums.v[sum] += rows_at(t, i)->period;
		}
	}
	for (u32 n = 0; n < ROW_SHARDS; n++)
		for (u32 i = 0; i < a->shards[n].rows.nr; i++)
			s->together[n][i] = sums.v[s->together[n][i]];
	vec_free(&sums);
	map_release(&by_hash);
	agg_forget_equal_symbols(a);
}

static void end_settling(struct settling *s)
{
	for (u32 n = 0; s->together && n < ROW_SHARDS; n++)
		free(s->together[n]);
	free(s->together);
	free(s->heavy);
}

static void count_rows(const struct settling *s, int percent)
{
	for (u32 n = 0; n < ROW_SHARDS; n++) {
		const struct worker_rows *t = &s->a->shards[n].rows;

		for (u32 i = 0; i < t->nr; i++) {
			struct worker_row *row = rows_at(t, i);

			if (row->counted || row->lost || !has_weight(s, n, i, percent))
				continue;
			row->counted = true;
			add_counted(s->a, row, shard_row(n, i));
		}
	}
}

/* By tag: where the units of light rows begin; those of heavy ones nowhere. */
static u32 *lay_out(const struct settling *s, const struct agg_worker *w, u32 nr_tags)
{
	u32 *at = XNEW_ARRAY(u32, nr_tags + 1);
	u32 sum = 0;

	VEC_FOR(&w->late, l)
		at[l->tag]++;
	for (u32 tag = 0; tag < nr_tags; tag++) {
		u32 nr = at[tag];

		at[tag] = nr && row_in_shard(s->a, tag)->counted ? UINT32_MAX : sum;
		sum += at[tag] == UINT32_MAX ? 0 : nr;
	}
	at[nr_tags] = sum;
	return at;
}

static void keep_first(struct again_vec *v, size_t nr)
{
	v->v = xrealloc_array(v->v, nr, sizeof(*v->v));
	v->nr = v->cap = nr;
}

static void forget_lost(const struct agg *a, struct agg_worker *w)
{
	size_t kept = 0;

	VEC_FOR(&w->late, l)
		if (!row_in_shard(a, l->tag)->lost)
			w->late.v[kept++] = *l;
	w->late.nr = kept;
}

/* Heavy rows' notes are left where they are. */
static void pack_worker(const struct settling *s, struct agg_worker *w)
{
	_cleanup_(mem_freep) u32 *at = NULL, *units = NULL;
	u32 nr_tags = 0, end = 0;
	size_t kept = 0;

	if (s->a->some_lost)
		forget_lost(s->a, w);
	VEC_FOR(&w->late, l)
		nr_tags = MAX(nr_tags, l->tag + 1);
	at = lay_out(s, w, nr_tags);
	units = XNEW_ARRAY(u32, at[nr_tags] + 1);
	VEC_FOR(&w->late, l) {
		if (at[l->tag] == UINT32_MAX)
			w->late.v[kept++] = *l;
		else
			units[at[l->tag]++] = l->unit;
	}
	keep_first(&w->late, kept);
	for (u32 tag = 0; tag < nr_tags; tag++)
		end = at[tag] = at[tag] == UINT32_MAX ? end : at[tag];
	if (end)
		*VEC_PUSH(&w->packed) = pack(units, at, nr_tags);
}

static void pack_slice(void *ctx, unsigned int thread UNUSED, size_t from, size_t to)
{
	struct settling *s = ctx;

	for (size_t i = from; i < to; i++)
		pack_worker(s, &s->a->workers[i]);
}

/* About how many bytes the notes of rows take that are neither counted nor lost, once packed. */
static u64 packed_size(const struct agg *a)
{
	u64 nr = 0;

	for (u32 n = 0; n < ROW_SHARDS; n++)
		for (u32 i = 0; i < a->shards[n].rows.nr; i++) {
			const struct worker_row *row = rows_at(&a->shards[n].rows, i);

			nr += row->counted || row->lost ? 0 : row->nr;
		}
	return nr * PACKED_NOTE;
}

/* Rows that are not counted lose their notes. */
static void lose_notes(const struct settling *s)
{
	struct agg *a = s->a;

	a->some_lost = true;
	for (u32 n = 0; n < ROW_SHARDS; n++)
		for (u32 i = 0; i < a->shards[n].rows.nr; i++) {
			struct worker_row *row = rows_at(&a->shards[n].rows, i);

			if (!row->counted)
				row->lost = true;
		}
	for (unsigned int i = 0; i < a->nr_workers; i++)
		VEC_FOR(&a->workers[i].packed, n)
			drop_lost(a, n);
}

static size_t late_max(const struct agg *a, bool first)
{
	return a->c.late_max ? a->c.late_max : first ? LATE_FIRST : LATE_MAX;
}

static void settle(struct agg *a)
{
	struct settling s = { .a = a };

	for (unsigned int i = 0; i < a->nr_workers; i++)
		agg_move_rows(a, &a->workers[i]);
	a->settled = true;
	s.heavy = heavy_periods(a);
	count_rows(&s, HEAVY);
	if (a->can_run_again && packed_size(a) > late_max(a, false) * PACKED_OF_NOTE) {
		add_together(&s);
		count_rows(&s, NEARLY_HEAVY);
		lose_notes(&s);
	}
	par_for(session_par(a->s), a->nr_workers, 1, pack_slice, &s);
	end_settling(&s);
	read_lists(a, take_moved);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		vec_free(&a->workers[i].late);
		a->workers[i].late_moved = 0;
	}
}

static void end_round(struct agg *a, bool last)
{
	size_t nr = 0;

	if (a->counted.nr)
		read_counted(a, take_moved);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		nr += a->workers[i].late.nr;
	if (nr >= late_max(a, !a->settled) && a->shards && !last)
		settle(a);
}

/* ---- in the end ---- */

/* By slot: whether its row may show a call graph. That is of the first event's chains. */
static u8 *shown_slots(const struct agg *a)
{
	u8 *shown = XNEW_ARRAY(u8, a->sums.nr + 1);

	VEC_FOR(&a->entries, e) {
		const struct agg_section *s = &a->sections.v[e->section];
		/* what is a hundred percent depends on the columns: the least of what it can be */
		u64 whole = MIN(s->period[0], s->shown_period[0]);
		u64 min = (u64)((double)whole * (a->c.graph_min / 100.0));

		shown[e->slot] = a->sums.v[e->slot].period >= min;
	}
	return shown;
}

/* By slot: whether some of the rows that are shown there are lost. */
static u8 *lost_slots(const struct agg *a)
{
	u8 *lost = XNEW_ARRAY(u8, a->sums.nr + 1);

	VEC_FOR(&a->slots_of_lost, slot)
		lost[*slot] = 1;
	return lost;
}

/* What workers have by rows in shards is by slots then, but nothing of slots that are lost. */
static void merge_moved(const struct agg *a, struct agg_worker *w, const u8 *lost)
{
	size_t kept = 0;

	row_chains_release(&w->chains); /* all were moved */
	w->chains = w->moved;
	w->moved = (struct row_chains){ 0 };
	VEC_FOR(&w->chains.pairs, rc) {
		u32 slot = slot_of(a, rc->row);

		if (lost[slot])
			continue;
		w->chains.pairs.v[kept] = *rc;
		w->chains.pairs.v[kept++].row = slot;
	}
	w->chains.pairs.nr = kept;
	VEC_FOR(&w->late, l)
		l->tag = slot_of(a, l->tag);
}

/* The notes of rows that are shown. */
static void keep_shown(const struct agg *a, struct agg_worker *w, const u8 *shown)
{
	size_t kept = 0;

	VEC_FOR(&w->late, l)
		if (shown[l->tag])
			w->late.v[kept++] = *l;
	keep_first(&w->late, kept);
	VEC_FOR(&w->packed, n) {
		unpack(a, w, n, shown);
		free(n->bytes);
	}
	w->packed.nr = 0;
	if (w->late.nr > kept)
		VEC_SORT(&w->late, by_u32);
}

/* Samples a second time: those of agg.lost_slots. */
static bool take_lost(void *agg, struct session_worker *w, unsigned int worker UNUSED,
		      const struct session_record *r, size_t nr)
{
	struct agg *a = agg;
	struct agg_worker *aw = &a->workers[session_worker_number(w)];
	struct pending_sample p;

	for (size_t i = 0; i < nr; i++) {
		begin_again(a, w, &p, &r[i]);
		if (UNLIKELY(a->needs_parallelism))
			agg_weigh(&p);
		if (!agg_find_words(&p) || !agg_find_slot(a, p.event, p.words, &p.row) ||
		    !a->lost_slots[p.row])
			continue;
		p.filtered = false;
		if (r[i].in_file)
			*VEC_PUSH(&aw->now) = (struct session_again){
				.unit = (u32)(r[i].pos / SESSION_UNIT), .tag = p.row
			};
		else
			agg_add_chains(&aw->chains, &p, 1, 1);
	}
	return true;
}

static bool end_lost_round(void *agg, const struct session_round *r UNUSED)
{
	read_counted(agg, take_chains);
	return true;
}

/* After the rows are merged: the chains that are wanted. */
static void finish(struct agg *a)
{
	const struct session_consumer again = { .samples = take_lost,
						.round = end_lost_round,
						.heads = agg_wants_heads(a),
						.parallelism = a->needs_parallelism,
						.ctx = a };
	_cleanup_(mem_freep) u8 *shown = shown_slots(a);
	_cleanup_(mem_freep) u8 *lost = lost_slots(a);
	bool some_shown = false;
	struct err e = ERR_INIT;

	for (size_t i = 0; i < a->sums.nr; i++) {
		lost[i] &= shown[i];
		shown[i] &= !lost[i];
		some_shown |= lost[i];
	}
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		if (a->shards_used)
			merge_moved(a, &a->workers[i], lost);
		keep_shown(a, &a->workers[i], shown);
	}
	read_lists(a, take_chains);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		vec_free(&a->workers[i].late);
	a->lost_slots = lost;
	if (some_shown)
		session_run_again(a->s, &again, &e); /* (what cannot be read was told before) */
	a->lost_slots = NULL;
}

const struct caller_ops agg_late_chains = {
	.fits = fits,
	.heads = true,
	.again = true,
	.in_shards = true,
	.add_row = mark_counted,
	.take = take,
	.take_spot = put_off,
	.round = end_round,
	.finish = finish,
};
