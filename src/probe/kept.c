/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "dso/build_id_cache.h"
#include "dso/files.h"
#include "dso/symbols/sdt_notes.h"
#include "probe/point.h"

enum { KEPT_MAX = 1 << 16, PLACES_MAX = 1 << 16, FILE_MAX = 16 << 20 };

static const char file_name[] = "probes";

void probe_kept_parse(const char *text, struct probe_kept_vec *out)
{
	size_t places = 0;

	for (const char *s = text; *s; s += *s == '\n') {
		size_t len = strcspn(s, "\n");
		struct probe_event event;

		if ((*s == '%' || *s == '#') && len > 1 && out->nr < KEPT_MAX) {
			*VEC_PUSH(out) = (struct probe_kept){ .text = xstrndup(s + 1, len - 1),
							      .is_static = *s == '%' };
		} else if (out->nr && places++ < PLACES_MAX) {
			enum probe_list list = memchr(s, '/', len) && memmem(s, len, ":0x", 3)
						       ? PROBE_LIST_USER
						       : PROBE_LIST_KERNEL;

			if (probe_event_parse(s, list, &event))
				*VEC_PUSH(&VEC_LAST(out)->places) = event;
			else
				probe_event_release(&event);
		}
		s += len;
	}
}

void probe_kept_release(struct probe_kept_vec *v)
{
	VEC_FOR(v, k) {
		free(k->text);
		probe_events_release(&k->places);
	}
	vec_free(v);
}

void probe_kept_text(const struct probe_kept_vec *v, struct strbuf *out)
{
	VEC_FOR(v, k) {
		strbuf_addf(out, "%c%s\n", k->is_static ? '%' : '#', k->text);
		VEC_FOR(&k->places, p)
			strbuf_addf(out, "%s\n", p->line);
	}
}

void probe_kept_read(const char *dir, const struct build_id *id, struct probe_kept_vec *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_freep) char *path = NULL;
	_cleanup_(mem_closep) int folder = build_id_cache_open_own(dir, id, &path, NULL);
	_cleanup_(mem_closep) int fd = folder < 0 ? -1 : input_open_at(folder, file_name, 0, NULL);

	if (fd >= 0 && !rw_slurp_fd(fd, file_name, &text, NULL) && text.len <= FILE_MAX)
		probe_kept_parse(text.buf, out);
}

int probe_kept_write(const char *dir, const struct build_id *id, const struct probe_kept_vec *v,
		     struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(mem_freep) char *path = NULL;
	_cleanup_(mem_closep) int folder = build_id_cache_open_own(dir, id, &path, e);
	struct new_file f = { .fd = -1 };

	if (folder < 0)
		return -1;
	probe_kept_text(v, &text);
	if (!new_file_open(&f, folder, file_name, 0644) &&
	    !rw_write_full(f.fd, text.buf, text.len) && !new_file_keep(&f))
		return 0;
	err_sys(e, errno, "cannot write '%s/%s/%s'", dir, path, file_name);
	new_file_drop(&f);
	return -1;
}

void probe_kept_of_object(struct dso *d, const char *path, struct probe_kept_vec *out)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	if (!dso_open_runtime(d, &f))
		return;
	sdt_notes_probes(&f, path, &text);
	probe_kept_parse(text.buf, out);
}

void probe_kept_left_out(struct dso *d, const struct probe_kept *k, struct strbuf *out)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	const struct probe_event *p = k->places.nr ? &k->places.v[0] : NULL;

	if (k->is_static && p && !strncmp(p->group, "sdt_", 4) && dso_open_runtime(d, &f))
		sdt_notes_left_out(&f, p->group + 4, p->name, out);
}

static bool is_named(const char *pattern, const char *name, size_t len)
{
	_cleanup_(mem_freep) char *plain = xstrndup(name, len);

	return probe_match(pattern, plain);
}

/*
 * A static one is told by its text "GROUP:NAME=NAME"; of a definition, the name that the user gave,
 * or what its events are called.
 */
bool probe_kept_is(const struct probe_kept *k, const char *group, const char *event)
{
	size_t len = strcspn(k->text, "=");
	const char *colon = memchr(k->text, ':', len);

	if (k->is_static) {
		if (!colon || (group && !is_named(group, k->text, (size_t)(colon - k->text))))
			return false;
		return is_named(event, colon + 1, len - (size_t)(colon + 1 - k->text));
	}
	VEC_FOR(&k->places, p)
		if ((!group || probe_match(group, p->group)) && probe_match(event, p->name))
			return true;
	return false;
}
