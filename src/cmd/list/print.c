/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "cmd/list/list.h"

enum { TEXT_COLUMNS = 80, TEXT_INDENT = 8 };

static void put_escaped(FILE *f, const char *s)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;

	strbuf_add_escaped(&sb, s);
	fputs(sb.buf, f);
}

/* Only what is known. */
static void json_put(struct json *j, const char *key, const char *value)
{
	if (value)
		json_string(j, key, value);
}

/* What the writer has so far. */
static void write_json(struct list_out *out)
{
	fwrite(out->text.buf, 1, out->text.len, out->f);
	strbuf_reset(&out->text);
}

static void json_item(struct list_out *out, const struct list_item *it)
{
	const struct list_opts *opts = out->opts;
	struct json *j = &out->json;

	json_object(j, NULL, JSON_LINES);
	json_put(j, "Unit", it->unit);
	json_put(j, "Topic", it->topic);
	json_put(j, "EventName", it->raw_name ? it->raw_name : it->name);
	json_put(j, "EventAlias", it->alias);
	json_put(j, "EventType", it->type);
	json_put(j, "Deprecated", it->deprecated ? "1" : NULL);
	json_put(j, "ScaleUnit", it->scale_unit);
	json_put(j, "BriefDescription", opts->desc ? it->desc : NULL);
	json_put(j, "PublicDescription", opts->long_desc ? it->long_desc : NULL);
	json_put(j, "Encoding", it->encoding);
	json_end(j);
	write_json(out);
}

/* Words between brackets, broken before the edge of the screen. */
static void put_wrapped(FILE *f, const char *text)
{
	_cleanup_(strbuf_releasep) struct strbuf sb = STRBUF_INIT;
	size_t column = TEXT_INDENT;
	const char *s;

	strbuf_add_escaped(&sb, text);
	fprintf(f, "%*s[", TEXT_INDENT - 1, "");
	for (s = sb.buf + strspn(sb.buf, " "); *s;) {
		size_t n = strcspn(s, " ");

		if (column > TEXT_INDENT && column + n >= TEXT_COLUMNS) {
			fprintf(f, "\n%*s", TEXT_INDENT, "");
			column = TEXT_INDENT;
		} else if (column > TEXT_INDENT) {
			putc(' ', f);
		}
		fprintf(f, "%.*s", (int)n, s);
		column += n + 1;
		s += n + strspn(s + n, " ");
	}
	fputs("]\n", f);
}

static void text_item(struct list_out *out, const struct list_item *it)
{
	const struct list_opts *opts = out->opts;
	const char *desc = opts->long_desc && it->long_desc ? it->long_desc : it->desc;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	strbuf_add_escaped(&name, it->name);
	if (it->alias) {
		strbuf_adds(&name, " OR ");
		strbuf_add_escaped(&name, it->alias);
	}
	if (!opts->desc || !desc) {
		fprintf(out->f, "  %-50s [%s]\n", name.buf, it->type);
	} else {
		if (it->topic && (!out->topic || strcmp(out->topic, it->topic) != 0)) {
			free(out->topic);
			out->topic = xstrdup(it->topic);
			fprintf(out->f, "\n%s:\n", it->topic);
		}
		fprintf(out->f, "  %-50s\n", name.buf);
		put_wrapped(out->f, desc);
	}
	if (opts->details && it->encoding && it->desc) {
		fprintf(out->f, "%*s", TEXT_INDENT, "");
		put_escaped(out->f, it->encoding);
		fputs(" \n", out->f);
	}
}

void list_item(struct list_out *out, const struct list_item *it)
{
	out->nr++;
	if (out->opts->json) {
		json_item(out, it);
		return;
	}
	if (out->opts->raw) {
		put_escaped(out->f, it->raw_name ? it->raw_name : it->name);
		putc(' ', out->f);
	} else {
		text_item(out, it);
	}
}

static void json_metric(struct list_out *out, const struct list_metric *m)
{
	struct json *j = &out->json;

	json_object(j, NULL, JSON_LINES);
	json_put(j, "MetricGroup", m->group);
	json_put(j, "MetricName", m->name);
	json_put(j, "MetricExpr", m->expr);
	json_put(j, "MetricThreshold", m->threshold);
	json_put(j, "ScaleUnit", m->scale_unit);
	json_put(j, "BriefDescription", out->opts->desc ? m->desc : NULL);
	json_end(j);
	write_json(out);
}

void list_metric(struct list_out *out, const struct list_metric *m)
{
	const struct list_opts *opts = out->opts;

	out->nr++;
	if (opts->json) {
		json_metric(out, m);
		return;
	}
	if (opts->raw) {
		fputs(m->name, out->f);
		return;
	}
	fprintf(out->f, "  %s\n", m->name);
	if (opts->desc && m->desc)
		fprintf(out->f, "%*s[%s]\n", TEXT_INDENT - 1, "", m->desc);
	if (opts->details)
		fprintf(out->f, "%*s[%s]\n", TEXT_INDENT - 1, "", m->expr);
	if (opts->details && m->threshold)
		fprintf(out->f, "%*s[%s]\n", TEXT_INDENT - 1, "", m->threshold);
}

void list_heading(struct list_out *out, const char *title)
{
	if (!out->opts->raw && !out->opts->json)
		fprintf(out->f, "\n%s:\n\n", title);
}

void list_group(struct list_out *out, const char *name, bool alone)
{
	if (out->opts->json)
		return;
	if (out->opts->raw)
		fprintf(out->f, alone ? "%s " : "%s", name);
	else
		fprintf(out->f, alone ? "%s\n" : "%s:\n", name);
}

void list_begin(struct list_out *out)
{
	out->text = (struct strbuf)STRBUF_INIT;
	json_init(&out->json, &out->text);
	out->json.outdent = 1; /* as perf has it */
	if (out->opts->json)
		json_array(&out->json, NULL, JSON_LINES);
	else if (!out->opts->raw && out->opts->pager)
		fputs("\nList of pre-defined events (to be used in -e or -M):\n\n", out->f);
}

void list_end(struct list_out *out)
{
	if (out->opts->json) {
		json_end(&out->json);
		strbuf_addch(&out->text, '\n');
		write_json(out);
	}
	strbuf_release(&out->text);
	free(out->topic);
	out->topic = NULL;
}

void list_section(struct list_out *out)
{
	const struct list_opts *opts = out->opts;

	if (out->nr > out->section && opts->pager && !opts->json)
		putc('\n', out->f);
	out->section = out->nr;
}
