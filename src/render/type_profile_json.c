/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doc/json.md describes it. */
#include "render/type_profile.h"

static void add_type(struct json *j, const struct view_types *v, const struct view_type *type)
{
	json_object(j, NULL, JSON_LINES);
	json_string(j, "type", type->name);
	json_string(j, "dso", type->dso);
	json_u64(j, "size", type->fields[0].size);
	annotation_json_events(j, v->events, v->nr_events);
	annotation_json_counts(j, type->fields[0].counts, v->nr_events);
	json_array(j, "fields", JSON_LINES);
	for (size_t i = 1; i < type->nr_fields; i++) {
		const struct view_type_field *f = &type->fields[i];

		json_object(j, NULL, JSON_SPACED);
		json_u64(j, "depth", f->depth);
		json_u64(j, "offset", f->offset);
		json_u64(j, "size", f->size);
		json_string(j, "type", f->type);
		json_string(j, "name", f->name);
		annotation_json_counts(j, f->counts, v->nr_events);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void types_json(struct annotation_out *out, const struct view_types *v)
{
	for (size_t i = 0; i < v->nr_types; i++)
		add_type(&out->json, v, &v->types[i]);
}

static void add_insns(struct json *j, const struct view_type_stats *v)
{
	json_array(j, "instructions", JSON_LINES);
	for (size_t i = 0; i < v->nr_insns; i++) {
		json_object(j, NULL, JSON_SPACED);
		json_string(j, "name", v->insns[i].name);
		json_u64(j, "known", v->insns[i].good);
		json_u64(j, "unknown", v->insns[i].bad);
		json_end(j);
	}
	json_end(j);
}

/* What is behind them are the types. */
static void stats_json(struct annotation_out *out, const struct view_type_stats *types,
		       const struct view_type_stats *insns)
{
	struct json *j = &out->json;

	if (types) {
		json_object(j, "addresses", JSON_SPACED);
		json_u64(j, "total", types->total);
		json_u64(j, "known", types->good);
		for (size_t i = 0; i < types->nr_reasons; i++)
			json_u64(j, types->reasons[i].name, types->reasons[i].nr);
		json_end(j);
	}
	if (insns)
		add_insns(j, insns);
	json_array(j, "types", JSON_LINES);
}

const struct type_profile_ops type_profile_json_ops = { annotation_json_begin, stats_json,
							types_json, annotation_json_end };
