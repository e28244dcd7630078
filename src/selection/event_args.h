/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_args: the options about events that several commands share: -e, --filter, --exclude-perf,
 * -G. The functions have the conventions of opt_parse_fn: -1 and *e with the line to be printed.
 */
#ifndef SELECTION_EVENT_ARGS_H
#define SELECTION_EVENT_ARGS_H

#include "cli/config.h"
#include "event/event.h"

/* What the last -e was; zero bytes at first. */
struct event_args {
	size_t last_event; /* first event of the last -e argument */
};

/* What -e looks at, as the configuration has it; probes in place and files of BPF programs are
 * events. */
void event_args_init(struct event_env *env, const struct config *config);
/* -e ARG: append the events; a syntax error is printed here, with its caret. */
int event_args_add(struct event_args *a, struct event_list *l, const struct event_env *env,
		   const char *arg, struct err *e);
/* --filter TEXT: for the tracepoints of the last -e. missing: the line when its last event is none
 * of them. */
int event_args_filter(const struct event_args *a, struct event_list *l, const char *text,
		      const char *missing, struct err *e);
/* --filter TEXT when the last event is no tracepoint: a condition on the samples of the last -e
 * (bpf/sample_filter). */
int event_args_sample_filter(const struct event_args *a, struct event_list *l, const char *text,
			     struct err *e);
/* --filter TEXT for the last event, which is traced by hardware: code (capture/address_filter). */
void event_args_address_filter(struct event_list *l, const char *text);
/* -G LIST: the n-th name is for the n-th event; a single name for all of them. */
int event_args_cgroup(struct event_list *l, const char *list, struct err *e);

#endif
