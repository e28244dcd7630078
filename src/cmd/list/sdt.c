/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statically defined trace points of the objects in the build-id cache. */
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/list/list.h"
#include "dso/build_id_cache.h"
#include "dso/symbols/sdt_cache.h"

enum { SHOWN_ID_DIGITS = 12 };

static bool matches(const char *glob, const char *s, size_t len)
{
	_cleanup_(mem_freep) char *part = xstrndup(s, len);

	return !glob || !fnmatch(glob, part, 0);
}

static bool is_wanted(const struct sdt_event *e, const char *group, const char *event)
{
	const char *colon = strchr(e->name, ':');

	return matches(group, e->name, (size_t)(colon - e->name)) &&
	       matches(event, colon + 1, strlen(colon + 1));
}

static bool same_name(const struct sdt_events *v, size_t i, size_t j)
{
	return j < v->nr && !strcmp(v->v[i].name, v->v[j].name);
}

void list_sdt(struct list_query *q, const char *group, const char *event)
{
	struct sdt_events events = { 0 };
	char dir[PATH_MAX];

	if (!build_id_cache_dir(q->buildid_dir, dir, sizeof(dir)))
		return;
	sdt_cache_read(dir, &events);
	for (size_t i = 0; i < events.nr; i++) {
		const struct sdt_event *e = &events.v[i];
		/* i - 1 wraps for the first and is then out of range */
		bool repeated = same_name(&events, i, i + 1) || same_name(&events, i, i - 1);
		_cleanup_(mem_freep) char *full =
			repeated && !q->out->opts->raw
				? xasprintf("%s@%s(%.*s)", e->name, e->path, SHOWN_ID_DIGITS, e->id)
				: xstrdup(e->name);

		if (is_wanted(e, group, event))
			list_item(q->out, &(struct list_item){ .name = full, .type = "SDT event" });
	}
	sdt_events_release(&events);
}
