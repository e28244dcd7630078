/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock: options of perf lock, and what its files have in common. The state machine is
 * analyze/lock_waits. */
#ifndef CMD_LOCK_LOCK_H
#define CMD_LOCK_LOCK_H

#include <stdio.h>

#include "analyze/lock_waits.h"
#include "cli/command.h"
#include "cli/number_list.h"
#include "cli/words.h"
#include "recording/recording.h"
#include "render/rows.h"

/* Tables go where perf prints them, and scripts look for them: to standard error. */
#define LOCK_OUTPUT stderr

enum { LOCK_FAILED = 255, LOCK_COLUMNS = 8 };

/* A number of a row. */
struct lock_column {
	const char *key, *title;
	int width;
	bool is_time; /* ns */
	u64 (*value)(const struct lock_row *r);
};

struct lock_opts {
	struct recording rec;
	bool dump;
	/* report, contention */
	bool by_task;
	const char *fields, *key; /* NULL: the usual ones */
	int entries; /* 0 or less: all */
	const char *cpus;
	/* info, too: to standard output; of contention, the separator is of perf's form */
	bool json;
	const char *separator;
	/* report */
	bool combine;
	/* contention */
	bool by_lock, all_cpus;
	bool live; /* -b; that alone has what follows, and a command */
	bool by_owner, by_cgroup;
	int map_entries; /* 0: the usual number */
	const char *cgroups;
	const char *const *command; /* NULL at the end, or NULL */
	int stack_skip, max_stack;
	const char *types, *locks, *callers, *output;
	struct words delays; /* of -J */
	/* info */
	bool map;
};

/* columns.c */
struct lock_columns {
	size_t nr;
	const struct lock_column *v[LOCK_COLUMNS];
	const struct lock_column *by; /* one of them */
};
/* Of fields ("contended,wait_total"), and the key if it is not among them. */
int lock_parse_columns(struct lock_columns *c, const char *fields, const char *key, struct err *e);
void lock_add_titles(struct strbuf *out, const struct lock_columns *c);
void lock_add_numbers(struct strbuf *out, const struct lock_columns *c, const struct lock_row *r);
/* All of them, of --json and -x: times in ns, null where no wait has ended. */
void lock_put_numbers(struct row_writer *w, const struct lock_row *r);
/* Largest first. */
void lock_sort(const struct lock_columns *c, struct lock_row *rows, size_t nr);
/* (Of these four, names are as they are: text escapes them.) "name+0x12", or the address. */
void lock_add_frame(struct strbuf *out, struct session *s, const struct frame *f);
/* Of the place that wanted a lock; "Unknown" where it is not told. */
void lock_add_caller(struct strbuf *out, struct session *s, struct lock_waits *w, chain_id chain);
/* lockdep's name of a lock, else the place that wanted it first. */
void lock_add_name(struct strbuf *out, struct session *s, struct lock_waits *w,
		   const struct lock_row *r);
/* The name of the variable that a global lock is; false: none begins there. */
bool lock_add_variable(struct strbuf *out, struct session *s, u64 lock);
/* Opens o->rec and runs the machine; NULL with *e. */
struct lock_waits *lock_run(struct lock_opts *o, struct lock_waits_opts *wo, struct err *e);
/* The last row of --json and -x: what is not counted, of a recording. */
void lock_put_total(struct row_writer *w, struct session *s, const struct lock_waits *waits);
/* After the output. */
void lock_tell(struct session *s, const struct lock_waits *w);

/* options.c */
extern const char *const lock_report_usage[], *const lock_contention_usage[],
						      *const lock_info_usage[];
extern const struct opt lock_report_table[], lock_contention_table[], lock_info_table[];

/* The subcommands: what the command returns. */
int lock_report_main(struct lock_opts *o);
int lock_contention_main(struct lock_opts *o);
int lock_info_main(struct lock_opts *o);

#endif
