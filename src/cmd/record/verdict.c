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
		if ((attr->sample_stack_user && !(*p)->copies_top) || attr->exclude_callchain_user)
			return false;
		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
			return false;
		chains |= attr->sample_type & PERF_SAMPLE_CALLCHAIN && !attr->exclude_user;
	}
	return chains;
}

/* The object that most of them end behind, NULL = none in particular. */
static const char *worst_object(struct session *s, const struct diagnosis *d)
{
	const struct diagnosis_object *worst = NULL;

	VEC_FOR(&d->objects, o)
		if (o->breaks && (!worst || o->breaks > worst->breaks))
			worst = o;
	return worst ? dso_long_name(dso_table_get(session_dsos(s), worst->dso)) : NULL;
}

static void print_broken(struct session *s, const struct diagnosis *d, bool judged)
{
	_cleanup_(strbuf_releasep) struct strbuf where = STRBUF_INIT;
	const char *object = judged ? worst_object(s, d) : NULL;

	if (object) {
		strbuf_adds(&where, " that was taken to keep them, most in '");
		strbuf_add_escaped(&where, object);
		strbuf_adds(&where, "'");
	}
	/* what judged the code would judge it so again */
	fprintf(stderr,
		"warning: %llu %% of stacks are broken, in code without frame pointers%s: "
		"--call-graph %s mends that, perf doctor tells more\n",
		(unsigned long long)(d->broken * 100 / d->stacks), where.buf, judged ? "dwarf" : "auto");
}

void record_print_verdict(const struct capture_result *r, const struct record_output *out,
			  const struct event_list *events, bool judged)
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
		print_broken(s, &d, judged);
	diagnosis_release(&d);
	session_close(s);
}
