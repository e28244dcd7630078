/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_forms: values of attributes (DWARF 5 section 7.5.6) and what they refer to.
 */
#ifndef DSO_DWARF_FORMS_H
#define DSO_DWARF_FORMS_H

#include "dso/dwarf/dwarf.h"

/* Read a value and move behind it; false for an unknown form. */
bool dwarf_form_read(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_reader *r, u16 form,
		     s64 implicit, struct dwarf_value *out);
/* Bytes that a value of that form takes in this unit; DWARF_SIZE_VARIES. */
u16 dwarf_form_size(const struct dwarf_unit *u, u16 form);
/* Entry i of the unit's part of .debug_addr; false: not there. */
bool dwarf_address(struct dwarf *d, const struct dwarf_unit *u, u64 i, u64 *addr);
/* The string of a value; NULL: it is none, or not there. */
const char *dwarf_value_string(struct dwarf *d, const struct dwarf_unit *u,
			       const struct dwarf_value *v);
/* The same, kept by an object (dwarf_keep()). */
const char *dwarf_keep_value(struct dwarf *keeper, struct dwarf *d, const struct dwarf_unit *u,
			     const struct dwarf_value *v);

#endif
