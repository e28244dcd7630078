/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kwork: options of perf kwork, and what its files have in common. The state machine is
 * analyze/kwork. */
#ifndef CMD_KWORK_KWORK_H
#define CMD_KWORK_KWORK_H

#include "analyze/kwork.h"
#include "cli/command.h"
#include "recording/recording.h"

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
};

/* options.c */
extern const char *const kwork_report_usage[], *const kwork_latency_usage[],
						       *const kwork_timehist_usage[];
extern const struct opt kwork_report_table[], kwork_latency_table[], kwork_timehist_table[];

/* input.c: what the subcommands read. */
/* Of -k; false: one word of it, *word, is no class. */
bool kwork_parse_classes(const char *list, bool classes[KWORK_CLASSES], const char **word);
/* Opens c->rec and makes the machine; NULL with *e. */
struct kwork *kwork_open(struct kwork_cmd *c, struct kwork_opts *o, struct err *e);
/* "(s)RCU:9" */
void kwork_add_work(const struct kwork_cmd *c, struct kwork *k, const struct kwork_row *row,
		    struct strbuf *out);
/* Whether -n has its name. */
bool kwork_is_named(const struct kwork_cmd *c, struct kwork *k, const struct kwork_row *row);

/* The subcommands: what the command returns. */
int kwork_report_main(struct kwork_cmd *c);
int kwork_latency_main(struct kwork_cmd *c);
int kwork_timehist_main(struct kwork_cmd *c);

#endif
