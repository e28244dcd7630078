/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names: what a dynamic tracepoint is called when the user does not say: perf's rules. Thread-safe.
 */
#ifndef PROBE_NAMES_H
#define PROBE_NAMES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "probe/events.h"
#include "probe/point.h"

enum { PROBE_NAME_MAX = 63 }; /* what the kernel takes */

/* "probe", or for an object "probe_" and its file's name up to what cannot be in a group's. */
void probe_make_group(const char *path, struct strbuf *out);

/*
 * The name from which an event's is made: "main", "main_L3", "abs_1139"; symbol: of the function
 * that the place is in, for points that name none or many; "" where nothing is known.
 */
void probe_base_name(const struct probe_definition *d, const char *symbol, struct strbuf *out);

/*
 * The event's name in place of what out holds: base up to a "." or "@", with "__return" for a
 * function's return, and
 * "_1", "_2", ... as long as its group in `taken` has it where `numbered`. E2BIG: too long. EEXIST:
 * taken has it. EINVAL: no name can be made of it.
 */
struct probe_name_wish {
	const char *group, *base;
	bool is_return;
	bool numbered;
};
int probe_make_name(const struct probe_name_wish *w, const struct probe_events *taken,
		    struct strbuf *out, struct err *e);

#endif
