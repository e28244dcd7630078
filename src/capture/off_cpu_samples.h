/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture/off_cpu_samples: the time off the CPU (bpf/off_cpu) as samples of an event "offcpu-time"
 * among the others of a recording: its period is the time in ns, its stack the one at which the
 * task went to sleep.
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
#ifndef CAPTURE_OFF_CPU_SAMPLES_H
#define CAPTURE_OFF_CPU_SAMPLES_H

#include "bpf/off_cpu.h"
#include "capture/config.h"
#include "capture/drain.h"
#include "capture/target.h"
#include "capture/stacks/unwinder.h"
#include "perfdata/writer.h"

struct off_cpu_samples;

/* The event for the list, and what its attributes are once the others' are complete. */
struct event *off_cpu_samples_add_event(struct event_list *l);
void off_cpu_samples_configure(struct event *ev, const struct capture_config *cfg);

/* event is the one of off_cpu_samples_add_event(). Nothing is measured before
 * off_cpu_samples_enable(). */
struct off_cpu_samples *off_cpu_samples_new(const struct event_list *events,
					    const struct capture_config *cfg,
					    const struct capture_target *target, struct err *e);
void off_cpu_samples_free(struct off_cpu_samples *s);
/* Of all its samples. */
void off_cpu_samples_set_id(struct off_cpu_samples *s, u64 id);
/* Readable when there are samples; sums alone do not tell. */
int off_cpu_samples_fd(const struct off_cpu_samples *s);
void off_cpu_samples_enable(struct off_cpu_samples *s, bool on);
/* Write what there is, sums (of the past second or two) if asked for; *any: there was something. */
int off_cpu_samples_write(struct off_cpu_samples *s, bool sums, struct drain *d,
			  struct perfdata_writer *w, bool *any, struct err *e);
/* Stacks are unwound: off_cpu_samples_look() now and then, after unwinder_gather(); not before
 * off_cpu_samples_enable(). */
bool off_cpu_samples_unwind(const struct off_cpu_samples *s);
void off_cpu_samples_look(struct off_cpu_samples *s, struct unwind_lane *lane);
struct off_cpu_losses off_cpu_samples_losses(const struct off_cpu_samples *s);

#endif
