/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/open: opens the events of a list on all CPUs and tasks of a target, falling back where
 * the kernel refuses: newer attribute bits are dropped one at a time, precise levels lowered,
 * kernel samples given up where the user may not have them, cycles replaced by a software clock
 * where there is no PMU. What was found missing once is not tried again for the next event.
 */
#ifndef CAPTURE_OPEN_H
#define CAPTURE_OPEN_H

#include "capture/target.h"
#include "event/event.h"

/* The opened fds as a grid; -1 = not opened there (CPU not in the PMU's mask, task gone). */
struct capture_fds {
	int *fd;
	size_t nr_events, nr_cpus, nr_tasks;
};

static inline int *capture_fd(const struct capture_fds *f, size_t event, size_t cpu, size_t task)
{
	return &f->fd[(event * f->nr_cpus + cpu) * f->nr_tasks + task];
}

/* Told about each decision, for messages. text is complete, without newline. */
enum capture_open_note {
	CAPTURE_NOTE_ATTR, /* attr is about to be opened: -vv shows it */
	CAPTURE_NOTE_OPEN, /* one perf_event_open: "pid 1  cpu 0 ..." */
	CAPTURE_NOTE_FALLBACK, /* something was given up: -v */
	CAPTURE_NOTE_AGAIN, /* an event of a dissolved group is opened by itself: -vv */
	CAPTURE_NOTE_CHANGED, /* another event is recorded than asked for: always told */
};
/* The text of CAPTURE_NOTE_OPEN for one call. */
struct capture_open_call {
	int pid, cpu, group, fd; /* fd: the result, negative errno */
	u64 flags;
};
void capture_open_text(char *text, size_t size, const struct capture_open_call *c);
struct capture_open_log {
	void (*note)(void *ctx, enum capture_open_note kind, const struct event *ev,
		     const char *text);
	void *ctx;
};

/*
 * Opens everything; fds is filled (release it also after an error). -1: e->code is the errno of
 * the call that failed; why then has perf's explanation (several lines). log may be NULL.
 */
int capture_open(struct capture_fds *fds, struct event_list *l, const struct capture_target *t,
		 const struct capture_open_log *log, struct strbuf *why, struct err *e);
/* Of all fds of an event. */
void capture_fds_ioctl(const struct capture_fds *f, size_t event, unsigned long request);
void capture_fds_release(struct capture_fds *f);

#endif
