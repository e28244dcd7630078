/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sampling: what is sampled, as the options of a command say: events, filters, targets, rates,
 * stacks. For commands that sample (record, top).
 *
 * A command's struct of options begins with a struct sampling, so that these functions take either;
 * its option table has a row for each of them, its settings the rows of sampling_config. Then:
 *
 *	sampling_choose_target()   which of -a -C -p -t -u and a command wins
 *	sampling_set_rate()        -F and -c, with what the kernel allows
 *	sampling_add_default()     the event that is sampled where no -e was given
 *	sampling_resolve_target()  CPUs and tasks, the command waits to begin
 *	sampling_choose_stacks()   what --call-graph auto is for them
 *
 * What is wrong is told on standard error where the text says so. One thread.
 */
#ifndef SELECTION_SAMPLING_H
#define SELECTION_SAMPLING_H

#include "capture/capture.h"
#include "cli/options.h"
#include "selection/event_args.h"

enum { SAMPLING_FAILED = 255 };

struct sampling {
	struct event_list events;
	struct event_env env;
	struct capture_config cfg;
	struct event_args event_args;
	const char *pids, *tids, *cpus, *uid;
	bool system_wide, per_thread;
	bool group, strict_freq, freq_max;
	bool quiet;
	int verbose;
	bool user_freq, user_count;
	enum event_guests guests;
	u64 freq, count;
	const char *usual_callgraph; /* what -g means; NULL = fp */
	char usual_dwarf[64]; /* what "dwarf" without a size means; "" = the default size */
	VEC(char *)
	code_notes; /* of a runtime (INFO_STACKS_JIT), and what --call-graph auto found */
	bool judged; /* --call-graph auto looked at the code */
};

/* opt_parse_fn; target begins with a struct sampling. */
#define SAMPLING_PARSE(name)                                                                       \
	int sampling_parse_##name(const struct opt *o, void *target, const char *arg, bool unset,  \
				  struct err *e)
SAMPLING_PARSE(event);
SAMPLING_PARSE(pfm);
SAMPLING_PARSE(filter);
SAMPLING_PARSE(exclude_perf);
SAMPLING_PARSE(guests); /* only, too, no */
SAMPLING_PARSE(cgroup);
SAMPLING_PARSE(g); /* -g, with a mode behind it or without */
SAMPLING_PARSE(callgraph);
SAMPLING_PARSE(branch); /* -b, -j */
SAMPLING_PARSE(freq);
SAMPLING_PARSE(count);
SAMPLING_PARSE(pages);

/* What the configuration says that -g, or "dwarf", means. */
int sampling_set_callgraph(const char *value, void *target, struct err *e); /* usual_callgraph */
int sampling_set_dump_size(const char *value, void *target, struct err *e); /* the whole */

/* Which of several targets wins, as in perf; the others are dropped with a warning. */
void sampling_choose_target(struct sampling *s, bool has_command, struct capture_target *t);
/* CPUs and tasks. command: its words, NULL = none; it is forked into *w and waits. */
int sampling_resolve_target(struct sampling *s, struct capture_target *t, struct workload *w,
			    const char *const *command, bool to_pipe, struct err *e);
/* Prints the error of sampling_resolve_target() in perf's words. */
void sampling_print_target_error(const struct sampling *s, const struct err *e);
/* 0, or an exit status after telling why. */
int sampling_set_rate(struct sampling *s);
/* CPU cycles, as precisely as possible, if there is no event yet. */
int sampling_add_default(struct sampling *s);
/* Whether --call-graph or an event's term says auto. */
bool sampling_wants_choice(const struct sampling *s);
/* Replaces --call-graph auto by another mode. program: the command's, NULL = none. */
void sampling_choose_stacks(struct sampling *s, const struct capture_target *t,
			    const char *program);
/* For capture_opts: ends with NULL; NULL = none. Called once, after sampling_choose_stacks(). */
const char *const *sampling_code_notes(struct sampling *s);
void sampling_release(struct sampling *s);
/* After capture_prepare() failed: prints why, or else the error, in perf's words. */
void sampling_print_prepare_error(const struct sampling *s, const struct capture *c,
				  const struct strbuf *why, const struct err *e);

#endif
