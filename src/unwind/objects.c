/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unwind/objects.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "dso/files.h"

enum { SHELF = 512, SHELVES = 1 << 12, SLOTS = 1 << 13, RULE_SLOTS = 1 << 15 };

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

/* Two of them are one line of a CPU's cache; the rule is needed seldom. */
struct slot {
	u64 pc;
	u64 valid_from;
	u32 space;
	bool used, has_rule;
	struct cfi_step step;
};

/* The same for all processes that have the object. */
struct rule_slot {
	const struct dso *object; /* NULL = empty */
	u64 addr;
	const struct cfi_rule *rule;
	const struct trampoline *trampoline;
	struct cfi_step step;
};

struct unwind_cache {
	struct slot slots[SLOTS];
	struct unwind_rule full[SLOTS]; /* of the slots */
	struct rule_slot rules[RULE_SLOTS];
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
	if (!has_runtime || !elf_section_by_name(&runtime, ".eh_frame"))
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

struct unwind_cache *unwind_cache_new(void)
{
	return mem_large_new(sizeof(struct unwind_cache));
}

void unwind_cache_clear(struct unwind_cache *c)
{
	memset(c, 0, sizeof(*c));
}

void unwind_cache_free(struct unwind_cache *c)
{
	mem_large_free(c, sizeof(*c));
}

/* Whether code is followed by a trampoline. */
static const struct trampoline *trampoline_behind(struct dso *d, u64 addr)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	u8 code[TRAMPOLINE_BYTES];

	if (!dso_open_runtime(d, &f) || !elf_read(&f, addr + 1, code, sizeof(code)))
		return NULL;
	return trampoline_find(f.machine, code, sizeof(code));
}

static const struct rule_slot *rule_at(struct unwind_cache *c, struct dso *d, struct cfi *cfi, u64 addr)
{
	bool has_cfi = cfi != NO_CFI && cfi != NO_FILE;
	struct rule_slot *slot = &c->rules[hash_mix((u64)(uintptr_t)d, addr) % RULE_SLOTS];

	if (slot->object == d && slot->addr == addr)
		return slot;
	*slot = (struct rule_slot){ .object = d, .addr = addr, .rule = has_cfi ? cfi_find(cfi, addr) : NULL };
	if (slot->rule)
		slot->step = cfi_rule_step(cfi_abi(cfi), slot->rule);
	if ((!slot->rule || dso_kind(d) == DSO_VDSO) && cfi != NO_FILE)
		slot->trampoline = trampoline_behind(d, addr);
	return slot;
}

static void fill(const struct unwind_source *src, u64 pc, u32 at, struct unwind_code *out)
{
	struct unwind_rule *full = &src->cache->full[at];
	struct unwind_place place;

	*out = (struct unwind_code){ 0 };
	if (!src->find(src->ctx, pc, &place))
		return;
	if (src->unread && place.object && !is_read(src->objects, place.dso)) {
		*src->unread = place;
		return;
	}
	out->mapped = true;
	*full = (struct unwind_rule){ 0 };
	if (place.object) {
		struct cfi *cfi = cfi_of(src->objects, place.dso, place.object);
		const struct rule_slot *known = rule_at(src->cache, place.object, cfi, place.addr);

		*full = (struct unwind_rule){ known->rule, cfi, known->trampoline };
		if (cfi == NO_CFI || cfi == NO_FILE)
			full->cfi = NULL;
		out->step = known->step;
	}
	if (full->rule || full->trampoline || full->cfi)
		out->rule = full;
	src->cache->slots[at] = (struct slot){ .pc = pc, .valid_from = place.valid_from,
					       .space = src->space, .used = true,
					       .has_rule = out->rule != NULL, .step = out->step };
}

void unwind_source_lookup(void *ctx, u64 pc, struct unwind_code *out)
{
	const struct unwind_source *src = ctx;
	u32 at = (u32)(hash_mix(src->space, pc) % SLOTS);
	const struct slot *slot = &src->cache->slots[at];

	if (UNLIKELY(slot->pc != pc || slot->space != src->space || src->time < slot->valid_from ||
		     !slot->used)) {
		fill(src, pc, at, out);
		return;
	}
	out->mapped = true;
	out->step = slot->step;
	out->rule = slot->has_rule ? &src->cache->full[at] : NULL;
}
