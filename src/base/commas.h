/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commas: words that commas separate, as options and settings have them. Thread-safe. */
#ifndef BASE_COMMAS_H
#define BASE_COMMAS_H

#include <string.h>

#include "base/types.h"

/* Whether the name is one of the words. */
static inline bool commas_have(const char *words, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = words; *p; p += strcspn(p, ","), p += *p == ',')
		if (strcspn(p, ",") == len && !memcmp(p, name, len))
			return true;
	return false;
}

#endif
