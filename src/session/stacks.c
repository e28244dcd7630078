/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stacks: samples that carry registers and a copy of the stack get the callers appended to their
 * callchain, so that nothing behind this knows the difference.
 */
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/hash.h"
#include "dso/files.h"
#include "session/private.h"

/* Stands for an object without call frame information. */
static char no_cfi_place;
#define NO_CFI ((struct cfi *)(void *)&no_cfi_place)

void stacks_init(struct stacks *st, const struct model *model, struct dso_table *dsos)
{
	st->model = model;
	st->dsos = dsos;
	pthread_mutex_init(&st->lock, NULL);
}

void stacks_release(struct stacks *st)
{
	for (u32 i = 0; i < st->nr_objects; i++)
		if (st->objects[i] != NO_CFI)
			cfi_free(st->objects[i]);
	free((void *)st->objects);
	pthread_mutex_destroy(&st->lock);
}

void stacks_prepare(struct stacks *st, const char *machine)
{
	u32 want = dso_table_count(st->dsos) + 1;
	_Atomic(struct cfi *) *bigger;
	struct utsname host;

	if (!machine && !uname(&host))
		machine = host.machine;
	st->abi = unwind_abi_find(machine, false);
	st->abi32 = unwind_abi_find(machine, true);
	if (want <= st->nr_objects)
		return;
	want = MAX(want, st->nr_objects * 2);
	bigger = xcalloc(want, sizeof(*bigger));
	for (u32 i = 0; i < st->nr_objects; i++)
		bigger[i] = st->objects[i];
	free((void *)st->objects);
	st->objects = bigger;
	st->nr_objects = want;
}

static struct cfi *open_object(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	bool has_runtime = dso_open_runtime(d, &runtime);
	bool has_debug = false;
	struct cfi *c;

	/* Distributions strip .debug_frame, never .eh_frame. */
	if (!has_runtime || !elf_section_by_name(&runtime, ".eh_frame"))
		has_debug = dso_open_debug(d, has_runtime ? &runtime : NULL, &debug, NULL);
	c = cfi_open(has_runtime ? &runtime : NULL, has_debug ? &debug : NULL);
	return c ? c : NO_CFI;
}

static struct cfi *object_of(struct stacks *st, dso_id dso)
{
	struct cfi *c = atomic_load_explicit(&st->objects[dso], memory_order_acquire);

	if (!c) {
		pthread_mutex_lock(&st->lock);
		c = atomic_load_explicit(&st->objects[dso], memory_order_relaxed);
		if (!c) {
			c = open_object(dso_table_get(st->dsos, dso));
			atomic_store_explicit(&st->objects[dso], c, memory_order_release);
		}
		pthread_mutex_unlock(&st->lock);
	}
	return c == NO_CFI ? NULL : c;
}

struct lookup {
	struct session_worker *w;
	const struct site *site;
};

static void lookup_code(void *ctx, u64 pc, struct unwind_code *out)
{
	const struct lookup *l = ctx;
	struct stacks *st = l->w->stacks;
	struct code_slot *slot =
		&l->w->code[hash_finish(pc ^ ((u64)l->site->space << 40)) % CODE_SLOTS];
	const struct model_map *map;
	struct cfi *cfi;

	if (slot->used && slot->pc == pc && slot->space == l->site->space &&
	    l->site->time >= slot->valid_from) {
		*out = slot->code;
		return;
	}
	*out = (struct unwind_code){ 0 };
	map = model_find_map(st->model, l->site->thread, PERF_RECORD_MISC_USER, pc, l->site->time);
	if (!map)
		return;
	out->mapped = true;
	cfi = object_of(st, map->dso);
	if (cfi) {
		out->rule = cfi_find(cfi, model_map_ip(map, pc));
		out->cfi = cfi;
	}
	*slot = (struct code_slot){ .pc = pc, .valid_from = map->t0, .space = l->site->space,
				    .used = true, .code = *out };
}

void stacks_unwind(struct session_worker *w, const struct sample_layout *l, const struct site *site,
		   struct sample *smp)
{
	bool is32 = smp->user_abi == PERF_SAMPLE_REGS_ABI_32;
	const struct unwind_abi *abi = is32 ? w->stacks->abi32 : w->stacks->abi;
	u32 max_stack = w->resolver->max_stack;
	struct lookup lookup = { .w = w, .site = site };
	struct unwind_stack stack = { .bytes = smp->user_stack, .size = smp->user_stack_size };
	struct unwind_regs regs;
	enum unwind_end end;
	size_t nr;

	if (!abi || !unwind_regs_from_sample(abi, l->regs_user, smp->user_regs, &regs))
		return;
	if (!w->code)
		w->code = XNEW_ARRAY(struct code_slot, CODE_SLOTS);
	w->chain.nr = 0;
	VEC_GROW(&w->chain, smp->nr_chain + 1 + max_stack);
	nr = smp->nr_chain;
	if (nr)
		memcpy(w->chain.v, smp->chain, nr * sizeof(*w->chain.v));
	w->chain.v[nr++] = PERF_CONTEXT_USER;
	stack.addr = regs.v[abi->sp];
	nr += unwind_walk(abi, &regs, &stack, lookup_code, &lookup, w->chain.v + nr, max_stack, &end);
	w->unwound[end]++;
	smp->chain = w->chain.v;
	smp->nr_chain = nr;
	smp->unwound = true;
}
