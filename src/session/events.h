/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/events: events of samples by their ids, of which a file has one for each event and CPU:
 * remembered in a direct-mapped table, so that most are found by one look. Zero bytes are an empty
 * one; a thread has its own.
 */
#ifndef SESSION_EVENTS_H
#define SESSION_EVENTS_H

#include "base/bits.h"
#include "perfdata/perfdata.h"

enum { EVENT_SLOTS = 64 };

struct known_events {
	struct {
		u64 id;
		const struct perfdata_event *event; /* NULL = empty */
	} slots[EVENT_SLOTS];
	u16 id_pos; /* in samples; 0 = not known, or they have none */
};

/* What perfdata_event_of() says of a sample. */
static inline const struct perfdata_event *known_events_of(struct known_events *k,
							   const struct perfdata *f,
							   const struct perf_event_header *h)
{
	u64 id;

	if (UNLIKELY(!k->id_pos && perfdata_nr_events(f)))
		k->id_pos = perfdata_event(f, 0)->layout.id_pos;
	if (UNLIKELY(!k->id_pos || h->size < k->id_pos + 8U))
		return perfdata_event_of(f, h);
	id = bits_u64((const u8 *)h + k->id_pos);
	if (UNLIKELY(!k->slots[id % EVENT_SLOTS].event || k->slots[id % EVENT_SLOTS].id != id)) {
		k->slots[id % EVENT_SLOTS].id = id;
		k->slots[id % EVENT_SLOTS].event = perfdata_event_of(f, h);
	}
	return k->slots[id % EVENT_SLOTS].event;
}

#endif
