/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selection/event_args.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "bpf/sample_filter.h"

int event_args_add(struct event_args *a, struct event_list *l, const struct event_env *env,
		   const char *arg, struct err *e)
{
	size_t first = l->events.nr;
	struct event_error ee = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (!event_parse(l, arg, env, &ee)) {
		a->last_event = first;
		a->last_text = arg;
		return 0;
	}
	event_error_print(arg, &ee, &text);
	fputs(text.buf, stderr);
	strbuf_release(&text);
	return err_set(e, EINVAL, "%s", "");
}

/* The last term of an -e text: behind the last comma that is in no braces, brackets or slashes. */
static const char *last_term(const char *text)
{
	const char *last = text;
	bool slash = false;

	for (const char *p = text; *p; p++) {
		if (*p == '/')
			slash = !slash;
		else if (*p == ',' && !slash)
			last = p + 1;
	}
	return last;
}

/* --filter concerns the last event, or all that the last glob stands for. */
static size_t first_filtered(const struct event_args *a, const struct event_list *l)
{
	const char *term = last_term(a->last_text);
	size_t nr = l->events.nr;
	size_t len = strcspn(term, ":");
	size_t first = nr - 1;

	if (!strpbrk(term, "*?[") || term[len] != ':')
		return first;
	while (first > a->last_event) {
		const struct event *ev = l->events.v[first - 1];
		char *system = xstrndup(term, len);
		bool same = ev->kind == EVENT_TRACEPOINT && ev->tp_system &&
			    !fnmatch(system, ev->tp_system, 0);

		free(system);
		if (!same)
			break;
		first--;
	}
	return first;
}

/* joint: what stands between two of an event, with their brackets */
static void add_filter(struct event *ev, const char *text, const char *before, const char *joint,
		       const char *behind)
{
	char *both;

	if (!ev->filter) {
		ev->filter = xstrdup(text);
		return;
	}
	both = xasprintf("%s%s%s%s%s", before, ev->filter, joint, text, behind);
	free(ev->filter);
	ev->filter = both;
}

int event_args_filter(const struct event_args *a, struct event_list *l, const char *text,
		      const char *missing, struct err *e)
{
	size_t nr = l->events.nr;
	size_t i;

	if (!nr || l->events.v[nr - 1]->kind != EVENT_TRACEPOINT)
		return err_set(e, EINVAL, "%s", missing);
	for (i = first_filtered(a, l); i < nr; i++)
		add_filter(l->events.v[i], text, "(", ") && (", ")");
	return 0;
}

int event_args_sample_filter(struct event_list *l, const char *text, struct err *e)
{
	struct event *last = l->events.v[l->events.nr - 1];
	struct sample_filter f;

	add_filter(last, text, "", ", ", "");
	return sample_filter_parse(&f, last->filter, e);
}

void event_args_address_filter(struct event_list *l, const char *text)
{
	add_filter(l->events.v[l->events.nr - 1], text, "", ", ", "");
}

int event_args_cgroup(struct event_list *l, const char *list, struct err *e)
{
	const char *p = list;
	bool single = !strchr(list, ',');

	if (!l->events.nr)
		return err_set(e, EINVAL, "must define events before cgroups");
	VEC_FOR(&l->events, ev) {
		size_t len = strcspn(p, ",");

		if (len && !(single && (*ev)->cgroup)) {
			free((*ev)->cgroup);
			(*ev)->cgroup = xstrndup(p, len);
		}
		if (single)
			continue;
		if (!p[len])
			break;
		p += len + 1;
	}
	return 0;
}
