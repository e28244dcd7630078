/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workloads: programs for tests and tutorials: perf record perf test -w leafloop. Each gets the
 * words behind its name and returns its exit code. The names of the functions are what shows in
 * reports, so they stay.
 */
#ifndef CMD_TEST_WORKLOADS_H
#define CMD_TEST_WORKLOADS_H

#include <signal.h>

#include "base/types.h"

enum {
	WORKLOAD_SECONDS = 1,
	WORKLOAD_MAX_SECONDS = 1000000,
	WORKLOAD_WRONG_ARGUMENT = 255,
};

/* workload_time.c */
extern _Atomic(int) workload_done; /* set by the alarm: the workload's time is over */

/* The n-th argument into *out, which stays where there is none; false: it is not a number from
 * least to most, which is told. */
bool workload_number(int argc, const char **argv, int n, unsigned int least, unsigned int most,
		     unsigned int *out);
/* Sets workload_done after the seconds of the first argument ("0.5"; WORKLOAD_SECONDS without one;
 * 0 = never) or at Ctrl-C; false as above. */
bool workload_begin(int argc, const char **argv);

/* workloads_code.c: code with a known shape. */
int workload_inlineloop(int argc, const char **argv);
int workload_deterministic(int argc, const char **argv);
int workload_callchain(int argc, const char **argv);
int workload_jitdump(int argc, const char **argv);
/* workloads_tasks.c: threads and processes. */
int workload_thloop(int argc, const char **argv);
int workload_named_threads(int argc, const char **argv);
int workload_context_switch_loop(int argc, const char **argv);

#endif
