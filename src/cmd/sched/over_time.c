/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched latency --heat-map, --queue: delays of each length, and tasks that waited, over time.
 */
#include "cmd/sched/sched.h"

typedef unsigned long long ull;

enum { LABEL = 17 };

static u64 row_sum(const struct time_grid *g, u32 row)
{
	u64 sum = 0;

	for (u32 i = 0; i < g->used; i++)
		sum += time_grid_at(g, row, i);
	return sum;
}

static u64 most_in(const struct time_grid *g)
{
	u64 most = 0;

	for (u32 row = 0; row < g->rows; row++)
		for (u32 i = 0; i < g->used; i++)
			most = MAX(most, time_grid_at(g, row, i));
	return most;
}

static const char shades[] = ".:-=+*#@";
enum { NR_SHADES = sizeof(shades) - 1 };

/* The darkest for the most and what is more than half of it, the next one for half of that, ...;
 * the lightest for all that is less. */
static char shade_of(u64 n, u64 most)
{
	u32 lighter = n ? (u32)(__builtin_clzll(n) - __builtin_clzll(most)) : 0;

	return n ? shades[NR_SHADES - 1 - MIN(lighter, (u32)NR_SHADES - 1)] : ' ';
}

static void add_ruler(struct strbuf *out, u32 columns)
{
	strbuf_addch(out, ' ');
	strbuf_pad(out, '-', LABEL + 4 + columns);
	strbuf_addch(out, '\n');
}

/* The largest lengths above, as on an axis. */
static void add_map(struct strbuf *out, const struct time_grid *g, sched_label_fn *label,
		    bool linear)
{
	u64 most = most_in(g);
	bool shown = false;

	add_ruler(out, g->used);
	for (u32 row = g->rows; row--;) {
		size_t from;

		if (!(shown |= row_sum(g, row) != 0))
			continue;
		strbuf_adds(out, "  ");
		from = out->len;
		label(out, linear, row);
		strbuf_pad(out, ' ', LABEL - (out->len - from));
		strbuf_adds(out, "| ");
		for (u32 i = 0; i < g->used; i++)
			strbuf_addch(out, shade_of(time_grid_at(g, row, i), most));
		while (out->buf[out->len - 1] == ' ')
			out->len--;
		strbuf_addch(out, '\n');
	}
	add_ruler(out, g->used);
	strbuf_addf(out, "  from %llu.%06llu s, a column is %.3f ms; ",
		    (ull)(g->start / 1000000000), (ull)(g->start % 1000000000 / 1000),
		    (double)g->width / 1e6);
}

void sched_add_heat_map(struct strbuf *out, const struct time_grid *g, sched_label_fn *label,
			bool linear)
{
	strbuf_adds(out, "\n Delays by length, over time\n");
	if (!g->used) {
		strbuf_adds(out, " There are none.\n");
		return;
	}
	add_map(out, g, label, linear);
	strbuf_addf(out, "'%c' is up to %llu delays, each shade before half of that or less\n",
		    shades[NR_SHADES - 1], (ull)most_in(g));
}

static void label_queue(struct strbuf *out, bool linear UNUSED, u32 i)
{
	u32 from = sched_queue_start(i);

	if (i == SCHED_QUEUE_LENGTHS - 1)
		strbuf_addf(out, ">= %u", from);
	else if (sched_queue_start(i + 1) > from + 1)
		strbuf_addf(out, "%u - %u", from, sched_queue_start(i + 1) - 1);
	else
		strbuf_addf(out, "%u", from);
}

/* Some machines do not record all switches. */
static void add_doubts(struct strbuf *out, const struct sched_queue_sums *sums)
{
	if (sums->doubtful)
		strbuf_addf(
			out,
			"\n  INFO: %.1f%% of what tasks waited is not certain: that they got a CPU "
			"is not recorded,\n  and they count until something shows that they had one\n",
			100 * (double)sums->doubtful / (double)MAX(sums->waited, sums->doubtful));
}

void sched_add_queue(struct strbuf *out, const struct time_grid *g,
		     const struct sched_queue_sums *sums)
{
	enum { GRAPH = 40 };
	u64 all = 0;

	for (u32 i = 0; i < g->rows; i++)
		all += row_sum(g, i);
	strbuf_adds(out, "\n Tasks that waited for a CPU, on all CPUs together\n");
	if (!all) {
		strbuf_adds(out, " Nothing tells of them.\n");
		return;
	}
	add_ruler(out, 64);
	strbuf_adds(out, "  Tasks            |       Time ms |    Pct | Share of the time\n");
	add_ruler(out, 64);
	for (u32 i = 0; i < g->rows; i++) {
		double share = (double)row_sum(g, i) / (double)all;
		size_t from;

		if (!row_sum(g, i))
			continue;
		strbuf_adds(out, "  ");
		from = out->len;
		label_queue(out, false, i);
		strbuf_pad(out, ' ', LABEL - (out->len - from));
		strbuf_addf(out, "| %13.3f | %5.1f%% | ", (double)row_sum(g, i) / 1e6, 100 * share);
		strbuf_pad(out, '#', MAX((size_t)(share * GRAPH), (size_t)1));
		strbuf_addch(out, '\n');
	}
	strbuf_adds(out, "\n Over time\n");
	add_map(out, g, label_queue, false);
	strbuf_addf(out, "'%c' is up to %.3f ms, each shade before half of that or less\n",
		    shades[NR_SHADES - 1], (double)most_in(g) / 1e6);
	add_doubts(out, sums);
}

/* ------------------------------------------------------------------ --json and -x */

static void begin_place(struct row_writer *w, const struct time_grid *g, const char *type, u32 i)
{
	row_begin(w, type);
	row_time(w, "from", g->start + i * g->width);
	row_time(w, "to", g->start + (i + 1) * g->width);
}

static void put_bounds(struct row_writer *w, const char *from, const char *to, u64 least, u64 next,
		       bool last)
{
	row_u64(w, from, least);
	if (last)
		row_null(w, to);
	else
		row_u64(w, to, next);
}

void sched_put_heat_map(struct row_writer *w, const struct time_grid *g, sched_start_fn *start,
			bool linear)
{
	for (u32 i = 0; i < g->used; i++) {
		for (u32 row = 0; row < g->rows; row++) {
			if (!time_grid_at(g, row, i))
				continue;
			begin_place(w, g, "delays_at", i);
			put_bounds(w, "from_us", "to_us", start(linear, row),
				   start(linear, row + 1), row + 1 == g->rows);
			row_u64(w, "count", time_grid_at(g, row, i));
			row_end(w);
		}
	}
}

void sched_put_queue(struct row_writer *w, const struct time_grid *g,
		     const struct sched_queue_sums *sums)
{
	row_begin(w, "queue");
	row_u64(w, "waited_ns", sums->waited);
	row_u64(w, "doubtful_ns", sums->doubtful);
	row_end(w);
	for (u32 i = 0; i < g->used; i++) {
		for (u32 row = 0; row < g->rows; row++) {
			if (!time_grid_at(g, row, i))
				continue;
			begin_place(w, g, "queue_at", i);
			put_bounds(w, "from_tasks", "to_tasks", sched_queue_start(row),
				   sched_queue_start(row + 1), row + 1 == g->rows);
			row_u64(w, "ns", time_grid_at(g, row, i));
			row_end(w);
		}
	}
}
