/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf/symbols.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/find_bytes.h"
#include "base/limits.h"
#include "base/mem.h"

enum {
	SYMBOLS_AT_ONCE = 1024,
	NAMES_AT_ONCE = 1 << 16,
	NAMES_LEFT_IN_FILE = 1 << 14, /* string tables of this size and more stay where they are */
	NAME_FILES_MAX = 256, /* descriptors that may be kept open for that */
};

static const struct elf_section *table_of(const struct elf_file *f, enum elf_symbols_kind kind)
{
	u32 type = kind == ELF_SYMBOLS_SYMTAB ? SHT_SYMTAB : SHT_DYNSYM;
	const struct elf_section *s = elf_section_by_type(f, type);

	/* The first entry of every table is empty. */
	if (kind == ELF_SYMBOLS_NONE || !s || s->size < 2 * elf_symbol_size(f))
		return NULL;
	if (s->link >= f->nr_sections || f->sections[s->link].type != SHT_STRTAB)
		return NULL;
	return s;
}

enum elf_symbols_kind elf_symbols_kind(const struct elf_file *f)
{
	if (table_of(f, ELF_SYMBOLS_SYMTAB))
		return ELF_SYMBOLS_SYMTAB;
	if (table_of(f, ELF_SYMBOLS_DYNSYM))
		return ELF_SYMBOLS_DYNSYM;
	return ELF_SYMBOLS_NONE;
}

static char binding_of(const struct elf_symbol *sym)
{
	switch (ELF64_ST_BIND(sym->info)) {
	case STB_LOCAL:
		return 'l';
	case STB_WEAK:
		return 'w';
	default:
		return 'g';
	}
}

/* Whose compilers put marks into symbol tables. */
static bool is_marked(u16 machine)
{
	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV;
}

/* $a, $d, $t, $x and $x.foo: marks of Arm, AArch64 and RISC-V compilers, not functions. */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	if (name[0] != '$' || !is_marked(machine))
		return false;
	return (name[1] == 'a' || name[1] == 'd' || name[1] == 't' || name[1] == 'x') &&
	       (name[2] == '\0' || name[2] == '.' || machine == EM_RISCV);
}

static bool is_wanted(const struct elf_file *f, const struct elf_symbol *sym, const char *name)
{
	unsigned int type = ELF64_ST_TYPE(sym->info);
	const char *section;

	if (!name[0] || sym->shndx == SHN_UNDEF || sym->shndx >= f->nr_sections)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	/* Labels of assembly code and data. */
	if (type != STT_NOTYPE)
		return false;
	if (ELF64_ST_VISIBILITY(sym->other) == STV_HIDDEN ||
	    ELF64_ST_VISIBILITY(sym->other) == STV_INTERNAL)
		return false;
	section = f->sections[sym->shndx].name;
	return (strstr(section, "text") || strstr(section, "data")) &&
	       !is_mapping_symbol(f->machine, name);
}

/*
 * File offset of an address, by the program headers of the mapped file. Where only a file with
 * debug information is at hand, its segments hold nothing and their offsets mean nothing; then the
 * layout of ordinary linkers is assumed, in which offsets and addresses run in parallel.
 */
static u64 find_in_file(const struct elf_file *runtime, u64 addr)
{
	u64 base = UINT64_MAX;

	for (u32 i = 0; i < runtime->nr_segments; i++) {
		const struct elf_segment *s = &runtime->segments[i];

		if (s->type != PT_LOAD)
			continue;
		base = MIN(base, s->vaddr - MIN(s->vaddr, s->offset));
		if (addr < s->vaddr || addr - s->vaddr >= s->memsz)
			continue;
		if (s->filesz || !(s->flags & PF_X))
			return addr - s->vaddr + s->offset;
		return addr - MIN(base, addr);
	}
	return addr;
}

/* What a table is read for. */
struct symbols_reading {
	const struct elf_file *f, *runtime;
	const struct elf_segment *last; /* of the symbol before; NULL = none */
	enum elf_symbols_space space;
	u64 base; /* added to addresses */
	u32 section; /* only symbols of this section, 0 = all */
	struct symtab_builder *b;
};

/* Most symbols are in the segment that the one before is in. */
static u64 to_file(struct symbols_reading *r, u64 addr)
{
	const struct elf_segment *s = r->last;

	if (s && addr - s->vaddr < s->memsz)
		return addr - s->vaddr + s->offset;
	r->last = NULL;
	for (u32 i = 0; i < r->runtime->nr_segments; i++) {
		s = &r->runtime->segments[i];
		if (s->type != PT_LOAD || addr < s->vaddr || addr - s->vaddr >= s->memsz)
			continue;
		if (s->filesz || !(s->flags & PF_X))
			r->last = s;
		break;
	}
	return find_in_file(r->runtime, addr);
}

static void add_symbol(struct symbols_reading *r, const struct elf_symbol *sym, u32 name)
{
	u64 value = sym->value;
	u64 start;

	if (r->section && sym->shndx != r->section)
		return;
	if (r->f->machine == EM_ARM && ELF64_ST_TYPE(sym->info) == STT_FUNC)
		value &= ~1ULL; /* Thumb code */
	start = (r->space == ELF_SPACE_FILE ? to_file(r, value) : value) + r->base;
	*VEC_PUSH(&r->b->rows) = (struct sym_row){
		.start = start,
		.end = start + sym->size >= start ? start + sym->size : UINT64_MAX,
		.name = name,
		.binding = binding_of(sym),
		.data = ELF64_ST_TYPE(sym->info) == STT_OBJECT,
	};
}

/*
 * Puts the string table behind the names that are there; its offset among them, or false when there
 * is no room. The first table is taken over without a copy.
 */
static bool take_names(struct symtab_builder *b, char *names, u64 size, u32 *base)
{
	if (b->file.size + b->names.len + size >= SYM_PLT_NAMES - 1) {
		free(names);
		return false;
	}
	*base = (u32)b->names.len;
	if (b->names.len) {
		strbuf_add(&b->names, names, size + 1);
		free(names);
	} else {
		strbuf_release(&b->names);
		b->names = (struct strbuf){ .buf = names, .len = size, .cap = size + 1 };
	}
	return true;
}

bool elf_symbols_leave_names(const struct elf_file *f, const struct elf_section *s,
			     struct sym_name_file *out)
{
	int fd;

	if (f->mem || !s->size || s->size >= UINT32_MAX - SYM_PLT_NAMES)
		return false;
	fd = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= NAME_FILES_MAX) {
		close(fd);
		return false;
	}
	if (fd < 0)
		return false;
	*out = (struct sym_name_file){ .fd = fd, .offset = s->offset, .size = (u32)s->size };
	return true;
}

/*
 * Leaves a large string table in the file. Not where a file with many names of its own kind stands
 * before this one, nor where names tell which symbols are wanted, nor for too many files at once.
 */
static bool leave_names(const struct symbols_reading *r, const struct elf_section *s)
{
	struct symtab_builder *b = r->b;

	if (r->space != ELF_SPACE_FILE || b->names.len || b->file.size ||
	    s->size < NAMES_LEFT_IN_FILE || is_marked(r->f->machine))
		return false;
	return elf_symbols_leave_names(r->f, s, &b->file);
}

/* A name that is longer than any is cut. */
static void cut_names(char *names, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t len = strnlen(names + at, MIN(size - at, (size_t)LIMIT_SYMBOL_NAME));

		at += len;
		if (at < size)
			names[at++] = '\0';
	}
}

static void read_table(struct symbols_reading *r, enum elf_symbols_kind kind)
{
	const struct elf_file *f = r->f;
	const struct elf_section *table = table_of(f, kind);
	const struct elf_section *strings;
	size_t entsize = elf_symbol_size(f);
	u8 piece[SYMBOLS_AT_ONCE * sizeof(Elf64_Sym)];
	const char *names = NULL; /* NULL: left in the file */
	u32 base = 0;
	u64 nr;

	if (!table)
		return;
	strings = &f->sections[table->link];
	if (!elf_section_present(f, table) || !elf_section_present(f, strings))
		return;
	if (!leave_names(r, strings)) {
		/* With a NUL behind the last string. */
		char *data = elf_section_data(f, strings);

		if (data)
			cut_names(data, strings->size);
		if (!data || !take_names(r->b, data, strings->size, &base))
			return;
		names = r->b->names.buf + base;
		base += r->b->file.size ? r->b->file.size + 1 : 0;
	}
	nr = MIN(table->size / entsize, LIMIT_SYMBOLS);
	/* At once: memory that is not used after all is never touched. */
	VEC_GROW(&r->b->rows, nr);
	for (u64 from = 0; from < nr; from += SYMBOLS_AT_ONCE) {
		u64 n = MIN(nr - from, SYMBOLS_AT_ONCE);

		if (!elf_read(f, table->offset + from * entsize, piece, n * entsize))
			return;
		for (u64 i = from ? 0 : 1; i < n; i++) {
			struct elf_symbol sym;

			elf_symbol_decode(f, piece + i * entsize, &sym);
			if (sym.name < strings->size && is_wanted(f, &sym,
								  names      ? names + sym.name
								  : sym.name ? "?"
									     : ""))
				add_symbol(r, &sym, base + sym.name);
		}
	}
}

void elf_symbols_read(const struct elf_file *f, enum elf_symbols_kind kind,
		      const struct elf_file *runtime, enum elf_symbols_space space,
		      struct symtab_builder *b)
{
	struct symbols_reading r = { .f = f, .runtime = runtime, .space = space, .b = b };

	read_table(&r, kind);
}

void elf_symbols_read_module(const struct elf_file *f, u64 base, struct symtab_builder *b)
{
	const struct elf_section *text = elf_section_by_name(f, ".text");
	struct symbols_reading r = { .f = f, .space = ELF_SPACE_MEMORY, .base = base, .b = b };

	if (!text || f->type != ET_REL)
		return;
	r.section = (u32)(text - f->sections);
	read_table(&r, ELF_SYMBOLS_SYMTAB);
}

/*
 * Whether a name ends behind the text at `at` (linkers let one end where a longer one does), or the
 * text stands behind its length, as in a mangled one; what is not in the piece may be either.
 */
static bool may_be_name(const char *piece, size_t n, const char *at, size_t len)
{
	char behind = at + len < piece + n ? at[len] : '\0';

	return at == piece || isdigit((u8)at[-1]) || !(isalnum((u8)behind) || behind == '_');
}

static bool piece_may_have(const char *piece, size_t n, const char *name, size_t len)
{
	const char *at = piece, *end = piece + n;

	while ((at = find_bytes(at, (size_t)(end - at), name, len)) != NULL) {
		if (may_be_name(piece, n, at, len))
			return true;
		at++;
	}
	return false;
}

bool elf_symbols_may_have(const struct elf_file *f, enum elf_symbols_kind kind, const char *name)
{
	const struct elf_section *table = table_of(f, kind);
	const struct elf_section *strings = table ? &f->sections[table->link] : NULL;
	size_t len = strlen(name);
	_cleanup_(mem_freep) char *piece = NULL;

	if (!table || !elf_section_present(f, strings) || !len || len >= NAMES_AT_ONCE)
		return true;
	piece = xmalloc(NAMES_AT_ONCE);
	for (u64 from = 0; from < strings->size;) {
		size_t n = (size_t)MIN(strings->size - from, (u64)NAMES_AT_ONCE);

		if (!elf_read(f, strings->offset + from, piece, n) ||
		    piece_may_have(piece, n, name, len))
			return true;
		/* (a name may lie in two pieces) */
		from += from + n < strings->size ? n - (len - 1) : n;
	}
	return false;
}
