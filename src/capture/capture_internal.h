/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_internal: the recording object, shared by capture.c, capture_state.c and capture_loop.c.
 */
#ifndef CAPTURE_CAPTURE_INTERNAL_H
#define CAPTURE_CAPTURE_INTERNAL_H

#include "capture/capture.h"
#include "capture/rings.h"

struct capture {
	struct capture_opts o;
	struct capture_fds fds;
	struct capture_rings rings;
	u64 *ids; /* same grid as fds.fd */
	struct perfdata_writer *w;
	struct drain drain;
	struct touched touched;
	struct capture_result result;
	u64 clock_ns, wall_ns; /* of cfg->clockid and the wall at the same moment */
	int signal_fd, timer_fd, epoll_fd;
	size_t alive; /* fds of tasks that have not ended, see watch_tasks() */
	bool done;
};

void capture_tell(struct capture *c, const char *text);
/* The records between header and first sample. */
int capture_write_state(struct capture *c, struct err *e);
/* LOST_SAMPLES records from the counters of the events. */
int capture_write_lost(struct capture *c, struct err *e);

#endif
