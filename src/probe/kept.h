/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept: tracepoints that are known without looking for them: the static ones of an object, and
 * those that `perf probe --cache` has kept, in the file "probes" of the build-id cache (see
 * dso/symbols/sdt_cache.h):
 *
 *	%sdt_PROVIDER:NAME=NAME			a static one
 *	#GROUP:EVENT=POINT ARGS			a kept definition
 *	p:GROUP/EVENT PATH:0xOFFSET ARGS	the places of the one above, one a line
 *
 * Everything in the file is another's: lines of other forms are skipped, and sizes are capped.
 * Thread-safe per object.
 */
#ifndef PROBE_KEPT_H
#define PROBE_KEPT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "dso/dso.h"
#include "probe/events.h"

struct probe_kept {
	char *text; /* without its mark */
	bool is_static;
	struct probe_events places;
};
VEC_TYPE(probe_kept_vec, struct probe_kept);

void probe_kept_parse(const char *text, struct probe_kept_vec *out);
void probe_kept_release(struct probe_kept_vec *v);
/* As a file has it. */
void probe_kept_text(const struct probe_kept_vec *v, struct strbuf *out);

/* Those of a cached object; nothing when there are none. dir: of the cache. */
void probe_kept_read(const char *dir, const struct build_id *id, struct probe_kept_vec *out);
/* Puts them in place of what is kept of an object, which is in the cache. */
int probe_kept_write(const char *dir, const struct build_id *id, const struct probe_kept_vec *v,
		     struct err *e);
/* The static ones of an object that is mapped as path. */
void probe_kept_of_object(struct dso *d, const char *path, struct probe_kept_vec *out);
/* Those of a static point's arguments that the kernel cannot fetch, as sdt_notes_left_out(). */
void probe_kept_left_out(struct dso *d, const struct probe_kept *k, struct strbuf *out);

/* Whether a name (a pattern, too) means one; group NULL: of whichever group. */
bool probe_kept_is(const struct probe_kept *k, const char *group, const char *event);

#endif
