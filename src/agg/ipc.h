/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ipc: instructions per cycle of functions, by branch records that tell the cycles since the branch
 * before.
 *
 * The code between a taken branch and where the one before it went to is a block, if both are in
 * one function. Of blocks with the same end only those that begin first count. A function's ratio
 * is that of all instructions to all cycles of its blocks; its coverage tells how many of its
 * instructions end a block, in percent (as newer perfs have it: tests/diff/branches.py compares).
 * Samples whose latest branch took no cycles are left out, as in blocks.h.
 *
 * Life as of agg. ipc_add() on workers; ipc_finish() on one thread, after all samples; then
 * ipc_text() on any.
 */
#ifndef AGG_IPC_H
#define AGG_IPC_H

#include "agg/agg.h"

struct ipc;

struct ipc *ipc_new(struct agg *a);
void ipc_free(struct ipc *x);
void ipc_add(struct ipc *x, struct session_worker *w, const struct session_record *r);
void ipc_finish(struct ipc *x);
/* "2.33  [  4.5%]" of a frame's function; zeros: no block of it is known, "-": it is not known
 * itself. */
void ipc_text(struct ipc *x, frame_id frame, struct strbuf *out);

#endif
