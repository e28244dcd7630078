/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/of_dso.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf/debug.h"
#include "dso/files.h"

static bool has_debug_info(const struct elf_file *f)
{
	return elf_section_by_name(f, ".debug_info") || elf_section_by_name(f, ".zdebug_info");
}

static bool has_id(const char *path, const struct build_id *want)
{
	struct build_id id;

	return build_id_of_file(path, &id, NULL) == 0 && build_id_equal(&id, want);
}

/* A path relative to the folder of a file. */
static bool is_beside(const char *file, const char *link, const struct build_id *want,
		      struct strbuf *path)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	strbuf_reset(path);
	strbuf_add(path, file ? file : "", slash ? (size_t)(slash + 1 - file) : 0);
	strbuf_adds(path, link);
	return file && has_id(path->buf, want);
}

/*
 * The file that dwz moved common parts to: .gnu_debugaltlink has a path (relative to the file that
 * names it, which a link may lead to) and the build id that it must have, by which servers know it,
 * too.
 */
static bool find_alt(struct dso *d, const struct elf_file *f, const char *f_path,
		     struct strbuf *path)
{
	const char *symfs = d->table->symfs;
	const struct elf_section *s = elf_section_by_name(f, ".gnu_debugaltlink");
	_cleanup_(mem_freep) char *link = s && s->size <= LIMIT_LINK_SECTION
						  ? elf_section_data(f, s)
						  : NULL;
	_cleanup_(mem_freep) char *ids = xasprintf("%s/usr/lib/debug/.build-id", symfs);
	_cleanup_(mem_freep) char *real = NULL;
	struct build_id want = { 0 };
	size_t len;

	if (!link)
		return false;
	len = strlen(link) + 1;
	if (len >= s->size || s->size - len > DSO_BUILD_ID_MAX)
		return false;
	want.size = (u8)(s->size - len);
	memcpy(want.bytes, link + len, want.size);
	strbuf_reset(path);
	strbuf_addf(path, "%s%s", symfs, link);
	if (link[0] == '/' ? has_id(path->buf, &want) : is_beside(f_path, link, &want, path))
		return true;
	real = realpath(f_path, NULL);
	if (link[0] != '/' && is_beside(real, link, &want, path))
		return true;
	if (dso_build_id_path(&want, ids, ".debug", path) && has_id(path->buf, &want))
		return true;
	return debuginfod_find(d->table->remote, &want, DEBUGINFOD_DEBUG, d->long_name, path) &&
	       has_id(path->buf, &want);
}

static bool open_split(struct elf_file *f, const char *symfs, const char *dir, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s%s%s", symfs, dir, *dir ? "/" : "", name);
	return elf_open(f, path.buf, NULL) == 0;
}

/*
 * Split debug information: the package beside the object (OBJECT.dwp); else what the compiler
 * named, where it was compiled or beside the object. Which unit is in a file is known by its number
 * alone, so a wrong file does no harm.
 */
static bool find_split(void *ctx, const char *comp_dir, const char *name, struct elf_file *f)
{
	const struct dso *d = ctx;
	const char *symfs = d->table->symfs;
	const char *slash = strrchr(d->long_name, '/');
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!name) {
		strbuf_addf(&text, "%s.dwp", d->long_name);
		return open_split(f, symfs, "", text.buf);
	}
	if (name[0] == '/' ? open_split(f, symfs, "", name)
			   : comp_dir && open_split(f, symfs, comp_dir, name))
		return true;
	if (!slash)
		return false;
	strbuf_add(&text, d->long_name, (size_t)(slash - d->long_name));
	slash = strrchr(name, '/');
	return open_split(f, symfs, text.buf, slash ? slash + 1 : name);
}

/* What was taken out of a kernel file: by its build id, or by its link. */
static bool open_split_kernel(struct dso *d, const struct elf_file *f, struct elf_file *found,
			      struct strbuf *path)
{
	_cleanup_(mem_freep) char *ids = xasprintf("%s/usr/lib/debug/.build-id", d->table->symfs);
	struct build_id id;

	if (elf_build_id(f, &id) && dso_build_id_path(&id, ids, ".debug", path) &&
	    dso_open_checked(d, &id, found, path->buf))
		return true;
	return elf_open_debuglink(f, d->kernel_file, found, path);
}

/* Of the file that the kernel's symbols were read from. */
static void open_kernel(struct dso *d, struct dso_dwarf *w)
{
	_cleanup_(strbuf_releasep) struct strbuf alt = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	const struct elf_file *with = &w->object;

	if (!d->kernel_file || elf_open(&w->object, d->kernel_file, NULL) < 0)
		return;
	strbuf_adds(&path, d->kernel_file);
	if (!has_debug_info(with)) {
		with = &w->debug;
		if (!open_split_kernel(d, &w->object, &w->debug, &path) || !has_debug_info(with))
			return;
	}
	w->dwarf = dwarf_open(with, find_alt(d, with, path.buf, &alt) ? alt.buf : NULL);
}

/* The module itself, or what a distribution took out of it: by build id or by name. */
static void open_module(struct dso *d, struct dso_dwarf *w)
{
	static const char debug_dir[] = "/usr/lib/debug";
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf debug = STRBUF_INIT;
	_cleanup_(mem_freep) char *ids = xasprintf("%s%s/.build-id", d->table->symfs, debug_dir);
	const struct build_id *id = dso_build_id(d);
	const char *symfs = d->table->symfs;
	bool found;

	found = dso_module_path(d, &path) && module_object_open(&w->module, path.buf, id);
	if (!found && dso_build_id_path(id, ids, ".debug", &debug)) {
		module_object_release(&w->module);
		found = module_object_open(&w->module, debug.buf, id);
	}
	if (!found && path.len) {
		module_object_release(&w->module);
		strbuf_reset(&debug);
		strbuf_addf(&debug, "%s%s%s", symfs, debug_dir, path.buf + strlen(symfs));
		found = module_object_open(&w->module, debug.buf, id);
	}
	if (found)
		w->dwarf = dwarf_open(&w->module.f, NULL);
}

static void open_user(struct dso *d, struct dso_dwarf *w)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf alt = STRBUF_INIT;
	const struct elf_file *f = NULL;

	if (!dso_open_runtime(d, &w->object))
		return;
	strbuf_addf(&path, "%s%s", d->table->symfs, dso_long_name(d));
	if (has_debug_info(&w->object))
		f = &w->object;
	else if (dso_open_debug(d, &w->object, &w->debug, &path) && has_debug_info(&w->debug))
		f = &w->debug;
	if (f)
		w->dwarf = dwarf_open(f, find_alt(d, f, path.buf, &alt) ? alt.buf : NULL);
	if (w->dwarf)
		dwarf_look_for_split(w->dwarf, find_split, d);
}

bool dso_dwarf_open(struct dso *d, struct dso_dwarf *w)
{
	*w = (struct dso_dwarf){ .object = ELF_FILE_INIT,
				 .debug = ELF_FILE_INIT,
				 .module = { .f = ELF_FILE_INIT } };
	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_symtab(d); /* tells the file */
	if (d->kind == DSO_KERNEL)
		open_kernel(d, w);
	else if (d->kind == DSO_MODULE)
		open_module(d, w);
	else
		open_user(d, w);
	return w->dwarf != NULL;
}

/* By the function that the kernel has there. */
static bool find_in_module(struct dso *d, const struct module_object *m, u64 addr, u64 *vaddr)
{
	const struct symtab *st = dso_symtab(d);
	u32 i = symtab_find(st, addr);

	if (i == SYM_NONE || !module_object_find(m, symtab_name(st, i), vaddr))
		return false;
	*vaddr += addr - symtab_start(st, i);
	return true;
}

bool dso_dwarf_vaddr(struct dso *d, const struct module_object *m,
		     const struct elf_segment *segments, u32 nr_segments, u64 addr, u64 *vaddr)
{
	if (d->kind == DSO_MODULE)
		return find_in_module(d, m, addr, vaddr);
	if (d->kind != DSO_KERNEL)
		return elf_segments_vaddr(segments, nr_segments, addr, vaddr);
	*vaddr = addr - d->kernel_moved;
	return true;
}

bool dso_dwarf_module_addr(struct dso *d, const struct module_object *m, u64 vaddr, u64 *addr)
{
	const struct symtab *st = dso_symtab(d);
	u64 found;

	for (size_t i = 0; i < m->functions.nr; i++) {
		const struct module_symbol *f = &m->functions.v[i];
		u32 sym = f->vaddr == vaddr && module_object_find(m, f->name, &found)
				  ? symtab_find_name(st, f->name)
				  : SYM_NONE;

		if (sym != SYM_NONE) {
			*addr = symtab_start(st, sym);
			return true;
		}
	}
	return false;
}

const struct elf_file *dso_dwarf_file(const struct dso_dwarf *w)
{
	if (elf_file_is_open(&w->module.f))
		return &w->module.f;
	return has_debug_info(&w->object) ? &w->object : &w->debug;
}

void dso_dwarf_close(struct dso_dwarf *w)
{
	dwarf_close(w->dwarf);
	elf_close(&w->object);
	elf_close(&w->debug);
	module_object_release(&w->module);
	w->dwarf = NULL;
}
