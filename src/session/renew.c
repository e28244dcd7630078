/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * renew: what is not needed any more is forgotten, so that a session can go on for days.
 *
 * The tables of a session only grow while it reads. When they have grown to twice of what was left
 * the last time, and 1 MB, new ones take their place: a model of the tasks and mappings that
 * still are, and the frames and chains that the consumer asks for. All caches are emptied, so this
 * costs about what the first second of a session does.
 *
 * The same happens when a JIT compiler has told names of code that had none: its perf-PID.map is
 * read again, and what is kept of addresses gets the names. This is done a few times a second at
 * most, and only while addresses without a name are sampled.
 *
 * Of objects that are mapped nowhere, and of which the consumer has no frame, the symbols are
 * given back: where programs are built and tried out each is another object. What is not forgotten:
 * path and build id of objects, and cgroups.
 */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "perfdata/info.h"
#include "session/lbr.h"
#include "session/ref_chains.h"
#include "session/run.h"

enum { SLACK = 1 << 20 };
enum { GROWN_MAX = 16, NAMES_MS = 500, NAMES_SHARE = 16 /* of the time at most */ };

struct renewed_chain {
	chain_id from, to;
};

/* An object whose symbols were read again, and those that it had. */
struct grown {
	const struct dso *dso;
	struct symtab *former;
};

struct session_renewal {
	struct session *s; /* with the new tables */
	struct model *model; /* the old ones */
	struct resolver *resolver;
	struct map chains; /* old number -> place in: */
	VEC(struct renewed_chain) renewed_chains;
	u32 *frames; /* by old number, 0 = not asked for yet */
	VEC(u32) words; /* of a chain */
	u64 time;
	struct grown grown[GROWN_MAX];
	size_t nr_grown;
};

str_id session_renewed_name(struct session_renewal *r, str_id name)
{
	return model_adopt_name(r->s->model, r->model, name);
}

u32 session_renewed_thread(struct session_renewal *r, u32 thread)
{
	u32 tid = model_thread_tid(r->model, thread), pid = model_thread_pid(r->model, thread);
	u32 found = thread ? model_thread_at(r->s->model, pid, tid, r->time) : 0;

	/* the pid may be another process's by now */
	return found && model_thread_pid(r->s->model, found) == pid ? found : 0;
}

u32 session_renewed_cgroup_ns(struct session_renewal *r, u32 ns)
{
	return ns ? model_cgroup_ns_number(r->s->model, model_cgroup_ns(r->model, ns)) : 0;
}

static const struct symtab *former_symbols(const struct session_renewal *r, const struct frame *f)
{
	for (size_t i = 0; i < r->nr_grown; i++)
		if (dso_table_get(r->s->dsos, f->dso) == r->grown[i].dso)
			return r->grown[i].former;
	return NULL;
}

frame_id session_renewed_frame(struct session_renewal *r, frame_id frame)
{
	const struct frame *f;

	if (!frame)
		return 0;
	f = frame_at(&r->resolver->frames, frame);
	if (!r->frames[frame])
		r->frames[frame] = resolver_adopt(r->s->resolver, f, former_symbols(r, f));
	return r->frames[frame];
}

static chain_id renew_chain(struct session_renewal *r, chain_id chain)
{
	const u32 *words = chain_words(&r->resolver->chains, chain);
	struct session_worker *w = &r->s->workers[0];
	bool notes = r->resolver->notes;
	u32 nr = words[0] / (notes ? 2 : 1);

	r->words.nr = 0;
	VEC_GROW(&r->words, words[0]);
	for (u32 i = 0; i < words[0]; i++) {
		u32 v = words[1 + i];

		*VEC_PUSH(&r->words) = i < nr ? session_renewed_frame(r, v)
				       : v    ? resolver_note(r->s->resolver,
							      &r->resolver->known_notes.v[v])
					      : 0;
	}
	return chain_intern(&r->s->resolver->chains, &w->chain_block, r->words.v, words[0]);
}

chain_id session_renewed_chain(struct session_renewal *r, chain_id chain)
{
	u64 hash = hash_u64(chain);
	u32 i;

	if (!chain)
		return 0;
	for (struct map_probe p = map_first(&r->chains, hash); map_next(&r->chains, &p, &i);)
		if (r->renewed_chains.v[i].from == chain)
			return r->renewed_chains.v[i].to;
	map_add(&r->chains, hash, (u32)r->renewed_chains.nr);
	*VEC_PUSH(&r->renewed_chains) = (struct renewed_chain){ chain, renew_chain(r, chain) };
	return VEC_LAST(&r->renewed_chains)->to;
}

static void remember_sizes(struct run *r)
{
	r->renewed.model = model_size(r->s->model);
	r->renewed.resolver = resolver_size(r->s->resolver);
}

void run_renew_begin(struct run *r)
{
	/* threads that end from now on are dispensable when this batch is over */
	model_set_epoch(r->s->model, (u32)r->number);
	deferred_release(&r->s->deferred);
	r->s->deferred = (struct deferred){ 0 };
}

static bool is_due(const struct run *r)
{
	size_t slack = r->s->opts.renew_slack ? r->s->opts.renew_slack : SLACK;

	return model_size(r->s->model) > 2 * r->renewed.model + slack ||
	       resolver_size(r->s->resolver) > 2 * r->renewed.resolver + slack;
}

/* Empties the tables that are indexed by thread; the next samples fill them again. */
static void renew_threads(struct run *r)
{
	struct session *s = r->s;

	memset(r->touched, 0, TOUCH_SLOTS * sizeof(*r->touched));
	if (s->ref_chains) {
		ref_chains_free(s->ref_chains);
		s->ref_chains = ref_chains_new();
	}
	if (s->lbr) {
		lbr_stacks_free(s->lbr);
		s->workers[0].lbr = s->lbr = lbr_stacks_new(perfdata_info(s->file));
	}
}

static void forget_objects(struct session *s)
{
	u8 *in_use = xcalloc(dso_table_count(s->dsos) + 1, 1);

	model_mark_objects(s->model, in_use);
	for (u32 id = 1; id < s->resolver->frames.nr; id++)
		in_use[frame_at(&s->resolver->frames, id)->dso] = 1;
	s->stats.objects_loaded = dso_table_forget_unused(s->dsos, in_use);
	free(in_use);
}

static void read_new_names(struct session_renewal *r)
{
	struct dso *grown[GROWN_MAX];

	r->nr_grown = dso_table_grown(r->s->dsos, grown, GROWN_MAX);
	for (size_t i = 0; i < r->nr_grown; i++)
		r->grown[i] = (struct grown){ grown[i], dso_load_again(grown[i]) };
}

static void renew(struct run *r, struct session_renewal *renewal)
{
	struct session *s = r->s;

	s->model = model_survivors(s->model, (u32)r->number, renewal->time);
	s->resolver = session_new_resolver(s);
	resolver_prepare(s->resolver);
	for (unsigned int i = 0; i < s->nr_workers; i++)
		worker_renew(&s->workers[i], s->resolver);
	resolver_close(renewal->resolver);
	renew_threads(r);
	if (r->c->renew) {
		renewal->frames = XNEW_ARRAY(u32, renewal->resolver->frames.nr + 1);
		r->c->renew(r->c->ctx, renewal);
	}
	model_freeze(s->model);
	resolver_release(renewal->resolver);
	free(renewal->resolver);
	model_free(renewal->model);
	map_release(&renewal->chains);
	vec_free(&renewal->renewed_chains);
	vec_free(&renewal->words);
	free(renewal->frames);
	for (size_t i = 0; i < renewal->nr_grown; i++)
		symtab_free(renewal->grown[i].former);
	forget_objects(s);
	mem_give_back(); /* old and new tables were there side by side */
	s->stats.renewals++;
	remember_sizes(r);
}

void run_renew(struct run *r, const struct batch *b)
{
	struct session *s = r->s;
	struct session_renewal renewal = {
		.s = s, .model = s->model, .resolver = s->resolver, .time = b->limit
	};
	u64 begin = clock_now();

	if (b->last)
		return;
	if (begin >= r->names_due)
		read_new_names(&renewal);
	if (!renewal.nr_grown && !is_due(r))
		return;
	renew(r, &renewal);
	if (renewal.nr_grown) {
		u64 end = clock_now();

		r->names_due = end + MAX(NAMES_MS * 1000000ULL, (end - begin) * NAMES_SHARE);
	}
}
