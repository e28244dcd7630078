/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "capture/late_close.h"

#include <string.h>

#include "sys/close_later.h"
#include "sys/tracefs.h"

enum { MANY = 8 }; /* 40 ms each */

void late_close_begin(struct late_close *l, const struct event_list *all)
{
	const char *tracefs = NULL;
	size_t nr = 0;

	*l = (struct late_close){ .dynamic = STRBUF_INIT };
	VEC_FOR(&all->events, ev) {
		nr += (*ev)->tracefs != NULL;
		tracefs = (*ev)->tracefs ? (*ev)->tracefs : tracefs;
	}
	l->none = nr < MANY || sys_tracefs_read(tracefs, "dynamic_events", &l->dynamic, NULL) < 0;
}

/* Lines of it: "p:probe/foo do_sys_open", "r4:probe/foo__return ...", "s:synth long x". */
bool late_close_is_dynamic(const char *dynamic, const char *system, const char *name)
{
	size_t system_len = strlen(system), name_len = strlen(name);

	for (const char *line = dynamic; *line; line += strspn(line, "\n")) {
		size_t len = strcspn(line, "\n");
		const char *s = memchr(line, ':', len);

		line += len;
		if (!s)
			continue;
		s++;
		if (!strncmp(s, system, system_len) && s[system_len] == '/')
			s += system_len + 1;
		else if (strcmp(system, "synthetic") != 0)
			continue;
		if (!strncmp(s, name, name_len) && (!s[name_len] || strchr(" \t\n", s[name_len])))
			return true;
	}
	return false;
}

void late_close_add(struct late_close *l, const struct event *ev, const int *fds, size_t nr)
{
	bool any = false;

	if (l->none || !ev->tp_system || !ev->tp_name || ev->probe ||
	    late_close_is_dynamic(l->dynamic.buf, ev->tp_system, ev->tp_name))
		return;
	for (size_t i = 0; i < nr; i++) {
		if (fds[i] < 0)
			continue;
		*VEC_PUSH(&l->fds) = fds[i];
		any = true;
	}
	l->nr_events += any;
}

void late_close_end(struct late_close *l)
{
	if (l->nr_events >= MANY)
		sys_close_later(l->fds.v, l->fds.nr);
	vec_free(&l->fds);
	strbuf_release(&l->dynamic);
}
