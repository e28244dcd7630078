/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kcore_cache: copies of running kernels in a build-id cache, each made at another time:
 *
 *	DIR/[kernel.kcore]/ID/YYYYMMDDhhmmssff/	kcore, kallsyms, modules
 */
#ifndef DSO_KCORE_CACHE_H
#define DSO_KCORE_CACHE_H

#include "base/strbuf.h"
#include "dso/dso.h"

/* The newest copy of a kernel; false: there is none. */
bool kcore_cache_newest(const char *dir, const struct build_id *id, struct strbuf *path);
/* A copy with the kernel and its modules where they are now (proc: "/proc"); false: there is none.
 */
bool kcore_cache_find(const char *dir, const struct build_id *id, const char *proc,
		      struct strbuf *path);
/* Where a new copy goes: its folder is not there yet, those above are. */
int kcore_cache_place(const char *dir, const struct build_id *id, struct strbuf *path,
		      struct err *e);
/* Remove all copies; -1 when one cannot be. */
int kcore_cache_purge(const char *dir, struct err *e);

#endif
