/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/strbuf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/digits.h"
#include "base/glyph.h"
#include "base/mem.h"

char strbuf_empty[1];

void strbuf_release(struct strbuf *sb)
{
	if (sb->cap)
		free(sb->buf);
	sb->buf = strbuf_empty;
	sb->len = 0;
	sb->cap = 0;
}

void strbuf_releasep(struct strbuf *sb)
{
	strbuf_release(sb);
}

char *strbuf_detach(struct strbuf *sb)
{
	char *p;

	if (!sb->cap)
		strbuf_grow(sb, 0);
	p = sb->buf;
	sb->buf = strbuf_empty;
	sb->len = 0;
	sb->cap = 0;
	return p;
}

void strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t need = sb->len + extra + 1;
	size_t cap = sb->cap ? sb->cap : 64;

	if (need <= sb->cap)
		return;
	while (cap < need)
		cap += cap / 2 + 64;
	if (sb->cap) {
		sb->buf = xrealloc_array(sb->buf, cap, 1);
	} else {
		sb->buf = xmalloc(cap);
		sb->buf[0] = '\0';
	}
	sb->cap = cap;
}

void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	strbuf_grow(sb, 64);
	n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, ap);
	if (n > 0 && (size_t)n >= sb->cap - sb->len) {
		strbuf_grow(sb, (size_t)n);
		n = vsnprintf(sb->buf + sb->len, sb->cap - sb->len, fmt, again);
	}
	va_end(again);
	if (n > 0)
		sb->len += (size_t)n;
}

void strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(sb, fmt, ap);
	va_end(ap);
}

void strbuf_pad(struct strbuf *sb, char c, size_t n)
{
	strbuf_grow(sb, n);
	memset(sb->buf + sb->len, c, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

void strbuf_pad_from(struct strbuf *sb, size_t from, size_t width)
{
	if (sb->len - from < width)
		strbuf_pad(sb, ' ', width - (sb->len - from));
}

/* Room for n digits right-aligned in width columns; returns where the digits end. */
static char *add_columns(struct strbuf *sb, size_t n, int width, char fill)
{
	size_t blanks = width > 0 && (size_t)width > n ? (size_t)width - n : 0;

	if (sb->cap < sb->len + blanks + n + 1)
		strbuf_grow(sb, blanks + n);
	char *d = sb->buf + sb->len;

	sb->len += blanks + n;
	sb->buf[sb->len] = '\0';
	for (; blanks; blanks--)
		*d++ = fill;
	return d + n;
}

/* Room for a number; returns where it begins. */
static char *number_room(struct strbuf *sb)
{
	if (sb->cap < sb->len + DIGITS_ROOM + 1)
		strbuf_grow(sb, DIGITS_ROOM);
	return sb->buf + sb->len;
}

static void end_number(struct strbuf *sb, char *end)
{
	*end = '\0';
	sb->len = (size_t)(end - sb->buf);
}

void strbuf_add_u64(struct strbuf *sb, u64 v)
{
	end_number(sb, digits_put(number_room(sb), v));
}

void strbuf_add_u64_width(struct strbuf *sb, u64 v, int width, char fill)
{
	digits_put_before(add_columns(sb, digits_count(v), width, fill), v);
}

void strbuf_add_fixed(struct strbuf *sb, double v, int width, unsigned int digits)
{
	static const u32 powers[] = { 1, 10, 100, 1000 };
	double scaled = v * powers[digits];
	double rest;
	u64 n;
	char *end;

	/* too near to the middle for a product to tell, too large or negative: by the book */
	n = scaled >= 0 && scaled < 1e9 && !signbit(v) ? (u64)scaled : 0;
	rest = scaled - (double)n;
	if (signbit(v) || !(rest < 1) || (rest > 0.499999 && rest < 0.500001)) {
		strbuf_addf(sb, "%*.*f", width, (int)digits, v);
		return;
	}
	n += rest > 0.5;
	end = add_columns(sb, MAX(digits_count(n), digits + 1) + 1, width, ' ');
	for (unsigned int i = 0; i < digits; i++, n /= 10)
		*--end = (char)('0' + n % 10);
	*--end = '.';
	digits_put_before(end, n);
}

void strbuf_add_hex(struct strbuf *sb, u64 v)
{
	end_number(sb, digits_put_hex(number_room(sb), v));
}

void strbuf_add_hex_width(struct strbuf *sb, u64 v, int width, char fill)
{
	char digits[DIGITS_ROOM];
	size_t n = (size_t)(digits_put_hex(digits, v) - digits);

	memcpy(add_columns(sb, n, width, fill) - n, digits, n);
}

void strbuf_add_hex16(struct strbuf *sb, u64 v)
{
	digits_vec digits = digits_hex16(v);

	strbuf_add(sb, (const char *)&digits, sizeof(digits));
}

void strbuf_add_aligned(struct strbuf *sb, const char *s, int width)
{
	size_t n = strlen(s);
	size_t w = (size_t)(width < 0 ? -width : width);

	if (width > 0 && w > n)
		strbuf_pad(sb, ' ', w - n);
	strbuf_add(sb, s, n);
	if (width < 0 && w > n)
		strbuf_pad(sb, ' ', w - n);
}

static void add_escaped(struct strbuf *sb, const char *s, const char *kept)
{
	struct glyph g;

	for (;; s += g.len) {
		size_t plain = 0;

		while (s[plain] >= 0x20 && s[plain] < 0x7f)
			plain++;
		strbuf_add(sb, s, plain);
		s += plain;
		if (!*s)
			return;
		g = glyph_at(s);
		if (!g.control || (g.len == 1 && strchr(kept, *s)))
			strbuf_add(sb, s, g.len);
		else
			strbuf_addf(sb, g.code < 0x100 ? "\\x%02x" : "\\u%04x", g.code);
	}
}

void strbuf_add_escaped(struct strbuf *sb, const char *s)
{
	add_escaped(sb, s, "");
}

void strbuf_add_part(struct strbuf *sb, const char *s, char separator)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	add_escaped(&text, s, "");
	for (const char *p = text.buf;; p++) {
		size_t plain = strcspn(p, (char[]){ separator, '\0' });

		strbuf_add(sb, p, plain);
		p += plain;
		if (!*p)
			return;
		strbuf_addf(sb, "\\x%02x", (u8)*p);
	}
}

void strbuf_add_escaped_lines(struct strbuf *sb, const char *s)
{
	add_escaped(sb, s, "\n\t");
}

void strbuf_add_one_line(struct strbuf *sb, const char *s)
{
	for (;;) {
		size_t plain = strcspn(s, "\n\r");

		strbuf_add(sb, s, plain);
		s += plain;
		if (!*s)
			return;
		strbuf_addf(sb, "\\x%02x", (u8)*s++);
	}
}

/* Bytes that are zero, by their upper bits; of those behind one, some more may be told. */
static u64 zero_bytes(u64 v)
{
	return (v - 0x0101010101010101ULL) & ~v & 0x8080808080808080ULL;
}

/* How many bytes from there on are printable ASCII, some of them perhaps not counted. */
static size_t plain_bytes(const char *s, size_t len)
{
	size_t i = 0;
	u64 v;

	for (; i + sizeof(v) <= len; i += sizeof(v)) {
		memcpy(&v, s + i, sizeof(v));
		if ((v & 0x8080808080808080ULL) | zero_bytes(v & 0xe0e0e0e0e0e0e0e0ULL) |
		    zero_bytes(v ^ 0x7f7f7f7f7f7f7f7fULL))
			break;
	}
	return i;
}

void strbuf_escape(struct strbuf *sb, size_t from)
{
	_cleanup_(strbuf_releasep) struct strbuf raw = STRBUF_INIT;

	if (from + plain_bytes(sb->buf + from, sb->len - from) == sb->len)
		return;
	strbuf_add(&raw, sb->buf + from, sb->len - from);
	sb->len = from;
	strbuf_add_escaped(sb, raw.buf);
}

void strbuf_mask_controls(struct strbuf *sb, size_t from)
{
	size_t at = from + plain_bytes(sb->buf + from, sb->len - from);
	struct glyph g;

	for (; at < sb->len; at += g.len) {
		g = glyph_at(sb->buf + at);
		if (g.control)
			memset(sb->buf + at, '?', g.len);
	}
}
