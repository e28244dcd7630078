/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * similar: how far a mistyped word is from a known one, for "did you mean".
 */
#ifndef CLI_SIMILAR_H
#define CLI_SIMILAR_H

#include "base/types.h"

enum { SIMILAR_MAX = 64 }; /* longer words are never similar */

/* Insertions, removals, replacements and swaps of neighbours between a and b; UINT_MAX if too long. */
unsigned int similar_distance(const char *a, const char *b);
/* Close enough to suggest: few edits for its length, or typed is the beginning of the name. */
bool similar_is_close(const char *typed, const char *name, unsigned int *distance);

#endif
