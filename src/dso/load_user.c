/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of what processes map: files, the vdso, code made by JIT compilers. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "dso/dso_internal.h"
#include "dso/elf_file.h"
#include "dso/elf_plt.h"
#include "dso/elf_symbols.h"
#include "dso/perf_map.h"

static bool same_build_id(const struct build_id *a, const struct build_id *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Opens a candidate and makes sure that it is the recorded object, where its build id is known. */
static bool open_checked(struct dso *d, struct elf_file *f, const char *path)
{
	struct build_id id;
	struct err e = ERR_INIT;

	if (elf_open(f, path, &e) < 0)
		return false;
	if (!d->build_id.size || !elf_build_id(f, &id) || same_build_id(&id, &d->build_id))
		return true;
	elf_close(f);
	dso_problem(d, "build id of '%s' differs from the recorded one", path);
	return false;
}

/* Path of a file named by its build id below dir, "dir/xx/yyyy" + tail; false when unknown. */
static bool build_id_path(const struct build_id *id, const char *dir, const char *tail,
			  struct strbuf *out)
{
	if (!id->size)
		return false;
	strbuf_reset(out);
	strbuf_adds(out, dir);
	strbuf_addch(out, '/');
	fmt_build_id(out, id->bytes, 1);
	strbuf_addch(out, '/');
	fmt_build_id(out, id->bytes + 1, id->size - 1U);
	strbuf_adds(out, tail);
	return true;
}

/* The mapped file itself. */
static bool open_runtime(struct dso *d, struct elf_file *f)
{
	const char *symfs = d->table->config.symfs;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	if (symfs)
		strbuf_adds(&path, symfs);
	strbuf_adds(&path, d->long_name);
	return open_checked(d, f, path.buf);
}

/* A separate file with debug information; false when there is none. */
static bool open_debug(struct dso *d, const struct build_id *id, struct elf_file *f)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;

	return build_id_path(id, "/usr/lib/debug/.build-id", ".debug", &path) &&
	       open_checked(d, f, path.buf);
}

struct symtab *dso_load_user(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct build_id id = d->build_id;
	bool have_runtime = open_runtime(d, &runtime);
	const struct elf_file *best = have_runtime ? &runtime : NULL;

	if (have_runtime && !id.size)
		elf_build_id(&runtime, &id);
	if (!best || elf_symbols_kind(best) != ELF_SYMBOLS_SYMTAB)
		if (open_debug(d, &id, &debug) && elf_symbols_kind(&debug) != ELF_SYMBOLS_NONE)
			best = &debug;
	if (!best) {
		dso_problem(d, "no file with symbols found for '%s'", d->long_name);
		return symtab_none();
	}
	elf_symbols_read(best, elf_symbols_kind(best), have_runtime ? &runtime : best,
			 ELF_SPACE_FILE, &b);
	if (have_runtime)
		elf_plt_read(&runtime, &b);
	if (!b.rows.nr)
		dso_problem(d, "no symbols in '%s'", d->long_name);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}

struct symtab *dso_load_vdso(struct dso *d)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const ElfW(Ehdr) *vdso = (const ElfW(Ehdr) *)getauxval(AT_SYSINFO_EHDR);
	struct build_id id;
	size_t size = 0;

	/* Nothing tells its size, but the section headers stand at its end. */
	if (vdso)
		size = vdso->e_shoff + (size_t)vdso->e_shnum * vdso->e_shentsize;
	if (!vdso || elf_open_memory(&f, vdso, size, NULL) < 0) {
		dso_problem(d, "no vdso in this process");
		return symtab_none();
	}
	if (d->build_id.size && elf_build_id(&f, &id) && !same_build_id(&id, &d->build_id)) {
		dso_problem(d, "the recorded vdso is not the running kernel's");
		return symtab_none();
	}
	elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_FILE, &b);
	return symtab_build(&b, dso_symtab_flags(d->table, false));
}

struct symtab *dso_load_perf_map(struct dso *d)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct err e = ERR_INIT;

	if (perf_map_read(&b, d->long_name, d->table->config.force, &e) < 0)
		dso_problem(d, "%s", e.text);
	return symtab_build(&b, dso_symtab_flags(d->table, false) | SYMTAB_LAST_WINS);
}
