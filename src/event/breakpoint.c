/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event/parser.h"

/* attr.bp_type and attr.bp_len, perf_event_open(2) */
enum { BP_R = 1, BP_W = 2, BP_X = 4, BP_LEN_DEFAULT = 4, BP_LEN_EXEC = 8 };

static bool number(struct parser *p, u64 *value)
{
	const char *s = p->text + p->pos;
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	char *end;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, hex ? 16 : 10);
	if (errno || end == s)
		return false;
	parser_take(p, (size_t)(end - s));
	return true;
}

static u32 access_bits(const char *s, size_t len)
{
	u32 bits = 0;

	for (size_t i = 0; i < len; i++)
		bits |= s[i] == 'r' ? BP_R : s[i] == 'w' ? BP_W : BP_X;
	return bits;
}

/* [:rwx] or nothing; *bits 0 = none written. The ':' of modifiers is left alone. */
static int parse_access(struct parser *p, u32 *bits)
{
	const char *s = p->text + p->pos;
	size_t n;

	*bits = 0;
	if (*s != ':')
		return 0;
	n = strspn(s + 1, "rwx");
	if (!n)
		return modifiers_span(s + 1, strlen(s + 1))
			       ? 0
			       : parser_fail(p, (long)p->pos + 1, "parser error");
	for (size_t i = 0; i < n; i++)
		if (memchr(s + 1, s[1 + i], i))
			return parser_fail(p, (long)p->pos + 1, "parser error");
	parser_take(p, 1);
	*bits = access_bits(s + 1, n);
	parser_take(p, n);
	return 0;
}

int breakpoint_parse(struct parser *p)
{
	size_t start = p->pos;
	u64 addr;
	u64 len = 0;
	u32 bits;

	parser_take(p, strlen("mem:"));
	if (!number(p, &addr))
		return parser_fail(p, (long)start, "parser error");

	size_t name_end = p->pos;
	bool has_len = parser_peek(p) == '/';

	if (has_len) {
		parser_take(p, 1);
		if (!number(p, &len))
			return parser_syntax(p);
	}
	if (parse_access(p, &bits))
		return -1;

	struct event *ev = parser_add(p, EVENT_BREAKPOINT, PERF_TYPE_BREAKPOINT, 0);

	ev->attr.bp_addr = addr;
	ev->attr.bp_type = bits ? bits : BP_R | BP_W;
	ev->attr.bp_len = len ? len : bits == BP_X ? BP_LEN_EXEC : BP_LEN_DEFAULT;
	if (has_len) /* perf names these without what follows the address */
		ev->name = xstrndup(p->text + start, name_end - start);
	return 0;
}
