/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/objects.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "dso/files.h"
#include "unwind/call_site.h"

enum { SHELF = 512, SHELVES = 1 << 12, RULE_SLOTS = 1 << 15, FILES = 16, CODE_PAGE = 4096 };

/* Stands for an object without call frame information. */
static char no_cfi_place;
#define NO_CFI ((struct cfi *)(void *)&no_cfi_place)
/* The same for one whose code is in no file that can be read. */
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

/* The same for all processes that have the object. */
struct rule_slot {
	const struct dso *object; /* NULL = empty */
	u64 addr;
	const struct cfi_rule *rule; /* where there is more to it than the step */
	const struct trampoline *trampoline;
	struct cfi_step step;
	bool has_rule;
	bool call_known; /* what the instruction that ends behind the address calls */
	struct call_site call;
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
	struct unwind_rule full[UNWIND_KNOWN]; /* of these; needed seldom */
	struct rule_slot rules[RULE_SLOTS];
	struct code_file files[FILES];
	u64 looks; /* into files */
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
 * Whether an object's .eh_frame can be all that there is. Compilers write bytes there for each of its functions, a tenth
 * of the code; of a program without unwind tables it holds what describes the C library's start files.
 */
static bool describes_code(const struct elf_file *f)
{
	enum { START_FILES = 512, CODE_PER_BYTE = 128 };
	const struct elf_section *frames = elf_section_by_name(f, ".eh_frame");
	const struct elf_section *text = elf_section_by_name(f, ".text");

	return frames && frames->size >= START_FILES && (!text || text->size / CODE_PER_BYTE <= frames->size);
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

/* What was found out about an object; NO_FILE for those that are too many. */
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

struct unwind_rule unwind_objects_ask(struct unwind_objects *o, const struct unwind_place *place, struct cfi_step *step)
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
	return mem_large_new(sizeof(struct unwind_cache));
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
	close_files(c);
	memset(c, 0, sizeof(*c));
}

void unwind_cache_free(struct unwind_cache *c)
{
	if (c)
		close_files(c);
	mem_large_free(c, sizeof(*c));
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

/* What is called by the instruction whose last byte is at an address. */
static struct call_site call_until(struct unwind_cache *c, struct dso *d, u64 addr)
{
	struct code_file *f = file_of(c, d);
	const u8 *code = addr >= CALL_SITE_BYTES ? code_at(f, addr + 1 - CALL_SITE_BYTES, CALL_SITE_BYTES) : NULL;

	if (!code || (f->elf.machine != EM_X86_64 && f->elf.machine != EM_386))
		return (struct call_site){ .kind = CALL_NONE };
	return call_site_before(code);
}

static struct rule_slot *slot_of(struct unwind_cache *c, const struct dso *d, u64 addr)
{
	return &c->rules[hash_mix((u64)(uintptr_t)d, addr) % RULE_SLOTS];
}

/* q: what was found of it already, NULL = nothing. */
static struct rule_slot *rule_at(struct unwind_cache *c, struct dso *d, struct cfi *cfi, u64 addr,
				       const struct cfi_question *q)
{
	bool has_cfi = cfi != NO_CFI && cfi != NO_FILE;
	struct rule_slot *slot = slot_of(c, d, addr);

	if (slot->object == d && slot->addr == addr)
		return slot;
	*slot = (struct rule_slot){ .object = d, .addr = addr };
	if (q && q->found) {
		slot->step = q->step;
		slot->has_rule = true;
	} else {
		slot->has_rule = has_cfi && cfi_find_step(cfi, addr, &slot->step);
	}
	if (slot->has_rule && slot->step.kind == CFI_STEP_RULE)
		slot->rule = cfi_find(cfi, addr);
	if ((!slot->has_rule || dso_kind(d) == DSO_VDSO) && cfi != NO_FILE)
		slot->trampoline = trampoline_behind(c, d, addr);
	return slot;
}

/* What is known of an address that is in a place. */
static struct unwind_code remember(const struct unwind_source *src, u64 pc, u32 at,
				   const struct unwind_place *place, const struct cfi_question *q)
{
	struct unwind_rule *full = &src->cache->full[at];
	struct unwind_code code = { .mapped = true };

	*full = (struct unwind_rule){ 0 };
	if (place->object) {
		struct cfi *cfi = cfi_of(src->objects, place->dso, place->object);
		const struct rule_slot *known = rule_at(src->cache, place->object, cfi, place->addr, q);

		*full = (struct unwind_rule){ .has_rule = known->has_rule, .rule = known->rule,
					      .offset = place->addr, .trampoline = known->trampoline };
		if (cfi != NO_CFI && cfi != NO_FILE)
			full->cfi = cfi;
		code.step = known->step;
	}
	if (full->trampoline || full->cfi)
		code.rule = full;
	src->cache->known[at] = (struct unwind_known){ .pc = pc, .valid_from = place->valid_from,
						       .space = src->space, .used = true,
						       .has_rule = code.rule != NULL, .step = code.step };
	return code;
}

static void fill(const struct unwind_source *src, u64 pc, u32 at, struct unwind_code *out)
{
	struct unwind_place place;

	*out = (struct unwind_code){ 0 };
	if (!src->find(src->ctx, pc, &place))
		return;
	if (src->unread && place.object && !is_read(src->objects, place.dso))
		*src->unread = place;
	else
		*out = remember(src, pc, at, &place, NULL);
}

static bool is_known(const struct unwind_source *src, u64 pc, u32 at)
{
	const struct unwind_known *k = &src->cache->known[at];

	return k->pc == pc && k->space == src->space && src->time >= k->valid_from && k->used;
}

/* An address that a walk begins at, while it is not known yet. */
struct meeting {
	const struct unwind_source *src;
	u64 pc;
	u32 at;
	struct unwind_place place;
};

/* False: it is known, or has to be asked for by itself. */
static bool meet(struct meeting *m, struct cfi_question *q)
{
	const struct unwind_source *src = m->src;
	struct cfi *cfi;

	if (is_known(src, m->pc, m->at) || !src->find(src->ctx, m->pc, &m->place) || !m->place.object ||
	    !is_read(src->objects, m->place.dso))
		return false;
	cfi = cfi_of(src->objects, m->place.dso, m->place.object);
	*q = (struct cfi_question){ .c = cfi == NO_CFI || cfi == NO_FILE ? NULL : cfi,
				    .offset = m->place.addr };
	__builtin_prefetch(slot_of(src->cache, m->place.object, m->place.addr), 1);
	return true;
}

void unwind_source_meet(const struct unwind_job *jobs, size_t nr)
{
	struct meeting met[UNWIND_SIDE_BY_SIDE];
	struct cfi_question questions[UNWIND_SIDE_BY_SIDE];
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		__builtin_prefetch(&jobs[i].known[unwind_known_at(jobs[i].space, jobs[i].regs.pc)]);
	for (size_t i = 0; i < nr; i++) {
		u64 pc = jobs[i].regs.pc;

		met[n] = (struct meeting){ .src = jobs[i].ctx, .pc = pc,
					   .at = unwind_known_at(jobs[i].space, pc) };
		n += meet(&met[n], &questions[n]);
	}
	cfi_find_steps(questions, n);
	for (size_t i = 0; i < n; i++)
		remember(met[i].src, met[i].pc, met[i].at, &met[i].place, &questions[i]);
}

void unwind_source_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	const struct unwind_source *src = ctx;
	u32 at = unwind_known_at(src->space, pc);
	const struct unwind_known *k = &src->cache->known[at];

	if (UNLIKELY(!is_known(src, pc, at))) {
		fill(src, pc, at, out);
		return;
	}
	out->mapped = true;
	out->step = k->step;
	out->rule = k->has_rule ? &src->cache->full[at] : NULL;
}

/* No function that is written by hand is as long; what goes on elsewhere does so soon. */
enum { CALLED_MAX = 1 << 16, DISPATCH_MAX = 256 };

/* A function that goes on in code that it was told: a program's way into what its JIT compiler made. */
static bool is_dispatcher(struct unwind_cache *c, struct dso *d, u64 addr)
{
	struct code_file *f = file_of(c, d);
	const u8 *code = code_at(f, addr, DISPATCH_MAX);

	return code && call_site_jumps(code, DISPATCH_MAX);
}

/* Where the code's calls can lead is looked up once. */
static struct call_site find_call_site(const struct unwind_source *src, const struct unwind_place *caller,
				       struct cfi *cfi)
{
	struct call_site call = call_until(src->cache, caller->object, caller->addr);
	u64 target = caller->addr + 1 + (u64)(s64)call.target;

	if (call.kind == CALL_DIRECT && rule_at(src->cache, caller->object, cfi, target, NULL)->has_rule &&
	    is_dispatcher(src->cache, caller->object, target))
		call.kind = CALL_INDIRECT;
	return call;
}

/* It has a file, but no unwind tables, apart from those of the C library's start files; for that its symbols are read. */
static bool is_sparse(const struct unwind_source *src, const struct unwind_place *place)
{
	struct cfi *cfi = place->object ? cfi_of(src->objects, place->dso, place->object) : NO_FILE;

	return cfi != NO_FILE && (cfi == NO_CFI || cfi_is_sparse(cfi)) && symtab_count(dso_symtab(place->object));
}

/* The function at an address begins at another. */
static bool begins_at(const struct unwind_place *place, u64 start)
{
	const struct symtab *st = dso_symtab(place->object);
	u32 i = symtab_find(st, place->addr);

	return i != SYM_NONE && symtab_start(st, i) == start;
}

/* Of a function with rules. */
static bool may_call(const struct unwind_source *src, const struct unwind_place *caller, const struct unwind_place *callee)
{
	struct call_site call = call_until(src->cache, caller->object, caller->addr);
	struct cfi *cfi;
	u64 target, start;

	if (call.kind != CALL_DIRECT)
		return call.kind == CALL_INDIRECT;
	cfi = cfi_of(src->objects, caller->dso, caller->object);
	if (cfi == NO_CFI || cfi == NO_FILE)
		return false;
	target = caller->addr + 1 + (u64)(s64)call.target;
	return cfi_is_plt(cfi, target) ||
	       (caller->dso == callee->dso && cfi_function_start(cfi, callee->addr, &start) && start == target);
}

bool unwind_source_may_call(void *ctx, u64 ra, u64 pc)
{
	const struct unwind_source *src = ctx;
	struct unwind_place caller, callee;

	return src->find(src->ctx, ra - 1, &caller) && caller.object && src->find(src->ctx, pc, &callee) &&
	       callee.object && may_call(src, &caller, &callee);
}

/* An unwind_calls_fn; ctx is a struct unwind_source. */
static enum unwind_call unwind_source_calls(void *ctx, u64 ra, u64 pc)
{
	const struct unwind_source *src = ctx;
	struct unwind_place caller, callee;
	struct rule_slot *slot;
	struct call_site call;
	struct cfi *cfi;
	bool knows;
	u64 target;

	if (!src->find(src->ctx, ra - 1, &caller) || !caller.object || !src->find(src->ctx, pc, &callee))
		return UNWIND_CALL_NOT;
	if (src->unread && !is_read(src->objects, caller.dso)) {
		*src->unread = caller;
		return UNWIND_CALL_NOT;
	}
	if (callee.object && is_read(src->objects, callee.dso) &&
	    rule_at(src->cache, callee.object, cfi_of(src->objects, callee.dso, callee.object), callee.addr, NULL)->has_rule)
		return may_call(src, &caller, &callee) ? UNWIND_CALL_PERHAPS : UNWIND_CALL_NOT;
	cfi = cfi_of(src->objects, caller.dso, caller.object);
	slot = rule_at(src->cache, caller.object, cfi, caller.addr, NULL);
	call = slot->call;
	if (!slot->call_known) {
		call = find_call_site(src, &caller, cfi);
		/* the question about its target may have taken the place */
		slot = rule_at(src->cache, caller.object, cfi, caller.addr, NULL);
		slot->call = call;
		slot->call_known = true;
	}
	if (call.kind == CALL_NONE)
		return UNWIND_CALL_NOT;
	/* who has tables for most of the code has few functions without, and their callers have tables */
	knows = is_sparse(src, &callee);
	if (call.kind == CALL_INDIRECT)
		return knows ? UNWIND_CALL_WEAKLY : UNWIND_CALL_PERHAPS;
	target = caller.addr + 1 + (u64)(s64)call.target;
	if (caller.dso != callee.dso || target > callee.addr || callee.addr - target >= CALLED_MAX ||
	    rule_at(src->cache, caller.object, cfi, target, NULL)->has_rule)
		return UNWIND_CALL_NOT;
	return !knows ? UNWIND_CALL_PERHAPS : begins_at(&callee, target) ? UNWIND_CALL_SURELY : UNWIND_CALL_WEAKLY;
}

void unwind_source_give(struct unwind_source *src, struct unwind_job *job)
{
	job->ctx = src;
	job->calls = unwind_source_calls;
	job->known = src->cache->known;
	job->space = src->space;
	job->time = src->time;
}
