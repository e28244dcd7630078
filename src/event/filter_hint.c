/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter_hint: the kernel says of a wrong filter that an argument was invalid; which one is found
 * here.
 *
 * Filters are described in Documentation/trace/events.rst: FIELD OPERATOR VALUE, joined by && and
 * ||, in parentheses.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/similar.h"
#include "event/event.h"
#include "sys/tracefs.h"

enum { FIELDS_MAX = 64 };

struct hint_fields {
	char *names[FIELDS_MAX];
	size_t nr, nr_common; /* fields that every event has come first */
};

/* "\tfield:TYPE NAME[SIZE];\toffset:..." */
static void add_field(struct hint_fields *f, const char *line)
{
	size_t end = strcspn(line, ";"), start = end;

	while (start && line[start - 1] != ' ')
		start--;
	f->names[f->nr++] = xstrndup(line + start, MIN(strcspn(line + start, "["), end - start));
}

static void read_fields(struct hint_fields *f, const struct strbuf *format)
{
	for (const char *s = format->buf; f->nr < FIELDS_MAX && (s = strstr(s, "\tfield:"));
	     s += strcspn(s, ";")) {
		add_field(f, s + strlen("\tfield:"));
		f->nr_common += !strncmp(f->names[f->nr - 1], "common_", strlen("common_"));
	}
}

static bool is_field(const struct hint_fields *f, const char *word)
{
	/* names that the kernel adds to every event */
	static const char *const made[] = {
		"CPU", "cpu", "COMM", "comm", "STACKTRACE", "stacktrace"
	};

	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->names[i], word))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(made); i++)
		if (!strcmp(made[i], word))
			return true;
	return false;
}

/* The word at s, which is where a field has to stand: at the start and behind '(', '!', '&&' and
 * '||'. */
static const char *next_field(const char *s, size_t *len)
{
	bool expected = true;

	for (; *s; s++) {
		if (*s == '"' || *s == '\'') {
			const char *close = strchr(s + 1, *s);

			if (!close)
				return NULL;
			s = close;
			expected = false;
		} else if (expected && (isalpha((u8)*s) || *s == '_')) {
			for (*len = 0; isalnum((u8)s[*len]) || s[*len] == '_'; ++*len)
				;
			return s;
		} else if (*s == '(' || (*s == '!' && s[1] != '=') || (*s == '&' && s[1] == '&') ||
			   *s == '|') {
			expected = true;
			s += *s == '&';
		} else if (!isspace((u8)*s)) {
			expected = false;
		}
	}
	return NULL;
}

static void hint_fields(const struct hint_fields *f, const char *typed, const struct event *ev,
			struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct similar near;

	strbuf_addf(&text, "%s has no field '", ev->name);
	strbuf_add_escaped(&text, typed);
	strbuf_adds(&text, "': ");
	similar_init(&near, typed);
	for (size_t i = 0; i < f->nr; i++)
		similar_offer(&near, f->names[i]);
	if (similar_question(&near, &text))
		strbuf_addch(&text, ' ');
	strbuf_adds(&text, "it has");
	for (size_t i = f->nr_common; i < f->nr; i++)
		strbuf_addf(&text, "%s %s", i > f->nr_common ? "," : "", f->names[i]);
	err_hint(e, "%s", text.buf);
}

void event_filter_hint(const struct event *ev, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf format = STRBUF_INIT;
	struct hint_fields f = { .nr = 0 };
	const char *at = ev->filter;
	size_t len;

	if (e->code != EINVAL || !ev->tracefs || event_tracepoint_format(ev, &format, NULL))
		return;
	read_fields(&f, &format);
	err_hint(
		e,
		"a filter is FIELD OPERATOR VALUE with == != < <= > >= & or ~ 'GLOB', joined by && and ||");
	for (; (at = next_field(at, &len)); at += len) {
		_cleanup_(mem_freep) char *word = xstrndup(at, len);

		if (is_field(&f, word))
			continue;
		hint_fields(&f, word, ev, e);
		break;
	}
	for (size_t i = 0; i < f.nr; i++)
		free(f.names[i]);
}
