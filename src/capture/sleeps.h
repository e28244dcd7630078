/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/sleeps: the time off the CPU (bpf/off_cpu) as samples of an event "offcpu-time" among the
 * others of a recording: its period is the time in ns, its stack the one at which the task went to
 * sleep.
 *
 * A block of the threshold and longer is a sample with the time at which it ended; sums of shorter
 * ones have the time at which they are written. With -g the stack has the kernel's part, without
 * its scheduler, and the user's; else the user's alone.
 *
 * The kernel follows frame pointers, so it knows little of code without them. Where stacks are
 * unwound (--call-graph dwarf) those of tasks that sleep for a while are unwound, too: in their
 * memory, which does not change while they sleep. Of shorter sleeps only the innermost frame is
 * proven, and they are marked as cut. One thread.
 */
#ifndef CAPTURE_SLEEPS_H
#define CAPTURE_SLEEPS_H

#include "bpf/off_cpu.h"
#include "capture/config.h"
#include "capture/drain.h"
#include "capture/target.h"
#include "capture/stacks/unwinder.h"
#include "perfdata/writer.h"

struct sleeps;

/* The event for the list, and what its attributes are once the others' are complete. */
struct event *sleeps_add_event(struct event_list *l);
void sleeps_configure(struct event *ev, const struct capture_config *cfg);

/* event is the one of sleeps_add_event(). Nothing is measured before sleeps_enable(). */
struct sleeps *sleeps_new(const struct event_list *events, const struct capture_config *cfg,
			  const struct capture_target *target, struct err *e);
void sleeps_free(struct sleeps *s);
/* Of all its samples. */
void sleeps_set_id(struct sleeps *s, u64 id);
/* Readable when there are samples; sums alone do not tell. */
int sleeps_fd(const struct sleeps *s);
void sleeps_enable(struct sleeps *s, bool on);
/* Write what there is, sums (of the past second or two) if asked for; *any: there was something. */
int sleeps_write(struct sleeps *s, bool sums, struct drain *d, struct perfdata_writer *w, bool *any,
		 struct err *e);
/* Stacks are unwound: sleeps_look() now and then, after unwinder_gather(); not before
 * sleeps_enable(). */
bool sleeps_unwind(const struct sleeps *s);
void sleeps_look(struct sleeps *s, struct unwind_lane *lane);
struct off_cpu_losses sleeps_losses(const struct sleeps *s);

#endif
