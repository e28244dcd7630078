/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --list and --del. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/probe/internal.h"

/* A name alone means events of every group. */
static bool is_meant(const struct probe_filter *f, const struct probe_event *event)
{
	_cleanup_(mem_freep) char *full = NULL;

	if (!f)
		return true;
	full = xasprintf("%s:%s", event->group, event->name);
	return probe_filter_match(f, full) || probe_filter_match(f, event->name);
}

/* Both lists; a kernel may lack one. what: of the message where both are out of reach. */
static int read_lists(const struct probe_opts *o, bool writing, struct probe_events *out,
		      char root[PROBE_TRACEFS_MAX], int *fds, struct err *e)
{
	struct err why[2] = { ERR_INIT, ERR_INIT };
	int bad = 0;

	if (probe_find_tracefs(o, root, e))
		return -1;
	for (int i = 0; i < 2; i++) {
		enum probe_list list = i ? PROBE_LIST_USER : PROBE_LIST_KERNEL;

		fds[i] = writing ? probe_list_open(root, list, &why[i]) : -1;
		if ((writing && fds[i] < 0) || probe_events_read(root, list, out, &why[i]))
			bad++;
	}
	if (bad < 2)
		return 0;
	*e = why[1];
	probe_explain_list(root, PROBE_LIST_USER, writing, e);
	return -1;
}

/* The target of an event's object, made when it is new. */
static size_t target_of(struct probe_opts *o, const struct probe_event *event)
{
	enum probe_kind kind = event->list == PROBE_LIST_USER ? PROBE_USER
			       : event->path                  ? PROBE_MODULE
							      : PROBE_KERNEL;

	for (size_t i = 0; i < o->targets.nr; i++) {
		const struct probe_target *t = &o->targets.v[i];

		if (t->kind == kind && (kind == PROBE_KERNEL || !strcmp(t->path, event->path)))
			return i;
	}
	*VEC_PUSH(&o->targets) = (struct probe_target){ .kind = kind,
							.path = xstrdup(event->path) };
	return o->targets.nr - 1;
}

static void print_event(struct probe_opts *o, const struct probe_event *event)
{
	_cleanup_(strbuf_releasep) struct strbuf args = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	_cleanup_(strbuf_releasep) struct strbuf safe = STRBUF_INIT;
	struct probe_point point;
	struct probe_line l = { .group = event->group,
				.name = event->name,
				.target = event->path,
				.args = &args,
				.point = &point };

	probe_resolver_point_of(probe_resolver_of(o, target_of(o, event)), event, &point);
	VEC_FOR(&event->args, a)
		strbuf_addf(&args, " %.*s", (int)strcspn(*a, "="), *a);
	probe_line_text(&l, &text);
	probe_point_release(&point);
	strbuf_add_escaped(&safe, text.buf);
	puts(safe.buf);
}

int probe_show_list(struct probe_opts *o)
{
	struct probe_events events = { 0 };
	struct err e = ERR_INIT;
	char root[PROBE_TRACEFS_MAX];
	int fds[2];
	int r = 0;

	if (read_lists(o, false, &events, root, fds, &e))
		r = probe_fail(o, "show event list", &e);
	VEC_FOR(&events, event)
		if (!r && is_meant(o->filter, event))
			print_event(o, event);
	probe_events_release(&events);
	return r;
}

static int delete_event(struct probe_opts *o, const struct probe_event *event, int fd,
			struct err *e)
{
	_cleanup_(mem_freep) char *line = xasprintf("-:%s/%s", event->group, event->name);
	struct err why = ERR_INIT;

	if (o->verbose)
		probe_say(o, "Writing event: %s", line);
	if (!o->dry_run && probe_list_write(fd, line, &why))
		return err_set(e, why.code, "Failed to delete event: %s", strerror(why.code));
	probe_say(o, "Removed event: %s:%s", event->group, event->name);
	return 0;
}

/* The kernel's first, by their names. */
static int compare_names(const void *a, const void *b)
{
	const struct probe_event *x = a;
	const struct probe_event *y = b;
	int c = strcmp(x->group, y->group);

	if (x->list != y->list)
		return x->list == PROBE_LIST_KERNEL ? -1 : 1;
	return c ? c : strcmp(x->name, y->name);
}

/* An event goes with all its places. */
static int delete_matching(struct probe_opts *o, const struct probe_events *events, size_t pattern,
			   const int *fds, struct err *e)
{
	bool any = false;

	VEC_SORT(events, compare_names);
	VEC_FOR(events, event) {
		if ((event > events->v && !compare_names(event - 1, event)) ||
		    !is_meant(o->deleted.v[pattern], event))
			continue;
		any = true;
		if (delete_event(o, event, fds[event->list == PROBE_LIST_USER], e))
			return -1;
	}
	return any ? 0
		   : err_set(e, ENOENT, "\"%s\" does not hit any event.",
			     o->deleted_texts.v[pattern]);
}

int probe_delete(struct probe_opts *o)
{
	struct err e = ERR_INIT;
	int code = 0;

	for (size_t i = 0; i < o->deleted.nr && !code; i++) {
		struct probe_events events = { 0 };
		int fds[2] = { -1, -1 };
		char root[PROBE_TRACEFS_MAX];

		if (read_lists(o, true, &events, root, fds, &e) ||
		    delete_matching(o, &events, i, fds, &e))
			code = probe_fail(o, "delete events", &e);
		for (int k = 0; k < 2; k++)
			if (fds[k] >= 0)
				close(fds[k]);
		probe_events_release(&events);
	}
	return code;
}
