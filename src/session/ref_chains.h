/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/ref_chains: samples without a callchain get the callers of the thread's sample before.
 */
#ifndef SESSION_REF_CHAINS_H
#define SESSION_REF_CHAINS_H

#include "session/session.h"

struct ref_chains;

struct ref_chains *ref_chains_new(void);
void ref_chains_free(struct ref_chains *c); /* NULL is allowed */
/* In order of time: keeps the sample's chain, or gives it one, which is valid until the next call.
 */
void ref_chains_take(struct ref_chains *c, const struct perfdata_event *ev, const struct site *site,
		     struct sample *smp);

#endif
