/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording/event_switch.h"

#include <errno.h>
#include <string.h>

bool event_switch_used(const struct event_switch *s)
{
	return s->on || s->off;
}

static int check_file(const struct perfdata *file, const char *option, const char *name,
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
	if (check_file(file, "switch-on", s->on, e) < 0)
		return -1;
	return check_file(file, "switch-off", s->off, e);
}

static int check_list(const struct event_list *list, const char *option, const char *name,
		      struct err *e)
{
	if (!name)
		return 0;
	VEC_FOR(&list->events, ev)
		if (!strcmp((*ev)->name, name))
			return 0;
	err_set(e, ENOENT, "%s event not found (%s)", option, name);
	err_hint(e, "it is one of those that -e names");
	return -1;
}

int event_switch_start_live(struct event_switch *s, const struct event_list *list, struct err *e)
{
	s->counting = !s->on;
	if (check_list(list, "switch-on", s->on, e) < 0)
		return -1;
	return check_list(list, "switch-off", s->off, e);
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
