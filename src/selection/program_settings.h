/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program_settings: what stands behind a file of BPF programs (`-e PROG.o/SETTINGS/`), for its
 * maps, several with commas:
 *
 *	map:NAME.event[KEYS]=EVENT	a perf event array gets an event's descriptors, by CPU
 *	map:NAME.value[KEYS]=NUMBER	an array of numbers gets one
 *
 * KEYS: "all", as without them, or "0,2-5" ("2...5" is the same).
 */
#ifndef SELECTION_PROGRAM_SETTINGS_H
#define SELECTION_PROGRAM_SETTINGS_H

#include "event/event.h"

struct bpf_file;

/* Numbers are put into maps; events, which are not open yet, are kept in p. The file is loaded. */
int program_settings_apply(const struct bpf_file *f, const char *settings, struct event_program *p,
			   struct err *e);

#endif
