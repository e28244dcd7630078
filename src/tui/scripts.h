/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scripts: what `perf script` tells of a recording, on a page: its samples, or what a script that
 * is installed makes of them. perf is run for that once more.
 */
#ifndef TUI_SCRIPTS_H
#define TUI_SCRIPTS_H

#include "session/session.h"
#include "tui/tui.h"

/* Which recording, and which scripts there are, while the menu is open. */
struct scripts {
	char *path, *time;
	const struct dso_config *files; /* of the recording: where names and code come from */
	VEC(char *) names;
};

/* A menu of what there is; s outlives it, and the session s. time: of that alone, NULL = all. */
void scripts_open(struct tui *t, struct scripts *s, struct session *recording, const char *time);
void scripts_release(struct scripts *s); /* zero bytes are allowed */

#endif
