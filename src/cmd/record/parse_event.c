/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options about events: -e, --filter, --exclude-perf, -G.
 */
#include <stdio.h>
#include <unistd.h>

#include "capture/aux_kinds.h"
#include "cmd/record/record.h"

int record_parse_event(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e)
{
	struct record_opts *opts = target;

	return event_args_add(&opts->event_args, &opts->events, &opts->env, arg, e);
}

int record_parse_pfm(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		     struct err *e)
{
	struct record_opts *opts = target;

	return event_parse_pfm(&opts->events, arg, e);
}

int record_parse_filter(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;
	const struct event_list *l = &opts->events;
	const struct event *last = l->events.nr ? l->events.v[l->events.nr - 1] : NULL;

	if (last && aux_kind_of(last)) {
		event_args_address_filter(&opts->events, arg);
		return 0;
	}
	if (last && last->kind != EVENT_TRACEPOINT)
		return event_args_sample_filter(&opts->events, arg, e);
	return event_args_filter(
		&opts->event_args, &opts->events, arg,
		"--filter option should follow a -e tracepoint or HW tracer option", e);
}

int record_parse_exclude_perf(const struct opt *o UNUSED, void *target, const char *arg UNUSED,
			      bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;
	char text[64];

	snprintf(text, sizeof(text), "common_pid != %d", getpid());
	return event_args_filter(&opts->event_args, &opts->events, text,
				 "--exclude-perf option should follow a -e tracepoint option", e);
}

int record_parse_cgroup(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;

	return event_args_cgroup(&opts->events, arg, e);
}

int record_parse_trigger(const struct opt *o UNUSED, void *target, const char *arg,
			 bool unset UNUSED, struct err *e)
{
	struct record_opts *opts = target;
	struct event_args args = { 0 };

	return event_args_add(&args, &opts->triggers, &opts->env, arg, e);
}
