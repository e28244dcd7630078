/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units: units of debug information and what is kept of them; for the files of this folder.
 */
#ifndef DSO_DWARF_UNITS_H
#define DSO_DWARF_UNITS_H

#include "dso/dwarf/dwarf.h"

enum { DWARF_RANGES_MAX = 1 << 24 };

/* How many of the known units do not begin behind an offset. */
size_t dwarf_units_up_to(const struct dwarf *d, u64 offset);
/* The unit with its header at an offset; NULL: there is none. */
struct dwarf_unit *dwarf_unit_header(struct dwarf *d, u64 offset);
/* Reads the headers of all units. */
void dwarf_find_units(struct dwarf *d);
/* Whether dwarf_unit_prepare() has been called and nothing of it was dropped. */
static inline bool dwarf_unit_is_ready(const struct dwarf_unit *u)
{
	return u->prepared && u->abbrevs && !u->broken;
}

/* The abbreviations that another unit has read; false: none has these. */
bool dwarf_share_abbrevs(struct dwarf *d, struct dwarf_unit *u);
/* A unit's from now on, and others'. */
void dwarf_keep_abbrevs(struct dwarf *d, struct dwarf_unit *u, struct dwarf_abbrevs *t);
void dwarf_abbrevs_free(struct dwarf_abbrevs *t);
/* They are read again when they are needed. */
void dwarf_forget_abbrevs(struct dwarf *d, struct dwarf_unit *u);
/* dwarf.c: the same of all of a unit's tables. */
void dwarf_forget_tables(struct dwarf *d, struct dwarf_unit *u);
/* A unit's tables became larger. */
void dwarf_count_tables(struct dwarf *d, struct dwarf_unit *u, size_t bytes);
/* Forgets pages of the sections, if there are many. */
void dwarf_trim_pages(struct dwarf *d);

/* inline.c: the inlined functions of a unit; its entries are those of full, in full_d. */
struct dwarf_inlines *dwarf_inlines_new(struct dwarf *d, struct dwarf_unit *u, struct dwarf *full_d,
					struct dwarf_unit *full);
void dwarf_inlines_free(struct dwarf_inlines *l);
/* As dwarf_inline_find(). */
size_t dwarf_inlines_find(struct dwarf_inlines *l, u64 addr, const struct dwarf_inline **out,
			  size_t max);

#endif
