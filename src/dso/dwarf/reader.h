/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf_reader: a cursor over DWARF bytes that cannot leave them. After a read past the end, `bad`
 * is set and every value is 0; callers check once at the end of a unit. Little and big endian.
 */
#ifndef DSO_DWARF_READER_H
#define DSO_DWARF_READER_H

#include <string.h>

#include "base/types.h"

struct dwarf_reader {
	const u8 *p, *end;
	bool swap, bad;
};

static inline u64 dwarf_bytes(struct dwarf_reader *r, unsigned int size)
{
	u64 v = 0;

	if ((size_t)(r->end - r->p) < size) {
		r->bad = true;
		r->p = r->end;
		return 0;
	}
	if (r->swap) {
		for (unsigned int i = 0; i < size; i++)
			v = v << 8 | r->p[i];
	} else {
		memcpy(&v, r->p, size);
	}
	r->p += size;
	return v;
}

static inline u64 dwarf_uleb(struct dwarf_reader *r)
{
	u64 v = 0;

	for (unsigned int shift = 0; r->p < r->end; shift += 7) {
		u8 b = *r->p++;

		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

static inline s64 dwarf_sleb(struct dwarf_reader *r)
{
	u64 v = 0;

	for (unsigned int shift = 0; r->p < r->end; shift += 7) {
		u8 b = *r->p++;

		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		if (b & 0x80)
			continue;
		if (b & 0x40 && shift + 7 < 64)
			v |= ~0ULL << (shift + 7);
		return (s64)v;
	}
	r->bad = true;
	return 0;
}

static inline s64 dwarf_signed(struct dwarf_reader *r, unsigned int size)
{
	u64 v = dwarf_bytes(r, size);
	unsigned int up = 64 - 8 * size;

	return (s64)(v << up) >> up;
}

static inline void dwarf_skip(struct dwarf_reader *r, u64 n)
{
	if ((u64)(r->end - r->p) < n) {
		r->bad = true;
		n = (u64)(r->end - r->p);
	}
	r->p += n;
}

#endif
