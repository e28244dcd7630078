/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/json.h"

#include <assert.h>
#include <math.h>

#include "base/glyph.h"

static const struct {
	const char *colon, *comma;
} layouts[] = {
	[JSON_TIGHT] = { ":", "," },
	[JSON_SPACED] = { ": ", ", " },
	[JSON_WIDE] = { " : ", ", " },
	[JSON_LINES] = { ": ", "," },
};

/* ASCII that stands as it is. */
static bool is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void json_quote(struct strbuf *out, const char *s)
{
	struct glyph g;

	strbuf_addch(out, '"');
	for (;;) {
		size_t plain = 0;

		while (is_plain((u8)s[plain]))
			plain++;
		strbuf_add(out, s, plain);
		s += plain;
		if (!*s)
			break;
		g = glyph_at(s);
		if (*s == '"' || *s == '\\')
			strbuf_addf(out, "\\%c", *s);
		else if (*s == '\n')
			strbuf_adds(out, "\\n");
		else if (g.control || g.wrong)
			strbuf_addf(out, "\\u%04x", g.code);
		else
			strbuf_add(out, s, g.len);
		s += g.len;
	}
	strbuf_addch(out, '"');
}

void json_init(struct json *j, struct strbuf *out)
{
	*j = (struct json){ .out = out };
}

static void new_line(struct json *j)
{
	strbuf_addch(j->out, '\n');
	strbuf_pad(j->out, '\t', j->depth > j->outdent ? j->depth - j->outdent : 0);
}

/* What stands in front of a value. */
static void begin_value(struct json *j, const char *key)
{
	u8 layout = j->levels[j->depth].layout;

	assert(!key == (!j->depth || j->levels[j->depth].array));
	if (j->levels[j->depth].filled)
		strbuf_adds(j->out, layouts[layout].comma);
	if (layout == JSON_LINES)
		new_line(j);
	j->levels[j->depth].filled = j->depth > 0;
	if (!key)
		return;
	json_quote(j->out, key);
	strbuf_adds(j->out, layouts[layout].colon);
}

static void enter(struct json *j, const char *key, enum json_layout layout, bool array)
{
	begin_value(j, key);
	strbuf_addch(j->out, array ? '[' : '{');
	assert(j->depth < JSON_MAX_DEPTH);
	j->depth++;
	j->levels[j->depth].layout = (u8)layout;
	j->levels[j->depth].array = array;
	j->levels[j->depth].filled = false;
}

void json_object(struct json *j, const char *key, enum json_layout layout)
{
	enter(j, key, layout, false);
}

void json_array(struct json *j, const char *key, enum json_layout layout)
{
	enter(j, key, layout, true);
}

void json_end(struct json *j)
{
	u8 ended = j->depth;

	assert(ended);
	j->depth--;
	if (j->levels[ended].layout == JSON_LINES && j->levels[ended].filled)
		new_line(j);
	strbuf_addch(j->out, j->levels[ended].array ? ']' : '}');
}

void json_string(struct json *j, const char *key, const char *s)
{
	begin_value(j, key);
	if (s)
		json_quote(j->out, s);
	else
		strbuf_adds(j->out, "null");
}

void json_u64(struct json *j, const char *key, u64 v)
{
	begin_value(j, key);
	strbuf_add_u64(j->out, v);
}

void json_s64(struct json *j, const char *key, s64 v)
{
	begin_value(j, key);
	if (v < 0)
		strbuf_addch(j->out, '-');
	strbuf_add_u64(j->out, v < 0 ? 0 - (u64)v : (u64)v);
}

void json_decimal(struct json *j, const char *key, u64 v, unsigned int digits)
{
	u64 unit = 1;

	for (unsigned int i = 0; i < digits; i++)
		unit *= 10;
	begin_value(j, key);
	strbuf_add_u64(j->out, v / unit);
	if (!digits)
		return;
	strbuf_addch(j->out, '.');
	strbuf_add_u64_width(j->out, v % unit, (int)digits, '0');
}

void json_fixed(struct json *j, const char *key, double v, int digits)
{
	begin_value(j, key);
	if (isfinite(v))
		strbuf_addf(j->out, "%.*f", digits, v);
	else
		strbuf_adds(j->out, "null");
}

void json_double(struct json *j, const char *key, double v)
{
	begin_value(j, key);
	if (isfinite(v))
		strbuf_addf(j->out, "%.15g", v);
	else
		strbuf_adds(j->out, "null");
}

void json_bool(struct json *j, const char *key, bool v)
{
	begin_value(j, key);
	strbuf_adds(j->out, v ? "true" : "false");
}

void json_null(struct json *j, const char *key)
{
	begin_value(j, key);
	strbuf_adds(j->out, "null");
}

struct json json_part(const struct json *j, struct strbuf *out, bool first)
{
	struct json part = *j;

	assert(part.levels[part.depth].array);
	part.out = out;
	part.levels[part.depth].filled = !first;
	return part;
}

void json_parts(struct json *j, bool filled)
{
	j->levels[j->depth].filled |= filled;
}
