/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/elf_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

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

/* $a, $d, $t, $x and $x.foo: marks of Arm, AArch64 and RISC-V compilers, not functions. */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	if (name[0] != '$' || (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV))
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

/* Adds the difference between file offsets and addresses of the segment that holds the address. */
static u64 to_file(const struct elf_file *runtime, u64 addr)
{
	u64 offset;

	return elf_file_offset(runtime, addr, &offset) ? offset : addr;
}

void elf_symbols_read(const struct elf_file *f, enum elf_symbols_kind kind,
		      const struct elf_file *runtime, enum elf_symbols_space space,
		      struct symtab_builder *b)
{
	const struct elf_section *table = table_of(f, kind);
	_cleanup_(mem_freep) u8 *syms = NULL;
	char *names;
	size_t entsize = elf_symbol_size(f);
	u64 names_size;
	u64 nr;

	if (!table)
		return;
	names_size = f->sections[table->link].size;
	syms = elf_section_data(f, table);
	names = elf_section_data(f, &f->sections[table->link]);
	if (!syms || !names) {
		free(names);
		return;
	}
	/* elf_section_data() put a NUL behind the last string. */
	strbuf_release(&b->names);
	b->names = (struct strbuf){ .buf = names, .len = names_size, .cap = names_size + 1 };
	nr = MIN(table->size / entsize, LIMIT_SYMBOLS);
	for (u64 i = 1; i < nr; i++) {
		struct elf_symbol sym;
		u64 start;

		elf_symbol_decode(f, syms + i * entsize, &sym);
		if (sym.name >= names_size || !is_wanted(f, &sym, names + sym.name))
			continue;
		if (f->machine == EM_ARM && ELF64_ST_TYPE(sym.info) == STT_FUNC)
			sym.value &= ~1ULL; /* Thumb code */
		start = space == ELF_SPACE_FILE ? to_file(runtime, sym.value) : sym.value;
		*VEC_PUSH(&b->rows) = (struct sym_row){
			.start = start,
			.end = start + sym.size >= start ? start + sym.size : start,
			.name = sym.name,
			.binding = binding_of(&sym),
		};
	}
}
