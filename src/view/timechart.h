/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/timechart: what CPUs and tasks did, as rows of shapes, of a number that does not grow with
 * the recording. Spans (view/timeline.h, calls) are added in order of time. Each is a shape of its
 * own until there are more than TIMECHART_SHAPES; from then on spans that lie within `resolution`
 * beside each other become one shape, which says how long each thing took in it; the resolution is
 * the smallest power of two, in ns, that keeps the number. Wake-ups: the same.
 *
 * Times are ns. Names are copied, and not escaped. Numbers of rows stay.
 */
#ifndef VIEW_TIMECHART_H
#define VIEW_TIMECHART_H

#include "base/map.h"
#include "base/vec.h"

enum { TIMECHART_SHAPES = 48 << 10, TIMECHART_WAKES = 12 << 10 };

/* What a span of a task's row spends its time with. */
enum timechart_way {
	TIMECHART_RUNNING,
	TIMECHART_WAITING, /* for a CPU */
	TIMECHART_BLOCKED,
	TIMECHART_WAYS,
};

/* Lanes of rows: within one, shapes are in order and do not overlap. */
enum timechart_lane {
	TIMECHART_TASK, /* of a task: all its ways */
	TIMECHART_TASK_LANES,
	TIMECHART_CPU_RUNNING = 0, /* of a CPU: value is the task's row */
	TIMECHART_CPU_IDLE, /* value: the state */
	TIMECHART_CPU_FREQUENCY, /* kHz */
	TIMECHART_CPU_LANES,
	TIMECHART_IO_READ = 0, /* of a task's calls: value is the file */
	TIMECHART_IO_WRITE,
	TIMECHART_IO_RECEIVE,
	TIMECHART_IO_SEND,
	TIMECHART_IO_SYNC,
	TIMECHART_IO_POLL,
	TIMECHART_IO_KINDS,
	/* behind these, in the same order, those of calls that failed */
	TIMECHART_IO_LANES = 2 * TIMECHART_IO_KINDS,
};

/* A value that is none, or more than one: of spans that differ in it. */
#define TIMECHART_SEVERAL UINT32_MAX
/* A row that is none: an interrupt, not known. */
#define TIMECHART_NOBODY UINT32_MAX

struct timechart_shape {
	u64 from, until;
	u64 times[TIMECHART_WAYS]; /* ns of each way; of others: [0] */
	u64 bytes; /* of calls */
	u64 latest; /* where its last span begins */
	u32 nr; /* spans that it is made of */
	u32 value;
	u32 stack; /* of a single span: as in the span; 0 = none */
	s32 error; /* of calls that failed: of the first */
	bool marked; /* has a span that is to be seen (--highlight) */
	bool goes_on;
};

struct timechart_row {
	char *name; /* of a task */
	u32 number; /* CPU, or thread */
	u32 pid; /* of a task; (u32)-1 = not told */
	u64 from, until; /* first and last span */
	u64 total; /* ns that a task ran, or bytes of its calls */
	VEC(struct timechart_shape) * lanes;
};

struct timechart_wake {
	u64 time;
	u32 by, row; /* rows; by: or TIMECHART_NOBODY */
	u32 stack;
	u32 nr; /* wake-ups that it is made of */
};

struct timechart {
	bool io; /* tasks' rows are calls, and there are no CPUs */
	u64 min_time; /* ns: shorter calls look as if they lasted so long */
	u64 merge_gap; /* ns: calls that are so near to each other, as they look, are one shape */
	VEC(struct timechart_row) cpus; /* by CPU */
	VEC(struct timechart_row) tasks;
	VEC(struct timechart_wake) wakes;
	u64 from, until;
	size_t nr_shapes;
	u64 nr_spans; /* that were added */
	u64 resolution, wake_resolution; /* 0 = all are there */
	u64 wakes_left_out; /* between more pairs of tasks than there is room for */
	/* for whoever shows it: */
	VEC(u32) shown; /* tasks, in order */
	VEC(u32) cpu_order;
	const char *cpu_model, *recording; /* borrowed; model: NULL = not told */
};

void timechart_release(struct timechart *c);
/* The chart's times are at least these. */
void timechart_reach(struct timechart *c, u64 from, u64 until);
/* The row of a new task's name. */
u32 timechart_add_task(struct timechart *c, const char *name, u32 pid, u32 tid);
/* Rows of all CPUs below nr. */
void timechart_need_cpus(struct timechart *c, u32 nr);
/* nr and latest of s are not looked at. A row that is not there is one of the program's mistakes.
 */
void timechart_add_of_task(struct timechart *c, u32 row, unsigned int lane,
			   const struct timechart_shape *s);
/* The CPU's row is made if there is none. */
void timechart_add_of_cpu(struct timechart *c, u32 cpu, unsigned int lane,
			  const struct timechart_shape *s);
void timechart_add_wake(struct timechart *c, const struct timechart_wake *w);
/* Where a shape ends, as it looks. */
u64 timechart_end(const struct timechart *c, const struct timechart_shape *s);
/* Before wakes are looked at: they are in order, and none nearer to each other than they may be. */
void timechart_settle_wakes(struct timechart *c);
static inline unsigned int timechart_nr_lanes(const struct timechart *c, bool cpu)
{
	return cpu ? TIMECHART_CPU_LANES : c->io ? TIMECHART_IO_LANES : TIMECHART_TASK_LANES;
}

#endif
