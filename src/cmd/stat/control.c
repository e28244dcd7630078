/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: another program enables and disables the counters.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "cmd/stat/stat.h"

static void list_events(const struct stat_run *s)
{
	VEC_FOR(&s->opts->count.events.events, ev)
		fprintf(stderr, "%s\n", (*ev)->name);
}

/* "enable NAME"; false: this is another command. */
static bool obey_for_one(struct stat_run *s, const char *line)
{
	static const struct {
		const char *word;
		bool on;
	} commands[] = { { "enable ", true }, { "disable ", false } };

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
		size_t len = strlen(commands[i].word);
		const char *name = line + len;

		if (strncmp(line, commands[i].word, len) != 0)
			continue;
		name += strspn(name, " ");
		strbuf_add_escaped(&text, name);
		if (counting_enable_named(&s->m.counters, name, commands[i].on))
			fprintf(stderr, "Event %s %.*sd\n", text.buf, (int)len - 1, line);
		else
			fprintf(stderr, "failed: can't find '%s' event\n", text.buf);
		return true;
	}
	return false;
}

static void tell_unknown(const char *line)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	strbuf_add_escaped(&text, line);
	fprintf(stderr, "failed: unknown control command '%s'\n", text.buf);
}

/* False: measuring is to end. */
static bool obey(struct stat_run *s, const char *line)
{
	if (!strcmp(line, "enable")) {
		counting_enable(&s->m.counters);
	} else if (!strcmp(line, "disable")) {
		counting_disable(&s->m.counters);
	} else if (!strcmp(line, "evlist") || !strncmp(line, "evlist ", 7)) {
		list_events(s);
	} else if (!obey_for_one(s, line) && strcmp(line, "stop") && strcmp(line, "ping")) {
		tell_unknown(line);
		return true;
	}
	if (!strcmp(line, "enable") || !strcmp(line, "disable"))
		fprintf(stderr, "Events %sd\n", line);
	control_ack(&s->control);
	return strcmp(line, "stop") != 0;
}

bool stat_control_handle(struct stat_run *s)
{
	char line[CONTROL_LINE_MAX];
	bool go_on = true;

	while (go_on && control_next(&s->control, line))
		go_on = obey(s, line);
	return go_on;
}
