/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/rows.h"

#include <math.h>
#include <string.h>

bool row_separator_fits(const char *separator)
{
	return *separator && !strpbrk(separator, "0123456789.-");
}

static void init(struct row_writer *w, struct strbuf *out, const char *separator,
		 const char *schema, bool document)
{
	*w = (struct row_writer){ .separator = separator,
				  .document = document && !separator,
				  .out = out,
				  .names = STRBUF_INIT,
				  .last_names = STRBUF_INIT,
				  .values = STRBUF_INIT };
	json_init(&w->json, out);
	if (separator)
		return;
	json_object(&w->json, NULL, JSON_TIGHT);
	json_string(&w->json, "schema", schema);
	json_u64(&w->json, "version", 1);
	if (w->document)
		return;
	json_end(&w->json);
	strbuf_addch(out, '\n');
}

void row_writer_init(struct row_writer *w, struct strbuf *out, const char *separator,
		     const char *schema)
{
	init(w, out, separator, schema, false);
}

void row_document_init(struct row_writer *w, struct strbuf *out, const char *separator,
		       const char *schema)
{
	init(w, out, separator, schema, true);
}

/* Of a document: inside of an array. */
static bool in_array(const struct row_writer *w)
{
	return w->json.levels[w->json.depth].array;
}

void row_array(struct row_writer *w, const char *key)
{
	if (!w->document)
		return;
	if (in_array(w))
		json_end(&w->json);
	if (key)
		json_array(&w->json, key, JSON_TIGHT);
}

void row_document_end(struct row_writer *w)
{
	row_array(w, NULL);
	if (!w->document)
		return;
	json_end(&w->json);
	strbuf_addch(w->out, '\n');
}

void row_writer_release(struct row_writer *w)
{
	strbuf_release(&w->names);
	strbuf_release(&w->last_names);
	strbuf_release(&w->values);
}

/* Of text between separators: where the value goes. NULL: it is JSON. */
static struct strbuf *next_value(struct row_writer *w, const char *name)
{
	if (!w->separator)
		return NULL;
	strbuf_adds(&w->names, w->separator);
	strbuf_adds(&w->names, name);
	strbuf_adds(&w->values, w->separator);
	return &w->values;
}

void row_begin(struct row_writer *w, const char *type)
{
	if (w->separator) {
		strbuf_reset(&w->names);
		strbuf_reset(&w->values);
		strbuf_adds(&w->names, "# type");
		strbuf_adds(&w->values, type);
	} else if (!w->document || in_array(w)) {
		json_object(&w->json, NULL, JSON_TIGHT);
		if (!w->document)
			json_string(&w->json, "type", type);
	}
}

void row_end(struct row_writer *w)
{
	if (w->document) {
		if (w->json.depth > 1)
			json_end(&w->json);
		return;
	}
	if (!w->separator) {
		json_end(&w->json);
	} else {
		if (w->names.len != w->last_names.len ||
		    memcmp(w->names.buf, w->last_names.buf, w->names.len) != 0) {
			strbuf_add(w->out, w->names.buf, w->names.len);
			strbuf_addch(w->out, '\n');
			strbuf_reset(&w->last_names);
			strbuf_add(&w->last_names, w->names.buf, w->names.len);
		}
		strbuf_add(w->out, w->values.buf, w->values.len);
	}
	strbuf_addch(w->out, '\n');
}

void row_string(struct row_writer *w, const char *name, const char *s)
{
	struct strbuf *out = next_value(w, name);
	size_t from, length;

	if (!out) {
		json_string(&w->json, name, s);
		return;
	}
	from = out->len;
	strbuf_add_escaped(out, s ? s : "");
	length = strlen(w->separator);
	for (char *at = out->buf + from; length && (at = strstr(at, w->separator)) != NULL;)
		memset(at, '.', length);
}

void row_u64(struct row_writer *w, const char *name, u64 v)
{
	struct strbuf *out = next_value(w, name);

	if (out)
		strbuf_add_u64(out, v);
	else
		json_u64(&w->json, name, v);
}

void row_s64(struct row_writer *w, const char *name, s64 v)
{
	struct strbuf *out = next_value(w, name);

	if (out)
		strbuf_addf(out, "%lld", (long long)v);
	else
		json_s64(&w->json, name, v);
}

void row_time(struct row_writer *w, const char *name, u64 ns)
{
	struct strbuf *out = next_value(w, name);

	if (out)
		strbuf_addf(out, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
			    (unsigned long long)(ns % 1000000000));
	else
		json_decimal(&w->json, name, ns, 9);
}

void row_fixed(struct row_writer *w, const char *name, double v, int digits)
{
	struct strbuf *out = next_value(w, name);

	if (!out)
		json_fixed(&w->json, name, v, digits);
	else if (isfinite(v))
		strbuf_addf(out, "%.*f", digits, v);
}

void row_bool(struct row_writer *w, const char *name, bool v)
{
	struct strbuf *out = next_value(w, name);

	if (out)
		strbuf_addch(out, v ? '1' : '0');
	else
		json_bool(&w->json, name, v);
}

void row_null(struct row_writer *w, const char *name)
{
	if (!next_value(w, name))
		json_null(&w->json, name);
}
