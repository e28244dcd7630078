/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: what the files of `perf report` share: the options as typed, the other listings.
 */
#ifndef CMD_REPORT_REPORT_H
#define CMD_REPORT_REPORT_H

#include "analyze/wall.h"
#include "cli/config.h"
#include "cli/colour.h"
#include "cli/options.h"
#include "recording/event_switch.h"
#include "recording/recording.h"
#include "profile/profile.h"
#include "render/graph_opts.h"
#include "tui/colours.h"

/* What stands side by side: nothing, the groups of the file, all events where it has no groups. */
enum group_mode { GROUP_NONE, GROUP_RECORDED, GROUP_ALL };

struct report_screen;

struct report_opts {
	struct recording rec; /* first: parsers of several fields take it as the whole */
	struct profile_opts profile;
	struct graph_opts graph;
	const char *separator;
	bool filter_word; /* the symbol filter was a lone word, which could have named a file */
	const char *prefix, *prefix_strip; /* of source files, which a text report shows none of */
	struct event_switch switches;
	int nr_saved; /* --samples: nothing of a text report browses them */
	bool children_given;
	bool header, header_only, header_full;
	bool stats, tasks, mmaps, dump;
	enum group_mode group;
	bool mem_mode;
	bool itrace, total_cycles, branch_history;
	int branch_stack; /* 1, 0, or -1: if the file has any */
	bool json;
	bool folded; /* lines for flamegraph.pl */
	bool wall; /* samples are spans of threads' time */
	struct view_wall wall_view;
	bool tui; /* tui.report: on a terminal, a screen */
	struct screen_colours colours;
	bool quiet, use_stdio, use_tui, use_gtk, threads, inverted;
	bool demangle;
	enum colour_mode colour;
	bool coloured; /* what becomes of it */
	const char *bad_option; /* whose value was refused after parsing: wrong usage */
	u64 max_stack, group_sort;
	int socket;
	struct report_screen *screen; /* where it is shown, see screen.h; NULL = text */
};

extern const struct opt report_table[];
extern const char *const report_usage[];
extern const struct config_row report_config[];

/* ---- tasks.c ---- */

int report_stats(struct session *s, bool skip_empty, struct err *e);
int report_tasks(struct session *s, bool mmaps, struct err *e);

/* ---- wall.c ---- */

/* Options that cannot be together: an exit status, or 0. */
int report_wall_check(const struct report_opts *o);
/* What --wall means for other options; before the recording is opened. */
void report_wall_prepare(struct report_opts *o);
/* After wall_finish(): for the head. */
void report_wall_summarise(struct report_opts *o, const struct wall *x);

/* ---- threads.c ---- */

struct thread_counts;
struct thread_counts *thread_counts_new(struct session *s);
void thread_counts_free(struct thread_counts *t);
/* Serial; other records than READ are ignored. */
void thread_counts_add(struct thread_counts *t, const struct session_record *r);
void thread_counts_add_text(const struct thread_counts *t, struct session *s, struct strbuf *out);

#endif
