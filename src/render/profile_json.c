/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile as JSON: doc/json.md describes it. Rows are made in pieces, as those of the text are.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "render/pieces.h"
#include "render/profile.h"

enum { SCHEMA_VERSION = 1 };

static void flush(struct profile_out *out)
{
	out->write(out->ctx, out->text.buf, out->text.len);
	strbuf_reset(&out->text);
}

/* What is true of one recording. */
static void add_recording(struct json *j, const struct view_profile *p)
{
	json_object(j, "header", JSON_LINES);
	for (size_t i = 0; i < p->nr_facts; i++) {
		const struct view_fact *f = &p->facts[i];

		if (f->text)
			json_string(j, f->name, f->text);
		else if (f->time)
			json_decimal(j, f->name, f->number, 9);
		else
			json_u64(j, f->name, f->number);
	}
	json_end(j);
	json_u64(j, "samples", p->samples);
	json_object(j, "lost", JSON_SPACED);
	json_u64(j, "samples", p->lost_samples);
	json_u64(j, "events", p->lost_events);
	json_u64(j, "chunks", p->lost_chunks);
	json_u64(j, "throttled", p->throttled);
	json_u64(j, "bad_samples", p->bad_samples);
	json_u64(j, "unknown_samples", p->unknown_samples);
	json_end(j);
}

static void begin_json(struct profile_out *out, const struct view_profile *p)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct json *j = XNEW(struct json);

	out->json = j;
	out->text = (struct strbuf)STRBUF_INIT;
	json_init(j, &out->text);
	json_object(j, NULL, JSON_LINES);
	strbuf_addf(&name, "perf %s", p->command ? p->command : "report");
	json_string(j, "schema", name.buf);
	json_u64(j, "version", SCHEMA_VERSION);
	if (p->nr_of) {
		json_array(j, "files", JSON_LINES);
		for (size_t i = 0; i < p->nr_of; i++) {
			json_object(j, NULL, JSON_LINES);
			add_recording(j, p->of[i]);
			json_end(j);
		}
		json_end(j);
		p = p->of[0];
	} else {
		add_recording(j, p);
	}
	json_object(j, "only", JSON_SPACED);
	for (size_t i = 0; i < p->nr_only; i++)
		json_string(j, p->only[i].column, p->only[i].value);
	json_end(j);
	json_array(j, "sections", JSON_LINES);
}

static void add_events(struct json *j, const struct view_section *s)
{
	json_array(j, "events", JSON_LINES);
	for (u32 m = 0; m < s->nr_events; m++) {
		const struct view_event *e = &s->events[m];

		json_object(j, NULL, JSON_SPACED);
		json_string(j, "name", e->name);
		json_u64(j, "samples", e->samples);
		json_u64(j, "period", e->period);
		if (e->total_latency)
			json_u64(j, "latency", e->total_latency);
		json_end(j);
	}
	json_end(j);
}

/* What members of cells are called: a column's name, with a number where others have it, too. */
struct names {
	char **v;
	size_t nr;
};

static struct names names_of(const struct view_column *columns, size_t nr)
{
	struct names n = { .v = xcalloc(nr + 1, sizeof(*n.v)), .nr = nr };

	for (size_t i = 0; i < nr; i++) {
		size_t before = 0;

		for (size_t k = 0; k < i; k++)
			before += !strcmp(columns[k].name, columns[i].name);
		n.v[i] = before ? xasprintf("%s#%zu", columns[i].name, before + 1)
				: xstrdup(columns[i].name);
	}
	return n;
}

static void names_release(struct names *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->v[i]);
	free((void *)n->v);
}

static void add_columns(struct json *j, const struct view_section *s, const struct names *names)
{
	static const char *const units[] = {
		[VIEW_TEXT] = "text",       [VIEW_PERIOD] = "period", [VIEW_LATENCY] = "latency",
		[VIEW_SAMPLES] = "samples", [VIEW_CYCLES] = "cycles", [VIEW_WEIGHTED] = "weighted",
		[VIEW_POINTS] = "points",   [VIEW_RATIO] = "ratio",   [VIEW_MORE_CYCLES] = "cycles"
	};

	json_array(j, "columns", JSON_LINES);
	for (size_t c = 0; c < names->nr; c++) {
		const struct view_column *col = &s->table.columns[c];

		json_object(j, NULL, JSON_SPACED);
		json_string(j, "name", names->v[c]);
		json_string(j, "header", col->header + strspn(col->header, " "));
		json_string(j, "unit", units[col->unit]);
		if (col->share)
			json_bool(j, "percent", true);
		if (s->outline && s->outline->level[c])
			json_u64(j, "level", s->outline->level[c] - 1U);
		json_end(j);
	}
	json_end(j);
}

/* The rows of one section, or of one level of an outline. */
struct row_maker {
	const struct view_table *t;
	const struct names *names;
	const struct json *json; /* within the array of rows */
};

struct row_scratch {
	struct view_tree tree;
	struct strbuf text;
};

static void release_scratch(void *scratch)
{
	struct row_scratch *s = scratch;

	view_tree_release(&s->tree);
	if (s->text.buf)
		strbuf_release(&s->text);
}

static void add_amount(struct json *j, const char *key, enum view_unit unit,
		       const struct view_amount *n)
{
	if (unit == VIEW_POINTS || unit == VIEW_RATIO)
		json_fixed(j, key, n->real, 6);
	else if (unit == VIEW_WEIGHTED || unit == VIEW_MORE_CYCLES)
		json_s64(j, key, (s64)n->value);
	else
		json_u64(j, key, n->value);
}

static void add_number(struct json *j, const struct row_maker *m, size_t row, size_t c,
		       bool percent)
{
	_cleanup_(mem_freep) char *key = xasprintf("%s%s", m->names->v[c],
						   percent ? "_percent" : "");
	bool several = m->t->nr_members > 1;
	struct view_amount n;

	if (several)
		json_array(j, key, JSON_SPACED);
	for (u32 k = 0; k < m->t->nr_members; k++) {
		if (!m->t->number(m->t->ctx, row, c, k, &n))
			json_null(j, several ? NULL : key);
		else if (percent)
			json_fixed(j, several ? NULL : key, n.percent, 4);
		else
			add_amount(j, several ? NULL : key, m->t->columns[c].unit, &n);
	}
	if (several)
		json_end(j);
}

/* "[k] schedule": where it ran is a member of its own. */
static void add_text(struct json *j, const char *name, const char *text)
{
	if (!strncmp(name, "symbol", strlen("symbol")) && text[0] == '[' && text[1] &&
	    text[2] == ']' && text[3] == ' ') {
		_cleanup_(mem_freep) char *key = xasprintf("%s_level", name);

		json_string(j, key, (char[]){ text[1], '\0' });
		text += 4;
	}
	json_string(j, name, text);
}

static void add_cells(struct json *j, const struct row_maker *m, size_t row,
		      struct row_scratch *scratch)
{
	json_object(j, "cells", JSON_SPACED);
	for (size_t c = 0; c < m->t->nr_columns; c++) {
		const struct view_column *col = &m->t->columns[c];

		if (col->unit != VIEW_TEXT) {
			add_number(j, m, row, c, false);
			if (col->share)
				add_number(j, m, row, c, true);
			continue;
		}
		strbuf_reset(&scratch->text);
		if (m->t->text(m->t->ctx, row, c, &scratch->text))
			add_text(j, m->names->v[c], scratch->text.buf);
	}
	json_end(j);
}

/* The mark behind a name is a member of its own. */
static void add_frame(struct json *j, const struct view_label *l)
{
	const char *mark = l->kind & VIEW_LABEL_GUESS     ? " [guess]"
			   : l->kind & VIEW_LABEL_INLINED ? " (inlined)"
							  : "";
	_cleanup_(mem_freep) char *name = xstrdup(l->text);
	size_t len = strlen(name), behind = strlen(mark);

	if (len >= behind && !strcmp(name + len - behind, mark))
		name[len - behind] = '\0';
	json_object(j, NULL, JSON_SPACED);
	json_string(j, "name", name);
	if (l->kind & VIEW_LABEL_INLINED)
		json_bool(j, "inlined", true);
	if (l->kind & VIEW_LABEL_GUESS)
		json_bool(j, "guess", true);
	json_end(j);
}

static void add_node(struct json *j, const struct view_tree *t, u32 node, u64 parent)
{
	const struct view_node *n = &t->nodes.v[node];

	json_object(j, NULL, JSON_SPACED);
	json_u64(j, "id", node);
	if (node)
		json_u64(j, "parent", parent);
	json_u64(j, "total", n->total);
	json_u64(j, "self", n->self);
	json_u64(j, "total_samples", n->count);
	json_u64(j, "self_samples", n->self_count);
	json_array(j, "frames", JSON_SPACED);
	for (u32 i = 0; node && i < n->nr_labels; i++)
		add_frame(j, &t->labels.v[n->labels + i]);
	json_end(j);
	json_end(j);
}

/* Every node behind its parent. Graphs may be deeper than the stack. */
static void add_graph(struct json *j, const struct view_tree *t)
{
	struct {
		u32 node, parent;
	} *stack = xcalloc(t->nodes.nr + 1, sizeof(*stack));
	size_t nr = 0;

	json_array(j, "callgraph", JSON_SPACED);
	add_node(j, t, 0, 0);
	if (t->nodes.v[0].child)
		stack[nr++].node = t->nodes.v[0].child;
	while (nr) {
		u32 node = stack[nr - 1].node, parent = stack[nr - 1].parent;
		const struct view_node *n = &t->nodes.v[node];

		add_node(j, t, node, parent);
		nr--;
		if (n->next) {
			stack[nr].node = n->next;
			stack[nr++].parent = parent;
		}
		if (n->child) {
			stack[nr].node = n->child;
			stack[nr++].parent = node;
		}
	}
	json_end(j);
	free(stack);
}

static void add_row_content(struct json *j, const struct row_maker *m, size_t row,
			    struct row_scratch *scratch)
{
	if (!scratch->text.buf)
		scratch->text = (struct strbuf)STRBUF_INIT;
	add_cells(j, m, row, scratch);
	view_tree_reset(&scratch->tree);
	if (m->t->tree && m->t->tree(m->t->ctx, row, &scratch->tree) && scratch->tree.nodes.nr)
		add_graph(j, &scratch->tree);
}

static void make_rows(void *ctx, void *scratch, size_t from, size_t to, struct strbuf *out)
{
	const struct row_maker *m = ctx;
	struct json j = json_part(m->json, out, !from);

	for (size_t row = from; row < to; row++) {
		json_object(&j, NULL, JSON_SPACED);
		json_u64(&j, "id", row);
		add_row_content(&j, m, row, scratch);
		json_end(&j);
	}
}

static void add_table(struct profile_out *out, const struct view_table *t,
		      const struct names *names)
{
	struct row_maker m = { .t = t, .names = names, .json = out->json };
	struct pieces p = { .nr_rows = t->nr_rows,
			    .par = t->serial ? NULL : out->par,
			    .write = out->write,
			    .write_ctx = out->ctx,
			    .ctx = &m,
			    .make = make_rows,
			    .scratch_size = sizeof(struct row_scratch),
			    .release = release_scratch };

	flush(out);
	pieces_write(&p);
	json_parts(out->json, t->nr_rows > 0);
}

struct outline_json {
	struct profile_out *out;
	const struct view_outline *v;
	const struct names *names;
	struct row_scratch scratch;
	u64 nr; /* rows so far */
};

/* At most as deep as there are columns. */
static void add_level(struct outline_json *o, const struct view_rows *above, size_t above_row,
		      u64 parent)
{
	struct view_rows *rows = o->v->open(o->v->ctx, above, above_row);
	struct row_maker m = { .t = &rows->table, .names = o->names };
	struct json *j = o->out->json;

	for (size_t i = 0; i < rows->table.nr_rows; i++) {
		u64 id = o->nr++;

		json_object(j, NULL, JSON_SPACED);
		json_u64(j, "id", id);
		if (above)
			json_u64(j, "parent", parent);
		json_u64(j, "level", rows->level);
		add_row_content(j, &m, i, &o->scratch);
		json_end(j);
		flush(o->out);
		if (rows->level + 1 < o->v->nr_levels)
			add_level(o, rows, i, id);
	}
	o->v->close(rows);
}

static void add_outline(struct profile_out *out, const struct view_outline *v,
			const struct names *names)
{
	struct outline_json o = { .out = out, .v = v, .names = names };

	if (v->nr_levels)
		add_level(&o, NULL, 0, 0);
	release_scratch(&o.scratch);
}

static void add_matches(struct json *j, const struct view_section *s)
{
	json_array(j, "matched", JSON_LINES);
	for (size_t i = 0; i < s->nr_matches; i++) {
		_cleanup_(mem_freep) char *names = xstrdup(s->matches[i].names), *rest = names;

		json_object(j, NULL, JSON_SPACED);
		json_string(j, "kind", s->matches[i].object ? "object" : "symbol");
		json_array(j, "names", JSON_SPACED);
		while (rest)
			json_string(j, NULL, strsep(&rest, "\n"));
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void add_inlined(struct json *j, const struct view_section *s)
{
	json_array(j, "inlined", JSON_LINES);
	for (size_t i = 0; i < s->nr_inlined; i++) {
		_cleanup_(mem_freep) char *names = xstrdup(s->inlined[i].into), *rest = names;

		json_object(j, NULL, JSON_SPACED);
		json_string(j, "symbol", s->inlined[i].symbol);
		json_string(j, "file", s->inlined[i].file);
		json_array(j, "into", JSON_SPACED);
		while (rest)
			json_string(j, NULL, strsep(&rest, "\n"));
		json_end(j);
		json_end(j);
	}
	json_end(j);
}

static void add_stream(struct json *j, const char *key, const struct view_stream *s)
{
	if (!s) {
		json_null(j, key);
		return;
	}
	json_object(j, key, JSON_SPACED);
	json_u64(j, "period", s->period);
	json_fixed(j, "percent", s->percent, 4);
	json_u64(j, "cycles", s->cycles);
	json_array(j, "frames", JSON_SPACED);
	for (size_t i = 0; i < s->nr; i++)
		json_string(j, NULL, s->frames[i]);
	json_end(j);
	json_end(j);
}

static void add_streams(struct json *j, const struct view_streams *s)
{
	json_array(j, "streams", JSON_LINES);
	for (size_t i = 0; i < s->nr; i++) {
		json_object(j, NULL, JSON_SPACED);
		add_stream(j, "base", s->v[i].base);
		add_stream(j, "other", s->v[i].other);
		json_end(j);
	}
	json_end(j);
}

static void add_wall(struct json *j, const struct view_wall *w)
{
	json_object(j, "wall", JSON_LINES);
	json_u64(j, "ns", w->total);
	json_u64(j, "threads", w->threads);
	json_u64(j, "running", w->running);
	json_u64(j, "runnable", w->runnable);
	json_u64(j, "blocked", w->blocked);
	json_u64(j, "unknown", w->unknown);
	json_object(j, "states", JSON_SPACED);
	for (size_t i = 0; i < w->nr; i++)
		json_u64(j, w->states[i].state, w->states[i].ns);
	json_end(j);
	json_bool(j, "wakeups", w->wakeups);
	json_u64(j, "unwoken", w->unwoken);
	json_bool(j, "guessed", w->guessed);
	json_u64(j, "losses", w->losses);
	json_u64(j, "contradictions", w->contradictions);
	json_u64(j, "backwards", w->backwards);
	json_u64(j, "idle_samples", w->idle_samples);
	json_u64(j, "other_samples", w->other_samples);
	json_end(j);
}

static void section_json(struct profile_out *out, const struct view_section *s)
{
	struct names names = names_of(s->table.columns, s->table.nr_columns);
	struct json *j = out->json;

	json_object(j, NULL, JSON_LINES);
	add_events(j, s);
	json_bool(j, "grouped", s->grouped);
	json_string(j, "group", s->group);
	if (s->files)
		json_u64(j, "base_files", s->files->nr_base);
	json_string(j, "time", s->time);
	if (s->wall)
		add_wall(j, s->wall);
	if (s->socket >= 0)
		json_s64(j, "socket", s->socket);
	if (s->graph_min >= 0) {
		json_object(j, "callgraph", JSON_SPACED);
		json_string(j, "order", s->caller_first ? "caller" : "callee");
		json_double(j, "min_percent", s->graph_min);
		json_end(j);
	}
	if (s->nr_matches)
		add_matches(j, s);
	if (s->nr_inlined)
		add_inlined(j, s);
	if (s->streams)
		add_streams(j, s->streams);
	add_columns(j, s, &names);
	json_array(j, "rows", JSON_LINES);
	if (s->outline)
		add_outline(out, s->outline, &names);
	else
		add_table(out, &s->table, &names);
	json_end(j);
	json_end(j);
	names_release(&names);
	flush(out);
}

static void end_json(struct profile_out *out, const struct view_profile *p)
{
	struct json *j = out->json;

	json_end(j);
	if (p->nr_branches) {
		json_object(j, "branch_kinds", JSON_SPACED);
		for (size_t i = 0; i < p->nr_branch_kinds; i++)
			if (p->branch_kinds[i].nr)
				json_u64(j, p->branch_kinds[i].name, p->branch_kinds[i].nr);
		json_end(j);
	}
	json_end(j);
	strbuf_addch(&out->text, '\n');
	flush(out);
	strbuf_release(&out->text);
	free(j);
	out->json = NULL;
}

const struct profile_ops profile_json_ops = { .begin = begin_json,
					      .section = section_json,
					      .end = end_json };
