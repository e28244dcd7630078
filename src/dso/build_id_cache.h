/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build_id_cache: keeping copies of files by build id, in perf's layout, so that they are found when
 * the originals have been replaced:
 *
 *	DIR/PATH/ID/elf           the file (kallsyms, vdso for the special ones)
 *	DIR/.build-id/xx/yyyy...  symbolic link to ../../PATH/ID
 *
 * Best effort: what cannot be cached is left out. Thread-safe.
 */
#ifndef DSO_BUILD_ID_CACHE_H
#define DSO_BUILD_ID_CACHE_H

#include "dso/dso.h"

/* $PERF_BUILDID_DIR or ~/.debug into buf; false: there is no home. */
bool build_id_cache_dir(char *buf, size_t size);

/*
 * Keep the object name (a path, "[kernel.kallsyms]", "[vdso]") with this id. Nothing is done when it
 * is there already, or when the file does not have that id (any more). pid > 0: a process whose
 * mount namespace may know the path. A file on the same file system is linked, not copied.
 */
void build_id_cache_add(const char *dir, const char *name, const struct build_id *id, pid_t pid);

#endif
