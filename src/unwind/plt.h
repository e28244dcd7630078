/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plt: entries of the procedure linkage table that have no call frame information. GNU ld writes
 * some for dynamic programs, but none for static ones (calls of IFUNCs); lld and arm64's linkers
 * never do. An entry jumps on with the stack as it found it; only the lazy form pushes what it is
 * called for, and the table's head one word more.
 *
 * Sources: System V ABI, AMD64 supplement, section "Procedure Linkage Table", and its form for
 * indirect branch tracking. Constant once it is read: any number of threads.
 */
#ifndef UNWIND_PLT_H
#define UNWIND_PLT_H

#include "dso/elf/file.h"
#include "unwind/cfi.h"

enum { PLT_SECTIONS = 4 };

struct plt_section {
	u64 start, end; /* virtual addresses */
	bool lazy; /* with a head; entries push a number */
	u8 pushed; /* offset in an entry (PLT_ENTRY bytes) behind that push */
};

struct plt {
	u16 machine; /* ELF's */
	u32 nr;
	struct plt_section sections[PLT_SECTIONS];
};

/* runtime: the object as it is mapped. */
void plt_read(struct plt *p, const struct elf_file *runtime);
/* The rule of a virtual address; NULL: it is in no such table, or of another machine. */
const struct cfi_rule *plt_find(const struct plt *p, u64 addr);

#endif
