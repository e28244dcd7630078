/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text that perf stat prints for people; widths are perf's, scripts cut at them.
 */
#include "render/counters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum {
	VALUE_WIDTH = 18,
	NAME_WIDTH = 25, /* of events without a value */
	COUNTED_NAME_WIDTH = 32,
	RATIO_WIDTH = 35,
	RATIO_INDENT = 49, /* second and later ratios of a row */
	CPU_RATIO_INDENT = 8, /* more with a row per CPU */
	RATIO_COLUMN = 20, /* --metric-only */
	HEADING_EVERY = 25, /* intervals */
	COMM_WIDTH = 16,
	THREAD_ID_WIDTH = 8,
};

#define COLOUR_END "\033[m"

/* Leading columns: heading between "#           time" and the rest, format of the owner. */
static const struct owner_style {
	const char *heading; /* with the number of CPUs where there is one */
	const char *tail; /* "counts unit events" and what is before it */
	int width; /* of the owner's name, left-aligned */
	bool has_cpus;
} owners[] = {
	[VIEW_OWNER_ALL] = { "", "             counts", 0, false },
	[VIEW_OWNER_CPU] = { " CPU", "                    counts", 10, false },
	[VIEW_OWNER_SOCKET] = { " socket cpus", "             counts", 6, true },
	[VIEW_OWNER_DIE] = { " die          cpus", "             counts", 12, true },
	[VIEW_OWNER_CLUSTER] = { " cluster              cpus", "             counts", 20, true },
	[VIEW_OWNER_CACHE] = { " cache                  cpus", "             counts", 22, true },
	[VIEW_OWNER_CORE] = { " core            cpus", "             counts", 15, true },
	[VIEW_OWNER_NODE] = { " node   cpus", "             counts", 6, true },
	[VIEW_OWNER_PORT] = { "   port         ", "", 0, false },
	[VIEW_OWNER_THREAD] = { "             comm-pid", "                  counts", 25, false },
};

void counters_number(struct strbuf *out, const struct view_ratio *r)
{
	static const char *const formats[] = {
		[VIEW_FIXED3] = "%8.3f",     [VIEW_FIXED2] = "%7.2f ",
		[VIEW_PERCENT2] = "%7.2f%%", [VIEW_PERCENT3] = "%8.3f %%",
		[VIEW_PERCENT1] = "%8.1f%%", [VIEW_WHOLE8] = "%8.0f",
		[VIEW_WHOLE4] = "%4.0f",     [VIEW_METRIC1] = "%8.1f",
		[VIEW_METRIC2] = "%8.2f",
	};
	char text[400];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), formats[r->form], r->value);
#pragma GCC diagnostic pop
	strbuf_adds(out, text);
}

static const char *const alarm_colours[] = {
	[VIEW_ALARM_LOW] = "\033[33m",
	[VIEW_ALARM_HIGH] = "\033[35m",
	[VIEW_ALARM_BAD] = "\033[31m",
};

/* Returns how many bytes of it take no column. */
static size_t add_number(struct strbuf *out, const struct view_ratio *r,
			 const struct counters_style *style)
{
	const char *colour = style->coloured ? alarm_colours[r->alarm] : NULL;

	strbuf_adds(out, colour ? colour : "");
	counters_number(out, r);
	strbuf_adds(out, colour ? COLOUR_END : "");
	return colour ? strlen(colour) + strlen(COLOUR_END) : 0;
}

bool counters_in_ratios_only(const struct view_ratio *r)
{
	return r->label && !r->rate;
}

void counters_heading(struct strbuf *out, const struct view_count *row, const struct view_ratio *r)
{
	if (!strncmp(r->label, "of all ", 7)) {
		strbuf_add_escaped(out, row->name);
		strbuf_addch(out, ' ');
	}
	strbuf_adds(out, strcmp(r->label, "Ghz") ? r->label : "GHz");
}

/* Digits in groups of three. */
static void add_grouped(struct strbuf *out, const char *digits, const char *thousands)
{
	size_t n = strspn(digits, "0123456789");

	for (size_t i = 0; i < n; i++) {
		if (i && !((n - i) % 3))
			strbuf_adds(out, thousands);
		strbuf_addch(out, digits[i]);
	}
	strbuf_adds(out, digits + n);
}

static void add_value(struct strbuf *out, const struct view_count *row,
		      const struct counters_style *style)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char digits[400];

	if (row->state != VIEW_COUNTED) {
		strbuf_add_aligned(
			out, row->state == VIEW_NOT_SUPPORTED ? "<not supported>" : "<not counted>",
			VALUE_WIDTH);
		return;
	}
	snprintf(digits, sizeof(digits), row->fraction ? "%.2f" : "%.0f", row->value);
	add_grouped(&text, digits, style->thousands);
	strbuf_add_aligned(out, text.buf, VALUE_WIDTH);
}

static void add_interval(struct strbuf *out, const struct view_counters *v)
{
	if (v->has_interval)
		strbuf_addf(out, "%6llu.%09llu ", (unsigned long long)(v->interval_ns / 1000000000),
			    (unsigned long long)(v->interval_ns % 1000000000));
}

/* A name from a recording may be anything. */
static void add_name(struct strbuf *out, const char *name, int width)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_add_escaped(&text, name);
	strbuf_add_aligned(out, text.buf, width);
}

static void add_owner(struct strbuf *out, const struct view_counters *v,
		      const struct view_count *row)
{
	const struct owner_style *style = &owners[v->owner];
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (v->owner == VIEW_OWNER_ALL)
		return;
	if (v->owner == VIEW_OWNER_PORT) {
		strbuf_addf(out, "%s ", row->owner);
		return;
	}
	if (v->owner == VIEW_OWNER_THREAD) {
		add_name(out, row->owner, COMM_WIDTH);
		strbuf_addf(out, "-%*d ", -THREAD_ID_WIDTH, row->owner_id);
		return;
	}
	strbuf_addf(&text, "%s%s", v->owner == VIEW_OWNER_CPU && !row->whole_core ? "CPU" : "",
		    row->owner);
	strbuf_add_aligned(out, text.buf, -style->width);
	strbuf_addch(out, ' ');
	if (style->has_cpus)
		strbuf_addf(out, "%4u ", row->nr_cpus);
}

static void add_ratio(struct strbuf *out, const struct view_ratio *r,
		      const struct counters_style *style)
{
	size_t start = out->len;
	size_t used;

	if (!r->known) {
		strbuf_pad(out, ' ', RATIO_WIDTH);
		return;
	}
	strbuf_adds(out, " # ");
	start += add_number(out, r, style);
	used = out->len - start;
	strbuf_addch(out, ' ');
	strbuf_add_aligned(out, r->label,
			   used < RATIO_WIDTH - 1 ? -(int)(RATIO_WIDTH - 1 - used) : 0);
}

static void add_row(struct strbuf *out, const struct view_counters *v, const struct view_count *row,
		    const struct counters_style *style)
{
	bool counted = row->state == VIEW_COUNTED;
	size_t n = counted ? row->nr_ratios : 0;

	add_interval(out, v);
	add_owner(out, v, row);
	add_value(out, row, style);
	strbuf_addch(out, ' ');
	add_name(out, row->unit, -(int)v->unit_width);
	strbuf_addch(out, ' ');
	add_name(out, row->name, counted ? -COUNTED_NAME_WIDTH : -NAME_WIDTH);
	if (row->cgroup) {
		strbuf_addch(out, ' ');
		strbuf_add_escaped(out, row->cgroup);
	}
	if (!n)
		strbuf_pad(out, ' ', RATIO_WIDTH);
	for (size_t i = 0; i < n; i++) {
		/* what would have stood before a further ratio is not padded */
		if (i && !row->ratios[i].same_line) {
			strbuf_addch(out, '\n');
			add_interval(out, v);
			add_owner(out, v, row);
			strbuf_pad(out, ' ',
				   RATIO_INDENT +
					   (v->owner == VIEW_OWNER_CPU ? CPU_RATIO_INDENT : 0));
		}
		add_ratio(out, &row->ratios[i], style);
	}
	if (counted && v->runs > 1 && row->variance != 0)
		strbuf_addf(out, "  ( +-%6.2f%% )", row->variance);
	if (row->multiplexed)
		strbuf_addf(out, "  (%.2f%%)", row->percent);
	strbuf_addch(out, '\n');
}

/* --metric-only: one line per owner, one column per ratio. style NULL: the headings. */
static void add_ratio_columns(struct strbuf *out, const struct view_counters *v, size_t first,
			      const struct counters_style *style)
{
	_cleanup_(strbuf_releasep) struct strbuf heading = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < v->nr_rows && v->rows[i].group == v->rows[first].group; i++) {
		for (size_t k = 0; k < v->rows[i].nr_ratios; k++) {
			const struct view_ratio *r = &v->rows[i].ratios[k];
			int width;

			if (!counters_in_ratios_only(r))
				continue;
			strbuf_reset(&heading);
			strbuf_reset(&text);
			counters_heading(&heading, &v->rows[i], r);
			width = (int)MAX((size_t)RATIO_COLUMN, heading.len);
			if (!style)
				strbuf_adds(&text, heading.buf);
			else if (r->known)
				width += (int)add_number(&text, r, style);
			strbuf_add_aligned(out, text.buf, width);
			strbuf_addch(out, ' ');
		}
	}
	strbuf_addch(out, '\n');
}

static void add_ratios_only(struct strbuf *out, const struct view_counters *v,
			    const struct counters_style *style)
{
	for (size_t i = 0; i < v->nr_rows; i++) {
		if (i && v->rows[i].group == v->rows[i - 1].group)
			continue;
		add_interval(out, v);
		add_owner(out, v, &v->rows[i]);
		add_ratio_columns(out, v, i, style);
	}
}

/* Blank space as wide as the owner's columns; ports have a heading (that is wider, as perf's). */
static void pad_owner(struct strbuf *out, const struct view_counters *v)
{
	const struct owner_style *style = &owners[v->owner];

	if (v->owner == VIEW_OWNER_PORT)
		strbuf_adds(out, style->heading);
	if (style->width)
		strbuf_pad(out, ' ', (size_t)style->width + 1 + (style->has_cpus ? 5 : 0));
}

static void add_interval_heading(struct strbuf *out, const struct view_counters *v)
{
	const struct owner_style *style = &owners[v->owner];
	size_t start = out->len;

	if (v->owner == VIEW_OWNER_PORT) {
		strbuf_addf(out, " #          time %s", style->heading);
		if (v->nr_rows)
			add_ratio_columns(out, v, 0, NULL);
		return;
	}
	strbuf_addf(out, "#           time%s", style->heading);
	if (!v->ratios_only) {
		strbuf_addf(out, "%s %*s events\n", style->tail, (int)v->unit_width, "unit");
		return;
	}
	strbuf_pad(out, ' ',
		   17 + (style->width ? (size_t)style->width + 1 : 0) + (style->has_cpus ? 5 : 0) -
			   (out->len - start));
	if (v->nr_rows)
		add_ratio_columns(out, v, 0, NULL);
}

static void add_title(struct strbuf *out, const struct view_counters *v)
{
	strbuf_addf(out, "\n Performance counter stats for %s", v->title);
	if (v->runs > 1)
		strbuf_addf(out, " (%u runs)", v->runs);
	strbuf_adds(out, ":\n\n");
	if (v->ratios_only && v->nr_rows) {
		pad_owner(out, v);
		add_ratio_columns(out, v, 0, NULL);
	}
}

/* Digits that show the deviation, at most 9. */
static int precision_of(double deviation)
{
	int digits = 2;

	if (deviation <= 0)
		return 9;
	for (; deviation < 1 && digits < 9; digits++)
		deviation *= 10;
	return digits;
}

static u32 bars_of(double run, double mean)
{
	double bars = run > 0 ? ceil(fabs(run - mean) * 20 / run) : 1;

	return bars < 1 ? 1 : bars > 60 ? 60 : (u32)bars;
}

static void add_repeated_footer(struct strbuf *out, const struct view_counters *v)
{
	int digits = precision_of(v->seconds_deviation);
	int indent = 16 - digits; /* where "0.123" begins */

	if (v->each_run) {
		strbuf_addf(out, "%*s# Table of individual measurements:\n", indent, "");
		for (u32 i = 0; i < v->runs; i++) {
			strbuf_addf(out, " %17.*f (%+.*f) ", digits, v->each_run[i], digits,
				    v->each_run[i] - v->seconds);
			strbuf_pad(out, '#', bars_of(v->each_run[i], v->seconds));
			strbuf_addch(out, '\n');
		}
		strbuf_addf(out, "\n%*s# Final result:\n", indent, "");
	}
	strbuf_addf(out, " %17.*f +- %.*f seconds time elapsed", digits, v->seconds, digits,
		    v->seconds_deviation);
	if (v->seconds_deviation != 0)
		strbuf_addf(out, "  ( +-%6.2f%% )", 100 * v->seconds_deviation / v->seconds);
}

static void add_footer(struct strbuf *out, const struct view_counters *v)
{
	if (!v->no_rows)
		strbuf_addch(out, '\n');
	if (v->runs > 1)
		add_repeated_footer(out, v);
	else
		strbuf_addf(out, " %17.9f seconds time elapsed", v->seconds);
	if (v->has_usage)
		strbuf_addf(out, "\n\n %17.9f seconds user\n %17.9f seconds sys\n", v->user_seconds,
			    v->system_seconds);
	strbuf_adds(out, "\n\n");
}

static void print_text(const struct view_counters *v, const struct counters_style *style,
		       struct strbuf *out)
{
	if (v->has_interval && v->clear_screen)
		strbuf_adds(out, "\033[H\033[2J");
	if (v->has_interval && (v->clear_screen || !(v->interval_number % HEADING_EVERY)))
		add_interval_heading(out, v);
	if (!v->has_interval)
		add_title(out, v);
	if (v->ratios_only)
		add_ratios_only(out, v, style);
	else
		for (size_t i = 0; i < v->nr_rows; i++)
			add_row(out, v, &v->rows[i], style);
	if (!v->has_interval)
		add_footer(out, v);
}

const struct counters_ops counters_text_ops = { .print = print_text };
