/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/dwarf.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/search.h"
#include "dso/dwarf/forms.h"
#include "dso/elf/unpack.h"

/* Work for each object, and for each byte of its debug information, of which compression makes so
 * many. */
enum { WORK_MIN = 1 << 27, WORK_PER_BYTE = 32, USUAL_PACKING = 16 };
enum { UNITS_MAX = 1 << 22, SPECS_MAX = 1 << 20, RANGES_MAX = 1 << 24, NAME_HOPS = 8 };
enum { DIE_ONCE = 256 /* bytes of most entries */ };
enum {
	UNIT_HEADER_MAX = 12 + 2 + 1 + 1 + 8 + 8 + 8,
	MOST_ENTRIES = 1024 /* bytes of nearly every entry */
};
/* What is read at once of tables without a length: more than one of their rows takes. */
enum { ROW_MAX = 64 };
/* Between questions: pages of the sections, and a part of those that are packed; bytes of units'
 * tables, at least, and a part of the sections' size. */
enum { PAGES_KEPT = 256, TABLES_KEPT = 3 << 20, TABLES_PART = 16, PACKED_PART = 8 };

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

enum {
	UT_COMPILE = 1,
	UT_TYPE = 2,
	UT_PARTIAL = 3,
	UT_SKELETON = 4,
	UT_SPLIT_COMPILE = 5,
	UT_SPLIT_TYPE = 6
};

/* ---- opening ---- */

/* suffix: ".dwo" for what is split off, else "". */
static void open_sections(struct dwarf *d, const struct elf_file *f, const char *suffix)
{
	static const char *const names[DWARF_NR_SECTIONS] = {
		"info",     "abbrev", "line",        "str",     "line_str", "ranges",
		"rnglists", "addr",   "str_offsets", "aranges", "loc",      "loclists",
	};
	u64 room = UNPACK_ROOM;
	size_t size = 0;

	for (int i = 0; i < DWARF_NR_SECTIONS; i++) {
		const char *name = d->is_types && i == DWARF_INFO ? "types" : names[i];
		u64 in_file;

		/* Nobody but dwarf/entry.h needs them. */
		if ((i == DWARF_LOC || i == DWARF_LOCLISTS) && !d->wants_variables)
			name = "";
		in_file = dwarf_section_open(&d->sections[i], f, d->fd, name, suffix, &room);
		d->work_left += WORK_PER_BYTE *
				MIN((u64)d->sections[i].size, in_file * USUAL_PACKING);
		size += d->sections[i].size;
	}
	d->tables_max = MAX((size_t)TABLES_KEPT, size / TABLES_PART);
	d->trims = 1;
}

/* The bytes of a unit's header: most are looked at once. False: they cannot be read. */
static bool header_bytes(struct dwarf *d, u64 offset, u8 *copy, struct dwarf_reader *r)
{
	struct dwarf_section *s = &d->sections[DWARF_INFO];
	size_t size = (size_t)MIN((u64)UNIT_HEADER_MAX, s->size - MIN(offset, (u64)s->size));

	if (!size)
		return false;
	*r = (struct dwarf_reader){ .p = copy, .end = copy + size, .swap = d->swap };
	if (dwarf_section_can_copy(s))
		return dwarf_section_copy(s, offset, copy, size);
	if (!dwarf_section_need(s, offset, size))
		return false;
	memcpy(copy, s->data + offset, size);
	return true;
}

/* One unit's header; false at the end or where it is broken. */
static bool read_unit(struct dwarf *d, u64 offset, struct dwarf_unit *u)
{
	u64 size = d->sections[DWARF_INFO].size;
	u8 copy[UNIT_HEADER_MAX];
	struct dwarf_reader r;
	u8 type = UT_COMPILE;
	u64 len;

	if (!header_bytes(d, offset, copy, &r))
		return false;
	*u = (struct dwarf_unit){ .offset = offset, .offset_size = 4 };
	len = dwarf_bytes(&r, 4);
	if (len == 0xffffffff) {
		u->offset_size = 8;
		len = dwarf_bytes(&r, 8);
	}
	if (r.bad || !len || len > size - offset - (u64)(r.p - copy))
		return false;
	u->end = offset + (u64)(r.p - copy) + len;
	u->version = (u16)dwarf_bytes(&r, 2);
	if (u->version >= 5) {
		type = (u8)dwarf_bytes(&r, 1);
		u->addr_size = (u8)dwarf_bytes(&r, 1);
		u->abbrev = dwarf_bytes(&r, u->offset_size);
	} else {
		u->abbrev = dwarf_bytes(&r, u->offset_size);
		u->addr_size = (u8)dwarf_bytes(&r, 1);
	}
	if (type == UT_SKELETON || type == UT_SPLIT_COMPILE)
		u->dwo_id = dwarf_bytes(&r, 8);
	u->split_type = type == UT_TYPE || type == UT_SPLIT_TYPE || d->is_types;
	if (u->split_type) {
		u->signature = dwarf_bytes(&r, 8);
		u->type_at = offset + dwarf_bytes(&r, u->offset_size);
	}
	u->dies = offset + (u64)(r.p - copy);
	/* Of an unknown version only the length counts. */
	u->broken = r.bad || u->version < 2 || u->version > 5 ||
		    (u->addr_size != 4 && u->addr_size != 8) || u->dies > u->end;
	return true;
}

/* How many of the known units do not begin behind an offset. */
static size_t units_up_to(const struct dwarf *d, u64 offset)
{
	size_t lo = 0;

	for (size_t hi = d->units.nr; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;

		if (d->units.v[mid]->offset <= offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct dwarf_unit *dwarf_unit_before(struct dwarf *d, u64 offset)
{
	size_t lo = units_up_to(d, offset);

	return lo ? d->units.v[lo - 1] : NULL;
}

/* The unit with its header at an offset; NULL: there is none. */
static struct dwarf_unit *unit_with_header(struct dwarf *d, u64 offset)
{
	size_t lo = units_up_to(d, offset);
	struct dwarf_unit u;

	if (lo && d->units.v[lo - 1]->offset == offset)
		return d->units.v[lo - 1];
	if (d->units.nr >= UNITS_MAX || !read_unit(d, offset, &u))
		return NULL;
	VEC_GROW(&d->units, 1);
	memmove(d->units.v + lo + 1, d->units.v + lo, (d->units.nr - lo) * sizeof(*d->units.v));
	d->units.nr++;
	d->units.v[lo] = XNEW(struct dwarf_unit);
	*d->units.v[lo] = u;
	return d->units.v[lo];
}

static void find_units(struct dwarf *d)
{
	const struct dwarf_unit *u;

	if (d->have_units)
		return;
	d->have_units = true;
	for (u64 at = 0; (u = unit_with_header(d, at)) != NULL; at = u->end)
		;
}

static struct dwarf *open_one(const struct elf_file *f, int fd, const char *suffix)
{
	struct dwarf *d = XNEW(struct dwarf);

	d->fd = fd;
	d->swap = f->swap;
	d->work_left = WORK_MIN;
	open_sections(d, f, suffix);
	return d;
}

/* The section with type units of DWARF 4, which refer to what the others refer to; NULL: there is
 * none. */
static struct dwarf *open_types(const struct elf_file *f, int fd, const char *suffix)
{
	struct dwarf *d = XNEW(struct dwarf);

	d->fd = fd;
	d->swap = f->swap;
	d->work_left = WORK_MIN;
	d->is_types = true;
	open_sections(d, f, suffix);
	if (unit_with_header(d, 0))
		return d;
	dwarf_close(d);
	return NULL;
}

struct dwarf *dwarf_open(const struct elf_file *f, const char *alt_path)
{
	_cleanup_(elf_close) struct elf_file alt = ELF_FILE_INIT;
	struct dwarf *d = open_one(f, dwarf_section_file(f), "");

	if (!unit_with_header(d, 0)) {
		dwarf_close(d);
		return NULL;
	}
	if (alt_path && elf_open(&alt, alt_path, NULL) == 0)
		d->alt = open_one(&alt, dwarf_section_file(&alt), "");
	return d;
}

void dwarf_look_for_variables(struct dwarf *d, const struct elf_file *f)
{
	u64 room = UNPACK_ROOM;

	if (d->wants_variables)
		return;
	d->wants_variables = true;
	dwarf_section_close(&d->sections[DWARF_LOC]);
	dwarf_section_close(&d->sections[DWARF_LOCLISTS]);
	dwarf_section_open(&d->sections[DWARF_LOC], f, d->fd, "loc", "", &room);
	dwarf_section_open(&d->sections[DWARF_LOCLISTS], f, d->fd, "loclists", "", &room);
	d->types = open_types(f, dwarf_section_file(f), "");
}

void dwarf_look_for_split(struct dwarf *d, dwarf_find_split_fn *find, void *ctx)
{
	d->find_split = find;
	d->find_ctx = ctx;
}

struct dwarf *dwarf_open_split(const struct elf_file *f, struct dwarf *main)
{
	/* There may be one for each unit: too many for a descriptor each. */
	struct dwarf *d = XNEW(struct dwarf);

	d->fd = -1;
	d->swap = f->swap;
	d->work_left = WORK_MIN;
	d->wants_variables = main->wants_variables;
	open_sections(d, f, ".dwo");
	if (d->wants_variables)
		d->types = open_types(f, -1, ".dwo");
	d->main = main;
	if (d->types)
		d->types->main = main;
	find_units(d);
	if (d->units.nr)
		return d;
	dwarf_close(d);
	return NULL;
}

/* ---- what is kept ---- */

const char *dwarf_keep(struct dwarf *d, const char *s)
{
	return s ? intern_str(&d->names, intern_adds(&d->names, s)) : NULL;
}

static size_t abbrev_bytes(const struct dwarf_unit *u)
{
	return u->abbrevs.cap * sizeof(*u->abbrevs.v) + u->specs.cap * sizeof(*u->specs.v);
}

static void forget_abbrevs(struct dwarf *d, struct dwarf_unit *u)
{
	size_t bytes = abbrev_bytes(u);

	d->tables -= bytes;
	u->tables -= bytes;
	vec_free(&u->abbrevs);
	vec_free(&u->specs);
	u->have_abbrevs = false;
}

static void drop_tables(struct dwarf *d, struct dwarf_unit *u)
{
	bool had = u->tables != 0;

	forget_abbrevs(d, u);
	dwarf_lines_free(u->lines);
	dwarf_inlines_free(u->inlines);
	u->lines = NULL;
	u->inlines = NULL;
	u->dropped |= had;
	d->tables -= u->tables;
	u->tables = 0;
}

void dwarf_count_tables(struct dwarf *d, struct dwarf_unit *u, size_t bytes)
{
	d->tables += bytes;
	u->tables += bytes;
	u->asked = d->asked;
	if (u->dropped)
		d->made_again += bytes;
}

static int asked_cmp(const void *a, const void *b)
{
	const struct dwarf_unit *const *x = a;
	const struct dwarf_unit *const *y = b;

	if ((*x)->asked != (*y)->asked)
		return (*x)->asked < (*y)->asked ? -1 : 1;
	return (*x)->offset < (*y)->offset ? -1 : (*x)->offset > (*y)->offset;
}

/*
 * Of the units that were not asked for lately, until half is left. Where that turns out to be too
 * few, since as much as is kept was made again, twice as many are kept: making tables costs but a
 * few times what it must.
 */
static void trim_tables(struct dwarf *d)
{
	VEC(struct dwarf_unit *) units = { 0 };

	if (d->tables <= d->tables_max)
		return;
	if (d->made_again > d->tables_max) {
		d->tables_max *= 2;
		d->made_again = 0;
		return;
	}
	VEC_FOR(&d->units, u)
		if ((*u)->tables && (*u)->asked != d->asked)
			*VEC_PUSH(&units) = *u;
	VEC_SORT(&units, asked_cmp);
	for (size_t i = 0; i < units.nr && d->tables > d->tables_max / 2; i++)
		drop_tables(d, units.v[i]);
	/* One unit alone may have as many. */
	if (d->tables > d->tables_max / 2)
		d->tables_max = MAX(d->tables_max, 2 * d->tables);
	vec_free(&units);
}

static void trim_pages(struct dwarf *d)
{
	size_t kept = 0, packed = 0;

	for (int i = 0; i < DWARF_NR_SECTIONS; i++) {
		const struct dwarf_section *section = &d->sections[i];

		kept += section->kept;
		packed += section->stream ? section->size : 0;
	}
	/* To unpack again takes much longer than to read again. */
	if (kept < MAX((size_t)PAGES_KEPT, packed / PACKED_PART / 4096))
		return;
	for (int i = 0; i < DWARF_NR_SECTIONS; i++)
		dwarf_section_forget(&d->sections[i]);
	d->trims++;
}

void dwarf_trim(struct dwarf *d)
{
	trim_tables(d);
	trim_pages(d);
	if (d->alt)
		trim_pages(d->alt);
	if (d->package)
		trim_pages(d->package);
	d->asked++;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;

		drop_tables(d, u);
		dwarf_close(u->split);
		free(u);
	}
	vec_free(&d->units);
	vec_free(&d->aranges);
	vec_free(&d->ranges);
	for (int i = 0; i < DWARF_NR_SECTIONS; i++)
		dwarf_section_close(&d->sections[i]);
	if (d->fd >= 0)
		close(d->fd);
	dwarf_close(d->alt);
	dwarf_close(d->types);
	dwarf_close(d->package);
	dwarf_package_free(d->index);
	intern_release(&d->names);
	free(d);
}

/* ---- abbreviations ---- */

static int abbrev_cmp(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a;
	const struct dwarf_abbrev *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

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

static bool read_specs(struct dwarf_section *s, struct dwarf_unit *u, struct dwarf_reader *r,
		       struct dwarf_abbrev *a)
{
	a->first = (u32)u->specs.nr;
	while (u->specs.nr < SPECS_MAX) {
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
		*VEC_PUSH(&u->specs) = spec;
		a->nr++;
	}
	return u->specs.nr < SPECS_MAX;
}

static bool read_abbrevs(struct dwarf *d, struct dwarf_unit *u)
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
		if (!read_specs(s, u, &r, &a) || !dwarf_spend(d, DWARF_COST_SPEC * (1 + (u64)a.nr)))
			return false;
		sorted &= !u->abbrevs.nr || VEC_LAST(&u->abbrevs)->code < a.code;
		*VEC_PUSH(&u->abbrevs) = a;
	}
	if (!sorted)
		VEC_SORT(&u->abbrevs, abbrev_cmp);
	return !r.bad;
}

static const struct dwarf_abbrev *find_abbrev(const struct dwarf_unit *u, u64 code)
{
	struct dwarf_abbrev key = { .code = code };

	/* Producers number them from 1. */
	if (code && code <= u->abbrevs.nr && u->abbrevs.v[code - 1].code == code)
		return &u->abbrevs.v[code - 1];
	if (!u->abbrevs.nr)
		return NULL;
	return bsearch(&key, u->abbrevs.v, u->abbrevs.nr, sizeof(key), abbrev_cmp);
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
	*out = find_abbrev(u, code);
	return *out && dwarf_spend(d, 1 + (u64)(*out)->nr);
}

/* fn is told every value; without it (NULL) those that nobody wants are passed over. */
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
		const struct dwarf_spec *spec = &u->specs.v[a->first + i];

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
		const struct dwarf_spec *spec = &u->specs.v[a->first + i];

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

bool dwarf_die_at(struct dwarf *d, struct dwarf_unit *u, u64 offset, struct dwarf_die *out)
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
	if (!u->have_abbrevs) {
		u->have_abbrevs = read_abbrevs(d, u);
		dwarf_count_tables(d, u, abbrev_bytes(u));
	}
	if (!u->have_abbrevs) {
		forget_abbrevs(d, u);
		u->broken = true;
		return false;
	}
	if (!dwarf_die_at(d, u, u->dies, root) || !root->tag) {
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

static bool is_ready(const struct dwarf_unit *u)
{
	return u->prepared && u->have_abbrevs && !u->broken;
}

struct dwarf_unit *dwarf_unit_at(struct dwarf *d, u64 offset)
{
	struct dwarf_unit *u = dwarf_unit_before(d, offset);
	struct dwarf_die root;

	if (!d->have_units && (!u || offset >= u->end)) {
		find_units(d);
		u = dwarf_unit_before(d, offset);
	}
	if (!u || offset < u->dies || offset >= u->end)
		return NULL;
	u->asked = d->asked;
	return is_ready(u) || dwarf_unit_prepare(d, u, &root) ? u : NULL;
}

struct dwarf_unit *dwarf_unit_next(struct dwarf *d, u64 offset)
{
	struct dwarf_die root;

	find_units(d);
	for (size_t i = offset ? units_up_to(d, offset - 1) : 0; i < d->units.nr; i++) {
		struct dwarf_unit *u = d->units.v[i];

		if (u->offset >= offset && (is_ready(u) || dwarf_unit_prepare(d, u, &root)))
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
	find_units(d);
	if (!dwarf_spend(d, 1 + d->units.nr / 8))
		return NULL;
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;

		if (u->split_type && u->signature == signature &&
		    (is_ready(u) || dwarf_unit_prepare(d, u, &root)))
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
	for (int i = 0; i < RANGES_MAX && dwarf_spend(d, DWARF_COST_RANGE); i++) {
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
	for (int i = 0; i < RANGES_MAX && !r.bad && dwarf_spend(d, DWARF_COST_RANGE); i++) {
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
		default: /* END, and what nobody knows */
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

/* ---- which unit an address belongs to ---- */

struct range_list {
	struct dwarf_ranges *ranges;
	u64 unit;
};

static void add_range(void *ctx, u64 lo, u64 hi)
{
	struct range_list *l = ctx;

	/* Code that the linker dropped stands at 0. */
	if (lo && l->ranges->nr < RANGES_MAX)
		*VEC_PUSH(l->ranges) = (struct dwarf_range){ lo, hi, l->unit };
}

static void find_ranges(struct dwarf *d)
{
	d->have_ranges = true;
	find_units(d);
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;
		struct range_list l = { &d->ranges, u->offset };
		struct dwarf_die root;
		size_t before = d->ranges.nr;
		bool in_use = u->have_abbrevs;

		if (u->split_type || !dwarf_unit_prepare(d, u, &root) ||
		    root.tag == DW_TAG_partial_unit)
			continue;
		dwarf_die_ranges(d, u, &root, add_range, &l);
		/* DWARF 2 has no way to tell of code in several places. */
		if (d->ranges.nr == before)
			dwarf_line_ranges(d, u, add_range, &l);
		/* Most units are never needed again. */
		if (!in_use)
			forget_abbrevs(d, u);
		trim_pages(d);
	}
	dwarf_ranges_sort(&d->ranges);
}

/* One unit's set of .debug_aranges (section 6.1.2); the cursor moves behind it. False: broken. */
static bool read_arange_set(struct dwarf *d, struct dwarf_reader *r)
{
	struct range_list l = { .ranges = &d->aranges };
	const u8 *begin = r->p;
	struct dwarf_reader set = *r;
	unsigned int offset_size = 4;
	u64 len = dwarf_bytes(&set, 4);
	unsigned int addr_size, segment_size;

	if (len == 0xffffffff) {
		offset_size = 8;
		len = dwarf_bytes(&set, 8);
	}
	if (set.bad || len > (u64)(set.end - set.p))
		return false;
	set.end = r->p = set.p + len;
	if (dwarf_bytes(&set, 2) != 2)
		return true;
	l.unit = dwarf_bytes(&set, offset_size);
	addr_size = (unsigned int)dwarf_bytes(&set, 1);
	segment_size = (unsigned int)dwarf_bytes(&set, 1);
	if (set.bad || (addr_size != 4 && addr_size != 8) || segment_size)
		return true;
	dwarf_skip(&set,
		   (2 * addr_size - (u64)(set.p - begin) % (2 * addr_size)) % (2 * addr_size));
	while (dwarf_spend(d, DWARF_COST_RANGE)) {
		u64 lo = dwarf_bytes(&set, addr_size);
		u64 size = dwarf_bytes(&set, addr_size);

		if (set.bad || (!lo && !size))
			break;
		if (lo + size > lo)
			add_range(&l, lo, lo + size);
	}
	return true;
}

static void read_aranges(struct dwarf *d)
{
	struct dwarf_section *s = &d->sections[DWARF_ARANGES];
	struct dwarf_reader r = { .p = s->data, .end = s->data + s->size, .swap = d->swap };

	d->have_aranges = true;
	if (!dwarf_section_need(s, 0, s->size))
		return;
	while (r.p < r.end && read_arange_set(d, &r))
		;
	dwarf_ranges_sort(&d->aranges);
}

static const struct dwarf_range *range_of(const struct dwarf_ranges *ranges, u64 addr)
{
	size_t lo = search_up_to(ranges->v, ranges->nr, sizeof(*ranges->v), addr);

	return lo && addr < ranges->v[lo - 1].hi ? &ranges->v[lo - 1] : NULL;
}

static struct dwarf_unit *unit_of_range(struct dwarf *d, const struct dwarf_range *range)
{
	struct dwarf_unit *u = range ? unit_with_header(d, range->unit) : NULL;
	struct dwarf_die root;

	if (!u || u->split_type)
		return NULL;
	u->asked = d->asked;
	return is_ready(u) || dwarf_unit_prepare(d, u, &root) ? u : NULL;
}

struct dwarf_unit *dwarf_unit_of(struct dwarf *d, u64 addr)
{
	struct dwarf_unit *u;

	if (!d->have_aranges)
		read_aranges(d);
	u = unit_of_range(d, range_of(&d->aranges, addr));
	if (u)
		return u;
	if (!d->have_ranges)
		find_ranges(d);
	return unit_of_range(d, range_of(&d->ranges, addr));
}
