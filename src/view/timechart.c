/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/timechart.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static void release_rows(struct timechart_row *rows, size_t nr, unsigned int lanes)
{
	for (size_t i = 0; i < nr; i++) {
		for (unsigned int lane = 0; lane < lanes; lane++)
			vec_free(&rows[i].lanes[lane]);
		free(rows[i].lanes);
		free(rows[i].name);
	}
	free(rows);
}

void timechart_release(struct timechart *c)
{
	release_rows(c->cpus.v, c->cpus.nr, timechart_nr_lanes(c, true));
	release_rows(c->tasks.v, c->tasks.nr, timechart_nr_lanes(c, false));
	vec_free(&c->wakes);
	vec_free(&c->shown);
	vec_free(&c->cpu_order);
}

static struct timechart_row new_row(unsigned int lanes)
{
	struct timechart_row row = { .from = UINT64_MAX, .pid = (u32)-1 };

	row.lanes = xcalloc(lanes, sizeof(*row.lanes));
	return row;
}

u32 timechart_add_task(struct timechart *c, const char *name, u32 pid, u32 tid)
{
	struct timechart_row row = new_row(timechart_nr_lanes(c, false));

	row.name = xstrdup(name);
	row.pid = pid;
	row.number = tid;
	*VEC_PUSH(&c->tasks) = row;
	return (u32)c->tasks.nr - 1;
}

void timechart_need_cpus(struct timechart *c, u32 nr)
{
	while (c->cpus.nr < nr) {
		struct timechart_row row = new_row(timechart_nr_lanes(c, true));

		row.number = (u32)c->cpus.nr;
		*VEC_PUSH(&c->cpus) = row;
	}
}

/* ------------------------------------------------------------------ shapes */

void timechart_reach(struct timechart *c, u64 from, u64 until)
{
	if (!c->until || from < c->from)
		c->from = from;
	c->until = MAX(c->until, until);
}

/* What differs: of frequencies the mean, else none. */
static u32 joint_value(const struct timechart_shape *a, const struct timechart_shape *b, bool mean)
{
	u64 x = a->times[0], y = b->times[0];

	if (a->value == b->value)
		return a->value;
	if (!mean || !(x + y))
		return TIMECHART_SEVERAL;
	return (u32)((double)a->value * ((double)x / (double)(x + y)) +
		     (double)b->value * ((double)y / (double)(x + y)));
}

static void join(struct timechart_shape *to, const struct timechart_shape *s, bool mean)
{
	to->value = joint_value(to, s, mean);
	to->until = MAX(to->until, s->until);
	to->latest = s->latest;
	for (size_t i = 0; i < TIMECHART_WAYS; i++)
		to->times[i] += s->times[i];
	to->bytes += s->bytes;
	to->nr += s->nr;
	to->stack = 0;
	to->marked |= s->marked;
	to->goes_on = s->goes_on;
}

u64 timechart_end(const struct timechart *c, const struct timechart_shape *s)
{
	return c->io ? MAX(s->until, s->latest + c->min_time) : s->until;
}

/* Whether s, which follows, becomes a part of the last shape of a lane. */
static bool belongs(const struct timechart *c, const struct timechart_shape *last,
		    const struct timechart_shape *s)
{
	if (c->io && s->from <= timechart_end(c, last) + c->merge_gap && last->value == s->value &&
	    last->error == s->error && last->goes_on == s->goes_on)
		return true;
	return s->until - last->from <= c->resolution;
}

static void compact_rows(struct timechart *c, bool cpus)
{
	struct timechart_row *rows = cpus ? c->cpus.v : c->tasks.v;
	size_t nr = cpus ? c->cpus.nr : c->tasks.nr;

	for (size_t i = 0; i < nr; i++) {
		for (unsigned int lane = 0; lane < timechart_nr_lanes(c, cpus); lane++) {
			struct timechart_shape *v = rows[i].lanes[lane].v;
			size_t kept = 0;

			for (size_t k = 0; k < rows[i].lanes[lane].nr; k++)
				if (kept && belongs(c, &v[kept - 1], &v[k]))
					join(&v[kept - 1], &v[k],
					     cpus && lane == TIMECHART_CPU_FREQUENCY);
				else
					v[kept++] = v[k];
			c->nr_shapes -= rows[i].lanes[lane].nr - kept;
			rows[i].lanes[lane].nr = kept;
		}
	}
}

/* Makes room, unless each row has no more than one shape in each lane. */
static void make_room(struct timechart *c)
{
	/* to three quarters: each call is worth its time */
	while (c->nr_shapes > TIMECHART_SHAPES / 4 * 3 && c->resolution <= c->until - c->from) {
		c->resolution = c->resolution ? 2 * c->resolution : 1;
		/* what is shorter than this joins nothing where it has not yet */
		while (c->resolution < (c->until - c->from) / (64 * TIMECHART_SHAPES))
			c->resolution *= 2;
		compact_rows(c, false);
		compact_rows(c, true);
	}
}

static void add(struct timechart *c, struct timechart_row *row, unsigned int lane,
		const struct timechart_shape *s, bool mean)
{
	struct timechart_shape one = *s, *last = NULL;

	if (s->until < s->from)
		return;
	one.nr = 1;
	one.latest = s->from;
	timechart_reach(c, s->from, s->until);
	c->nr_spans++;
	row->from = MIN(row->from, s->from);
	row->until = MAX(row->until, s->until);
	if (row->lanes[lane].nr)
		last = VEC_LAST(&row->lanes[lane]);
	if (last && s->from >= last->until && belongs(c, last, &one)) {
		join(last, &one, mean);
		return;
	}
	*VEC_PUSH(&row->lanes[lane]) = one;
	if (++c->nr_shapes > TIMECHART_SHAPES)
		make_room(c);
}

void timechart_add_of_task(struct timechart *c, u32 row, unsigned int lane,
			   const struct timechart_shape *s)
{
	add(c, &c->tasks.v[row], lane, s, false);
}

void timechart_add_of_cpu(struct timechart *c, u32 cpu, unsigned int lane,
			  const struct timechart_shape *s)
{
	timechart_need_cpus(c, cpu + 1);
	add(c, &c->cpus.v[cpu], lane, s, lane == TIMECHART_CPU_FREQUENCY);
}

/* ------------------------------------------------------------------ wake-ups */

/* The place of two tasks' last wake-up among those that are kept; a new one is behind all. */
static u32 *last_of(struct timechart *c, struct map *pairs, u32 *last,
		    const struct timechart_wake *w)
{
	u64 hash = hash_u64((u64)w->by << 32 | w->row);
	u32 i;

	for (struct map_probe p = map_first(pairs, hash); map_next(pairs, &p, &i);)
		if (c->wakes.v[last[i]].by == w->by && c->wakes.v[last[i]].row == w->row)
			return &last[i];
	i = pairs->nr;
	map_add(pairs, hash, i);
	last[i] = UINT32_MAX;
	return &last[i];
}

/* Those of the same two tasks that are nearer to each other than the resolution are one. */
static void compact_wakes(struct timechart *c)
{
	_cleanup_(mem_freep) u32 *last = xcalloc(c->wakes.nr, sizeof(*last));
	struct map pairs = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < c->wakes.nr; i++) {
		struct timechart_wake w = c->wakes.v[i];
		u32 *before = last_of(c, &pairs, last, &w);

		if (*before != UINT32_MAX &&
		    w.time - c->wakes.v[*before].time < c->wake_resolution) {
			c->wakes.v[*before].nr += w.nr;
			c->wakes.v[*before].stack = 0;
			continue;
		}
		*before = (u32)kept;
		c->wakes.v[kept++] = w;
	}
	c->wakes.nr = kept;
	map_release(&pairs);
}

static int compare_wakes(const void *a, const void *b)
{
	const struct timechart_wake *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	return x->by < y->by ? -1 : x->by > y->by;
}

void timechart_settle_wakes(struct timechart *c)
{
	VEC_SORT(&c->wakes, compare_wakes);
	if (c->wake_resolution)
		compact_wakes(c);
}

/* To three quarters: each time is worth its cost. */
static void make_wake_room(struct timechart *c)
{
	timechart_settle_wakes(c);
	while (c->wakes.nr > TIMECHART_WAKES / 4 * 3 && c->wake_resolution <= c->until - c->from) {
		c->wake_resolution = c->wake_resolution
					     ? 2 * c->wake_resolution
					     : (c->until - c->from) / TIMECHART_WAKES + 1;
		timechart_settle_wakes(c);
	}
}

void timechart_add_wake(struct timechart *c, const struct timechart_wake *w)
{
	timechart_reach(c, w->time, w->time);
	if (c->wakes.nr >= TIMECHART_WAKES && c->wake_resolution <= c->until - c->from)
		make_wake_room(c);
	if (c->wakes.nr >= TIMECHART_WAKES)
		c->wakes_left_out++;
	else
		*VEC_PUSH(&c->wakes) = *w;
}
