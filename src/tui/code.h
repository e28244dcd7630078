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
	bool types; /* likewise: those of what instructions access are shown */
	const char *note; /* what is to be told of the samples; NULL = nothing */
	/* samples go on: a function's code is shown, so that its samples are wanted from now on;
	 * the counts are others whenever the data changed (tui_changed()). NULL = all there are are
	 * here
	 */
	void (*want)(void *ctx, dso_id dso, u32 sym);
	void *ctx;
};

/* All samples of a session that tells them by address are read; the session stays the caller's. To
 * be released also after an error. */
int code_source_read(struct code_source *s, struct session *session, const struct annotate_opts *o,
		     struct err *e);
void code_source_release(struct code_source *s); /* zero bytes are allowed */

/* An event, or the events of a group. */
struct code_events {
	u32 first, nr;
};

VEC_TYPE(code_events_list, struct code_events);

/* How a share of so many percent looks. */
enum style code_style_of(double percent);

/* A function's code; false: it is told why not. */
bool code_view_open(struct tui *t, const struct code_source *s, const struct address_function *f,
		    struct code_events events);
/* The same by the names of the function and of its object. */
bool code_view_open_named(struct tui *t, const struct code_source *s, const char *dso,
			  const char *symbol, struct code_events events);

#endif
