/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options about events: -e, --filter, --exclude-perf, -G.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/record/record.h"

int record_parse_event(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct record_opts *opts = target;
	size_t first = opts->events.events.nr;
	struct event_error ee = { 0 };
	struct strbuf text = STRBUF_INIT;

	if (!event_parse(&opts->events, arg, &opts->env, &ee)) {
		opts->last_event = first;
		opts->last_text = arg;
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
static size_t first_filtered(const struct record_opts *opts)
{
	const char *term = last_term(opts->last_text);
	size_t nr = opts->events.events.nr;
	size_t len = strcspn(term, ":");
	size_t first = nr - 1;

	if (!strpbrk(term, "*?[") || term[len] != ':')
		return first;
	while (first > opts->last_event) {
		const struct event *ev = opts->events.events.v[first - 1];
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

static void add_filter(struct event *ev, const char *text)
{
	char *both;

	if (!ev->filter) {
		ev->filter = xstrdup(text);
		return;
	}
	both = xasprintf("(%s) && (%s)", ev->filter, text);
	free(ev->filter);
	ev->filter = both;
}

static int filter_last(struct record_opts *opts, const char *text, const char *missing,
		       struct err *e)
{
	size_t nr = opts->events.events.nr;
	size_t i;

	if (!nr)
		return err_set(e, EINVAL, "%s", missing);
	i = first_filtered(opts);
	if (opts->events.events.v[nr - 1]->kind != EVENT_TRACEPOINT)
		return err_set(e, EINVAL, "%s", missing);
	for (; i < nr; i++)
		add_filter(opts->events.events.v[i], text);
	return 0;
}

int record_parse_filter(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
			struct err *e)
{
	return filter_last(target, arg,
			   "--filter option should follow a -e tracepoint or HW tracer option", e);
}

int record_parse_exclude_perf(const struct opt *o UNUSED, void *target, const char *arg UNUSED,
			      bool unset UNUSED, struct err *e)
{
	char text[64];

	snprintf(text, sizeof(text), "common_pid != %d", getpid());
	return filter_last(target, text, "--exclude-perf option should follow a -e tracepoint option",
			   e);
}

/* The n-th name is for the n-th event; a single name for all of them. */
int record_parse_cgroup(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
			struct err *e)
{
	struct record_opts *opts = target;
	const char *p = arg;
	size_t i = 0;
	bool single = !strchr(arg, ',');

	if (!opts->events.events.nr)
		return err_set(e, EINVAL, "must define events before cgroups");
	VEC_FOR(&opts->events.events, ev) {
		size_t len = strcspn(p, ",");

		if (len && !(single && (*ev)->cgroup)) {
			free((*ev)->cgroup);
			(*ev)->cgroup = xstrndup(p, len);
		}
		i++;
		if (single)
			continue;
		if (!p[len])
			break;
		p += len + 1;
	}
	return 0;
}
