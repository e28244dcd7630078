/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/similar.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

static int folded(char c)
{
	return c == '_' ? '-' : tolower((u8)c);
}

static bool same(char a, char b)
{
	return folded(a) == folded(b);
}

unsigned int similar_distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	unsigned int rows[3][SIMILAR_MAX + 1];
	if (na > SIMILAR_MAX || nb > SIMILAR_MAX)
		return UINT_MAX;
	unsigned int *before = rows[0], *last = rows[1], *row = rows[2];
	memset(before, 0, sizeof(rows[0]));
	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int best = last[j - 1] + !same(a[i - 1], b[j - 1]);
			best = MIN(best, MIN(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				best = MIN(best, before[j - 2] + 1);
			row[j] = best;
		}
		unsigned int *reuse = before;
		before = last;
		last = row;
		row = reuse;
	}
	return last[nb];
}

/* Which letters there are, a bit for each (and for others that have the same bit). */
static u64 letters(const char *s)
{
	u64 set = 0;
	for (; *s; s++)
		set |= 1ULL << (folded(*s) & 63);
	return set;
}

/*
 * Of a hundred thousand names nearly all are too far away, which is seen without counting the
 * edits: each changes the length by one at most, and brings or takes one letter at most.
 */
static bool may_be_within(const char *a, const char *b, unsigned int most)
{
	size_t na = strlen(a), nb = strlen(b);
	if ((na > nb ? na - nb : nb - na) > most)
		return false;
	u64 of_a = letters(a), of_b = letters(b);
	return (unsigned int)__builtin_popcountll(of_a & ~of_b) <= most &&
	       (unsigned int)__builtin_popcountll(of_b & ~of_a) <= most;
}

bool similar_is_close(const char *typed, const char *name, unsigned int *distance)
{
	size_t len = strlen(typed);
	unsigned int most = 1 + (unsigned int)len / 4;
	if (len >= 2 && !strncmp(name, typed, len)) {
		*distance = 0;
		return true;
	}
	*distance = may_be_within(typed, name, most) ? similar_distance(typed, name) : UINT_MAX;
	return *distance <= most && *distance < MIN(len, strlen(name));
}

void similar_init(struct similar *s, const char *typed)
{
	*s = (struct similar){ .typed = typed };
}

/* In alphabetical order, each once; the last ones are dropped where there is no room. */
static void keep(struct similar *s, const char *what)
{
	size_t at = 0;
	int order = 1;
	while (at < s->nr && (order = strcmp(s->names[at], what)) < 0)
		at++;
	if (at < s->nr && !order)
		return;
	s->more |= s->nr == SIMILAR_SHOWN;
	if (at == SIMILAR_SHOWN)
		return;
	size_t moved = MIN(s->nr, (size_t)SIMILAR_SHOWN - 1) - at;
	memmove(s->names[at + 1], s->names[at], moved * sizeof(s->names[0]));
	snprintf(s->names[at], sizeof(s->names[at]), "%s", what);
	s->nr = MIN(s->nr + 1, (size_t)SIMILAR_SHOWN);
}

void similar_offer_as(struct similar *s, const char *name, const char *what)
{
	unsigned int distance;
	if (strlen(what) >= sizeof(s->names[0]) || !similar_is_close(s->typed, name, &distance))
		return;
	if (s->nr && distance > s->best)
		return;
	if (distance < s->best || !s->nr) {
		s->nr = 0;
		s->more = false;
		s->best = distance;
	}
	keep(s, what);
}

void similar_offer(struct similar *s, const char *name)
{
	similar_offer_as(s, name, name);
}

void similar_offer_all(struct similar *s, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		similar_offer(s, names[i]);
}

bool similar_question(const struct similar *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->nr; i++) {
		bool last = i + 1 == s->nr && !s->more;
		strbuf_adds(out, !i ? "did you mean '" : last ? " or '" : ", '");
		strbuf_add_escaped(out, s->names[i]);
		strbuf_addch(out, '\'');
	}
	if (s->nr)
		strbuf_adds(out, s->more ? " or another?" : "?");
	return s->nr != 0;
}

void similar_hint(const struct similar *s, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	if (similar_question(s, &text))
		err_hint(e, "%s", text.buf);
}

void similar_hint_of(const char *typed, const char *const *names, size_t nr, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct similar s;
	similar_init(&s, typed);
	similar_offer_all(&s, names, nr);
	if (similar_question(&s, &text))
		strbuf_addch(&text, ' ');
	strbuf_adds(&text, "known are ");
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "", names[i]);
	err_hint(e, "%s", text.buf);
}
