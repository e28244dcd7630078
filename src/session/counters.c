/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counters: samples that carry counter values (PERF_SAMPLE_READ, groups with :S). Such a sample
 * stands for one sample of each counter in it, whose period is how far that counter went since its
 * previous value; counters that stood still have none. Steps follow the order of time, so this part
 * is serial; what it finds goes to the workers as members of the batch.
 */
#include "session/counters.h"

#include <string.h>

#include "base/hash.h"

void counters_release(struct counters *c)
{
	map_release(&c->by_id);
	vec_free(&c->values);
	vec_free(&c->members);
	vec_free(&c->due);
}

bool counters_present(const struct perfdata *f)
{
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		if (perfdata_event(f, i)->attr.sample_type & PERF_SAMPLE_READ)
			return true;
	return false;
}

/* How far a counter went since it was seen last. */
static u64 step(struct counters *c, u64 id, u64 value)
{
	u64 h = hash_u64(id);
	u32 i;

	for (struct map_probe p = map_first(&c->by_id, h); map_next(&c->by_id, &p, &i);) {
		struct counter_value *have = &c->values.v[i];
		u64 old = have->value;

		if (have->id != id)
			continue;
		have->value = value;
		return value - old;
	}
	map_add(&c->by_id, h, (u32)c->values.nr);
	*VEC_PUSH(&c->values) = (struct counter_value){ .id = id, .value = value };
	return value;
}

static void add_member(struct counters *c, const struct rec_index *ix, struct counter_member m)
{
	struct rec_index *out = VEC_PUSH(&c->due);

	*out = *ix;
	*VEC_PUSH(&c->members) = m;
	out->member = (u32)c->members.nr;
}

static void expand(struct counters *c, const struct perfdata *f, const struct rec_index *ix,
		   const struct perfdata_event *ev, const struct sample *smp)
{
	bool again = false;

	for (u64 i = 0; i < smp->nr_read; i++) {
		struct sample_read_value v = sample_read_at(&ev->layout, smp, i);
		struct counter_member m = { .event = perfdata_event_by_id(f, v.id),
					    .id = v.id,
					    .again = again };

		m.period = step(c, v.id, v.value);
		if (!m.event || !m.period)
			continue;
		add_member(c, ix, m);
		again = true;
	}
	if (!again)
		add_member(c, ix, (struct counter_member){ .event = NULL });
}

void counters_expand(struct counters *c, const struct perfdata *f, struct batch *b)
{
	struct index_vec swap;

	c->members.nr = 0;
	c->due.nr = 0;
	VEC_FOR(&b->due, ix) {
		const struct perf_event_header *h = batch_record(b, ix);
		const struct perfdata_event *ev = NULL;
		struct sample smp;

		if (batch_is_sample(b, ix))
			ev = perfdata_event_of(f, h);
		if (ev && ev->attr.sample_type & PERF_SAMPLE_READ &&
		    c->members.nr < COUNTER_MEMBERS_MAX && sample_decode(&ev->layout, h, &smp))
			expand(c, f, ix, ev, &smp);
		else
			*VEC_PUSH(&c->due) = *ix;
	}
	swap = b->due;
	b->due = c->due;
	c->due = swap;
}
