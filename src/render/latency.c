/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/latency.h"

#include <stdio.h>

#include "base/mem.h"

/* Columns of a histogram's bar, and of the bounds of a bucket, which may need more. */
enum { BAR = 46, FROM = 6, UNTIL = 4 };

struct bounds {
	char from[32], until[32];
	const char *unit;
	bool left; /* until is at the left of its column */
};

static const char *unit_of(const struct view_histogram *h, unsigned int i)
{
	static const char *const units[] = { "ns", "us", "ms", "s " };

	return units[i + !h->in_ns];
}

/* Powers of two: 512 - 1024 us is followed by 1 - 2 ms. */
static void power_bounds(const struct view_histogram *h, size_t i, struct bounds *b)
{
	u64 from = i ? 1ULL << (i - 1) : 0, until = 1ULL << i;
	unsigned int unit = 0;

	while (from >= 1024 && unit < 2) {
		from /= 1024;
		until /= 1024;
		unit++;
	}
	b->unit = unit_of(h, unit);
	snprintf(b->from, sizeof(b->from), "%llu", (unsigned long long)from);
	snprintf(b->until, sizeof(b->until), "%llu", (unsigned long long)until);
	b->left = i + 1 == h->nr;
	if (b->left)
		snprintf(b->until, sizeof(b->until), "...");
}

/* From 1000 on in the next unit. */
static void range_bounds(const struct view_histogram *h, size_t i, struct bounds *b)
{
	u64 first = h->first ? h->first : h->range;
	u64 from = i ? first + (i - 1) * h->range : 0, until = i ? from + h->range : first;
	bool large = from >= 1000;

	b->unit = unit_of(h, large);
	if (large) {
		snprintf(b->from, sizeof(b->from), "%.2f", (double)from / 1000);
		snprintf(b->until, sizeof(b->until), "%.2f", (double)until / 1000);
	} else {
		snprintf(b->from, sizeof(b->from), "%llu", (unsigned long long)from);
		snprintf(b->until, sizeof(b->until), "%llu", (unsigned long long)until);
	}
	b->left = large && i + 1 == h->nr;
	if (i + 1 == h->nr)
		snprintf(b->until, sizeof(b->until), "...");
}

static struct bounds bounds_of(const struct view_histogram *h, size_t i)
{
	struct bounds b = { .left = false };

	(h->powers ? power_bounds : range_bounds)(h, i, &b);
	return b;
}

static bool is_shown(const struct view_histogram *h, size_t i)
{
	return h->counts[i] || !h->hide_empty;
}

static void add_statistics(const struct view_histogram *h, struct strbuf *out)
{
	const struct view_durations *d = &h->all;
	u64 unit = h->in_ns ? 1 : 1000;

	strbuf_addf(out, "\n# statistics  (in %s)\n", h->in_ns ? "nsec" : "usec");
	strbuf_addf(out, "  total time: %20llu\n", (unsigned long long)(d->total / unit));
	strbuf_addf(out, "    avg time: %20.0f\n",
		    (double)d->total / (double)d->count / (double)unit);
	strbuf_addf(out, "    max time: %20llu\n", (unsigned long long)(d->most / unit));
	strbuf_addf(out, "    min time: %20llu\n", (unsigned long long)(d->least / unit));
	strbuf_addf(out, "       count: %20llu\n", (unsigned long long)d->count);
}

void render_histogram(const struct view_histogram *h, struct strbuf *out)
{
	int from = FROM, until = UNTIL;
	u64 total = 0;

	for (size_t i = 0; i < h->nr; i++) {
		struct bounds b = bounds_of(h, i);

		total += h->counts[i];
		if (!is_shown(h, i))
			continue;
		from = MAX(from, (int)strlen(b.from));
		until = MAX(until, (int)strlen(b.until));
	}
	strbuf_addf(out, "# %-*s | %10s | %-*s |\n", from + until + 4, "  DURATION", "COUNT", BAR,
		    "GRAPH");
	for (size_t i = 0; i < h->nr; i++) {
		struct bounds b = bounds_of(h, i);
		u64 count = h->counts[i];
		int bar = total ? (int)((double)count * BAR / (double)total) : 0;

		if (!is_shown(h, i))
			continue;
		strbuf_addf(out, "%*s - %*s %s | %10llu | ", from, b.from, b.left ? -until : until,
			    b.until, b.unit, (unsigned long long)count);
		strbuf_pad(out, '#', (size_t)bar);
		strbuf_pad(out, ' ', (size_t)(BAR - bar));
		strbuf_adds(out, " |\n");
	}
	if (h->all.count)
		add_statistics(h, out);
}

void render_function_times(const struct view_function_time *rows, size_t nr, struct strbuf *out)
{
	strbuf_adds(out, "# Total (us)   Avg (us)   Max (us)      Count   Function\n");
	for (size_t i = 0; i < nr; i++) {
		const struct view_durations *d = &rows[i].calls;

		strbuf_addf(out, "%12.3f %10.3f %10.3f %10llu   ", (double)d->total / 1e3,
			    (double)d->total / (double)d->count / 1e3, (double)d->most / 1e3,
			    (unsigned long long)d->count);
		strbuf_add_escaped(out, rows[i].name);
		strbuf_addch(out, '\n');
	}
}
