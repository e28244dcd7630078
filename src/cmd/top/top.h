/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top: what the command line of perf top says, and what is on the screen; shared by the files of
 * this directory.
 */
#ifndef CMD_TOP_TOP_H
#define CMD_TOP_TOP_H

#include "agg/snapshot.h"
#include "cli/config.h"
#include "cli/options.h"
#include "annotate/annotate.h"
#include "cmd/keyboard.h"
#include "render/graph_opts.h"
#include "profile/profile.h"
#include "recording/event_switch.h"
#include "recording/recording.h"
#include "selection/sampling.h"
#include "tui/colours.h"
#include "tui/running.h"

struct top_opts {
	struct sampling sampling; /* first: see selection/sampling.h */
	struct profile_opts profile;
	struct graph_opts graph;
	struct dso_config dso;
	struct event_switch switches;
	const char *record; /* a copy of the stream goes there, NULL = nowhere */
	struct running_choice choice;
	u64 entries; /* rows, 0 = as many as fit */
	struct annotate_opts annotate;
	bool source; /* source lines between, as by default */
	u64 prefix_strip; /* annotate.prefix_strip, as typed */
	u64 group_sort;
	bool dump_symtab;
	const char *sym_annotate; /* --sym-annotate, NULL = not given */
	u64 code_percent; /* lines of code with so many percent are printed, and those before them
			   */
	bool callgraph; /* -g or --call-graph */
	bool children_given;
	bool stitch_lbr;
	bool use_stdio, use_tui, json;
	bool tui; /* on a terminal without being asked */
	struct screen_colours colours;
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

struct top_code; /* code.c */

struct top {
	struct top_opts *o;
	struct session *session;
	struct capture *capture;
	struct source *live;
	struct agg *agg;
	struct profile_opts typed; /* as the command line says */
	char *sort; /* what rows are sorted by since, NULL = as typed */
	struct profile_columns columns;
	const struct capture_target *target;
	struct top_worker *workers;
	size_t nr_workers;
	u64 lost; /* as of the last refresh */
	u64 last, next; /* refreshes, CLOCK_MONOTONIC ns */
	size_t event; /* of several, the one that is shown */
	bool screen; /* standard output is a terminal */
	struct tui_running *tui; /* the full screen, NULL = text */
	struct top_code *code;
	bool menu; /* the keys are shown instead of rows */
	bool over;
	struct keyboard keyboard;
};

/* screen.c: the rows of now. -1: the output is closed. */
int top_show(struct top *t, const struct top_counts *c, u64 ns);
/* " 4000Hz", " (all, 2 CPUs)" */
void top_add_target(struct strbuf *out, const struct top *t);
/* The event that is there for the sake of side-band records has no samples to show. */
bool top_is_shown(const struct perfdata_event *ev);

/* rows.c: what stands in rows, by o->profile, and the accumulation for it. */
int top_settle(struct top *t, struct err *e);

/* terminal.c: the full screen, if that is wanted and possible; else it stays closed. */
void top_terminal_open(struct top *t);
void top_terminal_begin(struct top *t);
void top_terminal_refresh(struct top *t, const struct top_counts *c);
/* Keys, until `until` (CLOCK_MONOTONIC ns) or there is something to read. False: to be quit. */
bool top_terminal_wait(struct top *t, u64 until);
/* What was watched has ended: what is shown stays until somebody quits. */
void top_terminal_stay(struct top *t);
void top_terminal_close(struct top *t);

/* code.c */
struct top_code *top_code_new(struct top *t);
void top_code_free(struct top_code *c); /* NULL is allowed */
void top_code_samples(struct top_code *c, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, size_t nr);
void top_code_age(struct top_code *c, u32 num, u32 den);
void top_code_renew(struct top_code *c);
/* For code views; what was counted by now. */
const struct code_source *top_code_source(struct top_code *c);
/* The code of this function is shown from when it has been sampled; NULL: none is. */
void top_code_choose(struct top_code *c, const char *symbol);
/* NULL: none is. */
const char *top_code_chosen(const struct top_code *c);
/* The chosen one was found by now: what was chosen is forgotten. NULL: it was not. */
const struct address_function *top_code_found(struct top_code *c);
/* The chosen one as text; false: none is chosen. */
bool top_code_text(struct top_code *c, const struct perfdata_event *ev, struct strbuf *out);
/* A function that has been sampled; false: none of that name was. */
bool top_code_find(struct top_code *c, const char *symbol, struct address_function *out);

/* keys.c */
/* What was typed since the last time; false: to be quit. */
bool top_take_keys(struct top *t);

#endif
