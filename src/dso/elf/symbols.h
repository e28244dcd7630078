/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_symbols: symbols of an ELF file as builder rows.
 */
#ifndef DSO_ELF_SYMBOLS_H
#define DSO_ELF_SYMBOLS_H

#include "dso/elf/file.h"
#include "dso/symbols/symtab.h"

enum elf_symbols_kind {
	ELF_SYMBOLS_NONE,
	ELF_SYMBOLS_DYNSYM,
	ELF_SYMBOLS_SYMTAB,
};

/* The better of the tables that the file really holds. */
enum elf_symbols_kind elf_symbols_kind(const struct elf_file *f);

enum elf_symbols_space {
	ELF_SPACE_FILE, /* addresses become file offsets (user objects) */
	ELF_SPACE_MEMORY, /* addresses stay (vmlinux) */
};

/*
 * Append the symbols of table `kind` of f to b. runtime: the file that was mapped, whose program
 * headers turn addresses into file offsets; f itself when it is that one or the other is not at
 * hand.
 */
void elf_symbols_read(const struct elf_file *f, enum elf_symbols_kind kind,
		      const struct elf_file *runtime, enum elf_symbols_space space,
		      struct symtab_builder *b);

/*
 * The same for a kernel module (a relocatable file): the symbols of its .text, which was loaded to
 * address base. Where the other sections went is not known.
 */
void elf_symbols_read_module(const struct elf_file *f, u64 base, struct symtab_builder *b);

/*
 * False: no symbol of the table can be called so, be its name as it is or mangled, since the text
 * is nowhere among the table's names. For names of letters, digits and '_' alone.
 */
bool elf_symbols_may_have(const struct elf_file *f, enum elf_symbols_kind kind, const char *name);

/*
 * A descriptor of the string table for reading names later, which is the caller's to close; false
 * where there are too many, or the file is in memory.
 */
bool elf_symbols_leave_names(const struct elf_file *f, const struct elf_section *s,
			     struct sym_name_file *out);

#endif
