/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines and addresses. Where several lines begin at one address, as in optimised code, a
 * probe there is one of the first of them.
 */
#include <string.h>

#include "base/search.h"
#include "probe/debug_internal.h"

enum { ROWS_MAX = 1 << 22, UNIT_FILES_MAX = 1 << 20 };

static void add_row(void *ctx, const struct dwarf_row *row)
{
	struct debug_unit *u = ctx;
	u32 order = (u32)u->rows.nr;

	if ((row->is_stmt || row->end) && u->rows.nr < ROWS_MAX)
		*VEC_PUSH(&u->rows) = (struct debug_row){ .addr = row->addr,
							  .order = order,
							  .file = row->file,
							  .line = row->line,
							  .prologue_end = row->prologue_end,
							  .end = row->end };
}

static int row_cmp(const void *a, const void *b)
{
	const struct debug_row *x = a;
	const struct debug_row *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	/* A sequence that ends where the next begins. */
	if (x->end != y->end)
		return x->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void probe_unit_rows(struct debug_unit *u)
{
	size_t to = 0;
	size_t from = 0;

	if (u->have_rows)
		return;
	u->have_rows = true;
	dwarf_line_rows(u->d, u->u, add_row, u);
	/* Code that the linker dropped stands at 0. */
	for (size_t i = 0; i < u->rows.nr; i++) {
		if (!u->rows.v[i].end)
			continue;
		if (u->rows.v[from].addr) {
			memmove(u->rows.v + to, u->rows.v + from,
				(i + 1 - from) * sizeof(*u->rows.v));
			to += i + 1 - from;
		}
		from = i + 1;
	}
	u->rows.nr = to;
	VEC_SORT(&u->rows, row_cmp);
}

/* The first row at an address; NULL: none begins there. */
static const struct debug_row *probe_row_at(struct debug_unit *u, u64 addr)
{
	size_t i;

	probe_unit_rows(u);
	i = addr ? search_up_to(u->rows.v, u->rows.nr, sizeof(*u->rows.v), addr - 1) : 0;
	while (i < u->rows.nr && u->rows.v[i].addr == addr && u->rows.v[i].end)
		i++;
	return i < u->rows.nr && u->rows.v[i].addr == addr ? &u->rows.v[i] : NULL;
}

const struct debug_row *probe_row_around(struct debug_unit *u, u64 addr)
{
	size_t i;

	probe_unit_rows(u);
	i = search_up_to(u->rows.v, u->rows.nr, sizeof(*u->rows.v), addr);
	if (!i || u->rows.v[i - 1].end)
		return NULL;
	return probe_row_at(u, u->rows.v[i - 1].addr);
}

bool probe_unit_file(struct debug_unit *u, const char *asked, struct dwarf_place *out)
{
	bool found = false;
	u32 unknown = 0;

	/* Numbers begin with 0 or 1. */
	for (u32 i = 0; i < UNIT_FILES_MAX && unknown < 2 && !found; i++) {
		if (dwarf_line_file(u->d, u->u, i, out))
			found = probe_place_fits(out, asked);
		else
			unknown++;
	}
	return found;
}

size_t probe_rows_from(struct debug_unit *u, const struct probe_function *f, u64 *end)
{
	u64 lo = 0;

	probe_unit_rows(u);
	*end = UINT64_MAX;
	if (!f || !debug_entry_range(&f->entry, &lo, end))
		return 0;
	/* Where it is entered, it may have no code. */
	lo = MIN(lo, f->start);
	*end = MAX(*end, f->start + 1);
	return lo ? search_up_to(u->rows.v, u->rows.nr, sizeof(*u->rows.v), lo - 1) : 0;
}

/* The function that begins at an address. */
static bool starts_function(struct debug_unit *u, u64 addr, struct dwarf_entry *e)
{
	size_t i;

	debug_unit_index(u);
	i = search_up_to(u->code.v, u->code.nr, sizeof(*u->code.v), addr);
	u64 start;

	return i && u->code.v[i - 1].lo == addr &&
	       dwarf_entry_at(u->full_d, u->full, u->code.v[i - 1].die, e) &&
	       debug_entry_start(e, &start) && start == addr;
}

bool probe_line_of(struct debug_info *g, struct debug_unit *u, u64 addr, struct dwarf_place *out)
{
	const struct debug_row *row = probe_row_at(u, addr);
	struct dwarf_entry e;

	(void)g;
	if (!row || !dwarf_line_file(u->d, u->u, row->file, out))
		return false;
	out->line = row->line;
	if (starts_function(u, addr, &e)) {
		struct dwarf_place place;

		dwarf_entry_complete(&e);
		if (dwarf_entry_place(&e, &place))
			*out = place;
	}
	return true;
}

/* What the compiler marked; else the second row, since compilers put one behind what sets the frame
 * up. */
u64 probe_skip_prologue(const struct probe_function *f)
{
	struct debug_unit *u = f->unit;
	u64 second = 0;
	u64 lo, end;
	size_t i;

	if (!debug_entry_range(&f->entry, &lo, &end))
		return f->start;
	probe_unit_rows(u);
	i = search_up_to(u->rows.v, u->rows.nr, sizeof(*u->rows.v), f->start - 1);
	for (; i < u->rows.nr && u->rows.v[i].addr < end && !u->rows.v[i].end; i++) {
		const struct debug_row *row = &u->rows.v[i];

		if (row->prologue_end)
			return row->addr;
		if (!second && row->addr > f->start && row->line)
			second = row->addr;
	}
	return second ? second : f->start;
}
