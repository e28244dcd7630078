/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/event_switch.h"

#include <errno.h>
#include <string.h>

bool event_switch_used(const struct event_switch *s)
{
	return s->on || s->off;
}

static int check_name(const struct perfdata *file, const char *option, const char *name,
		      struct err *e)
{
	if (!name || perfdata_is_pipe(file))
		return 0;
	for (size_t i = 0; i < perfdata_nr_events(file); i++)
		if (!strcmp(perfdata_event(file, i)->name, name))
			return 0;
	err_set(e, ENOENT, "%s event not found (%s)", option, name);
	err_hint(e, "use 'perf evlist' to see the available event names");
	return -1;
}

int event_switch_start(struct event_switch *s, const struct perfdata *file, struct err *e)
{
	s->counting = !s->on;
	if (check_name(file, "switch-on", s->on, e) < 0)
		return -1;
	return check_name(file, "switch-off", s->off, e);
}

bool event_switch_skips(struct event_switch *s, const struct perfdata_event *ev)
{
	if (!event_switch_used(s))
		return false;
	if (!s->counting) {
		if (!s->on || strcmp(ev->name, s->on) != 0)
			return true;
		s->counting = true;
		return !s->show;
	}
	if (s->off && !strcmp(ev->name, s->off)) {
		s->counting = false;
		return !s->show;
	}
	return false;
}
