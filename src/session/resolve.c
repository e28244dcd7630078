/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve: addresses to frames and callchains to numbers, each distinct one once.
 *
 * In front of the shared tables every worker has caches of its own: (pid, tid) -> site; (space, part
 * of an address) -> region, see place.c; where inlined functions are wanted (space, ip) -> frame; hash of a raw
 * chain -> chain number. One is shared, too: from a region (object, address in it) -> frame, see dso_frames.c. A cache
 * entry carries the time from which it holds, so that what a worker saw before never changes an
 * answer. Shared tables grow under locks that are only taken for what no cache knows. None of these
 * tables fits into the CPU's caches, so waiting for memory is most of the time:
 * worker_look_ahead() asks early, for several samples.
 */
#include "session/private.h"

#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "dso/source.h"

enum { CACHE_LINE = 64 };

void resolver_init(struct resolver *r, const struct model *model, struct dso_table *dsos,
		   u32 max_stack)
{
	r->model = model;
	r->dsos = dsos;
	r->max_stack = max_stack;
	pthread_mutex_init(&r->lock, NULL);
	frame_table_init(&r->frames);
	chains_init(&r->chains);
	dso_frames_init(&r->dso_frames);
}

void resolver_release(struct resolver *r)
{
	chains_release(&r->chains);
	dso_frames_release(&r->dso_frames);
	frame_table_release(&r->frames);
	for (u32 i = 0; i < r->nr_sym_frames; i++)
		free((void *)r->sym_frames[i]);
	free((void *)r->sym_frames);
	map_release(&r->inlined);
	vec_free(&r->known_notes);
	map_release(&r->by_note);
	arena_release(&r->names);
	pthread_mutex_destroy(&r->lock);
}

void resolver_prepare(struct resolver *r)
{
	u32 want = dso_table_count(r->dsos) + 1;
	_Atomic(u32) *_Atomic *bigger;

	dso_frames_drop_old(&r->dso_frames);
	if (want <= r->nr_sym_frames)
		return;
	want = MAX(want, r->nr_sym_frames * 2);
	bigger = xcalloc(want, sizeof(*bigger));
	for (u32 i = 0; i < r->nr_sym_frames; i++)
		bigger[i] = r->sym_frames[i];
	free((void *)r->sym_frames);
	r->sym_frames = bigger;
	r->nr_sym_frames = want;
}

void resolver_forget(struct resolver *r)
{
	dso_frames_release(&r->dso_frames);
	dso_frames_init(&r->dso_frames);
}

const struct frame *session_frame_get(struct session *s, frame_id id)
{
	static const struct frame none = { .sym = SYM_NONE };

	return id ? frame_at(&s->resolver.frames, id) : &none;
}

static frame_id frame_of_symbol(struct resolver *r, dso_id dso, const struct symtab *st, u32 sym,
				u8 cpumode)
{
	_Atomic(u32) *frames = atomic_load_explicit(&r->sym_frames[dso], memory_order_acquire);
	frame_id id = frames ? atomic_load_explicit(&frames[sym], memory_order_acquire) : 0;
	struct frame f;

	if (id)
		return id;
	f = (struct frame){ .dso = dso, .sym = sym, .addr = symtab_start(st, sym),
			    .cpumode = cpumode };
	pthread_mutex_lock(&r->lock);
	frames = r->sym_frames[dso];
	if (!frames) {
		frames = xcalloc(symtab_count(st), sizeof(*frames));
		atomic_store_explicit(&r->sym_frames[dso], frames, memory_order_release);
	}
	id = frames[sym];
	if (!id) {
		id = frame_add(&r->frames, &f);
		atomic_store_explicit(&frames[sym], id, memory_order_release);
	}
	pthread_mutex_unlock(&r->lock);
	return id;
}

/*
 * A function inlined into that of base. By address, each of the places there is a frame of its own, that of
 * the function itself (name "") too.
 */
static frame_id frame_of_inlined(struct resolver *r, frame_id base, const char *name, u16 depth)
{
	const struct frame *b = frame_at(&r->frames, base);
	u64 h = hash_bytes(name, strlen(name), hash_mix(b->dso, hash_mix(b->sym, b->at)));
	struct strbuf text = STRBUF_INIT;
	frame_id id = 0;
	u32 i;

	if (*name)
		strbuf_addf(&text, "%s (inlined)", name);
	pthread_mutex_lock(&r->lock);
	for (struct map_probe p = map_first(&r->inlined, h); map_next(&r->inlined, &p, &i);) {
		const struct frame *f = frame_at(&r->frames, i);

		if (f->dso == b->dso && f->sym == b->sym && f->at == b->at && f->depth == depth &&
		    !strcmp(f->inlined ? f->inlined : "", text.buf)) {
			id = i;
			break;
		}
	}
	if (!id) {
		struct frame f = *b;

		f.depth = depth;
		if (*name)
			f.inlined = arena_strdup(&r->names, text.buf);
		id = frame_add(&r->frames, &f);
		if (id)
			map_add(&r->inlined, h, id);
	}
	pthread_mutex_unlock(&r->lock);
	strbuf_release(&text);
	return id;
}

u32 resolver_note(struct resolver *r, const struct chain_note *note)
{
	u64 hash = hash_bytes(note, sizeof(*note), 0);
	u32 number = 0, i;

	pthread_mutex_lock(&r->lock);
	for (struct map_probe p = map_first(&r->by_note, hash); map_next(&r->by_note, &p, &i);)
		if (!memcmp(&r->known_notes.v[i], note, sizeof(*note)))
			number = i;
	if (!number) {
		if (!r->known_notes.nr)
			*VEC_PUSH(&r->known_notes) = (struct chain_note){ 0 };
		number = (u32)r->known_notes.nr;
		*VEC_PUSH(&r->known_notes) = *note;
		map_add(&r->by_note, hash, number);
	}
	pthread_mutex_unlock(&r->lock);
	return number;
}

struct chain_note session_note(const struct session *s, u32 number)
{
	return number ? s->resolver.known_notes.v[number] : (struct chain_note){ 0 };
}

void worker_init(struct session_worker *w, struct resolver *r, struct stacks *st,
		 unsigned int number)
{
	*w = (struct session_worker){ .resolver = r, .stacks = st, .number = number,
					 .text = STRBUF_INIT };
}

void worker_release(struct session_worker *w)
{
	free(w->ips_memory);
	free(w->chains_memory);
	free(w->sites);
	unwind_cache_free(w->code);
	vec_free(&w->notes);
	vec_free(&w->put_off);
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

void *aligned_table(void **memory, size_t size)
{
	*memory = xcalloc(1, size + CACHE_LINE);
	return (void *)ALIGN_UP((uintptr_t)*memory, CACHE_LINE);
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
	out->time = time;
}

/* Of what has no symbol: in a module without symbols perf counts from its start. */
static u64 shown_address(struct resolver *r, const struct model_map *map, u64 ip)
{
	struct dso *d = dso_table_get(r->dsos, map->dso);

	if (map->identity && dso_kind(d) == DSO_MODULE && !symtab_count(dso_symtab(d)))
		return ip - map->start + map->pgoff;
	return model_map_ip(map, ip);
}

void session_locate(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		    struct location *out)
{
	struct resolver *r = w->resolver;
	const struct model_map *map =
		model_find_map(r->model, site->thread, cpumode, ip, site->time);

	*out = (struct location){ .ip = ip, .addr = ip, .sym = SYM_NONE, .map = map };
	if (!map) {
		out->valid_from = worker_unmapped_from(w, site, cpumode);
		return;
	}
	out->valid_from = map->t0;
	out->dso = map->dso;
	out->addr = model_map_ip(map, ip);
	out->sym = symtab_find(dso_symtab(dso_table_get(r->dsos, map->dso)), out->addr);
}

/* f: as far as dso, sym, ip and level; addr in the object; shown: what stands for a symbol. */
static frame_id frame_of(struct resolver *r, struct frame *f, u64 addr, u64 shown)
{
	const struct symtab *st;

	if (f->sym == SYM_NONE) {
		f->addr = shown;
		return frame_of_address(&r->frames, f);
	}
	st = dso_symtab(dso_table_get(r->dsos, f->dso));
	if (!r->by_address)
		return frame_of_symbol(r, f->dso, st, f->sym, f->cpumode);
	f->addr = symtab_start(st, f->sym);
	f->at = addr;
	return frame_of_address(&r->frames, f);
}

void session_resolve(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		     struct location *out)
{
	struct frame f;

	session_locate(w, site, cpumode, ip, out);
	f = (struct frame){ .dso = out->dso, .sym = out->sym, .ip = ip, .cpumode = cpumode };
	out->frame = frame_of(w->resolver, &f, out->addr,
			      out->map ? shown_address(w->resolver, out->map, ip) : ip);
}

/* The frame of a resolved address, or the list of it and what is inlined there. */
static frame_id with_inlined(struct resolver *r, const struct location *loc)
{
	struct source_frame places[SOURCE_FRAMES_MAX];
	frame_id frames[SOURCE_FRAMES_MAX];
	chain_id list;
	size_t nr;

	if (loc->sym == SYM_NONE)
		return loc->frame;
	nr = dso_source(dso_table_get(r->dsos, loc->dso), loc->addr, places, ARRAY_SIZE(places));
	if (nr < 2)
		return loc->frame;
	for (size_t i = 0; i + 1 < nr; i++)
		frames[i] = frame_of_inlined(r, loc->frame, places[i].function,
					     r->by_address ? (u16)i : 0);
	frames[nr - 1] = r->by_address ? frame_of_inlined(r, loc->frame, "", (u16)(nr - 1)) : loc->frame;
	list = chain_intern(&r->chains, frames, (u32)nr);
	return !list || list & FRAME_LIST ? loc->frame : list | FRAME_LIST;
}

/* What is shown of an address without a symbol depends on nothing but where it is. */
static bool shows_address(struct resolver *r, const struct model_map *map)
{
	return !map || !map->identity || dso_kind(dso_table_get(r->dsos, map->dso)) != DSO_MODULE;
}

/* Frame of an address in a region whose frames are kept. */
static frame_id frame_in(struct session_worker *w, const struct region_slot *in, u8 cpumode, u64 ip)
{
	struct resolver *r = w->resolver;
	const struct model_map *map = in->map;
	u64 addr = ip + in->shift;
	bool nameless;
	frame_id id = dso_frame_find(&r->dso_frames, in->key, addr, &nameless);
	struct frame f;

	if (LIKELY(id))
		return id;
	f = (struct frame){ .dso = map ? map->dso : 0, .sym = SYM_NONE, .ip = ip, .cpumode = cpumode };
	if (map && (!nameless || r->by_address))
		f.sym = symtab_find(dso_symtab(dso_table_get(r->dsos, f.dso)), addr);
	id = frame_of(r, &f, addr, map ? shown_address(r, map, ip) : ip);
	if (id && (f.sym != SYM_NONE || shows_address(r, map)))
		dso_frame_add(&r->dso_frames, in->key, addr, f.sym != SYM_NONE && !r->by_address, id);
	return id;
}

static struct ip_slot *ip_slot_of(const struct session_worker *w, u32 space, u64 ip, bool expand)
{
	return &w->ips[hash_finish(ip ^ ((u64)space << 40) ^ expand) % IP_SLOTS];
}

/* Frame of an address, and from when on that holds; *unmapped when only in this batch. expand: or a
 * list of frames. */
static frame_id lookup(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		       bool expand, u64 *valid_from, bool *unmapped)
{
	u32 space = worker_space(w, site, cpumode);
	const struct region_slot *in;
	struct ip_slot *slot;
	struct location loc;

	w->resolves = true;
	in = expand ? NULL : region_at(w, site, cpumode, ip);
	if (in && in->key) {
		*valid_from = MAX(*valid_from, in->valid_from);
		*unmapped |= !in->map;
		return frame_in(w, in, cpumode, ip);
	}
	if (!w->ips)
		w->ips = aligned_table(&w->ips_memory, IP_SLOTS * sizeof(*w->ips));
	slot = ip_slot_of(w, space, ip, expand);
	if (slot->ip == ip && slot->space == space && slot->frame && slot->expand == expand &&
	    site->time >= slot->valid_from && (!slot->batch || slot->batch == (u32)w->batch)) {
		*valid_from = MAX(*valid_from, slot->valid_from);
		*unmapped |= slot->batch != 0;
		return slot->frame;
	}
	session_resolve(w, site, cpumode, ip, &loc);
	if (expand)
		loc.frame = with_inlined(w->resolver, &loc);
	*valid_from = MAX(*valid_from, loc.valid_from);
	*unmapped |= !loc.map;
	*slot = (struct ip_slot){ .ip = ip, .valid_from = loc.valid_from, .space = space,
				  .frame = loc.frame, .batch = loc.map ? 0 : (u32)w->batch,
				  .expand = expand };
	return loc.frame;
}

frame_id session_frame(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip)
{
	u64 valid_from = 0;
	bool unmapped = false;

	return lookup(w, site, cpumode, ip, false, &valid_from, &unmapped);
}

void session_forget_addresses(struct session *s)
{
	struct resolver *r = &s->resolver;

	frame_table_forget_addresses(&r->frames);
	for (u32 i = 0; i < r->nr_sym_frames; i++) {
		free((void *)r->sym_frames[i]);
		r->sym_frames[i] = NULL;
	}
}

u32 session_nr_frames(struct session *s)
{
	return s->resolver.frames.nr - 1;
}

/* ---- chains ---- */

/* A marker that is none: the kernel was interrupted while it wrote, nothing of it can be trusted. */
static bool is_broken(const struct sample *smp)
{
	for (u64 i = 0; i < smp->nr_chain; i++)
		if (smp->chain[i] >= PERF_CONTEXT_MAX &&
		    chain_mode(smp->chain[i]) == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
			return true;
	return false;
}

/* Frames of a chain beyond max. */
static u64 surplus(const struct sample *smp, u32 max)
{
	u64 nr = 0;

	for (u64 i = 0; i < smp->nr_chain; i++)
		nr += smp->chain[i] < PERF_CONTEXT_MAX;
	return nr > max ? nr - max : 0;
}

/* Frames of a chain while it is put together. */
struct frames {
	frame_id *v; /* FRAMES_MAX */
	u32 *notes;  /* the same, NULL = none are wanted */
	u32 nr;
	u32 note; /* of the frame that comes next */
	u64 valid_from;
	bool unmapped;
	/* the outer end, whose frames are known: so many words */
	u32 nr_known_words, nr_known;
	const frame_id *known;
};

static void add_frame(struct resolver *r, struct frames *f, frame_id id)
{
	if (f->nr == FRAMES_MAX ||
	    (r->drop_unresolved && frame_at(&r->frames, id)->sym == SYM_NONE))
		return;
	if (f->notes)
		f->notes[f->nr] = f->note;
	f->v[f->nr++] = id;
}

static void add_frames(struct resolver *r, struct frames *f, frame_id id)
{
	const u32 *list;

	if (!(id & FRAME_LIST)) {
		add_frame(r, f, id);
		return;
	}
	list = chain_words(&r->chains, id & ~FRAME_LIST);
	for (u32 i = 0; i < list[0]; i++)
		add_frame(r, f, list[1 + i]);
}

/* Whether functions that were inlined are wanted of the sample's user frames. */
static bool wants_inlined(const struct resolver *r, const struct sample *smp)
{
	return r->inlines_of_all || (r->inlines && smp->unwound);
}

/* Ask for what the frame of an address will be looked up in; later for what lies behind. */
static void prefetch_ip(struct session_worker *w, const struct site *site, u8 mode, u64 ip,
			bool expand)
{
	const struct region_slot *known = expand ? NULL : region_known(w, site, mode, ip);
	const struct ip_slot *slot;

	if (known && known->key) {
		dso_frame_prefetch(&w->resolver->dso_frames, known->key, ip + known->shift);
		return;
	}
	if (!w->ips)
		return;
	slot = ip_slot_of(w, worker_space(w, site, mode), ip, expand);
	__builtin_prefetch(slot);
	if (mode == PERF_RECORD_MISC_USER && w->nr_asked < ARRAY_SIZE(w->asked))
		w->asked[w->nr_asked++] = (struct asked_ip){ slot, ip };
}

/* Addresses without a mapping are new more often than not. */
static void prefetch_behind(struct session_worker *w)
{
	for (size_t i = 0; i < w->nr_asked; i++)
		if (w->asked[i].slot->ip != w->asked[i].ip)
			frame_prefetch_address(&w->resolver->frames, w->asked[i].ip);
	w->nr_asked = 0;
}

static void prefetch_chain(struct session_worker *w, size_t ahead)
{
	const struct sample *smp = &w->ahead[ahead];
	bool expand = wants_inlined(w->resolver, smp);
	u8 mode = PERF_RECORD_MISC_USER;
	u64 nr = smp->nr_chain - w->ahead_chain[ahead].shared.nr;

	for (u64 i = 0; i < nr; i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			mode = chain_mode(ip);
		else
			prefetch_ip(w, &w->ahead_rec[ahead].site, mode, ip,
				    expand && mode == PERF_RECORD_MISC_USER);
	}
}

/* Stands for the callers that nobody knows of. */
static frame_id frame_of_cut(struct resolver *r)
{
	static const struct frame cut = { .sym = SYM_NONE, .inlined = "[stack cut]",
					  .cpumode = PERF_RECORD_MISC_USER };

	pthread_mutex_lock(&r->lock);
	if (!r->cut_frame)
		r->cut_frame = frame_add(&r->frames, &cut);
	pthread_mutex_unlock(&r->lock);
	return r->cut_frame;
}

/* What the chain's addresses are; nothing of a broken one. */
static void chain_frames(struct session_worker *w, const struct site *site,
			 const struct sample *smp, struct frames *f)
{
	bool expand = wants_inlined(w->resolver, smp);
	u8 mode = PERF_RECORD_MISC_USER;
	u64 skip, i, end = smp->nr_chain - f->nr_known_words;
	u32 nr = 0, max;

	f->nr = 0;
	if (is_broken(smp))
		return;
	/* a chain that was made has the length it should have */
	max = smp->made ? UINT32_MAX : w->resolver->max_stack;
	skip = w->resolver->keep_outermost ? surplus(smp, max) : 0;
	for (i = 0; i < end && nr < max; i++) {
		u64 ip = smp->chain[i];
		u32 before = f->nr;

		f->note = f->notes && smp->made ? w->notes.v[i] : 0;

		if (ip >= PERF_CONTEXT_MAX) {
			mode = chain_mode(ip);
			continue;
		}
		if (skip) {
			skip--;
			continue;
		}
		add_frames(w->resolver, f,
			   lookup(w, site, mode, ip, expand && mode == PERF_RECORD_MISC_USER,
				  &f->valid_from, &f->unmapped));
		nr += f->nr > before;
	}
	if (f->nr_known)
		memcpy(f->v + f->nr, f->known, f->nr_known * sizeof(*f->v));
	f->nr += f->nr_known;
	if (f->nr && smp->cut && i == smp->nr_chain)
		add_frame(w->resolver, f, frame_of_cut(w->resolver));
}

static bool chain_slot_fits(const struct session_worker *w, const struct chain_slot *s,
			    const struct site *site, u64 h1, u64 h2)
{
	return s->h1 == h1 && s->h2 == h2 && s->chain && site->time >= s->valid_from &&
	       (!s->batch || s->batch == (u32)w->batch);
}

static void keep_chain(struct session_worker *w, const struct chain_ahead *c)
{
	w->chains[c->h1 % CHAIN_SLOTS] = (struct chain_slot){
		.h1 = c->h1, .h2 = c->h2, .valid_from = c->valid_from,
		.batch = c->unmapped ? (u32)w->batch : 0, .chain = c->chain };
}

/* Whether a chain's frames are those of its words that are no markers. */
static bool is_plain(const struct resolver *r, const struct sample *smp)
{
	return !smp->made && !smp->cut && smp->nr_chain <= r->max_stack && smp->nr_chain <= FRAMES_MAX &&
	       !r->drop_unresolved && !wants_inlined(r, smp);
}

/* What a missing chain shares with the thread's one before, among those ahead or the latest. */
static void find_shared(struct session_worker *w, size_t at)
{
	struct chain_ahead *c = &w->ahead_chain[at];
	const struct sample *smp = &w->ahead[at];
	const struct site *site = &w->ahead_rec[at].site;

	c->shared = (struct shared_end){ 0 };
	c->before = 0;
	c->latest = NULL;
	c->plain = is_plain(w->resolver, smp);
	if (!c->plain)
		return;
	for (size_t i = at; i-- > 0;) {
		const struct site *before = &w->ahead_rec[i].site;

		if (before->thread != site->thread || before->space != site->space ||
		    !w->ahead_chain[i].missing || !w->ahead_chain[i].plain)
			continue;
		c->before = (u32)i + 1;
		c->shared = chains_share(smp->chain, smp->nr_chain, PERF_RECORD_MISC_USER,
					 w->ahead[i].chain, w->ahead[i].nr_chain, PERF_RECORD_MISC_USER);
		return;
	}
	c->latest = latest_find(&w->latest, site->thread, site->space);
	if (c->latest && site->time >= c->latest->valid_from &&
	    (!c->latest->batch || c->latest->batch == (u32)w->batch))
		c->shared = chains_share(smp->chain, smp->nr_chain, PERF_RECORD_MISC_USER, c->latest->words,
					 c->latest->nr, c->latest->mode);
}

/* The frames that were found to be shared: those of the chain before are known by now. */
static void take_shared(const struct session_worker *w, const struct chain_ahead *c, u64 time, struct frames *f)
{
	const struct chain_ahead *before = c->before ? &w->ahead_chain[c->before - 1] : NULL;

	if (!c->shared.nr_frames)
		return;
	if (before && (!before->missing || time < before->valid_from))
		return;
	f->nr_known_words = c->shared.nr;
	f->nr_known = c->shared.nr_frames;
	f->known = before ? w->frames_ahead + before->from + before->nr : c->latest->frames + c->latest->nr_frames;
	f->known -= f->nr_known;
	f->valid_from = before ? before->valid_from : c->latest->valid_from;
	f->unmapped = before ? before->unmapped : c->latest->batch != 0;
}

/* Find the addresses of missing chains, one chain behind the other. */
static void frames_ahead(struct session_worker *w, size_t nr)
{
	u32 used = 0;

	if (!w->frames_ahead)
		w->frames_ahead = xcalloc(AHEAD * FRAMES_MAX, sizeof(*w->frames_ahead));
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];
		struct frames f = { .v = w->frames_ahead + used };

		if (!c->missing)
			continue;
		take_shared(w, c, w->ahead_rec[i].site.time, &f);
		chain_frames(w, &w->ahead_rec[i].site, &w->ahead[i], &f);
		c->missing = f.nr;
		if (!f.nr)
			continue;
		c->valid_from = f.valid_from;
		c->unmapped = f.unmapped;
		c->from = used;
		c->nr = f.nr;
		c->hash = chain_hash(f.v, f.nr);
		chain_prefetch_slot(&w->resolver->chains, c->hash);
		used += f.nr;
	}
}

/* Of each thread the last of the chains ahead. */
static void keep_latest(struct session_worker *w, size_t nr)
{
	u64 later = 0; /* bits of chains with one of the same thread behind them */

	for (size_t i = nr; i-- > 0;) {
		const struct chain_ahead *c = &w->ahead_chain[i];
		const struct site *site = &w->ahead_rec[i].site;

		if (!c->missing || !c->plain)
			continue;
		if (c->before)
			later |= 1ULL << (c->before - 1);
		if (later & 1ULL << i)
			continue;
		latest_keep(&w->latest, &(struct latest_chain){
			.thread = site->thread, .space = site->space, .valid_from = c->valid_from,
			.batch = c->unmapped ? (u32)w->batch : 0, .nr = (u32)w->ahead[i].nr_chain,
			.nr_frames = c->nr, .words = (u64 *)(uintptr_t)w->ahead[i].chain,
			.frames = w->frames_ahead + c->from });
	}
}

/* Put chains that are missing into the cache, where session_chain() will find them. */
static void chains_ahead(struct session_worker *w, size_t nr)
{
	struct chain_table *t = &w->resolver->chains;

	for (size_t i = 0; i < nr; i++)
		if (w->ahead_chain[i].missing) {
			find_shared(w, i);
			prefetch_chain(w, i);
		}
	prefetch_behind(w);
	frames_ahead(w, nr);
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (c->missing)
			c->chain = chain_offer(t, c->hash, w->frames_ahead + c->from, c->nr,
					       &c->check);
	}
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (!c->missing)
			continue;
		if (c->check && !chain_is(t, c->chain, w->frames_ahead + c->from, c->nr))
			c->chain = chain_intern(t, w->frames_ahead + c->from, c->nr);
		keep_chain(w, c);
	}
	keep_latest(w, nr);
}

/* Nothing is asked of tables that the consumer has not used yet. */
void worker_look_ahead(struct session_worker *w, size_t nr)
{
	bool missing = false;

	for (size_t i = 0; i < nr; i++) {
		const struct sample *smp = &w->ahead[i];
		const struct site *site = &w->ahead_rec[i].site;
		struct chain_ahead *c = &w->ahead_chain[i];

		if (w->resolves)
			prefetch_ip(w, site, smp->cpumode, smp->ip, false);
		c->missing = false;
		c->known = w->chains && smp->chain && smp->nr_chain;
		if (!c->known)
			continue;
		hash_words2(smp->chain, smp->nr_chain, site->space, &c->h1, &c->h2);
		__builtin_prefetch(&w->chains[c->h1 % CHAIN_SLOTS]);
	}
	for (size_t i = 0; i < nr; i++) {
		struct chain_ahead *c = &w->ahead_chain[i];

		if (!c->known || !w->resolves)
			continue;
		c->missing = !chain_slot_fits(w, &w->chains[c->h1 % CHAIN_SLOTS],
					      &w->ahead_rec[i].site, c->h1, c->h2);
		missing |= c->missing;
	}
	if (missing)
		chains_ahead(w, nr);
	else
		prefetch_behind(w);
}

static void chain_hash_of(const struct session_worker *w, const struct site *site,
			  const struct sample *smp, u64 *h1, u64 *h2)
{
	uintptr_t at = ((uintptr_t)smp - (uintptr_t)w->ahead) / sizeof(*smp);

	if (at < AHEAD && w->ahead_chain[at].known) {
		*h1 = w->ahead_chain[at].h1;
		*h2 = w->ahead_chain[at].h2;
		return;
	}
	hash_words2(smp->chain, smp->nr_chain, site->space, h1, h2);
}

static chain_id chain_with_notes(struct session_worker *w, const struct site *site,
				 const struct sample *smp)
{
	u32 room[2 * FRAMES_MAX];
	struct frames f = { .v = room, .notes = room + FRAMES_MAX };

	chain_frames(w, site, smp, &f);
	memmove(room + f.nr, f.notes, f.nr * sizeof(*room));
	return f.nr ? chain_intern(&w->resolver->chains, room, 2 * f.nr) : 0;
}

chain_id session_chain(struct session_worker *w, const struct site *site, const struct sample *smp)
{
	frame_id room[FRAMES_MAX];
	struct frames f = { .v = room };
	struct chain_ahead c;
	const struct chain_slot *slot;

	if (!smp->chain || !smp->nr_chain)
		return 0;
	if (w->resolver->notes)
		return chain_with_notes(w, site, smp);
	if (!w->chains)
		w->chains = aligned_table(&w->chains_memory, CHAIN_SLOTS * sizeof(*w->chains));
	chain_hash_of(w, site, smp, &c.h1, &c.h2);
	slot = &w->chains[c.h1 % CHAIN_SLOTS];
	if (chain_slot_fits(w, slot, site, c.h1, c.h2))
		return slot->chain;
	chain_frames(w, site, smp, &f);
	if (!f.nr)
		return 0;
	c.valid_from = f.valid_from;
	c.unmapped = f.unmapped;
	c.chain = chain_intern(&w->resolver->chains, f.v, f.nr);
	keep_chain(w, &c);
	return c.chain;
}

size_t session_chain_locations(struct session_worker *w, const struct site *site,
			       const struct sample *smp, struct location *out, size_t max)
{
	u8 mode = PERF_RECORD_MISC_USER;
	size_t nr = 0;

	if (smp->chain && is_broken(smp))
		return 0;
	for (u64 i = 0; smp->chain && i < smp->nr_chain && nr < max; i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX)
			mode = chain_mode(ip);
		else
			session_resolve(w, site, mode, ip, &out[nr++]);
	}
	return nr;
}

static struct chain_dso *note_dso(struct session_worker *w, dso_id dso, u8 cpumode, u64 addr, bool latest)
{
	struct chain_dso *d = NULL;

	VEC_FOR(&w->chain_dsos, known)
		if (known->dso == dso)
			d = known;
	if (d && !latest)
		return d;
	if (!d)
		d = VEC_PUSH(&w->chain_dsos);
	*d = (struct chain_dso){ .dso = dso, .cpumode = cpumode, .addr = addr };
	return d;
}

size_t session_chain_dsos(struct session_worker *w, const struct site *site, const struct sample *smp,
			  bool caller_first, const struct chain_dso **out)
{
	const struct region_slot *in = NULL; /* of the frame before: mostly of this one too */
	struct chain_dso *d = NULL;
	u8 mode = PERF_RECORD_MISC_USER;
	u64 skip, i;
	u32 nr = 0;

	w->chain_dsos.nr = 0;
	*out = NULL;
	if (!smp->chain || is_broken(smp))
		return 0;
	skip = w->resolver->keep_outermost ? surplus(smp, w->resolver->max_stack) : 0;
	for (i = 0; i < smp->nr_chain && nr < w->resolver->max_stack; i++) {
		u64 ip = smp->chain[i];

		if (ip >= PERF_CONTEXT_MAX) {
			mode = chain_mode(ip);
			in = NULL;
			continue;
		}
		if (skip) {
			skip--;
			continue;
		}
		nr++;
		if (in && ip - in->start < in->len) {
			if (caller_first)
				d->addr = ip + in->shift;
			continue;
		}
		in = region_at(w, site, mode, ip);
		d = note_dso(w, in && in->map ? in->map->dso : 0, mode, in ? ip + in->shift : ip,
			     caller_first);
	}
	if (nr && smp->cut && i == smp->nr_chain)
		note_dso(w, 0, PERF_RECORD_MISC_USER, 0, caller_first);
	*out = w->chain_dsos.v;
	return w->chain_dsos.nr;
}
