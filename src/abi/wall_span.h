/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi/wall_span: the raw data of samples of the event "offcpu-time" in recordings of `perf record
 * --wall`: of which kind the time in their period is.
 */
#ifndef ABI_WALL_SPAN_H
#define ABI_WALL_SPAN_H

#include "base/types.h"

enum wall_span_kind {
	WALL_SPAN_RUNNING = 1,
	WALL_SPAN_NEW,
	WALL_SPAN_PREEMPTED,
	WALL_SPAN_WOKEN,
	WALL_SPAN_SLEEPING,
	WALL_SPAN_UNINTERRUPTIBLE,
	WALL_SPAN_IO,
	WALL_SPAN_STOPPED,
	WALL_SPAN_UNKNOWN,
};

enum wall_span_waker {
	WALL_SPAN_NOBODY,
	WALL_SPAN_NOT_TOLD,
	WALL_SPAN_INTERRUPT,
	WALL_SPAN_THREAD,
};

/* 36 bytes behind the size word of the raw data, so that what follows is aligned. */
struct wall_span {
	u32 kind, waker;
	u32 waker_pid, waker_tid;
	char waker_comm[16]; /* ends with a NUL unless it is full */
	u32 reserved;
};
_Static_assert(sizeof(struct wall_span) == 36, "the layout in files");

#endif
