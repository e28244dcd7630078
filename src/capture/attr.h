/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/attr: completes the attributes of the parsed events for recording: rate, sample fields,
 * side records, inheritance, when to start. Pure: opens nothing, so that every rule can be tested.
 */
#ifndef CAPTURE_ATTR_H
#define CAPTURE_ATTR_H

#include "capture/config.h"
#include "capture/target.h"

/*
 * Fill every attr of l for cfg and target; may append the dummy event that carries the side records
 * (CPU-wide recording, delayed start). Returns the tracking event, the one with the side records.
 */
struct event *capture_configure(struct event_list *l, const struct capture_config *cfg,
				const struct capture_target *target);

/* Fill the attrs of events of which each occurrence (or the one after the period that was given)
 * wakes the recorder. */
void capture_configure_triggers(struct event_list *l);

/* All user registers a dwarf unwinder wants, in the kernel's numbering, of the running machine. */
u64 capture_all_user_regs(void);

#endif
