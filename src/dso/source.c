/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/source.h"

#include <stdlib.h>

#include "base/fmt.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/search.h"
#include "dso/symbols/demangle.h"
#include "dso/dwarf/of_dso.h"
#include "dso/dso_internal.h"
#include "dso/symbols/embedded.h"
#include "dso/symbols/go_lines.h"
#include "dso/jit/source.h"

/* A name of debug information and how it is shown. */
struct source_name {
	const char *raw, *shown;
};

struct dso_debug {
	struct dwarf *dwarf; /* NULL = none */
	struct go_lines *go; /* where there is no dwarf; NULL = not a Go program */
	struct elf_segment *segments; /* of the file that is mapped */
	u32 nr_segments;
	struct module_object module; /* DSO_MODULE, with dwarf */
	struct arena arena;
	struct map by_raw; /* of the name's place */
	VEC(struct source_name) names;
};

void dso_debug_free(struct dso_debug *g)
{
	if (!g)
		return;
	dwarf_close(g->dwarf);
	go_lines_close(g->go);
	free(g->segments);
	module_object_release(&g->module);
	arena_release(&g->arena);
	map_release(&g->by_raw);
	vec_free(&g->names);
	free(g);
}

static struct dso_debug *open_debug(struct dso *d)
{
	struct dso_debug *g = XNEW(struct dso_debug);
	struct dso_dwarf files;

	g->module.f = (struct elf_file)ELF_FILE_INIT;
	dso_dwarf_open(d, &files);
	g->dwarf = files.dwarf;
	files.dwarf = NULL;
	if (d->kind == DSO_MODULE) {
		g->module = files.module;
		files.module = (struct module_object){ .f = ELF_FILE_INIT };
	} else if (d->kind != DSO_KERNEL && elf_file_is_open(&files.object)) {
		if (!g->dwarf)
			g->go = go_lines_open(&files.object);
		g->nr_segments = files.object.nr_segments;
		g->segments = XNEW_ARRAY(struct elf_segment, g->nr_segments);
		if (g->nr_segments)
			memcpy(g->segments, files.object.segments,
			       g->nr_segments * sizeof(*g->segments));
	}
	dso_dwarf_close(&files);
	return g;
}

/* Under lock. */
static const char *shown_name(struct dso *d, struct dso_debug *g, const char *raw)
{
	u64 h = hash_u64((u64)(uintptr_t)raw);
	_cleanup_(mem_freep) char *plain = NULL;
	struct source_name n = { .raw = raw, .shown = raw };
	u32 i;

	if (!raw || d->table->config.no_demangle || !is_mangled(raw))
		return raw;
	for (struct map_probe p = map_first(&g->by_raw, h); map_next(&g->by_raw, &p, &i);)
		if (g->names.v[i].raw == raw)
			return g->names.v[i].shown;
	plain = demangle(raw, d->table->config.demangle_params);
	if (plain)
		n.shown = arena_strdup(&g->arena, plain);
	map_add(&g->by_raw, h, (u32)g->names.nr);
	*VEC_PUSH(&g->names) = n;
	return n.shown;
}

static void set_place(struct source_frame *f, const struct dwarf_place *p, bool known)
{
	if (!known)
		return;
	f->dir = p->dir;
	f->comp_dir = p->comp_dir;
	f->file = p->file;
	f->line = p->line;
	f->discriminator = p->discriminator;
}

/* The address in debug information. */
static bool find_vaddr(struct dso *d, const struct dso_debug *g, u64 addr, u64 *vaddr)
{
	return dso_dwarf_vaddr(d, &g->module, g->segments, g->nr_segments, addr, vaddr);
}

static size_t find_frames(struct dso *d, struct dso_debug *g, u64 addr, struct source_frame *out,
			  size_t max)
{
	const struct dwarf_inline *inlines[SOURCE_FRAMES_MAX - 1];
	struct dwarf_place place = { 0 };
	struct dwarf_unit *u;
	u64 vaddr;
	size_t nr;
	bool known;

	if (!g->dwarf || !max)
		return 0;
	out[0] = (struct source_frame){ 0 };
	u = find_vaddr(d, g, addr, &vaddr) ? dwarf_unit_of(g->dwarf, vaddr) : NULL;
	if (!u)
		return 1;
	nr = dwarf_inline_find(g->dwarf, u, vaddr, inlines, MIN(max, SOURCE_FRAMES_MAX) - 1);
	known = dwarf_line_find(g->dwarf, u, vaddr, &place);
	for (size_t i = 0; i < nr; i++) {
		out[i] = (struct source_frame){ .function = shown_name(d, g, inlines[i]->name),
						.raw = inlines[i]->name };
		if (!out[i].function)
			out[i].function = "??";
		set_place(&out[i], &place, known);
		known = dwarf_line_file(g->dwarf, u, inlines[i]->call_file, &place);
		place.line = inlines[i]->call_line;
		place.discriminator = 0;
	}
	out[nr] = (struct source_frame){ 0 };
	set_place(&out[nr], &place, known);
	dwarf_trim(g->dwarf);
	return nr + 1;
}

/* What the runtime of a Go program knows. */
static size_t go_frames(struct dso_debug *g, u64 addr, struct source_frame *out, size_t max)
{
	struct go_frame frames[SOURCE_FRAMES_MAX];
	u64 vaddr;
	size_t nr;

	if (!g->go || !elf_segments_vaddr(g->segments, g->nr_segments, addr, &vaddr))
		return 0;
	nr = go_lines_find(g->go, vaddr, frames, MIN(max, SOURCE_FRAMES_MAX));
	for (size_t i = 0; i < nr; i++) {
		out[i] = (struct source_frame){ .file = frames[i].file, .line = frames[i].line };
		if (i + 1 < nr)
			out[i].function = out[i].raw = frames[i].function;
	}
	return nr;
}

/* What the recording brought along. */
static size_t embedded_frames(struct dso *d, struct dso_debug *g, u64 addr,
			      struct source_frame *out, size_t max)
{
	const struct embedded_object *o = dso_embedded(d);
	size_t at, nr;

	at = o ? search_up_to(o->places.v, o->places.nr, sizeof(struct embedded_place), addr) : 0;
	if (!at || o->places.v[at - 1].addr != addr)
		return 0;
	nr = MIN(max, o->places.v[at - 1].nr);
	memcpy(out, o->places.v[at - 1].frames, nr * sizeof(*out));
	for (size_t i = 0; i + 1 < nr; i++) {
		out[i].function = shown_name(d, g, out[i].raw);
		if (!out[i].function)
			out[i].function = "??";
	}
	return nr;
}

/* What the compiler wrote down. */
static size_t jit_frames(struct dso *d, struct dso_debug *g, u64 addr, struct source_frame *out)
{
	struct jit_line line = { .file = STRBUF_INIT };
	size_t nr = jit_source_line(d, addr, &line);

	if (nr)
		*out = (struct source_frame){ .file = arena_strdup(&g->arena, line.file.buf),
					      .line = line.line };
	strbuf_release(&line.file);
	return nr;
}

size_t dso_source(struct dso *d, u64 addr, struct source_frame *out, size_t max)
{
	size_t nr;

	if (d->kind == DSO_KERNEL || d->kind == DSO_MODULE)
		dso_symtab(d); /* tells the file and where the kernel stood */
	else if (d->kind != DSO_USER && d->kind != DSO_JITDUMP)
		return 0;
	pthread_mutex_lock(&d->debug_lock);
	if (!d->debug)
		d->debug = open_debug(d);
	nr = find_frames(d, d->debug, addr, out, max);
	if (!nr && max)
		nr = go_frames(d->debug, addr, out, max);
	if (!nr && max && d->kind == DSO_JITDUMP)
		nr = jit_frames(d, d->debug, addr, out);
	if (!nr && max)
		nr = embedded_frames(d, d->debug, addr, out, max);
	pthread_mutex_unlock(&d->debug_lock);
	return nr;
}

void source_add_file(struct strbuf *out, const struct source_frame *f, bool full_path)
{
	const char *file = f->file;

	if (!full_path) {
		const char *slash = strrchr(file, '/');

		file = slash ? slash + 1 : file;
	} else if (file[0] != '/' && f->dir) {
		if (f->dir[0] != '/' && f->comp_dir)
			strbuf_addf(out, "%s/", f->comp_dir);
		strbuf_addf(out, "%s/", f->dir);
	} else if (file[0] != '/' && f->comp_dir) {
		strbuf_addf(out, "%s/", f->comp_dir);
	}
	strbuf_adds(out, file);
}

void source_add_place(struct strbuf *out, const struct source_frame *f, bool full_path)
{
	if (!f->file || !f->line) {
		strbuf_adds(out, "??:0");
		return;
	}
	source_add_file(out, f, full_path);
	strbuf_addf(out, ":%u", f->line);
}
