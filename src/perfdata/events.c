/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a recording: by number, by id, their names and groups. */
#include <errno.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/limits.h"
#include "perfdata/reader.h"
#include "perfdata/swap.h"

static struct id_slot *id_find(const struct id_map *m, u64 id)
{
	u32 i = (u32)hash_u64(id) & m->mask;

	while (m->slots[i].event1 && m->slots[i].id != id)
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static void id_add(struct id_map *m, u64 id, u32 event)
{
	struct id_slot *s;

	if (!m->slots || m->nr + m->nr / 2 >= m->mask) {
		struct id_map old = *m;

		m->mask = old.slots ? old.mask * 2 + 1 : 63;
		m->slots = XNEW_ARRAY(struct id_slot, (size_t)m->mask + 1);
		for (u32 i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].event1)
				*id_find(m, old.slots[i].id) = old.slots[i];
		free(old.slots);
	}
	s = id_find(m, id);
	if (s->event1)
		return; /* the first owner keeps it */
	*s = (struct id_slot){ .id = id, .event1 = event + 1 };
	m->nr++;
}

const struct perfdata_event *perfdata_event_by_id(const struct perfdata *f, u64 id)
{
	const struct id_slot *s;

	if (!f->ids.slots)
		return NULL;
	s = id_find(&f->ids, id);
	return s->event1 ? &f->events.v[s->event1 - 1]->ev : NULL;
}

/* Records made by the tool have id 0: they belong to no event in particular. */
static const struct perfdata_event *event_of_id(const struct perfdata *f, u64 id)
{
	return id ? perfdata_event_by_id(f, id) : &f->events.v[0]->ev;
}

/* (Apart, so that samples do not pay for its frame.) */
static __attribute__((noinline)) const struct perfdata_event *event_of_other(
	const struct perfdata *f, const struct perf_event_header *h)
{
	const struct sample_layout *l = &f->events.v[0]->ev.layout;
	struct sample_id tail;

	return event_of_id(f, l->tail_id && sample_id_decode(l, h, &tail) ? tail.id : 0);
}

const struct perfdata_event *perfdata_event_of(const struct perfdata *f,
					       const struct perf_event_header *h)
{
	const struct perfdata_event *first;

	if (UNLIKELY(!f->events.nr))
		return NULL;
	first = &f->events.v[0]->ev;
	if (f->events.nr == 1)
		return first;
	if (h->type != PERF_RECORD_SAMPLE)
		return event_of_other(f, h);
	if (!first->layout.id_pos || h->size < first->layout.id_pos + 8U)
		return first;
	return event_of_id(f, bits_u64((const u8 *)h + first->layout.id_pos));
}

int events_add(struct perfdata *f, const void *attr, u32 attr_size, u64 *ids, size_t nr_ids,
	       struct err *e)
{
	struct event_box *b;

	if (f->events.nr >= LIMIT_EVENTS) {
		free(ids);
		return err_set(e, E2BIG, "'%s' has more than %d events", f->path, LIMIT_EVENTS);
	}
	b = XNEW(struct event_box);
	attr_from_file(&b->ev.attr, attr, attr_size, f->swap);
	b->ev.index = (u32)f->events.nr;
	b->ev.attr_size = attr_size;
	sample_layout_init(&b->ev.layout, &b->ev.attr);
	b->name = event_name_derive(&b->ev.attr);
	b->ev.name = b->name;
	b->ev.scale = 1.0;
	b->ev.ids = b->ids = ids;
	b->ev.nr_ids = nr_ids;
	b->ev.leader = b->ev.index;
	b->ev.nr_members = 1;
	*VEC_PUSH(&f->events) = b;
	for (size_t i = 0; i < nr_ids; i++)
		id_add(&f->ids, ids[i], b->ev.index);
	return 0;
}

void events_set_name(struct event_box *b, const char *name)
{
	struct strbuf shown = STRBUF_INIT;

	strbuf_add_escaped(&shown, name);
	free(b->name);
	b->name = strbuf_detach(&shown);
	b->ev.name = b->name;
	b->named = true;
}

static void name_event(struct perfdata *f, struct event_box *b)
{
	const struct perfdata_info *info = &f->info;
	const char *name = NULL;

	if (b->ev.index < info->nr_events)
		name = info->events[b->ev.index].name;
	if (!name && b->ev.attr.type == PERF_TYPE_TRACEPOINT) {
		if (!f->trace_names && info_has(info, FEAT_TRACING_DATA)) {
			const void *blob;
			size_t size;

			perfdata_tracing_data(f, &blob, &size);
			f->trace_names = trace_names_from_blob(blob, size);
		}
		name = trace_names_find(f->trace_names, b->ev.attr.config);
	}
	if (name)
		events_set_name(b, name);
}

void events_find_names(struct perfdata *f)
{
	const struct perfdata_info *info = &f->info;

	f->tables_dirty = false;
	for (size_t i = 0; i < f->events.nr; i++)
		if (!f->events.v[i]->named)
			name_event(f, f->events.v[i]);
	for (u32 g = 0; g < info->nr_groups; g++) {
		const struct info_group *gr = &info->groups[g];

		if (gr->leader >= f->events.nr || gr->nr_members > f->events.nr - gr->leader ||
		    gr->nr_members < 2)
			continue;
		for (u32 m = 0; m < gr->nr_members; m++) {
			f->events.v[gr->leader + m]->ev.leader = gr->leader;
			f->events.v[gr->leader + m]->ev.nr_members = gr->nr_members;
		}
		f->events.v[gr->leader]->ev.group_name = gr->name;
	}
}

size_t perfdata_nr_events(const struct perfdata *f)
{
	return f->events.nr;
}

const struct perfdata_event *perfdata_event(const struct perfdata *f, size_t i)
{
	return i < f->events.nr ? &f->events.v[i]->ev : NULL;
}

bool perfdata_has_sample_type(const struct perfdata *f, u64 fields)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->attr.sample_type & fields)
			return true;
	return false;
}

bool perfdata_has_groups(const struct perfdata *f)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->leader != i)
			return true;
	return false;
}
