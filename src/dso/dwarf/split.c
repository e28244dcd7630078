/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split DWARF (DWARF 5 section 7.3; GNU's extension to DWARF 4, "DebugFission"): the linked file
 * keeps skeleton units with addresses and line tables, the other entries are in a .dwo file per
 * unit, or all in one .dwp file with an index.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "dso/dwarf/units.h"
#include "dso/elf/unpack.h"

enum { COLUMNS_MAX = 16, SLOTS_MAX = 1 << 24 };

/* Columns of the index; what 5 calls RNGLISTS is MACRO in GNU's version 2, which is not needed. */
enum {
	SECT_INFO = 1,
	SECT_ABBREV = 3,
	SECT_LOC = 5,
	SECT_STR_OFFSETS = 6,
	SECT_RNGLISTS = 8,
	SECT_MAX = 8
};

struct dwarf_package {
	size_t size; /* of .debug_cu_index */
	u16 version;
	u32 columns, units, slots;
	u64 signatures, rows, offsets; /* places in it */
	s8 column_of[SECT_MAX + 1]; /* -1 = not there */
};

/* Where a unit's parts are in the sections of its file. */
struct contribution {
	u64 info, abbrev, str_offsets, rnglists, loc;
};

static u64 value_at(const struct dwarf *d, u64 at, unsigned int size)
{
	const struct dwarf_package *p = d->index;
	struct dwarf_reader r = { .p = d->index_data + MIN(at, p->size),
				  .end = d->index_data + p->size,
				  .swap = d->swap };

	return dwarf_bytes(&r, size);
}

/* Header and columns; false where they do not fit into the section. */
static bool read_index(struct dwarf *d)
{
	struct dwarf_package *p = d->index;
	u64 ids;

	/* 2: a word; 5: a half and padding */
	p->version = value_at(d, 0, 4) == 2 ? 2 : (u16)value_at(d, 0, 2);
	p->columns = (u32)value_at(d, 4, 4);
	p->units = (u32)value_at(d, 8, 4);
	p->slots = (u32)value_at(d, 12, 4);
	if ((p->version != 2 && p->version != 5) || p->columns > COLUMNS_MAX || !p->slots ||
	    p->slots > SLOTS_MAX || p->units > p->slots || p->slots & (p->slots - 1))
		return false;
	p->signatures = 16;
	p->rows = p->signatures + (u64)p->slots * 8;
	ids = p->rows + (u64)p->slots * 4;
	p->offsets = ids + (u64)p->columns * 4;
	if (p->offsets + (u64)p->columns * p->units * 4 > p->size)
		return false;
	memset(p->column_of, -1, sizeof(p->column_of));
	for (u32 i = 0; i < p->columns; i++) {
		u64 id = value_at(d, ids + i * 4ULL, 4);

		if (id <= SECT_MAX)
			p->column_of[id] = (s8)i;
	}
	if (p->version == 2)
		p->column_of[SECT_RNGLISTS] = -1;
	return p->column_of[SECT_INFO] >= 0;
}

static void open_package(struct dwarf *d)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	const struct elf_section *s;
	u64 room = UNPACK_ROOM;
	struct dwarf *package;

	d->package_tried = true;
	if (!d->find_split(d->find_ctx, NULL, NULL, &f))
		return;
	s = elf_section_by_name(&f, ".debug_cu_index");
	package = s ? dwarf_open_split(&f, d) : NULL;
	if (!package)
		return;
	package->index = XNEW(struct dwarf_package);
	package->index_data = unpack_section(&f, s, &room, &package->index->size);
	if (package->index_data && read_index(package))
		d->package = package;
	else
		dwarf_close(package);
}

static u64 part_of(const struct dwarf *package, u32 row, int section)
{
	const struct dwarf_package *p = package->index;

	if (p->column_of[section] < 0)
		return 0;
	return value_at(package,
			p->offsets + ((u64)row * p->columns + (u64)p->column_of[section]) * 4, 4);
}

/* The index is a hash table with open addressing. */
static bool find_in_package(const struct dwarf *package, u64 id, struct contribution *out)
{
	const struct dwarf_package *p = package->index;
	u32 mask = p->slots - 1;
	u32 step = ((u32)(id >> 32) & mask) | 1;
	u32 slot = (u32)id & mask;

	for (u32 tries = 0; tries < p->slots; tries++, slot = (slot + step) & mask) {
		u32 row = (u32)value_at(package, p->rows + slot * 4ULL, 4);

		if (!row)
			return false;
		if (row > p->units || value_at(package, p->signatures + slot * 8ULL, 8) != id)
			continue;
		*out = (struct contribution){ .info = part_of(package, row - 1, SECT_INFO),
					      .abbrev = part_of(package, row - 1, SECT_ABBREV),
					      .str_offsets = part_of(package, row - 1,
								     SECT_STR_OFFSETS),
					      .rnglists = part_of(package, row - 1, SECT_RNGLISTS),
					      .loc = part_of(package, row - 1, SECT_LOC) };
		return true;
	}
	return false;
}

/* What the split unit cannot know by itself. */
static void adopt(struct dwarf_unit *full, struct dwarf_unit *skeleton,
		  const struct contribution *c)
{
	bool wide = full->offset_size == 8;

	full->skeleton = skeleton;
	full->dwo_id = skeleton->dwo_id;
	full->low_pc = skeleton->low_pc;
	full->addr_base = skeleton->addr_base;
	full->ranges_base = skeleton->ranges_base;
	full->abbrev += c->abbrev;
	/* DWARF 5: behind the headers of the tables. */
	full->str_offsets_base = c->str_offsets + (full->version < 5 ? 0U : wide ? 16U : 8U);
	full->rnglists_base = c->rnglists + (wide ? 20U : 12U);
	full->loclists_base = c->loc + (full->version < 5 ? 0U : wide ? 20U : 12U);
}

/* Its dwo_id: in the header, or (DWARF 4) an attribute of its entry. */
static bool has_id(struct dwarf *d, struct dwarf_unit *u, struct dwarf_unit *skeleton)
{
	struct dwarf_unit copy = *u;
	struct contribution none = { 0 };
	struct dwarf_die root;
	bool has = false;

	if (u->version >= 5 || u->broken)
		return !u->broken && u->dwo_id == skeleton->dwo_id;
	copy.abbrevs = NULL;
	copy.lines = NULL;
	copy.inlines = NULL;
	copy.tables = 0;
	adopt(&copy, skeleton, &none);
	has = dwarf_unit_prepare(d, &copy, &root) && root.dwo_id == skeleton->dwo_id;
	dwarf_forget_tables(d, &copy);
	return has;
}

static struct dwarf_unit *find_in_dwo(struct dwarf *d, struct dwarf_unit *skeleton)
{
	struct contribution whole = { 0 };

	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;

		if (u->split_type || !has_id(d, u, skeleton))
			continue;
		if (!u->prepared)
			adopt(u, skeleton, &whole);
		return u;
	}
	return NULL;
}

static struct dwarf_unit *find_packed(struct dwarf *package, struct dwarf_unit *skeleton)
{
	struct contribution c;
	struct dwarf_unit *u;

	if (!find_in_package(package, skeleton->dwo_id, &c))
		return NULL;
	u = dwarf_unit_before(package, c.info);
	if (!u || u->offset != c.info || u->broken)
		return NULL;
	if (!u->prepared)
		adopt(u, skeleton, &c);
	return u;
}

static void open_split(struct dwarf *d, struct dwarf_unit *u)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

	u->split_tried = true;
	if (d->find_split(d->find_ctx, u->comp_dir, u->dwo_name, &f))
		u->split = dwarf_open_split(&f, d);
}

struct dwarf_unit *dwarf_full_unit(struct dwarf *d, struct dwarf_unit *u, struct dwarf **in)
{
	struct dwarf_unit *full = NULL;
	struct dwarf_die root;

	*in = d;
	if (!u->dwo_name || !d->find_split)
		return u;
	if (!d->package_tried)
		open_package(d);
	if (d->package)
		full = find_packed(d->package, u);
	if (full && dwarf_unit_prepare(d->package, full, &root)) {
		*in = d->package;
		return full;
	}
	if (!u->split_tried)
		open_split(d, u);
	full = u->split ? find_in_dwo(u->split, u) : NULL;
	if (full && dwarf_unit_prepare(u->split, full, &root)) {
		*in = u->split;
		return full;
	}
	return u;
}
