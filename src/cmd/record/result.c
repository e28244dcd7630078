/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said after a recording: perf's two lines, then what went wrong and what would help.
 */
#include <stdio.h>

#include "cli/print_err.h"
#include "cmd/record/record.h"
#include "perfdata/attr_text.h"

static void print_lost(const struct capture_result *r)
{
	enum { MAX_RING = 1 << 30 };
	u64 size = drain_ring_size_wanted(&r->stats, r->ring_size, MAX_RING);
	u64 kb = size / 1024, all = r->stats.samples + r->lost;

	/* the kernel counted losses that no record told of */
	if (size == r->ring_size)
		kb *= 2;
	fprintf(stderr,
		"warning: %llu of %llu events were lost: the buffers of %zu kB per CPU were full\n"
		"hint: -m %llu%c would have held them; a lower -F or a higher -c makes less\n",
		(unsigned long long)r->lost, (unsigned long long)all, r->ring_size / 1024,
		(unsigned long long)(kb % 1024 ? kb : kb / 1024), kb % 1024 ? 'K' : 'M');
}

static bool any_kernel(const struct event_list *events)
{
	VEC_FOR(&events->events, ev) {
		if (!(*ev)->attr.exclude_kernel && !(*ev)->is_dummy_sideband)
			return true;
	}
	return false;
}

/* Of those that the recording began with; frame pointers: of those that took over. */
static u32 copy_size(const struct event_list *events, const struct capture_result *r)
{
	u32 size = 0;

	VEC_FOR(&events->events, ev) {
		if (!(*ev)->keeps_copies && event_copies_stacks(*ev))
			size = MAX(size, (*ev)->attr.sample_stack_user);
	}
	return size ? size : r->choice.took_over;
}

/* way: what --call-graph was asked for */
static void print_cut(const struct capture_result *r, u32 size, const char *way)
{
	const struct unwind_stats *s = &r->stats.stacks;
	u32 later = r->choice.took_over;

	fprintf(stderr, "warning: %llu of %llu stacks were cut at %u bytes",
		(unsigned long long)s->cut, (unsigned long long)s->stacks, size);
	if (later > size && r->choice.had_no_room)
		fprintf(stderr,
			", some at %u, for which the buffers had no room: -m 64M --call-graph %s,%d has it\n",
			later, way, EVENT_STACK_COPY_MAX);
	else if (later > size && r->choice.went_back)
		fprintf(stderr, ", some at %u, which was hardly better\n", later);
	else if (later > size)
		fprintf(stderr, ", or later at %u: --call-graph %s,%d copies more from the start\n",
			later, way, EVENT_STACK_COPY_MAX);
	else if (size < EVENT_STACK_COPY_MAX)
		fprintf(stderr, ": --call-graph %s,%d copies more\n", way, EVENT_STACK_COPY_MAX);
	else
		fprintf(stderr, ", the most that can be copied\n");
}

/* Some always end early: a program at its first instructions, hand-written code. */
static void print_stacks(const struct record_opts *opts, const struct capture_result *r,
			 const struct event_list *events)
{
	enum { CUT_SHARE = 100, INCOMPLETE_SHARE = 10 };
	const struct unwind_stats *s = &r->stats.stacks;

	if (s->cut * CUT_SHARE > s->stacks)
		print_cut(r, copy_size(events, r), opts->sampling.judged ? "auto" : "dwarf");
	if (s->full * CUT_SHARE > s->stacks)
		fprintf(stderr,
			"warning: %llu of %llu stacks have more than %u frames, or than the event's max-stack: "
			"the outermost are left out\n",
			(unsigned long long)s->full, (unsigned long long)s->stacks,
			UNWINDER_MAX_FRAMES);
	if (s->guessed * INCOMPLETE_SHARE > s->stacks)
		fprintf(stderr,
			"warning: %llu of %llu stacks go through code without unwind tables: callers behind it are "
			"guesses, which only 'perf report --guessed-callers' and 'perf script' show\n",
			(unsigned long long)s->guessed, (unsigned long long)s->stacks);
	if (s->absent * INCOMPLETE_SHARE > s->stacks)
		fprintf(stderr,
			"warning: %llu of %llu stacks were copied in part: the rest is not in memory (large "
			"frames that are hardly used, or swapped out)\n",
			(unsigned long long)s->absent, (unsigned long long)s->stacks);
	if ((s->incomplete - s->absent) * INCOMPLETE_SHARE > s->stacks)
		fprintf(stderr,
			"warning: %llu of %llu stacks end early: code without unwind tables or "
			"frame pointers, or its file could not be read\n",
			(unsigned long long)(s->incomplete - s->absent),
			(unsigned long long)s->stacks);
	if (s->broken)
		fprintf(stderr, "warning: %llu damaged samples were left out\n",
			(unsigned long long)s->broken);
}

static void print_sleeps(const struct off_cpu_losses *l)
{
	const struct {
		u64 nr;
		const char *what;
	} rows[] = {
		{ l->tasks, "tasks went off the CPU unseen: too many at once" },
		{ l->blocks,
		  "times off the CPU were lost: too many at once (--off-cpu-thresh: fewer by themselves)" },
		{ l->stacks, "times off the CPU have no stack: too many different ones" },
		{ l->missed, "switches of tasks were not seen: times off the CPU are missing" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].nr)
			fprintf(stderr, "warning: %llu %s\n", (unsigned long long)rows[i].nr,
				rows[i].what);
	}
}

static void print_aux(const struct capture_result *r)
{
	const struct drain_stats *s = &r->stats;

	if (s->aux_full)
		fprintf(stderr,
			"warning: the AUX areas of %zu kB were full %llu times: parts of the trace are missing\n"
			"hint: -m ,%zuK makes them larger; -S keeps the latest only\n",
			r->aux_size / 1024, (unsigned long long)s->aux_full, r->aux_size / 512);
	if (s->aux_gaps)
		fprintf(stderr, "warning: %llu pieces of the trace have gaps\n",
			(unsigned long long)s->aux_gaps);
	if (s->aux_collisions)
		fprintf(stderr,
			"warning: samples were dropped in %llu pieces of the trace: they met others\n"
			"hint: a higher -c makes less\n",
			(unsigned long long)s->aux_collisions);
}

static void print_warnings(const struct record_opts *opts, const struct capture_result *r,
			   const struct event_list *events)
{
	if (r->lost)
		print_lost(r);
	if (r->stats.throttles)
		fprintf(stderr,
			"warning: the kernel throttled sampling %llu time%s\n"
			"hint: a lower -F avoids it\n",
			(unsigned long long)r->stats.throttles, r->stats.throttles == 1 ? "" : "s");
	if (r->filtered)
		fprintf(stderr, "%llu samples did not match their filter and were left out\n",
			(unsigned long long)r->filtered);
	print_stacks(opts, r, events);
	print_aux(r);
	print_sleeps(&r->off_cpu_lost);
	if (r->stats.bad)
		fprintf(stderr, "warning: %llu damaged buffers were skipped\n",
			(unsigned long long)r->stats.bad);
	if (r->kernel_hidden && any_kernel(events))
		fprintf(stderr, "warning: kernel addresses are hidden, kernel functions will have "
				"no names\n"
				"hint: see kernel.kptr_restrict and kernel.perf_event_paranoid\n");
}

/* What was read when writing failed is not what was written. */
static void print_captured(const struct capture_result *r, const struct record_output *out,
			   bool whole)
{
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s%s",
		(double)r->bytes / 1024.0 / 1024.0, out->path, out->stamped ? ".<timestamp>" : "");
	if (r->ratio.compressed)
		fprintf(stderr, ", compressed (original %.3f MB, ratio is %.3f)",
			(double)r->ratio.original / 1024.0 / 1024.0,
			(double)r->ratio.original / (double)r->ratio.compressed);
	if (r->stats.samples && whole)
		fprintf(stderr, " (%llu samples)", (unsigned long long)r->stats.samples);
	fprintf(stderr, " ]\n");
}

void record_list_events(const struct event_list *events, enum capture_list what)
{
	struct strbuf out = STRBUF_INIT;

	VEC_FOR(&events->events, p) {
		const struct event *ev = *p;

		if (what == CAPTURE_LIST_GROUPS && ev->leader != ev)
			continue;
		if (what == CAPTURE_LIST_GROUPS && ev->nr_members > 1)
			strbuf_addf(&out, "%s{", ev->group_name ? ev->group_name : "");
		strbuf_add_escaped(&out, ev->name);
		if (what == CAPTURE_LIST_GROUPS && ev->nr_members > 1) {
			for (u32 i = 1; i < ev->nr_members; i++) {
				strbuf_addch(&out, ',');
				strbuf_add_escaped(&out, events->events.v[ev->index + i]->name);
			}
			strbuf_addch(&out, '}');
		} else if (what == CAPTURE_LIST_ALL) {
			strbuf_adds(&out, ": ");
			attr_text_line(&out, &ev->attr, ": ");
		} else if (what == CAPTURE_LIST_FREQ) {
			strbuf_addf(&out, ": sample_%s=%llu", ev->attr.freq ? "freq" : "period",
				    (unsigned long long)ev->attr.sample_period);
		}
		strbuf_addch(&out, '\n');
	}
	fputs(out.buf ? out.buf : "", stderr);
	strbuf_release(&out);
}

/* The last file gets its name between perf's two closing lines. */
void record_print_result(const struct record_opts *opts, const struct capture_result *r,
			 struct record_output *out, const struct event_list *events, bool whole)
{
	struct err e = ERR_INIT;

	if (opts->sampling.quiet) {
		if (out->stamped && record_output_stamp(out, &e) < 0)
			err_print(&e);
		return;
	}
	if (r->max_size_reached)
		fprintf(stderr,
			"[ perf record: perf size limit reached (%llu KB), stopping session ]\n",
			(unsigned long long)(r->bytes >> 10));
	fprintf(stderr, "[ perf record: Woken up %llu times to write data ]\n",
		(unsigned long long)r->wakeups);
	if (out->stamped && record_output_stamp(out, &e) < 0)
		err_print(&e);
	print_captured(r, out, whole);
	print_warnings(opts, r, events);
	if (!r->choice.changed)
		record_print_verdict(opts, r, out, events);
}
