/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inlined: functions that a build has no symbol of, since the compiler inlined all calls of them:
 * where, by its debug information. What is told is proven: an entry of an inlined call in a
 * function that was sampled there. Nothing is told where there is no debug information.
 */
#ifndef PROFILE_INLINED_H
#define PROFILE_INLINED_H

#include "base/strbuf.h"
#include "dso/dso.h"

/* Bytes of code that are looked at for one comparison at most: a search takes a microsecond for
 * each. */
enum { INLINED_BYTES = 1 << 19 };

/*
 * Whether a function of the object has an inlined call of `name`. symbol: the function; left: bytes
 * that may still be looked at.
 */
bool inlined_in(struct dso *d, u32 symbol, const char *name, size_t *left);

#endif
