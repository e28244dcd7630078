/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_forms: values of attributes (DWARF 5 section 7.5.6) and what they refer to.
 */
#ifndef DSO_DWARF_FORMS_H
#define DSO_DWARF_FORMS_H

#include "dso/dwarf.h"

enum dwarf_class {
	DWARF_NOTHING,   /* read over, of no use here */
	DWARF_ADDRESS,
	DWARF_ADDRESS_INDEX, /* into .debug_addr */
	DWARF_CONSTANT,
	DWARF_STRING,
	DWARF_STRING_INDEX,  /* into .debug_str_offsets */
	DWARF_REFERENCE,     /* offset in .debug_info */
	DWARF_REFERENCE_ALT, /* the same in the file of dwz */
	DWARF_OFFSET,        /* into another section */
	DWARF_LIST_INDEX,    /* of a range list */
};

struct dwarf_value {
	enum dwarf_class class;
	u64 v;
	const char *s;
};

/* Read a value and move behind it; false for an unknown form. */
bool dwarf_form_read(const struct dwarf *d, const struct dwarf_unit *u, struct dwarf_reader *r,
		     u16 form, s64 implicit, struct dwarf_value *out);
/* Bytes that a value of that form takes in this unit; DWARF_SIZE_VARIES. */
u16 dwarf_form_size(const struct dwarf_unit *u, u16 form);
/* Entry i of the unit's part of .debug_addr; false: not there. */
bool dwarf_address(const struct dwarf *d, const struct dwarf_unit *u, u64 i, u64 *addr);
/* String i of the unit's part of .debug_str_offsets. */
const char *dwarf_indexed_string(const struct dwarf *d, const struct dwarf_unit *u, u64 i);

#endif
