/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture_internal: the recording object, shared by capture.c, capture_state.c and capture_loop.c.
 */
#ifndef CAPTURE_CAPTURE_INTERNAL_H
#define CAPTURE_CAPTURE_INTERNAL_H

#include "capture/aux_areas.h"
#include "capture/bpf_programs.h"
#include "capture/capture.h"
#include "capture/ring_threads.h"
#include "capture/filters.h"
#include "capture/rings.h"
#include "capture/off_cpu_samples.h"
#include "capture/stacks/stacks.h"
#include "capture/storm.h"
#include "sys/cpu.h"
#include "sys/cpu_watch.h"

struct capture {
	struct capture_opts o;
	struct capture_fds fds;
	struct capture_rings rings;
	struct capture_rings flight; /* of the events that overwrite */
	struct capture_fds trigger_fds;
	struct capture_rings trigger_rings;
	u64 *ids; /* same grid as fds.fd */
	VEC(u64) timeless; /* for the drains */
	u64 *lost; /* the same: what earlier files told */
	bool *enabled; /* by event: a leader, as far as we did that */
	struct perfdata_writer *w;
	struct drain drain;
	struct capture_stacks stacks;
	struct storm storm;
	int save_fd; /* timer, every few seconds, or config.round_ms */
	int stop_fd; /* written by capture_stop(), -1 = that is not called */
	bool look_due;
	bool round_due; /* config.round_ms has passed */
	u64 round_ended; /* of a live source, clock_now() */
	struct ring_threads *ring_threads; /* NULL = the rings are read by this thread */
	struct aux_areas aux; /* kind NULL = no event fills any */
	struct capture_filters filters;
	struct off_cpu_samples *off_cpu; /* NULL = the time off the CPU is not recorded */
	int sums_fd; /* timer of their sums */
	int asleep_fd; /* timer of looks at stacks of tasks that sleep */
	struct bpf_programs bpf;
	struct event_list bpf_events; /* that tell of new BPF programs; empty: none are opened */
	struct capture_fds bpf_fds;
	struct capture_rings bpf_rings;
	struct touched touched;
	struct capture_result result;
	struct sys_topology topology; /* for config.affinity */
	u64 clock_ns, wall_ns; /* of cfg->clockid and the wall at the same moment */
	int signal_fd, timer_fd, epoll_fd;
	int switch_fd; /* timer of the next new file, -1 = none */
	size_t next_delay; /* which start or end of config.ranges comes next */
	size_t alive; /* fds of tasks that have not ended, see watch_rings() */
	bool started; /* the workload runs */
	bool switch_wanted;
	u64 state_size; /* bytes that described what was there, in this file or the one before */
	bool measuring; /* events are enabled, as far as we did that */
	bool snapshot_wanted; /* of the AUX areas */
	bool sums_due; /* of c->off_cpu */
	u32 nr_saves; /* looks at rings that do not fill */
	struct cpu_watch cpu_watch; /* those of cpu_wide */
	bool done;
};

static inline void capture_tell(const struct capture *c, const char *text)
{
	if (c->o.tell)
		c->o.tell(c->o.tell_ctx, text);
}
/*
 * Before rings are read: how far each of them is, and the mappings of the samples up to there.
 * which: the rings of one thread, NULL = all; d: its drain. True: the other threads should read
 * theirs, too, which keep too much in memory.
 */
bool capture_look_ahead(struct capture *c, const struct drain *d, const size_t *which, size_t nr);
/* Bytes that are looked at before they are handed over. */
enum { CAPTURE_PIECE = 128 << 10 };
/* Whole records to the file: as they are, or with chains in place of copies of stacks. */
int capture_pass_on(struct drain *d, struct perfdata_writer *w, const struct ring *r, u64 from,
		    u64 to, struct err *e);
/* Counts of the drain's lane are added to its own. */
void capture_take_stack_stats(struct drain *d);
/* Copy what ring i of c->rings held then; *any: it held something. */
int capture_drain_ring(struct capture *c, struct drain *d, struct perfdata_writer *w, size_t i,
		       bool *any, struct err *e);
/* Copy what the rings hold, as a round. Those of ring_threads are left to them. */
int capture_drain(struct capture *c, struct err *e);
/* The same for the flight recorder, while it stands still. */
int capture_drain_flight(struct capture *c, struct err *e);
/* Write what the AUX areas hold; their events stop meanwhile. */
int capture_aux_snapshot(struct capture *c, struct err *e);
/* Samples waited in the rings of the triggers; they are gone now. */
bool capture_drain_triggers(struct capture *c);
/* Complete this file and go on in the next. */
int capture_switch(struct capture *c, struct err *e);
/* What the control channel says. */
void capture_obey(struct capture *c);
/* request for one event, or (NULL) all; group members follow their leader. */
void capture_ioctl(struct capture *c, const struct event *event, unsigned long request);
/* What all threads saw of stacks, with an unwinder. */
void capture_gather_evidence(struct capture *c, struct chain_evidence *sum);
/* The records between header and first sample. */
int capture_write_state(struct capture *c, struct err *e);
/* The same for the unwinder alone: its mappings are those of now. */
int capture_learn_state(struct capture *c, struct err *e);
/* LOST_SAMPLES records from the counters of the events and of their filters. */
int capture_write_lost(struct capture *c, struct err *e);

#endif
