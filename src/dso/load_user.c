/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of the files that processes map, and of the vdso. */
#include <ctype.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf/debug.h"
#include "dso/elf/file.h"
#include "dso/elf/plt.h"
#include "dso/elf/symbols.h"
#include "dso/symbols/embedded.h"
#include "dso/symbols/go_symbols.h"

static void read_runtime_symbols(const struct elf_file *runtime, enum elf_symbols_kind kind,
				 struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file inner = ELF_FILE_INIT;
	_cleanup_(mem_freep) void *data = NULL;

	elf_symbols_read(runtime, kind, runtime, ELF_SPACE_FILE, b);
	if (kind != ELF_SYMBOLS_SYMTAB && elf_mini_debug(runtime, &inner, &data))
		elf_symbols_read(&inner, elf_symbols_kind(&inner), runtime, ELF_SPACE_FILE, b);
	if (kind != ELF_SYMBOLS_SYMTAB)
		go_symbols_read(runtime, b);
}

/* The object's names that came with the recording. */
static void add_embedded(const struct embedded_object *o, struct symtab_builder *b)
{
	VEC_FOR(&o->symbols, s) {
		struct sym_row *row;
		size_t before = b->rows.nr;

		symtab_builder_add(b, s->start, s->end, s->name, (char)s->binding);
		if (b->rows.nr == before)
			return;
		row = VEC_LAST(&b->rows);
		row->data = s->flags & EMBEDDED_DATA;
		row->sizeless = s->flags & EMBEDDED_LABEL;
	}
}

struct symtab *dso_load_embedded(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	bool kernel = d->kind == DSO_KERNEL || d->kind == DSO_MODULE;

	d->origin = 'e';
	add_embedded(dso_embedded(d), &b);
	return symtab_build(&b, d->kind == DSO_PERF_MAP ? 0 : dso_symtab_flags(d->table, kernel));
}

/* There are symbols: whether they are those of the recorded object. */
static void trust(struct dso *d, const struct elf_file *runtime)
{
	struct stat st;

	d->problem = NULL;
	d->replaced = false;
	if (d->build_id.size)
		return;
	dso_assume(d);
	if (runtime && runtime->fd >= 0 && !fstat(runtime->fd, &st))
		d->unproven_time = st.st_mtime;
}

/*
 * Whether one function alone is asked for and none of f's can have its name. Names that are more
 * than a word ("f@plt", "std::f", "main.main") are made in several ways, and may be anywhere.
 */
static bool is_of_no_use(const struct dso *d, const struct elf_file *f, enum elf_symbols_kind kind)
{
	const char *name = d->table->config.only_function;

	if (!name)
		return false;
	for (const char *p = name; *p; p++)
		if (!isalnum((u8)*p) && *p != '_')
			return false;
	if (kind != ELF_SYMBOLS_SYMTAB &&
	    (elf_section_by_name(f, ".gnu_debugdata") || elf_section_by_name(f, ".go.buildinfo") ||
	     elf_section_by_name(f, ".gopclntab")))
		return false;
	return !elf_symbols_may_have(f, kind, name);
}

struct symtab *dso_load_user(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct debug_search s = { .d = d, .id = d->build_id, .path = STRBUF_INIT, .found = &debug };
	const struct elf_file *names = &runtime; /* whose symbols are read */
	enum elf_symbols_kind kind = ELF_SYMBOLS_NONE;
	char debug_origin = 0;

	if (dso_find_runtime(d, &runtime)) {
		s.runtime = &runtime;
		kind = elf_symbols_kind(&runtime);
		if (!s.id.size)
			elf_build_id(&runtime, &s.id);
	}
	if (kind != ELF_SYMBOLS_SYMTAB)
		debug_origin = debug_search_find(&s);
	/* The object itself, with all its names, is better; one that may be another is not. */
	if (dso_embedded(d) &&
	    !(d->build_id.size && (kind == ELF_SYMBOLS_SYMTAB || debug_origin))) {
		strbuf_release(&s.path);
		d->replaced = false;
		return dso_load_embedded(d);
	}
	if (debug_origin || (kind != ELF_SYMBOLS_SYMTAB && debug_search_fetch(&s))) {
		d->origin = debug_origin ? debug_origin : 'D';
		kind = ELF_SYMBOLS_SYMTAB;
		names = &debug;
	} else if (!s.runtime && dso_fetch_runtime(d, &runtime)) {
		d->origin = 'B';
		s.runtime = &runtime;
		kind = elf_symbols_kind(&runtime);
	}
	strbuf_release(&s.path);
	if (names == &runtime && !s.runtime)
		names = NULL;
	if (names && is_of_no_use(d, names, kind)) {
		d->problem = NULL;
		d->replaced = false;
		return symtab_none();
	}
	if (names == &debug)
		elf_symbols_read(&debug, kind, s.runtime ? s.runtime : &debug, ELF_SPACE_FILE, &b);
	else if (names)
		read_runtime_symbols(&runtime, kind, &b);
	if (s.runtime)
		elf_plt_read(&runtime, &b);
	if (b.rows.nr)
		trust(d, s.runtime);
	else if (s.runtime)
		dso_problem(d, "no symbols in '%s'", d->long_name);
	else
		dso_problem(d, "cannot open '%s'", d->long_name);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}

struct symtab *dso_load_vdso(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;

	if (dso_find_vdso(d, &f))
		elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_FILE, &b);
	if (!b.rows.nr)
		dso_problem(d, "the recorded vdso is not the running kernel's");
	else if (!d->build_id.size && !dso_kernel_id(d->table)->size)
		dso_assume(d);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}
