/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_events: BPF programs of files as events (`-e PROG.o`, `-e PROG.c`). What a program's
 * section names is its event:
 *
 *	SYSTEM:NAME, tracepoint/SYSTEM/NAME, tp/SYSTEM/NAME
 *	[OPTIONS;][NAME=]FUNCTION[%return] [ARG ...]	in the kernel, or where an option says
 *	kprobe/FUNCTION, kretprobe/FUNCTION
 *	uprobe/PATH:FUNCTION, uretprobe/PATH:FUNCTION
 *
 * OPTIONS: exec=PATH (a program or library), module=NAME, inlines=yes|no, force=yes|no (both as
 * usual: all places of inlined functions, names of its own), with ';' between them. ARGs are perf
 * probe's; the program is a function (registers, error, value, ...): see bpf/arguments.h.
 *
 * A program that returns 0 drops the sample. Those of other kinds (raw_tp, fentry, ...) run beside
 * an event that counts nothing. A source is compiled first (program_source.h).
 */
#ifndef SELECTION_PROGRAM_EVENTS_H
#define SELECTION_PROGRAM_EVENTS_H

#include "event/event.h"

/* An event_program_fn. settings: see program_settings.h. */
int program_events_load(const struct event_env *env, const char *path, const char *settings,
			struct event_list *out, struct err *e);

#endif
