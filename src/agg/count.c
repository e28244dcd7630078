/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count: the path of a sample. Which row is its own, found by the words of the keys; what it adds
 * to the row; then what becomes of its callers (struct caller_ops).
 */
#include "agg/ipc.h"
#include "agg/private.h"

_Static_assert(BRANCH_NR_KINDS <= 30, "agg_code.kinds has room for all");
#define CODE_KINDS ((1U << 30) - 1)

/* ---- what a row shows of its first sample ---- */

static void add_level(struct worker_rows *t, u32 row, u8 cpumode, u64 period)
{
	struct level_sums *s;

	while (t->levels.nr <= row)
		*VEC_PUSH(&t->levels) = (struct level_sums){ 0 };
	s = &t->levels.v[row];
	switch (cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		s->sys += period;
		return;
	case PERF_RECORD_MISC_USER:
		s->us += period;
		return;
	case PERF_RECORD_MISC_GUEST_KERNEL:
		s->guest_sys += period;
		return;
	case PERF_RECORD_MISC_GUEST_USER:
		s->guest_us += period;
		return;
	default:
		return;
	}
}

/* Level of the code a sample hit, as the symbol column shows it. */
static u8 sample_level(struct agg_sample_ctx *c)
{
	if (c->agg->needs_frame && !c->branch)
		return session_frame_get(c->agg->s, agg_frame_of(c))->cpumode;
	return c->r->sample->cpumode;
}

/* Where code lies in its object. */
static u64 place_of(struct agg_sample_ctx *c, u8 cpumode, u64 ip)
{
	struct location loc;

	session_locate(c->w, &c->r->site, cpumode, ip, &loc);
	return loc.addr;
}

static void add_addresses(struct agg_sample_ctx *c, const struct frame *f, struct agg_code *code)
{
	const struct sample *s = c->r->sample;

	if (c->branch) {
		code->addr = c->branch[1];
		code->from = place_of(c, agg_level_of(c->branch[0]), c->branch[0]);
		code->to = place_of(c, agg_level_of(c->branch[1]), c->branch[1]);
	} else {
		code->addr = f->sym == SYM_NONE ? f->addr : place_of(c, s->cpumode, s->ip);
	}
}

static struct agg_code place_of_code(struct agg_sample_ctx *c)
{
	const struct sample *s = c->r->sample;
	const struct model_map *map;
	const struct frame *f;
	struct agg_code code;

	if (c->agg->needs_frame) {
		f = session_frame_get(c->agg->s, agg_frame_of(c));
		code = agg_code_of_frame(f);
		if (c->agg->c.verbose)
			add_addresses(c, f, &code);
		else if (agg_is_data(c->agg, f) && !c->branch)
			code.addr = place_of(c, s->cpumode, s->ip);
		return code;
	}
	map = model_find_map(session_model(c->agg->s), c->r->site.thread, s->cpumode, s->ip,
			     c->r->time);
	if (!map)
		return (struct agg_code){ .state = CODE_UNNAMED };
	return (struct agg_code){ .dso = map->dso, .addr = model_map_ip(map, s->ip) };
}

static struct agg_code sample_code(struct agg_sample_ctx *c)
{
	struct agg_code code = place_of_code(c);

	if (c->branch)
		code.kinds = branch_kinds(c->branch[0], c->branch[1], c->branch[2]) & CODE_KINDS;
	return code;
}

/* No sample of the row is earlier: what it shows of a sample is of this one. */
static void note_first(struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;
	struct agg *a = c->agg;
	struct worker_rows *rows = &agg_worker_of(c)->rows;
	struct row_rest *rest = rows_rest(rows, p->row);
	struct agg_code code;

	rest->filtered = p->filtered;
	rest->frame = 0;
	/* the frame is looked at when rows are merged: here it would be waited for */
	if (a->needs_frame && !c->branch && !a->c.verbose &&
	    !agg_hits_data(a, agg_worker_of(c), agg_frame_of(c)))
		rest->frame = agg_frame_of(c);
	if (rest->frame)
		return;
	rest->level = sample_level(&p->c);
	code = sample_code(&p->c);
	rows_set_code(rows, rest, &code);
}

/* ---- its row ---- */

static u32 row_of(struct agg_worker *aw, const struct pending_sample *p)
{
	if (aw->rows.nr && rows_is(&aw->rows, aw->last_row, p->event, p->words))
		return aw->last_row;
	if (rows_find(&aw->rows, p->event, p->words, p->hash, &aw->last_row))
		return aw->last_row;
	aw->last_row = rows_add(&aw->rows, p->event, p->words, p->hash);
	if (p->c.agg->callers->add_row)
		p->c.agg->callers->add_row(p->c.agg, &aw->rows, aw->last_row, p->hash);
	return aw->last_row;
}

bool agg_find_words(struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;
	struct agg *a = c->agg;
	struct agg_worker *aw = agg_worker_of(c);
	struct event_sums *es;

	if (a->c.hide_unresolved && session_frame_get(a->s, agg_frame_of(c))->sym == SYM_NONE)
		return false;
	p->event = c->r->event->index;
	es = agg_event_sums(aw, p->event);
	es->period += p->period;
	es->nr++;
	es->latency += c->latency;
	if (!agg_parallelism_passes(a, c->parallelism))
		return false;
	p->filtered = !agg_filter_pass(a, aw, c);
	if (!p->filtered) {
		es->shown_period += p->period;
		es->shown_nr++;
		es->shown_latency += c->latency;
	}
	for (size_t k = 0; k < a->c.nr_keys; k++) {
		c->key = a->c.keys[k];
		p->words[k] = c->key->get(c);
	}
	return true;
}

/* (memcmp() would wait until words that were only just written are in the cache.) */
static inline bool same_words(const u64 *x, const u64 *y, u32 nr)
{
	for (u32 k = 0; k < nr; k++)
		if (x[k] != y[k])
			return false;
	return true;
}

static void find_hash(struct pending_sample *p, const struct pending_sample *before)
{
	struct worker_rows *rows = &agg_worker_of(&p->c)->rows;

	/* a CPU's samples follow each other, and much of what it does takes longer than one of them
	 */
	if (before && before->event == p->event &&
	    same_words(before->words, p->words, rows->nr_words)) {
		p->same = before;
		return;
	}
	p->same = NULL;
	p->hash = rows_hash(rows, p->event, p->words);
	map_prefetch(&rows->by_words, p->hash);
}

static void add_to_row(struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;
	struct agg_worker *aw = agg_worker_of(c);
	struct worker_row *row;

	p->row = p->same ? p->same->row : row_of(aw, p);
	row = rows_at(&aw->rows, p->row);
	row->period += p->period;
	row->nr++;
	if (c->r->time <= row->first_time && rows_note_first(row, c->r->time, c->r->site.thread))
		note_first(p);
	if (c->agg->c.levels)
		add_level(&aw->rows, p->row, c->r->sample->cpumode, p->period);
	if (c->agg->c.latency)
		rows_add_latency(&aw->rows, p->row, c->latency, 0);
}

/* ---- samples ---- */

/* Every step asks memory for what the next one needs of all samples. */
static void add_pending(struct agg *a, struct pending_sample *p, size_t nr)
{
	const struct pending_sample *before = NULL;
	u64 kept = 0;

	if (a->c.hide_unresolved || a->c.join_unnamed)
		for (size_t i = 0; i < nr; i++)
			__builtin_prefetch(session_frame_get(a->s, agg_frame_of(&p[i].c)));
	for (size_t i = 0; i < nr; i++) {
		if (!agg_find_words(&p[i]))
			continue;
		find_hash(&p[i], before);
		before = &p[i];
		kept |= 1ULL << i;
	}
	for (size_t i = 0; i < nr; i++)
		if (kept & 1ULL << i && !p[i].same)
			rows_prefetch(&agg_worker_of(&p[i].c)->rows, p[i].hash);
	for (size_t i = 0; i < nr; i++) {
		if (!(kept & 1ULL << i))
			continue;
		add_to_row(&p[i]);
		if (p[i].c.r->object)
			spots_keep(a, p[i].c.worker, p[i].c.r, p[i].row);
	}
	if (kept && a->callers->take)
		a->callers->take(p, nr, kept);
}

void agg_weigh(struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;
	u64 scaled;

	c->parallelism = session_parallelism(c->w, c->r);
	if (c->parallelism > 1)
		agg_worker_of(c)->parallel = true;
	if (!c->agg->c.latency)
		return;
	/* periods of broken files alone are that large */
	c->latency = __builtin_mul_overflow(p->period, (u64)LATENCY_UNIT, &scaled)
			     ? p->period / c->parallelism
			     : scaled / c->parallelism;
}

bool agg_samples(void *agg, struct session_worker *w, unsigned int worker UNUSED,
		 const struct session_record *r, size_t nr)
{
	struct agg *a = agg;
	struct pending_sample p[SESSION_AHEAD];
	struct agg_worker *aw = &a->workers[session_worker_number(w)];

	for (size_t i = 0; i < nr; i++) {
		const struct sample *s = r[i].sample;

		p[i].c = (struct agg_sample_ctx){ .agg = a, .worker = aw, .w = w, .r = &r[i] };
		if (!a->c.branches) {
			p[i].period = agg_period_of(a, s);
			if (UNLIKELY(a->needs_parallelism))
				agg_weigh(&p[i]);
			continue;
		}
		if (a->ipc)
			ipc_add(a->ipc, w, &r[i]);
		for (u64 b = 0; b < s->nr_branch; b++) {
			p->c = (struct agg_sample_ctx){ .agg = a,
							.worker = aw,
							.w = w,
							.r = &r[i],
							.branch = s->branch + 3 * b };
			p->period = 1;
			if (UNLIKELY(a->needs_parallelism))
				agg_weigh(p);
			add_pending(a, p, 1);
		}
	}
	if (!a->c.branches)
		add_pending(a, p, nr);
	if (a->shards && aw->rows.nr >= ROWS_OF_WORKER)
		agg_move_rows(a, aw);
	return true;
}

/* ---- what is asked of the session ---- */

bool agg_wants_heads(const struct agg *a)
{
	const struct agg_config *c = &a->c;

	if (c->branches || c->memory || c->exclude_other || a->has_ignored || !a->callers->heads)
		return false;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (!(c->keys[k]->flags & KEY_HEAD))
			return false;
	return true;
}

static bool wants_spots(const struct agg *a)
{
	const struct agg_config *c = &a->c;

	if (!agg_wants_heads(a) || !a->shards || a->needs_parallelism || c->verbose ||
	    c->children || c->levels || c->join_addresses || c->hide_unresolved || c->comms ||
	    c->dsos || c->symbols || c->pids || c->tids || c->socket >= 0)
		return false;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (!(c->keys[k]->flags & KEY_SPOT))
			return false;
	return true;
}

/* Whether each sample will be asked for its symbol. */
static bool wants_symbols(const struct agg *a)
{
	const struct agg_config *c = &a->c;

	/* not of all samples */
	if (c->branches || c->memory || c->exclude_other || c->comms || c->dsos || c->symbols ||
	    c->pids || c->tids || c->socket >= 0)
		return false;
	if (c->chains && c->graphs)
		return true;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (c->keys[k]->flags & KEY_SYMBOL)
			return true;
	return false;
}

void agg_set_consumer(struct agg *a, struct session_consumer *c)
{
	a->can_run_again = c->order == SESSION_UNORDERED;
	c->parallelism = a->needs_parallelism;
	c->heads = c->order == SESSION_UNORDERED && agg_wants_heads(a);
	c->spots = c->heads && wants_spots(a) ? agg_take_spots : NULL;
	c->kernel_symbols = wants_symbols(a);
}
