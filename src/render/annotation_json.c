/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doc/json.md describes it. */
#include "render/annotation.h"

enum { VERSION = 1 };

void annotation_json_begin(struct annotation_out *out)
{
	json_init(&out->json, &out->text);
	json_object(&out->json, NULL, JSON_LINES);
	json_string(&out->json, "schema", "perf annotate");
	json_u64(&out->json, "version", VERSION);
}

static void begin_json(struct annotation_out *out)
{
	annotation_json_begin(out);
	json_array(&out->json, "functions", JSON_LINES);
}

/* All 64 bits: readers may keep numbers as doubles. */
static void add_address(struct json *j, const char *key, u64 v)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "0x");
	strbuf_add_hex(&text, v);
	json_string(j, key, text.buf);
	strbuf_release(&text);
}

void annotation_json_events(struct json *j, const struct view_annotation_event *events, u32 nr)
{
	json_array(j, "events", JSON_LINES);
	for (u32 i = 0; i < nr; i++) {
		const struct view_annotation_event *e = &events[i];

		json_object(j, NULL, JSON_SPACED);
		json_string(j, "name", e->name);
		json_u64(j, "samples", e->nr);
		json_u64(j, "period", e->period);
		json_u64(j, "total_samples", e->total_nr);
		json_u64(j, "total_period", e->total_period);
		json_end(j);
	}
	json_end(j);
}

void annotation_json_counts(struct json *j, const struct view_line_count *counts, u32 nr)
{
	json_array(j, "samples", JSON_TIGHT);
	for (u32 i = 0; i < nr; i++)
		json_u64(j, NULL, counts[i].nr);
	json_end(j);
	json_array(j, "period", JSON_TIGHT);
	for (u32 i = 0; i < nr; i++)
		json_u64(j, NULL, counts[i].period);
	json_end(j);
}

static void add_flow(struct json *j, const struct view_line *line)
{
	static const char *const names[] = { NULL, "jump", "call", "return" };

	if (line->flow != VIEW_FLOW_ON)
		json_string(j, "flow", names[line->flow]);
	if (line->has_target)
		add_address(j, "target", line->target);
	if (line->target_name)
		json_string(j, "target_symbol", line->target_name);
	if (line->has_data)
		add_address(j, "data", line->data);
	if (line->data_name)
		json_string(j, "data_symbol", line->data_name);
	if (line->nr_jumps)
		json_u64(j, "jumps", line->nr_jumps);
}

static void add_branches(struct json *j, const struct view_line_branches *b)
{
	json_u64(j, "ran", b->ran);
	json_u64(j, "entered", b->entered);
	json_u64(j, "taken", b->taken);
	json_u64(j, "predicted", b->predicted);
	if (b->timed && b->cycles) {
		json_fixed(j, "ipc", (double)b->insns / (double)b->cycles, 2);
		json_fixed(j, "cycles", (double)b->cycles / (double)b->timed, 2);
	}
}

static void add_line(struct json *j, const struct view_annotation *v, const struct view_line *line)
{
	json_object(j, NULL, JSON_SPACED);
	if (line->is_code) {
		struct strbuf bytes = STRBUF_INIT;

		for (u8 i = 0; i < line->len; i++)
			strbuf_add_hex_width(&bytes, line->bytes[i], 2, '0');
		add_address(j, "address", line->addr);
		json_string(j, "bytes", bytes.buf);
		strbuf_release(&bytes);
		json_string(j, "text", line->text);
		add_flow(j, line);
	} else {
		json_string(j, line->is_source ? "source" : "heading", line->text);
	}
	if (line->place.file) {
		json_string(j, "file", line->place.file);
		json_u64(j, "line", line->place.line);
	}
	if (line->counts)
		annotation_json_counts(j, line->counts, v->nr_events);
	if (line->data_type)
		json_string(j, "data_type", line->data_type);
	if (line->branches)
		add_branches(j, line->branches);
	json_end(j);
}

static void function_json(struct annotation_out *out, const struct view_annotation *v)
{
	struct json *j = &out->json;

	json_object(j, NULL, JSON_LINES);
	json_string(j, "symbol", v->symbol);
	json_string(j, "dso", v->dso);
	json_string(j, "build_id", v->build_id);
	add_address(j, "address", v->start);
	json_u64(j, "size", v->size);
	json_bool(j, "cut", v->cut);
	if (v->process)
		json_u64(j, "memory_of_process", v->process);
	annotation_json_events(j, v->events, v->nr_events);
	json_array(j, "lines", JSON_LINES);
	for (size_t i = 0; i < v->nr_lines; i++)
		if (v->lines[i].text[0] || v->lines[i].is_code)
			add_line(j, v, &v->lines[i]);
	json_end(j);
	json_end(j);
}

void annotation_json_end(struct annotation_out *out)
{
	json_end(&out->json);
	json_end(&out->json);
	strbuf_addch(&out->text, '\n');
}

const struct annotation_ops annotation_json_ops = { begin_json, function_json,
						    annotation_json_end };
