/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * similar: the known names that are nearest to a mistyped one, for "did you mean".
 *
 * Whoever knows the names offers them one by one, in any order; the nearest are kept, copied, in
 * alphabetical order:
 *
 *	struct similar near;
 *	similar_init(&near, typed);
 *	for (...)
 *		similar_offer(&near, table[i].name);
 *	similar_hint(&near, e);	// hint: did you mean 'symbol'?
 *
 * Capitals and '_' for '-' are no mistakes here. Not thread-safe per object; owns no memory.
 */
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include "base/err.h"
#include "base/strbuf.h"

enum {
	SIMILAR_MAX = 64, /* longer words are never similar */
	SIMILAR_SHOWN = 4, /* names kept */
};

struct similar {
	const char *typed; /* borrowed */
	unsigned int best; /* edits to each of the names */
	size_t nr;
	bool more; /* as near as these were more than could be kept */
	char names[SIMILAR_SHOWN][2 * SIMILAR_MAX];
};

/* Insertions, removals, replacements and swaps of neighbours between a and b; UINT_MAX if too long.
 */
unsigned int similar_distance(const char *a, const char *b);
/* Close enough to suggest: few edits for its length, or typed is the beginning of the name; of what
 * is not close the distance is not told. */
bool similar_is_close(const char *typed, const char *name, unsigned int *distance);

void similar_init(struct similar *s, const char *typed);
void similar_offer(struct similar *s, const char *name);
/* Compare with name, but suggest what (less than 128 bytes, else it is left out). */
void similar_offer_as(struct similar *s, const char *name, const char *what);
void similar_offer_all(struct similar *s, const char *const *names, size_t nr);

/* Append "did you mean 'a', 'b' or 'c'?" to out; nothing, and false, where no name is near. */
bool similar_question(const struct similar *s, struct strbuf *out);
/* The same as the error's hint, in place of one that it has. Where no name is near the hint stays.
 */
void similar_hint(const struct similar *s, struct err *e);
/*
 * For a list that is short enough to be shown: the hint is the question, if a name is near, and all
 * of the names: "did you mean 'dwarf'? known are fp, dwarf, lbr".
 */
void similar_hint_of(const char *typed, const char *const *names, size_t nr, struct err *e);

#endif
