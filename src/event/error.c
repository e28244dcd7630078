/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "event/event.h"

/* perf's line is at most 80 columns, with the wrong spot near its start. */
enum { LINE_WIDTH = 80, CARET_MAX = 13, DOTS = 2 };

static void add_one(const char *text, const struct event_error *ee, struct strbuf *out)
{
	static const char head[] = "event syntax error: '";
	size_t len = strlen(text);
	long col = ee->column;
	size_t room = LINE_WIDTH - sizeof(head); /* head's NUL makes up for the closing quote */
	size_t cut = 0;

	if (col > (long)len + 1)
		col = (long)len + 1;
	if (col > CARET_MAX) {
		cut = (size_t)col - CARET_MAX;
		text += cut + DOTS;
		len -= cut + DOTS;
		col = CARET_MAX;
		room -= DOTS;
	}
	strbuf_adds(out, head);
	if (cut)
		strbuf_adds(out, "..");
	if (len > room)
		strbuf_addf(out, "%.*s..", (int)(room - DOTS), text);
	else
		strbuf_adds(out, text);
	strbuf_addf(out, "'\n%*s\\___ %s\n", (int)((long)sizeof(head) - 1 + col), "", ee->text);
	if (ee->help[0])
		strbuf_addf(out, "\n%s\n", ee->help);
}

void event_error_print(const char *text, const struct event_error *ee, struct strbuf *out)
{
	add_one(text, ee, out);
	if (ee->repeated) {
		strbuf_adds(out, "\nInitial error:\n");
		add_one(text, ee, out);
	}
	strbuf_adds(out, "Run 'perf list' for a list of valid events\n");
}
