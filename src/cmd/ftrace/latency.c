/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace latency: how long calls of a function, or from one event to another, take. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/call_latency.h"
#include "cli/print_err.h"
#include "cmd/ftrace/ftrace.h"
#include "ftrace/calls.h"
#include "render/latency.h"
#include "sys/tracefs.h"

struct latency {
	struct ftrace_opts *o;
	char *names; /* that events point into */
	const char *events[2];
	u64 *counts;
	struct view_durations all;
	struct ftrace_calls calls;
	struct ftrace_pairs pairs;
	struct call_latency *bpf;
};

/* ------------------------------------------------------------------ options */

static int refuse(const char *option, const char *text)
{
	opts_usage_error(ftrace_latency_table, ftrace_usage, option, "%s\n\n", text);
	return FTRACE_INVALID;
}

/* How many buckets there are. */
static int lay_out_buckets(struct ftrace_opts *o)
{
	struct ftrace_buckets *b = &o->buckets;

	b->nr = FTRACE_BUCKETS;
	if (!b->range && o->bounds_given[0])
		return refuse("min-latency", "--min-latency works only with --bucket-range");
	if (!b->range && o->bounds_given[1])
		return refuse("max-latency", "--max-latency works only with --bucket-range");
	if (!o->bounds_given[1])
		return 0;
	if (o->most < b->least || o->most - b->least < b->range)
		return refuse("max-latency",
			      "--max-latency must be larger than min-latency + bucket-range");
	if ((o->most - b->least) / b->range >= FTRACE_MAX_BUCKETS - 2)
		return refuse("bucket-range", "--max-latency is too many buckets away");
	b->nr = (o->most - b->least) / b->range + (b->least ? 2 : 1);
	return 0;
}

static int split_events(struct latency *l)
{
	char *comma;

	if (!l->o->events)
		return 0;
	l->names = xstrdup(l->o->events);
	comma = strchr(l->names, ',');
	if (!comma || strchr(comma + 1, ',') || comma == l->names || !comma[1])
		return refuse("events", "Please specify two events: SYSTEM:NAME,SYSTEM:NAME");
	*comma = '\0';
	l->events[0] = l->names;
	l->events[1] = comma + 1;
	return 0;
}

static int check(struct latency *l)
{
	const struct ftrace_opts *o = l->o;
	int r;

	if (!o->settings.functions.nr && !o->events)
		return refuse("trace-funcs", "Should provide a function or events to measure");
	if (o->settings.functions.nr && o->events)
		return refuse("events", "Please specify either of function or events");
	if (o->use_bpf && o->settings.functions.nr > 1)
		return refuse("use-bpf", "-b measures one function");
	r = split_events(l);
	return r ? r : lay_out_buckets(l->o);
}

/* ------------------------------------------------------------------ from buffers */

static void add(void *ctx, u64 ns)
{
	struct latency *l = ctx;

	durations_add(&l->all, ns);
	l->counts[ftrace_bucket(&l->o->buckets, ns)]++;
}

static bool take_call(void *ctx, size_t cpu UNUSED, const struct ftrace_record *r)
{
	struct latency *l = ctx;
	u64 function, ns;

	if (ftrace_calls_take(&l->calls, r, &function, &ns))
		add(l, ns);
	return true;
}

static bool take_event(void *ctx, size_t cpu, const struct ftrace_record *r)
{
	ftrace_pairs_take(&((struct latency *)ctx)->pairs, cpu, r);
	return true;
}

static bool tell_pairs(void *ctx, u64 until)
{
	struct latency *l = ctx;

	ftrace_pairs_tell(&l->pairs, until, add, l);
	return true;
}

static int open_formats(struct ftrace_job *job, const struct ftrace_instance *t, struct err *e)
{
	struct latency *l = job->ctx;

	if (l->events[0])
		return ftrace_pairs_open(&l->pairs, t->root, l->events, e);
	return ftrace_calls_open(&l->calls, t->root, e);
}

/* ------------------------------------------------------------------ in the kernel */

static int count_in_kernel(struct ftrace_job *job, const struct capture_target *target, bool on,
			   struct err *e)
{
	struct latency *l = job->ctx;
	const struct ftrace_opts *o = l->o;

	if (on && !l->bpf) {
		const struct call_latency_opts co = {
			.function = o->events ? NULL : o->settings.functions.v[0],
			.events = { l->events[0], l->events[1] },
			.tids = target->cpu_wide ? NULL : target->tasks.v,
			.nr_tids = target->tasks.nr,
			.children = o->settings.inherit,
			.cpus = target->cpus,
			.nr_cpus = target->nr_cpus,
			.in_ns = o->buckets.in_ns,
			.range = o->buckets.range,
			.least = o->buckets.least,
			.nr = o->buckets.nr,
		};

		l->bpf = call_latency_new(&co, e);
		if (!l->bpf)
			return -1;
	}
	if (l->bpf)
		call_latency_enable(l->bpf, on);
	return 0;
}

static int read_counts(struct latency *l, struct ftrace_job *job, struct err *e)
{
	struct call_latency_sums sums;

	if (!l->bpf)
		return 0;
	if (call_latency_read(l->bpf, l->counts, &sums, e))
		return -1;
	job->lost = call_latency_lost(l->bpf);
	l->all = (struct view_durations){
		.count = sums.count, .total = sums.total, .least = sums.least, .most = sums.most
	};
	return 0;
}

/* ------------------------------------------------------------------ both */

static void print(const struct latency *l)
{
	const struct ftrace_opts *o = l->o;
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	const struct view_histogram h = {
		.in_ns = o->buckets.in_ns,
		.powers = !o->buckets.range,
		.first = o->buckets.least,
		.range = o->buckets.range,
		.counts = l->counts,
		.nr = o->buckets.nr,
		.hide_empty = o->hide_empty,
		.all = l->all,
	};

	if (!l->all.count) {
		fprintf(stderr, "No data found\n");
		return;
	}
	render_histogram(&h, &out);
	fwrite(out.buf, 1, out.len, stdout);
}

static int measure(struct latency *l, const char *const *command)
{
	struct ftrace_opts *o = l->o;
	struct ftrace_job job = { .o = o,
				  .tracer = "function_graph",
				  .begin = open_formats,
				  .sink = { .record = take_call, .ctx = l },
				  .ctx = l };
	struct err e = ERR_INIT;
	int r;

	if (o->use_bpf) {
		job.count = count_in_kernel;
	} else if (l->events[0]) {
		job.tracer = NULL;
		job.sink.record = take_event;
		job.round = tell_pairs;
		memcpy(o->settings.events, l->events, sizeof(l->events));
		o->settings.clock = "mono";
	}
	r = ftrace_run(&job, command);
	if (r)
		return r;
	if (l->events[0] && !o->use_bpf)
		tell_pairs(l, UINT64_MAX);
	if (read_counts(l, &job, &e)) {
		err_print(&e);
		return FTRACE_FAILED;
	}
	print(l);
	return 0;
}

int ftrace_latency(struct ftrace_opts *o, const char *const *command)
{
	struct latency l = { .o = o };
	int r = check(&l);

	if (!r) {
		l.counts = xcalloc(o->buckets.nr, sizeof(*l.counts));
		r = measure(&l, command);
	}
	ftrace_calls_close(&l.calls);
	ftrace_pairs_close(&l.pairs);
	call_latency_free(l.bpf);
	free(l.counts);
	free(l.names);
	return r;
}
