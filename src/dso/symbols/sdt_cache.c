/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/symbols/sdt_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"
#include "dso/build_id_cache.h"

enum { EVENTS_MAX = 1 << 20, NAME_LENGTH_MAX = 512 };

static void read_probes(const char *dir, const struct build_id_cache_entry *object,
			struct sdt_events *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_freep) char *path = NULL;
	_cleanup_(mem_closep) int entry = build_id_cache_open(dir, &object->id, &path);
	_cleanup_(mem_closep) int fd = entry < 0 ? -1 : input_open_at(entry, "probes", 0, NULL);
	char id[2 * DSO_BUILD_ID_MAX + 1] = "";
	const char *next;

	for (size_t i = 0; i < object->id.size; i++)
		snprintf(id + 2 * i, 3, "%02x", object->id.bytes[i]);
	if (fd < 0 || rw_slurp_fd(fd, "probes", &text, NULL) < 0 || !text.len ||
	    !build_id_cache_entry_is_current(object))
		return;
	for (const char *s = text.buf; *s && out->nr < EVENTS_MAX; s = next) {
		size_t len = strcspn(s, "\n");
		size_t n;

		next = s + len + (s[len] == '\n');
		n = strcspn(s, "=\n");
		if (s[0] != '%' || n < 2 || n > NAME_LENGTH_MAX || !memchr(s, ':', n))
			continue;

		struct sdt_event *e = VEC_PUSH(out);

		*e = (struct sdt_event){ .name = xstrndup(s + 1, n - 1),
					 .path = xstrdup(object->name) };
		snprintf(e->id, sizeof(e->id), "%s", id);
	}
}

static int compare_events(const void *a, const void *b)
{
	const struct sdt_event *x = a;
	const struct sdt_event *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->id, y->id);
}

void sdt_cache_read(const char *dir, struct sdt_events *out)
{
	struct build_id_cache_entries objects = { 0 };

	build_id_cache_list(dir, &objects);
	VEC_FOR(&objects, object)
		read_probes(dir, object, out);
	build_id_cache_entries_release(&objects);
	VEC_SORT(out, compare_events);
}

void sdt_events_release(struct sdt_events *events)
{
	VEC_FOR(events, e) {
		free(e->name);
		free(e->path);
	}
	vec_free(events);
}
