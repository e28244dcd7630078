/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cells: the values of counters, summed up by owner (a CPU, a socket, a thread, everything), over
 * all runs.
 */
#ifndef COUNT_CELLS_H
#define COUNT_CELLS_H

#include "count/measurement.h"

/* When the counters are open: whose rows there are. Again for another run: they stay. */
void cells_init(struct measurement *m);
/* Read all counters, and what is known without one. end_ns is set. */
void cells_read(struct measurement *m);
/* Add the values just read, less the previous ones when delta is set. */
void cells_add(struct measurement *m, bool delta);
void cells_reset(struct measurement *m);
struct count_cell *cells_get(const struct measurement *m, size_t event, size_t owner);
/* What was counted on a CPU, with COUNT_CPU; NULL = nothing is counted there. */
const struct count_cell *cells_of_cpu(const struct measurement *m, size_t event, u32 cpu);
/* Whether the CPU of another owner is in the same core. */
bool cells_share_core(const struct measurement *m, size_t owner);
/* Everything of a measurement but its options. */
void measurement_release(struct measurement *m);

#endif
