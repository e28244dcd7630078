/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/stacks/newcomers: has a process with another root, as in a container, executed a program?
 * Its files are to be opened while it runs: when it has ended, nobody finds them any more, and
 * rings that fill slowly tell of it much later. An event of its own in rings of its own wakes us at
 * every exec. Nothing here fails: where it cannot be had (no locked memory is left, too many tasks
 * are measured), files are found as far as the other rings are read in time.
 */
#ifndef CAPTURE_NEWCOMERS_H
#define CAPTURE_NEWCOMERS_H

#include "capture/open.h"
#include "capture/rings.h"

struct newcomers {
	struct event_list events; /* empty: newcomers are not looked for */
	struct capture_fds fds;
	struct capture_rings rings; /* rings.fd are to be watched */
};

void newcomers_init(struct newcomers *n);
/* target: what is recorded; inherit: its children, too. */
void newcomers_open(struct newcomers *n, const struct capture_target *target, bool inherit);
/* Reads the rings. True: a process with another root than ours has executed a program. */
bool newcomers_any_elsewhere(struct newcomers *n);
void newcomers_release(struct newcomers *n);

#endif
