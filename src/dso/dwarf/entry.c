/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/entry.h"

#include "dso/dwarf/forms.h"

enum {
	AT_LOCATION = 0x02,
	AT_NAME = 0x03,
	AT_BYTE_SIZE = 0x0b,
	AT_BIT_OFFSET = 0x0c,
	AT_BIT_SIZE = 0x0d,
	AT_CONST_VALUE = 0x1c,
	AT_INLINE = 0x20,
	AT_PRODUCER = 0x25,
	AT_UPPER_BOUND = 0x2f,
	AT_ARTIFICIAL = 0x34,
	AT_COUNT = 0x37,
	AT_DATA_MEMBER_LOCATION = 0x38,
	AT_DECL_FILE = 0x3a,
	AT_DECL_LINE = 0x3b,
	AT_DECLARATION = 0x3c,
	AT_ENCODING = 0x3e,
	AT_EXTERNAL = 0x3f,
	AT_FRAME_BASE = 0x40,
	AT_TYPE = 0x49,
	AT_ENTRY_PC = 0x52,
	AT_SIGNATURE = 0x69,
	AT_DATA_BIT_OFFSET = 0x6b,
};

/* DW_INL_inlined and DW_INL_declared_inlined; 2 alone says that it was not inlined. */
enum { INL_INLINED = 1, INL_DECLARED_INLINED = 3 };

static void take_number(u16 name, u64 v, struct dwarf_entry *out)
{
	switch (name) {
	case AT_DECL_FILE:
		out->decl_file = (u32)v;
		break;
	case AT_DECL_LINE:
		out->decl_line = (u32)v;
		break;
	case AT_ENCODING:
		out->encoding = (u8)v;
		break;
	case AT_INLINE:
		out->is_inline = v == INL_INLINED || v == INL_DECLARED_INLINED;
		break;
	case AT_EXTERNAL:
		out->external = v != 0;
		break;
	case AT_DECLARATION:
		out->declaration = v != 0;
		break;
	case AT_ARTIFICIAL:
		out->artificial = v != 0;
		break;
	default:
		break;
	}
}

static void take(void *ctx, u16 name, const struct dwarf_value *v)
{
	struct dwarf_entry *out = ctx;
	struct {
		u16 name;
		struct dwarf_value *to;
	} values[] = {
		{ AT_TYPE, &out->type },
		{ AT_LOCATION, &out->location },
		{ AT_FRAME_BASE, &out->frame_base },
		{ AT_ENTRY_PC, &out->entry_pc },
		{ AT_CONST_VALUE, &out->const_value },
		{ AT_BYTE_SIZE, &out->byte_size },
		{ AT_BIT_SIZE, &out->bit_size },
		{ AT_BIT_OFFSET, &out->bit_offset },
		{ AT_DATA_BIT_OFFSET, &out->data_bit_offset },
		{ AT_DATA_MEMBER_LOCATION, &out->member_at },
		{ AT_UPPER_BOUND, &out->upper_bound },
		{ AT_COUNT, &out->count },
		{ AT_PRODUCER, &out->producer },
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		if (values[i].name == name)
			*values[i].to = *v;
	/* A declaration whose definition is in a type unit. */
	if (name == AT_SIGNATURE && v->class == DWARF_SIGNATURE && !out->type.class)
		out->type = *v;
	take_number(name, v->v, out);
}

bool dwarf_entry_at(struct dwarf *d, struct dwarf_unit *u, u64 offset, struct dwarf_entry *out)
{
	struct dwarf_section *s = &d->sections[DWARF_INFO];
	struct dwarf_reader r;

	*out = (struct dwarf_entry){ .d = d, .u = u, .offset = offset, .decl_d = d, .decl_u = u };
	if (offset < u->dies || offset >= u->end)
		return false;
	r = dwarf_entries(d, u, offset, 0);
	if (!dwarf_die_attributes(d, u, &r, &out->die, take, out))
		return false;
	out->next = (u64)(r.p - s->data);
	return out->die.tag != 0;
}

bool dwarf_entry_root(struct dwarf *d, struct dwarf_unit *u, struct dwarf_entry *out)
{
	return dwarf_entry_at(d, u, u->dies, out);
}

/* Where a type unit is: in the same file, its section of types, or the other half of a split
 * object. */
static bool find_type(struct dwarf *d, u64 signature, struct dwarf_entry *out)
{
	struct dwarf *places[] = { d, d->types, d->main };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct dwarf_unit *u = places[i] ? dwarf_unit_of_type(places[i], signature) : NULL;

		if (u)
			return dwarf_entry_at(places[i], u, u->type_at, out);
	}
	return false;
}

bool dwarf_entry_follow(const struct dwarf_entry *e, const struct dwarf_value *ref,
			struct dwarf_entry *out)
{
	struct dwarf *d = e->d;
	struct dwarf_unit *u;

	switch (ref->class) {
	case DWARF_SIGNATURE:
		return find_type(d, ref->v, out);
	case DWARF_REFERENCE_ALT:
		d = d->alt;
		break;
	case DWARF_REFERENCE:
		break;
	default:
		return false;
	}
	u = d ? dwarf_unit_at(d, ref->v) : NULL;
	return u && dwarf_entry_at(d, u, ref->v, out);
}

static bool origin_of(const struct dwarf_entry *e, struct dwarf_entry *out)
{
	struct dwarf_value ref = { .class = e->die.origin_in_alt ? DWARF_REFERENCE_ALT
								 : DWARF_REFERENCE,
				   .v = e->die.origin };

	return e->die.has_origin && dwarf_entry_follow(e, &ref, out);
}

bool dwarf_entry_type(const struct dwarf_entry *e, struct dwarf_entry *out)
{
	struct dwarf_entry at = *e;
	struct dwarf_entry next;

	for (int hop = 0; hop < DWARF_HOPS; hop++) {
		if (at.type.class)
			return dwarf_entry_follow(&at, &at.type, out);
		if (!origin_of(&at, &next))
			return false;
		at = next;
	}
	return false;
}

static void complete_from(struct dwarf_entry *e, const struct dwarf_entry *from)
{
	const struct dwarf_entry at = *e;

	if (!at.const_value.class)
		e->const_value = from->const_value;
	if (!at.decl_line) {
		e->decl_line = from->decl_line;
		e->decl_file = from->decl_file;
		e->decl_d = from->decl_d;
		e->decl_u = from->decl_u;
	}
	e->external |= from->external;
	e->artificial |= from->artificial;
	e->is_inline |= from->is_inline;
}

void dwarf_entry_complete(struct dwarf_entry *e)
{
	struct dwarf_entry at = *e;
	struct dwarf_entry next;

	for (int hop = 0; hop < DWARF_HOPS && origin_of(&at, &next); hop++) {
		complete_from(e, &next);
		at = next;
	}
}

static const char *own_name(const struct dwarf_entry *e)
{
	return dwarf_value_string(e->d, e->u, &e->die.name);
}

const char *dwarf_entry_name(const struct dwarf_entry *e)
{
	struct dwarf_entry at = *e;
	struct dwarf_entry next;

	for (int hop = 0; hop < DWARF_HOPS; hop++) {
		const char *name = own_name(&at);

		if (name || !origin_of(&at, &next))
			return name;
		at = next;
	}
	return NULL;
}

struct dwarf_unit *dwarf_lines_unit(struct dwarf *d, struct dwarf_unit *u, struct dwarf **in)
{
	*in = u->skeleton && d->main ? d->main : d;
	return u->skeleton && d->main ? u->skeleton : u;
}

bool dwarf_entry_place(const struct dwarf_entry *e, struct dwarf_place *out)
{
	struct dwarf *d;
	struct dwarf_unit *u = dwarf_lines_unit(e->decl_d, e->decl_u, &d);

	if (!e->decl_line || !dwarf_line_file(d, u, e->decl_file, out))
		return false;
	out->line = e->decl_line;
	return true;
}

/* ---- walking ---- */

void dwarf_walk_begin(struct dwarf_walk *w, const struct dwarf_entry *parent)
{
	*w = (struct dwarf_walk){ .d = parent->d,
				  .u = parent->u,
				  .at = parent->next,
				  .level = parent->die.children ? 1 : 0 };
}

/* Over what is below the last one; false: broken. */
static bool leap(struct dwarf_walk *w)
{
	u32 level = 1;

	if (w->sibling > w->at && w->sibling < w->u->end) {
		w->at = w->sibling;
		return true;
	}
	while (level) {
		struct dwarf_reader r = dwarf_entries(w->d, w->u, w->at, 0);
		struct dwarf_skimmed die;

		if (w->at >= w->u->end || !dwarf_die_skim(w->d, w->u, &r, &die))
			return false;
		w->at = (u64)(r.p - w->d->sections[DWARF_INFO].data);
		if (!die.tag)
			level--;
		else if (die.children && die.sibling > w->at && die.sibling < w->u->end)
			w->at = die.sibling;
		else if (die.children && level++ >= DWARF_WALK_DEPTH)
			return false;
	}
	return true;
}

bool dwarf_walk_next(struct dwarf_walk *w, bool enter, struct dwarf_entry *out)
{
	if (w->children && enter && w->level < DWARF_WALK_DEPTH)
		w->level++;
	else if (w->children && !leap(w))
		return false;
	w->children = false;
	while (w->level) {
		bool fine = w->at < w->u->end && dwarf_entry_at(w->d, w->u, w->at, out);

		if (!fine && (!out->next || out->die.tag))
			return false;
		w->at = out->next;
		if (!fine) {
			w->level--;
			continue;
		}
		w->depth = w->level;
		w->children = out->die.children;
		w->sibling = out->die.sibling;
		return true;
	}
	return false;
}
