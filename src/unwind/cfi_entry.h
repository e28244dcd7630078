/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi_entry: the entries of .eh_frame and .debug_frame: CIEs (what functions share) and FDEs (one
 * per function). Everything is checked against the section; nothing is kept. Sources: see cfi.h.
 */
#ifndef UNWIND_CFI_ENTRY_H
#define UNWIND_CFI_ENTRY_H

#include "base/types.h"
#include "dso/dwarf/section.h"

struct cfi_section {
	u8 *data; /* NULL = not there */
	struct dwarf_section
		*pages; /* with the data, read when it is needed; NULL: all of it is there */
	size_t size;
	u64 addr; /* virtual address of its start */
	bool debug; /* .debug_frame */
	bool swap; /* the other byte order */
	u8 word; /* bytes of an address */
};

struct cfi_cie {
	u64 code_align;
	s64 data_align;
	u8 encoding; /* of the addresses in its FDEs */
	u8 word;
	bool signal; /* a signal handler returns here: the caller was interrupted, it did not call
		      */
	bool has_augmentation;
	u64 ra; /* column of the return address */
	const u8 *program, *end;
};

struct cfi_fde {
	struct cfi_cie cie;
	u64 start, len; /* virtual addresses */
	const u8 *program, *end;
};

/* Where an entry is. */
struct cfi_entry {
	u64 offset, next;
	bool is_cie;
	u64 cie; /* FDE: offset of its CIE */
	const u8 *body, *end;
};

/* The entry at an offset, whose bytes are there from then on; false at the end of the section or
 * where it is broken. */
bool cfi_entry_at(const struct cfi_section *s, u64 offset, struct cfi_entry *out);
/* The same with its CIE decoded; false for what is no FDE or does not make sense. */
bool cfi_fde_read(const struct cfi_section *s, const struct cfi_entry *entry, struct cfi_fde *out);
/* Only the addresses, with the CIE already at hand. */
bool cfi_cie_read(const struct cfi_section *s, const struct cfi_entry *entry, struct cfi_cie *out);
bool cfi_fde_range(const struct cfi_section *s, const struct cfi_entry *entry,
		   const struct cfi_cie *cie, struct cfi_fde *out);

#endif
