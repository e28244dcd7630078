/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/symbols/demangle.h"
#include "dso/elf/debug.h"
#include "dso/elf/plt.h"
#include "dso/elf/symbols.h"
#include "dso/files.h"
#include "dso/symbols/kallsyms.h"
#include "probe/point.h"

static const char plt_mark[] = "@plt";

static const char *shown_name(struct probe_symbols *s, const char *name)
{
	_cleanup_(mem_freep) char *nice = is_mangled(name) ? demangle(name, false) : NULL;

	return nice ? arena_strdup(&s->arena, nice) : name;
}

static void add_rows(struct probe_symbols *s, const struct symtab_builder *b, bool nice)
{
	_cleanup_(strbuf_releasep) struct strbuf tmp = STRBUF_INIT;
	struct sym_names names = symtab_builder_names(b);

	VEC_FOR(&b->rows, row) {
		const char *name = sym_name_at(&names, row->name, &tmp);
		size_t len = strlen(name);
		bool plt = len >= strlen(plt_mark) && name[len - 1] == 't' &&
			   !strcmp(name + len - strlen(plt_mark), plt_mark);

		if (!*name || (*name == '.' && !strcmp(name, ".plt")))
			continue;
		name = arena_strdup(&s->arena, name);
		*VEC_PUSH(&s->v) = (struct probe_symbol){
			.name = name,
			.shown = nice && !plt ? shown_name(s, name) : name,
			.address = row->start,
			.size = row->end - row->start,
			.nr = (u32)s->v.nr,
			.data = row->data,
			.plt = plt,
		};
	}
}

static int compare(const void *a, const void *b)
{
	const struct probe_symbol *x = a;
	const struct probe_symbol *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* What two tables of a file have is there once. */
static void drop_repeated(struct probe_symbols *s)
{
	enum { LOOK_BACK = 64 };
	size_t n = 0;
	size_t begin = 0;

	for (size_t i = 0; i < s->v.nr; i++) {
		const struct probe_symbol *sym = &s->v.v[i];
		bool have = false;

		if (n && s->v.v[n - 1].address != sym->address)
			begin = n;
		begin = MAX(begin, n - MIN(n, (size_t)LOOK_BACK));
		for (size_t k = begin; k < n && !have && s->v.v[k].address == sym->address; k++)
			have = !strcmp(s->v.v[k].name, sym->name);
		if (!have)
			s->v.v[n++] = *sym;
	}
	s->v.nr = n;
}

/* The kernel's table is, nearly always. */
static bool is_sorted(const struct probe_symbols *s)
{
	for (size_t i = 1; i < s->v.nr; i++)
		if (s->v.v[i].address < s->v.v[i - 1].address)
			return false;
	return true;
}

/* Sorts, and gives those without a size one. */
static void finish(struct probe_symbols *s)
{
	u64 next = 0;

	if (!is_sorted(s))
		VEC_SORT(&s->v, compare);
	drop_repeated(s);
	for (size_t i = s->v.nr; i-- > 0;) {
		struct probe_symbol *sym = &s->v.v[i];

		if (!sym->size && next > sym->address)
			sym->size = next - sym->address;
		if (!i || s->v.v[i - 1].address != sym->address)
			next = sym->address;
	}
}

/* How many symbols begin at an address or in front of it. */
static size_t first_behind(const struct probe_symbols *s, u64 address)
{
	size_t low = 0;
	size_t high = s->v.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->v.v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Which addresses of f, a table of the same places as `runtime`, belong to functions that choose
 * another. */
static void mark_indirect(struct probe_symbols *s, const struct elf_file *f,
			  const struct elf_file *runtime)
{
	enum elf_symbols_kind kind = elf_symbols_kind(f);
	const struct elf_section *t;
	_cleanup_(mem_freep) u8 *data = NULL;
	size_t size = elf_symbol_size(f);

	t = elf_section_by_type(f, kind == ELF_SYMBOLS_SYMTAB ? SHT_SYMTAB : SHT_DYNSYM);
	data = kind != ELF_SYMBOLS_NONE && t ? elf_section_data(f, t) : NULL;
	for (u64 at = 0; data && at + size <= t->size; at += size) {
		_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
		struct elf_symbol sym;
		u64 offset;

		elf_symbol_decode(f, data + at, &sym);
		if (ELF64_ST_TYPE(sym.info) != STT_GNU_IFUNC || sym.shndx == SHN_UNDEF ||
		    t->link >= f->nr_sections || !elf_file_offset(runtime, sym.value, &offset) ||
		    !elf_string(f, &f->sections[t->link], sym.name, &name))
			continue;
		for (size_t i = first_behind(s, offset); i-- > 0 && s->v.v[i].address == offset;)
			s->v.v[i].indirect |= !strcmp(s->v.v[i].name, name.buf);
	}
}

/* Labels do not say what they are, but nothing outside of executable memory is code. */
static void mark_data(struct probe_symbols *s, const struct elf_file *runtime)
{
	u64 vaddr;

	VEC_FOR(&s->v, sym)
		if (!elf_segments_vaddr(runtime->segments, runtime->nr_segments, sym->address,
					&vaddr))
			sym->data = true;
}

static void read_mini(const struct elf_file *runtime, struct probe_symbols *out, bool nice)
{
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	struct elf_file inner = ELF_FILE_INIT;
	void *data = NULL;

	if (elf_mini_debug(runtime, &inner, &data)) {
		elf_symbols_read(&inner, elf_symbols_kind(&inner), runtime, ELF_SPACE_FILE, &b);
		add_rows(out, &b, nice);
		elf_close(&inner);
	}
	free(data);
	symtab_builder_release(&b);
}

int probe_symbols_of_object(struct dso *d, bool nice, struct probe_symbols *out, struct err *e)
{
	_cleanup_(elf_close) struct elf_file runtime = ELF_FILE_INIT;
	_cleanup_(elf_close) struct elf_file debug = ELF_FILE_INIT;
	struct symtab_builder b = SYMTAB_BUILDER_INIT;
	const struct elf_file *f = &runtime;

	*out = (struct probe_symbols){ .text = 0 };
	if (!dso_open_runtime(d, &runtime))
		return err_set(e, ENOENT, "no object");
	if (elf_symbols_kind(&runtime) != ELF_SYMBOLS_SYMTAB &&
	    dso_open_debug(d, &runtime, &debug, NULL) &&
	    elf_symbols_kind(&debug) == ELF_SYMBOLS_SYMTAB)
		f = &debug;
	elf_symbols_read(f, elf_symbols_kind(f), &runtime, ELF_SPACE_FILE, &b);
	elf_plt_read(&runtime, &b);
	add_rows(out, &b, nice);
	symtab_builder_release(&b);
	if (elf_symbols_kind(f) != ELF_SYMBOLS_SYMTAB)
		read_mini(&runtime, out, nice);
	finish(out);
	mark_indirect(out, f, &runtime);
	mark_data(out, &runtime);
	return out->v.nr ? 0 : err_set(e, ENOENT, "no symbols");
}

static void find_text(struct probe_symbols *s)
{
	const struct {
		const char *name;
		u64 *value;
	} marks[] = {
		{ "_text", &s->text },       { "_stext", &s->stext },     { "_etext", &s->etext },
		{ "_sinittext", &s->sinit }, { "_einittext", &s->einit },
	};

	VEC_FOR(&s->v, sym)
		for (size_t i = 0; i < ARRAY_SIZE(marks) && *sym->name == '_'; i++)
			if (!strcmp(sym->name, marks[i].name))
				*marks[i].value = sym->address;
}

int probe_symbols_of_vmlinux(const char *path, bool nice, struct probe_symbols *out, struct err *e)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct symtab_builder b = SYMTAB_BUILDER_INIT;

	*out = (struct probe_symbols){ .text = 0 };
	if (elf_open(&f, path, e))
		return -1;
	elf_symbols_read(&f, elf_symbols_kind(&f), &f, ELF_SPACE_MEMORY, &b);
	add_rows(out, &b, nice);
	symtab_builder_release(&b);
	finish(out);
	find_text(out);
	return out->v.nr ? 0 : err_set(e, ENOENT, "no symbols");
}

int probe_symbols_of_module(const char *path, bool nice, struct probe_symbols *out, struct err *e)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct symtab_builder b = SYMTAB_BUILDER_INIT;

	*out = (struct probe_symbols){ .text = 0 };
	if (elf_open(&f, path, e))
		return -1;
	elf_symbols_read_module(&f, 0, &b);
	add_rows(out, &b, nice);
	symtab_builder_release(&b);
	finish(out);
	return out->v.nr ? 0 : err_set(e, ENOENT, "no symbols");
}

int probe_symbols_of_kernel(const char *kallsyms, const char *module, bool nice,
			    struct probe_symbols *out, struct err *e)
{
	struct kallsyms k = { 0 };

	*out = (struct probe_symbols){ .text = 0 };
	if (kallsyms_read(&k, kallsyms, true, e))
		return -1;
	if (k.all_zero) {
		kallsyms_release(&k);
		return err_set(e, EPERM, "the addresses in '%s' are hidden", kallsyms);
	}
	VEC_FOR(&k.parts, part) {
		if (strcmp(part->module, module ? module : ""))
			continue;
		kallsyms_lend_names(&k, part);
		add_rows(out, &part->rows, nice);
	}
	kallsyms_release(&k);
	finish(out);
	find_text(out);
	return out->v.nr ? 0 : err_set(e, ENOENT, "no symbols");
}

void probe_symbols_release(struct probe_symbols *s)
{
	vec_free(&s->v);
	arena_release(&s->arena);
}

static bool is_named(const char *name, const char *pattern, bool is_pattern)
{
	const char *version;

	if (is_pattern ? probe_match(pattern, name) : !strcmp(pattern, name))
		return true;
	/* (there are a hundred thousand names, and few with an '@') */
	version = strchr(name, '@');
	if (version && strstr(version, "@@"))
		version = strstr(version, "@@");
	else if (version)
		version = strstr(version, plt_mark);
	if (!version || version == name)
		return false;

	_cleanup_(mem_freep) char *plain = xstrndup(name, (size_t)(version - name));

	return is_pattern ? probe_match(pattern, plain) : !strcmp(pattern, plain);
}

bool probe_symbol_is(const struct probe_symbol *s, const char *pattern, bool is_pattern)
{
	return is_named(s->name, pattern, is_pattern) ||
	       (s->shown != s->name && is_named(s->shown, pattern, is_pattern));
}

const struct probe_symbol *probe_symbols_at(const struct probe_symbols *s, u64 address)
{
	enum { LOOK_BACK = 64 };
	const struct probe_symbol *best = NULL;
	size_t behind = first_behind(s, address);

	/* the nearest start in front of it, by the first of its names that is a function's */
	for (size_t i = behind; i-- > 0 && (best || behind - i <= LOOK_BACK);) {
		const struct probe_symbol *sym = &s->v.v[i];

		if (best && sym->address != best->address)
			break;
		if (!sym->data && address - sym->address < MAX(sym->size, 1U))
			best = sym;
	}
	return best;
}
