/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks: samples that carry registers and a copy of the stack get the callers appended to their
 * callchain, so that the code above need not distinguish them.
 */
#include "session/stacks.h"

#include <sys/utsname.h>

#include "session/place.h"
#include "session/worker.h"

void stacks_init(struct stacks *st, struct dso_table *dsos)
{
	st->dsos = dsos;
	st->objects = unwind_objects_new();
}

void stacks_release(struct stacks *st)
{
	unwind_objects_free(st->objects);
}

void stacks_prepare(struct stacks *st, const char *machine)
{
	struct utsname host;

	if (!machine && !uname(&host))
		machine = host.machine;
	st->abi = unwind_abi_find(machine, false);
	st->abi32 = unwind_abi_find(machine, true);
}

/* What the unwind tables say of an address in an object. */
static struct unwind_rule rule_at(struct stacks *st, dso_id dso, u64 addr, struct cfi_step *step)
{
	struct unwind_place place = { .dso = dso,
				      .object = dso_table_get(st->dsos, dso),
				      .addr = addr };

	return unwind_objects_ask(st->objects, &place, step);
}

bool stacks_has_tables(struct stacks *st, dso_id dso, u64 addr)
{
	struct cfi_step step;

	return rule_at(st, dso, addr, &step).has_rule;
}

bool stacks_is_planted(struct stacks *st, dso_id dso, u64 addr)
{
	return !stacks_has_tables(st, dso, addr) && stacks_has_tables(st, dso, addr + 1);
}

bool stacks_is_signal_return(struct stacks *st, dso_id dso, u64 addr)
{
	struct cfi_step step;
	const struct cfi_rule *rule = rule_at(st, dso, addr, &step).rule;

	return rule && rule->cfa.flags & CFI_RULE_SIGNAL;
}

bool stacks_is_outermost(struct stacks *st, dso_id dso, u64 addr)
{
	struct cfi_step step;
	struct unwind_rule found = rule_at(st, dso, addr, &step);
	bool lost = step.kind == CFI_STEP_OUTERMOST;

	/* (rule_at() returns a step or a rule; the rule is NULL where there is a step) */
	for (u8 i = 0; found.rule && i < found.rule->cfa.nr; i++) {
		const struct cfi_reg *r = &found.rule->regs[i];

		if (r->column == cfi_abi(found.cfi)->ra)
			lost = r->kind == CFI_UNDEFINED;
	}
	return lost;
}

struct lookup {
	struct session_worker *worker;
	const struct site *site;
};

/* A sample whose stack is to be walked, and where its chain is then. */
struct stack_walk {
	struct sample *smp;
	struct unwind_job job;
	struct unwind_source source;
	struct lookup lookup;
	VEC(u64) chain;
	size_t nr; /* words in front of what the walk finds */
};

void stacks_free_walks(struct session_worker *w)
{
	for (size_t i = 0; w->walks && i < AHEAD; i++)
		vec_free(&w->walks[i].chain);
	free(w->walks);
}

static bool find_place(void *ctx, u64 pc, struct unwind_place *out)
{
	const struct lookup *l = ctx;
	const struct region_slot *r = region_at(l->worker, l->site, PERF_RECORD_MISC_USER, pc);

	if (!r || !r->map || !model_map_is_code(r->map))
		return false;
	*out = (struct unwind_place){ .dso = r->map->dso,
				      .object = dso_table_get(l->worker->stacks->dsos, r->map->dso),
				      .addr = pc + r->shift,
				      .start = r->start,
				      .len = r->len };
	return true;
}

static struct unwind_source source_of(struct session_worker *w, struct lookup *l)
{
	if (!w->code)
		w->code = unwind_cache_new();
	return (struct unwind_source){
		.objects = w->stacks->objects, .cache = w->code, .find = find_place, .ctx = l
	};
}

void stacks_put_off(struct session_worker *w, const struct sample_layout *l,
		    const struct site *site, struct sample *smp)
{
	bool is32 = smp->user_abi == PERF_SAMPLE_REGS_ABI_32;
	const struct unwind_abi *abi = is32 ? w->stacks->abi32 : w->stacks->abi;
	u32 max_stack = w->resolver->max_stack;
	struct stack_walk *s;

	if (!w->walks)
		w->walks = XNEW_ARRAY(struct stack_walk, AHEAD);
	s = &w->walks[w->nr_walks];
	s->smp = smp;
	s->lookup = (struct lookup){ .worker = w, .site = site };
	s->job = (struct unwind_job){ .abi = abi,
				      .max = max_stack,
				      .stack = { .bytes = smp->user_stack,
						 .size = smp->user_stack_size } };
	if (!abi || !unwind_regs_from_sample(&w->reg_words, abi, l->regs_user, smp->user_regs,
					     &s->job.regs))
		return;
	s->source = source_of(w, &s->lookup);
	s->source.tid = smp->tid;
	s->chain.nr = 0;
	VEC_GROW(&s->chain, smp->nr_chain + 3 + max_stack);
	s->nr = smp->nr_chain;
	if (s->nr)
		memcpy(s->chain.v, smp->chain, s->nr * sizeof(*s->chain.v));
	s->chain.v[s->nr++] = PERF_CONTEXT_USER;
	s->job.stack.addr = s->job.regs.v[abi->sp];
	s->job.pcs = s->chain.v + s->nr;
	unwind_source_give(&s->source, &s->job);
	w->nr_walks++;
}

/* Takes note of the mark of guesses (capture/stacks/unwinder.h) at a place of a chain; the frames
 * behind it are left out unless they are wanted. */
static void take_guess(struct session_worker *w, struct sample *smp, u64 at)
{
	w->unwound[UNWIND_GUESSED]++;
	smp->guess_at = (u32)at;
	if (w->resolver->guesses)
		return;
	smp->nr_chain = at;
	smp->guess_at = 0;
}

static void finish_walk(struct session_worker *w, struct stack_walk *s, struct unwind_job *job)
{
	struct sample *smp = s->smp;
	size_t nr = s->nr + job->nr, at;

	smp->cut = job->end == UNWIND_TRUNCATED;
	smp->absent = smp->cut && !sample_stack_is_full(smp);
	if (smp->absent)
		job->end = UNWIND_ABSENT;
	if (!job->guessed)
		w->unwound[job->end]++;
	/* the marks of capture/stacks/unwinder.h */
	for (int i = 0; i < smp->cut + smp->absent; i++)
		s->chain.v[nr++] = PERF_CONTEXT_USER;
	smp->chain = s->chain.v;
	smp->nr_chain = nr;
	smp->unwound = true;
	smp->whole = job->end == UNWIND_COMPLETE;
	smp->guessed = job->guessed != 0;
	if (!job->guessed)
		return;
	at = s->nr + job->guessed;
	memmove(s->chain.v + at + 1, s->chain.v + at, (nr - at) * sizeof(u64));
	s->chain.v[at] = PERF_CONTEXT_USER;
	smp->nr_chain++;
	take_guess(w, smp, at);
}

void stacks_walk(struct session_worker *w)
{
	struct unwind_job jobs[UNWIND_SIDE_BY_SIDE];

	for (size_t from = 0; from < w->nr_walks; from += UNWIND_SIDE_BY_SIDE) {
		size_t nr = MIN(w->nr_walks - from, (size_t)UNWIND_SIDE_BY_SIDE);

		for (size_t i = 0; i < nr; i++)
			jobs[i] = w->walks[from + i].job;
		unwind_walk(jobs, nr, unwind_source_lookup);
		for (size_t i = 0; i < nr; i++)
			finish_walk(w, &w->walks[from + i], &jobs[i]);
	}
	w->nr_walks = 0;
}

/* Whether code leaves the return address in its register. */
static bool keeps_link_register(struct session_worker *w, const struct site *site, u64 pc)
{
	struct lookup lookup = { .worker = w, .site = site };
	struct unwind_source source = source_of(w, &lookup);
	struct unwind_code code = { 0 };
	const struct cfi_rule *rule;

	unwind_source_lookup(&source, pc, &code);
	if (!code.rule || !code.rule->cfi || cfi_abi(code.rule->cfi) != w->stacks->abi)
		return false;
	rule = code.rule->rule;
	/* in an object with tables, code without is the procedure linkage table */
	if (!rule)
		return true;
	if (rule->cfa.flags & CFI_RULE_SIGNAL)
		return false;
	for (u8 i = 0; i < rule->cfa.nr; i++)
		if (rule->regs[i].column == w->stacks->abi->ra)
			return false;
	return true;
}

void stacks_add_leaf_caller(struct session_worker *w, const struct sample_layout *l,
			    const struct site *site, struct sample *smp)
{
	const struct unwind_abi *abi = w->stacks->abi;
	struct joined *out;
	u64 leaf = 0, caller;

	/* a recording of more registers was made for another purpose */
	if (!abi || !abi->link_register || l->regs_user != 1ULL << abi->perf_reg[abi->ra])
		return;
	while (leaf < smp->nr_chain && smp->chain[leaf] != PERF_CONTEXT_USER)
		leaf++;
	if (++leaf >= smp->nr_chain || smp->chain[leaf] >= PERF_CONTEXT_MAX)
		return;
	/* it may be signed, above the 48 bits of an address */
	caller = smp->user_regs[0] & ((1ULL << 48) - 1);
	if (!caller || (leaf + 1 < smp->nr_chain && smp->chain[leaf + 1] == caller) ||
	    !keeps_link_register(w, site, smp->chain[leaf]))
		return;
	out = worker_joined(w, smp->nr_chain + 1);
	memcpy(out->v, smp->chain, (leaf + 1) * sizeof(u64));
	out->v[leaf + 1] = caller;
	memcpy(out->v + leaf + 2, smp->chain + leaf + 1, (smp->nr_chain - leaf - 1) * sizeof(u64));
	smp->chain = out->v;
	smp->nr_chain++;
}

void stacks_take_stored(struct session_worker *w, const struct perfdata_event *ev,
			struct sample *smp)
{
	bool marked = smp->nr_chain > 1 && smp->chain[smp->nr_chain - 1] == PERF_CONTEXT_USER;
	bool some = w->stacks->some_unwound && marked; /* copies took over from frame pointers */
	u64 first = 0, guess = 0;

	if (!(ev->attr.sample_stack_user || some) || ev->attr.sample_type & PERF_SAMPLE_STACK_USER)
		return;
	while (first < smp->nr_chain && smp->chain[first] != PERF_CONTEXT_USER)
		first++;
	if (first == smp->nr_chain)
		return;
	for (u64 i = first + 1; i + 1 < smp->nr_chain && !guess; i++)
		if (smp->chain[i] == PERF_CONTEXT_USER && smp->chain[i + 1] < PERF_CONTEXT_MAX)
			guess = i;
	smp->unwound = true;
	smp->guessed = guess != 0;
	if (guess) {
		take_guess(w, smp, guess);
		return;
	}
	/* a mark, see capture/stacks/unwinder.h */
	smp->cut = marked;
	smp->absent = smp->nr_chain > 2 && smp->cut &&
		      smp->chain[smp->nr_chain - 2] == PERF_CONTEXT_USER;
	w->unwound[smp->absent ? UNWIND_ABSENT : smp->cut ? UNWIND_TRUNCATED : UNWIND_COMPLETE]++;
}
