/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agg: set-up, and the part that runs for every sample.
 */
#include "agg/agg.h"

#include "agg/ipc.h"
#include "agg/private.h"

/* Once the groups of a stream are known, too. */
_Static_assert(BRANCH_NR_KINDS <= 30, "agg_code.kinds has room for all");
#define CODE_KINDS ((1U << 30) - 1)

static void make_sections(struct agg *a)
{
	struct perfdata *file = session_file(a->s);
	bool one_group = a->c.one_group && !perfdata_has_groups(file);

	a->member_of = XNEW_ARRAY(struct member_of, a->nr_events + 1);
	for (size_t i = 0; i < a->nr_events; i++) {
		const struct perfdata_event *ev = perfdata_event(file, i);
		u32 first = one_group ? 0 : ev->leader;
		bool member = a->c.group && first < i;
		struct agg_section *s;

		if (member) {
			struct member_of leader = a->member_of[first];

			a->member_of[i].section = leader.section;
			a->member_of[i].member = a->sections.v[leader.section].nr_members++;
			continue;
		}
		a->member_of[i] = (struct member_of){ .section = (u32)a->sections.nr };
		s = VEC_PUSH(&a->sections);
		*s = (struct agg_section){ .event = (u32)i, .nr_members = 1 };
	}
	VEC_FOR(&a->sections, s) {
		s->period = XNEW_ARRAY(u64, s->nr_members);
		s->shown_period = XNEW_ARRAY(u64, s->nr_members);
		s->shown_nr = XNEW_ARRAY(u64, s->nr_members);
		s->shown_latency = XNEW_ARRAY(u64, s->nr_members);
		s->nr = XNEW_ARRAY(u64, s->nr_members);
		s->latency = XNEW_ARRAY(u64, s->nr_members);
	}
}

struct agg *agg_alloc(struct session *s, const struct agg_config *c)
{
	struct agg *a = XNEW(struct agg);

	a->s = s;
	a->c = *c;
	a->texts = &a->own_texts;
	pthread_mutex_init(&a->text_lock, NULL);
	pthread_mutex_init(&a->builder_lock, NULL);
	for (size_t i = 0; i < c->nr_keys; i++) {
		a->needs_frame |= c->keys[i]->flags & KEY_SYMBOL;
		a->has_dso_key |= !strcmp(c->keys[i]->name, "dso");
		a->needs_parallelism |= c->keys[i]->flags & KEY_PARALLELISM;
	}
	return a;
}

int agg_new(struct agg **out, struct session *s, const struct agg_config *c, struct err *e)
{
	struct agg *a = agg_alloc(s, c);

	a->nr_workers = session_workers(s);
	a->workers = XNEW_ARRAY(struct agg_worker, a->nr_workers);
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		rows_init(&a->workers[i].rows, c->nr_keys);
		a->workers[i].text = a->workers[i].event_text = (struct strbuf)STRBUF_INIT;
	}
	for (size_t i = 0; i < c->nr_keys; i++) {
		if (c->keys[i]->flags & KEY_FORMATS)
			session_tracefmt(s); /* parsed before the workers ask for them */
		if (c->branches && !a->ipc && !strcmp(c->keys[i]->name, AGG_KEY_IPC))
			a->ipc = ipc_new(a);
	}
	a->needs_parallelism |= c->latency || c->parallelism;
	a->needs_frame |= c->hide_unresolved || c->symbols || c->ignore_callees;
	a->needs_frame |= c->again;
	a->c.chains |= c->again && !c->branches;
	a->dso_callers = !c->again && agg_can_add_dso_callers(a);
	if (a->dso_callers)
		a->c.chains = false;
	else
		a->needs_frame |= c->children;
	a->chains_have_latency = c->latency && (c->children || c->again) && !a->dso_callers;
	rows_init(&a->counted, c->nr_keys);
	a->late_chains = !c->again && agg_can_wait_for_chains(a);
	/* chains and rows of callers know rows by the worker's number; branches are many per sample
	 */
	if (!a->dso_callers && !c->branches && (!a->c.chains || a->late_chains))
		a->shards = row_shards_new(a);
	if (agg_filter_init(a, e) < 0) {
		agg_free(a);
		return -1;
	}
	*out = a;
	return 0;
}

void agg_free(struct agg *a)
{
	if (!a)
		return;
	for (unsigned int i = 0; i < a->nr_workers; i++) {
		struct agg_worker *w = &a->workers[i];

		rows_release(&w->rows);
		row_chains_release(&w->chains);
		row_chains_release(&w->moved);
		vec_free(&w->late);
		vec_free(&w->now);
		VEC_FOR(&w->packed, n)
			free(n->bytes);
		vec_free(&w->packed);
		free(w->order);
		free(w->spots);
		vec_free(&w->comms);
		vec_free(&w->dsos);
		vec_free(&w->symbols);
		vec_free(&w->parents);
		vec_free(&w->ignored);
		vec_free(&w->data);
		vec_free(&w->events);
		vec_free(&w->dso_names);
		free(w->callers);
		strbuf_release(&w->text);
		strbuf_release(&w->event_text);
	}
	free(a->workers);
	ipc_free(a->ipc);
	row_shards_free(a->shards);
	rows_release(&a->counted);
	vec_free(&a->counted_tags);
	free(a->member_of);
	VEC_FOR(&a->sections, s) {
		free(s->period);
		free(s->nr);
		free(s->latency);
		free(s->shown_period);
		free(s->shown_nr);
		free(s->shown_latency);
		free((void *)s->rows);
	}
	vec_free(&a->sections);
	agg_filter_release(a);
	pthread_mutex_destroy(&a->text_lock);
	intern_release(&a->own_texts);
	arena_release(&a->arena);
	vec_free(&a->entries);
	map_release(&a->by_words);
	vec_free(&a->sums);
	vec_free(&a->levels);
	vec_free(&a->latency);
	row_chains_release(&a->chains);
	vec_free(&a->slot_entry);
	VEC_FOR(&a->bases, b) {
		for (u32 i = 0; i <= a->nr_codes / BASE_PAGE; i++)
			free(b->pages[i]);
		free((void *)b->pages);
	}
	vec_free(&a->bases);
	vec_free(&a->base_entry);
	map_release(&a->by_base);
	vec_free(&a->looks);
	free(a->code_of);
	free(a->code_weights);
	free(a->caller_words);
	free(a->same_dso);
	free(a->srclines);
	free(a->offsets);
	free(a->srcfiles);
	free(a->function_of);
	map_release(&a->by_look);
	vec_free(&a->graph_chains);
	graph_trie_release(&a->graph);
	vec_free(&a->items);
	free(a->item_from);
	VEC_FOR(&a->builders, b)
		calltree_builder_free(*b);
	vec_free(&a->builders);
	pthread_mutex_destroy(&a->builder_lock);
	free(a);
}

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

/* A sample on its way into the tables. */
struct pending_sample {
	struct agg_sample_ctx c;
	u64 period;
	u64 hash; /* of its row */
	const struct pending_sample *same; /* one of the same row before it; NULL = none is known */
	u64 chain_hash;
	u32 event, row;
	bool filtered;
	u64 words[AGG_MAX_KEYS];
};

static u32 row_of(struct agg_worker *aw, const struct pending_sample *p)
{
	if (aw->rows.nr && rows_is(&aw->rows, aw->last_row, p->event, p->words))
		return aw->last_row;
	if (rows_find(&aw->rows, p->event, p->words, p->hash, &aw->last_row))
		return aw->last_row;
	aw->last_row = rows_add(&aw->rows, p->event, p->words, p->hash);
	if (p->c.agg->counted.nr)
		agg_mark_counted(p->c.agg, &aw->rows, aw->last_row, p->hash);
	return aw->last_row;
}

static void add_chain(struct row_chains *to, const struct pending_sample *p)
{
	const struct agg_sample_ctx *c = &p->c;
	const struct row_chain rc = { .row = p->row,
				      .chain = c->chain,
				      .period = p->period,
				      .first_time = c->r->time,
				      .first_thread = c->r->site.thread,
				      .nr = 1,
				      .filtered = p->filtered };

	row_chains_add(to, &rc, p->chain_hash, c->agg->chains_have_latency ? &c->latency : NULL);
}

/* What row the sample belongs to; false when it counts for none. */
static bool find_words(struct pending_sample *p)
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

static void start_chain(const struct row_chains *to, struct pending_sample *p)
{
	struct agg_sample_ctx *c = &p->c;

	c->chain = agg_chain_of(c);
	p->chain_hash = row_chain_hash(p->row, c->chain);
	map_prefetch(&to->by_chain, p->chain_hash);
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
	if (c->agg->dso_callers)
		agg_add_dso_callers(c, p->row, p->period, p->filtered);
}

static void prefetch_row_chain(const struct row_chains *to, const struct pending_sample *p)
{
	struct map_probe at = map_first(&to->by_chain, p->chain_hash);
	u32 i;

	if (map_next(&to->by_chain, &at, &i))
		__builtin_prefetch(&to->pairs.v[i]);
}

/* of: bits of the samples that have a row. */
static void add_chains(struct row_chains *to, struct pending_sample *p, size_t nr, u64 of)
{
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			start_chain(to, &p[i]);
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			prefetch_row_chain(to, &p[i]);
	for (size_t i = 0; i < nr; i++)
		if (of & 1ULL << i)
			add_chain(to, &p[i]);
}

/* Leaves those whose chain has to be looked at now. */
static u64 put_chains_off(struct pending_sample *p, size_t nr, u64 of)
{
	for (size_t i = 0; i < nr; i++) {
		const struct session_record *r = p[i].c.r;

		if (!(of & 1ULL << i) || !r->in_file)
			continue;
		agg_put_chain_off(agg_worker_of(&p[i].c), p[i].row, (u32)(r->pos / SESSION_UNIT));
		of &= ~(1ULL << i);
	}
	return of;
}

/* Every step asks memory for what the next one needs of all samples. */
static void add_pending(struct agg *a, struct pending_sample *p, size_t nr)
{
	const struct pending_sample *before = NULL;
	u64 kept = 0;

	if (a->c.hide_unresolved)
		for (size_t i = 0; i < nr; i++)
			__builtin_prefetch(session_frame_get(a->s, agg_frame_of(&p[i].c)));
	for (size_t i = 0; i < nr; i++) {
		if (!find_words(&p[i]))
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
			agg_keep_spot(a, p[i].c.worker, p[i].c.r, p[i].row);
	}
	if (!a->c.chains)
		return;
	if (a->late_chains)
		kept = put_chains_off(p, nr, kept);
	if (kept)
		add_chains(&agg_worker_of(&p->c)->chains, p, nr, kept);
}

bool agg_wants_heads(const struct agg *a)
{
	const struct agg_config *c = &a->c;

	if (c->branches || c->memory || c->exclude_other || a->has_ignored || a->dso_callers ||
	    (c->chains && !a->late_chains))
		return false;
	for (size_t k = 0; k < c->nr_keys; k++)
		if (!(c->keys[k]->flags & KEY_HEAD))
			return false;
	return true;
}

bool agg_wants_spots(const struct agg *a)
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

bool agg_wants_symbols(const struct agg *a)
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
	c->parallelism = agg_wants_parallelism(a);
	c->heads = c->order == SESSION_UNORDERED && agg_wants_heads(a);
	c->spots = c->heads && agg_wants_spots(a) ? agg_take_spots : NULL;
	c->kernel_symbols = agg_wants_symbols(a);
}

static u64 period_of(const struct agg *a, const struct sample *s)
{
	return a->c.memory ? MAX(s->weight, (u64)1) : s->period;
}

/* How many threads run, and what the sample's latency is by that. */
static void weigh(struct pending_sample *p)
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

bool agg_wants_parallelism(const struct agg *a)
{
	return a->needs_parallelism;
}

bool agg_is_parallel(const struct agg *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++)
		if (a->workers[i].parallel)
			return true;
	return false;
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
			p[i].period = period_of(a, s);
			if (UNLIKELY(a->needs_parallelism))
				weigh(&p[i]);
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
				weigh(p);
			add_pending(a, p, 1);
		}
	}
	if (!a->c.branches)
		add_pending(a, p, nr);
	if (a->shards && aw->rows.nr >= ROWS_OF_WORKER)
		agg_move_rows(a, aw);
	return true;
}

/* Samples of which nothing but the chain is wanted. */
static void begin_again(struct agg *a, struct session_worker *w, struct pending_sample *p,
			const struct session_record *r)
{
	p->c = (struct agg_sample_ctx){
		.agg = a, .worker = &a->workers[session_worker_number(w)], .w = w, .r = r
	};
	p->period = period_of(a, r->sample);
	p->row = r->tag;
	p->filtered = false; /* callers alone ask for it */
}

/* Between rounds: tags are those of rows in shards. */
static bool take_moved(void *agg, struct session_worker *w, unsigned int worker UNUSED,
		       const struct session_record *r, size_t nr)
{
	struct agg *a = agg;
	struct pending_sample p[SESSION_AHEAD];

	for (size_t i = 0; i < nr; i++)
		begin_again(a, w, &p[i], &r[i]);
	add_chains(&a->workers[session_worker_number(w)].moved, p, nr, (1ULL << nr) - 1);
	return true;
}

/* When rows are merged: tags are slots. */
static bool take_chains(void *agg, struct session_worker *w, unsigned int worker UNUSED,
			const struct session_record *r, size_t nr)
{
	struct agg *a = agg;
	struct pending_sample p[SESSION_AHEAD];

	for (size_t i = 0; i < nr; i++)
		begin_again(a, w, &p[i], &r[i]);
	add_chains(&a->workers[session_worker_number(w)].chains, p, nr, (1ULL << nr) - 1);
	return true;
}

/* Samples a second time: those of agg.counted, by slot. */
static bool take_lost(void *agg, struct session_worker *w, unsigned int worker UNUSED,
		      const struct session_record *r, size_t nr)
{
	struct agg *a = agg;
	struct agg_worker *aw = &a->workers[session_worker_number(w)];
	struct pending_sample p;

	for (size_t i = 0; i < nr; i++) {
		u32 row;

		begin_again(a, w, &p, &r[i]);
		if (UNLIKELY(a->needs_parallelism))
			weigh(&p);
		if (!find_words(&p))
			continue;
		p.hash = rows_hash(&a->counted, p.event, p.words);
		if (!rows_find(&a->counted, p.event, p.words, p.hash, &row))
			continue;
		p.row = a->counted_tags.v[row];
		p.filtered = false;
		if (r[i].in_file)
			*VEC_PUSH(&aw->now) = (struct session_again){
				.unit = (u32)(r[i].pos / SESSION_UNIT), .tag = p.row
			};
		else
			add_chains(&aw->chains, &p, 1, 1);
	}
	return true;
}

static bool end_lost_round(void *agg, const struct session_round *r UNUSED)
{
	agg_read_counted(agg, take_chains);
	return true;
}

bool agg_round(void *agg, const struct session_round *r)
{
	struct agg *a = agg;

	if (a->late_chains)
		agg_settle_late_chains(a, take_moved, r->last);
	return true;
}

/* What finds rows by what they look like: from now on there are no new ones. */
static void agg_release_lookups(struct agg *a)
{
	map_release(&a->by_words);
	map_release(&a->by_look);
	vec_free(&a->looks);
	map_release(&a->by_base);
	vec_free(&a->base_entry);
}

void agg_begin_rows(struct agg *a)
{
	a->nr_events = perfdata_nr_events(session_file(a->s));
	a->nr_frames = session_nr_frames(a->s);
	make_sections(a);
	if (a->c.join_addresses)
		agg_join_addresses(a);
}

void agg_end_rows(struct agg *a)
{
	if (a->c.children && !a->dso_callers)
		agg_accumulate(a);
	agg_release_lookups(a);
	agg_order(a);
}

void agg_finish(struct agg *a)
{
	const struct session_consumer lost = { .samples = take_lost,
					       .round = end_lost_round,
					       .heads = agg_wants_heads(a),
					       .parallelism = a->needs_parallelism,
					       .ctx = a };
	bool apart;

	agg_begin_rows(a);
	if (!a->late_chains)
		session_forget_addresses(a->s);
	apart = agg_merge_workers(a);
	if (a->late_chains)
		agg_read_late_chains(a, take_chains, &lost);
	agg_merge_chains(a, apart && !a->late_chains);
	session_forget_addresses(a->s);
	a->nr_frames = session_nr_frames(a->s);
	if (a->ipc)
		ipc_finish(a->ipc);
	agg_end_rows(a);
}

void agg_forget_children(struct agg *a)
{
	a->c.children = false;
	a->c.chains = a->c.graphs = false;
}
