/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all parts of the event grammar use: the place in the text, errors, events that are added. */
#include "event/parser.h"

#include <stdarg.h>
#include <string.h>

#include "sys/tracefs.h"

void parser_take(struct parser *p, size_t n)
{
	p->last = p->first;
	p->first = p->pos;
	p->pos += n;
}

char parser_peek(const struct parser *p)
{
	return p->text[p->pos];
}

int parser_fail(struct parser *p, long column, const char *fmt, ...)
{
	va_list ap;

	p->ee->column = column;
	va_start(ap, fmt);
	vsnprintf(p->ee->text, sizeof(p->ee->text), fmt, ap);
	va_end(ap);
	return -1;
}

bool parser_suggest(struct parser *p, const struct similar *near)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	size_t used = strlen(p->ee->help);

	if (!similar_question(near, &text))
		return false;
	snprintf(p->ee->help + used, sizeof(p->ee->help) - used, "Hint:\t%s\n", text.buf);
	return true;
}

void parser_skip_blanks(struct parser *p)
{
	size_t n = strspn(p->text + p->pos, " \t\n\r");

	if (n)
		parser_take(p, n);
}

int parser_syntax(struct parser *p)
{
	return parser_fail(p, (long)(p->text[p->pos] ? p->first : p->last), "parser error");
}

struct event *parser_add(struct parser *p, enum event_kind kind, u32 type, u64 config)
{
	struct event *ev = event_list_add(p->out, NULL, type, config);

	ev->kind = kind;
	ev->attr.exclude_guest = 1;
	return ev;
}

bool parser_find_tracefs(struct parser *p)
{
	if (p->tracefs[0])
		return true;
	if (p->env && p->env->tracefs) {
		snprintf(p->tracefs, sizeof(p->tracefs), "%s", p->env->tracefs);
		return true;
	}
	return sys_tracefs_find(p->env ? p->env->debugfs : NULL, p->env ? p->env->procfs : NULL,
				p->tracefs, sizeof(p->tracefs));
}
