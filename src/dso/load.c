/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of objects, read when they are asked for, by the loader of their kind. */
#include <string.h>

#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf/file.h"
#include "dso/symbols/embedded.h"
#include "dso/symbols/symtab.h"

static struct symtab *load_nothing(struct dso *d)
{
	(void)d;
	return symtab_none();
}

/* Code of the kernel that a record told of: a BPF program. */
static struct symtab *load_ksymbol(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;

	symtab_builder_add(&b, d->start, d->start + d->len, d->long_name, 'g');
	return symtab_build(&b, 0);
}

static struct symtab *(*const loaders[])(struct dso *d) = {
	[DSO_USER] = dso_load_user,          [DSO_KERNEL] = dso_load_kernel,
	[DSO_MODULE] = dso_load_module,      [DSO_VDSO] = dso_load_vdso,
	[DSO_PERF_MAP] = dso_load_perf_map,  [DSO_BPF] = load_ksymbol,
	[DSO_UNKNOWN_CODE] = load_nothing,   [DSO_JITDUMP] = dso_load_jitdump,
	[DSO_GUEST_KERNEL] = dso_load_guest, [DSO_GUEST_MODULE] = dso_load_guest,
};

/*
 * What came with the recording is of the recorded machine and moment. Of files the loader decides;
 * a kernel's symbols that were asked for by name are taken from there.
 */
static bool prefers_embedded(const struct dso *d)
{
	const struct dso_config *c = &d->table->config;

	if (d->kind == DSO_USER || d->kind == DSO_JITDUMP || d->kind == DSO_BPF || !dso_embedded(d))
		return false;
	return !dso_is_kernel(d) || !(c->vmlinux || c->kallsyms);
}

const struct symtab *dso_symtab(struct dso *d)
{
	struct symtab *st = atomic_load_explicit(&d->symtab, memory_order_acquire);

	if (LIKELY(st))
		return st;
	pthread_mutex_lock(&d->lock);
	st = atomic_load_explicit(&d->symtab, memory_order_relaxed);
	if (!st) {
		d->build_id = *dso_build_id(d);
		st = prefers_embedded(d) ? dso_load_embedded(d) : loaders[d->kind](d);
		atomic_store_explicit(&d->symtab, st, memory_order_release);
	}
	pthread_mutex_unlock(&d->lock);
	return st;
}

u64 dso_symbols_end(struct dso *d)
{
	const struct symtab *st = dso_symtab(d);

	return symtab_count(st) ? symtab_end(st, symtab_count(st) - 1) : 0;
}

char dso_symtab_origin(const struct dso *d)
{
	const struct symtab *st = atomic_load_explicit(&d->symtab, memory_order_acquire);

	if (st && symtab_count(st) && d->origin)
		return d->origin;
	return d->kind == DSO_MODULE ? 'K' : '!';
}

bool dso_is_replaced(const struct dso *d)
{
	return atomic_load_explicit(&d->symtab, memory_order_acquire) && d->replaced;
}

bool dso_is_assumed(const struct dso *d)
{
	return atomic_load_explicit(&d->symtab, memory_order_acquire) && d->assumed;
}

s64 dso_unproven_time(const struct dso *d)
{
	return atomic_load_explicit(&d->symtab, memory_order_acquire) ? d->unproven_time : 0;
}

const char *dso_symtab_problem(const struct dso *d)
{
	/* Written before the table is published. */
	if (!atomic_load_explicit(&d->symtab, memory_order_acquire))
		return NULL;
	return d->problem;
}

/* A file that the user named for the symbols of such an object. */
static const char *named_file(const struct dso *d)
{
	const struct dso_config *c = &d->table->config;

	if (d->kind == DSO_KERNEL)
		return c->vmlinux ? c->vmlinux : c->kallsyms;
	if (d->kind == DSO_GUEST_KERNEL && !d->pid)
		return c->guest.vmlinux ? c->guest.vmlinux : c->guest.kallsyms;
	return NULL;
}

const char *dso_table_named_problem(const struct dso_table *t)
{
	VEC_FOR(&t->dsos, d) {
		const char *file = named_file(*d);
		const struct symtab *st = atomic_load_explicit(&(*d)->symtab, memory_order_acquire);

		if (file && st && !symtab_count(st) && strcmp(file, "/dev/null") != 0)
			return (*d)->problem;
	}
	return NULL;
}

bool dso_symtab_refused(const struct dso *d)
{
	return atomic_load_explicit(&d->symtab, memory_order_acquire) && d->refused;
}

/* Embedded names are those of sampled code alone: one is enough. */
static bool embeds_code_in(const struct embedded_object *o, u64 start, u64 end)
{
	VEC_FOR(&o->symbols, sym)
		if (sym->start < end && sym->end > start)
			return true;
	return false;
}

bool dso_table_has_jit_code(struct dso_table *t, u32 pid, u64 start, u64 end)
{
	enum { PROBES = 64 };
	struct dso_key key = { .name = "//anon", .kind = DSO_PERF_MAP, .pid = pid };
	const struct symtab *st;
	struct dso *d;
	u32 found = 0;

	if (t->config.live || !dso_has_perf_map(t, pid))
		return false;
	d = dso_table_get(t, dso_table_add(t, &key));
	if (dso_embedded(d))
		return embeds_code_in(dso_embedded(d), start, end);
	st = dso_symtab(d);
	for (u64 i = 0; i < PROBES; i++)
		found += symtab_find(st, start + (end - start) / PROBES * i) != SYM_NONE;
	return found >= PROBES / 2;
}

bool dso_file_build_id(struct dso *d, struct build_id *out)
{
	struct elf_file f = ELF_FILE_INIT;

	*out = d->build_id;
	if (out->size || d->kind != DSO_USER)
		return out->size > 0;
	dso_symtab(d); /* what follows must not be taken for a part of loading it */
	pthread_mutex_lock(&d->lock);
	char origin = d->origin;

	if (dso_find_runtime(d, &f)) {
		if (!elf_build_id(&f, out))
			out->size = 0;
		elf_close(&f);
	}
	d->origin = origin;
	pthread_mutex_unlock(&d->lock);
	return out->size > 0;
}
