/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kwork: options of perf kwork, and what its files have in common. The state machine is
 * analyze/kwork. */
#ifndef CMD_KWORK_KWORK_H
#define CMD_KWORK_KWORK_H

#include "analyze/kwork.h"
#include "base/json.h"
#include "cli/command.h"
#include "cmd/kwork/live.h"
#include "recording/recording.h"
#include "render/rows.h"

enum { KWORK_FAILED = 255 };

/* Two arguments for "%llu.%06llu": a time in seconds, cut off. */
#define SECONDS(ns)                                                                                \
	(unsigned long long)((ns) / 1000000000), (unsigned long long)((ns) / 1000 % 1000000)

struct kwork_cmd {
	struct recording rec;
	bool dump;
	const char *list; /* -k */
	const char *cpus, *name, *time, *sort;
	bool summary; /* -S */
	bool json;
	const char *separator; /* -x */
	bool call_graph; /* -g */
	int max_stack;
	bool use_bpf; /* -b; that alone has a command */
	const char *const *command; /* NULL at the end, or NULL */
};

/* Where rows come from: a recording, or the running machine (-b). */
struct kwork_source {
	struct session *session;
	struct kwork *k;
	struct kwork_live *live; /* else the two before */
	struct kwork_totals totals;
};

/* Of -s: numbers of names. */
struct kwork_keys {
	u8 v[8];
	size_t nr;
};

/* options.c */
extern const char *const kwork_report_usage[],
	*const kwork_latency_usage[], *const kwork_timehist_usage[], *const kwork_top_usage[];
extern const struct opt kwork_report_table[], kwork_latency_table[], kwork_timehist_table[],
	kwork_top_table[];

/* input.c: what the subcommands read. */
/* Of -k; false: one word of it, *word, is no class. */
bool kwork_parse_classes(const char *list, bool classes[KWORK_CLASSES], const char **word);
/* "max,count": appends to keys; a word that is none of the names is an error for the usage. */
int kwork_parse_sort(struct kwork_keys *keys, const char *text, const char *const *names, size_t nr,
		     struct err *e);
/* As -i, -C and --time say. */
int kwork_open_recording(struct kwork_cmd *c, u64 *from, u64 *until, struct err *e);
/* Opens c->rec and makes the machine; NULL with *e. */
struct kwork *kwork_open(struct kwork_cmd *c, struct kwork_opts *o, struct err *e);
/* -b. What needs kwork_live_free() in any case is in s->live. */
int kwork_watch(struct kwork_source *s, const struct kwork_cmd *c, bool waits, bool by_task,
		struct err *e);
/* "(s)RCU:9", escaped for a terminal */
void kwork_add_work(const struct kwork_source *s, const struct kwork_row *row, struct strbuf *out);
/* Lines of what has no counterpart, and of lost events, if there are such. */
void kwork_add_losses(struct strbuf *out, const struct kwork_source *s);
/* The same of losses, after the output. */
void kwork_tell_losses(const struct kwork_source *s);
/* Values that say which work a row is of. */
void kwork_put_work(const struct kwork_source *s, const struct kwork_row *row,
		    struct row_writer *w);
/* The last row, or the last members of a document, which ends: what has no counterpart, and lost
 * events. */
void kwork_put_total(struct row_writer *w, const struct kwork_source *s);
/* Whether -n has its name. */
bool kwork_is_named(const struct kwork_cmd *c, const struct kwork_source *s,
		    const struct kwork_row *row);

/* The subcommands: what the command returns. */
int kwork_report_main(struct kwork_cmd *c);
int kwork_latency_main(struct kwork_cmd *c);
int kwork_timehist_main(struct kwork_cmd *c);
int kwork_top_main(struct kwork_cmd *c);

#endif
