/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/quote.h"

#include <string.h>

/* Of a character that has a letter behind the backslash. */
static const char letters[128] = { ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f',
				   ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\' };

/* In octal, with as few digits as there may be: one of the text behind it would belong to them. */
static char *add_number(char *at, u8 c, const char *next, const char *end)
{
	bool all = next < end && *next >= '0' && *next <= '7';

	*at++ = '\\';
	if (all || c >= 0100)
		*at++ = (char)('0' + (c >> 6));
	if (all || c >= 010)
		*at++ = (char)('0' + (c >> 3 & 7));
	*at++ = (char)('0' + (c & 7));
	return at;
}

/* A character of one byte; `at` has room for four. */
static char *add_byte(char *at, const char *c, const char *end)
{
	char letter = (u8)*c < 128 ? letters[(u8)*c] : 0;

	if (!letter && *c >= ' ' && *c < 0x7f) {
		*at = *c;
		return at + 1;
	}
	if (!letter)
		return add_number(at, (u8)*c, c + 1, end);
	at[0] = '\\';
	at[1] = letter;
	return at + 2;
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
	enum { AT_ONCE = 256, MOST = 4 };
	const char *end = data + len;

	strbuf_addch(out, '"');
	while (data < end) {
		const char *stop = data + MIN((size_t)(end - data), (size_t)AT_ONCE);
		char *at;

		if (text && (u8)*data >= 0x80) {
			data += add_wide(out, data, (size_t)(end - data));
			continue;
		}
		strbuf_grow(out, AT_ONCE * MOST);
		at = out->buf + out->len;
		for (; data < stop && !(text && (u8)*data >= 0x80); data++)
			at = add_byte(at, data, end);
		out->len = (size_t)(at - out->buf);
		*at = '\0';
	}
	strbuf_addch(out, '"');
}
