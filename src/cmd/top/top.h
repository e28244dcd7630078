/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top: what the command line of perf top says, and what is on the screen; shared by the files of
 * this directory.
 */
#ifndef CMD_TOP_TOP_H
#define CMD_TOP_TOP_H

#include <termios.h>

#include "agg/snapshot.h"
#include "cli/config.h"
#include "cli/options.h"
#include "render/graph_opts.h"
#include "profile/profile.h"
#include "recording/event_switch.h"
#include "selection/sampling.h"

struct top_opts {
	struct sampling sampling; /* first: see selection/sampling.h */
	struct profile_opts profile;
	struct graph_opts graph;
	struct dso_config dso;
	struct event_switch switches;
	const char *record; /* a copy of the stream goes there, NULL = nowhere */
	u64 delay; /* seconds between refreshes */
	u64 entries; /* rows, 0 = as many as fit */
	bool hide_kernel, hide_user;
	bool zero; /* each refresh begins anew */
	bool callgraph; /* -g or --call-graph */
	bool children_given;
	bool stitch_lbr;
	bool use_stdio, use_tui, json;
	u64 max_stack;
	u64 synth_threads;
	int realtime; /* priority, 0 = ordinary */
};

extern const struct opt top_table[];
extern const char *const top_usage[];
extern const struct config_row top_config[];

/* What came in since the last refresh. */
struct top_counts {
	u64 samples, kernel, exact, lost;
};

/* Samples as a worker has seen them; each on a line of the CPU's cache of its own. */
struct top_worker {
	struct top_counts counts;
	u8 pad[64 - sizeof(struct top_counts)];
};

struct keyboard {
	bool terminal; /* standard input is one, and keys are read from it */
	struct termios before;
};

struct top {
	struct top_opts *o;
	struct session *session;
	struct agg *agg;
	struct profile_columns columns;
	const struct capture_target *target;
	struct top_worker *workers;
	size_t nr_workers;
	u64 lost; /* as of the last refresh */
	u64 last, next; /* refreshes, CLOCK_MONOTONIC ns */
	size_t event; /* of several, the one that is shown */
	bool screen; /* standard output is a terminal */
	bool menu; /* the keys are shown instead of rows */
	bool over;
	struct keyboard keyboard;
};

/* screen.c: the rows of now. -1: the output is closed. */
int top_show(struct top *t, const struct top_counts *c, u64 ns);

/* keys.c */
void keyboard_open(struct keyboard *k);
void keyboard_close(struct keyboard *k);
/* What was typed since the last time; false: to be quit. */
bool top_take_keys(struct top *t);

#endif
