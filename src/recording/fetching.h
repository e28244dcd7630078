/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fetching: whether debug information may be fetched from debuginfod servers, and what the user
 * sees of it: a line on a terminal while something comes, one warning when the servers cannot be
 * reached.
 */
#ifndef RECORDING_FETCHING_H
#define RECORDING_FETCHING_H

#include <pthread.h>

#include "dso/dso.h"

struct fetching {
	const char *urls;
	pthread_mutex_t lock;
	u64 next; /* CLOCK_MONOTONIC ns before which nothing is drawn */
	bool terminal, drawn;
};

/*
 * urls: as in $DEBUGINFOD_URLS; "system": those that are there; NULL: nothing is wanted. Before any
 * thread starts; f must outlive the use of out.
 */
void fetching_init(struct fetching *f, const char *urls, struct dso_fetch *out);
void fetching_finish(struct fetching *f);

#endif
