/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/similar.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"

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
			unsigned int best = last[j - 1] + (a[i - 1] != b[j - 1]);
			best = MIN(best, MIN(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
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

bool similar_is_close(const char *typed, const char *name, unsigned int *distance)
{
	size_t len = strlen(typed);
	*distance = similar_distance(typed, name);
	if (len >= 2 && !strncmp(name, typed, len)) {
		*distance = 0;
		return true;
	}
	return *distance <= 1 + len / 4 && *distance < strlen(name);
}
