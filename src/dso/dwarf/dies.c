/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of debug information, by the abbreviations of their unit. */
#include <stdlib.h>

#include "base/compare.h"
#include "base/mem.h"
#include "dso/dwarf/forms.h"
#include "dso/dwarf/units.h"

enum { SPECS_MAX = 1 << 20, NAME_HOPS = 8 };
/* Bytes of most entries, and of nearly every one. */
enum { DIE_ONCE = 256, MOST_ENTRIES = 1024 };
/* What is read at once of tables without a length: more than one of their rows takes. */
enum { ROW_MAX = 64 };

enum {
	AT_SIBLING = 0x01,
	AT_NAME = 0x03,
	AT_STMT_LIST = 0x10,
	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	AT_COMP_DIR = 0x1b,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_SPECIFICATION = 0x47,
	AT_RANGES = 0x55,
	AT_CALL_FILE = 0x58,
	AT_CALL_LINE = 0x59,
	AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72,
	AT_ADDR_BASE = 0x73,
	AT_RNGLISTS_BASE = 0x74,
	AT_MIPS_LINKAGE_NAME = 0x2007,
	AT_DWO_NAME = 0x76,
	AT_LOCLISTS_BASE = 0x8c,
	AT_GNU_DWO_NAME = 0x2130,
	AT_GNU_DWO_ID = 0x2131,
	AT_GNU_RANGES_BASE = 0x2132,
	AT_GNU_ADDR_BASE = 0x2133,
};

enum { FORM_REF4 = 0x13, FORM_IMPLICIT_CONST = 0x21 };

/* ---- abbreviations ---- */

/* The attributes that take_attribute() knows. */
static bool is_wanted(u64 name)
{
	switch (name) {
	case AT_SIBLING:
	case AT_NAME:
	case AT_STMT_LIST:
	case AT_LOW_PC:
	case AT_HIGH_PC:
	case AT_COMP_DIR:
	case AT_ABSTRACT_ORIGIN:
	case AT_SPECIFICATION:
	case AT_RANGES:
	case AT_CALL_FILE:
	case AT_CALL_LINE:
	case AT_LINKAGE_NAME:
	case AT_STR_OFFSETS_BASE:
	case AT_ADDR_BASE:
	case AT_RNGLISTS_BASE:
	case AT_MIPS_LINKAGE_NAME:
	case AT_DWO_NAME:
	case AT_LOCLISTS_BASE:
	case AT_GNU_DWO_NAME:
	case AT_GNU_DWO_ID:
	case AT_GNU_RANGES_BASE:
	case AT_GNU_ADDR_BASE:
		return true;
	default:
		return false;
	}
}

/* What a reader in a hurry wants to know of an entry. */
static void add_to_shape(struct dwarf_abbrev *a, const struct dwarf_spec *spec)
{
	if (spec->name == AT_SIBLING) {
		a->has_sibling = true;
		a->sibling_at = spec->form == FORM_REF4 ? a->size : DWARF_SIZE_VARIES;
	}
	a->has_code |= spec->name == AT_LOW_PC || spec->name == AT_RANGES;
	if (spec->size == DWARF_SIZE_VARIES || a->size + spec->size >= DWARF_SIZE_VARIES)
		a->size = DWARF_SIZE_VARIES;
	else if (a->size != DWARF_SIZE_VARIES)
		a->size += spec->size;
}

static bool read_specs(struct dwarf_section *s, const struct dwarf_unit *u, struct dwarf_reader *r,
		       struct dwarf_abbrevs *t)
{
	struct dwarf_abbrev *a = VEC_LAST(&t->abbrevs);

	a->first = (u32)t->specs.nr;
	while (t->specs.nr < SPECS_MAX) {
		struct dwarf_spec spec = { 0 };
		u64 name, form;

		if (!dwarf_section_need(s, (u64)(r->p - s->data), ROW_MAX))
			return false;
		name = dwarf_uleb(r);
		form = dwarf_uleb(r);
		if (form == FORM_IMPLICIT_CONST)
			spec.implicit = dwarf_sleb(r);
		if (r->bad || form > UINT16_MAX)
			return false;
		if (!name && !form)
			break;
		spec.name = name > UINT16_MAX ? UINT16_MAX : (u16)name;
		spec.form = (u16)form;
		spec.size = dwarf_form_size(u, spec.form);
		spec.wanted = is_wanted(name);
		add_to_shape(a, &spec);
		*VEC_PUSH(&t->specs) = spec;
		a->nr++;
	}
	return t->specs.nr < SPECS_MAX;
}

static bool read_abbrevs(struct dwarf *d, const struct dwarf_unit *u, struct dwarf_abbrevs *t)
{
	struct dwarf_section *s = &d->sections[DWARF_ABBREV];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };
	bool sorted = true;

	if (u->abbrev >= s->size)
		return false;
	r.p = s->data + u->abbrev;
	for (;;) {
		struct dwarf_abbrev a = { 0 };

		r.bad |= !dwarf_section_need(s, (u64)(r.p - s->data), ROW_MAX);
		a.code = r.bad ? 0 : dwarf_uleb(&r);
		if (r.bad || !a.code)
			break;
		a.tag = (u16)dwarf_uleb(&r);
		a.children = dwarf_bytes(&r, 1) != 0;
		sorted &= !t->abbrevs.nr || VEC_LAST(&t->abbrevs)->code < a.code;
		*VEC_PUSH(&t->abbrevs) = a;
		if (!read_specs(s, u, &r, t) ||
		    !dwarf_spend(d, DWARF_COST_SPEC * (1 + (u64)VEC_LAST(&t->abbrevs)->nr)))
			return false;
	}
	if (!sorted)
		VEC_SORT(&t->abbrevs, by_u64);
	return !r.bad;
}

/* Those of another unit, if it has the same. */
static bool have_abbrevs(struct dwarf *d, struct dwarf_unit *u)
{
	struct dwarf_abbrevs *t;

	if (u->abbrevs || dwarf_share_abbrevs(d, u))
		return true;
	t = XNEW(struct dwarf_abbrevs);
	if (read_abbrevs(d, u, t)) {
		dwarf_keep_abbrevs(d, u, t);
		return true;
	}
	dwarf_abbrevs_free(t);
	return false;
}

static const struct dwarf_abbrev *find_abbrev(const struct dwarf_abbrevs *t, u64 code)
{
	struct dwarf_abbrev key = { .code = code };

	/* Producers number them from 1. */
	if (code && code <= t->abbrevs.nr && t->abbrevs.v[code - 1].code == code)
		return &t->abbrevs.v[code - 1];
	if (!t->abbrevs.nr)
		return NULL;
	return bsearch(&key, t->abbrevs.v, t->abbrevs.nr, sizeof(key), by_u64);
}

/* ---- entries ---- */

struct dwarf_reader dwarf_entries(struct dwarf *d, struct dwarf_unit *u, u64 offset, u64 end)
{
	struct dwarf_section *s = &d->sections[DWARF_INFO];
	struct dwarf_reader r = { .p = s->data + offset, .swap = d->swap };

	if (end <= offset || end > u->end)
		end = u->end;
	r.end = u->loaded == d->trims || dwarf_section_need(s, offset, end - offset) ? s->data + end
										     : r.p;
	if (offset == u->dies && end == u->end && r.end > r.p)
		u->loaded = d->trims;
	return r;
}

static u64 to_address(struct dwarf *d, const struct dwarf_unit *u, const struct dwarf_value *v)
{
	u64 addr = v->v;

	if (v->class == DWARF_ADDRESS_INDEX && !dwarf_address(d, u, v->v, &addr))
		return 0;
	return addr;
}

static void take_attribute(struct dwarf *d, const struct dwarf_unit *u, u16 name,
			   const struct dwarf_value *v, struct dwarf_die *out)
{
	switch (name) {
	case AT_SIBLING:
		out->sibling = v->v;
		break;
	case AT_NAME:
		out->name = *v;
		break;
	case AT_LINKAGE_NAME:
	case AT_MIPS_LINKAGE_NAME:
		out->linkage_name = *v;
		break;
	case AT_LOW_PC:
		out->has_low = true;
		out->low = to_address(d, u, v);
		break;
	case AT_HIGH_PC:
		out->high_is_size = v->class == DWARF_CONSTANT;
		out->high = to_address(d, u, v);
		break;
	case AT_RANGES:
		out->has_ranges = true;
		out->ranges_is_index = v->class == DWARF_LIST_INDEX;
		out->ranges = v->v;
		break;
	case AT_ABSTRACT_ORIGIN:
	case AT_SPECIFICATION:
		out->has_origin = v->class == DWARF_REFERENCE || v->class == DWARF_REFERENCE_ALT;
		out->origin_in_alt = v->class == DWARF_REFERENCE_ALT;
		out->origin = v->v;
		break;
	case AT_CALL_FILE:
		out->call_file = (u32)v->v;
		break;
	case AT_CALL_LINE:
		out->call_line = (u32)v->v;
		break;
	case AT_STMT_LIST:
		out->has_lines = true;
		out->lines_at = v->v;
		break;
	case AT_COMP_DIR:
		out->comp_dir = *v;
		break;
	case AT_STR_OFFSETS_BASE:
		out->str_offsets_base = v->v;
		break;
	case AT_ADDR_BASE:
	case AT_GNU_ADDR_BASE:
		out->addr_base = v->v;
		break;
	case AT_RNGLISTS_BASE:
		out->rnglists_base = v->v;
		break;
	case AT_LOCLISTS_BASE:
		out->loclists_base = v->v;
		break;
	case AT_GNU_RANGES_BASE:
		out->ranges_base = v->v;
		break;
	case AT_DWO_NAME:
	case AT_GNU_DWO_NAME:
		out->dwo_name = *v;
		break;
	case AT_GNU_DWO_ID:
		out->dwo_id = v->v;
		break;
	default:
		break;
	}
}

/* The abbreviation of the entry at r, whose values follow; NULL at the end of a list of siblings.
 */
static bool entry_begin(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
			const struct dwarf_abbrev **out)
{
	u64 code = dwarf_uleb(r);

	*out = NULL;
	if (r->bad)
		return false;
	if (!code)
		return true;
	*out = find_abbrev(u->abbrevs, code);
	return *out && dwarf_spend(d, 1 + (u64)(*out)->nr);
}

/* fn gets every value; without it (NULL) values that are not kept in out are passed over. */
static inline bool read_entry(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
			      struct dwarf_die *out, dwarf_attribute_fn *fn, void *ctx)
{
	const struct dwarf_abbrev *a;
	struct dwarf_value v;

	*out = (struct dwarf_die){ 0 };
	if (!entry_begin(d, u, r, &a))
		return false;
	if (!a)
		return true;
	out->tag = a->tag;
	out->children = a->children;
	for (u32 i = 0; i < a->nr; i++) {
		const struct dwarf_spec *spec = &u->abbrevs->specs.v[a->first + i];

		if (!fn && !spec->wanted && spec->size != DWARF_SIZE_VARIES) {
			dwarf_skip(r, spec->size);
			if (r->bad)
				return false;
			continue;
		}
		if (!dwarf_form_read(d, u, r, spec->form, spec->implicit, &v))
			return false;
		if (v.class != DWARF_NOTHING)
			take_attribute(d, u, spec->name, &v, out);
		if (fn)
			fn(ctx, spec->name, &v);
	}
	return true;
}

bool dwarf_die_read(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
		    struct dwarf_die *out)
{
	return read_entry(d, u, r, out, NULL, NULL);
}

bool dwarf_die_attributes(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
			  struct dwarf_die *out, dwarf_attribute_fn *fn, void *ctx)
{
	return read_entry(d, u, r, out, fn, ctx);
}

/* Over the values of an entry, one by one. */
static bool skim_values(struct dwarf *d, struct dwarf_unit *u, const struct dwarf_abbrev *a,
			struct dwarf_reader *r, struct dwarf_skimmed *out)
{
	struct dwarf_value v;

	for (u32 i = 0; i < a->nr && !r->bad; i++) {
		const struct dwarf_spec *spec = &u->abbrevs->specs.v[a->first + i];

		if (spec->size != DWARF_SIZE_VARIES && spec->name != AT_SIBLING) {
			dwarf_skip(r, spec->size);
			continue;
		}
		if (!dwarf_form_read(d, u, r, spec->form, spec->implicit, &v))
			return false;
		if (spec->name == AT_SIBLING && v.class != DWARF_NOTHING)
			out->sibling = v.v;
	}
	return !r->bad;
}

bool dwarf_die_skim(struct dwarf *d, struct dwarf_unit *u, struct dwarf_reader *r,
		    struct dwarf_skimmed *out)
{
	struct dwarf_reader sibling = *r;
	const struct dwarf_abbrev *a;

	*out = (struct dwarf_skimmed){ 0 };
	if (!entry_begin(d, u, r, &a))
		return false;
	if (!a)
		return true;
	out->tag = a->tag;
	out->children = a->children;
	out->has_code = a->has_code;
	if (a->size == DWARF_SIZE_VARIES || (a->has_sibling && a->sibling_at == DWARF_SIZE_VARIES))
		return skim_values(d, u, a, r, out);
	sibling.p = r->p;
	dwarf_skip(r, a->size);
	if (r->bad)
		return false;
	if (a->has_sibling) {
		sibling.p += a->sibling_at;
		out->sibling = u->offset + dwarf_bytes(&sibling, 4);
	}
	return true;
}

/* The entry at an offset of .debug_info. */
static bool dwarf_die_at(struct dwarf *d, struct dwarf_unit *u, u64 offset, struct dwarf_die *out)
{
	struct dwarf_reader r = dwarf_entries(d, u, offset, MIN(offset + MOST_ENTRIES, u->end));

	if (dwarf_die_read(d, u, &r, out))
		return true;
	r = dwarf_entries(d, u, offset, 0);
	return dwarf_die_read(d, u, &r, out);
}

bool dwarf_unit_prepare(struct dwarf *d, struct dwarf_unit *u, struct dwarf_die *root)
{
	if (u->broken)
		return false;
	if (!have_abbrevs(d, u) || !dwarf_die_at(d, u, u->dies, root) || !root->tag) {
		u->broken = true;
		return false;
	}
	if (u->prepared)
		return true;
	u->prepared = true;
	/* What a split unit has of these came from its skeleton (dwarf/split.c). */
	if (d->main) {
		if (u->split_type && u->version >= 5)
			u->str_offsets_base = u->offset_size == 8 ? 16 : 8;
		return true;
	}
	u->str_offsets_base = root->str_offsets_base;
	u->addr_base = root->addr_base;
	u->rnglists_base = root->rnglists_base;
	u->loclists_base = root->loclists_base;
	u->ranges_base = root->ranges_base;
	/* Again: strings and addresses by index needed the bases. */
	dwarf_die_at(d, u, u->dies, root);
	u->low_pc = root->low;
	u->has_lines = root->has_lines;
	u->lines_at = root->lines_at;
	u->comp_dir = dwarf_keep(d, dwarf_value_string(d, u, &root->comp_dir));
	u->name = dwarf_keep(d, dwarf_value_string(d, u, &root->name));
	u->dwo_name = dwarf_keep(d, dwarf_value_string(d, u, &root->dwo_name));
	if (root->dwo_id)
		u->dwo_id = root->dwo_id;
	return true;
}

struct dwarf_unit *dwarf_unit_at(struct dwarf *d, u64 offset)
{
	struct dwarf_unit *u = dwarf_unit_before(d, offset);
	struct dwarf_die root;

	if (!d->have_units && (!u || offset >= u->end)) {
		dwarf_find_units(d);
		u = dwarf_unit_before(d, offset);
	}
	if (!u || offset < u->dies || offset >= u->end)
		return NULL;
	u->asked = d->asked;
	return dwarf_unit_is_ready(u) || dwarf_unit_prepare(d, u, &root) ? u : NULL;
}

struct dwarf_unit *dwarf_unit_next(struct dwarf *d, u64 offset)
{
	struct dwarf_die root;

	dwarf_find_units(d);
	for (size_t i = offset ? dwarf_units_up_to(d, offset - 1) : 0; i < d->units.nr; i++) {
		struct dwarf_unit *u = d->units.v[i];

		if (u->offset >= offset &&
		    (dwarf_unit_is_ready(u) || dwarf_unit_prepare(d, u, &root)))
			return u;
	}
	return NULL;
}

struct dwarf_unit *dwarf_unit_of_type(struct dwarf *d, u64 signature)
{
	struct dwarf_die root;

	/* Where a package has their strings is in an index that is not read. */
	if (d->index)
		return NULL;
	dwarf_find_units(d);
	if (!dwarf_spend(d, 1 + d->units.nr / 8))
		return NULL;
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;

		if (u->split_type && u->signature == signature &&
		    (dwarf_unit_is_ready(u) || dwarf_unit_prepare(d, u, &root)))
			return u;
	}
	return NULL;
}

/* As dwarf_die_at(), without keeping what is read: strings may point to buf. */
static bool die_once(struct dwarf *d, struct dwarf_unit *u, u64 offset, u8 *buf,
		     struct dwarf_die *out)
{
	struct dwarf_section *s = &d->sections[DWARF_INFO];
	size_t size = (size_t)MIN((u64)DIE_ONCE, u->end - offset);
	struct dwarf_reader r = { .p = buf, .end = buf + size, .swap = d->swap };

	if (dwarf_section_can_copy(s) && dwarf_section_copy(s, offset, buf, size) &&
	    dwarf_die_read(d, u, &r, out))
		return true;
	return dwarf_die_at(d, u, offset, out);
}

/* at: the entry, then those that it refers to; its strings may point to buf. */
static const char *find_name(struct dwarf *d, struct dwarf_unit *u, struct dwarf_die *at, u8 *buf)
{
	struct dwarf *keeper = d;
	const char *name = NULL;

	for (int hop = 0; hop < NAME_HOPS; hop++) {
		const char *linkage_name = dwarf_keep_value(keeper, d, u, &at->linkage_name);

		if (linkage_name)
			return linkage_name;
		if (!name)
			name = dwarf_keep_value(keeper, d, u, &at->name);
		if (!at->has_origin)
			break;
		if (at->origin_in_alt)
			d = d->alt;
		u = d ? dwarf_unit_at(d, at->origin) : NULL;
		if (!u || !die_once(d, u, at->origin, buf, at))
			break;
	}
	return name;
}

const char *dwarf_function_name(struct dwarf *d, struct dwarf_unit *u, const struct dwarf_die *die)
{
	struct dwarf_die at = *die;
	u8 buf[DIE_ONCE];

	return find_name(d, u, &at, buf);
}

const char *dwarf_function_name_at(struct dwarf *d, struct dwarf_unit *u, u64 offset,
				   struct dwarf_die *die)
{
	struct dwarf_die at;
	u8 buf[DIE_ONCE];

	*die = (struct dwarf_die){ 0 };
	if (!die_once(d, u, offset, buf, &at))
		return NULL;
	*die = at;
	die->name = die->linkage_name = die->comp_dir = die->dwo_name = (struct dwarf_value){ 0 };
	return find_name(d, u, &at, buf);
}

/* ---- ranges ---- */

/* .debug_ranges, DWARF 2 to 4. */
static void old_ranges(struct dwarf *d, const struct dwarf_unit *u, u64 offset,
		       dwarf_range_fn *range, void *ctx)
{
	struct dwarf_section *s = &(d->main ? d->main : d)->sections[DWARF_RANGES];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };
	u64 all_ones = u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	u64 base = u->low_pc;

	/* A skeleton's own ranges are not relative to its base. */
	if (d->main)
		offset += u->ranges_base;
	if (offset >= s->size)
		return;
	r.p = s->data + offset;
	for (int i = 0; i < DWARF_RANGES_MAX && dwarf_spend(d, DWARF_COST_RANGE); i++) {
		u64 lo, hi;

		if (!dwarf_section_need(s, (u64)(r.p - s->data), ROW_MAX))
			return;
		lo = dwarf_bytes(&r, u->addr_size);
		hi = dwarf_bytes(&r, u->addr_size);
		if (r.bad || (!lo && !hi))
			return;
		if (lo == all_ones)
			base = hi;
		else if (lo < hi)
			range(ctx, base + lo, base + hi);
	}
}

/* .debug_rnglists, DWARF 5 section 7.25. */
static void new_ranges(struct dwarf *d, const struct dwarf_unit *u, u64 offset,
		       dwarf_range_fn *range, void *ctx)
{
	enum { END, BASEX, STARTX_ENDX, STARTX_LENGTH, OFFSET_PAIR, BASE, START_END, START_LENGTH };
	struct dwarf_section *s = &d->sections[DWARF_RNGLISTS];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };
	u64 base = u->low_pc;

	if (offset >= s->size)
		return;
	r.p = s->data + offset;
	for (int i = 0; i < DWARF_RANGES_MAX && !r.bad && dwarf_spend(d, DWARF_COST_RANGE); i++) {
		u64 lo = 0;
		u64 hi = 0;

		if (!dwarf_section_need(s, (u64)(r.p - s->data), ROW_MAX))
			return;
		switch (dwarf_bytes(&r, 1)) {
		case BASEX:
			if (!dwarf_address(d, u, dwarf_uleb(&r), &base))
				return;
			continue;
		case STARTX_ENDX:
			if (!dwarf_address(d, u, dwarf_uleb(&r), &lo) ||
			    !dwarf_address(d, u, dwarf_uleb(&r), &hi))
				return;
			break;
		case STARTX_LENGTH:
			if (!dwarf_address(d, u, dwarf_uleb(&r), &lo))
				return;
			hi = lo + dwarf_uleb(&r);
			break;
		case OFFSET_PAIR:
			lo = base + dwarf_uleb(&r);
			hi = base + dwarf_uleb(&r);
			break;
		case BASE:
			base = dwarf_bytes(&r, u->addr_size);
			continue;
		case START_END:
			lo = dwarf_bytes(&r, u->addr_size);
			hi = dwarf_bytes(&r, u->addr_size);
			break;
		case START_LENGTH:
			lo = dwarf_bytes(&r, u->addr_size);
			hi = lo + dwarf_uleb(&r);
			break;
		default: /* END, and unknown kinds */
			return;
		}
		if (!r.bad && lo < hi)
			range(ctx, lo, hi);
	}
}

/* Offset in .debug_rnglists of a list that is given by its number. */
static bool list_offset(struct dwarf *d, const struct dwarf_unit *u, u64 i, u64 *offset)
{
	struct dwarf_section *s = &d->sections[DWARF_RNGLISTS];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };

	if (u->rnglists_base > s->size || i >= (s->size - u->rnglists_base) / u->offset_size ||
	    !dwarf_section_need(s, u->rnglists_base + i * u->offset_size, u->offset_size))
		return false;
	r.p = s->data + u->rnglists_base + i * u->offset_size;
	*offset = u->rnglists_base + dwarf_bytes(&r, u->offset_size);
	return true;
}

void dwarf_die_ranges(struct dwarf *d, struct dwarf_unit *u, const struct dwarf_die *die,
		      dwarf_range_fn *range, void *ctx)
{
	u64 at = die->ranges;
	u64 hi;

	if (die->has_ranges) {
		if (die->ranges_is_index && !list_offset(d, u, die->ranges, &at))
			return;
		if (u->version >= 5)
			new_ranges(d, u, at, range, ctx);
		else
			old_ranges(d, u, at, range, ctx);
		return;
	}
	hi = die->high_is_size ? die->low + die->high : die->high;
	if (die->has_low && die->low < hi)
		range(ctx, die->low, hi);
}
