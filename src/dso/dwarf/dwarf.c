/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/dwarf/dwarf.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "dso/dwarf/units.h"
#include "dso/elf/unpack.h"

/* Work for each object, and for each byte of its debug information, of which compression makes so
 * many. */
enum { WORK_MIN = 1 << 27, WORK_PER_BYTE = 32, USUAL_PACKING = 16 };
/* Bytes of units' tables that are kept between questions, at least, and a part of the sections'
 * size.
 */
enum { TABLES_KEPT = 3 << 20, TABLES_PART = 16 };

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

		/* Only dwarf/entry.h needs them. */
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
	if (dwarf_unit_header(d, 0))
		return d;
	dwarf_close(d);
	return NULL;
}

struct dwarf *dwarf_open(const struct elf_file *f, const char *alt_path)
{
	_cleanup_(elf_close) struct elf_file alt = ELF_FILE_INIT;
	struct dwarf *d = open_one(f, dwarf_section_file(f), "");

	if (!dwarf_unit_header(d, 0)) {
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
	dwarf_find_units(d);
	if (d->units.nr)
		return d;
	dwarf_close(d);
	return NULL;
}

/* ---- what is kept ---- */

void dwarf_forget_tables(struct dwarf *d, struct dwarf_unit *u)
{
	dwarf_forget_abbrevs(d, u);
	dwarf_lines_free(u->lines);
	dwarf_inlines_free(u->inlines);
	u->lines = NULL;
	u->inlines = NULL;
	d->tables -= u->tables;
	u->tables = 0;
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
		if (((*u)->tables || (*u)->abbrevs) && (*u)->asked != d->asked)
			*VEC_PUSH(&units) = *u;
	VEC_SORT(&units, asked_cmp);
	for (size_t i = 0; i < units.nr && d->tables > d->tables_max / 2; i++) {
		dwarf_forget_tables(d, units.v[i]);
		units.v[i]->dropped = true;
	}
	/* One unit alone may have as many. */
	if (d->tables > d->tables_max / 2)
		d->tables_max = MAX(d->tables_max, 2 * d->tables);
	vec_free(&units);
}

void dwarf_trim(struct dwarf *d)
{
	trim_tables(d);
	dwarf_trim_pages(d);
	if (d->alt)
		dwarf_trim_pages(d->alt);
	if (d->package)
		dwarf_trim_pages(d->package);
	d->asked++;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	VEC_FOR(&d->units, it) {
		struct dwarf_unit *u = *it;

		dwarf_forget_tables(d, u);
		dwarf_close(u->split);
		free(u);
	}
	vec_free(&d->units);
	vec_free(&d->abbrevs);
	vec_free(&d->aranges);
	vec_free(&d->ranges);
	for (int i = 0; i < DWARF_NR_SECTIONS; i++)
		dwarf_section_close(&d->sections[i]);
	if (d->fd >= 0)
		close(d->fd);
	dwarf_close(d->alt);
	dwarf_close(d->types);
	dwarf_close(d->package);
	free(d->index_data);
	free(d->index);
	intern_release(&d->names);
	free(d);
}
