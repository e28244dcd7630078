/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/objects.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "dso/files.h"
#include "unwind/call_site.h"
#include "unwind/way_out.h"

enum {
	SHELF = 512,
	SHELVES = 1 << 12,
	CODE_SLOTS = 1 << 12,
	FILES = 16,
	TRAILS = 16,
	CODE_PAGE = 4096,
	PAGE = 4096
};

/* Stands for an object without call frame information. */
static char no_cfi_place;
#define NO_CFI ((struct cfi *)(void *)&no_cfi_place)
/* The same for an object whose file cannot be read. */
static char no_file_place;
#define NO_FILE ((struct cfi *)(void *)&no_file_place)

/* Entries stay where they are, so that readers need no lock. */
struct shelf {
	_Atomic(struct cfi *) cfi[SHELF]; /* NULL = not looked at yet */
};

struct unwind_objects {
	pthread_mutex_t lock; /* of those that open */
	_Atomic(struct shelf *) shelves[SHELVES]; /* by dso */
};

/* What the code of an object without a rule tells of an address. */
struct code_slot {
	const struct dso *object; /* NULL = empty */
	u64 addr;
	enum code_question {
		WAY_OUT_CALLED,
		WAY_OUT_INTERRUPTED,
		RETURNS_TO,
		LEAVES_SOON
	} question;
	bool yes;
	struct cfi_step way_out;
};

/* A file in which code without a rule is looked at, and the piece of it that was read last. */
struct code_file {
	struct dso *object; /* NULL = empty */
	bool open;
	u64 used; /* when: number of a look */
	struct elf_file elf;
	u64 at;
	size_t len; /* 0 = none */
	u8 bytes[CODE_PAGE];
};

struct unwind_cache {
	struct unwind_known known[UNWIND_KNOWN];
	struct unwind_rule full[UNWIND_KNOWN]; /* of those that have it; needed seldom */
	struct code_slot codes[CODE_SLOTS];
	struct unwind_trail trails[TRAILS];
	struct code_file files[FILES];
	u64 looks; /* into files */
	bool used; /* since it was cleared */
};

struct unwind_objects *unwind_objects_new(void)
{
	struct unwind_objects *o = XNEW(struct unwind_objects);

	pthread_mutex_init(&o->lock, NULL);
	return o;
}

void unwind_objects_free(struct unwind_objects *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < SHELVES; i++) {
		struct shelf *s = atomic_load(&o->shelves[i]);

		for (size_t n = 0; s && n < SHELF; n++) {
			struct cfi *c = atomic_load(&s->cfi[n]);

			if (c != NO_CFI && c != NO_FILE)
				cfi_free(c);
		}
		free(s);
	}
	pthread_mutex_destroy(&o->lock);
	free(o);
}

/*
 * Whether an object's .eh_frame can be all that there is. Compilers write bytes there for each of
 * its functions, a tenth of the code; of a program without unwind tables it holds what describes
 * the C library's start files.
 */
static bool describes_code(const struct elf_file *f)
{
	enum { START_FILES = 512, CODE_PER_BYTE = 128 };
	const struct elf_section *frames = elf_section_by_name(f, ".eh_frame");
	const struct elf_section *text = elf_section_by_name(f, ".text");

	return frames && frames->size >= START_FILES &&
	       (!text || text->size / CODE_PER_BYTE <= frames->size);
}

static struct cfi *open_object(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	bool has_runtime = dso_open_runtime(d, &runtime);
	bool has_debug = false;
	struct cfi *c;

	if (!has_runtime && dso_kind(d) == DSO_JITDUMP)
		has_runtime = dso_open_jit_frames(d, &runtime);
	/* Distributions strip .debug_frame, never .eh_frame. */
	if (!has_runtime || !describes_code(&runtime))
		has_debug = dso_open_debug(d, has_runtime ? &runtime : NULL, &debug, NULL);
	c = cfi_open(has_runtime ? &runtime : NULL, has_debug ? &debug : NULL);
	return c ? c : has_runtime ? NO_CFI : NO_FILE;
}

static struct cfi *open_once(struct unwind_objects *o, dso_id dso, struct dso *d)
{
	_Atomic(struct shelf *) *at = &o->shelves[dso / SHELF];
	struct shelf *s;
	struct cfi *c;

	pthread_mutex_lock(&o->lock);
	s = atomic_load_explicit(at, memory_order_relaxed);
	if (!s) {
		s = XNEW(struct shelf);
		atomic_store_explicit(at, s, memory_order_release);
	}
	c = atomic_load_explicit(&s->cfi[dso % SHELF], memory_order_relaxed);
	if (!c) {
		c = open_object(d);
		atomic_store_explicit(&s->cfi[dso % SHELF], c, memory_order_release);
	}
	pthread_mutex_unlock(&o->lock);
	return c;
}

/* What was found out about an object; NO_FILE if there is no room for more objects. */
static struct cfi *cfi_of(struct unwind_objects *o, dso_id dso, struct dso *d)
{
	struct shelf *s;
	struct cfi *c = NULL;

	if (dso >= SHELF * SHELVES)
		return NO_FILE;
	s = atomic_load_explicit(&o->shelves[dso / SHELF], memory_order_acquire);
	if (s)
		c = atomic_load_explicit(&s->cfi[dso % SHELF], memory_order_acquire);
	if (!c)
		c = open_once(o, dso, d);
	return c;
}

static bool is_read(struct unwind_objects *o, dso_id dso)
{
	struct shelf *s;

	if (dso >= SHELF * SHELVES)
		return true;
	s = atomic_load_explicit(&o->shelves[dso / SHELF], memory_order_acquire);
	return s && atomic_load_explicit(&s->cfi[dso % SHELF], memory_order_acquire);
}

void unwind_objects_open(struct unwind_objects *o, const struct unwind_place *place)
{
	cfi_of(o, place->dso, place->object);
}

struct unwind_rule unwind_objects_ask(struct unwind_objects *o, const struct unwind_place *place,
				      struct cfi_step *step)
{
	struct unwind_rule rule = { .offset = place->addr };
	struct cfi *cfi = place->object ? cfi_of(o, place->dso, place->object) : NO_CFI;

	*step = (struct cfi_step){ 0 };
	if (cfi == NO_CFI || cfi == NO_FILE)
		return rule;
	rule.cfi = cfi;
	rule.has_rule = cfi_find_step(cfi, place->addr, step);
	if (rule.has_rule && step->kind == CFI_STEP_RULE)
		rule.rule = cfi_find(cfi, place->addr);
	return rule;
}

struct unwind_cache *unwind_cache_new(void)
{
	return mem_pages_new(sizeof(struct unwind_cache));
}

static void close_file(struct code_file *f)
{
	if (f->open)
		elf_close(&f->elf);
	f->object = NULL;
	f->open = false;
	f->len = 0;
}

static void close_files(struct unwind_cache *c)
{
	for (size_t i = 0; i < FILES; i++)
		close_file(&c->files[i]);
}

void unwind_cache_clear(struct unwind_cache *c)
{
	if (!c->used)
		return;
	close_files(c);
	memset(c->known, 0, sizeof(c->known));
	memset(c->codes, 0, sizeof(c->codes));
	c->used = false;
}

void unwind_cache_free(struct unwind_cache *c)
{
	if (c)
		close_files(c);
	mem_pages_free(c, sizeof(*c));
}

/* The object's, opened instead of the one that was not used for longest. */
static struct code_file *file_of(struct unwind_cache *c, struct dso *d)
{
	struct code_file *oldest = &c->files[0];

	c->looks++;
	for (size_t i = 0; i < FILES; i++) {
		struct code_file *f = &c->files[i];

		if (f->object == d) {
			f->used = c->looks;
			return f;
		}
		if (f->used < oldest->used)
			oldest = f;
	}
	close_file(oldest);
	oldest->elf = (struct elf_file)ELF_FILE_INIT;
	oldest->object = d;
	oldest->open = dso_open_runtime(d, &oldest->elf);
	oldest->used = c->looks;
	return oldest;
}

/* Bytes of a file, at most CODE_PAGE / 4; NULL: there are not so many. */
static const u8 *code_at(struct code_file *f, u64 at, size_t size)
{
	if (!f->open || at >= f->elf.size || f->elf.size - at < size)
		return NULL;
	if (at < f->at || at + size > f->at + f->len) {
		f->at = at & ~(u64)(CODE_PAGE / 4 - 1);
		f->len = (size_t)MIN(f->elf.size - f->at, (u64)CODE_PAGE);
		if (!elf_read(&f->elf, f->at, f->bytes, f->len))
			f->len = 0;
	}
	return f->len ? f->bytes + (at - f->at) : NULL;
}

/* Whether code is followed by a trampoline. */
static const struct trampoline *trampoline_behind(struct unwind_cache *c, struct dso *d, u64 addr)
{
	struct code_file *f = file_of(c, d);
	const u8 *code = code_at(f, addr + 1, TRAMPOLINE_BYTES);

	return code ? trampoline_find(f->elf.machine, code, TRAMPOLINE_BYTES) : NULL;
}

static bool find_span(void *ctx, u64 pc)
{
	struct unwind_source *src = ctx;
	struct unwind_place p;

	if (!src->find(src->ctx, pc, &p))
		return false;
	src->span = (struct unwind_span){
		.start = p.start, .len = p.len, .shift = p.addr - pc, .object = p.dso
	};
	src->object = p.object;
	return true;
}

static bool find_place(struct unwind_source *src, u64 pc, struct unwind_place *out)
{
	if (pc - src->span.start >= src->span.len && !find_span(src, pc))
		return false;
	*out = (struct unwind_place){ .dso = src->span.object,
				      .object = src->object,
				      .addr = pc + src->span.shift };
	return true;
}

static u32 known_at(const struct unwind_place *place)
{
	return unwind_known_at(place->dso, place->addr);
}

static struct unwind_known *keep(struct unwind_cache *c, const struct unwind_place *place,
				 const struct cfi_step *step)
{
	struct unwind_known *k = &c->known[known_at(place)];

	*k = (struct unwind_known){ .addr = place->addr, .object = place->dso, .step = *step };
	return k;
}

/* All that is known of an address. q: what was found of it already, NULL = nothing. */
static struct unwind_code remember(const struct unwind_source *src,
				   const struct unwind_place *place, const struct cfi_question *q)
{
	struct unwind_rule *full = &src->cache->full[known_at(place)];
	struct unwind_code code = { .mapped = true };
	struct dso *d = place->object;
	struct cfi *cfi = d ? cfi_of(src->objects, place->dso, d) : NO_FILE;
	struct unwind_known *k;

	*full = (struct unwind_rule){ .offset = place->addr };
	if (cfi != NO_CFI && cfi != NO_FILE) {
		full->cfi = cfi;
		full->has_rule = q && q->found;
		if (full->has_rule)
			code.step = q->step;
		else
			full->has_rule = cfi_find_step(cfi, place->addr, &code.step);
	}
	if (full->has_rule && code.step.kind == CFI_STEP_RULE)
		full->rule = cfi_find(cfi, place->addr);
	if (cfi != NO_FILE && (!full->has_rule || dso_kind(d) == DSO_VDSO))
		full->trampoline = trampoline_behind(src->cache, d, place->addr);
	if (full->trampoline || full->cfi)
		code.rule = full;
	k = keep(src->cache, place, &code.step);
	k->is_full = true;
	k->has_rule = code.rule != NULL;
	return code;
}

/* Whether an object has to be read first. */
static bool is_unread(const struct unwind_source *src, const struct unwind_place *place)
{
	return src->unread && place->object && !is_read(src->objects, place->dso);
}

/* Most addresses of walks need no more than their step, which tables tell. */
static void learn_addresses(const struct unwind_address *addresses, size_t nr)
{
	struct cfi_question questions[UNWIND_SIDE_BY_SIDE];
	struct unwind_place places[UNWIND_SIDE_BY_SIDE];

	for (size_t i = 0; i < nr; i++) {
		struct unwind_source *src = addresses[i].ctx;
		struct unwind_place *place = &places[i];
		struct cfi *cfi = NO_CFI;

		if (!find_place(src, addresses[i].pc, place) || is_unread(src, place))
			place->object = NULL;
		if (place->object)
			cfi = cfi_of(src->objects, place->dso, place->object);
		questions[i] = (struct cfi_question){ .c = cfi == NO_CFI || cfi == NO_FILE ? NULL
											   : cfi,
						      .offset = place->addr };
	}
	cfi_find_steps(questions, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct unwind_source *src = addresses[i].ctx;
		const struct cfi_question *q = &questions[i];

		if (q->found && q->step.kind != CFI_STEP_RULE)
			keep(src->cache, &places[i], &q->step);
		else if (places[i].object)
			remember(src, &places[i], q);
	}
}

void unwind_source_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	struct unwind_source *src = ctx;
	const struct unwind_known *k;
	struct unwind_place place;

	*out = (struct unwind_code){ 0 };
	if (!find_place(src, pc, &place))
		return;
	k = &src->cache->known[known_at(&place)];
	if (LIKELY(k->is_full && k->addr == place.addr && k->object == place.dso)) {
		out->mapped = true;
		out->step = k->step;
		out->rule = k->has_rule ? &src->cache->full[known_at(&place)] : NULL;
	} else if (is_unread(src, &place)) {
		*src->unread = place;
	} else {
		*out = remember(src, &place, NULL);
	}
}

/* Code around an address: of the object's file, else of the process. */
static size_t read_code(const struct unwind_source *src, const struct unwind_place *place, u64 pc,
			void *into, size_t size)
{
	if (dso_kind(place->object) == DSO_USER || dso_kind(place->object) == DSO_VDSO) {
		const struct code_file *f = file_of(src->cache, place->object);
		size_t nr = f->open && place->addr < f->elf.size
				    ? (size_t)MIN((u64)size, f->elf.size - place->addr)
				    : 0;

		if (nr && elf_read(&f->elf, place->addr, into, nr))
			return nr;
	}
	return src->memory ? src->memory(src->ctx, pc, into, size) : 0;
}

static bool finds_way_out(const struct unwind_source *src, const struct unwind_place *place,
			  const struct unwind_abi *abi, u64 pc, struct code_slot *slot)
{
	/* what lies in front may be on a page that is not there */
	const u32 fronts[] = { (u32)MIN(place->addr, (u64)WAY_OUT_BEFORE),
			       (u32)MIN(pc % PAGE, (u64)WAY_OUT_BEFORE) };
	u8 bytes[WAY_OUT_CODE];
	struct way_out_code code = { .bytes = bytes, .is64 = abi->word == 8 };

	if (abi->elf_machine != EM_X86_64 && abi->elf_machine != EM_386)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(fronts) && code.size <= code.at; i++) {
		const struct unwind_place from = { .object = place->object,
						   .addr = place->addr - fronts[i] };

		code.at = fronts[i];
		code.size = (u32)read_code(src, &from, pc - fronts[i], bytes, sizeof(bytes));
	}
	if (slot->question == LEAVES_SOON)
		return way_out_leaves_by_sp(code);
	return way_out_find(code, slot->question == WAY_OUT_CALLED, &slot->way_out);
}

static bool is_behind_call(const struct unwind_source *src, const struct unwind_place *place,
			   u64 pc)
{
	const struct unwind_place before = { .object = place->object,
					     .addr = place->addr - CALL_SITE_BYTES };
	u8 code[CALL_SITE_BYTES];

	/* a JIT compiler's code may push it by itself */
	if (dso_kind(place->object) == DSO_PERF_MAP || dso_kind(place->object) == DSO_JITDUMP)
		return true;
	return place->addr >= CALL_SITE_BYTES &&
	       read_code(src, &before, pc - CALL_SITE_BYTES, code, sizeof(code)) == sizeof(code) &&
	       call_site_before(code).kind != CALL_NONE;
}

/* The answer for an address, which is kept; NULL: none can be had now. */
static const struct code_slot *ask_code(struct unwind_source *src, const struct unwind_abi *abi,
					u64 pc, enum code_question question)
{
	u64 back = question == WAY_OUT_CALLED ||
		   question == RETURNS_TO; /* a call may end what is mapped */
	struct unwind_place place;
	struct code_slot *slot;

	if (!find_place(src, pc - back, &place) || !place.object)
		return NULL;
	place.addr += back;
	if (is_unread(src, &place)) {
		*src->unread = place;
		return NULL;
	}
	slot = &src->cache->codes[hash_mix((u64)(uintptr_t)place.object, place.addr + question) %
				  CODE_SLOTS];
	if (slot->object == place.object && slot->addr == place.addr && slot->question == question)
		return slot;
	*slot = (struct code_slot){ .object = place.object,
				    .addr = place.addr,
				    .question = question };
	slot->yes = question == RETURNS_TO ? is_behind_call(src, &place, pc)
					   : finds_way_out(src, &place, abi, pc, slot);
	return slot;
}

static bool way_out(void *ctx, const struct unwind_abi *abi, u64 pc, bool called,
		    struct cfi_step *out)
{
	const struct code_slot *slot = ask_code(ctx, abi, pc,
						called ? WAY_OUT_CALLED : WAY_OUT_INTERRUPTED);

	if (!slot || !slot->yes)
		return false;
	*out = slot->way_out;
	return true;
}

static bool leaves_soon(void *ctx, const struct unwind_abi *abi, u64 pc)
{
	const struct code_slot *slot = ask_code(ctx, abi, pc, LEAVES_SOON);

	return slot && slot->yes;
}

static bool returns_to(void *ctx, u64 ra)
{
	const struct code_slot *slot = ask_code(ctx, NULL, ra, RETURNS_TO);

	return slot && slot->yes;
}

void unwind_source_give(struct unwind_source *src, struct unwind_job *job)
{
	static const struct unwind_code_reader reader = { way_out, leaves_soon, returns_to };

	job->ctx = src;
	job->code = &reader;
	job->known = src->cache->known;
	job->learn = learn_addresses;
	job->span = &src->span;
	job->find_span = find_span;
	src->span.len = 0;
	src->cache->used = true;
	job->trail = &src->cache->trails[src->tid % TRAILS];
	job->tid = src->tid;
}
