/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/lbr: callchains from the CPU's branch records of calls (--call-graph lbr).
 */
#ifndef SESSION_LBR_H
#define SESSION_LBR_H

#include "session/session.h"

struct lbr_stacks;
struct perfdata_info;
struct lbr_stacks *lbr_stacks_new(const struct perfdata_info *info);
void lbr_stacks_free(struct lbr_stacks *l);
/* Puts the sample's records in place of the user part of its callchain, which is memory of the
 * worker then. */
void lbr_take_stack(struct session_worker *w, const struct site *site, struct sample *smp);

#endif
