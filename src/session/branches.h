/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/branches: branch records as frames in callchains. Workers.
 */
#ifndef SESSION_BRANCHES_H
#define SESSION_BRANCHES_H

#include "session/session.h"

enum { BRANCHES_MAX = 127 }; /* no CPU has more; what claims more is broken */

/* Puts the sample's branch records into its callchain, which is memory of the worker then. */
void branches_add_to_chain(struct session_worker *w, struct sample *smp);

#endif
