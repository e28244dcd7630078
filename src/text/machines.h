/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machines: of which virtual machine and which of its CPUs a record is, as `perf inject
 * --guest-data` writes it down: ID_INDEX records of events' numbers, behind their entries two words
 * more for each: the process that runs the machine, and the virtual CPU (doc/format/perf.data.md).
 */
#ifndef TEXT_MACHINES_H
#define TEXT_MACHINES_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "perfdata/perfdata.h"

struct machine_id {
	u64 id; /* of an event on a CPU */
	s32 pid, vcpu;
};

/* Constant once it is read: any thread. */
struct machines {
	VEC(struct machine_id) ids;
	struct map by_id;
};

/* Reads all of a file for them, and begins it anew; nothing of a stream, which can be read only
 * once. */
int machines_read(struct machines *m, struct perfdata *f, struct err *e);
void machines_release(struct machines *m);
/* NULL: the host, or unknown. */
const struct machine_id *machines_find(const struct machines *m, u64 id);

#endif
