/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spots: samples that lie where one lay before, counted without being looked at any closer.
 *
 * Every worker remembers rows by command, object and address, in a direct-mapped table that fits
 * into its CPU's cache beside the rows. A row is found there as long as the worker has it. A sample
 * that may be the first of its row is left to agg_samples(), which knows what a row shows of it.
 */
#include "agg/private.h"
#include "base/mem.h"

enum { SPOT_SLOTS = 1 << 14 };

struct spot_slot {
	u64 object, addr; /* object 0 = empty */
	str_id comm;
	u32 event;
	u32 row;
	u32 moves; /* agg_worker.moves, when row was its number */
};

static inline struct spot_slot *slot_of(const struct agg_worker *w, u64 object, u64 addr,
					str_id comm)
{
	u64 h = (addr ^ object << 20 ^ object >> 20 ^ (u64)comm << 32) * 0x9e3779b97f4a7c15ULL;

	return &w->spots[(h >> 40) % SPOT_SLOTS];
}

void agg_keep_spot(struct agg *a, struct agg_worker *w, const struct session_record *r, u32 row)
{
	u64 addr = a->needs_frame ? r->addr : 0;

	*slot_of(w, r->object, addr, r->site.comm) = (struct spot_slot){ .object = r->object,
									 .addr = addr,
									 .comm = r->site.comm,
									 .event = r->event->index,
									 .row = row,
									 .moves = w->moves };
}

/* NULL: it is not known. */
static inline struct worker_row *row_of(const struct agg_worker *w, const struct spot_slot *slot,
					const struct session_spot *s, u64 addr)
{
	if (slot->object != s->object || slot->addr != addr || slot->comm != s->comm ||
	    slot->event != s->event || slot->moves != w->moves || !s->object)
		return NULL;
	return rows_at(&w->rows, slot->row);
}

static void count(struct agg_worker *w, struct worker_row *row, const struct session_spot *s)
{
	struct event_sums *sums = agg_event_sums(w, s->event);

	row->period += s->period;
	row->nr++;
	sums->period += s->period;
	sums->nr++;
	sums->shown_period += s->period;
	sums->shown_nr++;
}

u64 agg_take_spots(void *agg, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	struct agg *a = agg;
	struct agg_worker *aw = &a->workers[session_worker_number(w)];
	const u64 addr_bits = a->needs_frame ? ~0ULL : 0;
	const struct spot_slot *slots[SESSION_SPOTS];
	struct worker_row *rows[SESSION_SPOTS];
	u64 done = 0;

	if (!aw->spots)
		aw->spots = XNEW_ARRAY(struct spot_slot, SPOT_SLOTS);
	for (size_t i = 0; i < nr; i++) {
		slots[i] = slot_of(aw, v[i].object, v[i].addr & addr_bits, v[i].comm);
		__builtin_prefetch(slots[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		rows[i] = row_of(aw, slots[i], &v[i], v[i].addr & addr_bits);
		if (rows[i])
			__builtin_prefetch(rows[i]);
	}
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i] || v[i].time <= rows[i]->first_time)
			continue;
		count(aw, rows[i], &v[i]);
		if (a->late_chains)
			agg_put_chain_off(aw, slots[i]->row, v[i].unit);
		done |= 1ULL << i;
	}
	return done;
}
