/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure: one run of a measurement: the targets, waiting for the end.
 */
#ifndef COUNT_MEASURE_H
#define COUNT_MEASURE_H

#include "count/measurement.h"

/* CPUs that are not there are counted as not supported. 0, or what is wrong: -1 the CPUs, -2 the
 * processes, -3 the threads; *e names those. */
int measure_resolve(struct measurement *m, struct err *e);

/* What a run tells while it goes on; each may be NULL, but with control. */
struct measure_ops {
	/* Values have been read, and are not in the cells yet; final: of the whole run. */
	void (*values)(void *ctx, bool final);
	/* The cells have the counts of an interval. */
	void (*interval)(void *ctx);
	/* After the delay the counters have been enabled. */
	void (*enabled)(void *ctx);
	/* These CPUs went offline: their counters stand still from then on. */
	void (*lost_cpus)(void *ctx, const char *cpus);
	/* Something can be read on control_fd(), -1 = none. False: the run is to end. */
	int (*control_fd)(void *ctx);
	bool (*control)(void *ctx);
	void *ctx;
};

/* Signals that ask for the end, and SIGCHLD, are let in only while a run waits. */
void measure_catch_signals(void);
void measure_hold_signals(bool on);
/* The signal that ended a run, 0 = none. */
int measure_interrupted(void);
/* Counters are open and the workload is forked: starts it, waits for the end, reads, adds to the
 * cells. */
int measure_run(struct measurement *m, const struct measure_ops *ops, struct err *e);

#endif
