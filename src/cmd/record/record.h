/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: what the command line of perf record says; shared by the files of this directory.
 */
#ifndef CMD_RECORD_RECORD_H
#define CMD_RECORD_RECORD_H

#include "capture/capture.h"
#include "cli/config.h"
#include "cli/options.h"
#include "cmd/event_args.h"

struct record_opts {
	struct event_list events;
	struct event_env env;
	struct capture_config cfg;
	struct event_args event_args;

	const char *pids, *tids, *cpus, *uid, *output;
	bool system_wide, per_thread;
	bool no_buildid, no_buildid_cache, buildid_all, buildid_mmap, buildid_mmap_given;
	bool branch_any;
	bool group, strict_freq, dry_run, freq_max;
	bool no_bpf; /* --no-bpf-event */
	bool callgraph;
	bool quiet;
	int verbose;
	bool user_freq, user_count;
	u64 freq, count;
	unsigned int aio; /* blocks written behind, 0 = none */
	int level; /* of compression, 0 = none */
	const char *usual_callgraph; /* what -g means; NULL = fp */
	char usual_dwarf[64];	     /* what "dwarf" without a size means; "" = the default size */
	const char *unsupported; /* an option that is known but not there yet */
};

extern const struct config_row record_config[];

/* opt_parse_fn of the table in record.c; target is the whole struct record_opts. */
int record_parse_event(const struct opt *o, void *target, const char *arg, bool unset, struct err *e);
int record_parse_filter(const struct opt *o, void *target, const char *arg, bool unset,
			struct err *e);
int record_parse_exclude_perf(const struct opt *o, void *target, const char *arg, bool unset,
			      struct err *e);
int record_parse_cgroup(const struct opt *o, void *target, const char *arg, bool unset,
			struct err *e);
int record_parse_g(const struct opt *o, void *target, const char *arg, bool unset, struct err *e);
int record_parse_callgraph(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);
int record_parse_branch(const struct opt *o, void *target, const char *arg, bool unset,
			struct err *e);
int record_parse_intr_regs(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);
int record_parse_user_regs(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);
int record_parse_clockid(const struct opt *o, void *target, const char *arg, bool unset,
			 struct err *e);
int record_parse_freq(const struct opt *o, void *target, const char *arg, bool unset, struct err *e);
int record_parse_count(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_pages(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_delay(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_synth(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_max_size(const struct opt *o, void *target, const char *arg, bool unset,
			  struct err *e);
int record_parse_level(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_aio(const struct opt *o, void *target, const char *arg, bool unset, struct err *e);
int record_parse_unsupported(const struct opt *o, void *target, const char *arg, bool unset,
			     struct err *e);
/* Accepted for compatibility, nothing to do. */
int record_parse_ignored(const struct opt *o, void *target, const char *arg, bool unset,
			 struct err *e);

/* The lines after a recording. */
void record_print_result(const struct record_opts *opts, const struct capture_result *r,
			 const char *path, const struct event_list *events);

#endif
