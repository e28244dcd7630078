/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorded_ids: the objects of a recording and their build ids, as buildid-list prints them and
 * buildid-cache --missing and archive use them.
 */
#ifndef RECORDING_RECORDED_IDS_H
#define RECORDING_RECORDED_IDS_H

#include "base/vec.h"
#include "session/session.h"

struct recorded_id {
	char *path;
	struct build_id id; /* size 0 = unknown */
};
VEC_TYPE(recorded_ids, struct recorded_id);

/*
 * The header's list in its order, each path once, then what samples fell into and is not in it.
 * with_hits: only what samples fell into; the whole recording is read for that, as it is when there
 * is no list.
 */
int recorded_ids_read(struct session *s, bool with_hits, struct recorded_ids *out, struct err *e);
void recorded_ids_release(struct recorded_ids *ids);

#endif
