/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units of debug information: their headers, and the memory that is kept of them. */
#include "dso/dwarf/units.h"

#include "base/mem.h"
#include "base/search.h"

enum { UNITS_MAX = 1 << 22, UNIT_HEADER_MAX = 12 + 2 + 1 + 1 + 8 + 8 + 8 };
/* Pages of the sections that are kept between questions, and a part of those that are packed. */
enum { PAGES_KEPT = 256, PACKED_PART = 8 };

enum {
	UT_COMPILE = 1,
	UT_TYPE = 2,
	UT_PARTIAL = 3,
	UT_SKELETON = 4,
	UT_SPLIT_COMPILE = 5,
	UT_SPLIT_TYPE = 6
};

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

size_t dwarf_units_up_to(const struct dwarf *d, u64 offset)
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
	size_t lo = dwarf_units_up_to(d, offset);

	return lo ? d->units.v[lo - 1] : NULL;
}

struct dwarf_unit *dwarf_unit_header(struct dwarf *d, u64 offset)
{
	size_t lo = dwarf_units_up_to(d, offset);
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

void dwarf_find_units(struct dwarf *d)
{
	const struct dwarf_unit *u;

	if (d->have_units)
		return;
	d->have_units = true;
	for (u64 at = 0; (u = dwarf_unit_header(d, at)) != NULL; at = u->end)
		;
}

/* ---- tables of units ---- */

static void count(struct dwarf *d, struct dwarf_unit *u, size_t bytes)
{
	d->tables += bytes;
	u->asked = d->asked;
	if (u->dropped)
		d->made_again += bytes;
}

void dwarf_count_tables(struct dwarf *d, struct dwarf_unit *u, size_t bytes)
{
	count(d, u, bytes);
	u->tables += bytes;
}

static size_t abbrev_bytes(const struct dwarf_abbrevs *t)
{
	return sizeof(*t) + t->abbrevs.cap * sizeof(*t->abbrevs.v) +
	       t->specs.cap * sizeof(*t->specs.v);
}

/* Versions are 2 to 5. */
static u64 abbrev_key(const struct dwarf_unit *u)
{
	return u->abbrev << 4 | (u64)(u->version - 2) << 2 | (u64)(u->addr_size == 8) << 1 |
	       (u64)(u->offset_size == 8);
}

/* How many tables do not stand behind a unit's. */
static size_t abbrevs_up_to(const struct dwarf *d, u64 key)
{
	return search_up_to(d->abbrevs.v, d->abbrevs.nr, sizeof(*d->abbrevs.v), key);
}

bool dwarf_share_abbrevs(struct dwarf *d, struct dwarf_unit *u)
{
	u64 key = abbrev_key(u);
	size_t n = abbrevs_up_to(d, key);

	if (!n || d->abbrevs.v[n - 1].key != key)
		return false;
	u->abbrevs = d->abbrevs.v[n - 1].table;
	u->abbrevs->units++;
	u->asked = d->asked;
	return true;
}

void dwarf_keep_abbrevs(struct dwarf *d, struct dwarf_unit *u, struct dwarf_abbrevs *t)
{
	u64 key = abbrev_key(u);
	size_t n = abbrevs_up_to(d, key);

	VEC_GROW(&d->abbrevs, 1);
	memmove(d->abbrevs.v + n + 1, d->abbrevs.v + n,
		(d->abbrevs.nr - n) * sizeof(*d->abbrevs.v));
	d->abbrevs.nr++;
	d->abbrevs.v[n] = (struct dwarf_abbrevs_place){ .key = key, .table = t };
	t->units = 1;
	u->abbrevs = t;
	count(d, u, abbrev_bytes(t));
}

void dwarf_abbrevs_free(struct dwarf_abbrevs *t)
{
	vec_free(&t->abbrevs);
	vec_free(&t->specs);
	free(t);
}

void dwarf_forget_abbrevs(struct dwarf *d, struct dwarf_unit *u)
{
	struct dwarf_abbrevs *t = u->abbrevs;
	size_t n;

	u->abbrevs = NULL;
	if (!t || --t->units)
		return;
	n = abbrevs_up_to(d, abbrev_key(u));
	d->abbrevs.nr--;
	memmove(d->abbrevs.v + n - 1, d->abbrevs.v + n,
		(d->abbrevs.nr + 1 - n) * sizeof(*d->abbrevs.v));
	d->tables -= abbrev_bytes(t);
	dwarf_abbrevs_free(t);
}

void dwarf_trim_pages(struct dwarf *d)
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
