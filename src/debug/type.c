/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of variables: what they are behind their names, their sizes and members, and how they are
 * written.
 */
#include <string.h>

#include "base/fmt.h"
#include "debug/debug.h"

enum { NEST_MAX = 8, MEMBERS_MAX = 1 << 16 };
enum { OP_PLUS_UCONST = 0x23 };

static bool is_qualifier(u16 tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Where all that is here is which type unit has it. */
static void define(struct dwarf_entry *type)
{
	struct dwarf_entry full;

	if (type->type.class == DWARF_SIGNATURE && dwarf_entry_follow(type, &type->type, &full))
		*type = full;
}

bool debug_type_strip(struct dwarf_entry *type)
{
	for (int hop = 0; hop < DWARF_HOPS; hop++) {
		if (type->die.tag != DW_TAG_typedef && !is_qualifier(type->die.tag)) {
			define(type);
			return true;
		}
		if (!dwarf_entry_follow(type, &type->type, type))
			return false;
	}
	return false;
}

bool debug_type_resolve(const struct dwarf_entry *e, struct dwarf_entry *out)
{
	return dwarf_entry_type(e, out) && debug_type_strip(out);
}

/* Elements of an array in all dimensions from one on; false: unknown. */
static bool count_elements(const struct dwarf_entry *array, u32 from, u64 *nr)
{
	struct dwarf_entry e;
	struct dwarf_walk w;
	u32 dimension = 0;

	*nr = 1;
	dwarf_walk_begin(&w, array);
	for (int i = 0; i < NEST_MAX && dwarf_walk_next(&w, false, &e); i++) {
		u64 n;

		if (e.die.tag != DW_TAG_subrange_type || dimension++ < from)
			continue;
		if (e.count.class == DWARF_CONSTANT)
			n = e.count.v;
		else if (e.upper_bound.class == DWARF_CONSTANT)
			n = e.upper_bound.v + 1;
		else
			return false;
		if (n && *nr > UINT64_MAX / n)
			return false;
		*nr *= n;
	}
	return true;
}

u32 debug_type_dimensions(const struct dwarf_entry *array)
{
	struct dwarf_entry e;
	struct dwarf_walk w;
	u32 nr = 0;

	dwarf_walk_begin(&w, array);
	for (int i = 0; i < NEST_MAX && dwarf_walk_next(&w, false, &e); i++)
		nr += e.die.tag == DW_TAG_subrange_type;
	return nr;
}

bool debug_type_element_size(const struct dwarf_entry *array, u32 used, u64 *size)
{
	struct dwarf_entry element;
	u64 one, nr;

	if (!debug_type_resolve(array, &element) || !debug_type_size(&element, &one) ||
	    !count_elements(array, used, &nr) || (nr && one > UINT64_MAX / nr))
		return false;
	*size = one * nr;
	return true;
}

/* Arrays of arrays: bounded by hand. */
static bool size_of(const struct dwarf_entry *type, int nest, u64 *size)
{
	struct dwarf_entry element;
	u64 one, nr;

	if (type->byte_size.class == DWARF_CONSTANT) {
		*size = type->byte_size.v;
		return true;
	}
	if (debug_type_is_pointer(type->die.tag)) {
		*size = type->u->addr_size;
		return true;
	}
	if (type->die.tag == DW_TAG_enumeration_type && debug_type_resolve(type, &element) && nest)
		return size_of(&element, nest - 1, size);
	if (type->die.tag != DW_TAG_array_type || !nest || !debug_type_resolve(type, &element) ||
	    !size_of(&element, nest - 1, &one) || !count_elements(type, 0, &nr) ||
	    (nr && one > UINT64_MAX / nr))
		return false;
	*size = one * nr;
	return true;
}

bool debug_type_size(const struct dwarf_entry *type, u64 *size)
{
	return size_of(type, NEST_MAX, size);
}

/* ---- members ---- */

bool debug_member_place(const struct dwarf_entry *m, u64 *at)
{
	struct dwarf_reader r = { .swap = m->d->swap };

	*at = 0;
	switch (m->member_at.class) {
	case DWARF_NOTHING: /* of a union; or a bit field that counts bits alone */
		return true;
	case DWARF_CONSTANT:
		*at = m->member_at.v;
		return true;
	case DWARF_BLOCK: /* DWARF 2: to be added to the address */
		r.p = (const u8 *)m->member_at.s;
		r.end = r.p + m->member_at.v;
		if (dwarf_bytes(&r, 1) != OP_PLUS_UCONST)
			return false;
		*at = dwarf_uleb(&r);
		return !r.bad && r.p == r.end;
	default:
		return false;
	}
}

/* Unnamed members may lead back to what they are in, many times each: *left bounds the whole
 * search. */
static bool find_member(const struct dwarf_entry *type, const char *name, int nest, u32 *left,
			struct dwarf_entry *out, u64 *at)
{
	struct dwarf_entry m, inner;
	struct dwarf_walk w;
	u64 base;

	if (!debug_type_is_record(type->die.tag))
		return false;
	dwarf_walk_begin(&w, type);
	while (*left && dwarf_walk_next(&w, false, &m)) {
		const char *own = m.die.tag == DW_TAG_member ? dwarf_entry_name(&m) : NULL;

		--*left;
		if ((m.die.tag != DW_TAG_member && m.die.tag != DW_TAG_inheritance) ||
		    !debug_member_place(&m, &base))
			continue;
		if (own && strcmp(own, name) == 0) {
			*out = m;
			*at = base;
			return true;
		}
		if (own || !nest || !debug_type_resolve(&m, &inner))
			continue;
		if (find_member(&inner, name, nest - 1, left, out, at)) {
			*at += base;
			return true;
		}
	}
	return false;
}

bool debug_type_member(const struct dwarf_entry *type, const char *name, struct dwarf_entry *out,
		       u64 *at)
{
	u32 left = MEMBERS_MAX;

	return find_member(type, name, NEST_MAX, &left, out, at);
}

/* ---- names ---- */

static const char *prefix_of(u16 tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return "";
	}
}

/* What stands behind the name: pointers, references, arrays; inner ones first. */
static const char *suffix_of(u16 tag, enum debug_type_style style)
{
	switch (tag) {
	case DW_TAG_pointer_type:
		return "*";
	case DW_TAG_array_type:
		return style == DEBUG_TYPE_PERF ? "*" : "[]";
	case DW_TAG_reference_type:
		return "&";
	case DW_TAG_rvalue_reference_type:
		return "&&";
	default:
		return NULL;
	}
}

/* Past qualifiers, which are not shown; names of types are. */
static bool skip_qualifiers(struct dwarf_entry *type)
{
	for (int hop = 0; hop < DWARF_HOPS && is_qualifier(type->die.tag); hop++)
		if (!dwarf_entry_follow(type, &type->type, type))
			return false;
	return true;
}

static void add_name(const struct dwarf_entry *type, enum debug_type_style style,
		     struct strbuf *out)
{
	const char *name;
	struct dwarf_entry full = *type;

	if (type->die.tag == DW_TAG_subroutine_type) {
		strbuf_adds(out, style == DEBUG_TYPE_PERF ? "(function_type)" : "(function)");
		return;
	}
	define(&full);
	name = dwarf_entry_name(&full);
	strbuf_addf(out, "%s%s", prefix_of(full.die.tag), name ? name : "");
}

void debug_type_name(const struct dwarf_entry *type, enum debug_type_style style,
		     struct strbuf *out)
{
	const char *suffixes[DWARF_HOPS];
	struct dwarf_entry at;
	size_t nr = 0;
	bool known = type != NULL;

	if (known) {
		at = *type;
		known = skip_qualifiers(&at);
	}
	while (known && nr < DWARF_HOPS && suffix_of(at.die.tag, style)) {
		suffixes[nr++] = suffix_of(at.die.tag, style);
		known = dwarf_entry_type(&at, &at) && skip_qualifiers(&at);
	}
	if (known) {
		add_name(&at, style, out);
	} else if (style == DEBUG_TYPE_PERF) {
		strbuf_adds(out, "(unknown_type)");
		/* perf leaves the last "*" out of a pointer to void. */
		nr = nr ? nr - 1 : 0;
	} else {
		strbuf_adds(out, "void");
	}
	while (nr)
		strbuf_adds(out, suffixes[--nr]);
}
