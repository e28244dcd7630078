/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * values: what a row has, by its number, and sums of it.
 */
#include "agg/private.h"

struct event_sums *agg_event_sums(struct agg_worker *aw, u32 event)
{
	while (UNLIKELY(aw->events.nr <= event))
		*VEC_PUSH(&aw->events) = (struct event_sums){ 0 };
	return &aw->events.v[event];
}

size_t agg_nr_sections(const struct agg *a)
{
	return a->sections.nr;
}

const struct agg_section *agg_section(const struct agg *a, size_t i)
{
	return &a->sections.v[i];
}

struct agg_sums agg_sums_of(const struct agg *a, const struct agg_entry *e, u32 member)
{
	const struct row_sums *s = &a->sums.v[e->slot + member];
	struct agg_sums sums = { .period = s->period, .nr = s->nr, .acc = s->acc };

	if (a->c.levels) {
		const struct level_sums *l = &a->levels.v[e->slot + member];

		sums.sys = l->sys;
		sums.us = l->us;
		sums.guest_sys = l->guest_sys;
		sums.guest_us = l->guest_us;
	}
	if (a->c.latency) {
		sums.latency = a->latency.v[e->slot + member].own;
		sums.latency_acc = a->latency.v[e->slot + member].acc;
	}
	return sums;
}

u64 agg_value(const struct agg *a, const struct agg_entry *e, u32 member, enum agg_value v)
{
	const struct row_sums *s = &a->sums.v[e->slot + member];
	struct agg_sums all;

	if (v == AGG_OVERHEAD || v == AGG_PERIOD)
		return s->period;
	if (v == AGG_OVERHEAD_CHILDREN)
		return s->acc;
	if (v == AGG_SAMPLES)
		return s->nr;
	all = agg_sums_of(a, e, member);
	return agg_value_of(&all, v);
}

void agg_prefetch(const struct agg *a, const struct agg_entry *e)
{
	__builtin_prefetch(e->words);
	__builtin_prefetch(&a->sums.v[e->slot]);
}

void agg_prefetch_code(const struct agg *a, const struct agg_entry *e)
{
	for (size_t k = 0; k < a->c.nr_keys; k++)
		if (a->c.keys[k]->canon == agg_same_symbol)
			__builtin_prefetch(session_frame_get(a->s, (frame_id)e->words[k]));
}

bool agg_is_unresolved(const struct agg *a, const struct agg_entry *e)
{
	struct dso *d = dso_table_get(session_dsos(a->s), e->code.dso);

	if (e->code.state != CODE_UNKNOWN)
		return e->code.state == CODE_UNNAMED;
	return !d || symtab_find(dso_symtab(d), e->code.addr) == SYM_NONE;
}

u64 agg_value_of(const struct agg_sums *s, enum agg_value v)
{
	switch (v) {
	case AGG_OVERHEAD:
	case AGG_PERIOD:
		return s->period;
	case AGG_OVERHEAD_CHILDREN:
		return s->acc;
	case AGG_OVERHEAD_SYS:
		return s->sys;
	case AGG_OVERHEAD_US:
		return s->us;
	case AGG_OVERHEAD_GUEST_SYS:
		return s->guest_sys;
	case AGG_OVERHEAD_GUEST_US:
		return s->guest_us;
	case AGG_SAMPLES:
		return s->nr;
	case AGG_LATENCY:
		return s->latency;
	case AGG_LATENCY_CHILDREN:
		return s->latency_acc;
	case AGG_NR_VALUES:
		break;
	}
	return 0;
}

void agg_sums_add(struct agg_sums *to, const struct agg_sums *from)
{
	to->period += from->period;
	to->nr += from->nr;
	to->latency += from->latency;
	to->sys += from->sys;
	to->us += from->us;
	to->guest_sys += from->guest_sys;
	to->guest_us += from->guest_us;
}
