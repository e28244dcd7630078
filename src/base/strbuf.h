/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * strbuf: a growing byte string.
 *
 * Invariants: buf is never NULL and buf[len] is '\0' (after STRBUF_INIT it points to a shared empty
 * string, so do not write through it before strbuf_grow()). Release with strbuf_release(), which
 * leaves an empty usable strbuf; strbuf_detach() hands the memory to the caller, who frees it.
 * Not thread-safe per object.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <string.h>

#include "base/types.h"

struct strbuf {
	char *buf;
	size_t len;
	size_t cap; /* bytes allocated, 0 = shared empty string */
};

extern char strbuf_empty[];
#define STRBUF_INIT                                                                                \
	{                                                                                          \
		.buf = strbuf_empty                                                                \
	}

void strbuf_release(struct strbuf *sb);
char *strbuf_detach(struct strbuf *sb);
void strbuf_grow(struct strbuf *sb, size_t extra); /* room for extra bytes and the NUL */
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

static inline void strbuf_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->cap)
		sb->buf[0] = '\0';
}

/* data may be NULL when len is 0. */
static inline void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	if (!len)
		return;
	if (sb->cap < sb->len + len + 1)
		strbuf_grow(sb, len);
	memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

static inline void strbuf_adds(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

static inline void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

/* n copies of c. */
void strbuf_pad(struct strbuf *sb, char c, size_t n);
/* Adds blanks until the text from place `from` on has this width. */
void strbuf_pad_from(struct strbuf *sb, size_t from, size_t width);
/* Fast number writers for hot paths: no locale, no printf. */
void strbuf_add_u64(struct strbuf *sb, u64 v);
void strbuf_add_u64_width(struct strbuf *sb, u64 v, int width, char fill); /* right-aligned */
/* As "%*.2f" writes it, with 1 to 3 digits behind the point. */
void strbuf_add_fixed(struct strbuf *sb, double v, int width, unsigned int digits);
void strbuf_add_hex(struct strbuf *sb, u64 v); /* no 0x, no leading zeros */
void strbuf_add_hex_width(struct strbuf *sb, u64 v, int width, char fill);
void strbuf_add_hex16(struct strbuf *sb, u64 v); /* "%016llx" */
/* s padded with blanks to width: right-aligned if width > 0, left-aligned if < 0; never cut. */
void strbuf_add_aligned(struct strbuf *sb, const char *s, int width);
/*
 * s with what could drive a terminal written as \xNN, for names from files: characters below 0x20
 * and 0x7f, the C1 controls (0x80 to 0x9f, in UTF-8 or as bytes that are no UTF-8), and what turns
 * the direction of text (\uNNNN).
 */
void strbuf_add_escaped(struct strbuf *sb, const char *s);
/* What sb has from `from` on is written so. */
void strbuf_escape(struct strbuf *sb, size_t from);
/* The same for a part of a line whose parts this character separates: it is written so, too. */
void strbuf_add_part(struct strbuf *sb, const char *s, char separator);
/* The same for text of several lines: line ends and tabs stay. */
void strbuf_add_escaped_lines(struct strbuf *sb, const char *s);

/* s as a part of a line in a file: line ends are written as \x0a and \x0d, all else stays. */
void strbuf_add_one_line(struct strbuf *sb, const char *s);
/* What sb has from `from` on, with the same characters as by strbuf_add_escaped() replaced by '?',
 * byte by byte. */
void strbuf_mask_controls(struct strbuf *sb, size_t from);

void strbuf_releasep(struct strbuf *sb); /* for _cleanup_ */

#endif
