/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cells of a section's rows: values, keys and call graphs. */
#include "profile/section.h"

enum {
	PERCENT_WIDTH = 8, /* " 12.34%" and a blank */
	NUMBER_WIDTH = 12,
};

const struct value_column section_values[AGG_NR_VALUES] = {
	[AGG_OVERHEAD] = { "Overhead", PERCENT_WIDTH, true, VIEW_PERIOD },
	[AGG_OVERHEAD_CHILDREN] = { "Children", PERCENT_WIDTH, true, VIEW_PERIOD },
	[AGG_OVERHEAD_SYS] = { "sys", PERCENT_WIDTH, true, VIEW_PERIOD },
	[AGG_OVERHEAD_US] = { "usr", PERCENT_WIDTH, true, VIEW_PERIOD },
	[AGG_OVERHEAD_GUEST_SYS] = { "guest sys", 9, true, VIEW_PERIOD },
	[AGG_OVERHEAD_GUEST_US] = { "guest usr", 9, true, VIEW_PERIOD },
	[AGG_SAMPLES] = { "Samples", NUMBER_WIDTH, false, VIEW_SAMPLES },
	[AGG_PERIOD] = { "Period", NUMBER_WIDTH, false, VIEW_PERIOD },
	[AGG_LATENCY] = { "Latency", PERCENT_WIDTH, true, VIEW_LATENCY },
	[AGG_LATENCY_CHILDREN] = { "Latency", PERCENT_WIDTH - 1, true, VIEW_LATENCY },
};

double section_percent(u64 part, u64 whole)
{
	return whole ? (double)part * 100.0 / (double)whole : 0.0;
}

static void add_share(struct strbuf *out, double percent, int width, struct view_marks *marks)
{
	enum view_class class = view_class_of(percent);
	size_t from = out->len;

	strbuf_addch(out, ' ');
	strbuf_add_fixed(out, percent, MAX(width - 2, 0), 2);
	strbuf_addch(out, '%');
	if (marks && class != VIEW_PLAIN)
		*VEC_PUSH(marks) = (struct view_mark){ from, out->len - from, class };
}

u64 section_whole(const struct section *v, enum agg_value what, u32 member)
{
	return what == AGG_LATENCY || what == AGG_LATENCY_CHILDREN ? v->events[member].total_latency
								   : v->events[member].total;
}

static bool is_missing(const struct section *v, enum agg_value what)
{
	return agg_is_accumulated(what) && !v->o->agg.children;
}

void section_add_value(const struct section *v, u64 value, u32 member, size_t column,
		       struct strbuf *out, struct view_marks *marks)
{
	int width = v->o->separated ? 0 : (int)v->member_width[column];
	enum agg_value what = v->cols[column].index;

	if (is_missing(v, what)) {
		if (!member) /* as in perf, shown once for all members of a group */
			strbuf_addf(out, "%*s",
				    what == AGG_LATENCY_CHILDREN ? 4 : (int)v->member_width[column],
				    "N/A");
	} else if (section_values[what].percent) {
		add_share(out, section_percent(value, section_whole(v, what, member)), width,
			  marks);
	} else {
		strbuf_addch(out, ' ');
		strbuf_add_u64_width(out, value, MAX(width - 1, 0), ' ');
	}
}

bool section_number(const struct section *v, u64 value, u32 member, size_t column,
		    struct view_amount *out)
{
	enum agg_value what = v->cols[column].index;

	if (v->cols[column].is_key || is_missing(v, what))
		return false;
	*out = (struct view_amount){ .value = value };
	if (section_values[what].percent)
		out->percent = section_percent(value, section_whole(v, what, member));
	return true;
}

void section_add_key(const struct section *v, const struct agg_entry *e, u8 key, u32 width,
		     struct strbuf *out)
{
	v->o->agg.keys[key]->text(v->a, e, e->words[key], width, out);
}

bool section_make_tree(const struct section *v, const struct agg_entry *e, u64 row_total,
		       struct view_tree *out)
{
	struct calltree_opts o = {
		.flat = v->o->graph.flat,
		.relative = v->o->graph.relative,
		.min_percent = v->o->graph.min_percent,
		.total = v->events[0].total,
	};

	out->row_total = row_total;
	out->total = v->s->period[0];
	return agg_calltree(v->a, e, &o, out);
}
