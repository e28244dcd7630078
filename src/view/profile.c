/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/profile.h"

void view_add_events(struct strbuf *out, const struct view_section *s)
{
	strbuf_addf(out, "event%s '", s->nr_events > 1 || s->plural ? "s" : "");
	if (s->grouped && s->nr_events > 1) {
		strbuf_add_escaped(out, s->group ? s->group : "anon group");
		strbuf_adds(out, " { ");
	}
	for (u32 m = 0; m < s->nr_events; m++)
		strbuf_addf(out, "%s%s", m ? ", " : "", s->events[m].name);
	strbuf_adds(out, s->grouped && s->nr_events > 1 ? " }'" : "'");
}

struct view_event view_all_events(const struct view_section *s)
{
	struct view_event all = s->events[0];

	for (u32 m = 1; m < s->nr_events; m++) {
		all.samples += s->events[m].samples;
		all.period += s->events[m].period;
	}
	return all;
}
