/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_events: BPF programs of files as events (`-e PROG.o`, `-e PROG.c`). What a program's
 * section names is its event: "SYSTEM:NAME" and "tracepoint/SYSTEM/NAME", "[NAME=]FUNCTION" and
 * "kprobe/FUNCTION", "kretprobe/FUNCTION", "exec=PATH;[NAME=]FUNCTION" and "uprobe/PATH:FUNCTION",
 * "uretprobe/PATH:FUNCTION". A program that returns 0 drops the sample. Those of other kinds
 * (raw_tp, fentry, ...) run beside an event that counts nothing. A source is compiled by clang
 * first.
 */
#ifndef SELECTION_PROGRAM_EVENTS_H
#define SELECTION_PROGRAM_EVENTS_H

#include "event/event.h"

/* An event_program_fn. settings: "map:NAME.event=EVENT", several with commas. */
int program_events_load(const struct event_env *env, const char *path, const char *settings,
			struct event_list *out, struct err *e);

#endif
