/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --cache: points that are kept in the build-id cache. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "base/mem.h"
#include "cmd/probe/internal.h"
#include "dso/build_id_cache.h"

static const char kernel_name[] = "[kernel.kallsyms]";

int probe_cache_keep(struct probe_opts *o, const char *object, const struct probe_kept *kept,
		     struct err *e)
{
	struct build_id_cache_object in = { .name = object ? object : kernel_name,
					    .fd = -1,
					    .pid = o->target_ns };
	struct probe_kept_vec all = { 0 };
	struct probe_kept_vec old = { 0 };
	int r;

	if (!o->cache_dir[0])
		return err_set(e, ENOENT, "there is no build-id cache");
	if (object ? build_id_of_file(object, &in.id, e) : !build_id_of_kernel(&in.id))
		return object ? -1 : err_set(e, ENOENT, "the kernel's build id is not known");
	if (!in.id.size)
		return err_set(e, ENOENT, "'%s' has no build id", in.name);
	if (!build_id_cache_has(o->cache_dir, &in.id) && build_id_cache_add(o->cache_dir, &in, e))
		return -1;
	probe_kept_read(o->cache_dir, &in.id, &old);
	VEC_FOR(&old, k)
		if (strcmp(k->text, kept->text) != 0)
			*VEC_PUSH(&all) = *k;
	*VEC_PUSH(&all) = *kept;
	r = probe_kept_write(o->cache_dir, &in.id, &all, e);
	vec_free(&all);
	probe_kept_release(&old);
	return r;
}

/* A kept one is meant by what its events are called, or by the name in its text. */
static bool is_meant(const struct probe_filter *f, const struct probe_kept *k)
{
	_cleanup_(mem_freep) char *name = xstrndup(k->text, strcspn(k->text, "= "));
	const char *colon = strchr(name, ':');

	if (!f || probe_filter_match(f, name) || (colon && probe_filter_match(f, colon + 1)))
		return true;
	VEC_FOR(&k->places, p) {
		_cleanup_(mem_freep) char *full = xasprintf("%s:%s", p->group, p->name);

		if (probe_filter_match(f, full) || probe_filter_match(f, p->name))
			return true;
	}
	return false;
}

static void list_object(const struct probe_opts *o, const struct build_id_cache_entry *entry)
{
	_cleanup_(strbuf_releasep) struct strbuf head = STRBUF_INIT;
	struct probe_kept_vec kept = { 0 };

	probe_kept_read(o->cache_dir, &entry->id, &kept);
	VEC_FOR(&kept, k) {
		_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

		if (!is_meant(o->filter, k))
			continue;
		if (!head.len) {
			strbuf_add_escaped(&head, entry->name);
			strbuf_adds(&head, " (");
			fmt_build_id(&head, entry->id.bytes, entry->id.size);
			printf("%s):\n", head.buf);
		}
		strbuf_add_escaped(&line, k->text);
		puts(line.buf);
	}
	probe_kept_release(&kept);
}

int probe_cache_list(struct probe_opts *o)
{
	struct build_id_cache_entries entries = { 0 };

	if (o->cache_dir[0])
		build_id_cache_list(o->cache_dir, &entries);
	VEC_FOR(&entries, entry)
		list_object(o, entry);
	build_id_cache_entries_release(&entries);
	return 0;
}

static int delete_of_object(struct probe_opts *o, const struct build_id_cache_entry *entry,
			    struct err *e)
{
	struct probe_kept_vec kept = { 0 };
	struct probe_kept_vec left = { 0 };
	int r = 0;

	probe_kept_read(o->cache_dir, &entry->id, &kept);
	VEC_FOR(&kept, k) {
		bool meant = false;

		VEC_FOR(&o->deleted, f)
			meant |= is_meant(*f, k);
		if (meant)
			probe_say(o, "Removed cached event: %s", k->text);
		else
			*VEC_PUSH(&left) = *k;
	}
	if (left.nr < kept.nr && !o->dry_run)
		r = probe_kept_write(o->cache_dir, &entry->id, &left, e);
	vec_free(&left);
	probe_kept_release(&kept);
	return r;
}

int probe_cache_delete(struct probe_opts *o)
{
	struct build_id_cache_entries entries = { 0 };
	struct err e = ERR_INIT;
	int r = 0;

	if (o->cache_dir[0])
		build_id_cache_list(o->cache_dir, &entries);
	VEC_FOR(&entries, entry)
		if (!r && delete_of_object(o, entry, &e))
			r = probe_fail(o, "delete events", &e);
	build_id_cache_entries_release(&entries);
	return r;
}
