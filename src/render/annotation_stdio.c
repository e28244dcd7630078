/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/annotation.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

/* As perf's colours: of addresses, instructions, numbers. */
#define MAGENTA "\033[35m"
#define BLUE "\033[34m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define NORMAL "\033[m"

enum { WIDTH_NUMBER = 8, WIDTH_PERIOD = 12 };

void annotation_add_percent_type(const struct annotation_out *out, struct strbuf *text)
{
	strbuf_addf(text, "%s %s", out->global ? "global" : "local", out->hits ? "hits" : "period");
}

double annotation_percent(const struct annotation_out *out, const struct view_annotation *v,
			  const struct view_line *line, u32 event)
{
	const struct view_annotation_event *e = &v->events[event];
	const struct view_line_count *c = line->counts ? &line->counts[event] : NULL;
	u64 own = !c ? 0 : out->hits ? c->nr : c->period;
	u64 all = out->global ? (out->hits ? e->total_nr : e->total_period)
			      : (out->hits ? e->nr : e->period);

	return all ? 100.0 * (double)own / (double)all : 0;
}

static const char *colour_of(double percent)
{
	return percent >= 5 ? RED : percent > ANNOTATION_NOTABLE ? GREEN : NULL;
}

/* The largest of the events' percentages. */
static double most_percent(const struct annotation_out *out, const struct view_annotation *v,
			   const struct view_line *line)
{
	double most = 0;

	for (u32 i = 0; i < v->nr_events; i++)
		most = MAX(most, annotation_percent(out, v, line, i));
	return most;
}

u32 annotation_hex_digits(u64 v)
{
	u32 n = 1;

	while (v >>= 4)
		n++;
	return n;
}

/* "file.c:12" of a line that is notable; false: it is not, or its place is unknown. */
static bool text_of_place(const struct annotation_out *out, const struct view_annotation *v,
			  const struct view_line *line, struct strbuf *text)
{
	const char *file = line->place.file, *slash;

	if (!line->is_code || most_percent(out, v, line) <= ANNOTATION_NOTABLE)
		return false;
	if (!file) {
		strbuf_adds(text, "??:0");
		return true;
	}
	slash = out->full_paths ? NULL : strrchr(file, '/');
	strbuf_add_escaped(text, slash ? slash + 1 : file);
	strbuf_addf(text, ":%u", line->place.line);
	return true;
}

/* ------------------------------------------------------------------ summary */

struct place_sum {
	char *place;
	double *percent; /* of each event */
	u32 nr_events;
	size_t first; /* line of the function */
};
VEC_TYPE(place_sums, struct place_sum);

static struct place_sum *find_place(struct place_sums *sums, const char *place, u32 nr_events,
				    size_t line)
{
	VEC_FOR(sums, s)
		if (!strcmp(s->place, place))
			return s;
	*VEC_PUSH(sums) = (struct place_sum){ xstrdup(place), XNEW_ARRAY(double, nr_events),
					      nr_events, line };
	return VEC_LAST(sums);
}

static int heaviest_first(const void *x, const void *y)
{
	const struct place_sum *a = x, *b = y;

	for (u32 i = 0; i < a->nr_events; i++)
		if (a->percent[i] != b->percent[i])
			return a->percent[i] < b->percent[i] ? 1 : -1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static void add_sums(struct annotation_out *out, const struct view_annotation *v,
		     const struct place_sums *sums)
{
	VEC_FOR(sums, s) {
		const char *colour;
		double most = 0;

		for (u32 i = 0; i < v->nr_events; i++) {
			most = MAX(most, s->percent[i]);
			colour = out->coloured ? colour_of(s->percent[i]) : NULL;
			strbuf_addf(&out->text, "%s %7.2f%s", colour ? colour : "", s->percent[i],
				    colour ? NORMAL : "");
		}
		colour = out->coloured ? colour_of(most) : NULL;
		strbuf_addf(&out->text, "%s %s\n%s", colour ? colour : "", s->place,
			    colour ? NORMAL : "");
	}
}

void annotation_add_summary(struct annotation_out *out, const struct view_annotation *v)
{
	struct place_sums sums = { 0 };
	struct strbuf place = STRBUF_INIT;

	strbuf_adds(&out->text, "\nSorted summary for file ");
	strbuf_add_escaped(&out->text, v->dso);
	strbuf_adds(&out->text, "\n----------------------------------------------\n\n");
	for (size_t k = 0; k < v->nr_lines; k++) {
		strbuf_reset(&place);
		if (!text_of_place(out, v, &v->lines[k], &place))
			continue;
		struct place_sum *s = find_place(&sums, place.buf, v->nr_events, k);

		for (u32 i = 0; i < v->nr_events; i++)
			s->percent[i] += annotation_percent(out, v, &v->lines[k], i);
	}
	VEC_SORT(&sums, heaviest_first);
	if (sums.nr)
		add_sums(out, v, &sums);
	else
		strbuf_addf(&out->text, " Nothing higher than %1.1f%%\n", ANNOTATION_NOTABLE);
	VEC_FOR(&sums, s) {
		free(s->place);
		free(s->percent);
	}
	vec_free(&sums);
	strbuf_release(&place);
}

/* ------------------------------------------------------------------ lines */

static u32 column_width(const struct annotation_out *out, const struct view_annotation *v)
{
	return v->nr_events * (out->column == ANNOTATION_PERIOD ? WIDTH_PERIOD : WIDTH_NUMBER);
}

static void add_head(struct annotation_out *out, const struct view_annotation *v)
{
	static const char *const names[] = { "Percent", "Samples", "Period" };
	size_t from = out->text.len, len;

	strbuf_addf(&out->text, " %-*s|\tSource code & Disassembly of ", column_width(out, v),
		    names[out->column]);
	strbuf_add_escaped(&out->text, out->full_paths ? v->dso : v->dso_short);
	strbuf_adds(&out->text, " for ");
	strbuf_add_escaped(&out->text, v->group ? v->group : v->events[0].name);
	strbuf_addf(&out->text, " (%llu samples, percent: ", (unsigned long long)v->events[0].nr);
	annotation_add_percent_type(out, &out->text);
	strbuf_adds(&out->text, ")\n");
	/* (as many as perf prints) */
	len = out->text.len - from + 4;
	strbuf_pad(&out->text, '-', len);
	strbuf_addch(&out->text, '\n');
}

static void add_numbers(struct annotation_out *out, const struct view_annotation *v,
			const struct view_line *line)
{
	for (u32 i = 0; i < v->nr_events; i++) {
		struct view_line_count c = line->counts ? line->counts[i]
							: (struct view_line_count){ 0 };
		double percent = annotation_percent(out, v, line, i);
		const char *colour = out->coloured ? colour_of(percent) : NULL;

		if (colour)
			strbuf_adds(&out->text, colour);
		if (out->column == ANNOTATION_PERCENT)
			strbuf_add_fixed(&out->text, percent, WIDTH_NUMBER, 2);
		else if (out->column == ANNOTATION_SAMPLES)
			strbuf_add_u64_width(&out->text, c.nr, WIDTH_NUMBER, ' ');
		else
			strbuf_add_u64_width(&out->text, c.period, WIDTH_PERIOD, ' ');
		if (colour)
			strbuf_adds(&out->text, NORMAL);
	}
}

/* Blanks up to the next place that a tabulator goes to. */
static void tab(struct strbuf *out, size_t column)
{
	strbuf_pad(out, ' ', 8 - column % 8);
}

static void add_bytes(struct strbuf *out, const struct view_line *line)
{
	enum { BYTES = 7 };

	for (u8 i = 0; i < line->len; i++) {
		strbuf_add_hex_width(out, line->bytes[i], 2, '0');
		if (!line->goes_on || i + 1 < line->len)
			strbuf_addch(out, ' ');
	}
	if (!line->goes_on && line->len < BYTES)
		strbuf_pad(out, ' ', (size_t)3 * (BYTES - line->len));
}

static void add_code(struct annotation_out *out, const struct view_line *line)
{
	struct strbuf *t = &out->text;
	size_t from, column;

	strbuf_adds(t, out->coloured ? MAGENTA : "");
	strbuf_adds(t, "  ");
	strbuf_add_hex(t, line->addr);
	strbuf_addch(t, ':');
	column = annotation_hex_digits(line->addr) + 1;
	strbuf_adds(t, out->coloured ? NORMAL BLUE : "");
	from = t->len;
	tab(t, column);
	if (out->raw) {
		add_bytes(t, line);
		if (!line->goes_on)
			tab(t, column + t->len - from);
	}
	strbuf_add_escaped(t, line->text);
	strbuf_adds(t, out->coloured ? NORMAL : "");
}

/* How often a branch led here of all times that it ran; how often the branch that it is was taken.
 */
static void add_branches(struct annotation_out *out, const struct view_line *line)
{
	const struct view_line_branches *b = line->branches;

	if (!b || (!b->entered && !b->taken))
		return;
	strbuf_adds(&out->text, "\t#");
	if (b->entered)
		strbuf_addf(&out->text, " +%.2f%%", 100.0 * (double)b->entered / (double)b->ran);
	if (b->taken)
		strbuf_addf(&out->text, " -%.2f%% (p:%.2f%%)",
			    100.0 * (double)b->taken / (double)b->ran,
			    100.0 * (double)b->predicted / (double)b->taken);
}

/* Where a source line begins whose place is notable; as perf, in the colour of the last event's
 * share. */
static void add_place(struct annotation_out *out, const struct view_annotation *v,
		      const struct view_line *line, struct strbuf *last)
{
	struct strbuf place = STRBUF_INIT;

	if (text_of_place(out, v, line, &place) && strcmp(place.buf, last->buf)) {
		double percent = annotation_percent(out, v, line, v->nr_events - 1);
		const char *colour = out->coloured ? colour_of(percent) : NULL;

		strbuf_addf(&out->text, "%s // %s%s", colour ? colour : "", place.buf,
			    colour ? NORMAL : "");
		strbuf_reset(last);
		strbuf_adds(last, place.buf);
	}
	strbuf_release(&place);
}

/* Of a line, and the blanks behind it. */
static void add_number(struct strbuf *out, u32 number, u32 width)
{
	size_t from = out->len;

	strbuf_add_u64(out, number);
	width = MAX(width, (u32)(out->len - from)) + 1;
	strbuf_pad(out, ' ', width - (out->len - from));
}

static void function_stdio(struct annotation_out *out, const struct view_annotation *v)
{
	struct strbuf last = STRBUF_INIT;
	u32 width = column_width(out, v);
	u32 numbers = annotation_hex_digits(v->start + v->size); /* perf's width of line numbers */

	if (out->places)
		annotation_add_summary(out, v);
	add_head(out, v);
	for (size_t i = 0; i < v->nr_lines; i++) {
		const struct view_line *line = &v->lines[i];

		if (line->is_code) {
			add_numbers(out, v, line);
			strbuf_adds(&out->text, " : ");
			add_code(out, line);
			add_branches(out, line);
			if (line->data_type) {
				strbuf_adds(&out->text, "\t\t# data-type: ");
				strbuf_add_escaped(&out->text, line->data_type);
			}
			if (out->places)
				add_place(out, v, line, &last);
		} else if (!line->text[0]) {
			strbuf_pad(&out->text, ' ', width);
			strbuf_adds(&out->text, " :");
		} else {
			strbuf_pad(&out->text, ' ', width);
			strbuf_adds(&out->text, " : ");
			add_number(&out->text, line->number, numbers);
			strbuf_add_escaped(&out->text, line->text);
		}
		strbuf_addch(&out->text, '\n');
	}
	strbuf_release(&last);
}

static void nothing(struct annotation_out *out UNUSED)
{
}

const struct annotation_ops annotation_stdio_ops = { nothing, function_stdio, nothing };
