/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/machines.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/limits.h"
#include "perfdata/record.h"

enum { READ_SIZE = 1 << 20 };

static void add_record(struct machines *m, const struct record_id_index *r)
{
	for (u64 i = 0; r->has_guests && i < r->nr && m->ids.nr < LIMIT_IDS; i++) {
		struct machine_id id = { .id = r->v[i].id,
					 .pid = (s32)r->guests[i].pid,
					 .vcpu = (s32)r->guests[i].vcpu };

		if (!id.pid || machines_find(m, id.id))
			continue;
		map_add(&m->by_id, hash_u64(id.id), (u32)m->ids.nr);
		*VEC_PUSH(&m->ids) = id;
	}
}

int machines_read(struct machines *m, struct perfdata *f, struct err *e)
{
	_cleanup_(mem_freep) u64 *buf = NULL;
	struct perfdata_chunk c;
	int r;

	if (perfdata_is_pipe(f))
		return 0;
	buf = XNEW_ARRAY(u64, READ_SIZE / sizeof(*buf));
	while ((r = perfdata_read(f, buf, READ_SIZE, &c, e)) > 0) {
		const u8 *p = (const u8 *)buf;

		for (size_t at = 0; at < c.len;
		     at += ((const struct perf_event_header *)(const void *)(p + at))->size) {
			const struct perf_event_header *h = (const void *)(p + at);
			union record_view v;

			if (h->type == PERF_RECORD_ID_INDEX && record_view(h, 0, &v))
				add_record(m, &v.id_index);
		}
	}
	perfdata_rewind(f);
	return r;
}

void machines_release(struct machines *m)
{
	vec_free(&m->ids);
	map_release(&m->by_id);
}

const struct machine_id *machines_find(const struct machines *m, u64 id)
{
	u32 i;

	for (struct map_probe p = map_first(&m->by_id, hash_u64(id)); map_next(&m->by_id, &p, &i);)
		if (m->ids.v[i].id == id)
			return &m->ids.v[i];
	return NULL;
}
