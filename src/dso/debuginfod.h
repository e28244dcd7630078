/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debuginfod: debug information and programs by build id from servers, through libdebuginfod
 * (loaded when it is first needed), which keeps what it gets in a cache of its own and reads
 * $DEBUGINFOD_TIMEOUT, $DEBUGINFOD_CACHE_PATH and others: see debuginfod_find_debuginfo(3).
 *
 * Each thing is asked for once; several threads ask for several things at once. When the servers
 * cannot be reached they are left alone. Root asks no server where the library would write to a
 * cache that another user can change.
 */
#ifndef DSO_DEBUGINFOD_H
#define DSO_DEBUGINFOD_H

#include "base/strbuf.h"
#include "dso/dso.h"

enum debuginfod_kind { DEBUGINFOD_DEBUG, DEBUGINFOD_PROGRAM };

struct debuginfod;

/* Whether the library that asks servers is installed. */
bool debuginfod_is_installed(void);

/* NULL when there is no URL. what and its context must outlive it. Before any thread starts: the
 * library reads the URLs from the environment. */
struct debuginfod *debuginfod_new(const struct dso_fetch *what);
void debuginfod_free(struct debuginfod *d); /* NULL is allowed */

/*
 * The file in the client's cache; name: of the object, for messages. False: no server has it, or
 * none can be asked. Any thread; waits. d NULL: false.
 */
bool debuginfod_find(struct debuginfod *d, const struct build_id *id, enum debuginfod_kind kind,
		     const char *name, struct strbuf *path);

#endif
