/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for addresses: this program, the kernel, build ids, where they are cached. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/note_id.h"
#include "cmd/test/test.h"
#include "dso/build_id_cache.h"
#include "dso/elf/file.h"
#include "dso/elf/symbols.h"
#include "dso/symbols/kallsyms.h"
#include "dso/symbols/symtab.h"
#include "program/build_options.h"

/* A line for each, which scripts look for by its last word. */
static void list_symbols(struct symtab_builder *b)
{
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT, tmp = STRBUF_INIT;
	struct sym_names names = symtab_builder_names(b);

	VEC_FOR(&b->rows, row) {
		strbuf_reset(&line);
		strbuf_addf(&line, "\t%llx ", (unsigned long long)row->start);
		strbuf_add_escaped(&line, sym_name_at(&names, row->name, &tmp));
		fprintf(stderr, "%s\n", line.buf);
	}
}

static enum test_result program_symbols(struct test *t)
{
	static const char *const kinds[] = { "no symbol table", ".dynsym", ".symtab" };
	const char *path = t->dso ? t->dso : "/proc/self/exe";
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct err e = ERR_INIT;
	struct elf_file f;
	enum elf_symbols_kind kind;
	size_t nr;

	if (elf_open(&f, path, &e))
		return test_fail(t, "%.200s", e.text);
	kind = elf_symbols_kind(&f);
	elf_symbols_read(&f, kind, &f, ELF_SPACE_FILE, &b);
	nr = b.rows.nr;
	test_note(t, "%s: %s, %zu symbols", path, kinds[kind], nr);
	if (t->verbose > 1)
		list_symbols(&b);
	symtab_builder_release(&b);
	elf_close(&f);
	if (!kind)
		return test_skip(t, "%.200s is stripped", t->dso ? t->dso : "this program");
	return nr ? TEST_OK : test_fail(t, "no symbols can be read");
}

static enum test_result own_build_id(struct test *t)
{
	struct note_id running, file;

	if (!note_id_from_path("/proc/self/exe", 0, 0, &file))
		return test_skip(t, "this program was linked without --build-id");
	if (!note_id_from_path("/proc/self/exe", getpid(), 0, &running))
		return test_fail(t, "the running program's file cannot be read");
	return memcmp(&running, &file, sizeof(file)) ? test_fail(t, "two different ids") : TEST_OK;
}

static enum test_result kernel_symbols(struct test *t)
{
	struct kallsyms k = { 0 };
	struct err e = ERR_INIT;
	enum test_result r = TEST_OK;

	if (kallsyms_read(&k, "/proc/kallsyms", false, &e))
		return test_skip(t, "%.200s", e.text);
	if (k.all_zero)
		r = test_skip(t,
			      "addresses are hidden: kernel.kptr_restrict is %d, "
			      "kernel.perf_event_paranoid %d",
			      t->limits.kptr_restrict, t->limits.paranoid);
	else if (!k.parts.nr || k.parts.v[0].rows.rows.nr < 1000)
		r = test_fail(t, "too few symbols");
	else
		test_note(t, "%zu symbols, %zu modules", k.parts.v[0].rows.rows.nr, k.parts.nr - 1);
	kallsyms_release(&k);
	return r;
}

static enum test_result kernel_build_id(struct test *t)
{
	struct note_id id;

	return note_id_of_kernel(NULL, &id) ? TEST_OK
					    : test_skip(t, "/sys/kernel/notes has none for us");
}

static enum test_result kernel_core(struct test *t)
{
	int fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return test_skip(t, "/proc/kcore: %s", strerror(errno));
	close(fd);
	return TEST_OK;
}

static enum test_result vdso_build_id(struct test *t)
{
	struct note_id id;

	return note_id_of_vdso(&id) ? TEST_OK : test_skip(t, "no vdso, or none with a build id");
}

/* The folder itself, or the nearest one above it that exists. */
static enum test_result id_cache(struct test *t)
{
	char path[PATH_MAX], *slash;

	if (!build_id_cache_dir(t->buildid_dir, path, sizeof(path)))
		return test_skip(t, "neither HOME nor PERF_BUILDID_DIR is set");
	test_note(t, "%s", path);
	while (access(path, F_OK) && (slash = strrchr(path, '/')) && slash != path)
		*slash = '\0';
	return access(path, W_OK | X_OK)
		       ? test_skip(t, "cannot write '%.150s': %s", path, strerror(errno))
		       : TEST_OK;
}

static enum test_result map_folder(struct test *t)
{
	const char *dir = getenv("TMPDIR");

	dir = dir && *dir ? dir : "/tmp";
	return access(dir, W_OK | X_OK) ? test_skip(t, "'%.150s': %s", dir, strerror(errno))
					: TEST_OK;
}

static enum test_result built_in(struct test *t, const char *name, const char *what)
{
	for (const struct build_option *o = build_options; o->name; o++) {
		if (!strcmp(o->name, name))
			return o->on ? TEST_OK : test_skip(t, "built without %s", what);
	}
	return test_fail(t, "no build option '%s'", name);
}

static enum test_result has_zstd(struct test *t)
{
	return built_in(t, "zstd", "libzstd: no compressed recordings");
}

static enum test_result has_lzma(struct test *t)
{
	return built_in(t, "lzma", "liblzma: no mini-debuginfo, no xz modules");
}

static const struct self_test program_subs[] = { { "Symbols of this program, or of --dso",
						   program_symbols, NULL },
						 { "Build id of this program", own_build_id, NULL },
						 { "Build id of the vdso", vdso_build_id, NULL },
						 { NULL, NULL, NULL } };

static const struct self_test kernel_subs[] = { { "kallsyms", kernel_symbols, NULL },
						{ "Build id of the kernel", kernel_build_id, NULL },
						{ "Memory of the kernel (kcore)", kernel_core,
						  NULL },
						{ NULL, NULL, NULL } };

static const struct self_test folder_subs[] = { { "Build id cache", id_cache, NULL },
						{ "Maps of JIT compilers", map_folder, NULL },
						{ NULL, NULL, NULL } };

static const struct self_test library_subs[] = { { "zstd", has_zstd, NULL },
						 { "lzma", has_lzma, NULL },
						 { NULL, NULL, NULL } };

const struct self_test checks_symbols[] = { { "Symbols of programs", NULL, program_subs },
					    { "Symbols of the kernel", NULL, kernel_subs },
					    { "Folders", NULL, folder_subs },
					    { "Libraries", NULL, library_subs },
					    { NULL, NULL, NULL } };
