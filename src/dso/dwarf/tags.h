/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_tags: what entries of debug information may contain, by their tags. Source: DWARF 5,
 * chapter 3.
 */
#ifndef DSO_DWARF_TAGS_H
#define DSO_DWARF_TAGS_H

#include "base/types.h"
#include "dso/dwarf/forms.h"

/* A part of a function with variables of its own. */
static inline bool dwarf_is_block(u16 tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Whether functions, or parts of one, may stand below an entry. */
static inline bool dwarf_holds_code(u16 tag)
{
	switch (tag) {
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_skeleton_unit:
	case DW_TAG_subprogram:
	case DW_TAG_with_stmt:
	case DW_TAG_entry_point:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return true;
	default:
		return dwarf_is_block(tag);
	}
}

#endif
