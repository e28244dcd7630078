/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code: functions' code with the samples that fell on it, as a view: source and assembly, the
 * hottest lines, jumps; Enter follows a call.
 */
#ifndef TUI_CODE_H
#define TUI_CODE_H

#include "annotate/annotate.h"
#include "render/annotation.h"
#include "tui/tui.h"

/* Samples by address, of a session that tells them, and who shows code. Lent by the command. */
struct code_source {
	struct session *session;
	struct addresses *counts;
	struct annotator *annotator;
	struct annotation_out look; /* to begin with */
};

/* An event, or the events of a group. */
struct code_events {
	u32 first, nr;
};

/* The function of this name in an object that is called so; false: it is told why not. */
bool code_view_open(struct tui *t, const struct code_source *s, const char *dso, const char *symbol,
		    struct code_events events);

#endif
