/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view/profile: a whole profile as data: what is true of all of it, and its sections, which follow
 * one after the other. Renderers (render/profile.h) decide how it looks. All strings are borrowed
 * from the maker, who keeps them until they have been shown; those that come from recordings are
 * not escaped.
 */
#ifndef VIEW_PROFILE_H
#define VIEW_PROFILE_H

#include "base/strbuf.h"
#include "view/outline.h"
#include "view/streams.h"

/* What a recording says of itself. */
struct view_fact {
	const char *name;
	const char *text; /* NULL: it is the number */
	u64 number;
	bool time; /* that is ns */
};

/* A filter that leaves a column one value, which therefore is told once: "comm", "bash". */
struct view_only {
	const char *column, *value;
};

/* Taken branches by kind. */
struct view_branch_kind {
	const char *name;
	u64 nr;
};

struct view_profile {
	const char *command; /* that shows it; NULL = report */
	const struct view_fact *facts;
	size_t nr_facts;
	const struct view_only *only;
	size_t nr_only;
	u64 samples; /* read, of all events */
	u64 lost_events, lost_chunks, lost_samples, throttled, bad_samples, unknown_samples;
	const struct view_branch_kind *branch_kinds; /* only behind all sections */
	size_t nr_branch_kinds;
	u64 nr_branches;
	/* of a comparison: those that are compared; nothing else is set then */
	const struct view_profile *const *of;
	size_t nr_of;
};

/* The recordings that a section compares, the base first. */
struct view_files {
	const char *const *names;
	size_t nr, nr_base;
	bool told; /* in the text */
};

/* What is shown as one though it is called differently: names, a line each. */
struct view_match {
	bool object; /* else a symbol */
	const char *names;
};

/* A function that a recording of a comparison has no rows of, since its build inlined it. */
struct view_inlined {
	const char *symbol;
	const char *file; /* the recording */
	const char *into; /* names, a line each */
};

struct view_event {
	const char *name;
	u64 samples, period; /* what was taken; with --percentage relative, what is shown */
	u64 total, total_latency; /* 100 % */
};

/* How the time of all threads splits. */
struct view_wall {
	struct {
		const char *state;
		u64 ns;
	} states[10];
	size_t nr; /* those with time */
	u64 total, running, runnable, blocked, unknown; /* ns */
	u64 threads;
	bool wakeups; /* are known */
	u64 unwoken; /* ns of blocked whose end nobody is known to have made */
	bool guessed; /* running is */
	u64 losses, contradictions, backwards, idle_samples, other_samples;
};

struct view_section {
	const struct view_event *events;
	u32 nr_events;
	bool grouped; /* they were recorded as a group */
	const char *group; /* its name, NULL = it has none */
	bool plural; /* perf's title says "events" of this one */
	bool ref_chains; /* callchains are those of another event */
	const char *time; /* the time that was chosen, NULL = all */
	const struct view_wall *wall; /* the weight is time; else NULL */
	const char *weight_order; /* memory accesses: samples count by weight; the sort keys */
	s32 socket; /* the only one that is shown, -1 = all */
	double graph_min; /* percent: branches below are left out; < 0: no call graphs */
	bool caller_first; /* call graphs begin with the outermost caller */
	bool last; /* no event follows */
	bool blocks; /* rows are blocks of code */
	const struct view_files *files; /* of a comparison, else NULL */
	const struct view_match *matches; /* of a comparison, those of its rows */
	size_t nr_matches;
	const struct view_inlined *inlined; /* of a comparison */
	size_t nr_inlined;
	const struct view_streams *streams; /* of a comparison, instead of rows; else NULL */
	struct view_table table;
	const struct view_outline *outline; /* instead of the table's rows, NULL = none */
};

/* "event 'cycles'", "events 'anon group { cycles, instructions }'". */
void view_add_events(struct strbuf *out, const struct view_section *s);
/* The first, with the samples and periods of all of a group. */
struct view_event view_all_events(const struct view_section *s);

#endif
