/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/quote.h"

#include <string.h>

static char letter_of(char c)
{
	static const char from[] = "\t\n\v\f\r\"\\", to[] = "tnvfr\"\\";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : 0;
}

/* An octal digit: behind a shorter number it would belong to it. */
static bool is_digit(const char *data, size_t len, size_t i)
{
	return i < len && data[i] >= '0' && data[i] <= '7';
}

/* A character of several bytes, as strbuf_add_escaped() has it. */
static size_t add_wide(struct strbuf *out, const char *data, size_t len)
{
	size_t nr = 1;
	char copy[5];

	while (nr < len && nr < 4 && ((u8)data[nr] & 0xc0) == 0x80)
		nr++;
	memcpy(copy, data, nr);
	copy[nr] = '\0';
	strbuf_add_escaped(out, copy);
	return nr;
}

void trace_quote(struct strbuf *out, const char *data, size_t len, bool text)
{
	strbuf_addch(out, '"');
	for (size_t i = 0; i < len;) {
		char c = data[i], letter = letter_of(c);

		if (letter) {
			strbuf_addch(out, '\\');
			strbuf_addch(out, letter);
		} else if (c >= ' ' && c < 0x7f) {
			strbuf_addch(out, c);
		} else if (text && (u8)c >= 0x80) {
			i += add_wide(out, data + i, len - i);
			continue;
		} else {
			strbuf_addf(out, is_digit(data, len, i + 1) ? "\\%03o" : "\\%o", (u8)c);
		}
		i++;
	}
	strbuf_addch(out, '"');
}
