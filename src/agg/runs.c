/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "agg/runs.h"

#include <stdlib.h>

#include "agg/private.h"

enum { PREDICTED = 1 << 1, CYCLES_SHIFT = 4, CYCLES_MASK = 0xffff }; /* perf_branch_entry */

struct PER_THREAD runs_worker {
	VEC(struct run_row) rows;
	struct map by_place;
};

struct runs *runs_new(struct session *s)
{
	struct runs *r = XNEW(struct runs);

	r->s = s;
	r->nr_workers = session_workers(s);
	r->workers = XNEW_PER_THREAD(struct runs_worker, r->nr_workers);
	return r;
}

static void forget_workers(struct runs *r)
{
	for (unsigned int i = 0; i < r->nr_workers; i++) {
		vec_free(&r->workers[i].rows);
		map_release(&r->workers[i].by_place);
	}
	free(r->workers);
	r->workers = NULL;
	r->nr_workers = 0;
}

void runs_free(struct runs *r)
{
	if (!r)
		return;
	forget_workers(r);
	vec_free(&r->rows);
	free(r);
}

static void add_run(struct runs_worker *own, const struct run_row *run)
{
	u64 h = hash_finish(hash_mix(hash_mix(run->dso, run->start), run->end));
	u32 i;

	for (struct map_probe p = map_first(&own->by_place, h); map_next(&own->by_place, &p, &i);) {
		struct run_row *row = &own->rows.v[i];

		if (row->dso != run->dso || row->start != run->start || row->end != run->end)
			continue;
		row->nr += run->nr;
		row->predicted += run->predicted;
		row->cycles += run->cycles;
		if (run->timed && (!row->timed || run->least < row->least))
			row->least = run->least;
		row->most = MAX(row->most, run->most);
		row->timed += run->timed;
		return;
	}
	map_add(&own->by_place, h, (u32)own->rows.nr);
	*VEC_PUSH(&own->rows) = *run;
}

void runs_add(struct runs *r, struct session_worker *w, const struct session_record *rec,
	      frame_id within)
{
	struct runs_worker *own = &r->workers[session_worker_number(w)];
	const struct frame *f = within ? session_frame_get(r->s, within) : NULL;
	const struct sample *s = rec->sample;

	/* the latest comes first */
	for (u64 i = 0; i + 1 < s->nr_branch; i++) {
		const u64 *branch = s->branch + 3 * i, *older = branch + 3;
		u64 cycles = branch[2] >> CYCLES_SHIFT & CYCLES_MASK;
		struct location end, start;

		session_locate(w, &rec->site, agg_level_of(branch[0]), branch[0], &end);
		if (!end.dso || end.sym == SYM_NONE ||
		    (f && (f->dso != end.dso || f->sym != end.sym)))
			continue;
		session_locate(w, &rec->site, agg_level_of(older[1]), older[1], &start);
		if (start.dso == end.dso && start.sym == end.sym && start.addr <= end.addr)
			add_run(own, &(struct run_row){ .dso = end.dso,
							.sym = end.sym,
							.start = start.addr,
							.end = end.addr,
							.nr = 1,
							.predicted = !!(branch[2] & PREDICTED),
							.timed = cycles != 0,
							.cycles = cycles,
							.least = cycles,
							.most = cycles });
	}
}

static int by_place(const void *x, const void *y)
{
	const struct run_row *a = x, *b = y;

	if (a->dso != b->dso)
		return a->dso < b->dso ? -1 : 1;
	if (a->sym != b->sym)
		return a->sym < b->sym ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

void runs_finish(struct runs *r)
{
	struct runs_worker all = { 0 };

	for (unsigned int i = 0; i < r->nr_workers; i++)
		VEC_FOR(&r->workers[i].rows, row)
			add_run(&all, row);
	forget_workers(r);
	r->rows.v = all.rows.v;
	r->rows.nr = all.rows.nr;
	r->rows.cap = all.rows.cap;
	map_release(&all.by_place);
	VEC_SORT(&r->rows, by_place);
}

size_t runs_of(const struct runs *r, dso_id dso, u32 sym, size_t *first)
{
	size_t lo = 0, hi = r->rows.nr, nr = 0;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct run_row *row = &r->rows.v[mid];

		if (row->dso < dso || (row->dso == dso && row->sym < sym))
			lo = mid + 1;
		else
			hi = mid;
	}
	*first = lo;
	while (lo + nr < r->rows.nr && r->rows.v[lo + nr].dso == dso &&
	       r->rows.v[lo + nr].sym == sym)
		nr++;
	return nr;
}
