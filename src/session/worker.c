/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workers: what each of them has for itself. */
#include "session/worker.h"

#include "base/hash.h"

void worker_init(struct session_worker *w, struct resolver *r, struct stacks *st,
		 unsigned int number)
{
	*w = (struct session_worker){
		.resolver = r, .stacks = st, .number = number, .text = STRBUF_INIT
	};
}

void worker_release(struct session_worker *w)
{
	free(w->ips_memory);
	free(w->chains_memory);
	free(w->sites);
	unwind_cache_free(w->code);
	vec_free(&w->notes);
	vec_free(&w->put_off);
	vec_free(&w->asked);
	free(w->regions);
	free(w->window);
	free(w->blocks);
	free(w->frames_ahead);
	latest_release(&w->latest);
	vec_free(&w->chain);
	stacks_free_walks(w);
	for (size_t i = 0; i < JOINED; i++)
		vec_free(&w->joined[i]);
	vec_free(&w->chain_dsos);
	strbuf_release(&w->text);
}

void worker_forget(struct session_worker *w)
{
	struct resolver *r = w->resolver;
	struct stacks *st = w->stacks;
	unsigned int number = w->number;

	worker_release(w);
	worker_init(w, r, st, number);
}

void worker_renew(struct session_worker *w, struct resolver *r)
{
	free(w->ips_memory);
	free(w->chains_memory);
	free(w->sites);
	free(w->regions);
	latest_release(&w->latest);
	w->ips_memory = w->chains_memory = NULL;
	w->ips = NULL;
	w->chains = NULL;
	w->sites = w->site = NULL;
	w->regions = NULL;
	w->frame_block = (struct frame_block){ 0 };
	w->chain_block = (struct chain_block){ 0 };
	w->resolver = r;
}

void worker_begin(struct session_worker *w, u64 batch)
{
	w->batch = batch;
	w->changes = model_map_changes(w->resolver->model);
}

u64 session_batch_number(const struct session_worker *w)
{
	return w->batch;
}

unsigned int session_worker_number(const struct session_worker *w)
{
	return w->number;
}

void worker_site(struct session_worker *w, u32 pid, u32 tid, u64 time, struct site *out)
{
	u64 key = (u64)pid << 32 | tid;
	struct site_slot *slot = w->site;

	if (!slot || slot->key != key) {
		if (!w->sites)
			w->sites = XNEW_ARRAY(struct site_slot, SITE_SLOTS);
		slot = w->site = &w->sites[hash_u64(key) % SITE_SLOTS];
	}
	if (slot->key != key || slot->batch != w->batch || time < slot->site.t0 ||
	    time >= slot->site.t1) {
		model_site_at(w->resolver->model, pid, tid, time, &slot->site);
		slot->key = key;
		slot->batch = w->batch;
	}
	out->thread = slot->site.thread;
	out->space = slot->site.space;
	out->comm = slot->site.comm;
	out->changed = slot->site.changed;
	out->time = time;
}

void worker_sample_site(struct session_worker *w, const struct sample *smp, u64 time,
			struct site *out)
{
	str_id guest;

	worker_site(w, smp->pid, smp->tid, time, out);
	if (LIKELY(!model_is_guest_level(smp->cpumode)))
		return;
	guest = model_guest_comm(w->resolver->model, out->thread, smp->cpumode);
	if (guest)
		out->comm = guest;
}
