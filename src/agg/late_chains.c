/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * late_chains: chains only of rows that show a call graph. Without callers' rows, chains are for
 * call graphs alone, and only rows above a percentage of the whole show one: a few rows, with a
 * small part of the samples. So samples that can be read again are noted by their row at first;
 * when the rows are added up, those of the rows that matter are read once more, for their chains.
 *
 * When there are very many notes they are settled, between two rounds: chains of the rows that are
 * heavy so far are counted, so that these cost memory by distinct chains; the other notes are
 * packed into a third of their memory, row by row.
 */
#include "agg/private.h"

enum {
	LATE_MAX = 1 << 22, /* samples */
	VARINT_MAX = 5, /* bytes of a packed number */
};

bool agg_can_wait_for_chains(const struct agg *a)
{
	return a->c.chains && a->c.graphs && !a->c.children && !a->c.join_addresses &&
	       a->c.graph_min > 0;
}

static void read_lists(struct agg *a, late_chains_fn *samples)
{
	_cleanup_(mem_freep) struct session_again_list *lists = XNEW_ARRAY(
		struct session_again_list, a->nr_workers);
	const struct session_consumer c = { .samples = samples, .ctx = a };

	for (unsigned int i = 0; i < a->nr_workers; i++)
		lists[i] = (struct session_again_list){ a->workers[i].late.v,
							a->workers[i].late.nr };
	session_read_again(a->s, &c, lists, a->nr_workers);
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
		slot = a->shards[tag % ROW_SHARDS].slots[tag / ROW_SHARDS];
		for (; nr; nr--) {
			unit += unfold(get_number(&p));
			if (shown[slot])
				*VEC_PUSH(&w->late) = (struct session_again){ unit, slot };
		}
	}
}

/* ---- between rounds ---- */

struct settling {
	struct agg *a;
	u64 *heavy; /* by event: the least period of a row that would be shown by now */
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

static bool seems_heavy(const struct settling *s, u32 tag)
{
	const struct worker_row *row = rows_at(&s->a->shards[tag % ROW_SHARDS].rows,
					       tag / ROW_SHARDS);

	return row->period >= s->heavy[row->event];
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

		at[tag] = nr && seems_heavy(s, tag) ? UINT32_MAX : sum;
		sum += at[tag] == UINT32_MAX ? 0 : nr;
	}
	at[nr_tags] = sum;
	return at;
}

/* Heavy rows' notes are left where they are. */
static void pack_worker(const struct settling *s, struct agg_worker *w)
{
	_cleanup_(mem_freep) u32 *at = NULL, *units = NULL;
	u32 nr_tags = 0, end = 0;
	size_t kept = 0;

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
	w->late.nr = kept;
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

void agg_settle_late_chains(struct agg *a, late_chains_fn *by_shard_row)
{
	struct settling s = { .a = a };
	size_t nr = 0;

	for (unsigned int i = 0; i < a->nr_workers; i++)
		nr += a->workers[i].late.nr;
	if (nr < (a->c.late_max ? a->c.late_max : LATE_MAX) || !a->shards)
		return;
	for (unsigned int i = 0; i < a->nr_workers; i++)
		agg_move_rows(a, &a->workers[i]);
	s.heavy = heavy_periods(a);
	par_for(session_par(a->s), a->nr_workers, 1, pack_slice, &s);
	free(s.heavy);
	read_lists(a, by_shard_row);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		a->workers[i].late.nr = a->workers[i].late_moved = 0;
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

static int by_place(const void *x, const void *y)
{
	const struct session_again *a = x, *b = y;

	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

void agg_read_late_chains(struct agg *a, late_chains_fn *by_slot)
{
	_cleanup_(mem_freep) u8 *shown = shown_slots(a);

	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];
		size_t kept = 0;

		VEC_FOR(&w->late, l)
			if (shown[l->tag])
				w->late.v[kept++] = *l;
		w->late.v = xrealloc_array(w->late.v, kept,
					   sizeof(*w->late.v)); /* most are left out */
		w->late.nr = w->late.cap = kept;
		VEC_FOR(&w->packed, n) {
			unpack(a, w, n, shown);
			free(n->bytes);
		}
		w->packed.nr = 0;
		if (w->late.nr > kept)
			VEC_SORT(&w->late, by_place);
	}
	read_lists(a, by_slot);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		vec_free(&a->workers[i].late);
}
