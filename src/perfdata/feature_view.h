/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * feature_view: taking the body of a header feature apart, with bounds and byte order.
 *
 * All takers return zero or NULL once something did not fit; check view->bad at the end of a unit.
 * Strings are borrowed from the body and always NUL-terminated inside it.
 */
#ifndef PERFDATA_FEATURE_VIEW_H
#define PERFDATA_FEATURE_VIEW_H

#include "base/types.h"

struct feature_view {
	const u8 *at;
	const u8 *end;
	bool swap; /* foreign-endian */
	bool bad;
};

u32 view_u32(struct feature_view *v);
u64 view_u64(struct feature_view *v);
const void *view_bytes(struct feature_view *v, u64 len);
/* u32 length, then bytes with a NUL among them. */
const char *view_string(struct feature_view *v);

static inline u64 view_left(const struct feature_view *v)
{
	return v->bad ? 0 : (u64)(v->end - v->at);
}

#endif
