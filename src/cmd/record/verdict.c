/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on stacks that were followed by frame pointers: what the recorder does not see by itself.
 * A part of the recording is read, and only of one that took a while, so that nobody waits for it.
 */
#include <stdio.h>

#include "base/limits.h"
#include "cmd/record/record.h"
#include "session/diagnosis.h"

enum {
	SAMPLES_MIN = 500,   /* fewer are over before the verdict would be */
	LOOKED_AT = 2000,
	BYTES_MAX = 64 << 20, /* a larger recording's first piece is too much to read here */
	BROKEN_PERCENT = 10,
};

static bool by_frame_pointers(const struct event_list *events)
{
	bool chains = false;

	VEC_FOR(&events->events, p) {
		const struct perf_event_attr *attr = &(*p)->attr;

		/* those at which tasks sleep are few, and often in libc */
		if ((*p)->off_cpu)
			continue;
		/* copies of stacks have lines of their own */
		if (attr->sample_stack_user || attr->exclude_callchain_user)
			return false;
		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			return false;
		chains |= attr->sample_type & PERF_SAMPLE_CALLCHAIN && !attr->exclude_user;
	}
	return chains;
}

void record_print_verdict(const struct capture_result *r, const struct record_output *out,
			  const struct event_list *events)
{
	struct session_opts opts = { .input = { .path = out->path, .force = true },
				     .max_stack = LIMIT_CHAIN, .workers = 1 };
	struct session *s = NULL;
	struct diagnosis d;

	if (r->stats.samples < SAMPLES_MIN || r->bytes > BYTES_MAX || out->stamped || !by_frame_pointers(events))
		return;
	if (session_open(&s, &opts, NULL) < 0)
		return;
	if (session_diagnose(s, LOOKED_AT, &d, NULL) == 0 && d.stacks &&
	    d.broken * 100 > d.stacks * BROKEN_PERCENT)
		fprintf(stderr,
			"warning: %llu %% of stacks are broken, in code without frame pointers: "
			"--call-graph auto mends that, perf doctor tells more\n",
			(unsigned long long)(d.broken * 100 / d.stacks));
	diagnosis_release(&d);
	session_close(s);
}
