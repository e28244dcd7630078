/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve: addresses to frames and callchains to numbers, each distinct one once.
 *
 * In front of the shared tables every worker has caches of its own: (pid, tid) -> site; (space,
 * part of an address) -> region, see place.c; where inlined functions are wanted (space, ip) ->
 * frame; hash of a raw chain -> chain number. One is shared, too: from a region (object, address in
 * it) -> frame, see dso_frames.c. A cache entry carries the time from which it holds, so that what
 * a worker saw before never changes an answer. Shared tables grow under locks that are only taken
 * for what no cache knows. None of these tables fits into the CPU's caches, so most of the time is
 * waiting for memory: worker_look_ahead() prefetches for several samples, see ahead.c.
 */
#include "session/resolve.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "dso/source.h"
#include "session/opened.h"

enum { BYTES_OF_AN_ENTRY = 512, ENTRIES_MAX = 1 << 16, LARGE = 4 << 20 };
enum { SLOTS = 1 << 15, SLOTS_SMALL = 1 << 12 };

void resolver_init(struct resolver *r, const struct model *model, struct dso_table *dsos,
		   u32 max_stack, u64 bytes)
{
	u32 expected = (u32)MIN(bytes / BYTES_OF_AN_ENTRY, (u64)ENTRIES_MAX);

	r->model = model;
	r->dsos = dsos;
	r->max_stack = max_stack;
	r->large = bytes >= LARGE;
	/* Small recordings fill few slots, and each slot that is used costs a page. */
	r->slots = bytes && !r->large ? SLOTS_SMALL : SLOTS;
	pthread_mutex_init(&r->lock, NULL);
	frame_table_init(&r->frames, expected);
	chains_init(&r->chains, expected);
	dso_frames_init(&r->dso_frames, r->slots == SLOTS_SMALL ? DSO_FRAMES_FEW : DSO_FRAMES_MANY);
}

void resolver_close(struct resolver *r)
{
	for (u32 i = 0; i < r->nr_sym_frames; i++)
		free((void *)r->sym_frames[i]);
	free((void *)r->sym_frames);
	r->sym_frames = NULL;
	r->nr_sym_frames = 0;
	dso_frames_release(&r->dso_frames);
	chains_close(&r->chains);
	frame_table_close(&r->frames);
}

void resolver_release(struct resolver *r)
{
	resolver_close(r);
	chains_release(&r->chains);
	frame_table_release(&r->frames);
	map_release(&r->inlined);
	vec_free(&r->inlined_frames);
	vec_free(&r->known_notes);
	vec_free(&r->marks);
	map_release(&r->by_note);
	arena_release(&r->names);
	pthread_mutex_destroy(&r->lock);
}

void resolver_prepare(struct resolver *r)
{
	u32 want = dso_table_count(r->dsos) + 1;
	_Atomic(u32) *_Atomic *bigger;

	dso_frames_drop_old(&r->dso_frames);
	frame_table_make_room(&r->frames);
	chains_make_room(&r->chains);
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
	u32 most = r->dso_frames.most;

	dso_frames_release(&r->dso_frames);
	dso_frames_init(&r->dso_frames, most);
}

const struct frame *session_frame_get(struct session *s, frame_id id)
{
	static const struct frame none = { .sym = SYM_NONE };

	return id ? frame_at(&s->resolver->frames, id) : &none;
}

/* The frame "[stack cut]", in place of callers that were not recorded. */
static frame_id frame_of_cut(struct resolver *r)
{
	static const struct frame cut = { .sym = SYM_NONE,
					  .inlined = "[stack cut]",
					  .cpumode = PERF_RECORD_MISC_USER };

	pthread_mutex_lock(&r->lock);
	if (!r->cut_frame)
		r->cut_frame = frame_add(&r->frames, &r->block, &cut);
	pthread_mutex_unlock(&r->lock);
	return r->cut_frame;
}

static frame_id mark_frame(struct session *s, const char *text)
{
	struct resolver *r = s->resolver;
	const struct frame mark = { .sym = SYM_NONE,
				    .inlined = text,
				    .cpumode = PERF_RECORD_MISC_USER };

	VEC_FOR(&r->marks, m)
		if (frame_at(&r->frames, *m)->inlined == text)
			return *m;
	pthread_mutex_lock(&r->lock);
	*VEC_PUSH(&r->marks) = frame_add(&r->frames, &r->block, &mark);
	pthread_mutex_unlock(&r->lock);
	return *VEC_LAST(&r->marks);
}

chain_id session_mark(struct session *s, struct session_worker *w, const char *text,
		      frame_id *frame)
{
	*frame = mark_frame(s, text);
	return chain_intern(&s->resolver->chains, &w->chain_block, frame, 1);
}

/*
 * Whether a guest runs code of the process that runs it (struct dso_guest.code): the functions of
 * one object are at several levels then, and the frames of the guest's are kept as addresses are.
 */
static bool is_guest_code(const struct resolver *r, dso_id dso, u8 cpumode)
{
	return UNLIKELY(model_is_guest_level(cpumode)) && dso &&
	       !dso_is_kernel(dso_table_get(r->dsos, dso));
}

static frame_id frame_of_symbol(struct resolver *r, dso_id dso, const struct symtab *st, u32 sym,
				u8 cpumode)
{
	_Atomic(u32) *frames = atomic_load_explicit(&r->sym_frames[dso], memory_order_acquire);
	frame_id id = frames ? atomic_load_explicit(&frames[sym], memory_order_acquire) : 0;
	struct frame f;

	if (id)
		return id;
	f = (struct frame){
		.dso = dso, .sym = sym, .addr = symtab_start(st, sym), .cpumode = cpumode
	};
	pthread_mutex_lock(&r->lock);
	frames = r->sym_frames[dso];
	if (!frames) {
		frames = xcalloc(symtab_count(st), sizeof(*frames));
		atomic_store_explicit(&r->sym_frames[dso], frames, memory_order_release);
	}
	id = frames[sym];
	if (!id) {
		id = frame_add(&r->frames, &r->block, &f);
		atomic_store_explicit(&frames[sym], id, memory_order_release);
	}
	pthread_mutex_unlock(&r->lock);
	return id;
}

/* The sample's place in the order of a single worker. */
static u64 order_of(const struct session_worker *w, const struct site *site)
{
	uintptr_t at = ((uintptr_t)site - (uintptr_t)w->ahead_rec) / sizeof(*w->ahead_rec);

	return at < AHEAD ? w->batch << 40 | w->ahead_rec[at].pos : UINT64_MAX;
}

/* A frame with the place of base and another name, "" = that of its symbol. */
static frame_id frame_renamed(struct resolver *r, frame_id base, const char *name, u16 depth,
			      u64 order)
{
	const struct frame *b = frame_at(&r->frames, base);
	u64 h = hash_bytes(name, strlen(name), hash_mix(b->dso, hash_mix(b->sym, b->at)));
	frame_id id = 0;
	u32 i;

	pthread_mutex_lock(&r->lock);
	for (struct map_probe p = map_first(&r->inlined, h); map_next(&r->inlined, &p, &i);) {
		struct inlined_frame *known = &r->inlined_frames.v[i];
		struct frame *f = frame_at(&r->frames, known->frame);

		if (f->dso == b->dso && f->sym == b->sym && f->at == b->at && f->depth == depth &&
		    !strcmp(f->inlined ? f->inlined : "", name)) {
			id = known->frame;
			if (order < known->first) {
				known->first = order;
				f->ip = b->ip;
			}
			break;
		}
	}
	if (!id) {
		struct frame f = *b;

		f.depth = depth;
		if (*name)
			f.inlined = arena_strdup(&r->names, name);
		id = frame_add(&r->frames, &r->block, &f);
		if (id) {
			map_add(&r->inlined, h, (u32)r->inlined_frames.nr);
			*VEC_PUSH(&r->inlined_frames) = (struct inlined_frame){ .frame = id,
										.first = order };
		}
	}
	pthread_mutex_unlock(&r->lock);
	return id;
}

/*
 * The symbols of f's object were read again: its place among the new ones. Returns the name that it
 * had, where other code has taken the place of a function; else NULL.
 */
static const char *find_again(const struct resolver *r, struct frame *f,
			      const struct symtab *former)
{
	const struct symtab *st = dso_symtab(dso_table_get(r->dsos, f->dso));
	u64 addr = f->at ? f->at : f->addr;
	u32 sym = symtab_find(st, addr), was = f->sym;
	const char *name = was == SYM_NONE ? NULL : symtab_name(former, was);

	if (name && (sym == SYM_NONE || symtab_start(st, sym) != symtab_start(former, was) ||
		     strcmp(symtab_name(st, sym), name) != 0)) {
		*f = (struct frame){ .dso = f->dso,
				     .sym = SYM_NONE,
				     .addr = addr,
				     .ip = addr,
				     .cpumode = f->cpumode };
		return name;
	}
	f->sym = sym;
	if (sym != SYM_NONE && !name) {
		f->addr = symtab_start(st, sym);
		f->at = r->by_address ? addr : 0;
	}
	return NULL;
}

frame_id resolver_adopt(struct resolver *r, const struct frame *f, const struct symtab *former)
{
	const char *name = f->inlined;
	struct frame plain = *f;
	frame_id id;

	if (!f->dso && f->inlined)
		return frame_of_cut(r);
	plain.inlined = NULL;
	plain.depth = 0;
	if (former && !name)
		name = find_again(r, &plain, former);
	else if (former)
		plain.sym = SYM_NONE;
	if (plain.sym != SYM_NONE && !plain.at && !is_guest_code(r, plain.dso, plain.cpumode))
		id = frame_of_symbol(r, plain.dso, dso_symtab(dso_table_get(r->dsos, plain.dso)),
				     plain.sym, plain.cpumode);
	else
		id = frame_of_address(&r->frames, &r->block, &plain);
	return name || f->depth ? frame_renamed(r, id, name ? name : "", f->depth, UINT64_MAX) : id;
}

/*
 * A function inlined into that of base. By address, each of the places there is a frame of its own,
 * that of the function itself (name "") too; what it shows of the processes that have it is the
 * address in the first one.
 */
static frame_id frame_of_inlined(struct resolver *r, frame_id base, const char *name, u16 depth,
				 u64 order)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (*name)
		strbuf_addf(&text, "%s (inlined)", name);
	return frame_renamed(r, base, text.buf ? text.buf : "", depth, order);
}

/* The frame of base marked as a guess. */
static frame_id frame_of_guess(struct session_worker *w, const struct site *site, frame_id base)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct frame *b = frame_at(&w->resolver->frames, base);

	if (b->sym != SYM_NONE)
		strbuf_addf(
			&text, "%s [guess]",
			symtab_name(dso_symtab(dso_table_get(w->resolver->dsos, b->dso)), b->sym));
	else
		strbuf_addf(&text, "%#llx [guess]", (unsigned long long)b->ip);
	return frame_renamed(w->resolver, base, text.buf, b->depth, order_of(w, site));
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
	return number ? s->resolver->known_notes.v[number] : (struct chain_note){ 0 };
}

/* What is shown of an address without a symbol: in a module without symbols the distance from its
 * start, as perf does. */
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
	const struct model_map *map = model_find_map(r->model, site->thread, cpumode, ip,
						     site->time);

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

/* f: filled in up to dso, sym, ip and level. addr: in the object; shown: what stands for a missing
 * symbol. */
static frame_id frame_of(struct session_worker *w, struct frame *f, u64 addr, u64 shown)
{
	struct resolver *r = w->resolver;
	const struct symtab *st;

	if (f->sym == SYM_NONE) {
		f->addr = shown;
		if (f->dso)
			dso_note_nameless(dso_table_get(r->dsos, f->dso));
		return frame_of_address(&r->frames, &w->frame_block, f);
	}
	st = dso_symtab(dso_table_get(r->dsos, f->dso));
	if (!r->by_address && !is_guest_code(r, f->dso, f->cpumode))
		return frame_of_symbol(r, f->dso, st, f->sym, f->cpumode);
	f->addr = symtab_start(st, f->sym);
	if (r->by_address)
		f->at = addr;
	else
		f->ip = 0; /* one frame for all of the function */
	return frame_of_address(&r->frames, &w->frame_block, f);
}

void session_resolve(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
		     struct location *out)
{
	struct frame f;

	session_locate(w, site, cpumode, ip, out);
	f = (struct frame){ .dso = out->dso, .sym = out->sym, .ip = ip, .cpumode = cpumode };
	out->frame = frame_of(w, &f, out->addr,
			      out->map ? shown_address(w->resolver, out->map, ip) : ip);
}

/* The frame of a resolved address, or the list of it and what is inlined there. */
static frame_id with_inlined(struct session_worker *w, const struct site *site,
			     const struct location *loc)
{
	struct resolver *r = w->resolver;
	struct source_frame places[SOURCE_FRAMES_MAX];
	frame_id frames[SOURCE_FRAMES_MAX];
	u64 order = order_of(w, site);
	chain_id list;
	size_t nr;

	if (loc->sym == SYM_NONE)
		return loc->frame;
	nr = dso_source(dso_table_get(r->dsos, loc->dso), loc->addr, places, ARRAY_SIZE(places));
	if (nr < 2)
		return loc->frame;
	for (size_t i = 0; i + 1 < nr; i++)
		frames[i] = frame_of_inlined(r, loc->frame, places[i].function,
					     r->by_address ? (u16)i : 0, order);
	frames[nr - 1] = r->by_address ? frame_of_inlined(r, loc->frame, "", (u16)(nr - 1), order)
				       : loc->frame;
	list = chain_intern(&r->chains, &w->chain_block, frames, (u32)nr);
	return !list || list & FRAME_LIST ? loc->frame : list | FRAME_LIST;
}

/* Whether an address without a symbol is shown as it is (see shown_address()). */
static bool shows_address(struct resolver *r, const struct model_map *map)
{
	return !map || !map->identity || dso_kind(dso_table_get(r->dsos, map->dso)) != DSO_MODULE;
}

/* The frame of an address; *shown: what is shown if it has no symbol. */
static struct frame frame_asked_for(struct resolver *r, const struct asked_ip *a, u64 *shown)
{
	*shown = a->map && a->sym == SYM_NONE ? shown_address(r, a->map, a->ip) : a->ip;
	return (struct frame){
		.dso = a->map ? a->map->dso : 0, .sym = a->sym, .ip = a->ip, .cpumode = a->cpumode
	};
}

bool worker_find_asked(struct session_worker *w, struct asked_ip *a)
{
	struct resolver *r = w->resolver;
	bool nameless;

	a->frame = dso_frame_find(&r->dso_frames, a->hash, a->key, a->addr, &nameless);
	if (LIKELY(a->frame))
		return true;
	a->sym = SYM_NONE;
	if (a->map && (!nameless || r->by_address))
		a->sym = symtab_find(dso_symtab(dso_table_get(r->dsos, a->map->dso)), a->addr);
	return false;
}

void worker_prefetch_asked(struct session_worker *w, const struct asked_ip *a)
{
	struct frame f;

	if (a->sym != SYM_NONE)
		return;
	f = frame_asked_for(w->resolver, a, &f.addr);
	frame_prefetch_address(&w->resolver->frames, &f);
}

void worker_make_asked(struct session_worker *w, struct asked_ip *a)
{
	struct resolver *r = w->resolver;
	u64 shown;
	struct frame f = frame_asked_for(r, a, &shown);

	a->frame = frame_of(w, &f, a->addr, shown);
	if (a->frame && (a->sym != SYM_NONE || shows_address(r, a->map)))
		dso_frame_add(&r->dso_frames, a->key, a->addr, a->sym != SYM_NONE && !r->by_address,
			      a->frame);
}

/* Frame of an address in a region whose frames are kept. */
static frame_id frame_in(struct session_worker *w, const struct region_slot *in, u8 cpumode, u64 ip)
{
	struct asked_ip a;

	ask_in(in, cpumode, ip, &a);
	if (!worker_find_asked(w, &a))
		worker_make_asked(w, &a);
	return a.frame;
}

static struct ip_slot *ip_slot_of(const struct session_worker *w, u32 space, u64 ip, bool expand)
{
	return &w->ips[hash_finish(ip ^ ((u64)space << 40) ^ expand) & (w->resolver->slots - 1)];
}

frame_id worker_frame(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip,
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
		w->ips = mem_lines_new(&w->ips_memory, w->resolver->slots * sizeof(*w->ips));
	slot = ip_slot_of(w, space, ip, expand);
	if (slot->ip == ip && slot->space == space && slot->frame && slot->expand == expand &&
	    site->time >= slot->valid_from && (!slot->changes || slot->changes >= site->changed)) {
		*valid_from = MAX(*valid_from, slot->valid_from);
		*unmapped |= slot->changes != 0;
		return slot->frame;
	}
	session_resolve(w, site, cpumode, ip, &loc);
	if (expand)
		loc.frame = with_inlined(w, site, &loc);
	*valid_from = MAX(*valid_from, loc.valid_from);
	*unmapped |= !loc.map;
	*slot = (struct ip_slot){ .ip = ip,
				  .valid_from = loc.valid_from,
				  .space = space,
				  .frame = loc.frame,
				  .changes = loc.map ? 0 : w->changes,
				  .expand = expand };
	return loc.frame;
}

frame_id session_frame(struct session_worker *w, const struct site *site, u8 cpumode, u64 ip)
{
	u64 valid_from = 0;
	bool unmapped = false;

	return worker_frame(w, site, cpumode, ip, false, &valid_from, &unmapped);
}

void session_forget_addresses(struct session *s)
{
	struct resolver *r = s->resolver;

	frame_table_forget_addresses(&r->frames);
	for (u32 i = 0; i < r->nr_sym_frames; i++) {
		free((void *)r->sym_frames[i]);
		r->sym_frames[i] = NULL;
	}
}

size_t resolver_size(const struct resolver *r)
{
	return r->frames.nr * (sizeof(struct frame) + sizeof(u64)) +
	       r->chains.used * 2 * sizeof(u64) + r->known_notes.nr * sizeof(struct chain_note);
}

u32 session_nr_frames(struct session *s)
{
	u32 nr = s->resolver->frames.nr;

	return nr ? nr - 1 : 0;
}

/* ---- chains ---- */

/* Whether an unknown marker is in what is behind the first words: the kernel was interrupted while
 * it wrote the chain, so nothing of it can be trusted. */
static bool is_broken_behind(const struct sample *smp, u64 from)
{
	for (u64 i = from; i < smp->nr_chain; i++)
		if (smp->chain[i] >= PERF_CONTEXT_MAX &&
		    chain_mode(smp->chain[i]) == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
			return true;
	return false;
}

static bool is_broken(const struct sample *smp)
{
	return is_broken_behind(smp, 0);
}

/* How many frames more than max a chain has. */
static u64 surplus(const struct sample *smp, u32 max)
{
	u64 nr = 0;

	for (u64 i = 0; i < smp->nr_chain; i++)
		nr += smp->chain[i] < PERF_CONTEXT_MAX;
	return nr > max ? nr - max : 0;
}

static void add_frame(struct resolver *r, struct chain_frames *f, frame_id id)
{
	if (f->nr == FRAMES_MAX ||
	    (r->drop_unresolved && frame_at(&r->frames, id)->sym == SYM_NONE))
		return;
	if (f->notes)
		f->notes[f->nr] = f->note;
	f->v[f->nr++] = id;
}

static void add_frames(struct resolver *r, struct chain_frames *f, frame_id id)
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

void worker_prefetch_ip(struct session_worker *w, const struct site *site, u8 mode, u64 ip,
			bool expand)
{
	const struct region_slot *known = expand ? NULL : region_known(w, site, mode, ip);

	if (known && known->key)
		dso_frame_prefetch(&w->resolver->dso_frames,
				   dso_frame_hash(known->key, ip + known->shift));
	else if (w->ips)
		__builtin_prefetch(ip_slot_of(w, worker_space(w, site, mode), ip, expand));
}

static bool is_unmapped(struct session_worker *w, const struct site *site, u64 ip,
			struct chain_frames *f)
{
	const struct region_slot *in = region_at(w, site, PERF_RECORD_MISC_USER, ip);

	if (!in || in->map)
		return false;
	f->valid_from = MAX(f->valid_from, in->valid_from);
	f->unmapped = true;
	return true;
}

void worker_chain_frames(struct session_worker *w, const struct site *site,
			 const struct sample *smp, struct chain_frames *f)
{
	bool expand = resolver_inlines(w->resolver, smp), guess = false;
	u8 mode = PERF_RECORD_MISC_USER;
	u64 skip, i;
	u32 nr = 0, max;

	f->nr = 0;
	if (is_broken(smp))
		return;
	/* the length of a chain that was made here is limited already */
	max = smp->made ? UINT32_MAX : w->resolver->max_stack;
	skip = w->resolver->keep_outermost ? surplus(smp, max) : 0;
	for (i = 0; i < smp->nr_chain && nr < max; i++) {
		u64 ip = smp->chain[i];
		u32 before = f->nr;
		frame_id id;

		f->note = f->notes && smp->made ? w->notes.v[i] : 0;

		if (ip >= PERF_CONTEXT_MAX) {
			mode = chain_mode(ip);
			guess |= smp->guess_at && i == smp->guess_at;
			continue;
		}
		if (skip) {
			skip--;
			continue;
		}
		if (w->resolver->drop_unmapped && f->nr && mode == PERF_RECORD_MISC_USER &&
		    is_unmapped(w, site, ip, f))
			continue;
		id = worker_frame(w, site, mode, ip,
				  expand && !guess && mode == PERF_RECORD_MISC_USER, &f->valid_from,
				  &f->unmapped);
		add_frames(w->resolver, f, guess ? frame_of_guess(w, site, id) : id);
		nr += f->nr > before;
	}
	if (f->nr && smp->cut && i == smp->nr_chain)
		add_frame(w->resolver, f, frame_of_cut(w->resolver));
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
	struct chain_frames f = { .v = room, .notes = room + FRAMES_MAX };

	worker_chain_frames(w, site, smp, &f);
	memmove(room + f.nr, f.notes, f.nr * sizeof(*room));
	return f.nr ? chain_intern(&w->resolver->chains, &w->chain_block, room, 2 * f.nr) : 0;
}

static __attribute__((noinline)) void make_chain_slots(struct session_worker *w)
{
	const size_t size = w->resolver->slots * sizeof(*w->chains);

	w->chains = mem_lines_new(&w->chains_memory, size);
	/* all pages at once: else each costs two page faults, for reading and for writing, which
	 * interrupt other workers */
	if (w->resolver->large)
		mem_populate(w->chains, size);
}

void chain_slot_keep(struct session_worker *w, const struct chain_ahead *c)
{
	w->chains[c->h1 & (w->resolver->slots - 1)] =
		(struct chain_slot){ .h1 = c->h1,
				     .h2 = c->h2,
				     .valid_from = c->valid_from,
				     .changes = c->unmapped ? w->changes : 0,
				     .chain = c->chain };
}

chain_id session_chain(struct session_worker *w, const struct site *site, const struct sample *smp)
{
	frame_id room[FRAMES_MAX];
	struct chain_frames f = { .v = room };
	struct chain_ahead c;
	const struct chain_slot *slot;

	if (!smp->chain || !smp->nr_chain)
		return 0;
	if (w->resolver->notes)
		return chain_with_notes(w, site, smp);
	if (!w->chains)
		make_chain_slots(w);
	chain_hash_of(w, site, smp, &c.h1, &c.h2);
	slot = &w->chains[c.h1 & (w->resolver->slots - 1)];
	if (chain_slot_fits(slot, site, c.h1, c.h2))
		return slot->chain;
	worker_chain_frames(w, site, smp, &f);
	if (!f.nr)
		return 0;
	c.valid_from = f.valid_from;
	c.unmapped = f.unmapped;
	c.chain = chain_intern(&w->resolver->chains, &w->chain_block, f.v, f.nr);
	chain_slot_keep(w, &c);
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

static struct chain_dso *note_dso(struct session_worker *w, dso_id dso, u8 cpumode, u64 addr,
				  bool latest)
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

/* The end of the words from i on that are addresses of the region. */
static inline u64 end_of_region(const struct region_slot *in, const u64 *chain, u64 i, u64 end)
{
	const u64 start = in->start, len = MIN(in->len, PERF_CONTEXT_MAX - start);

	while (i < end && chain[i] - start < len)
		i++;
	return i;
}

size_t session_chain_dsos(struct session_worker *w, const struct site *site,
			  const struct sample *smp, bool caller_first, const struct chain_dso **out)
{
	const u32 max = w->resolver->max_stack;
	u8 mode = PERF_RECORD_MISC_USER;
	u64 skip, nr = 0, i = 0;

	w->chain_dsos.nr = 0;
	*out = NULL;
	if (!smp->chain)
		return 0;
	skip = w->resolver->keep_outermost ? surplus(smp, max) : 0;
	while (i < smp->nr_chain && nr < max) {
		u64 ip = smp->chain[i], from = i++;
		const struct region_slot *in;

		if (ip >= PERF_CONTEXT_MAX) {
			mode = chain_mode(ip);
			if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN)
				return 0;
			continue;
		}
		if (skip) {
			skip--;
			continue;
		}
		in = region_at(w, site, mode, ip);
		if (in)
			i = end_of_region(in, smp->chain, i, MIN(smp->nr_chain, from + max - nr));
		nr += i - from;
		if (caller_first)
			ip = smp->chain[i - 1];
		note_dso(w, in && in->map ? in->map->dso : 0, mode, in ? ip + in->shift : ip,
			 caller_first);
	}
	if (is_broken_behind(smp, i))
		return 0;
	if (nr && smp->cut && i == smp->nr_chain)
		note_dso(w, 0, PERF_RECORD_MISC_USER, 0, caller_first);
	*out = w->chain_dsos.v;
	return w->chain_dsos.nr;
}
