/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/addresses.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "agg/runs.h"
#include "base/commas.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

/* Samples of an event on a frame. */
struct cell {
	frame_id frame;
	u32 event;
	u64 nr, period;
};

/* The cell of what lay at a place before: direct-mapped, for a CPU's cache. */
struct address_spot {
	u64 addr;
	u32 object; /* 0 = empty */
	u32 event;
	u32 cell;
};

struct PER_THREAD addresses_worker {
	VEC(struct cell) cells;
	struct map by_key;
	struct address_spot *spots;
	u32 *unwanted; /* objects without wanted functions, by their number; 0 = empty */
};

enum { SPOT_SLOTS = 1 << 13, UNWANTED_SLOTS = 1 << 8 };

static u32 *unwanted_at(const struct addresses_worker *own, u32 object)
{
	return &own->unwanted[object % UNWANTED_SLOTS];
}

static struct address_spot *spot_at(const struct addresses_worker *own, u32 object, u64 addr,
				    u32 event)
{
	u64 h = (addr ^ (u64)object << 24 ^ (u64)event << 48) * 0x9e3779b97f4a7c15ULL;

	return &own->spots[(h >> 40) % SPOT_SLOTS];
}

static bool has_branches(const struct perfdata *f)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->attr.sample_type & PERF_SAMPLE_BRANCH_STACK)
			return true;
	return false;
}

struct addresses *addresses_new(struct session *s, const struct addresses_opts *o)
{
	struct addresses *a = XNEW(struct addresses);

	a->s = s;
	a->o = *o;
	a->nr_workers = session_workers(s);
	a->workers = XNEW_PER_THREAD(struct addresses_worker, a->nr_workers);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		a->workers[i].spots = XNEW_ARRAY(struct address_spot, SPOT_SLOTS);
		a->workers[i].unwanted = XNEW_ARRAY(u32, UNWANTED_SLOTS);
	}
	if (has_branches(session_file(s)))
		a->runs = runs_new(s);
	return a;
}

static void forget_workers(struct addresses *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		vec_free(&a->workers[i].cells);
		map_release(&a->workers[i].by_key);
		free(a->workers[i].spots);
		free(a->workers[i].unwanted);
	}
	free(a->workers);
	a->workers = NULL;
	a->nr_workers = 0;
}

void addresses_free(struct addresses *a)
{
	if (!a)
		return;
	forget_workers(a);
	runs_free(a->runs);
	vec_free(&a->rows);
	vec_free(&a->functions);
	vec_free(&a->totals);
	free(a);
}

static struct cell *find_cell(struct addresses_worker *own, frame_id frame, u32 event)
{
	u64 hash = hash_u64((u64)frame << 32 | event);
	struct cell *c;
	u32 i;

	for (struct map_probe p = map_first(&own->by_key, hash); map_next(&own->by_key, &p, &i);) {
		c = &own->cells.v[i];
		if (c->frame == frame && c->event == event)
			return c;
	}
	map_add(&own->by_key, hash, (u32)own->cells.nr);
	c = VEC_PUSH(&own->cells);
	*c = (struct cell){ .frame = frame, .event = event };
	return c;
}

static bool is_wanted_dso(const struct addresses *a, const struct dso *d)
{
	return !a->o.dsos || commas_have(a->o.dsos, dso_short_name(d)) ||
	       commas_have(a->o.dsos, dso_long_name(d));
}

/* Whether nothing in its object is wanted, so that its frame needs no number. */
static bool is_elsewhere(struct addresses *a, struct session_worker *w,
			 const struct session_record *r)
{
	const struct sample *smp = r->sample;
	struct dso *d;

	if (!r->object || (!a->o.symbol && (!a->o.dsos || a->runs)))
		return false;
	d = dso_table_get(session_dsos(a->s), session_dso(w, &r->site, smp->cpumode, smp->ip));
	if (!d || !a->o.symbol)
		return d && !is_wanted_dso(a, d);
	if (!is_wanted_dso(a, d) || !symtab_count(dso_symtab(d)))
		return true;
	if (a->o.found && !a->is_found && !atomic_exchange(&a->is_found, true))
		a->o.found(a->o.ctx, d);
	return false;
}

void addresses_add(struct addresses *a, struct session_worker *w, unsigned int worker,
		   const struct session_record *r)
{
	const struct sample *smp = r->sample;
	struct addresses_worker *own = &a->workers[worker];
	frame_id frame;
	struct cell *c;

	if (is_elsewhere(a, w, r)) {
		*unwanted_at(own, r->object) = r->object;
		return;
	}
	frame = session_frame(w, &r->site, smp->cpumode, smp->ip);
	if (!frame || !r->event)
		return;
	if (a->runs)
		runs_add(a->runs, w, r, a->o.symbol ? frame : 0);
	c = find_cell(own, frame, r->event->index);
	c->nr++;
	c->period += smp->period;
	if (r->object)
		*spot_at(own, r->object, r->addr, r->event->index) = (struct address_spot){
			r->addr, r->object, r->event->index, (u32)(c - own->cells.v)
		};
}

u64 addresses_add_spots(struct addresses *a, struct session_worker *w, const struct session_spot *v,
			size_t nr)
{
	struct addresses_worker *own = &a->workers[session_worker_number(w)];
	u64 done = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct address_spot *spot = spot_at(own, v[i].object, v[i].addr, v[i].event);
		struct cell *c;

		if (!v[i].object)
			continue;
		if (*unwanted_at(own, v[i].object) == v[i].object) {
			done |= 1ULL << i;
			continue;
		}
		if (spot->object != v[i].object || spot->addr != v[i].addr ||
		    spot->event != v[i].event)
			continue;
		c = &own->cells.v[spot->cell];
		c->nr++;
		c->period += v[i].period;
		done |= 1ULL << i;
	}
	return done;
}

/* ------------------------------------------------------------------ all together */

/* Whether it counts for the totals; rows are of functions alone. */
static bool is_wanted(const struct addresses *a, const struct frame *f)
{
	struct dso *d = dso_table_get(session_dsos(a->s), f->dso);

	if (!d || f->sym == SYM_NONE)
		return !a->o.symbol && (!d ? !a->o.dsos : is_wanted_dso(a, d));
	return is_wanted_dso(a, d) &&
	       (!a->o.symbol || !strcmp(symtab_name(dso_symtab(d), f->sym), a->o.symbol));
}

static int by_address(const void *x, const void *y)
{
	const struct address_row *a = x, *b = y;

	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	if (a->sym != b->sym)
		return a->sym < b->sym ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static void add_total(struct addresses *a, const struct address_row *row)
{
	while (a->totals.nr <= row->event)
		*VEC_PUSH(&a->totals) = (struct address_total){ 0 };
	a->totals.v[row->event].nr += row->nr;
	a->totals.v[row->event].period += row->period;
}

/* Equal addresses have several frames where an object lies at several places. */
static void join_rows(struct addresses *a)
{
	size_t nr = 0;

	for (size_t i = 0; i < a->rows.nr; i++) {
		struct address_row *row = &a->rows.v[i];

		if (nr && !by_address(&a->rows.v[nr - 1], row)) {
			a->rows.v[nr - 1].nr += row->nr;
			a->rows.v[nr - 1].period += row->period;
		} else {
			a->rows.v[nr++] = *row;
		}
	}
	a->rows.nr = nr;
}

static void find_functions(struct addresses *a)
{
	a->functions.nr = 0;
	for (size_t i = 0; i < a->rows.nr; i++) {
		const struct address_row *row = &a->rows.v[i];
		struct address_function *f = a->functions.nr ? VEC_LAST(&a->functions) : NULL;

		if (!f || f->dso != row->dso || f->sym != row->sym) {
			f = VEC_PUSH(&a->functions);
			*f = (struct address_function){ row->dso, row->sym, i, 0 };
		}
		f->nr++;
	}
}

void addresses_finish(struct addresses *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		VEC_FOR(&a->workers[i].cells, c) {
			const struct frame *f = session_frame_get(a->s, c->frame);
			struct address_row row = {
				f->dso, f->sym, f->at, c->event, c->nr, c->period
			};

			if (!is_wanted(a, f))
				continue;
			add_total(a, &row);
			if (f->dso && f->sym != SYM_NONE)
				*VEC_PUSH(&a->rows) = row;
		}
	}
	forget_workers(a);
	if (a->runs)
		runs_finish(a->runs);
	addresses_settle(a);
}

void addresses_settle(struct addresses *a)
{
	VEC_SORT(&a->rows, by_address);
	join_rows(a);
	find_functions(a);
}

struct address_total addresses_of(const struct addresses *a, const struct address_function *f,
				  u32 event)
{
	struct address_total t = { 0 };

	for (size_t i = 0; i < f->nr; i++) {
		const struct address_row *row = &a->rows.v[f->first + i];

		if (row->event != event)
			continue;
		t.nr += row->nr;
		t.period += row->period;
	}
	return t;
}

static int heaviest_first(const void *x, const void *y)
{
	const struct hot_function *a = x, *b = y;

	if (a->period != b->period)
		return a->period < b->period ? 1 : -1;
	if (strcmp(a->name, b->name))
		return strcmp(a->name, b->name);
	return a->start < b->start ? -1 : a->start > b->start;
}

void addresses_hot(const struct addresses *a, u32 event, struct hot_functions *out)
{
	struct dso_table *dsos = session_dsos(a->s);

	VEC_FOR(&a->functions, f) {
		const struct symtab *st = dso_symtab(dso_table_get(dsos, f->dso));
		struct address_total own = addresses_of(a, f, event);

		if (own.nr)
			*VEC_PUSH(out) = (struct hot_function){ .function = f,
								.nr = own.nr,
								.period = own.period,
								.start = symtab_start(st, f->sym),
								.name = symtab_name(st, f->sym) };
	}
	VEC_SORT(out, heaviest_first);
}
