/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture: one recording, from opened events to the finished file.
 *
 *	capture_new() -> capture_prepare() -> capture_begin() -> capture_run() -> capture_finish()
 *
 * The events must have been completed by capture_configure(). In capture_run() the signals that end
 * a process (sys/end_signals), SIGCHLD and SIGUSR2 arrive through a signalfd; before and after it
 * the caller holds them, until the file is complete. One thread. Nothing is printed: results are in
 * struct capture_result, messages go through the callbacks.
 *
 * With config.switch_output the recording goes on in a new file when it is time; each file has its
 * header, its existing state and its features. Events with attr.write_backward have rings of their
 * own (a flight recorder): the kernel overwrites the oldest records, and what is there is written
 * when a file is completed, or with config.round_ms in each round.
 *
 * What has been written stays readable whatever goes wrong later (disk full, killed recorder).
 */
#ifndef CAPTURE_CAPTURE_H
#define CAPTURE_CAPTURE_H

#include "bpf/off_cpu.h"
#include "capture/config.h"
#include "capture/drain.h"
#include "capture/open.h"
#include "capture/stacks/choice.h"
#include "capture/target.h"
#include "capture/workload.h"
#include "perfdata/writer.h"

struct capture;
struct capture_result;
struct control;
struct ring_threads_opts;

/* What the evlist command of the control channel asks to see. */
enum capture_list { CAPTURE_LIST_NAMES, CAPTURE_LIST_FREQ, CAPTURE_LIST_ALL, CAPTURE_LIST_GROUPS };

struct capture_opts {
	const struct capture_config *cfg;
	struct event_list *events;
	struct event *tracking; /* from capture_configure() */
	const struct capture_target *target;
	struct workload *workload; /* NULL = none */
	const char *version; /* for the VERSION feature */
	const char *const *argv; /* for CMDLINE, NULL at the end */
	const char *const
		*code_notes; /* what --call-graph auto found, NULL at the end; NULL = nothing */
	bool build_id_section; /* write BUILD_ID ... */
	bool keeps_files; /* those that only their processes know by name stay open:
			     capture_touched() */
	bool build_id_all; /* ... of every object seen, hit or not */
	const struct capture_open_log *log; /* NULL = silent */
	void (*tell)(void *ctx, const char *text); /* "Events enabled", ...; NULL = silent */
	void *tell_ctx;
	const struct ring_threads_opts *ring_threads; /* NULL = one thread reads all rings */
	struct event_list *triggers; /* each of these begins a new file; NULL = none */
	struct control *control; /* commands come from here; NULL = from nowhere */
	void (*list)(void *ctx, enum capture_list what); /* for its evlist; ctx: tell_ctx */
	/* With config.switch_output: a file is complete (*r is about it); make the next one. */
	int (*next_file)(void *ctx, const struct capture_result *r, struct perfdata_writer **next,
			 struct err *e);
	/* Told when that is about to happen, before the file is completed. */
	void (*switching)(void *ctx, const struct capture_result *r);
};

struct capture_result {
	struct drain_stats stats;
	u64 lost; /* events the kernel could not put into the rings */
	u64 filtered; /* samples that --filter has dropped */
	u64 overwritten; /* bytes of records that newer ones took the place of, unseen */
	u64 wakeups;
	u64 bytes; /* of data */
	struct writer_ratio ratio; /* of its compression */
	size_t ring_size; /* bytes of each ring's data */
	int signal; /* the last of sys/end_signals that ended it, 0 = none did */
	bool kernel_hidden; /* kernel addresses were not readable */
	bool max_size_reached;
	size_t aux_size; /* of each area */
	struct stack_outcome choice; /* of --call-graph */
	struct off_cpu_losses off_cpu_lost; /* of config.off_cpu */
};

struct capture *capture_new(const struct capture_opts *opts);
void capture_free(struct capture *c);
/* After the recording, at the end of the program: what takes long to close is left to a process of
 * its own (capture/late_close). */
void capture_close_late(struct capture *c);

/* Open events, map rings, set filters. -1: why has perf's explanation (several lines) if an event
 * could not be opened, else stays empty; e says it in one line. */
int capture_prepare(struct capture *c, struct strbuf *why, struct err *e);
size_t capture_ring_size(const struct capture *c);
/* Of a system_wide event, after capture_prepare(): its descriptor on the i-th CPU of the target,
 * and the CPU's number; false: there are no more. -1: it is not open there. */
bool capture_event_on(const struct capture *c, const struct event *ev, size_t i, u32 *cpu, int *fd);
/* Write the header and the existing state. The writer stays the caller's until capture_finish(). */
int capture_begin(struct capture *c, struct perfdata_writer *w, struct err *e);
/* Start the workload, record until the end. -1: e says why it ended early; the file is intact. */
int capture_run(struct capture *c, struct err *e);
/* Features, sizes; closes the writer. */
int capture_finish(struct capture *c, struct err *e);
/* With config.round_ms: capture_run() is to end soon. Any thread. */
void capture_stop(struct capture *c);
const struct capture_result *capture_result(const struct capture *c);
/* Lines about --call-graph auto's choice and what came of it, after capture_finish(); NULL at the
 * end, or NULL. */
const char *const *capture_code_notes(const struct capture *c);
/* Objects hit by samples, after capture_finish(); for the build-id cache. */
const struct touched *capture_touched(const struct capture *c);

#endif
