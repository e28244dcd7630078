/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/glyph.h"

/* Bytes of a character that begins so; 1: ASCII, or no beginning. */
static u32 length_of(u8 first)
{
	return first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 1;
}

/* Whether a code of so many bytes would fit into fewer, or is none. */
static bool is_forbidden(u32 code, u32 len)
{
	return (len == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) ||
	       (len == 4 && (code < 0x10000 || code > 0x10ffff));
}

struct glyph glyph_at(const char *text)
{
	const u8 *p = (const u8 *)text;
	struct glyph g = { .len = 1, .code = p[0], .wrong = p[0] >= 0x80 };
	u32 len = length_of(p[0]);
	u32 code = len > 1 ? p[0] & (0x7fU >> len) : p[0];
	u32 i = 1;

	for (; i < len && (p[i] & 0xc0) == 0x80; i++)
		code = code << 6 | (p[i] & 0x3f);
	if (len > 1 && i == len && !is_forbidden(code, len)) {
		g.len = (u8)len;
		g.code = code;
		g.wrong = false;
	}
	g.control = g.code < 0x20 || (g.code >= 0x7f && g.code < 0xa0) ||
		    (g.code >= 0x202a && g.code <= 0x202e) ||
		    (g.code >= 0x2066 && g.code <= 0x2069);
	return g;
}
