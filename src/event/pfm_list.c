/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --pfm-events: "EVENT,{EVENT,EVENT},EVENT" in libpfm's form. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "event/event.h"
#include "event/pfm.h"

int event_add_pfm(struct event_list *l, const char *name, struct err *e)
{
	struct pfm_code code;
	struct event *ev;

	if (pfm_encode(name, &code, e))
		return -1;
	ev = event_list_add(l, name, code.type, code.config);
	ev->attr.config1 = code.config1;
	ev->attr.config2 = code.config2;
	ev->attr.exclude_user = code.exclude_user;
	ev->attr.exclude_kernel = code.exclude_kernel;
	ev->attr.exclude_hv = code.exclude_hv;
	ev->attr.exclude_guest = code.exclude_guest;
	ev->attr.exclude_host = code.exclude_host;
	ev->attr.pinned = code.pinned;
	ev->attr.exclusive = code.exclusive;
	ev->attr.precise_ip = code.precise;
	ev->guest_given = code.exclude_host || !code.exclude_guest;
	ev->terms.has_period = code.period != 0;
	ev->terms.period = code.period;
	ev->terms.has_freq = code.freq != 0;
	ev->terms.freq = code.freq;
	if (code.cpu >= 0) {
		ev->cpus = XNEW_ARRAY(u32, 1);
		ev->cpus[0] = (u32)code.cpu;
		ev->nr_cpus = 1;
	}
	return 0;
}

static int add_all(struct event_list *l, const char *text, struct err *e)
{
	size_t group = 0; /* index of the open group's first event + 1 */

	for (const char *s = text; *s;) {
		size_t n = strcspn(s, ",{}");
		_cleanup_(mem_freep) char *name = xstrndup(s, n);

		if (n && event_add_pfm(l, name, e))
			return -1;
		s += n;
		if (*s == '{') {
			if (group || n)
				return err_set(e, EINVAL, "'{' in the middle of '%.200s'", text);
			group = l->events.nr + 1;
		} else if (*s == '}') {
			if (!group || l->events.nr < group)
				return err_set(e, EINVAL, "no group ends at a '}' of '%.200s'",
					       text);
			event_list_group(l, group - 1, l->events.nr + 1 - group, NULL);
			group = 0;
		} else if (!n && (s == text || !strchr("}", s[-1]))) {
			return err_set(e, EINVAL, "an event is missing in '%.200s'", text);
		}
		s += *s != '\0';
	}
	return group ? err_set(e, EINVAL, "'}' is missing in '%.200s'", text) : 0;
}

int event_parse_pfm(struct event_list *l, const char *text, struct err *e)
{
	struct event_list found;
	int rc;

	event_list_init(&found);
	rc = add_all(&found, text, e);
	if (!rc && !found.events.nr)
		rc = err_set(e, EINVAL, "an event is missing in '%.200s'", text);
	if (!rc)
		event_list_append_copy(l, &found);
	event_list_release(&found);
	return rc;
}
