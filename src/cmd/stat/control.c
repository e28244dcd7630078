/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: another program enables and disables the counters.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/stat/stat.h"

static void list_events(const struct stat_run *s)
{
	VEC_FOR(&s->opts->events.events, ev)
		fprintf(stderr, "%s\n", (*ev)->name);
}

/* False: measuring is to end. */
static bool obey(struct stat_run *s, const char *line)
{
	if (!strcmp(line, "enable"))
		counting_enable(&s->counters);
	else if (!strcmp(line, "disable"))
		counting_disable(&s->counters);
	else if (!strcmp(line, "evlist") || !strncmp(line, "evlist ", 7))
		list_events(s);
	else if (strcmp(line, "stop") && strcmp(line, "ping"))
		return true;
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
