/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sdt_cache: the statically defined trace points of cached objects, from the file "probes" that
 * lies beside an object in the build-id cache:
 *
 *	DIR/PATH/ID/probes	lines "%PROVIDER:NAME=NAME", each followed by its probe definitions
 *
 * Thread-safe.
 */
#ifndef DSO_SDT_CACHE_H
#define DSO_SDT_CACHE_H

#include "base/types.h"
#include "base/vec.h"

struct sdt_event {
	char *name; /* "sdt_python:line" */
	char *path; /* of the object */
	char id[48]; /* its build id, hex */
};
VEC_TYPE(sdt_events, struct sdt_event);

/*
 * All of a build-id cache, by name, then build id. What cannot be read is left out, and so are
 * objects that are no longer in their place with the same build id.
 */
void sdt_cache_read(const char *dir, struct sdt_events *out);
void sdt_events_release(struct sdt_events *events);

#endif
