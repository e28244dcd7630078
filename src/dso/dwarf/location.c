/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where variables are: location lists of DWARF 2 to 4 (.debug_loc, section 2.6.2 of DWARF 4), of
 * its split form (GNU's DebugFission) and of DWARF 5 (.debug_loclists, section 7.7.3).
 */
#include "dso/dwarf/entry.h"
#include "dso/dwarf/forms.h"

enum { LIST_MAX = 1 << 16, LIST_BYTES = 1 << 18 };

enum {
	LLE_END,
	LLE_BASEX,
	LLE_STARTX_ENDX,
	LLE_STARTX_LENGTH,
	LLE_OFFSET_PAIR,
	LLE_DEFAULT,
	LLE_BASE,
	LLE_START_END,
	LLE_START_LENGTH,
	LLE_GNU_VIEW_PAIR,
};

/* Of the split form, which has numbers of its own. */
enum { LLE_GNU_END, LLE_GNU_BASEX, LLE_GNU_STARTX_ENDX, LLE_GNU_STARTX_LENGTH };

struct location_list {
	const struct dwarf_entry *e;
	struct dwarf_reader r;
	u64 base;
	dwarf_location_fn *fn;
	void *ctx;
};

/* An expression with its length before; false: the end. */
static bool hand_out(struct location_list *l, u64 lo, u64 hi, u64 len)
{
	const u8 *code = l->r.p;

	dwarf_skip(&l->r, len);
	if (l->r.bad)
		return false;
	return lo > hi || l->fn(l->ctx, lo, hi, code, (size_t)len);
}

static bool old_item(struct location_list *l)
{
	const struct dwarf_unit *u = l->e->u;
	u64 all_ones = u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	u64 lo = dwarf_bytes(&l->r, u->addr_size);
	u64 hi = dwarf_bytes(&l->r, u->addr_size);

	if (l->r.bad || (!lo && !hi))
		return false;
	if (lo == all_ones) {
		l->base = hi;
		return true;
	}
	return hand_out(l, l->base + lo, l->base + hi, dwarf_bytes(&l->r, 2));
}

static u64 indexed(struct location_list *l)
{
	u64 addr = 0;

	if (!dwarf_address(l->e->d, l->e->u, dwarf_uleb(&l->r), &addr))
		l->r.bad = true;
	return addr;
}

static bool split_item(struct location_list *l)
{
	u64 lo, hi;

	switch (dwarf_bytes(&l->r, 1)) {
	case LLE_GNU_BASEX:
		l->base = indexed(l);
		return !l->r.bad;
	case LLE_GNU_STARTX_ENDX:
		lo = indexed(l);
		hi = indexed(l);
		break;
	case LLE_GNU_STARTX_LENGTH:
		lo = indexed(l);
		hi = lo + dwarf_bytes(&l->r, 4);
		break;
	case LLE_GNU_END:
	default:
		return false;
	}
	return hand_out(l, lo, hi, dwarf_bytes(&l->r, 2));
}

static bool new_item(struct location_list *l)
{
	unsigned int size = l->e->u->addr_size;
	u64 lo = 0;
	u64 hi = UINT64_MAX;

	switch (dwarf_bytes(&l->r, 1)) {
	case LLE_BASEX:
		l->base = indexed(l);
		return !l->r.bad;
	case LLE_BASE:
		l->base = dwarf_bytes(&l->r, size);
		return !l->r.bad;
	case LLE_GNU_VIEW_PAIR:
		dwarf_uleb(&l->r);
		dwarf_uleb(&l->r);
		return !l->r.bad;
	case LLE_STARTX_ENDX:
		lo = indexed(l);
		hi = indexed(l);
		break;
	case LLE_STARTX_LENGTH:
		lo = indexed(l);
		hi = lo + dwarf_uleb(&l->r);
		break;
	case LLE_OFFSET_PAIR:
		lo = l->base + dwarf_uleb(&l->r);
		hi = l->base + dwarf_uleb(&l->r);
		break;
	case LLE_DEFAULT:
		break;
	case LLE_START_END:
		lo = dwarf_bytes(&l->r, size);
		hi = dwarf_bytes(&l->r, size);
		break;
	case LLE_START_LENGTH:
		lo = dwarf_bytes(&l->r, size);
		hi = lo + dwarf_uleb(&l->r);
		break;
	default: /* the end, and unknown kinds */
		return false;
	}
	return hand_out(l, lo, hi, dwarf_uleb(&l->r));
}

/* Offset of a list that is given by its number. */
static bool list_at(struct dwarf *d, const struct dwarf_unit *u, u64 i, u64 *offset)
{
	struct dwarf_section *s = &d->sections[DWARF_LOCLISTS];
	struct dwarf_reader r = { .end = s->data + s->size, .swap = d->swap };

	if (u->loclists_base > s->size || i >= (s->size - u->loclists_base) / u->offset_size ||
	    !dwarf_section_need(s, u->loclists_base + i * u->offset_size, u->offset_size))
		return false;
	r.p = s->data + u->loclists_base + i * u->offset_size;
	*offset = u->loclists_base + dwarf_bytes(&r, u->offset_size);
	return true;
}

static bool read_list(const struct dwarf_entry *e, u64 offset, dwarf_location_fn *fn, void *ctx)
{
	struct dwarf_section *s = &e->d->sections[e->u->version >= 5 ? DWARF_LOCLISTS : DWARF_LOC];
	struct location_list l = { .e = e, .base = e->u->low_pc, .fn = fn, .ctx = ctx };
	bool (*item)(struct location_list * l) = e->u->version >= 5 ? new_item
						 : e->d->main       ? split_item
								    : old_item;

	/* In a package: behind where the unit's lists begin. */
	if (e->u->version < 5 && e->d->main)
		offset += e->u->loclists_base;
	if (offset >= s->size)
		return false;
	/* How long it is, only its end tells. */
	dwarf_section_need(s, offset, MIN(s->size - offset, (u64)LIST_BYTES));
	l.r = (struct dwarf_reader){ .p = s->data + offset,
				     .swap = e->d->swap,
				     .end = s->data + MIN((u64)s->size, offset + LIST_BYTES) };
	for (int i = 0; i < LIST_MAX && dwarf_spend(e->d, DWARF_COST_RANGE); i++)
		if (!item(&l))
			break;
	return true;
}

bool dwarf_locations(const struct dwarf_entry *e, const struct dwarf_value *v,
		     dwarf_location_fn *fn, void *ctx)
{
	u64 offset;

	switch (v->class) {
	case DWARF_BLOCK:
		fn(ctx, 0, UINT64_MAX, (const u8 *)v->s, (size_t)v->v);
		return true;
	case DWARF_OFFSET:
	case DWARF_CONSTANT: /* DWARF 2 and 3 */
		return read_list(e, v->v, fn, ctx);
	case DWARF_LOCATION_INDEX:
		return list_at(e->d, e->u, v->v, &offset) && read_list(e, offset, fn, ctx);
	default:
		return false;
	}
}
