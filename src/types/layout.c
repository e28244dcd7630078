/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types by themselves: what lies at a place in them. Arrays are left behind: what is told is the
 * type of their elements.
 */
#include <string.h>

#include "types/internal.h"

enum { NEST_MAX = 16, MEMBERS_MAX = 1 << 14 };

struct type_ref type_ref_of(const struct dwarf_entry *e)
{
	return (struct type_ref){ e->d, e->offset };
}

static bool read_entry(struct type_ref ref, struct dwarf_entry *out)
{
	struct dwarf_unit *u = ref.d ? dwarf_unit_at(ref.d, ref.offset) : NULL;

	return u && dwarf_entry_at(ref.d, u, ref.offset, out);
}

bool type_ref_read(struct type_ref ref, struct dwarf_entry *out)
{
	return read_entry(ref, out) && debug_type_strip(out);
}

/* What stands for a type that from leads to: itself; where it has no name, the typedef of it. */
static struct type_ref named_ref(const struct dwarf_entry *from, const struct dwarf_entry *type)
{
	struct type_ref self = type_ref_of(type), named = self;
	struct dwarf_entry at = *from;
	bool may_have = debug_type_is_record(type->die.tag) ||
			type->die.tag == DW_TAG_enumeration_type;

	if (!may_have || dwarf_entry_name(type))
		return self;
	for (int hop = 0; hop < DWARF_HOPS && !type_ref_equal(type_ref_of(&at), self); hop++) {
		if (at.die.tag == DW_TAG_typedef)
			named = type_ref_of(&at);
		if (!dwarf_entry_type(&at, &at))
			break;
	}
	return named;
}

bool type_pointee(const struct dwarf_entry *type, struct type_ref *out)
{
	struct dwarf_entry e = *type, from, to;

	if (!debug_type_strip(&e) || !debug_type_is_pointer(e.die.tag) ||
	    !dwarf_entry_type(&e, &from) || !debug_type_resolve(&e, &to) ||
	    to.die.tag == DW_TAG_subroutine_type)
		return false;
	*out = named_ref(&from, &to);
	return true;
}

/* ------------------------------------------------------------------ members */

/* The members of a record that contain a place; fn says whether to go on. */
typedef bool member_fn(void *ctx, const struct dwarf_entry *member, const struct dwarf_entry *type,
		       u64 at, u64 size);

static void members_at(const struct dwarf_entry *record, u64 at, member_fn *fn, void *ctx)
{
	struct dwarf_entry m, type;
	struct dwarf_walk w;
	u64 place, size;

	dwarf_walk_begin(&w, record);
	for (int i = 0; i < MEMBERS_MAX && dwarf_walk_next(&w, false, &m); i++) {
		bool fits = m.die.tag == DW_TAG_member || m.die.tag == DW_TAG_inheritance;

		/* (bits are no place of their own) */
		if (!fits || m.bit_size.class || m.external || !debug_member_place(&m, &place) ||
		    place > at || !debug_type_resolve(&m, &type))
			continue;
		if (!debug_type_size(&type, &size))
			size = 0;
		if (at - place < size && !fn(ctx, &m, &type, place, size))
			return;
	}
}

/* Arrays in a record that an index of a scale can go through. */
struct array_question {
	u64 at; /* where the index begins, as far as that is known */
	u8 scale;
	int nest;
	u32 left; /* members that will still be looked at */
	u32 nr; /* such arrays */
	bool here; /* it begins in one of them */
	bool other; /* it may be another's, whose start is in the index */
};

/* An index counts elements; or bytes, or what the compiler has multiplied before: as many as it had
 * to. */
static bool fits_scale(u64 size, u8 scale)
{
	u64 most = MIN(size & -size, (u64)8);

	return size && scale && (scale == size || (size > scale && (scale == 1 || scale == most)));
}

static void find_arrays(const struct dwarf_entry *record, u64 base, struct array_question *q)
{
	struct dwarf_entry m, type, element;
	struct dwarf_walk w;
	u64 place, size, all;

	dwarf_walk_begin(&w, record);
	while (q->left && dwarf_walk_next(&w, false, &m)) {
		bool fits = m.die.tag == DW_TAG_member || m.die.tag == DW_TAG_inheritance;

		q->left--;
		if (!fits || m.external || !debug_member_place(&m, &place) ||
		    !debug_type_resolve(&m, &type))
			continue;
		place += base;
		if (debug_type_is_record(type.die.tag) && q->nest > 0) {
			q->nest--;
			find_arrays(&type, place, q);
			q->nest++;
		} else if (type.die.tag == DW_TAG_array_type &&
			   debug_type_resolve(&type, &element) &&
			   debug_type_size(&element, &size) && fits_scale(size, q->scale)) {
			if (!debug_type_size(&type, &all) || !all)
				all = UINT64_MAX - place;
			bool here = q->at >= place && q->at - place < all;

			q->nr++;
			q->here |= here;
			q->other |= !here && (q->scale == 1 || q->scale == size) &&
				    q->at < 2 * size;
		}
	}
}

/* ------------------------------------------------------------------ places */

/*
 * With an index: an array in the record, or one of many records. Where both may be meant, a
 * constant that is in the index would decide, and nobody knows it.
 */
static bool settle_index(struct type_place *p, const struct dwarf_entry *type, u64 size)
{
	struct array_question q = {
		.at = (u64)p->at, .scale = p->scale, .nest = NEST_MAX, .left = MEMBERS_MAX
	};

	find_arrays(type, 0, &q);
	if (!q.nr && q.left)
		return fits_scale(size, p->scale);
	p->vague = !q.left || !q.here || q.other;
	return true;
}

static bool settle_record(struct type_place *p, const struct dwarf_entry *type)
{
	u64 size;

	if (!debug_type_size(type, &size) || !size || p->at < 0 || (u64)p->at >= size ||
	    size - (u64)p->at < p->size)
		return false;
	return !p->indexed || settle_index(p, type, size);
}

/* A simple value; of those, pointers mostly point to arrays. */
static bool settle_simple(struct type_place *p, const struct dwarf_entry *type, bool in_array)
{
	enum { VECTOR = 16 };
	bool many = in_array || p->by_pointer;
	u64 size;

	if (!debug_type_size(type, &size) || !size || size > INT32_MAX)
		return false;
	if (many) {
		p->at %= (s64)size;
		if (p->at < 0)
			p->at += (s64)size;
	}
	if (p->indexed && !fits_scale(size, p->scale))
		return false;
	if (p->at < 0 || (u64)p->at >= size)
		return false;
	return p->size <= size - (u64)p->at || (many && !p->at && p->size >= VECTOR);
}

/* Into an element of an array. */
static bool enter_array(struct type_place *p, struct dwarf_entry *type)
{
	struct dwarf_entry element;
	u64 size, all;

	if (!debug_type_resolve(type, &element) || !debug_type_size(&element, &size) || !size ||
	    size > INT32_MAX || p->at < 0)
		return false;
	if (!p->by_pointer && debug_type_size(type, &all) && all && (u64)p->at >= all)
		return false;
	if (p->indexed && !fits_scale(size, p->scale) && !debug_type_is_record(element.die.tag))
		return false;
	p->at %= (s64)size;
	*type = element;
	return true;
}

bool type_settle(struct type_place *p)
{
	struct dwarf_entry from, type;
	bool in_array = false;

	if (!read_entry(p->type, &from) || !type_ref_read(p->type, &type))
		return false;
	for (int nest = 0; type.die.tag == DW_TAG_array_type; nest++, in_array = true)
		if (nest == NEST_MAX || !dwarf_entry_type(&type, &from) || !enter_array(p, &type))
			return false;
	p->type = named_ref(&from, &type);
	return debug_type_is_record(type.die.tag) ? settle_record(p, &type)
						  : settle_simple(p, &type, in_array);
}

struct pointer_question {
	u64 at;
	int nest;
	bool conflict;
	u32 nr;
	struct type_ref pointee;
};

static void find_pointer(const struct dwarf_entry *type, struct pointer_question *q);

static bool look_for_pointer(void *ctx, const struct dwarf_entry *member UNUSED,
			     const struct dwarf_entry *type, u64 at, u64 size UNUSED)
{
	struct pointer_question *q = ctx, inner = *q;

	inner.at -= at;
	inner.nest--;
	find_pointer(type, &inner);
	q->nr = inner.nr;
	q->conflict = inner.conflict;
	q->pointee = inner.pointee;
	return !q->conflict;
}

static void find_pointer(const struct dwarf_entry *type, struct pointer_question *q)
{
	struct dwarf_entry element = *type;
	struct type_ref to = { 0 };
	u64 size;

	if (q->nest <= 0) {
		q->conflict = true;
		return;
	}
	if (debug_type_is_record(type->die.tag)) {
		members_at(type, q->at, look_for_pointer, q);
		return;
	}
	if (type->die.tag == DW_TAG_array_type) {
		if (!debug_type_resolve(type, &element) || !debug_type_size(&element, &size) ||
		    !size) {
			q->conflict = true;
			return;
		}
		q->at %= size;
		q->nest--;
		find_pointer(&element, q);
		return;
	}
	/* every one that may be meant has to say the same */
	if (q->at || !type_pointee(type, &to) || (q->nr && !type_ref_equal(to, q->pointee)))
		q->conflict = true;
	q->pointee = to;
	q->nr++;
}

bool type_pointer_at(const struct type_place *p, u8 word, struct type_ref *out)
{
	struct pointer_question q = { .at = (u64)p->at, .nest = NEST_MAX };
	struct dwarf_entry type;

	if (p->size != word || p->vague || !type_ref_read(p->type, &type))
		return false;
	find_pointer(&type, &q);
	*out = q.pointee;
	return q.nr && !q.conflict;
}

void type_add_name(struct type_ref ref, struct strbuf *out)
{
	struct dwarf_entry type;

	if (read_entry(ref, &type))
		debug_type_name(&type, DEBUG_TYPE_C, out);
}
