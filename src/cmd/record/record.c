/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf record: run a command, or watch what is there, and write what the events say to a file.
 */
#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/log.h"
#include "capture/attr.h"
#include "capture/aux_kinds.h"
#include "capture/control.h"
#include "capture/ring_threads.h"
#include "capture/kcore.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/record/record.h"
#include "perfdata/info.h"
#include "program/build_options.h"
#include "program/command_line.h"
#include "recording/fetching.h"
#include "selection/open_note.h"
#include "dso/build_id_cache.h"
#include "dso/debuginfod.h"
#include "sys/end_signals.h"
#include "sys/limits.h"
#include "sys/proc.h"

enum {
	EXIT_FAILED = 255,
	MAX_SYNTH_THREADS = 256,
	OFF_CPU_DEFAULT_MS = 500,
	OFF_CPU_MAX_MS = INT32_MAX,
	NS_PER_MS = 1000000,
	COMPRESSORS = 2, /* threads; one keeps up with half a million samples a second */
};

#define R struct record_opts
/* Options whose parse functions work on the whole struct. */
#define REC_CALL(s, l, a, h, p, f)                                                                 \
	{                                                                                          \
		.type = OPT_TYPE_CALL, .short_name = (s), .long_name = OPT_TEXT(l, h, a),          \
		.parse = (p), .flags = (f), .set_offset = -1                                       \
	}
#define REC_LATER(s, l, a, h, f) REC_CALL(s, l, a, h, record_parse_unsupported, f)

static const struct opt record_table[] = {
	REC_CALL('e', "event", "event", "event selector. use 'perf list' to list available events",
		 sampling_parse_event, OPT_NONEG),
	REC_CALL(0, "filter", "filter", "event filter", sampling_parse_filter, OPT_NONEG),
	REC_CALL(0, "pfm-events", "event",
		 "libpfm4 event selector. use 'perf list' to list available events",
		 sampling_parse_pfm, OPT_NONEG),
	REC_CALL(0, "guests", "no|only|too",
		 "whether events without G or H count in virtual machines", sampling_parse_guests,
		 OPT_NONEG),
	REC_CALL(0, "exclude-perf", "", "don't record events from perf itself",
		 sampling_parse_exclude_perf, OPT_NOARG | OPT_NONEG),
	OPT_STR('p', "pid", R, sampling.pids, "pid", "record events on existing process id"),
	OPT_STR('t', "tid", R, sampling.tids, "tid", "record events on existing thread id"),
	OPT_INT('r', "realtime", R, realtime, "n", "collect data with this RT SCHED_FIFO priority"),
	OPT_BOOL(0, "no-buffering", R, sampling.cfg.no_buffering, "collect data without buffering"),
	OPT_BOOL('R', "raw-samples", R, sampling.cfg.raw,
		 "collect raw sample records from all opened counters"),
	OPT_BOOL('a', "all-cpus", R, sampling.system_wide, "system-wide collection from all CPUs"),
	OPT_STR('C', "cpu", R, sampling.cpus, "cpu", "list of cpus to monitor"),
	REC_CALL('c', "count", "n", "event period to sample", sampling_parse_count, OPT_NONEG),
	OPT_STR('o', "output", R, output, "file", "output file name"),
	OPT_BOOL('i', "no-inherit", R, sampling.cfg.no_inherit,
		 "child tasks do not inherit counters"),
	OPT_BOOL(0, "tail-synthesize", R, sampling.cfg.tail_synth,
		 "synthesize non-sample events at the end of output"),
	OPT_BOOL(0, "overwrite", R, sampling.cfg.overwrite, "use overwrite mode"),
	OPT_BOOL(0, "no-bpf-event", R, no_bpf, "do not record bpf events"),
	OPT_BOOL(0, "strict-freq", R, sampling.strict_freq,
		 "Fail if the specified frequency can't be used"),
	REC_CALL('F', "freq", "freq or 'max'", "profile at this frequency", sampling_parse_freq,
		 OPT_NONEG),
	REC_CALL('m', "mmap-pages", "pages[,pages]",
		 "number of mmap data pages and AUX area tracing mmap pages", sampling_parse_pages,
		 OPT_NONEG),
	REC_CALL(0, "mmap-flush", "number",
		 "Minimal number of bytes that is extracted from mmap data pages (default: 1)",
		 record_parse_flush, 0),
	OPT_BOOL(0, "group", R, sampling.group, "put the counters into a counter group"),
	REC_CALL('g', "", "mode", "enables call-graph recording", sampling_parse_g, OPT_PEEK),
	REC_CALL(
		0, "call-graph", "record_mode[,record_size]",
		"setup and enables call-graph (stack chain/backtrace): fp[,frames][,defer] (default), "
		"dwarf[,bytes][,raw], auto[,bytes], lbr, no",
		sampling_parse_callgraph, 0),
	OPT_BOOL(0, "no-unwind", R, sampling.cfg.no_unwind,
		 "keep copies of stacks as they are, to be unwound on reading"),
	OPT_INCR('v', "verbose", R, sampling.verbose,
		 "be more verbose (show counter open errors, etc)"),
	OPT_BOOL('q', "quiet", R, sampling.quiet, "don't print any warnings or messages"),
	OPT_BOOL('s', "stat", R, sampling.cfg.stat, "per thread counts"),
	OPT_BOOL('d', "data", R, sampling.cfg.addr, "Record the sample addresses"),
	OPT_BOOL(0, "data-mmap", R, sampling.cfg.data_maps,
		 "Record mmap events for non-executable mappings"),
	OPT_BOOL(0, "sample-mem-info", R, sampling.cfg.data_src,
		 "Record the data source for memory operations"),
	OPT_BOOL(0, "phys-data", R, sampling.cfg.phys_addr, "Record the sample physical addresses"),
	OPT_BOOL(0, "data-page-size", R, sampling.cfg.data_page_size,
		 "Record the sampled data address data page size"),
	OPT_BOOL(0, "code-page-size", R, sampling.cfg.code_page_size,
		 "Record the sampled code address (ip) page size"),
	OPT_BOOL(0, "sample-cpu", R, sampling.cfg.cpu_field, "Record the sample cpu"),
	OPT_BOOL(0, "sample-identifier", R, sampling.cfg.identifier,
		 "Record the sample identifier"),
	{ .type = OPT_TYPE_BOOL,
	  .short_name = 'T',
	  .long_name = OPT_TEXT("timestamp", "Record the sample timestamps", ""),
	  .offset = offsetof(R, sampling.cfg.time_given),
	  .set_offset = -1 },
	OPT_BOOL('P', "period", R, sampling.cfg.period_field, "Record the sample period"),
	OPT_BOOL('n', "no-samples", R, sampling.cfg.no_samples, "don't sample"),
	{ .type = OPT_TYPE_BOOL,
	  .short_name = 'N',
	  .long_name = OPT_TEXT("no-buildid-cache", "do not update the buildid cache", ""),
	  .offset = offsetof(R, no_buildid_cache),
	  .set_offset = offsetof(R, buildid_cache_given) },
	{ .type = OPT_TYPE_BOOL,
	  .short_name = 'B',
	  .long_name = OPT_TEXT("no-buildid", "do not collect buildids in perf.data", ""),
	  .offset = offsetof(R, no_buildid),
	  .set_offset = offsetof(R, buildid_given) },
	REC_CALL('G', "cgroup", "name", "monitor event in cgroup name only", sampling_parse_cgroup,
		 OPT_NONEG),
	REC_CALL(
		'D', "delay", "ms",
		"ms to wait before starting measurement after program start (-1: start with events "
		"disabled), or ranges of time to enable events e.g. '-D 10-20,30-40'",
		record_parse_delay, OPT_NONEG),
	OPT_STR('u', "uid", R, sampling.uid, "user", "user to profile"),
	REC_CALL('b', "branch-any", "", "sample any taken branches", sampling_parse_branch,
		 OPT_NOARG),
	REC_CALL('j', "branch-filter", "branch filter mask", "branch stack filter modes",
		 sampling_parse_branch, 0),
	OPT_BOOL('W', "weight", R, sampling.cfg.weight,
		 "sample by weight (on special events only)"),
	OPT_BOOL(0, "transaction", R, sampling.cfg.transaction,
		 "sample transaction flags (special events only)"),
	OPT_BOOL(0, "per-thread", R, sampling.per_thread, "use per-thread mmaps"),
	REC_CALL('I', "intr-regs", "any register",
		 "sample selected machine registers on interrupt, use '-I?' to list register names",
		 record_parse_intr_regs, OPT_OPTARG | OPT_NONEG),
	REC_CALL(0, "user-regs", "any register",
		 "sample selected machine registers in user space, use '--user-regs=?' to list "
		 "register names",
		 record_parse_user_regs, OPT_OPTARG | OPT_NONEG),
	OPT_BOOL(0, "running-time", R, sampling.cfg.running_time,
		 "Record running/enabled time of read (:S) events"),
	REC_CALL('k', "clockid", "clockid", "clockid to use for events, see clock_gettime()",
		 record_parse_clockid, 0),
	REC_CALL('S', "snapshot", "opts", "AUX area tracing Snapshot Mode", record_parse_snapshot,
		 OPT_OPTARG),
	REC_CALL(0, "aux-sample", "opts", "sample AUX area", record_parse_aux_sample, OPT_OPTARG),
	OPT_U64(0, "proc-map-timeout", R, map_timeout_ms, "n",
		"per thread proc mmap processing timeout in ms"),
	OPT_BOOL(0, "namespaces", R, sampling.cfg.namespaces, "Record namespaces events"),
	OPT_BOOL(0, "all-cgroups", R, sampling.cfg.cgroups, "Record cgroup events"),
	{ .type = OPT_TYPE_BOOL,
	  .long_name = OPT_TEXT("switch-events", "Record context switch events", ""),
	  .offset = offsetof(R, sampling.cfg.switch_events),
	  .set_offset = offsetof(R, switch_events_given) },
	OPT_BOOL(0, "latency", R, latency,
		 "Enable data collection for latency profiling. Use perf report --latency for "
		 "latency-centric profile."),
	OPT_BOOL(0, "all-kernel", R, sampling.cfg.all_kernel,
		 "Configure all used events to run in kernel space."),
	OPT_BOOL(0, "all-user", R, sampling.cfg.all_user,
		 "Configure all used events to run in user space."),
	OPT_BOOL(0, "kernel-callchains", R, sampling.cfg.only_kernel_chain,
		 "collect kernel callchains"),
	OPT_BOOL(0, "user-callchains", R, sampling.cfg.only_user_chain, "collect user callchains"),
	REC_CALL(0, "vmlinux", "file",
		 "vmlinux pathname (accepted: no BPF program is compiled that would need it)",
		 opt_ignore, 0),
	{ .type = OPT_TYPE_BOOL,
	  .long_name = OPT_TEXT("buildid-all", "Record build-id of all DSOs regardless of hits",
				""),
	  .offset = offsetof(R, buildid_all),
	  .set_offset = -1 },
	OPT_CALL_F(0, "embed-symbols", R, embed, "lines",
		   "put names of functions (lines: and source lines) into the file",
		   record_parse_embed, OPT_OPTARG),
	{ .type = OPT_TYPE_BOOL,
	  .long_name = OPT_TEXT("buildid-mmap", "Record build-id in map events (default)", ""),
	  .offset = offsetof(R, buildid_mmap),
	  .set_offset = offsetof(R, buildid_mmap_given) },
	OPT_BOOL(0, "timestamp-filename", R, timestamp_filename,
		 "append timestamp to output filename"),
	REC_CALL(0, "timestamp-boundary", "",
		 "Record timestamp boundary (time of first/last samples) (always done)", opt_ignore,
		 OPT_NOARG),
	REC_CALL(0, "switch-output", "signal or size[BKMG] or time[smhd]",
		 "Switch output when receiving SIGUSR2 (signal) or cross a size or time threshold",
		 record_parse_switch, OPT_OPTARG),
	REC_CALL(0, "switch-output-event", "switch output event",
		 "switch output event selector. use 'perf list' to list available events",
		 record_parse_trigger, OPT_NONEG),
	OPT_U64(0, "switch-max-files", R, max_files, "n",
		"Limit number of switch output generated files"),
	OPT_BOOL(0, "dry-run", R, dry_run, "Parse options then exit"),
	REC_CALL(0, "aio", "n",
		 "Use <n> control blocks in asynchronous trace writing mode (default: 1, max: 4)",
		 record_parse_aio, OPT_OPTARG),
	REC_CALL(0, "affinity", "node|cpu",
		 "Set affinity mask of trace reading thread to NUMA node cpu mask or cpu of "
		 "processed mmap buffer",
		 record_parse_affinity, 0),
	REC_CALL('z', "compression-level", "n",
		 "Compress records using specified level (default: 1 - fastest compression, 22 - "
		 "greatest compression)",
		 record_parse_level, OPT_OPTARG),
	REC_CALL(0, "max-size", "size", "Limit the maximum size of the output file",
		 record_parse_max_size, OPT_NONEG),
	OPT_U64(0, "num-thread-synthesize", R, synth_threads, "n",
		"number of threads to run for event synthesis"),
	OPT_STR(0, "control", R, control, "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
		"Listen on ctl-fd descriptor for command to control measurement ('enable': enable "
		"events, 'disable': disable events, 'snapshot': AUX area tracing snapshot). "
		"Optionally send control command completion ('ack\\n') to ack-fd descriptor. "
		"Alternatively, ctl-fifo / ack-fifo will be opened and used as ctl-fd / ack-fd."),
	REC_CALL(0, "synth", "no|all|task|mmap|cgroup", "Fine-tune event synthesis: default=all",
		 record_parse_synth, 0),
	REC_CALL(0, "debuginfod", "debuginfod urls",
		 "Enable debuginfod data retrieval from DEBUGINFOD_URLS or specified urls",
		 record_parse_debuginfod, OPT_OPTARG),
	REC_CALL(0, "threads", "spec",
		 "write collected trace data into several data files using parallel threads",
		 record_parse_threads, OPT_OPTARG),
	OPT_BOOL(0, "off-cpu", R, sampling.cfg.off_cpu, "Enable off-cpu analysis"),
	OPT_BOOL(0, "wall", R, wall,
		 "record all the time of threads, for perf report --wall: what they wait for, and "
		 "who wakes them up"),
	OPT_U64(0, "off-cpu-thresh", R, off_cpu_ms, "ms",
		"Dump off-cpu samples if off-cpu time exceeds this threshold (in milliseconds). "
		"(Default: 500ms)"),
	OPT_BOOL(0, "kcore", R, kcore, "copy /proc/kcore"),
	REC_LATER(0, "setup-filter", "pin|unpin",
		  "keep BPF programs for filters of users without privileges", 0),
	OPT_STR(0, "clang-path", R, sampling.env.compiler.clang, "clang path",
		"clang binary to use for compiling BPF scriptlets"),
	OPT_STR(0, "clang-opt", R, sampling.env.compiler.options, "clang options",
		"options passed to clang when compiling BPF scriptlets"),
	OPT_END
};

static const char *const record_usage[] = { "perf record [<options>] [<command>]",
					    "perf record [<options>] -- <command> [<options>]",
					    NULL };

struct record_session {
	struct record_opts *opts;
	struct capture_target target;
	struct workload workload;
	struct capture *capture;
	const char *const *command; /* the workload's words, NULL = none */
	bool to_pipe;
	struct record_output out;
	struct embed_line *embed_line; /* of the files of a rotation; NULL = they get no names */
	struct control control;
	struct held_signals held; /* from the first change of the output to its end */
	struct layout layout; /* of the reading threads */
	int end_signal; /* that ends us when all is done and taken back, 0 = none */
};

static void say(const struct record_opts *opts, const char *text)
{
	if (!opts->sampling.quiet)
		fprintf(stderr, "%s\n", text);
}

static void on_open_note(void *ctx, enum capture_open_note kind, const struct event *ev,
			 const char *text)
{
	const struct sampling *s = ctx;

	open_note_tell(s->verbose, s->quiet, kind, ev, text);
}

static void on_tell(void *ctx, const char *text)
{
	const struct record_session *s = ctx;

	say(s->opts, text);
}

static void on_list(void *ctx, enum capture_list what)
{
	const struct record_session *s = ctx;

	record_list_events(&s->opts->sampling.events, what);
}

static void on_switching(void *ctx, const struct capture_result *r)
{
	const struct record_session *s = ctx;

	record_say_switching(&s->out, r);
}

static int on_next_file(void *ctx, const struct capture_result *r UNUSED,
			struct perfdata_writer **next, struct err *e)
{
	struct record_session *s = ctx;

	if (record_output_stamp(&s->out, e) < 0)
		return -1;
	if (s->embed_line)
		embed_line_add(s->embed_line, *VEC_LAST(&s->out.names));
	return record_output_open(&s->out, false, next, e);
}

static bool stdout_is_fifo(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

/* A file gets its header when it is complete, at its head. */
static bool is_fifo(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

static int choose_output(struct record_session *s)
{
	struct record_opts *o = s->opts;

	if (!o->output && stdout_is_fifo()) {
		o->output = "-";
		say(o, "perf record: standard output is a pipe: the data is written to it "
		       "(-o FILE for a file)");
	}
	if (!o->output)
		o->output = "perf.data";
	s->to_pipe = !strcmp(o->output, "-");
	if (!s->to_pipe && is_fifo(o->output)) {
		fprintf(stderr,
			"error: cannot write a file to the fifo '%s'\n"
			"hint: '-o - >%s' writes a stream there\n",
			o->output, o->output);
		return EXIT_FAILED;
	}
	if (s->to_pipe && o->threads) {
		fprintf(stderr, "Parallel trace streaming is not available in pipe mode.\n");
		return EXIT_FAILED;
	}
	if (o->kcore && (s->to_pipe || o->switch_text)) {
		fprintf(stderr, "error: --kcore needs a directory: not with %s\n",
			s->to_pipe ? "a stream" : "--switch-output");
		return EXIT_FAILED;
	}
	if (s->to_pipe && (o->switch_text || o->timestamp_filename)) {
		fprintf(stderr,
			"error: --%s needs a file: a stream has no name\n"
			"hint: name a file with -o\n",
			o->switch_text ? "switch-output" : "timestamp-filename");
		return EXIT_FAILED;
	}
	if (s->to_pipe && isatty(STDOUT_FILENO)) {
		fprintf(stderr,
			"error: refusing to write binary data to a terminal\n"
			"hint: name a file with -o, or pipe the output into another perf\n");
		return EXIT_FAILED;
	}
	return 0;
}

/* What was asked for and the kernel did not know. */
static void tell_not_deferred(const struct record_session *s)
{
	bool wanted = s->opts->sampling.cfg.callgraph.defer, any = false;

	VEC_FOR(&s->opts->sampling.events.events, ev) {
		wanted |= (*ev)->terms.stacks.defer;
		any |= (*ev)->attr.defer_callchain;
	}
	if (wanted && !any && !s->opts->sampling.quiet)
		fprintf(stderr,
			"hint: this kernel does not defer callchains (Linux 6.19 does): the user part is taken with "
			"each sample\n");
}

static int prepare(struct record_session *s, const struct capture_opts *copts)
{
	struct strbuf why = STRBUF_INIT;
	struct err e = ERR_INIT;
	int r;

	s->capture = capture_new(copts);
	r = capture_prepare(s->capture, &why, &e);
	if (!r) {
		tell_not_deferred(s);
		goto out;
	}
	/* A signal to the whole group, before the events were open: it is over, for both. */
	if (e.code == ESRCH && s->command)
		s->end_signal = held_signals_take(&s->held);
	if (s->end_signal)
		goto out;
	sampling_print_prepare_error(&s->opts->sampling, s->capture, &why, &e);
	if (s->opts->close_late)
		capture_close_late(s->capture);
out:
	if (!r && s->opts->sampling.verbose >= 2)
		fprintf(stderr, "mmap size %zuB\n",
			capture_ring_size(s->capture) + (size_t)sysconf(_SC_PAGESIZE));
	strbuf_release(&why);
	return r;
}

/* The workload's words may not be runnable: perf's line about it. */
static void print_run_error(const struct record_session *s, const struct err *e)
{
	struct strbuf names = STRBUF_INIT;

	if (!s->workload.pid || s->workload.exec_fd >= 0 || e->hint[0] ||
	    strcmp(e->text, "cannot run the workload")) {
		err_print(e);
		return;
	}
	VEC_FOR(&s->opts->sampling.events.events, ev) {
		if (!(*ev)->is_dummy_sideband)
			strbuf_addf(&names, "%s%s", names.len ? "," : "", (*ev)->name);
	}
	fprintf(stderr, "Failed to collect '%s' for the '%s' workload: %s\n", names.buf,
		s->command[0], strerror(e->code));
	if (e->code == ENOENT)
		record_hint_mode(s->opts);
	strbuf_release(&names);
}

/*
 * The exit code of a finished recording. A signal is passed on: the last that was heard of, be it
 * by us or as the end of the workload.
 */
static int final_status(struct record_session *s)
{
	const struct workload *w = &s->workload;
	int sig = capture_result(s->capture)->signal;
	int late = held_signals_take(&s->held);

	if (w->reaped && WIFSIGNALED(w->status))
		sig = WTERMSIG(w->status);
	s->end_signal = late ? late : sig;
	return w->reaped ? WEXITSTATUS(w->status) : 0;
}

/* Replaced meanwhile, but a process has it mapped. */
static bool keep_mapped(const char *dir, const struct touched *t, const struct touched_object *o,
			struct build_id_cache_object *kept)
{
	_cleanup_(mem_closep) int fd = touched_open_mapped(t, o);

	kept->fd = fd;
	return fd >= 0 && !build_id_cache_add(dir, kept, NULL);
}

/* Told once, and only where there is something to keep. */
static bool cache_is_refused(const struct touched *t, const char *dir)
{
	struct err e = ERR_INIT;
	bool any = false;

	VEC_FOR(&t->objects, o)
		any = any || (o->hit && o->build_id_size);
	if (!any || !build_id_cache_check(dir, &e))
		return !any;
	log_warn("no copies of objects are kept: %s", e.text);
	log_hint("%s", e.hint);
	return true;
}

/* Only after the file is complete: nothing here can harm it. */
static void update_cache(const struct record_session *s)
{
	const struct touched *t = capture_touched(s->capture);
	struct debuginfod *remote;
	struct fetching fetching;
	struct dso_fetch fetch;
	char dir[4096];

	if (s->to_pipe || s->opts->no_buildid || s->opts->no_buildid_cache ||
	    !build_id_cache_dir(s->opts->sampling.cfg.buildid_dir, dir, sizeof(dir)) ||
	    cache_is_refused(t, dir))
		return;
	fetching_init(&fetching, s->opts->debuginfod, &fetch);
	remote = debuginfod_new(&fetch);
	VEC_FOR(&t->objects, o) {
		struct build_id_cache_object kept = {
			.name = intern_str(&t->names, o->name),
			.id.size = o->build_id_size,
			.fd = o->fd,
			.pid = o->pid,
			.remote = remote,
		};
		struct err e = ERR_INIT;

		if (!o->hit || !o->build_id_size)
			continue;
		memcpy(kept.id.bytes, o->build_id, sizeof(kept.id.bytes));
		/* What is gone by now cannot be kept. */
		if (build_id_cache_add(dir, &kept, &e) && !keep_mapped(dir, t, o, &kept))
			log_info("%s", e.text);
	}
	debuginfod_free(remote);
	fetching_finish(&fetching);
}

/* Code that JIT compilers made is in no file. */
static bool may_have_jit(const struct record_session *s)
{
	return (s->opts->no_buildid || capture_touched(s->capture)->other_code) && embed_has_jit();
}

/* Likewise; programs and their maps may be gone soon. */
static void embed_names(struct record_session *s)
{
	bool any = capture_result(s->capture)->stats.samples != 0;

	if (s->out.kept)
		kept_stream_finish(s->out.kept, s->opts, any);
	else if (any &&
		 (s->opts->embed > EMBED_JIT || (s->opts->embed == EMBED_JIT && may_have_jit(s))))
		record_embed_names(s->opts);
	s->out.kept = NULL;
	embed_line_finish(s->embed_line);
	s->embed_line = NULL;
}

/* Only now: the workload has been forked and is not concerned. */
static int set_realtime(const struct record_opts *o)
{
	struct sched_param p = { .sched_priority = o->realtime };

	if (!o->realtime || !sched_setscheduler(0, SCHED_FIFO, &p))
		return 0;
	fprintf(stderr, "Could not set realtime priority.\n");
	return -1;
}

/*
 * Copies of stacks (8 KB each) fill the rings within a quarter of a second, and where ten programs
 * want each CPU a thread waits that long for its turn. With a higher priority it gets the little
 * that it needs at once. The user's own choice (nice, -r) stands. Returns whether there is
 * something to undo.
 */
static bool come_first(const struct record_opts *o)
{
	enum { EARLIER = -15 };
	bool copies = false;

	VEC_FOR(&o->sampling.events.events, ev)
		copies |= (*ev)->attr.sample_type & PERF_SAMPLE_STACK_USER || (*ev)->watched;
	/* that of this thread, and of those that it starts */
	return copies && !o->realtime && !getpriority(PRIO_PROCESS, 0) &&
	       !setpriority(PRIO_PROCESS, 0, EARLIER);
}

/* What came of --call-graph auto's choice, object by object; the choice itself and changes were
 * told already. */
static void print_code_notes(const struct record_session *s)
{
	const char *const *notes = capture_code_notes(s->capture);

	for (size_t i = 0; s->opts->sampling.verbose && notes && notes[i]; i++) {
		if (i + 1 >= s->opts->sampling.code_notes.nr &&
		    strncmp(notes[i], "switched", 8) != 0 &&
		    strncmp(notes[i], INFO_STACKS_DWARF, strlen(INFO_STACKS_DWARF)) != 0)
			fprintf(stderr, "call-graph auto: %s\n", notes[i]);
	}
}

static int record_to(struct record_session *s, struct perfdata_writer *w)
{
	struct err e = ERR_INIT, finish_err = ERR_INIT;
	bool first = come_first(s->opts);
	int r, f;

	r = capture_begin(s->capture, w, &e);
	if (!r)
		r = capture_run(s->capture, &e);
	if (first)
		setpriority(PRIO_PROCESS, 0, 0);
	f = capture_finish(s->capture, &finish_err);
	if (r)
		print_run_error(s, &e);
	else if (f)
		err_print(&finish_err);
	print_code_notes(s);
	if (!f) {
		update_cache(s);
		embed_names(s);
	}
	/* a workload that never ran leaves nothing to talk about */
	if (!r || capture_result(s->capture)->stats.samples)
		record_print_result(s->opts, capture_result(s->capture), &s->out,
				    &s->opts->sampling.events, !r);
	if (s->opts->close_late)
		capture_close_late(s->capture);
	return r || f ? EXIT_FAILED : final_status(s);
}

static int choose_threads(struct record_session *s)
{
	struct sys_topology topology;
	struct err e = ERR_INIT;
	int r;

	if (!s->opts->threads)
		return 0;
	sys_topology_read(&topology, NULL);
	r = layout_parse(&s->layout, s->opts->threads, &topology, s->target.cpus, s->target.nr_cpus,
			 &e);
	sys_topology_release(&topology);
	if (r < 0)
		fprintf(stderr, "%s\nFailed to initialize parallel data streaming masks\n", e.text);
	return r;
}

static int record(struct record_session *s, const char *const *line)
{
	struct record_opts *o = s->opts;
	struct capture_open_log log = { .note = on_open_note, .ctx = &o->sampling };
	struct capture_opts copts = {
		.cfg = &o->sampling.cfg,
		.events = &o->sampling.events,
		.target = &s->target,
		.workload = s->command ? &s->workload : NULL,
		.version = perf_version,
		.argv = line,
		.build_id_section = !o->no_buildid,
		.keeps_files = !o->no_buildid && !o->no_buildid_cache,
		/* what a trace refers to is not known here */
		.build_id_all = o->buildid_all || aux_event_of(&o->sampling.events),
		.log = &log,
		.tell = on_tell,
		.tell_ctx = s,
		.triggers = o->triggers.events.nr ? &o->triggers : NULL,
		.control = o->control ? &s->control : NULL,
		.list = on_list,
		.switching = on_switching,
		.next_file = o->switch_text ? on_next_file : NULL,
	};
	struct ring_threads_opts threads = { .layout = &s->layout,
					     .directory = o->output,
					     .level = o->level };
	struct perfdata_writer *w;
	struct err e = ERR_INIT;

	if (o->kcore && kcore_check("/proc", &e) < 0) {
		err_print(&e);
		return EXIT_FAILED;
	}
	if (sampling_resolve_target(&o->sampling, &s->target, &s->workload, s->command, s->to_pipe,
				    &e) < 0) {
		sampling_print_target_error(&o->sampling, &e);
		return EXIT_FAILED;
	}
	/* only now: they are the workload's too */
	held_signals_begin(&s->held, 0);
	record_look_at_runtimes(o, &s->target, s->command);
	sampling_choose_stacks(&o->sampling, &s->target, s->command ? s->command[0] : NULL);
	capture_configure_triggers(&o->triggers);
	if (choose_threads(s) < 0)
		return EXIT_FAILED;
	copts.ring_threads = o->threads ? &threads : NULL;
	copts.code_notes = sampling_code_notes(&o->sampling);
	copts.tracking = capture_configure(&o->sampling.events, &o->sampling.cfg, &s->target);
	if (aux_event_of(&o->sampling.events) &&
	    aux_prepare(aux_event_of(&o->sampling.events), &s->target, &e) < 0) {
		err_print(&e);
		return EXIT_FAILED;
	}
	if (prepare(s, &copts) < 0 || set_realtime(o) < 0)
		return EXIT_FAILED;
	record_warn_switch_size(&s->out, o->sampling.cfg.switch_output.size,
				capture_ring_size(s->capture));
	if (o->embed && s->to_pipe)
		s->out.kept = kept_stream_open(STDOUT_FILENO, &e);
	else if (o->embed && o->switch_text)
		s->embed_line = embed_line_new(o);
	if (e.code) {
		err_print(&e);
		return EXIT_FAILED;
	}
	/* only now: a refused event leaves the old file alone */
	if (record_output_open(&s->out, true, &w, &e) < 0 ||
	    (o->kcore && kcore_copy("/proc", o->output, &e) < 0)) {
		err_print(&e);
		return EXIT_FAILED;
	}
	return record_to(s, w);
}

/* The numbers of /proc are other processes' than those that samples have. */
static void leave_foreign_tasks_out(struct record_opts *o)
{
	unsigned int tasks = CAPTURE_SYNTH_TASK | CAPTURE_SYNTH_MMAP;

	if (!(o->sampling.cfg.synth & tasks) || sys_proc_is_ours(NULL))
		return;
	log_warn(
		"/proc is another pid namespace's: what it tells of running processes is left out");
	log_hint("a /proc of its own helps (unshare --mount-proc)");
	o->sampling.cfg.synth &= ~tasks;
}

/* Nothing of the start may be left in any ring. */
static bool overwrites_all(const struct record_opts *o)
{
	VEC_FOR(&o->sampling.events.events, ev)
		if (!((*ev)->terms.has_overwrite ? (*ev)->terms.overwrite
						 : o->sampling.cfg.overwrite))
			return false;
	return o->sampling.events.events.nr > 0;
}

/* What other options imply. */
static void imply(struct record_opts *o)
{
	if (o->triggers.events.nr && !o->switch_text) {
		o->switch_text = "signal";
		o->sampling.cfg.switch_output.on_signal = true;
	}
	if (o->switch_text) {
		o->no_buildid |= !o->buildid_given;
		o->no_buildid_cache |= !o->buildid_cache_given;
	}
	leave_foreign_tasks_out(o);
	o->sampling.cfg.tail_synth |= o->sampling.cfg.overwrite || overwrites_all(o);
	o->sampling.cfg.synth_threads = (unsigned int)MIN(o->synth_threads, (u64)MAX_SYNTH_THREADS);
	o->sampling.cfg.map_timeout_ms = o->map_timeout_ms;
	o->sampling.cfg.off_cpu_threshold = MIN(o->off_cpu_ms, (u64)OFF_CPU_MAX_MS) * NS_PER_MS;
	o->sampling.cfg.ranges = o->ranges.v;
	o->sampling.cfg.nr_ranges = o->ranges.nr;
}

/* -S, --aux-sample and events that fill AUX areas. */
static int check_aux(struct record_opts *o)
{
	struct err e = ERR_INIT;
	const char *why = NULL;

	o->sampling.cfg.no_switch_events = o->switch_events_given && !o->sampling.cfg.switch_events;
	if (aux_event_of(&o->sampling.events) && o->threads)
		why = "Parallel trace streaming is not available in AUX area tracing mode.";
	if (why) {
		fprintf(stderr, "%s\n", why);
		return EXIT_FAILED;
	}
	if (aux_check(&o->sampling.events, &o->sampling.cfg, &e) < 0) {
		err_print(&e);
		return EXIT_FAILED;
	}
	aux_arrange(&o->sampling.events, &o->sampling.cfg);
	return 0;
}

/* What does not go together with several reading threads. */
static int check_threads(struct record_opts *o)
{
	const char *why = NULL;

	if (!o->threads)
		return 0;
	if (o->sampling.cfg.affinity != CAPTURE_AFFINITY_SYS)
		why = "--affinity option is mutually exclusive to parallel streaming mode.";
	else if (o->aio)
		why = "Asynchronous streaming mode (--aio) is mutually exclusive to parallel streaming "
		      "mode.";
	else if (o->sampling.per_thread)
		why = "--per-thread option is mutually exclusive to parallel streaming mode.";
	if (why) {
		fprintf(stderr, "%s\n", why);
		return EXIT_FAILED;
	}
	if (o->switch_text && !o->sampling.quiet)
		fprintf(stderr, "WARNING: --switch-output option is not available in parallel "
				"streaming mode.\n");
	if (o->timestamp_filename && !o->sampling.quiet)
		fprintf(stderr, "WARNING: --timestamp-filename option is not available in parallel "
				"streaming mode.\n");
	o->switch_text = NULL;
	o->timestamp_filename = false;
	o->sampling.cfg.switch_output = (struct capture_switch){ 0 };
	return 0;
}

/* Where all tasks of a CPU are seen, how many of them run tells nothing of one program. */
static int check_latency(struct record_opts *o)
{
	if (!o->latency)
		return 0;
	if (o->sampling.system_wide) {
		fprintf(stderr,
			"Failed: latency profiling is not supported with system-wide collection.\n");
		return EXIT_FAILED;
	}
	o->sampling.cfg.switch_events = true;
	return 0;
}

static int check_options(struct record_session *s)
{
	struct record_opts *o = s->opts;
	struct err e = ERR_INIT;
	int ret;

	imply(o);
	if (check_threads(o))
		return EXIT_FAILED;
	if (o->unsupported) {
		fprintf(stderr, "error: '--%s' is not supported yet\n", o->unsupported);
		return EXIT_FAILED;
	}
	VEC_FOR(&o->sampling.events.events, ev) {
		if ((*ev)->cgroup && !o->sampling.system_wide && !o->sampling.cpus)
			return opts_usage_error(record_table, record_usage, "cgroup",
						"cgroup monitoring only available in system-wide "
						"mode");
		if ((*ev)->kind == EVENT_TOOL) {
			fprintf(stderr, "error: event '%s' cannot be sampled\n", (*ev)->name);
			return EXIT_FAILED;
		}
	}
	if (o->sampling.cfg.no_unwind && sampling_wants_choice(&o->sampling)) {
		fprintf(stderr,
			"error: --call-graph auto unwinds while recording: not with --no-unwind\n");
		return EXIT_FAILED;
	}
	if (check_aux(o))
		return EXIT_FAILED;
	ret = check_latency(o);
	if (ret)
		return ret;
	if (o->control && control_open(&s->control, o->control, &e) < 0) {
		err_print(&e);
		return EXIT_USAGE;
	}
	if (o->sampling.cfg.all_user && o->sampling.cfg.all_kernel)
		return opts_usage_error(record_table, record_usage, "all-user",
					" Error: option `all-user' cannot be used with all-kernel");
	return sampling_set_rate(&o->sampling);
}

static void complete_output(struct record_session *s)
{
	struct record_opts *o = s->opts;

	s->out = (struct record_output){
		.path = o->output,
		.writer = { .level = o->level,
			    .symbols_follow = o->embed && s->to_pipe,
			    .behind = o->threads ? 0
				      : o->level ? COMPRESSORS
						 : o->aio != 0,
			    /* one more is being filled */
			    .blocks = o->aio ? o->aio + 1 : 0 },
		.directory = o->threads || o->kcore,
		.stamped = o->timestamp_filename || o->switch_text,
		.max_files = o->switch_text ? o->max_files : 0,
		.quiet = o->sampling.quiet,
	};
}

static void complete_config(struct record_session *s)
{
	struct record_opts *o = s->opts;

	/* streams would have to be kept, files of a rotation to be read again */
	if (o->embed == EMBED_JIT && (s->to_pipe || o->switch_text))
		o->embed = EMBED_NOTHING;
	complete_output(s);
	o->sampling.cfg.no_bpf = o->no_bpf;
	o->sampling.cfg.build_ids = !o->buildid_mmap_given || o->buildid_mmap;
	o->sampling.cfg.to_pipe = s->to_pipe;
	o->sampling.cfg.text_poke = o->kcore;
	if (o->sampling.group)
		event_list_group(&o->sampling.events, 0, o->sampling.events.events.nr, NULL);
	if (o->sampling.cfg.callgraph.mode == EVENT_CG_DWARF && o->sampling.cfg.user_regs &&
	    !o->sampling.quiet)
		fprintf(stderr,
			"WARNING: The use of --call-graph=dwarf may require all the user registers, "
			"specifying a subset with --user-regs may render DWARF unwinding unreliable, "
			"so the minimal registers set (IP, SP) is explicitly forced.\n");
}

static int record_run(const struct config *config, int argc, const char **argv)
{
	struct record_opts opts = { .sampling.cfg = { .synth = CAPTURE_SYNTH_ALL,
						      .moved_text = true },
				    .close_late = true,
				    .embed = EMBED_JIT,
				    .off_cpu_ms = OFF_CPU_DEFAULT_MS };
	struct record_session s = { .opts = &opts, .control = { .fd = -1, .ack_fd = -1 } };
	const char *const *line = command_line_words(argc, argv);
	int ret;

	event_args_init(&opts.sampling.env, config);
	event_list_init(&opts.sampling.events);
	event_list_init(&opts.triggers);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* an error of the write, then */
	signal(SIGUSR2, SIG_IGN); /* heard while a recording goes on */
	if (config_apply(config, record_config, &opts)) {
		ret = EXIT_FAILED;
		goto out;
	}
	argc = opts_parse(record_table, &opts, argc, argv, record_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0) {
		ret = EXIT_USAGE;
		goto out;
	}
	s.command = argc ? argv : NULL;
	while (line[opts.nr_options])
		opts.nr_options++;
	opts.nr_options -= (size_t)argc;
	opts.line = line;
	sampling_choose_target(&opts.sampling, s.command, &s.target);
	ret = check_options(&s);
	if (ret || opts.dry_run)
		goto out;
	ret = choose_output(&s);
	if (ret)
		goto out;
	if (record_choose_wall(&opts) < 0 || sampling_add_default(&opts.sampling) < 0) {
		fprintf(stderr, "error: the default event cannot be set up\n");
		ret = EXIT_FAILED;
		goto out;
	}
	complete_config(&s);
	ret = record(&s, line);
out:
	workload_stop(&s.workload);
	kept_stream_finish(s.out.kept, &opts, false);
	embed_line_finish(s.embed_line);
	capture_free(s.capture);
	capture_target_release(&s.target);
	sampling_release(&opts.sampling);
	event_list_release(&opts.triggers);
	vec_free(&opts.ranges);
	record_output_release(&s.out);
	layout_release(&s.layout);
	control_close(&s.control);
	free((void *)(uintptr_t)line);
	if (s.end_signal)
		end_by_signal(s.end_signal);
	return ret;
}

static const char *record_value(const char *option, size_t i)
{
	return strcmp(option, "call-graph") ? NULL : event_stacks_word(i);
}

const struct command cmd_record = {
	.name = "record",
	.summary = "run a command and record its profile into perf.data",
	.usage = record_usage,
	.opts = record_table,
	.run = record_run,
	.settings = record_config,
	.settings_size = sizeof(struct record_opts),
	.value = record_value,
};
