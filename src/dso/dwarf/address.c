/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is at an address: its unit, and the functions that are inlined there. */
#include "base/search.h"
#include "dso/dwarf/units.h"

struct range_list {
	struct dwarf_ranges *ranges;
	u64 unit;
};

static void add_range(void *ctx, u64 lo, u64 hi)
{
	struct range_list *l = ctx;

	/* Code that the linker dropped stands at 0. */
	if (lo && l->ranges->nr < DWARF_RANGES_MAX)
		*VEC_PUSH(l->ranges) = (struct dwarf_range){ lo, hi, l->unit };
}

static void add_ranges_of(struct dwarf *d, struct dwarf_unit *u)
{
	struct range_list l = { &d->ranges, u->offset };
	size_t before = d->ranges.nr;
	struct dwarf_die root;

	if (u->split_type || !dwarf_unit_prepare(d, u, &root) || root.tag == DW_TAG_partial_unit)
		return;
	dwarf_die_ranges(d, u, &root, add_range, &l);
	/* DWARF 2 has no way to tell of code in several places. */
	if (d->ranges.nr == before)
		dwarf_line_ranges(d, u, add_range, &l);
}

static void find_ranges(struct dwarf *d)
{
	struct dwarf_unit *last = NULL;

	d->have_ranges = true;
	dwarf_find_units(d);
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;
		bool in_use = u->abbrevs || u->tables;

		add_ranges_of(d, u);
		/* Most units are never needed again, but the next may have the same
		 * abbreviations. */
		if (last)
			dwarf_forget_tables(d, last);
		last = in_use ? NULL : u;
		dwarf_trim_pages(d);
	}
	if (last)
		dwarf_forget_tables(d, last);
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
	struct dwarf_unit *u = range ? dwarf_unit_header(d, range->unit) : NULL;
	struct dwarf_die root;

	if (!u || u->split_type)
		return NULL;
	u->asked = d->asked;
	return dwarf_unit_is_ready(u) || dwarf_unit_prepare(d, u, &root) ? u : NULL;
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

size_t dwarf_inline_find(struct dwarf *d, struct dwarf_unit *u, u64 addr,
			 const struct dwarf_inline **out, size_t max)
{
	struct dwarf_unit *full;
	struct dwarf *full_d;

	if (!u->inlines) {
		full = dwarf_full_unit(d, u, &full_d);
		u->inlines = dwarf_inlines_new(d, u, full_d, full);
	}
	return dwarf_inlines_find(u->inlines, addr, out, max);
}
