/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dso/sdt_cache.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "base/strbuf.h"

enum { EVENTS_MAX = 1 << 20, ID_HEAD = 2, NAME_LENGTH_MAX = 512 };

static void read_probes(const char *path, const char *object, const char *id,
			struct sdt_events *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const char *next;

	if (rw_slurp(path, &text, NULL) < 0)
		return;
	for (const char *s = text.buf; *s && out->nr < EVENTS_MAX; s = next) {
		size_t len = strcspn(s, "\n");
		size_t n;

		next = s + len + (s[len] == '\n');
		n = strcspn(s, "=\n");
		if (s[0] != '%' || n < 2 || n > NAME_LENGTH_MAX || !memchr(s, ':', n))
			continue;

		struct sdt_event *e = VEC_PUSH(out);

		*e = (struct sdt_event){ .name = xstrndup(s + 1, n - 1), .path = xstrdup(object) };
		snprintf(e->id, sizeof(e->id), "%s", id);
	}
}

/* DIR/.build-id/xx/yyyy is a link to ../../PATH/ID. */
static void read_object(const char *dir, const char *head, const char *tail, struct sdt_events *out)
{
	char link[PATH_MAX];
	char target[PATH_MAX];
	char probes[PATH_MAX + 16];
	char id[48];
	ssize_t n;
	char *slash;

	if ((size_t)snprintf(link, sizeof(link), "%s/.build-id/%s/%s", dir, head, tail) >=
	    sizeof(link))
		return;
	n = readlink(link, target, sizeof(target) - 1);
	if (n <= 6 || memcmp(target, "../../", 6) != 0)
		return;
	target[n] = '\0';
	slash = strrchr(target, '/');
	snprintf(id, sizeof(id), "%s%s", head, tail);
	snprintf(probes, sizeof(probes), "%s/probes", link);
	if (slash < target + 6)
		return;
	*slash = '\0';
	read_probes(probes, target + 5, id, out);
}

static bool is_hex(const char *s)
{
	size_t n = strspn(s, "0123456789abcdef");

	return n && !s[n];
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
	char path[PATH_MAX];
	DIR *top;

	if ((size_t)snprintf(path, sizeof(path), "%s/.build-id", dir) >= sizeof(path))
		return;
	top = opendir(path);
	if (!top)
		return;
	for (struct dirent *d; (d = readdir(top));) {
		char sub[PATH_MAX + NAME_MAX + 2];
		DIR *ids;

		if (!is_hex(d->d_name) || strlen(d->d_name) != ID_HEAD)
			continue;
		snprintf(sub, sizeof(sub), "%s/%s", path, d->d_name);
		ids = opendir(sub);
		if (!ids)
			continue;
		for (struct dirent *e; (e = readdir(ids));)
			if (is_hex(e->d_name))
				read_object(dir, d->d_name, e->d_name, out);
		closedir(ids);
	}
	closedir(top);
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
