/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run_heads: hands samples to the consumer of which the reader kept only heads.
 *
 * Most samples have the same address as earlier ones. A consumer with spots() is asked first, by
 * the object and address alone (struct session_spot): these need only the thread's site and a
 * region, which mostly are those of the sample before. The rest of a sample is made for those that
 * it leaves.
 */

#include "session/run.h"

/* The site and the regions of the sample before. */
struct spot_finder {
	const struct head_run *run; /* of site; NULL = none */
	struct site site;
	u64 t0, t1; /* times at which site holds */
	const struct region_slot *user, *kernel;
};

/* Samples that were not offered or handed over yet. */
struct head_group {
	const struct head_run *run[SESSION_SPOTS];
	const struct kept_head *head[SESSION_SPOTS];
	struct session_spot spot[SESSION_SPOTS];
	size_t nr;
	size_t nr_ahead; /* samples in the worker's memory */
	struct spot_finder finder;
};

/* What run_prepare() does, of a sample whose head is all that is wanted. */
static void prepare_head(const struct run *r, struct session_worker *w, const struct head_group *g,
			 size_t i)
{
	const struct head_run *run = g->run[i];
	const struct kept_head *k = g->head[i];
	struct session_record *rec = &w->ahead_rec[g->nr_ahead];
	struct sample *smp = &w->ahead[g->nr_ahead];

	smp->ip = kept_head_ip(k);
	smp->time = run->time + k->time;
	smp->period = k->period;
	smp->pid = (u32)(run->thread >> 32);
	smp->tid = (u32)run->thread;
	smp->cpu = run->cpu;
	smp->misc = kept_head_misc(k);
	smp->cpumode = smp->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	*rec = (struct session_record){ .time = smp->time,
					.pos = (u64)(run->unit + k->unit) * SESSION_UNIT,
					.in_file = true,
					.sample = smp,
					.event = perfdata_event(r->s->file, kept_head_event(k)) };
	if (r->c->spots) {
		rec->object = g->spot[i].object;
		rec->addr = g->spot[i].addr;
	}
	worker_sample_site(w, smp, smp->time, &rec->site);
}

static void find_site(struct session_worker *w, struct spot_finder *f, const struct head_run *run,
		      u64 time)
{
	if (f->run != run || time < f->t0 || time >= f->t1) {
		worker_site(w, (u32)(run->thread >> 32), (u32)run->thread, time, &f->site);
		f->run = run;
		f->t0 = w->site->site.t0;
		f->t1 = w->site->site.t1;
	}
	f->site.time = time;
}

static void find_spot(struct session_worker *w, struct spot_finder *f, const struct head_run *run,
		      const struct kept_head *k, struct session_spot *out)
{
	u8 cpumode = kept_head_misc(k) & PERF_RECORD_MISC_CPUMODE_MASK;
	bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;
	const struct region_slot **known = kernel ? &f->kernel : &f->user;
	u64 ip = kept_head_ip(k);

	out->time = run->time + k->time;
	out->period = k->period;
	out->unit = run->unit + k->unit;
	out->event = kept_head_event(k);
	find_site(w, f, run, out->time);
	out->comm = f->site.comm;
	out->object = 0;
	if (!kernel && cpumode != PERF_RECORD_MISC_USER)
		return;
	/* (the cache slot may hold another region by now) */
	if (!*known ||
	    !region_fits(*known, kernel ? 0 : f->site.space, f->site.changed, ip, out->time))
		*known = region_at(w, &f->site, cpumode, ip);
	if (!*known)
		return;
	out->object = (*known)->object;
	out->addr = ip + (*known)->shift;
}

/* False: the consumer had enough. */
static bool give_group(struct run *r, struct session_worker *w, struct head_group *g)
{
	u64 done = 0;

	if (r->c->spots && g->nr) {
		for (size_t i = 0; i < g->nr; i++)
			find_spot(w, &g->finder, g->run[i], g->head[i], &g->spot[i]);
		done = r->c->spots(r->c->ctx, w, g->spot, g->nr);
	}
	for (size_t i = 0; i < g->nr; i++) {
		if (done >> i & 1)
			continue;
		prepare_head(r, w, g, i);
		if (++g->nr_ahead < AHEAD)
			continue;
		g->nr_ahead = 0;
		if (!run_hand_over(r, w, AHEAD))
			return false;
	}
	g->nr = 0;
	return true;
}

/* False: the consumer had enough. */
static bool give_heads(struct run *r, struct session_worker *w, const struct due_heads *d)
{
	const struct kept_head *k = head_block_samples(d->block);
	bool filtered = !filter_is_empty(&r->s->filter);
	struct head_group g;

	g.nr = g.nr_ahead = 0;
	g.finder = (struct spot_finder){ 0 };
	for (u32 i = 0; i < d->block->nr_runs; i++) {
		const struct head_run *run = head_block_run(d->block, i);

		for (const struct kept_head *end = k + run->nr; k < end; k++) {
			u64 time = run->time + k->time;

			if (!due_heads_have(d, time) || !run_takes(r, kept_head_misc(k)) ||
			    (filtered && filter_judge(&r->s->filter, time, run->cpu)))
				continue;
			g.run[g.nr] = run;
			g.head[g.nr] = k;
			if (++g.nr == SESSION_SPOTS && !give_group(r, w, &g))
				return false;
		}
	}
	return give_group(r, w, &g) && run_hand_over(r, w, g.nr_ahead);
}

void run_heads_slice(void *ctx, unsigned int worker, size_t from, size_t to)
{
	struct run *r = ctx;
	struct session_worker *w = &r->s->workers[worker];

	for (size_t i = 0; i < AHEAD && !w->ahead_is_bare; i++)
		sample_of_nothing(&w->ahead[i]);
	w->ahead_is_bare = true;
	for (size_t i = from; i < to; i++) {
		struct due_heads *d = &r->now->heads.v[i];

		if (!give_heads(r, w, d))
			return;
		if (!d->last || r->pass == PASS_USER)
			continue;
		head_pool_return(&r->batcher.pool, d->block);
		d->block = NULL;
	}
}
