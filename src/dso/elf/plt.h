/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_plt: names for the entries of procedure linkage tables (.plt, .plt.sec, .plt.got, .iplt),
 * which have no symbols of their own: "malloc@plt".
 *
 * On x86 the jump of every entry is decoded: the slot of the global offset table that it reads is
 * looked up among the relocations. This holds for every linker, order and kind of table. Elsewhere
 * the n-th entry belongs to the n-th relocation by slot address. Sources: psABI supplements of
 * x86-64, i386, AArch64, Arm, RISC-V, s390x.
 */
#ifndef DSO_ELF_PLT_H
#define DSO_ELF_PLT_H

#include "dso/elf/file.h"
#include "dso/symbols/symtab.h"

/*
 * Append symbols for the tables of f, the mapped file, to b; addresses as file offsets. b holds the
 * other symbols already: they name the targets of entries without a symbol (IFUNC).
 */
void elf_plt_read(const struct elf_file *f, struct symtab_builder *b);

/*
 * Slots of the global offset table, which hold the address of a symbol. The relocation that fills a
 * slot proves whose it is; none is guessed from the order of a table.
 */
struct elf_got;

struct elf_got *elf_got_new(void);
void elf_got_free(struct elf_got *g);
/*
 * Appends the symbol of the slot at an address of f, always the same file, whose relocations the
 * first call reads: "memcpy@GLIBC_2.14", as objdump calls it. False: no slot of a symbol is there.
 */
bool elf_got_name(struct elf_got *g, const struct elf_file *f, u64 addr, struct strbuf *out);

#endif
