/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * agg: set-up, and the end.
 */
#include "agg/agg.h"

#include "agg/ipc.h"
#include "agg/private.h"

/* Once the groups of a stream are known, too. */
static void make_sections(struct agg *a)
{
	struct perfdata *file = session_file(a->s);
	size_t nr_events = a->c.wall ? MIN(a->nr_events, (size_t)1) : a->nr_events;
	bool one_group = a->c.one_group && !perfdata_has_groups(file);

	a->member_of = XNEW_ARRAY(struct member_of, a->nr_events + 1);
	for (size_t i = 0; i < nr_events; i++) {
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
	pthread_mutex_init(&a->spots_lock, NULL);
	pthread_mutex_init(&a->builder_lock, NULL);
	for (size_t i = 0; i < c->nr_keys; i++) {
		a->needs_frame |= c->keys[i]->flags & KEY_SYMBOL;
		a->has_dso_key |= !strcmp(c->keys[i]->name, "dso");
		a->needs_parallelism |= c->keys[i]->flags & KEY_PARALLELISM;
	}
	return a;
}

static bool has_no_chains(const struct agg *a)
{
	return !a->c.chains;
}

static const struct caller_ops no_callers = { .fits = has_no_chains,
					      .heads = true,
					      .in_shards = true };

static void choose_callers(struct agg *a)
{
	static const struct caller_ops *const all[] = { &agg_dso_callers, &no_callers,
							&agg_late_chains, &agg_all_chains };
	const struct caller_ops *const *ops = all;
	const struct agg_config *c = &a->c;

	while (!(*ops)->fits(a))
		ops++;
	a->callers = *ops;
	if (a->callers == &agg_dso_callers)
		a->c.chains = false;
	else
		a->needs_frame |= c->children;
	a->chains_have_latency = c->latency && (c->children || c->again) &&
				 a->callers != &agg_dso_callers;
}

int agg_new(struct agg **out, struct session *s, const struct agg_config *c, struct err *e)
{
	struct agg *a = agg_alloc(s, c);

	a->nr_workers = session_workers(s);
	a->workers = XNEW_PER_THREAD(struct agg_worker, a->nr_workers);
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
	rows_init(&a->counted, c->nr_keys);
	choose_callers(a);
	/* branches are many per sample */
	if (a->callers->in_shards && !c->branches)
		a->shards = row_shards_new(a);
	if (agg_filter_init(a, e) < 0) {
		agg_free(a);
		return -1;
	}
	*out = a;
	return 0;
}

static void release_worker(struct agg_worker *w)
{
	rows_release(&w->rows);
	row_chains_release(&w->chains);
	row_chains_release(&w->moved);
	vec_free(&w->late);
	vec_free(&w->now);
	VEC_FOR(&w->packed, n)
		free(n->bytes);
	vec_free(&w->packed);
	free(w->order);
	vec_free(&w->comms);
	vec_free(&w->dsos);
	vec_free(&w->symbols);
	vec_free(&w->parents);
	vec_free(&w->ignored);
	vec_free(&w->data);
	vec_free(&w->unnamed);
	vec_free(&w->places);
	vec_free(&w->events);
	vec_free(&w->dso_names);
	free(w->callers);
	strbuf_release(&w->text);
	strbuf_release(&w->event_text);
}

void agg_free(struct agg *a)
{
	if (!a)
		return;
	spots_forget(a);
	for (unsigned int i = 0; i < a->nr_workers; i++)
		release_worker(&a->workers[i]);
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
	pthread_mutex_destroy(&a->spots_lock);
	intern_release(&a->own_texts);
	arena_release(&a->arena);
	vec_free(&a->entries);
	map_release(&a->by_words);
	vec_free(&a->sums);
	vec_free(&a->levels);
	vec_free(&a->latency);
	if (!a->chains_are_lent)
		row_chains_release(&a->chains);
	vec_free(&a->slot_entry);
	vec_free(&a->slots_of_lost);
	VEC_FOR(&a->bases, b) {
		for (u32 i = 0; i <= a->nr_codes / BASE_PAGE; i++)
			free(b->pages[i]);
		free((void *)b->pages);
	}
	vec_free(&a->bases);
	vec_free(&a->base_entry);
	map_release(&a->by_base);
	agg_forget_equal_symbols(a);
	vec_free(&a->places);
	free(a->code_of);
	free(a->code_weights);
	free(a->caller_words);
	free(a->srclines);
	free(a->offsets);
	free(a->srcfiles);
	free(a->type_names);
	free(a->type_offsets);
	free(a->type_lines);
	types_free(a->types);
	free(a->function_of);
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

bool agg_is_parallel(const struct agg *a)
{
	for (unsigned int i = 0; i < a->nr_workers; i++)
		if (a->workers[i].parallel)
			return true;
	return false;
}

bool agg_round(void *agg, const struct session_round *r)
{
	struct agg *a = agg;

	if (a->callers->round)
		a->callers->round(a, r->last);
	return true;
}

/* What finds rows by their words: from now on there are no new ones. */
static void agg_release_lookups(struct agg *a)
{
	map_release(&a->by_words);
	map_release(&a->by_equal_symbol);
	vec_free(&a->equal_symbols);
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
	if (a->c.children && a->callers != &agg_dso_callers)
		agg_accumulate(a);
	agg_release_lookups(a);
	agg_order(a);
}

void agg_finish(struct agg *a)
{
	bool apart;

	spots_forget(a);
	agg_begin_rows(a);
	if (!a->callers->again)
		session_forget_addresses(a->s);
	apart = agg_merge_workers(a);
	if (a->callers->finish)
		a->callers->finish(a);
	agg_merge_chains(a, apart && !a->callers->again);
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
