/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "annotate/data_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"
#include "perfdata/perfdata.h"

/* Of what is somewhere in a type. */
#define NO_OFFSET (UINT64_MAX - 1)

/* What fell on an offset of a type. */
struct type_hit {
	type_id type;
	u64 offset; /* or NO_OFFSET */
	u32 event;
	u64 nr, period;
};

struct data_types {
	struct session *s;
	const struct addresses *counts;
	struct types *types;
	VEC(struct type_hit) hits; /* by type and offset */
	VEC(struct view_type_reason) reasons;
	VEC(struct view_type_insn) insns;
	struct view_type_stats stats;
	/* of the view that was asked for last */
	u32 first; /* event */
	struct arena arena;
	VEC(struct view_type) shown;
	struct view_types view;
	VEC(struct view_line_count) sums; /* of one type, by hit and event */
};

static int by_place(const void *x, const void *y)
{
	const struct type_hit *a = x, *b = y;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

/* ------------------------------------------------------------------ statistics */

static bool is_good(enum types_found found)
{
	return found == TYPES_KNOWN || found == TYPES_STACK;
}

static void count_insn(struct data_types *d, const struct types_access *a)
{
	bool memory = a->found == TYPES_KNOWN || a->found > TYPES_NO_MEMORY;
	struct view_type_insn *in = NULL;

	if (!memory || !a->insn[0])
		return;
	VEC_FOR(&d->insns, it)
		if (!strcmp(it->name, a->insn))
			in = it;
	if (!in) {
		in = VEC_PUSH(&d->insns);
		*in = (struct view_type_insn){ .name = a->insn };
	}
	in->good += is_good(a->found);
	in->bad += !is_good(a->found);
}

static int most_frequent_first(const void *x, const void *y)
{
	const struct view_type_insn *a = x, *b = y;

	if (a->good + a->bad != b->good + b->bad)
		return a->good + a->bad < b->good + b->bad ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void set_stats(struct data_types *d, const u64 *by_reason)
{
	for (int i = 0; i < TYPES_NR_FOUND; i++) {
		d->stats.total += by_reason[i];
		if (is_good(i))
			d->stats.good += by_reason[i];
		else if (by_reason[i])
			*VEC_PUSH(&d->reasons) = (struct view_type_reason){ types_found_name(i),
									    by_reason[i] };
	}
	VEC_SORT(&d->insns, most_frequent_first);
	d->stats.reasons = d->reasons.v;
	d->stats.nr_reasons = d->reasons.nr;
	d->stats.insns = d->insns.v;
	d->stats.nr_insns = d->insns.nr;
}

const struct view_type_stats *data_types_stats(const struct data_types *d)
{
	return &d->stats;
}

/* ------------------------------------------------------------------ samples */

static void take_rows(struct data_types *d, const struct address_function *f, u64 *by_reason)
{
	struct types_access access = { 0 };

	for (size_t i = 0; i < f->nr; i++) {
		const struct address_row *row = &d->counts->rows.v[f->first + i];

		if (!i || row->addr != row[-1].addr) {
			types_of(d->types, row->dso, row->addr, &access);
			by_reason[access.found]++;
			count_insn(d, &access);
		}
		if (access.found == TYPES_KNOWN)
			*VEC_PUSH(&d->hits) = (struct type_hit){ access.type,
								 access.vague ? NO_OFFSET
									      : access.offset,
								 row->event, row->nr, row->period };
	}
}

struct data_types *data_types_new(struct session *s, const struct addresses *counts,
				  struct types *types)
{
	struct data_types *d = XNEW(struct data_types);
	u64 by_reason[TYPES_NR_FOUND] = { 0 };

	d->s = s;
	d->counts = counts;
	d->types = types;
	VEC_FOR(&counts->functions, f)
		take_rows(d, f, by_reason);
	VEC_SORT(&d->hits, by_place);
	set_stats(d, by_reason);
	return d;
}

void data_types_free(struct data_types *d)
{
	if (!d)
		return;
	vec_free(&d->hits);
	vec_free(&d->reasons);
	vec_free(&d->insns);
	vec_free(&d->shown);
	vec_free(&d->sums);
	arena_release(&d->arena);
	free(d);
}

/* ------------------------------------------------------------------ views */

static const char *without_tag(const char *name)
{
	static const char *const tags[] = { "struct ", "union ", "enum " };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (!strncmp(name, tags[i], strlen(tags[i])))
			return name + strlen(tags[i]);
	return name;
}

static bool is_wanted(const char *type, const char *name)
{
	return !name || !strcmp(type, name) || !strcmp(without_tag(type), name);
}

/* What fell on all of hits [from, to) before each, by event: between two it is the difference. */
static void set_sums(struct data_types *d, size_t from, size_t to)
{
	u32 nr = d->view.nr_events;
	struct view_line_count *c;

	d->sums.nr = 0;
	VEC_GROW(&d->sums, (to - from + 1) * nr);
	c = d->sums.v;
	memset(c, 0, nr * sizeof(*c));
	for (const struct type_hit *h = &d->hits.v[from]; h < &d->hits.v[to]; h++) {
		u32 event = h->event - d->first;

		memcpy(c + nr, c, nr * sizeof(*c));
		c += nr;
		if (event >= nr)
			continue;
		c[event].nr += h->nr;
		c[event].period += h->period;
	}
}

/* The first of hits [from, to) at an offset, or behind it. */
static size_t first_at(const struct data_types *d, size_t from, size_t to, u64 offset)
{
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (d->hits.v[mid].offset < offset)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* What begins in [offset, offset + size) of hits [from, to), which are of one type and summed. */
static const struct view_line_count *sum(struct data_types *d, size_t from, size_t to, u64 offset,
					 u64 size)
{
	u32 nr = d->view.nr_events;
	struct view_line_count *c = arena_zalloc(&d->arena, nr * sizeof(*c));
	u64 end = size < UINT64_MAX - offset ? offset + size : UINT64_MAX;
	const struct view_line_count *before = d->sums.v +
					       (first_at(d, from, to, offset) - from) * nr;
	const struct view_line_count *upto = d->sums.v + (first_at(d, from, to, end) - from) * nr;

	for (u32 i = 0; i < nr; i++) {
		c[i].nr = upto[i].nr - before[i].nr;
		c[i].period = upto[i].period - before[i].period;
	}
	return c;
}

/* The type of hits [from, to) with its members. */
static struct view_type make_type(struct data_types *d, size_t from, size_t to)
{
	const struct types_type *type = types_get(d->types, d->hits.v[from].type);
	size_t nr;
	const struct types_field *fields = types_fields(d->types, d->hits.v[from].type, &nr);
	struct view_type_field *out = arena_zalloc(&d->arena, (nr + 1) * sizeof(*out));

	set_sums(d, from, to);
	out[0] = (struct view_type_field){ .size = type->size,
					   .type = type->name,
					   .name = "",
					   .has_members = nr > 0,
					   .counts = sum(d, from, to, 0, UINT64_MAX) };
	for (size_t i = 0; i < nr; i++)
		out[i + 1] = (struct view_type_field){ .depth = fields[i].depth,
						       .offset = fields[i].offset,
						       .size = fields[i].size,
						       .type = fields[i].type,
						       .name = fields[i].name,
						       .has_members = fields[i].has_members,
						       .counts = sum(d, from, to, fields[i].offset,
								     fields[i].size) };
	return (struct view_type){ .name = type->name,
				   .dso = dso_long_name(
					   dso_table_get(session_dsos(d->s), type->dso)),
				   .fields = out,
				   .nr_fields = nr + 1 };
}

static int heaviest_first(const void *x, const void *y)
{
	const struct view_type *a = x, *b = y;
	u64 m = a->fields[0].counts[0].period, n = b->fields[0].counts[0].period;

	if (m != n)
		return m < n ? 1 : -1;
	return strcmp(a->name, b->name) ? strcmp(a->name, b->name) : strcmp(a->dso, b->dso);
}

static void set_events(struct data_types *d)
{
	struct view_annotation_event *events = arena_zalloc(&d->arena,
							    d->view.nr_events * sizeof(*events));

	for (u32 i = 0; i < d->view.nr_events; i++) {
		u32 index = d->first + i;
		const struct perfdata_event *ev = perfdata_event(session_file(d->s), index);

		events[i].name = ev->name;
		events[i].frequency = ev->attr.freq ? ev->attr.sample_freq : 0;
		if (index < d->counts->totals.nr) {
			events[i].total_nr = d->counts->totals.v[index].nr;
			events[i].total_period = d->counts->totals.v[index].period;
		}
	}
	VEC_FOR(&d->hits, h)
		if (h->event - d->first < d->view.nr_events) {
			events[h->event - d->first].nr += h->nr;
			events[h->event - d->first].period += h->period;
		}
	d->view.events = events;
}

const struct view_types *data_types_view(struct data_types *d, u32 leader, u32 nr_events,
					 const char *name)
{
	arena_release(&d->arena);
	d->arena = (struct arena){ 0 };
	d->shown.nr = 0;
	d->first = leader;
	d->view = (struct view_types){ .nr_events = nr_events };
	set_events(d);
	for (size_t from = 0, to; from < d->hits.nr; from = to) {
		struct view_type type;

		for (to = from + 1; to < d->hits.nr && d->hits.v[to].type == d->hits.v[from].type;
		     to++)
			;
		if (!is_wanted(types_get(d->types, d->hits.v[from].type)->name, name))
			continue;
		type = make_type(d, from, to);
		if (type.fields[0].counts[0].nr)
			*VEC_PUSH(&d->shown) = type;
	}
	VEC_SORT(&d->shown, heaviest_first);
	d->view.types = d->shown.v;
	d->view.nr_types = d->shown.nr;
	return &d->view;
}
