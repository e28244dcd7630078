/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: what the command line of perf record says; shared by the files of this directory.
 */
#ifndef CMD_RECORD_RECORD_H
#define CMD_RECORD_RECORD_H

#include "capture/capture.h"
#include "cli/config.h"
#include "cli/options.h"
#include "edit/embed.h"
#include "selection/sampling.h"

struct record_opts {
	struct sampling sampling; /* first: see selection/sampling.h */
	const char *output;
	bool no_buildid, no_buildid_cache, buildid_given, buildid_cache_given;
	bool buildid_all, buildid_mmap, buildid_mmap_given;
	bool dry_run;
	bool switch_events_given; /* or --no-switch-events */
	bool latency, wall;
	bool no_bpf; /* --no-bpf-event */
	bool callgraph;
	const struct jit_runtime
		*frameless; /* a runtime that was not told to keep frame pointers, NULL = none */
	pid_t frameless_pid; /* that is it; 0 = the command */
	const char *const *line; /* the words of the command line, NULL at the end */
	size_t nr_options; /* of them, before the command that is recorded */
	unsigned int aio; /* blocks written behind, 0 = none */
	int level; /* of compression, 0 = none */
	bool close_late; /* many tracepoints by another process, after the end */
	VEC(struct capture_range) ranges;
	struct event_list triggers; /* --switch-output-event */
	const char *switch_text; /* --switch-output; "signal" if nothing is said */
	bool timestamp_filename;
	u64 max_files;
	u64 synth_threads, map_timeout_ms, off_cpu_ms;
	int realtime; /* priority, 0 = ordinary */
	const char *debuginfod; /* URLs, NULL = not asked */
	bool kcore;
	const char *control;
	enum embed_what embed;
	const char *threads; /* layout, NULL = one reading thread */
	const char *unsupported; /* an option that is known but not there yet */
};

extern const struct config_row record_config[];

struct kept_stream;
struct embed_line;

/* Where the data goes. */
struct record_output {
	const char *path; /* "-" = a stream */
	struct perfdata_writer_opts writer; /* but for the path */
	bool directory; /* PATH/data, and more beside it */
	bool stamped; /* files are given the time as a suffix */
	u64 max_files; /* of those, 0 = no limit */
	bool quiet;
	struct kept_stream
		*kept; /* of the stream, for the names behind it; NULL = it is not kept */
	u64 last_stamp; /* of the latest name, in 1/100 s since 1970 */
	VEC(char *) names; /* finished ones, oldest first */
};

/* A runtime among the targets whose code keeps no frame pointers; command: the workload's words. */
void record_look_at_runtimes(struct record_opts *opts, const struct capture_target *target,
			     const char *const *command);
/* Tells of it if callers are missing; false: there is nothing to tell. */
bool record_print_runtime(const struct record_opts *opts, const struct capture_result *r);
int record_output_open(struct record_output *out, bool first, struct perfdata_writer **w,
		       struct err *e);
/* The file has been completed: rename it, tell, drop the oldest. */
int record_output_stamp(struct record_output *out, struct err *e);
void record_output_release(struct record_output *out);
/* --embed-symbols. Names into a complete file; what fails is told. */
void record_embed_names(const struct record_opts *o);
/* The same for one file after the other, in the background. */
struct embed_line *embed_line_new(const struct record_opts *o);
void embed_line_add(struct embed_line *l, const char *path);
void embed_line_finish(struct embed_line *l); /* waits; NULL is allowed */
/* A stream: what is written to its fd goes on to descriptor to, and is kept. */
struct kept_stream *kept_stream_open(int to, struct err *e);
int kept_stream_fd(const struct kept_stream *k);
/* All is written: names follow (EMBED_NOTHING: do not), and it is gone. NULL is allowed. */
void kept_stream_finish(struct kept_stream *k, const struct record_opts *o, bool embed);
/* Files can be no smaller than what is read at once. */
void record_warn_switch_size(const struct record_output *out, u64 size, size_t ring_size);
void record_say_switching(const struct record_output *out, const struct capture_result *r);
/* --wall: adds what it needs; tells what was chosen. -1: the default event cannot be set up. */
int record_choose_wall(struct record_opts *o);
/* The events, for the control channel; on standard error. */
void record_list_events(const struct event_list *events, enum capture_list what);

/* opt_parse_fn of the table in record.c; target is the whole struct record_opts. */
int record_parse_intr_regs(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);
int record_parse_user_regs(const struct opt *o, void *target, const char *arg, bool unset,
			   struct err *e);
int record_parse_clockid(const struct opt *o, void *target, const char *arg, bool unset,
			 struct err *e);
int record_parse_flush(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_affinity(const struct opt *o, void *target, const char *arg, bool unset,
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
int record_parse_switch(const struct opt *o, void *target, const char *arg, bool unset,
			struct err *e);
int record_parse_trigger(const struct opt *o, void *target, const char *arg, bool unset,
			 struct err *e);
int record_parse_debuginfod(const struct opt *o, void *target, const char *arg, bool unset,
			    struct err *e);
int record_parse_snapshot(const struct opt *o, void *target, const char *arg, bool unset,
			  struct err *e);
int record_parse_aux_sample(const struct opt *o, void *target, const char *arg, bool unset,
			    struct err *e);
int record_parse_threads(const struct opt *o, void *target, const char *arg, bool unset,
			 struct err *e);
/* target is an enum embed_what */
int record_parse_embed(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);
int record_parse_unsupported(const struct opt *o, void *target, const char *arg, bool unset,
			     struct err *e);

/* The command cannot be found, and its first word stands behind -g and is nearly one of its modes:
 * the command that was meant. */
void record_hint_mode(const struct record_opts *opts);
/* A line about broken stacks, if there are many, and the command that mends it; or about a runtime.
 */
void record_print_verdict(const struct record_opts *opts, const struct capture_result *r,
			  const struct record_output *out, const struct event_list *events);
/* The lines after a recording; names the last file. whole: all that was read has been written. */
void record_print_result(const struct record_opts *opts, const struct capture_result *r,
			 struct record_output *out, const struct event_list *events, bool whole);

#endif
