/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns of names and of source lines. */
#include <ctype.h>

#include "probe/point.h"

/* Behind a class "[...]" that begins at p, or NULL when it has no end. *in: whether c is of it. */
static const char *match_class(const char *p, char c, bool *in)
{
	bool negated;

	p++;
	negated = *p == '!';
	if (negated)
		p++;
	*in = false;
	for (const char *first = p; *p && (*p != ']' || p == first); p++) {
		if (p[1] == '-' && p[2] && p[2] != ']') {
			*in |= c >= p[0] && c <= p[2];
			p += 2;
		} else {
			*in |= c == *p;
		}
	}
	*in ^= negated;
	return *p ? p + 1 : NULL;
}

/* Whether one element of the pattern takes c; *next: the element behind it. */
static bool match_one(const char *p, char c, const char **next)
{
	bool in;

	*next = p + 1;
	if (*p == '?')
		return true;
	if (*p == '[') {
		const char *behind = match_class(p, c, &in);

		*next = behind ? behind : p + 1;
		return behind && in;
	}
	if (*p == '\\' && p[1]) {
		*next = p + 2;
		return p[1] == c;
	}
	return *p == c;
}

static const char *skip_blanks(const char *s, bool lazy)
{
	while (lazy && isspace((unsigned char)*s))
		s++;
	return s;
}

static bool match(const char *p, const char *s, bool lazy)
{
	const char *star = NULL; /* the element behind the last '*', and what was tried behind it */
	const char *tried = NULL;

	for (;;) {
		const char *next;

		p = skip_blanks(p, lazy);
		s = skip_blanks(s, lazy);
		if (*p == '*') {
			star = ++p;
			tried = s;
			continue;
		}
		if (!*s && !*p)
			return true;
		if (*s && *p && match_one(p, *s, &next)) {
			p = next;
			s++;
			continue;
		}
		if (!star || !*tried)
			return false;
		p = star;
		s = ++tried;
	}
}

bool probe_match(const char *pattern, const char *s)
{
	return match(pattern, s, false);
}

bool probe_match_lazy(const char *pattern, const char *line)
{
	return match(pattern, line, true);
}
