/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points that are static in an object, or were kept: %[GROUP:]EVENT. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dso/build_id_cache.h"
#include "probe/kept.h"
#include "probe/resolve_internal.h"

/* path: of the object; NULL: as it was kept. */
static void add_places(const struct probe_kept *k, const char *path, bool is_named,
		       struct probe_places *out)
{
	VEC_FOR(&k->places, p) {
		const char *object = path && p->list == PROBE_LIST_USER ? path : p->path;
		struct probe_place *place = VEC_PUSH(out);

		*place = (struct probe_place){ .is_return = p->is_return,
					       .group = xstrdup(p->group),
					       .name = xstrdup(p->name) };
		if (p->list == PROBE_LIST_KERNEL)
			place->where = xasprintf("%s%s%s+%" PRIu64, object ? object : "",
						 object ? ":" : "", p->symbol ? p->symbol : "",
						 p->address);
		else if (p->counter)
			place->where = xasprintf("%s:0x%" PRIx64 "(0x%" PRIx64 ")", object,
						 p->address, p->counter);
		else
			place->where = xasprintf("%s:0x%" PRIx64, object, p->address);
		if (!is_named && object)
			place->object = xstrdup(object);
		VEC_FOR(&p->args, a)
			*VEC_PUSH(&place->args) = xstrdup(*a);
	}
}

/* What a static point has and its probe will not. */
static void warn_left_out(struct probe_resolver *r, struct dso *dso, const struct probe_kept *k)
{
	_cleanup_(strbuf_releasep) struct strbuf args = STRBUF_INIT;
	_cleanup_(mem_freep) char *text = NULL;

	probe_kept_left_out(dso, k, &args);
	if (!args.len)
		return;
	text = xasprintf("%.*s: left out, since the kernel cannot fetch it: %s",
			 (int)strcspn(k->text, "="), k->text, args.buf);
	resolve_warn(r, text);
}

static void add_matching(struct probe_resolver *r, const struct probe_definition *d,
			 const struct probe_kept_vec *kept, struct dso *dso, const char *path,
			 struct probe_places *out)
{
	VEC_FOR(kept, k) {
		if (!probe_kept_is(k, d->group, d->event))
			continue;
		add_places(k, path, r->o.kind == PROBE_USER, out);
		if (dso)
			warn_left_out(r, dso, k);
	}
}

/* The cached ones of an object, else the static ones that it has itself. */
static void of_object(struct probe_resolver *r, struct dso *dso, const char *path,
		      const struct build_id *id, const struct probe_definition *d,
		      struct probe_places *out)
{
	struct probe_kept_vec kept = { 0 };

	if (id->size && r->o.cache_dir)
		probe_kept_read(r->o.cache_dir, id, &kept);
	add_matching(r, d, &kept, dso, path, out);
	probe_kept_release(&kept);
	if (out->nr)
		return;
	probe_kept_of_object(dso, path, &kept);
	add_matching(r, d, &kept, dso, path, out);
	probe_kept_release(&kept);
}

static struct dso *object(struct probe_resolver *r, const char *path, const struct build_id *id)
{
	struct dso_key key = { .name = path, .kind = DSO_USER, .build_id = *id };

	return dso_table_get(r->dsos, dso_table_add(r->dsos, &key));
}

/* All objects of the cache. */
static void of_cache(struct probe_resolver *r, const struct probe_definition *d,
		     struct probe_places *out)
{
	struct build_id_cache_entries entries = { 0 };

	build_id_cache_list(r->o.cache_dir, &entries);
	VEC_FOR(&entries, entry) {
		const char *path = entry->name[0] == '/' ? entry->name : NULL;
		struct probe_kept_vec kept = { 0 };

		if (!build_id_cache_entry_is_current(entry))
			continue;
		probe_kept_read(r->o.cache_dir, &entry->id, &kept);
		add_matching(r, d, &kept, path ? object(r, path, &entry->id) : NULL, path, out);
		probe_kept_release(&kept);
	}
	build_id_cache_entries_release(&entries);
}

static int of_named_object(struct probe_resolver *r, const struct probe_definition *d,
			   struct probe_places *out, struct err *e)
{
	_cleanup_(mem_freep) char *path = realpath(d->object, NULL);
	struct build_id id;

	if (!path || build_id_of_file(path, &id, NULL) || !id.size)
		return err_set(e, ENOENT, "Failed to get build-id from %s.", d->object);
	of_object(r, object(r, path, &id), path, &id, d, out);
	return 0;
}

void probe_resolver_static_points(struct probe_resolver *r, struct probe_kept_vec *out)
{
	probe_kept_of_object(r->dso, r->o.path, out);
}

int resolve_kept(struct probe_resolver *r, const struct probe_definition *d,
		 struct probe_places *out, struct err *e)
{
	if (d->args.nr)
		return err_set(e, EINVAL, "arguments cannot be added to those of %%%s", d->event);
	if (d->object) {
		if (of_named_object(r, d, out, e))
			return -1;
	} else if (r->o.kind == PROBE_USER) {
		of_object(r, r->dso, r->o.path, dso_build_id(r->dso), d, out);
	} else if (r->o.cache_dir) {
		of_cache(r, d, out);
	}
	if (out->nr)
		return 0;
	err_set(e, ENOENT, "%%%s%s%s is not known", d->group ? d->group : "", d->group ? ":" : "",
		d->event);
	err_hint(
		e,
		"static points are known of objects that are named with -x, or were added with 'perf buildid-cache -a'");
	return -1;
}
