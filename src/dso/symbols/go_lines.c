/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/go_lines.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/elf/relative.h"
#include "dso/symbols/go_table.h"

enum {
	PROBES = 64, /* functions with inlined calls by which a place for these is tried */
	MODULE_WORDS = 64, /* of the runtime's data about a program that are looked at */
	MODULE_NAMES = 1, /* the word that points to the names */
	MODULE_FIRST = 22, /* the first that may be the one that is wanted, behind the parts of the
			      table */
	MODULES = 8,
	READ_AT_ONCE = 1 << 16,
};

struct go_lines {
	struct go_table t;
	struct elf_file f; /* segments and bytes alone */
	bool has_inlined;
	u64 inlined; /* virtual address that inlined calls are told from */
};

/* ---- where inlined calls are described ---- */

struct go_probe {
	struct go_function fn;
	u32 offset;
};

struct go_search {
	const struct go_lines *l;
	const struct elf_file *f; /* with sections */
	struct go_probe probes[PROBES];
	size_t nr;
	u64 modules[MODULES]; /* virtual addresses where the runtime's data may be */
	size_t nr_modules;
	u64 words[MODULE_WORDS]; /* of one of them */
	u64 at;
};

static bool read_at(const struct elf_file *f, u64 vaddr, void *buf, size_t size)
{
	u64 offset;

	return elf_file_offset(f, vaddr, &offset) && elf_read(f, offset, buf, size);
}

struct go_call {
	const char *function;
	u32 at; /* offset in the function of an instruction that belongs to the caller's line */
};

/* An inlined call of a function; false: it makes no sense. */
static bool read_call(const struct go_lines *l, const struct go_function *fn, u64 vaddr,
		      struct go_call *out)
{
	const struct go_inlined_form *form = go_table_inlined_form(&l->t);
	u8 entry[UINT8_MAX];

	if (!read_at(&l->f, vaddr, entry, form->size))
		return false;
	out->function = go_table_name(&l->t, elf_u32(&l->f, entry + form->name));
	out->at = elf_u32(&l->f, entry + form->call);
	return out->function && out->at < fn->end - fn->start;
}

static bool fits(const struct go_search *s, u64 base)
{
	struct go_call call;

	for (size_t i = 0; i < s->nr; i++)
		if (!read_call(s->l, &s->probes[i].fn, base + s->probes[i].offset, &call))
			return false;
	return true;
}

/* Of all of the program: what is told of functions beside each other looks alike. */
static void choose_probes(struct go_search *s, struct go_table *t)
{
	u64 step = t->nr / PROBES, next = 0;
	struct go_values v;

	for (u64 i = 0; i < t->nr && s->nr < PROBES; i++) {
		struct go_probe *p = &s->probes[s->nr];

		if (i < next || !go_table_function(t, i, &p->fn) ||
		    !go_function_inlined(t, &p->fn, &p->offset) ||
		    !go_values_begin(t, &p->fn, GO_INLINED, &v))
			continue;
		next = i + step;
		s->nr++;
	}
}

static void add_module(struct go_search *s, u64 addr)
{
	if (s->nr_modules < MODULES)
		s->modules[s->nr_modules++] = addr;
}

/* Words that point to the table, in data as it is in the file. */
static void search_section(struct go_search *s, const struct elf_section *section)
{
	const struct go_table *t = &s->l->t;
	_cleanup_(mem_freep) u8 *piece = XNEW_ARRAY(u8, READ_AT_ONCE);
	u64 n;

	for (u64 at = 0; section->size - at >= t->word; at += n) {
		n = MIN(section->size - at, (u64)READ_AT_ONCE) / t->word * t->word;
		if (!elf_read(s->f, section->offset + at, piece, n))
			return;
		for (u64 i = 0; i < n; i += t->word) {
			u64 v = t->word == 8 ? elf_u64(s->f, piece + i) : elf_u32(s->f, piece + i);

			if (v == t->addr)
				add_module(s, section->addr + at + i);
		}
	}
}

static bool is_pointer_to_table(void *ctx, u64 addr, u64 value)
{
	struct go_search *s = ctx;

	if (value == s->l->t.addr)
		add_module(s, addr);
	return s->nr_modules < MODULES;
}

static void search_modules(struct go_search *s)
{
	u64 left = s->f->size; /* no byte is in two sections */

	for (u32 i = 0; i < s->f->nr_sections && s->nr_modules < MODULES; i++) {
		const struct elf_section *section = &s->f->sections[i];

		if (section->type != SHT_PROGBITS || !(section->flags & SHF_WRITE) ||
		    !elf_section_present(s->f, section) || section->size > left)
			continue;
		left -= section->size;
		search_section(s, section);
	}
	elf_relative_each(s->f, is_pointer_to_table, s);
}

static bool put_word(void *ctx, u64 addr, u64 value)
{
	struct go_search *s = ctx;
	u64 at = (addr - s->at) / sizeof(value);

	if (addr >= s->at && at < MODULE_WORDS)
		s->words[at] = value;
	return true;
}

/* The runtime's data at a virtual address. */
static bool read_module(struct go_search *s, u64 addr)
{
	const struct go_table *t = &s->l->t;
	u8 bytes[MODULE_WORDS * 8];

	if (!read_at(s->f, addr, bytes, (size_t)MODULE_WORDS * t->word))
		return false;
	for (u64 i = 0; i < MODULE_WORDS; i++)
		s->words[i] = t->word == 8 ? elf_u64(s->f, bytes + i * 8)
					   : elf_u32(s->f, bytes + i * 4);
	s->at = addr;
	elf_relative_each(s->f, put_word, s);
	return s->words[MODULE_NAMES] == t->addr + t->names;
}

/* Whether that was found. Which word it is differs by version, so it is the one that makes sense.
 */
static bool find_inlined(struct go_lines *l, const struct elf_file *f)
{
	struct go_search s = { .l = l, .f = f };

	if (!go_table_inlined_form(&l->t)->size)
		return false;
	choose_probes(&s, &l->t);
	if (!s.nr)
		return false;
	search_modules(&s);
	for (size_t m = 0; m < s.nr_modules; m++) {
		if (!read_module(&s, s.modules[m]))
			continue;
		for (size_t i = MODULE_FIRST; i < MODULE_WORDS; i++) {
			if (!s.words[i] || !fits(&s, s.words[i]))
				continue;
			l->inlined = s.words[i];
			return true;
		}
	}
	return false;
}

/* ---- opening ---- */

/* Segments and bytes of f, to be read from later; false: they cannot be. */
static bool keep_file(struct elf_file *out, const struct elf_file *f)
{
	*out = *f;
	out->sections = NULL;
	out->nr_sections = 0;
	out->section_names = NULL;
	out->segments = XNEW_ARRAY(struct elf_segment, MAX(f->nr_segments, 1U));
	if (f->nr_segments)
		memcpy(out->segments, f->segments, f->nr_segments * sizeof(*f->segments));
	if (f->fd >= 0)
		out->fd = dup(f->fd);
	return out->fd >= 0 || f->mem;
}

struct go_lines *go_lines_open(const struct elf_file *f)
{
	struct go_lines *l = XNEW(struct go_lines);

	if (!go_table_open(&l->t, f)) {
		free(l);
		return NULL;
	}
	l->has_inlined = keep_file(&l->f, f) && find_inlined(l, f);
	return l;
}

void go_lines_close(struct go_lines *l)
{
	if (!l)
		return;
	go_table_release(&l->t);
	elf_close(&l->f);
	free(l);
}

/* ---- asking ---- */

static void set_place(struct go_lines *l, const struct go_function *fn, u64 offset,
		      struct go_frame *out)
{
	s32 file, line;

	if (!go_values_find(&l->t, fn, GO_FILES, offset, &file) ||
	    !go_values_find(&l->t, fn, GO_LINES, offset, &line) || line < 0)
		return;
	out->file = go_table_file(&l->t, fn, file);
	out->line = (u32)line;
	if (out->file && !*out->file)
		out->file = NULL;
}

/* The inlined call at an offset in a function; false: the function's own code is there. */
static bool find_call(struct go_lines *l, const struct go_function *fn, u64 offset,
		      struct go_call *out)
{
	u32 calls;
	s32 number;

	return l->has_inlined && go_function_inlined(&l->t, fn, &calls) &&
	       go_values_find(&l->t, fn, GO_INLINED, offset, &number) && number >= 0 &&
	       read_call(l, fn,
			 l->inlined + calls + (u64)number * go_table_inlined_form(&l->t)->size,
			 out);
}

size_t go_lines_find(struct go_lines *l, u64 vaddr, struct go_frame *out, size_t max)
{
	struct go_function fn;
	struct go_call call;
	u64 number, offset;
	size_t nr = 0;

	if (!max || !go_table_find(&l->t, vaddr, &number) || !go_table_function(&l->t, number, &fn))
		return 0;
	offset = vaddr - fn.start;
	while (nr + 1 < max && find_call(l, &fn, offset, &call)) {
		out[nr] = (struct go_frame){ .function = call.function };
		set_place(l, &fn, offset, &out[nr++]);
		offset = call.at;
	}
	out[nr] = (struct go_frame){ .function = fn.name ? go_table_string(&l->t, fn.name) : NULL };
	set_place(l, &fn, offset, &out[nr++]);
	return nr;
}
