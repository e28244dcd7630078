/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched: options of perf sched and its subcommands, and what these have in common. The state
 * machines are in analyze/sched_*; here is what is printed.
 */
#ifndef CMD_SCHED_SCHED_H
#define CMD_SCHED_SCHED_H

#include "analyze/sched_latency.h"
#include "cli/command.h"
#include "cli/number_list.h"
#include "recording/recording.h"
#include "render/rows.h"

enum { SCHED_FAILED = 255 };

struct sched_opts {
	struct recording rec;
	bool dump;
	/* latency */
	bool by_task; /* -p */
	int cpu; /* -C */
	bool histogram; /* -H */
	bool heat_map, queue;
	const char *hist_mode; /* "linear", or NULL and "log" */
	const char *sort;
	/* timehist */
	bool summary, with_summary, wakeups, migrations, next, idle, visual, state;
	bool pre_migrations, show_prio;
	bool call_graph;
	int max_stack;
	const char *cpus, *time, *prios;
	/* map */
	bool compact, fuzzy_name;
	const char *color_cpus, *color_pids, *task_name;
	/* top; cpus and sort, too */
	int delay, laps, entries, pages; /* s; laps, entries, pages: 0 = as it goes */
	bool by_name;
	/* latency, timehist, map, stats: for other programs to read; top has --json, too */
	bool json;
	const char *separator;
	bool folded; /* wakers: lines for flamegraph.pl */
	/* replay */
	int repeat; /* 0 or less: without end */
	/* stats; cpus, too */
	const char *output; /* timeline: the word behind it */
	const char *const *line; /* of the command, NULL at the end */
};

/* input.c: the recording. Opens o->rec; cpus: of samples, NULL = all. Closed when the subcommand
 * has returned. */
int sched_open(struct sched_opts *o, const char *cpus, struct err *e);
/* So many switches were left out, of CPUs that there cannot be. */
void sched_tell_odd(u64 nr);
/* The error, on stderr; what the command returns. */
int sched_fail(struct err *e);

/* rows.c: --json and -x. Whether one of them is given; then sched_rows_init() makes w write into
 * out, or tells how they were used wrongly and returns EXIT_USAGE. */
bool sched_rows_wanted(const struct sched_opts *o);
int sched_rows_init(struct row_writer *w, struct strbuf *out, const struct sched_opts *o,
		    const char *schema, const struct opt *table, const char *const *usage);
/* Name and numbers of a task, the names of these values behind a prefix. */
void sched_row_task(struct row_writer *w, const char *prefix, const struct tasks *tasks, u32 task);
/* How many events and chunks of them were lost: values of the last row. */
void sched_row_losses(struct row_writer *w, const struct session *s);

/* latency.c: rows of latency and top. */
typedef int (*latency_compare)(const struct tasks *tasks, const struct sched_latency_row *a,
			       const struct sched_latency_row *b);
struct latency_order {
	const struct tasks *tasks;
	bool names; /* of what is alike, by name before number */
	size_t nr;
	latency_compare by[16];
};
/* "avg,max": what is named twice counts once. live: keys of laps, too. */
int sched_parse_sort(const char *text, bool live, struct latency_order *o, struct err *e);
void sched_sort_latencies(struct sched_latency_row *rows, size_t nr, struct latency_order *order);
/* Whose row it is: "name:tid", of several "name:(number)". */
void sched_add_task(struct strbuf *out, const struct tasks *tasks,
		    const struct sched_latency_row *r);

/* over_time.c: what delays of the i-th length are, as text and where they begin; maps and rows. */
typedef void sched_label_fn(struct strbuf *out, bool linear, u32 i);
typedef u64 sched_start_fn(bool linear, u32 i);
void sched_add_heat_map(struct strbuf *out, const struct time_grid *g, sched_label_fn *label,
			bool linear);
void sched_add_queue(struct strbuf *out, const struct time_grid *g,
		     const struct sched_queue_sums *sums);
void sched_put_heat_map(struct row_writer *w, const struct time_grid *g, sched_start_fn *start,
			bool linear);
void sched_put_queue(struct row_writer *w, const struct time_grid *g,
		     const struct sched_queue_sums *sums);

/* options.c */
extern const char *const sched_latency_usage[];
extern const char *const sched_timehist_usage[];
extern const char *const sched_map_usage[];
extern const char *const sched_replay_usage[];
extern const char *const sched_stats_usage[];
extern const char *const sched_timeline_usage[];
extern const char *const sched_top_usage[];
extern const char *const sched_wakers_usage[];
extern const struct opt sched_latency_table[], sched_timehist_table[], sched_map_table[],
	sched_replay_table[], sched_stats_table[], sched_timeline_table[], sched_top_table[],
	sched_wakers_table[];

/* The subcommands; words: those behind the name of the subcommand, options taken out. */
int sched_latency_main(struct sched_opts *o);
int sched_timehist_main(struct sched_opts *o);
int sched_map_main(struct sched_opts *o);
int sched_replay_main(struct sched_opts *o);
int sched_wakers_main(struct sched_opts *o);
int sched_timeline_main(struct sched_opts *o);
/* line: the whole command's. */
int sched_top_main(const struct config *config, struct sched_opts *o, const char *const *line);
/* argv[0] is the subcommand. */
int sched_record_main(const struct config *config, int argc, const char **argv);
/* what: record, report, diff, else as it goes; argv: the words behind it that are no options, NULL
 * behind the last. */
int sched_stats_main(const struct sched_opts *o, const char *what, int argc, const char **argv);

#endif
