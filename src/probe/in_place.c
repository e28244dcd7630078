/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/in_place.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/similar.h"
#include "dso/build_id_cache.h"
#include "probe/names.h"
#include "probe/own.h"
#include "probe/resolve.h"
#include "probe/symbols.h"
#include "sys/owner.h"
#include "sys/tracefs.h"

struct in_place {
	const struct event_env *env;
	const struct event_probe_ask *ask;
	enum probe_list list;
	struct probe_definition d;
	char *path; /* of the object; module; NULL = the kernel */
	char cache_dir[PATH_MAX];
	struct probe_resolver *resolver;
	struct probe_places places;
	char root[PATH_MAX];
	int fd;
	bool appends; /* a tracepoint may have several places */
	struct probe_events taken;
	struct strbuf group;
};

static void tell(void *ctx UNUSED, const char *text)
{
	log_warn("%s", text);
}

/* ------------------------------------------------------------------ where */

static bool is_program(const char *path)
{
	return !access(path, X_OK);
}

/* A name without a folder is one of a program in PATH, or of a file here. */
static char *find_file(const char *name)
{
	const char *dirs = getenv("PATH");

	if (strchr(name, '/') || !dirs)
		return realpath(name, NULL);
	while (*dirs) {
		size_t n = strcspn(dirs, ":");
		_cleanup_(mem_freep) char *path = xasprintf("%.*s/%s", (int)n, dirs, name);

		if (n && is_program(path))
			return realpath(path, NULL);
		dirs += n + (dirs[n] == ':');
	}
	return realpath(name, NULL);
}

static int find_target(struct in_place *w, struct err *e)
{
	struct err untrusted = ERR_INIT; /* then it is not used */
	struct probe_resolve_opts o = {
		.kind = w->ask->is_user  ? PROBE_USER
			: w->ask->object ? PROBE_MODULE
					 : PROBE_KERNEL,
		.demangle = true,
		.max_places = PROBE_IN_PLACE_MAX,
		.warn = tell,
	};

	if (w->ask->is_user) {
		w->path = find_file(w->ask->object);
		if (!w->path)
			return err_sys(e, errno, "cannot find '%s'", w->ask->object);
	} else if (w->ask->object) {
		w->path = xstrdup(w->ask->object);
	}
	if (build_id_cache_dir(w->env->buildid_dir, w->cache_dir, sizeof(w->cache_dir)) &&
	    !build_id_cache_check(w->cache_dir, &untrusted))
		o.cache_dir = w->cache_dir;
	o.path = w->path;
	w->resolver = probe_resolver_new(&o);
	return 0;
}

/* The functions that are called nearly so, where none is called so. */
static void hint_near(struct in_place *w, struct err *e)
{
	const struct probe_symbols *s = probe_resolver_symbols(w->resolver, NULL);
	struct similar near;

	if (e->code != ENOENT || !w->d.point.function || !s || e->hint[0])
		return;
	similar_init(&near, w->d.point.function);
	VEC_FOR(&s->v, sym) {
		if (sym->data || sym->plt)
			continue;
		if (!strcmp(sym->shown, w->d.point.function))
			return;
		similar_offer(&near, sym->shown);
	}
	similar_hint(&near, e);
}

/* A static point that is not there, and those that are. */
static int no_static_point(struct in_place *w, struct err *e)
{
	_cleanup_(mem_freep) char *typed = xasprintf("%s:%s", w->d.group, w->d.event);
	const char *shown = typed + strlen("sdt_");
	struct probe_kept_vec all = { 0 };
	struct similar near;

	*e = (struct err)ERR_INIT;
	err_set(e, ENOENT, "%s has no static point '%s'", w->path, shown);
	probe_resolver_static_points(w->resolver, &all);
	if (!all.nr)
		err_hint(e, "it has none at all: they are compiled in with <sys/sdt.h>");
	else
		err_hint(e, "perf buildid-cache -a %s, and perf list sdt shows them", w->path);
	similar_init(&near, shown);
	VEC_FOR(&all, k) {
		VEC_FOR(&k->places, p) {
			_cleanup_(mem_freep) char *name = xasprintf(
				"%s:%s", p->group + (strncmp(p->group, "sdt_", 4) ? 0 : 4),
				p->name);

			similar_offer(&near, name);
		}
	}
	similar_hint(&near, e);
	probe_kept_release(&all);
	return -1;
}

static int find_places(struct in_place *w, struct err *e)
{
	if (probe_definition_parse(w->ask->definition, &w->d, e))
		return -1;
	if (w->d.group && !w->d.kept)
		return err_set(e, EINVAL,
			       "the group of such an event is '%s': '%s:' cannot be chosen",
			       w->ask->word, w->d.group);
	if (find_target(w, e))
		return -1;
	if (!probe_resolve(w->resolver, &w->d, &w->places, e))
		return probe_places_run_here(w->resolver, &w->places, e);
	if (w->d.kept && e->code == ENOENT)
		return no_static_point(w, e);
	if (!e->text[0])
		err_set(e, e->code, "there is nothing where a probe could be");
	hint_near(w, e);
	return -1;
}

/* ------------------------------------------------------------------ tracepoints */

static void remove_made(const struct event_probe *p)
{
	enum probe_list list = p->is_user ? PROBE_LIST_USER : PROBE_LIST_KERNEL;
	struct err e = ERR_INIT;

	if (!probe_own_remove(p->tracefs, list, p->group, p->tracepoint, &e))
		return;
	log_warn("the tracepoint %s:%s stays: %s", p->group, p->tracepoint, e.text);
	log_hint("perf probe -d '%s:*' removes it", p->group);
}

static int explain_list(const struct in_place *w, int code, struct err *e)
{
	const char *letter = w->ask->is_user ? "u" : "k";

	if (code == ENOENT) {
		err_set(e, ENOTSUP, "this kernel has no %sprobes", letter);
		err_hint(e, "it was built without CONFIG_%sPROBE_EVENTS",
			 w->ask->is_user ? "U" : "K");
		return -1;
	}
	err_sys(e, code, "no tracepoint can be made in %s", w->root);
	if (code == EACCES || code == EPERM)
		err_hint(e, "probes are root's: try sudo");
	return -1;
}

static int open_list(struct in_place *w, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf readme = STRBUF_INIT;
	struct err why = ERR_INIT;

	if (!sys_tracefs_find(w->env->debugfs, w->env->procfs, w->root, sizeof(w->root))) {
		err_set(e, ENOTSUP, "tracefs is not mounted");
		err_hint(e, "try 'sudo mount -t tracefs nodev /sys/kernel/tracing'");
		return -1;
	}
	w->fd = probe_list_open(w->root, w->list, &why);
	if (w->fd < 0)
		return explain_list(w, why.code, e);
	probe_own_sweep(w->root);
	if (probe_events_read(w->root, w->list, &w->taken, &why))
		return explain_list(w, why.code, e);
	w->appends = !sys_tracefs_read(w->root, "README", &readme, NULL) &&
		     strstr(readme.buf, "Create/append/") != NULL;
	sys_owner_name(w->ask->word, &w->group);
	return 0;
}

/* A tracepoint that has the places of the same function already. */
static struct event_probe *made_of(const struct in_place *w, const char *name,
				   const struct event_probe_vec *out)
{
	VEC_FOR(out, p)
		if (w->appends && !strcmp(p->name, name))
			return p;
	return NULL;
}

static int write_place(struct in_place *w, const struct probe_place *place, const char *name,
		       struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf line = STRBUF_INIT;

	probe_place_text(place, w->group.buf, name, &line);
	for (const char *s = line.buf + strcspn(line.buf, " ") + 1; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 127)
			return err_set(e, EINVAL, "the kernel cannot be told of '%s'", w->path);
	if (w->path && strpbrk(w->path, " \t"))
		return err_set(e, EINVAL, "the kernel cannot be told of '%s': it has a blank",
			       w->path);
	return probe_list_write(w->fd, line.buf, e);
}

static int explain_refusal(const struct in_place *w, const struct err *why, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf log = STRBUF_INIT;
	const char *last = NULL;

	if (probe_list_is_full(why->code)) {
		err_sys(e, why->code, "the kernel has no room for another tracepoint");
		err_hint(e, "perf probe -l shows those that there are, perf probe -d removes some");
		return -1;
	}
	err_set(e, why->code, "%s", why->text);
	if (sys_tracefs_read(w->root, "error_log", &log, NULL))
		return -1;
	for (const char *s = log.buf; (s = strstr(s, "error: ")); s += 7)
		last = s + 7;
	if (last && strstr(last, w->group.buf))
		err_hint(e, "the kernel says: %.*s", (int)strcspn(last, "\n"), last);
	return -1;
}

static int by_tracepoint(struct in_place *w, const struct probe_place *place, const char *name,
			 struct event_probe_vec *out, struct err *e)
{
	struct probe_name_wish wish = { .base = name, .numbered = true };
	_cleanup_(strbuf_releasep) struct strbuf own = STRBUF_INIT;
	struct event_probe *one;
	struct err why = ERR_INIT;

	one = made_of(w, name, out);
	/* places whose arguments are of other types are another tracepoint */
	if (one && !write_place(w, place, one->tracepoint, NULL))
		return 0;
	wish.group = w->group.buf;
	if (probe_make_name(&wish, &w->taken, &own, e))
		return -1;
	if (write_place(w, place, own.buf, &why))
		return explain_refusal(w, &why, e);
	*VEC_PUSH(&w->taken) = (struct probe_event){ .list = w->list,
						     .group = xstrdup(w->group.buf),
						     .name = xstrdup(own.buf) };
	one = VEC_PUSH(out);
	*one = (struct event_probe){ .name = xstrdup(name),
				     .tracefs = xstrdup(w->root),
				     .group = xstrdup(w->group.buf),
				     .tracepoint = xstrdup(own.buf),
				     .is_user = w->ask->is_user,
				     .remove = remove_made };
	if (sys_tracefs_id(w->root, one->group, one->tracepoint, &one->id))
		return err_set(e, EIO, "the tracepoint %s:%s is not there", one->group,
			       one->tracepoint);
	return 0;
}

static int name_of(const struct in_place *w, const struct probe_place *p, struct strbuf *out,
		   struct err *e)
{
	static const struct probe_events none = { 0 };
	_cleanup_(strbuf_releasep) struct strbuf base = STRBUF_INIT;
	struct probe_name_wish wish = { .group = w->ask->word };

	if (p->name)
		strbuf_adds(&base, p->name);
	else
		probe_base_name(&w->d, p->called ? p->called : p->symbol ? p->symbol : "", &base);
	wish.base = base.buf;
	return probe_make_name(&wish, &none, out, e);
}

/* A pattern stands for the functions that can have a probe. */
static int add_places(struct in_place *w, struct event_probe_vec *out, struct err *e)
{
	const char *function = w->d.point.function;
	bool is_pattern = function && probe_is_pattern(function);
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct err why = ERR_INIT;
	size_t refused = 0;

	VEC_FOR(&w->places, p) {
		why = (struct err)ERR_INIT;
		if (name_of(w, p, &name, e))
			return -1;
		if (!by_tracepoint(w, p, name.buf, out, &why))
			continue;
		*e = why;
		if (!is_pattern || !probe_list_refuses_place(why.code))
			return -1;
		refused++;
	}
	if (refused == w->places.nr)
		return refused ? -1 : 0;
	if (refused)
		log_warn("no probe can be at %zu of the functions of '%s' (%s)", refused, function,
			 strerror(e->code));
	*e = (struct err)ERR_INIT;
	return 0;
}

int probe_in_place(const struct event_env *env, const struct event_probe_ask *ask,
		   struct event_probe_vec *out, struct err *e)
{
	struct in_place w = { .env = env,
			      .ask = ask,
			      .list = ask->is_user ? PROBE_LIST_USER : PROBE_LIST_KERNEL,
			      .group = STRBUF_INIT,
			      .fd = -1 };
	int r = open_list(&w, e);

	if (!r)
		r = find_places(&w, e);
	if (!r)
		r = add_places(&w, out, e);
	if (w.fd >= 0)
		close(w.fd);
	strbuf_release(&w.group);
	probe_events_release(&w.taken);
	probe_places_release(&w.places);
	probe_resolver_free(w.resolver);
	probe_definition_release(&w.d);
	free(w.path);
	return r;
}

int probe_in_place_fetches(const struct event_probe *p, struct probe_event *out, struct err *e)
{
	enum probe_list list = p->is_user ? PROBE_LIST_USER : PROBE_LIST_KERNEL;
	struct probe_events all = { 0 };
	struct err why = ERR_INIT;
	size_t nr = 0;

	*out = (struct probe_event){ .list = list };
	if (probe_events_read(p->tracefs, list, &all, &why)) {
		probe_events_release(&all);
		return err_set(e, why.code, "%s", why.text);
	}
	VEC_FOR(&all, one) {
		if (strcmp(one->group, p->group) != 0 || strcmp(one->name, p->tracepoint) != 0)
			continue;
		if (!nr++) {
			*out = *one;
			*one = (struct probe_event){ .list = list };
		}
	}
	probe_events_release(&all);
	if (nr == 1)
		return 0;
	return err_set(e, ENOTSUP, "'%s' has %zu places, each with values of its own", p->name, nr);
}
