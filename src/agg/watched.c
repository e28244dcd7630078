/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/watched.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

/* Samples of an event at an address of a function. */
struct watched_cell {
	u64 addr, nr, period;
	u32 event, function;
};

struct PER_THREAD watched_worker {
	VEC(struct watched_cell) cells;
	struct map by_key;
	VEC(struct address_total) totals; /* by event: of all samples */
};

struct watched_function {
	dso_id dso; /* 0 = none */
	u32 sym;
	char *name;
};

struct watched {
	struct session *s;
	struct watched_worker *workers;
	unsigned int nr_workers;
	struct watched_function functions[WATCHED_MAX];
	u32 nr, next; /* the next to be given up */
	struct addresses *counts;
};

struct watched *watched_new(struct session *s)
{
	struct watched *w = XNEW(struct watched);

	w->s = s;
	w->nr_workers = session_workers(s);
	w->workers = XNEW_PER_THREAD(struct watched_worker, w->nr_workers);
	w->counts = XNEW(struct addresses);
	w->counts->s = s;
	return w;
}

static void forget_cells(struct watched_worker *own)
{
	own->cells.nr = 0;
	map_release(&own->by_key);
}

/* Nothing is, and what was counted is forgotten. */
static void watched_clear(struct watched *w)
{
	for (unsigned int i = 0; i < w->nr_workers; i++) {
		forget_cells(&w->workers[i]);
		w->workers[i].totals.nr = 0;
	}
	for (u32 i = 0; i < w->nr; i++)
		free(w->functions[i].name);
	w->nr = w->next = 0;
}

void watched_free(struct watched *w)
{
	if (!w)
		return;
	watched_clear(w);
	for (unsigned int i = 0; i < w->nr_workers; i++) {
		vec_free(&w->workers[i].cells);
		vec_free(&w->workers[i].totals);
	}
	addresses_free(w->counts);
	free(w->workers);
	free(w);
}

/* ---- the cells of a worker ---- */

static u64 cell_hash(u64 addr, u32 event, u32 function)
{
	return hash_u64(addr ^ (u64)event << 48 ^ (u64)function << 56);
}

static struct watched_cell *find_cell(struct watched_worker *own, u64 addr, u32 event, u32 function)
{
	u64 hash = cell_hash(addr, event, function);
	struct watched_cell *c;
	u32 i;

	for (struct map_probe p = map_first(&own->by_key, hash); map_next(&own->by_key, &p, &i);) {
		c = &own->cells.v[i];
		if (c->addr == addr && c->event == event && c->function == function)
			return c;
	}
	map_add(&own->by_key, hash, (u32)own->cells.nr);
	c = VEC_PUSH(&own->cells);
	*c = (struct watched_cell){ .addr = addr, .event = event, .function = function };
	return c;
}

/* Those that are left, found by what they are now. */
static void keep_cells(struct watched_worker *own, bool (*keep)(void *ctx, struct watched_cell *c),
		       void *ctx)
{
	size_t nr = own->cells.nr;

	forget_cells(own);
	for (size_t i = 0; i < nr; i++) {
		struct watched_cell c = own->cells.v[i];

		if (keep(ctx, &c))
			*find_cell(own, c.addr, c.event, c.function) = c;
	}
}

/* ---- which functions ---- */

static bool is_of_others(void *ctx, struct watched_cell *c)
{
	return c->function != *(const u32 *)ctx;
}

void watched_add(struct watched *w, dso_id dso, u32 sym)
{
	const struct symtab *st = dso_symtab(dso_table_get(session_dsos(w->s), dso));
	u32 at = w->nr;

	for (u32 i = 0; i < w->nr; i++)
		if (w->functions[i].dso == dso && w->functions[i].sym == sym)
			return;
	if (at == WATCHED_MAX) {
		at = w->next;
		w->next = (w->next + 1) % WATCHED_MAX;
		free(w->functions[at].name);
		for (unsigned int i = 0; i < w->nr_workers; i++)
			keep_cells(&w->workers[i], is_of_others, &at);
	} else {
		w->nr++;
	}
	w->functions[at] = (struct watched_function){ dso, sym, xstrdup(symtab_name(st, sym)) };
}

void watched_renew(struct watched *w)
{
	for (u32 i = 0; i < w->nr; i++) {
		struct watched_function *f = &w->functions[i];
		struct dso *d = dso_table_get(session_dsos(w->s), f->dso);

		f->sym = symtab_find_name(dso_symtab(d), f->name);
	}
}

/* ---- samples ---- */

static struct address_total *total_of(struct watched_worker *own, u32 event)
{
	while (own->totals.nr <= event)
		*VEC_PUSH(&own->totals) = (struct address_total){ 0 };
	return &own->totals.v[event];
}

static void add_sample(struct watched *w, struct session_worker *sw, struct watched_worker *own,
		       const struct session_record *r)
{
	const struct sample *smp = r->sample;
	frame_id frame = session_frame(sw, &r->site, smp->cpumode, smp->ip);
	const struct frame *f = frame ? session_frame_get(w->s, frame) : NULL;

	for (u32 i = 0; f && f->sym != SYM_NONE && i < w->nr; i++) {
		struct location loc;
		struct watched_cell *c;

		if (w->functions[i].dso != f->dso || w->functions[i].sym != f->sym)
			continue;
		session_locate(sw, &r->site, smp->cpumode, smp->ip, &loc);
		c = find_cell(own, loc.addr, r->event->index, i);
		c->nr++;
		c->period += smp->period;
	}
}

void watched_samples(struct watched *w, struct session_worker *sw, unsigned int worker,
		     const struct session_record *r, size_t nr)
{
	struct watched_worker *own = &w->workers[worker];

	for (size_t i = 0; w->nr && i < nr; i++) {
		struct address_total *t;

		if (!r[i].event)
			continue;
		t = total_of(own, r[i].event->index);
		t->nr++;
		t->period += r[i].sample->period;
		add_sample(w, sw, own, &r[i]);
	}
}

/* ---- what was counted ---- */

static void add_totals(struct addresses *out, const struct watched_worker *own)
{
	for (size_t e = 0; e < own->totals.nr; e++) {
		while (out->totals.nr <= e)
			*VEC_PUSH(&out->totals) = (struct address_total){ 0 };
		out->totals.v[e].nr += own->totals.v[e].nr;
		out->totals.v[e].period += own->totals.v[e].period;
	}
}

struct addresses *watched_counts(struct watched *w)
{
	return w->counts;
}

void watched_sum(struct watched *w)
{
	struct addresses *out = w->counts;

	out->rows.nr = out->totals.nr = 0;
	for (unsigned int i = 0; i < w->nr_workers; i++) {
		const struct watched_worker *own = &w->workers[i];

		add_totals(out, own);
		VEC_FOR(&own->cells, c) {
			const struct watched_function *f = &w->functions[c->function];

			if (f->sym != SYM_NONE)
				*VEC_PUSH(&out->rows) = (struct address_row){ f->dso,  f->sym,
									      c->addr, c->event,
									      c->nr,   c->period };
		}
	}
	addresses_settle(out);
}

struct part {
	u32 num, den;
};

static void age(u64 *count, const struct part *p)
{
	*count = *count / p->den * p->num + *count % p->den * p->num / p->den;
}

static bool age_cell(void *ctx, struct watched_cell *c)
{
	age(&c->nr, ctx);
	age(&c->period, ctx);
	return c->period;
}

void watched_decay(struct watched *w, u32 num, u32 den)
{
	struct part part = { num, den };

	for (unsigned int i = 0; w->nr && i < w->nr_workers; i++) {
		keep_cells(&w->workers[i], age_cell, &part);
		VEC_FOR(&w->workers[i].totals, t) {
			age(&t->nr, &part);
			age(&t->period, &part);
		}
	}
}
