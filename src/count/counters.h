/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
count/counters: counting instead of sampling: events without rings whose values are read.
 *
 *	counting_configure() -> counting_open() -> counting_enable() -> counting_read() ...
 *
 * What this machine cannot count is not an error: such a counter is marked as unsupported and left
 * out. One thread. Source: perf_event_open(2).
 */
#ifndef COUNT_COUNTERS_H
#define COUNT_COUNTERS_H

#include <errno.h>

#include "capture/open.h"
#include "event/fallback.h"

struct counting_config {
	bool no_inherit;
	bool all_user, all_kernel;
	bool delayed; /* enabled by us later, not by the exec of the workload */
	bool no_travel; /* CPUs are asked from where the caller runs, however many events there are
			 */
};

/* Complete the attributes of parsed events for counting. Pure. */
void counting_configure(struct event_list *l, const struct counting_config *cfg,
			const struct capture_target *target);

struct count_value {
	u64 value;
	u64 enabled, running; /* ns since it was enabled; on the counter */
};

/* One event, opened on each of its CPUs for each task. A tool event has one value, which the caller
 * fills in. */
struct counter {
	struct event *event;
	bool supported;
	bool opened; /* at least once */
	bool reopen; /* its weak group was refused: opened by itself */
	int *cpus; /* -1 = wherever the tasks run */
	size_t nr_cpus;
	size_t nr_tasks; /* 1 when CPU-wide */
	int *fds; /* [cpu * nr_tasks + task], -1 = not open there */
	struct count_value *values; /* the same shape, of the last counting_read() */
	/* with event->bpf_counter: the numbers of counter and owner for shared_counts_read() */
	u32 shared_at, shared_owner;
};

/* Counters outside the cores cannot follow tasks: the PMU says on which CPUs to open them. */
bool counting_is_uncore(const struct event *ev);

struct counting {
	VEC(struct counter) all; /* one per event of the list, in its order */
	const struct capture_target *target;
	bool no_travel; /* counting_config.no_travel */
	struct event_fallback fallback;
	struct program_counts *in_programs; /* NULL = everything counts */
	struct shared_counts *shared; /* of events that BPF counts; NULL = there is none */
	struct strbuf told; /* after counting_open(), counting_share(): lines for the user */
};

/*
 * Open everything that can be opened. A weak group that the kernel refuses is dissolved in the
 * list, and its events are opened one by one; a group of metrics' events, too, when this machine
 * cannot count its leader; a group of events that are not counted on the same CPUs, which is told.
 * Release it also after an error. -1: e->code is the errno of the call that failed, why perf's
 * explanation (several lines); log may be NULL.
 */
int counting_open(struct counting *c, struct event_list *l, const struct counting_config *cfg,
		  const struct capture_target *t, const struct capture_open_log *log,
		  struct strbuf *why, struct err *e);
void counting_release(struct counting *c);
/* At the end of the program, the counters are disabled: what takes long to close is left to a
 * process of its own (capture/late_close). To be released all the same. */
void counting_close_late(struct counting *c, const struct event_list *l);
/* The tracepoint filters of the events. -1: one was refused, and *e tells which and where. */
int counting_set_filters(struct counting *c, struct err *e);
/* The BPF programs of events (capture/event_programs): each decides what counts. */
int counting_set_programs(struct counting *c, struct err *e);
/* What counts from now on is what happens while these BPF programs run (bpf/program_counts), on
 * whole CPUs. */
int counting_in_programs(struct counting *c, const u32 *ids, size_t nr, struct err *e);
/* counting_read() of these. */
void counting_read_programs(struct counting *c);
/* Events that BPF counts, which counting_open() leaves out (bpf/shared_counts); attr_map: as there,
 * NULL: the usual one. 0 as well if there is none of them. */
int counting_share(struct counting *c, const char *attr_map, const struct counting_config *cfg,
		   struct err *e);
/* counting_read() of these. */
void counting_read_shared(struct counting *c);
/* An errno of perf_event_open() that says: not on this machine. */
static inline bool counting_means_unsupported(int err)
{
	return err == ENOENT || err == ENODEV || err == ENXIO || err == EOPNOTSUPP ||
	       err == EINVAL || err == ENOSYS;
}
void counting_enable(struct counting *c);
/* Those outside the cores alone, which the workload's exec does not enable. */
void counting_enable_uncore(struct counting *c);
/* All events of that name; false: there is none. */
bool counting_enable_named(struct counting *c, const char *name, bool on);
void counting_disable(struct counting *c);
/* The kernel's number of what is open at a place of c->fds; 0 = nothing, or it does not say. */
u64 counting_id(const struct counter *c, size_t at);
/* Fill all values. A counter that cannot be read any more keeps its last value. */
void counting_read(struct counting *c);

#endif
