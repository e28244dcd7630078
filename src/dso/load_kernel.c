/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of the kernel and its modules: a vmlinux file that matches, kallsyms of the running
 * kernel or of the build-id cache, module files.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "dso/dso_internal.h"
#include "dso/elf/debug.h"
#include "dso/elf/file.h"
#include "dso/elf/symbols.h"
#include "dso/kcore_cache.h"
#include "dso/elf/unpack.h"

static u64 distance(const struct dso_table *t, const struct symtab_builder *b)
{
	return symtab_rows_distance(b, t->ref_symbol, t->ref_addr);
}

/* kallsyms */

/* False when the file cannot be read or tells no addresses. */
static bool try_kallsyms(struct dso_table *t, const char *path)
{
	struct err e = ERR_INIT;

	if (kallsyms_read(&t->kallsyms, path, path == t->config.kallsyms, &e) < 0) {
		if (!t->kallsyms_error.code)
			t->kallsyms_error = e;
		return false;
	}
	if (!kallsyms_useless(&t->kallsyms, path, ", see sysctl kernel.kptr_restrict",
			      &t->kallsyms_error)) {
		t->kallsyms_error = (struct err)ERR_INIT;
		return true;
	}
	kallsyms_release(&t->kallsyms);
	return false;
}

static bool try_live_kallsyms(struct dso_table *t)
{
	return t->kallsyms_live = try_kallsyms(t, "/proc/kallsyms");
}

/* A copy of the table by itself, or beside that of the kernel's memory. */
static bool cached_kallsyms(const struct dso_table *t, const struct build_id *id,
			    struct strbuf *path)
{
	_cleanup_(mem_freep) char *cache = xasprintf("%s/..", t->cache_dir);

	if (dso_cache_path(t, id, "/kallsyms", path) && access(path->buf, R_OK) == 0)
		return true;
	if (!kcore_cache_newest(cache, id, path))
		return false;
	strbuf_adds(path, "/kallsyms");
	return access(path->buf, R_OK) == 0;
}

/* Whether one function alone is asked for, and the copy of the symbols does not have it. */
static bool is_of_no_use(const struct dso_table *t, const char *copy)
{
	return t->config.only_function && !t->config.demangle_kernel &&
	       !kallsyms_may_have(copy, t->config.only_function);
}

/*
 * Under kernel_lock. A copy in the build-id cache is a plain file and forty times faster to read
 * than /proc/kallsyms, but its modules may have been elsewhere.
 */
static void read_kallsyms(struct dso_table *t, const struct build_id *id, bool modules)
{
	_cleanup_(strbuf_releasep) struct strbuf cached = STRBUF_INIT;
	bool have_copy = cached_kallsyms(t, id, &cached);
	bool running = dso_is_running_kernel(t, id);
	u64 delta;
	bool ok;

	t->kallsyms_unasked = !t->config.kallsyms && have_copy && !modules &&
			      is_of_no_use(t, cached.buf);
	if (t->kallsyms_unasked)
		return;
	if (t->config.kallsyms)
		ok = try_kallsyms(t, t->config.kallsyms);
	else if (running && (modules || !have_copy))
		ok = try_live_kallsyms(t) || (have_copy && try_kallsyms(t, cached.buf));
	else if (have_copy)
		ok = try_kallsyms(t, cached.buf) || (running && try_live_kallsyms(t));
	else
		ok = err_set(&t->kallsyms_error, 1,
			     "the recorded kernel is not this one, and no copy of its symbols is "
			     "in the build-id cache") == 0;
	if (!ok)
		return;
	VEC_FOR(&t->kallsyms.parts, p)
		kallsyms_lend_names(&t->kallsyms, p);
	delta = distance(t, &t->kallsyms.parts.v[0].rows);
	VEC_FOR(&t->kallsyms.parts, p)
		p->delta = delta;
}

static struct kallsyms_part *find_part(struct dso_table *t, const char *module, size_t len)
{
	VEC_FOR(&t->kallsyms.parts, p)
		if (strlen(p->module) == len && memcmp(p->module, module, len) == 0)
			return p;
	return NULL;
}

/* Where the running kernel has a module; 0 = it has none of that name, or hides it. */
static u64 live_base(const char *module)
{
	_cleanup_(strbuf_releasep) struct strbuf modules = STRBUF_INIT;
	size_t len = strlen(module);

	if (rw_slurp("/proc/modules", &modules, NULL) < 0)
		return 0;
	for (const char *line = modules.buf; line; line = strchr(line, '\n')) {
		unsigned long long base;

		line += *line == '\n';
		if (strncmp(line, module, len) == 0 && line[len] == ' ' &&
		    sscanf(line + len, "%*s %*s %*s %*s %llx", &base) == 1)
			return base;
	}
	return 0;
}

/* Whether the running kernel's module of that name is the recorded one, as far as its build id
 * tells. */
static bool is_live_module(const struct dso *d, const char *module)
{
	_cleanup_(mem_freep) char *path = xasprintf("/sys/module/%s/notes/.note.gnu.build-id",
						    module);
	_cleanup_(strbuf_releasep) struct strbuf notes = STRBUF_INIT;
	struct build_id id;

	return !d->build_id.size || rw_slurp(path, &notes, NULL) < 0 ||
	       !build_id_from_notes(notes.buf, notes.len, &id) || build_id_equal(&id, &d->build_id);
}

/* Whether the functions of a part lie where the module was recorded. */
static bool lies_in(const struct dso *d, const struct kallsyms_part *part)
{
	VEC_FOR(&part->rows.rows, r)
		if (!r->data && r->start + part->delta - d->start >= d->len)
			return false;
	return true;
}

/*
 * Modules are loaded anywhere, at each boot and each time: sets how far a part's module was from
 * where it was recorded, if that is told. False: that is not known, or it is another one.
 */
static bool find_place(struct dso *d, struct kallsyms_part *part)
{
	struct dso_table *t = d->table;
	u64 base = t->kallsyms_live && d->len ? live_base(part->module) : 0;

	if (t->kallsyms_live && !is_live_module(d, part->module)) {
		dso_problem(d, "the module has been replaced (another build id)");
		return false;
	}
	if (base)
		part->delta = d->start - base;
	if (base || !d->len || lies_in(d, part))
		return true;
	dso_problem(d, "the module was elsewhere when the list of symbols was made");
	return false;
}

/* Table of one module, or of the kernel itself with len 0. */
static struct symtab *from_kallsyms(struct dso *d, const char *module, size_t len)
{
	struct dso_table *t = d->table;
	struct symtab *st = symtab_none();
	struct kallsyms_part *part;

	d->origin = 'k';
	pthread_mutex_lock(&t->kernel_lock);
	/* (a module may have come after the copy) */
	if (!t->kallsyms_tried || (t->kallsyms_unasked && len)) {
		t->kallsyms_tried = true;
		read_kallsyms(t, dso_kernel_id(t), len > 0);
	}
	part = find_part(t, module, len);
	if (part && part->rows.rows.nr && (!len || find_place(d, part))) {
		/* One object per part: the rows are given away. */
		symtab_rows_move(&part->rows, part->delta);
		st = symtab_build(&part->rows, dso_symtab_flags(t, true));
		if (t->kallsyms_live && !d->build_id.size && !dso_kernel_id(t)->size)
			dso_assume(d);
	} else if (t->kallsyms_unasked) {
		; /* (nothing of it was asked for) */
	} else if (t->kallsyms_error.code) {
		dso_problem(d, "%s", t->kallsyms_error.text);
	} else {
		dso_problem(d, "no symbols of '%s' in '%s'", d->short_name,
			    t->config.kallsyms ? t->config.kallsyms : "/proc/kallsyms");
	}
	pthread_mutex_unlock(&t->kernel_lock);
	return st;
}

/* vmlinux */

static bool read_vmlinux(struct dso *d, const struct elf_file *f, const char *path,
			 struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	_cleanup_(strbuf_releasep) struct strbuf where = STRBUF_INIT;

	elf_symbols_read(f, elf_symbols_kind(f), f, ELF_SPACE_MEMORY, b);
	if (!b->rows.nr && elf_open_debuglink(f, path, &debug, &where))
		elf_symbols_read(&debug, elf_symbols_kind(&debug), &debug, ELF_SPACE_MEMORY, b);
	if (!b->rows.nr)
		return false;
	d->kernel_moved = distance(d->table, b);
	symtab_rows_move(b, d->kernel_moved);
	d->origin = 'v';
	d->kernel_file = dso_keep_text(d->table, path);
	return true;
}

static bool is_other_kernel(const struct dso *d, const struct elf_file *f)
{
	struct build_id id;

	return d->build_id.size && !d->table->config.force && elf_build_id(f, &id) &&
	       !build_id_equal(&id, &d->build_id);
}

static bool is_proven(const struct dso *d, const struct elf_file *f)
{
	struct build_id id;

	return elf_build_id(f, &id) && build_id_equal(&id, &d->build_id);
}

/* The file of -k. Many that are made for debuggers have no build id. */
static bool load_given_vmlinux(struct dso *d, struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(mem_freep) char *path = NULL;
	struct err e = ERR_INIT;

	if (d->table->foreign)
		path = xasprintf("%s/%s", d->table->symfs, d->table->config.vmlinux);
	if (path && elf_open(&f, path, NULL) == 0 && !is_other_kernel(d, &f) &&
	    read_vmlinux(d, &f, path, b))
		return true;
	elf_close(&f);
	if (elf_open(&f, d->table->config.vmlinux, &e) < 0) {
		dso_problem(d, "%s", e.text);
		return false;
	}
	if (is_other_kernel(d, &f)) {
		dso_problem(
			d,
			"build id of '%s' differs from the recorded one: -f reads it all the same",
			d->table->config.vmlinux);
		return false;
	}
	if (read_vmlinux(d, &f, d->table->config.vmlinux, b))
		return true;
	d->given_stripped = d->build_id.size && is_proven(d, &f);
	dso_problem(d, "no symbols in '%s'", d->table->config.vmlinux);
	return false;
}

/* A place where a kernel's file may be; false: it is not of this kernel, or there are no more. */
static bool vmlinux_at(const struct dso *d, size_t i, struct strbuf *path)
{
	static const char *const places[] = {
		"/boot/vmlinux",
		"/boot/vmlinux-%s",
		"/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	const char *release, *hole;
	struct utsname u;

	strbuf_reset(path);
	if (i == 0)
		return dso_cache_path(d->table, &d->build_id, "/elf", path);
	if (i > ARRAY_SIZE(places))
		return false;
	strbuf_adds(path, d->table->symfs);
	hole = strstr(places[i - 1], "%s");
	release = hole ? dso_kernel_release(d->table, &u) : NULL;
	if (hole && !release)
		return false;
	if (!hole) {
		strbuf_adds(path, places[i - 1]);
		return true;
	}
	strbuf_add(path, places[i - 1], (size_t)(hole - places[i - 1]));
	strbuf_adds(path, release);
	strbuf_adds(path, hole + 2);
	return true;
}

enum { VMLINUX_PLACES = 7 };

/* The i-th file that may be the kernel's, if its build id is the recorded one. */
static bool open_vmlinux(const struct dso *d, size_t i, struct elf_file *f, struct strbuf *path)
{
	return vmlinux_at(d, i, path) && elf_open(f, path->buf, NULL) == 0 && is_proven(d, f);
}

/* A vmlinux in one of the usual places, if its build id is the recorded one. */
static bool find_vmlinux(struct dso *d, struct symtab_builder *b)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	for (size_t i = 0; i < VMLINUX_PLACES && d->build_id.size; i++) {
		_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

		if (open_vmlinux(d, i, &f, &path) && read_vmlinux(d, &f, path.buf, b))
			return true;
	}
	return false;
}

/* How far the kernel was from where its file says: the symbol that was recorded is at the begin of
 * its code. */
static bool find_distance(const struct dso *d, const struct elf_file *f, u64 *moved)
{
	const char *symbol = d->table->ref_symbol;
	bool first = symbol && (!strcmp(symbol, "_text") ||
				(!strcmp(symbol, "_stext") && f->machine == EM_X86_64));

	for (u32 i = 0; i < f->nr_segments && first; i++) {
		const struct elf_segment *s = &f->segments[i];

		if (s->type != PT_LOAD || !(s->flags & PF_X) || !s->filesz)
			continue;
		*moved = d->table->ref_addr - s->vaddr;
		return true;
	}
	return false;
}

bool dso_open_stripped_kernel(const struct dso *d, struct elf_file *f, struct strbuf *path,
			      u64 *moved)
{
	const struct dso_config *c = &d->table->config;

	if (!d->build_id.size || c->ignore_vmlinux)
		return false;
	strbuf_reset(path);
	if (c->vmlinux) {
		strbuf_adds(path, c->vmlinux);
		return elf_open(f, c->vmlinux, NULL) == 0 && is_proven(d, f) &&
		       find_distance(d, f, moved);
	}
	for (size_t i = 0; i < VMLINUX_PLACES; i++) {
		if (open_vmlinux(d, i, f, path) && find_distance(d, f, moved))
			return true;
		elf_close(f);
	}
	return false;
}

struct symtab *dso_load_kernel(struct dso *d)
{
	const struct dso_config *c = &d->table->config;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	bool found = false;

	if (c->vmlinux)
		found = load_given_vmlinux(d, &b);
	else if (!c->kallsyms && !c->ignore_vmlinux)
		found = find_vmlinux(d, &b);
	if (found)
		return symtab_build(&b, dso_symtab_flags(d->table, true));
	if (c->no_kallsyms || (c->vmlinux && !d->given_stripped))
		return symtab_none();
	return from_kallsyms(d, "", 0);
}

/* modules */

/* "some_name" is the file some-name.ko, or some_name.ko.xz, or ... */
static bool is_module_file(const char *file, const char *name, size_t len)
{
	static const char *const tails[] = { ".ko", ".ko.xz", ".ko.gz", ".ko.zst" };

	for (size_t i = 0; i < len; i++)
		if (file[i] != name[i] && !(file[i] == '-' && name[i] == '_'))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
		if (strcmp(file + len, tails[i]) == 0)
			return true;
	return false;
}

/* Finds a module below a folder; path holds the folder and then the file. */
static bool find_module(struct strbuf *path, const char *name, size_t len, int depth)
{
	DIR *dir = depth < 12 ? opendir(path->buf) : NULL;
	size_t base = path->len;
	bool found = false;
	struct dirent *ent;

	while (dir && !found && (ent = readdir(dir))) {
		if (ent->d_name[0] == '.')
			continue;
		path->len = base;
		strbuf_addch(path, '/');
		strbuf_adds(path, ent->d_name);
		if (ent->d_type == DT_DIR)
			found = find_module(path, name, len, depth + 1);
		else
			found = is_module_file(ent->d_name, name, len);
	}
	if (dir)
		closedir(dir);
	if (!found) {
		path->len = base;
		path->buf[base] = '\0';
	}
	return found;
}

/* Symbols of a module file; its code stands at the recorded address. */
static bool read_module_file(struct dso *d, const char *path, struct symtab_builder *b)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(mem_freep) void *data = NULL;
	struct build_id id;

	if (unpack_elf_file(path, &f, &data) < 0)
		return false;
	if (d->build_id.size && (!elf_build_id(&f, &id) || !build_id_equal(&id, &d->build_id))) {
		dso_problem(d, "build id of '%s' differs from the recorded one", path);
		return false;
	}
	d->origin = 'K';
	elf_symbols_read_module(&f, d->start, b);
	if (!d->build_id.size)
		dso_assume(d);
	return b->rows.nr > 0;
}

bool dso_module_path(const struct dso *d, struct strbuf *path)
{
	const char *name = d->short_name + (d->short_name[0] == '[');
	const char *release;
	struct utsname u;

	strbuf_adds(path, d->table->symfs);
	if (d->long_name[0] == '/') {
		strbuf_adds(path, d->long_name);
		return true;
	}
	release = dso_kernel_release(d->table, &u);
	if (!release)
		return false;
	strbuf_addf(path, "/lib/modules/%s", release);
	return find_module(path, name, strcspn(name, "]"), 0);
}

bool dso_module_place(const struct dso *d, int i, struct strbuf *path)
{
	strbuf_reset(path);
	return i ? dso_module_path(d, path)
		 : dso_cache_path(d->table, &d->build_id, "/elf", path) &&
			       access(path->buf, R_OK) == 0;
}

static bool load_module_file(struct dso *d, struct symtab_builder *b)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	for (int i = 0; i < DSO_MODULE_PLACES; i++)
		if (dso_module_place(d, i, &path) && read_module_file(d, path.buf, b))
			return true;
	return false;
}

struct symtab *dso_load_module(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const char *name = d->short_name + (d->short_name[0] == '[');
	size_t len = strcspn(name, "]");
	struct symtab *st;

	/* kallsyms knows where each section of a module went; a file does not. */
	if (!d->table->config.load_modules || d->table->config.kallsyms) {
		st = from_kallsyms(d, name, len);
		if (symtab_count(st))
			return st;
	}
	if (!load_module_file(d, &b))
		return d->table->config.load_modules ? from_kallsyms(d, name, len) : symtab_none();
	d->problem = NULL;
	return symtab_build(&b, dso_symtab_flags(d->table, true));
}
