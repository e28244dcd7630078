/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>

#include "render/type_profile.h"

enum { WIDTH_NUMBER = 8, WIDTH_PERIOD = 12, WIDTH_PLACE = 11, INDENT = 4 };

static const char line[] = "-----------------------------------------------------------\n";

static u32 width_of(const struct annotation_out *out)
{
	return out->column == ANNOTATION_PERIOD ? WIDTH_PERIOD : WIDTH_NUMBER;
}

static void add_counts(struct annotation_out *out, const struct view_types *v,
		       const struct view_line_count *own, const struct view_line_count *whole)
{
	for (u32 i = 0; i < v->nr_events; i++) {
		const struct view_annotation_event *e = &v->events[i];
		u64 part = out->hits ? own[i].nr : own[i].period;
		u64 all = out->hits ? whole[i].nr : whole[i].period;

		if (out->global)
			all = out->hits ? e->total_nr : e->total_period;
		if (out->column == ANNOTATION_PERCENT)
			strbuf_addf(&out->text, "%*.2f", WIDTH_NUMBER,
				    all ? 100.0 * (double)part / (double)all : 0);
		else
			strbuf_addf(&out->text, "%*" PRIu64, (int)width_of(out),
				    out->column == ANNOTATION_SAMPLES ? own[i].nr : own[i].period);
	}
}

static void add_place(struct strbuf *out, u64 v)
{
	char text[32];

	snprintf(text, sizeof(text), v ? "%#" PRIx64 : "%" PRIx64, v);
	strbuf_addf(out, "%*s", WIDTH_PLACE, text);
}

static void add_end(struct annotation_out *out, const struct view_types *v, u32 depth)
{
	strbuf_pad(&out->text, ' ',
		   v->nr_events * width_of(out) + 2U * WIDTH_PLACE + 2 + INDENT * depth);
	strbuf_adds(&out->text, "};\n");
}

static void add_field(struct annotation_out *out, const struct view_types *v,
		      const struct view_type *type, const struct view_type_field *f)
{
	add_counts(out, v, f->counts, type->fields[0].counts);
	add_place(&out->text, f->offset);
	add_place(&out->text, f->size);
	strbuf_pad(&out->text, ' ', 2 + INDENT * f->depth);
	strbuf_add_escaped(&out->text, f->type);
	strbuf_addch(&out->text, '\t');
	strbuf_add_escaped(&out->text, f->name);
	strbuf_adds(&out->text, f->has_members ? " {\n" : ";\n");
}

static void add_type(struct annotation_out *out, const struct view_types *v,
		     const struct view_type *type)
{
	static const char *const names[] = { " Percent", " Samples", "      Period" };
	u32 depth = 0;

	strbuf_adds(&out->text, "Annotate type: '");
	strbuf_add_escaped(&out->text, type->name);
	strbuf_adds(&out->text, "' in ");
	strbuf_add_escaped(&out->text, type->dso);
	strbuf_addf(&out->text, " (%" PRIu64 " samples):\n", type->fields[0].counts[0].nr);
	if (v->nr_events > 1)
		for (u32 i = 0; i < v->nr_events; i++) {
			strbuf_addf(&out->text, " event[%u] = ", i);
			strbuf_add_escaped(&out->text, v->events[i].name);
			strbuf_addch(&out->text, '\n');
		}
	strbuf_pad(&out->text, '=', 76);
	strbuf_addch(&out->text, '\n');
	strbuf_adds(&out->text, names[out->column]);
	strbuf_pad(&out->text, ' ', (v->nr_events - 1) * width_of(out));
	strbuf_addf(&out->text, "%*s%*s  field\n", WIDTH_PLACE, "offset", WIDTH_PLACE, "size");
	for (size_t i = 0; i < type->nr_fields; i++) {
		const struct view_type_field *f = &type->fields[i];

		for (; depth > f->depth; depth--)
			add_end(out, v, depth - 1);
		add_field(out, v, type, f);
		depth = f->depth + f->has_members;
	}
	for (; depth; depth--)
		add_end(out, v, depth - 1);
	strbuf_addch(&out->text, '\n');
}

static void types_text(struct annotation_out *out, const struct view_types *v)
{
	for (size_t i = 0; i < v->nr_types; i++)
		add_type(out, v, &v->types[i]);
}

/* ------------------------------------------------------------------ statistics */

static void add_total(struct annotation_out *out, u64 good, u64 bad)
{
	u64 total = good + bad;
	double whole = total ? (double)total : 1;

	strbuf_addf(&out->text,
		    "total %" PRIu64 ", ok %" PRIu64 " (%.1f%%), bad %" PRIu64 " (%.1f%%)\n", total,
		    good, 100 * (double)good / whole, bad, 100 * (double)bad / whole);
}

static void add_type_stats(struct annotation_out *out, const struct view_type_stats *v)
{
	strbuf_adds(&out->text, "Annotate data type stats:\n");
	add_total(out, v->good, v->total - v->good);
	strbuf_adds(&out->text, line);
	for (size_t i = 0; i < v->nr_reasons; i++)
		strbuf_addf(&out->text, "%10" PRIu64 " : %s\n", v->reasons[i].nr,
			    v->reasons[i].name);
	strbuf_addch(&out->text, '\n');
}

static void add_insn_stats(struct annotation_out *out, const struct view_type_stats *v)
{
	u64 good = 0, bad = 0;

	for (size_t i = 0; i < v->nr_insns; i++) {
		good += v->insns[i].good;
		bad += v->insns[i].bad;
	}
	strbuf_adds(&out->text, "Annotate Instruction stats\n");
	add_total(out, good, bad);
	strbuf_adds(&out->text, "\n  Name/opcode         :  Good   Bad\n");
	strbuf_adds(&out->text, line);
	for (size_t i = 0; i < v->nr_insns; i++)
		strbuf_addf(&out->text, "  %-20s: %5" PRIu64 " %5" PRIu64 "\n", v->insns[i].name,
			    v->insns[i].good, v->insns[i].bad);
	strbuf_addch(&out->text, '\n');
}

static void stats_text(struct annotation_out *out, const struct view_type_stats *types,
		       const struct view_type_stats *insns)
{
	if (types)
		add_type_stats(out, types);
	if (insns)
		add_insn_stats(out, insns);
}

static void nothing(struct annotation_out *out UNUSED)
{
}

const struct type_profile_ops type_profile_text_ops = { nothing, stats_text, types_text, nothing };
