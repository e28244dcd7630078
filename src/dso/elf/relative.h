/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elf_relative: what the dynamic linker puts into an object by entries with addends (SHT_RELA, 64
 * bits): the bytes in the file may be 0 there. Source: System V gABI, chapter 4.
 */
#ifndef DSO_ELF_RELATIVE_H
#define DSO_ELF_RELATIVE_H

#include "dso/elf/file.h"

/* addr: where, value: the addend, which is what an object that is not moved has there. False:
 * enough. */
typedef bool elf_relative_fn(void *ctx, u64 addr, u64 value);
/* Hands them out in the order of the file; bytes that are in several sections are read as often as
 * the file is large, at most. */
void elf_relative_each(const struct elf_file *f, elf_relative_fn *fn, void *ctx);

#endif
