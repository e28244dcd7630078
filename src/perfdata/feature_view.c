/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/feature_view.h"

#include <string.h>

#include "base/bits.h"
#include "base/limits.h"
#include "base/mem.h"

const void *view_bytes(struct feature_view *v, u64 len)
{
	const u8 *p = v->at;

	if (v->bad || len > (u64)(v->end - v->at)) {
		v->bad = true;
		return NULL;
	}
	v->at += len;
	return p;
}

u32 view_u32(struct feature_view *v)
{
	const u8 *p = view_bytes(v, 4);
	u32 x = p ? bits_u32(p) : 0;

	return v->swap ? __builtin_bswap32(x) : x;
}

u64 view_u64(struct feature_view *v)
{
	const u8 *p = view_bytes(v, 8);
	u64 x = p ? bits_u64(p) : 0;

	return v->swap ? __builtin_bswap64(x) : x;
}

const char *view_string(struct feature_view *v)
{
	u32 len = view_u32(v);
	const char *s = len <= LIMIT_STRING ? view_bytes(v, len) : NULL;

	if (!s || !memchr(s, 0, len)) {
		v->bad = true;
		return NULL;
	}
	return s;
}
