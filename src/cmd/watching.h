/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watching: the events of a struct sampling, of the running machine, as a source of records
 * (live/live.h): what every command does that shows them while they happen.
 */
#ifndef CMD_WATCHING_H
#define CMD_WATCHING_H

#include "live/live.h"
#include "selection/sampling.h"

struct watching {
	struct sampling *sampling;
	struct capture_target *target; /* resolved */
	struct workload *workload; /* waits to begin; NULL = none */
	const char *const *line; /* the command line, for what is recorded */
	int tee_fd; /* a copy of all records goes there, -1 = nowhere */
	size_t backlog; /* live_opts.backlog */
	/* Of events that are opened otherwise than asked for; NULL = told on stderr. */
	void (*on_note)(void *ctx, enum capture_open_note kind, const struct event *ev,
			const char *text);
	/* The events are open, and nothing has begun; NULL = nothing is to be done then. */
	int (*prepared)(void *ctx, struct capture *c, struct err *e);
	/* Reads the source to its end, or until it has seen enough. -1 with *e; an exit status
	 * where it has told what is wrong itself. */
	int (*run)(void *ctx, struct capture *c, struct source *live, struct err *e);
	void *ctx;
};

/* 0, -1 or run()'s exit status; what is wrong has been told on stderr. The capture has ended. */
int watch_events(const struct watching *w);

/* Tracepoints of the running machine, whose tasks' names are wanted beside them. */
struct watched_tracepoints {
	const char *command; /* as errors call it: "perf sched top" */
	const char *names[4]; /* all of them are needed; NULL = no more */
	const char
		*missing; /* what helps root where the kernel lacks them; NULL = nothing is known */
	int pages; /* of each ring; 0 = as many as such events need */
};

/* Adds them to w->sampling, of the tasks and CPUs that it names, and watches them; w->target is
 * made here. 0, or -1: it has been told why. */
int watch_tracepoints(struct watching *w, const struct watched_tracepoints *t);

#endif
