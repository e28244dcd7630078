/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glyph: the characters of a text that may be anything: UTF-8 as RFC 3629 defines it (no overlong
 * forms, no surrogates, nothing above U+10FFFF); a byte that is none is a character by itself.
 */
#ifndef BASE_GLYPH_H
#define BASE_GLYPH_H

#include "base/types.h"

struct glyph {
	u8 len; /* bytes */
	bool control; /* could drive a terminal: C0, DEL, C1, what turns the direction of text */
	bool wrong; /* a byte that is no UTF-8 */
	u32 code; /* Unicode; of such a byte, its value */
};

/* What text begins with; it ends with NUL, and is not empty. */
struct glyph glyph_at(const char *text);

#endif
