/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/ansi.h"

static const char *const begins[] = {
	[VIEW_PLAIN] = "", [VIEW_WARM] = "\033[32m", [VIEW_HOT] = "\033[31m"
};

#define END "\033[m"

void ansi_colour(struct strbuf *out, size_t from, enum view_class class)
{
	size_t len = out->len - from, room = strlen(begins[class]);

	if (class == VIEW_PLAIN)
		return;
	strbuf_adds(out, begins[class]);
	memmove(out->buf + from + room, out->buf + from, len);
	memcpy(out->buf + from, begins[class], room);
	strbuf_adds(out, END);
}

void ansi_add_marked(struct strbuf *out, const char *text, size_t len,
		     const struct view_marks *marks)
{
	size_t done = 0;

	VEC_FOR(marks, m) {
		size_t from;

		strbuf_add(out, text + done, m->from - done);
		from = out->len;
		strbuf_add(out, text + m->from, m->len);
		ansi_colour(out, from, m->class);
		done = m->from + m->len;
	}
	strbuf_add(out, text + done, len - done);
}
