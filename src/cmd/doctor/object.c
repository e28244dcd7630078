/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/doctor/object.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "dso/elf/symbols.h"
#include "dso/files.h"
#include "dso/symbols/go_symbols.h"
#include "sys/distribution.h"

static bool has_lines(const struct elf_file *f)
{
	return elf_section_by_name(f, ".debug_info") || elf_section_by_name(f, ".zdebug_info");
}

static bool has_go_table(const struct elf_file *f)
{
	_cleanup_(symtab_builder_release) struct symtab_builder b = SYMTAB_BUILDER_INIT;

	go_symbols_read(f, &b);
	return b.rows.nr;
}

void object_facts_read(struct dso *d, struct object_facts *o)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	bool separate;

	*o = (struct object_facts){ 0 };
	if (!dso_open_runtime(d, &runtime))
		return;
	o->readable = true;
	o->is32 = !runtime.is64;
	elf_build_id(&runtime, &o->build_id);
	o->stripped = elf_symbols_kind(&runtime) != ELF_SYMBOLS_SYMTAB;
	separate = dso_open_debug(d, &runtime, &debug, &path);
	o->go_table = o->stripped && has_go_table(&runtime);
	o->symbols = !o->stripped || separate || o->go_table;
	if (separate)
		snprintf(o->debug_path, sizeof(o->debug_path), "%s", path.buf);
	if (has_lines(&runtime) || o->go_table)
		o->lines = LINES_OWN;
	else if (separate && has_lines(&debug))
		o->lines = LINES_SEPARATE;
	frame_pointers_read(&runtime, separate ? &debug : NULL, FP_CLOSE_LOOK, &o->fp);
}

bool object_has_tables(const struct object_facts *o)
{
	enum { MOST = 80 };

	return o->fp.covered_percent >= MOST;
}

void object_facts_text(const struct object_facts *o, struct strbuf *out)
{
	static const char *const verdicts[] = {
		[FP_UNKNOWN] = "no function makes a frame",
		[FP_KEPT] = "keeps frame pointers",
		[FP_MIXED] = "keeps frame pointers in parts",
		[FP_LOST] = "no frame pointers",
	};
	enum fp_verdict verdict = frame_pointers_verdict(&o->fp);

	strbuf_adds(out, verdicts[verdict]);
	if (verdict != FP_UNKNOWN)
		strbuf_addf(out, " (%u %% of %u functions)", frame_pointers_percent(&o->fp),
			    o->fp.framed + o->fp.frameless);
	if (!o->fp.with_cfi)
		strbuf_adds(out, ", no unwind tables");
	else if (object_has_tables(o))
		strbuf_adds(out, ", unwind tables");
	else
		strbuf_addf(out, ", unwind tables for %u %% of its code", o->fp.covered_percent);
	if (!o->stripped)
		strbuf_adds(out, ", symbols");
	else if (o->go_table)
		strbuf_adds(out, ", stripped: functions and lines in Go's own table");
	else if (o->symbols)
		strbuf_addf(out, ", symbols in %s", o->debug_path);
	else
		strbuf_adds(out, ", stripped: only exported names");
	if (o->lines == LINES_OWN)
		strbuf_adds(out, o->go_table ? "" : ", source lines");
	else if (o->lines == LINES_SEPARATE && !o->stripped)
		strbuf_addf(out, ", source lines in %s", o->debug_path);
	else if (o->lines == LINES_SEPARATE)
		strbuf_adds(out, " with source lines");
	else
		strbuf_adds(out, ", no source lines");
	if (o->is32)
		strbuf_adds(out, ", 32 bits");
}

bool object_mend_symbols(const char *path, const struct build_id *id, struct strbuf *out)
{
	static const char *const folders[] = { "/usr/local/", "/usr/",  "/lib",
					       "/bin/",       "/sbin/", "/opt/" };
	bool installed = false;

	if (strncmp(path, "/memfd:", strlen("/memfd:")) == 0) {
		strbuf_adds(out, "load it from a file: nothing is left of one in memory");
		return true;
	}
	if (sys_debug_package_command(NULL, path, out))
		return true;
	for (size_t i = 1; i < ARRAY_SIZE(folders); i++)
		installed |= strncmp(path, folders[i], strlen(folders[i])) == 0;
	if (!installed || strncmp(path, folders[0], strlen(folders[0])) == 0) {
		strbuf_adds(out, "build it without -s and do not strip it");
		return true;
	}
	/* Without a build id no server can be asked. */
	if (!id->size)
		return false;
	strbuf_addf(out, "export DEBUGINFOD_URLS=%s", sys_distribution_find(NULL)->debuginfod);
	return true;
}
