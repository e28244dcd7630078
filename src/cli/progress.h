/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: a line on the terminal while a long job runs; nothing when stderr is no terminal, in
 * the first second, or when quiet. Fits session_opts.progress:
 *
 *	struct progress bar;
 *	progress_init(&bar, "Processing events");
 *	opts.progress = progress_update;
 *	opts.progress_ctx = &bar;
 *	...
 *	progress_finish(&bar);   (before anything else is printed)
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "base/types.h"

struct progress {
	const char *title;
	u64 next; /* CLOCK_MONOTONIC ns before which nothing is drawn */
	bool wanted; /* stderr is a terminal */
	bool drawn;
};

void progress_init(struct progress *p, const char *title);
/* ctx is the struct progress; redraws at most ten times a second. Not thread-safe per object. */
void progress_update(void *ctx, u64 done, u64 total);
void progress_finish(struct progress *p);

#endif
