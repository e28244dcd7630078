/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script: every sample of a recording as text. */
#include "cmd/script/script.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "base/secure.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/script/engine_run.h"
#include "cmd/script/shipped.h"
#include "cmd/script/xed.h"
#include "perfdata/info.h"
#include "program/exec_path.h"
#include "text/dump.h"
#include "text/header.h"

#define NO_MAX_STACK INT_MIN /* not given */
enum { EXIT_FAILED = 255, DEFAULT_MAX_STACK = 127, MAPPED_MIN = 256 << 10 };

/* ------------------------------------------------------------------ options */

static int add_fields(struct field_set *fields, const char *arg, struct err *e)
{
	_cleanup_(strbuf_releasep) struct strbuf warnings = STRBUF_INIT;
	int ret = fields_parse(fields, arg, &warnings, e);

	fputs(warnings.buf, stderr);
	return ret;
}

static int parse_fields(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	return unset || !arg ? 0 : add_fields(target, arg, e);
}

/*
 * What a trace of the CPU shows, by fields: the rest comes from its decoder. Recordings without a
 * trace show their samples in this way.
 */
static const struct {
	const char *option, *fields;
} trace_views[] = {
	{ "insn-trace", "+insn,-event,-period" },
	{ "call-trace", "-ip,-addr,-event,-period,+callindent" },
	{ "call-ret-trace", "-ip,-addr,-event,-period,+flags" },
	{ "itrace", NULL },
};

/* An option that may have an argument: whether it was given. */
static int parse_header(const struct opt *o UNUSED, void *target, const char *arg UNUSED,
			bool unset, struct err *e UNUSED)
{
	bool *header = target;

	*header = !unset;
	return 0;
}

static int parse_unsupported(const struct opt *o, void *target UNUSED, const char *arg UNUSED,
			     bool unset UNUSED, struct err *e)
{
	return err_set(e, ENOTSUP, "--%s is not supported yet", o->long_name);
}

/* By itself for callers from copied stacks; asked for, of all chains. */
static int parse_inline(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			bool unset, struct err *e UNUSED)
{
	enum text_inlines *inlines = target;

	*inlines = unset ? INLINES_OF_NONE : INLINES_OF_ALL;
	return 0;
}

/* traces: of struct script_opts */
static int parse_traces(const struct opt *o, void *target, const char *arg, bool unset,
			struct err *e)
{
	struct script_opts *opts = (void *)((char *)target - offsetof(struct script_opts, traces));

	opts->traces = unset ? NULL : o->long_name;
	for (size_t i = 0; i < ARRAY_SIZE(trace_views) && !unset; i++) {
		if (strcmp(trace_views[i].option, o->long_name) || !trace_views[i].fields)
			continue;
		if (arg && strcmp(arg, "raw"))
			return err_set(e, ENOTSUP,
				       "--%s=%s: instructions are shown as bytes alone (raw)",
				       o->long_name, arg);
		opts->ns = true;
		return add_fields(&opts->fields, trace_views[i].fields, e);
	}
	return 0;
}

#define UNSUPPORTED(s, l, a, h, f)                                                                 \
	OPT_CALL_F(s, l, struct script_opts, itrace, a, h, parse_unsupported, f)

static const struct opt script_table[] = {
	OPT_BOOL('D', "dump-raw-trace", struct script_opts, dump, "dump raw trace in ASCII"),
	OPT_BOOL(0, "dump-unsorted-raw-trace", struct script_opts, dump,
		 "dump unsorted raw trace in ASCII"),
	RECORDING_VERBOSE(struct script_opts, rec),
	OPT_BOOL('L', "Latency", struct script_opts, latency,
		 "show latency attributes (irqs/preemption disabled, etc)"),
	OPT_BOOL('l', "list", struct script_opts, list_scripts, "list available scripts"),
	OPT_STR('s', "script", struct script_opts, script_name, "name",
		"script file name (lang:script name, script name, or *)"),
	OPT_STR('g', "gen-script", struct script_opts, gen_script, "lang",
		"generate perf-script.xx script in specified language"),
	RECORDING_FILE(struct script_opts, rec),
	OPT_BOOL('d', "debug-mode", struct script_opts, debug_mode,
		 "do various checks like samples ordering and lost events"),
	OPT_CALL_F(0, "header", struct script_opts, header, "", "Show data header.", parse_header,
		   OPT_NOARG),
	OPT_BOOL(0, "header-only", struct script_opts, header_only, "Show only data header."),
	RECORDING_KERNEL_FILES(struct script_opts, rec),
	RECORDING_MODULES(struct script_opts, rec),
	RECORDING_IGNORE_VMLINUX(struct script_opts, rec),
	OPT_BOOL('G', "hide-call-graph", struct script_opts, hide_chain,
		 "When printing symbols do not display call chain"),
	RECORDING_SYMFS(struct script_opts, rec),
	OPT_CALL('F', "fields", struct script_opts, fields, "str",
		 "comma separated output fields prepend with 'type:'. +field to add and -field to "
		 "remove.",
		 parse_fields),
	OPT_BOOL('a', "all-cpus", struct script_opts, all_cpus,
		 "system-wide collection from all CPUs"),
	OPT_STR(0, "dsos", struct script_opts, dsos, "dso[,dso...]",
		"only consider symbols in these DSOs"),
	OPT_STR('S', "symbols", struct script_opts, symbols, "symbol[,symbol...]",
		"only consider these symbols"),
	OPT_STR(0, "addr-range", struct script_opts, addr_range, "n",
		"Use with -S to list traced records within address range"),
	OPT_STR(0, "stop-bt", struct script_opts, stop_bt, "symbol[,symbol...]",
		"Stop display of callgraph at these symbols"),
	RECORDING_CPUS(struct script_opts, rec),
	OPT_STR('c', "comms", struct script_opts, comms, "comm[,comm...]",
		"only display events for these comms"),
	OPT_STR(0, "pid", struct script_opts, pids, "pid[,pid...]",
		"only consider symbols in these pids"),
	OPT_STR(0, "tid", struct script_opts, tids, "tid[,tid...]",
		"only consider symbols in these tids"),
	OPT_INT(0, "max-stack", struct script_opts, max_stack, "n",
		"Set the maximum stack depth when parsing the callchain, anything beyond the "
		"specified depth will be ignored. Default: kernel.perf_event_max_stack or 127"),
	OPT_BOOL(0, "reltime", struct script_opts, reltime, "Show time stamps relative to start"),
	OPT_BOOL(0, "deltatime", struct script_opts, deltatime,
		 "Show time stamps relative to previous event"),
	OPT_BOOL('I', "show-info", struct script_opts, show_info,
		 "display extended information from perf.data file"),
	OPT_BOOL(0, "show-kernel-path", struct script_opts, kernel_path,
		 "Show the path of [kernel.kallsyms]"),
	OPT_BOOL(0, "show-task-events", struct script_opts, show_task,
		 "Show the fork/comm/exit events"),
	OPT_BOOL(0, "show-mmap-events", struct script_opts, show_mmap, "Show the mmap events"),
	OPT_BOOL(0, "show-switch-events", struct script_opts, show_switch,
		 "Show context switch events (if recorded)"),
	OPT_BOOL(0, "show-namespace-events", struct script_opts, show_namespace,
		 "Show namespace events (if recorded)"),
	OPT_BOOL(0, "show-lost-events", struct script_opts, show_lost,
		 "Show lost events (if recorded)"),
	OPT_BOOL(0, "show-round-events", struct script_opts, show_round,
		 "Show round events (if recorded)"),
	OPT_BOOL(0, "show-bpf-events", struct script_opts, show_bpf,
		 "Show bpf related events (if recorded)"),
	OPT_BOOL(0, "show-cgroup-events", struct script_opts, show_cgroup,
		 "Show cgroup events (if recorded)"),
	OPT_BOOL(0, "show-text-poke-events", struct script_opts, show_text_poke,
		 "Show text poke related events (if recorded)"),
	OPT_BOOL(0, "merge-callchains", struct script_opts, merge_chains,
		 "Enable merge deferred user callchains"),
	OPT_BOOL(0, "json", struct script_opts, json,
		 "an object of JSON for each sample, with the fields of -F"),
	OPT_BOOL(0, "per-event-dump", struct script_opts, per_event_dump,
		 "Dump trace output to files named by the monitored events"),
	RECORDING_FORCE(struct script_opts, rec),
	OPT_BOOL(0, "ns", struct script_opts, ns, "Use 9 decimal places when displaying time"),
	RECORDING_TIME(struct script_opts, rec),
	OPT_CALL_F(0, "inline", struct script_opts, inlines, "", "Show inline function",
		   parse_inline, OPT_NOARG),
	OPT_BOOL(0, "full-source-path", struct script_opts, full_source_path,
		 "Show full source file name path for source lines"),
	RECORDING_LINE_STYLES(struct script_opts, rec),
	RECORDING_UNWIND_STYLE(struct script_opts, rec),
	RECORDING_DEMANGLE_KERNEL(struct script_opts, rec),
	OPT_BOOL(0, "no-demangle", struct script_opts, rec.opts.dso.no_demangle,
		 "Disable symbol demangling"),
	OPT_STR(0, "graph-function", struct script_opts, graph_function, "symbol[,symbol...]",
		"Only print symbols and callees with --call-trace/--call-ret-trace"),
	EVENT_SWITCH_SHOW(struct script_opts, switches),
	EVENT_SWITCH_NAMES(struct script_opts, switches),
	OPT_CALL_F(0, "itrace", struct script_opts, traces, "opts", "Instruction Tracing options",
		   parse_traces, OPT_OPTARG),
	OPT_CALL_F(0, "call-trace", struct script_opts, traces, "", "Decode calls from itrace",
		   parse_traces, OPT_NOARG),
	OPT_CALL_F(0, "call-ret-trace", struct script_opts, traces, "",
		   "Decode calls and returns from itrace", parse_traces, OPT_NOARG),
	OPT_CALL_F(0, "insn-trace", struct script_opts, traces, "raw",
		   "Decode instructions from itrace", parse_traces, OPT_OPTARG),
	OPT_BOOL(0, "xed", struct script_opts, xed, "Run xed disassembler on output"),
	OPT_U64(0, "max-blocks", struct script_opts, max_blocks, "n",
		"Maximum number of code blocks to dump with brstackinsn"),
	RECORDING_STITCH_LBR(struct script_opts, rec),
	UNSUPPORTED(0, "dlfilter", "file", "filter .so file name", 0),
	UNSUPPORTED(0, "dlarg", "argument", "filter argument", 0),
	UNSUPPORTED(0, "list-dlfilters", "", "list available dlfilters", OPT_NOARG),
	RECORDING_GUESTS(struct script_opts, rec.opts.dso),
	OPT_END
};

static const char *const script_usage[] = {
	"perf script [<options>]",
	"perf script [<options>] record <script> [<record-options>] <command>",
	"perf script [<options>] report <script> [script-args]",
	"perf script [<options>] <script> [<record-options>] <command>",
	"perf script [<options>] <top-script> [script-args]",
	NULL
};

/* Old scripts say -f comm,pid,... for -F: a list of fields behind -f is one. */
static void accept_old_fields(int argc, const char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return;
		if (!strcmp(argv[i], "-f") && i + 1 < argc && fields_is_list(argv[i + 1]))
			argv[i] = "-F";
	}
}

/* ------------------------------------------------------------------ the run */

static void dump(struct script *s, const struct session_record *r, struct strbuf *out)
{
	const struct dump_input in = {
		.h = r->h, .pos = r->pos, .event = r->event, .sample = r->sample
	};

	if (!r->again)
		dump_record(out, s->file, DUMP_SCRIPT, &in);
}

/* Where the dumped sample was taken. */
static void dump_place(struct script *s, struct session_worker *w, const struct session_record *r,
		       struct strbuf *out)
{
	struct location loc;

	sample_text_locate(s->text, w, r, &loc);
	const struct dso *d = dso_table_get(s->dsos, loc.dso);

	dump_site(out, model_str(s->model, r->site.comm), r->sample->tid,
		  d ? dso_long_name(d) : NULL);
}

static struct event_dump *open_event_dump(struct script *s, const struct perfdata_event *ev)
{
	while (s->dumps.nr <= ev->index)
		*VEC_PUSH(&s->dumps) = (struct event_dump){ 0 };
	struct event_dump *d = &s->dumps.v[ev->index];

	if (d->file)
		return d;
	d->path = xasprintf("%s.%s.dump", perfdata_path(s->file), ev->name);
	d->file = output_file_stream(d->path, &s->failure);
	if (d->file)
		return d;
	s->failed = true;
	return NULL;
}

/* Lines of the sample before; what this one counts. */
static void add_metric(struct script *s, struct session_worker *w, const struct sample_plan *p,
		       const struct session_record *r, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct json open = { 0 };

	sample_text_add_front(s->text, w, p, r, &text, &open);
	metric_add(s->metric, r, &text, &open, out);
}

/* One sample of one event: filter it and add its text. */
static bool show_sample(struct script *s, struct session_worker *w, const struct session_record *r,
			struct strbuf *out)
{
	const struct sample_plan *p = sample_text_plan(s->text, r->event);

	if (!p)
		return false;
	if (s->o.dump && r->left_out != LEFT_OUT_BY_TIME && !s->o.debug_mode)
		dump_place(s, w, r, out);
	if (r->left_out || s->o.debug_mode || !p->fields || s->o.graph_function ||
	    (s->filters && (!script_pass_thread(s, r) || !script_pass_code(s, w, r) ||
			    event_switch_skips(&s->o.switches, r->event))))
		return true;
	if (p->fields & FIELD_BIT(METRIC) && !s->o.per_event_dump)
		add_metric(s, w, p, r, out);
	size_t start = out->len;

	sample_text_add(s->text, w, p, r, out);
	if (!s->o.per_event_dump)
		return true;
	struct event_dump *d = open_event_dump(s, r->event);

	if (!d)
		return false;
	fwrite(out->buf + start, 1, out->len - start, d->file);
	d->nr++;
	out->len = start;
	return true;
}

/* A stream tells its features before the first record of the kernel. */
static void add_late_header(struct script *s, struct strbuf *out)
{
	header_text(s->file, s->o.show_info, s->terminal, out);
	s->header_due = false;
}

static bool show_counts(struct script *s, const struct session_record *r, struct strbuf *out)
{
	u64 time;
	int ret = counts_take(&s->counts, s->file, r->h, &time, &s->failure);

	if (ret > 0 && s->o.json)
		ret = err_set(&s->failure, ENOTSUP,
			      "counts are no samples: perf stat report -j prints them as JSON");
	if (ret > 0)
		counts_add_text(s->counts, s->file, time, s->terminal, out);
	s->failed = ret < 0;
	return ret >= 0;
}

static bool on_record(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		      const struct session_record *r, struct strbuf *out)
{
	struct script *s = ctx;

	if (s->header_due && r->h->type < PERF_RECORD_USER_TYPE_START)
		add_late_header(s, out);
	if (s->o.dump)
		dump(s, r, out);
	if (!r->sample) {
		if (s->has_counts && !r->again && !s->failed && !show_counts(s, r, out))
			return false;
		if (s->show)
			record_text_add(s->text, w,
					r->event ? sample_text_plan(s->text, r->event) : NULL, r,
					s->show, out);
		return true;
	}
	return show_sample(s, w, r, out);
}

static bool on_text(void *ctx, const char *text, size_t len)
{
	struct script *s = ctx;

	if (rw_write_full(STDOUT_FILENO, text, len) == 0)
		return true;
	int error = errno;

	pthread_mutex_lock(&s->lock);
	if (error != EPIPE && !s->failed) {
		err_sys(&s->failure, error, "cannot write the text");
		s->failed = true;
	}
	pthread_mutex_unlock(&s->lock);
	return false;
}

static void finish_dumps(struct script *s)
{
	VEC_FOR(&s->dumps, d) {
		long size = d->file ? ftell(d->file) : 0;

		if (d->file && fclose(d->file))
			log_error("cannot write '%s'", d->path);
		else if (d->file)
			printf("[ perf script: Wrote %.3f MB %s (%llu samples) ]\n",
			       (double)size / 1024 / 1024, d->path, (unsigned long long)d->nr);
		free(d->path);
	}
	vec_free(&s->dumps);
}

/* Lost records make what is shown incomplete: say so, as perf does. */
static void tell_losses(const struct script *s)
{
	const struct session_stats *st = session_stats(s->session);
	u64 events = 0;

	losses_tell_damage(s->file);
	if (s->o.debug_mode)
		fprintf(stderr, "Misordered timestamps: %llu\n",
			(unsigned long long)st->out_of_order);
	if (!st->lost_chunks)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(st->nr_type); i++)
		events += st->nr_type[i];
	fprintf(stderr,
		"Warning:\nProcessed %llu events and lost %llu chunks!\n\n"
		"Check IO/CPU overload!\n\n",
		(unsigned long long)events, (unsigned long long)st->lost_chunks);
}

static void print_header(struct script *s)
{
	struct strbuf text = STRBUF_INIT;

	header_text(s->file, s->o.show_info, s->terminal, &text);
	fwrite(text.buf, 1, text.len, stdout);
	strbuf_release(&text);
}

/* Every event gets its file, also one without samples; those of a stream come later. */
static bool open_event_dumps(struct script *s)
{
	if (!s->o.per_event_dump || perfdata_is_pipe(s->file))
		return true;
	for (size_t i = 0; i < perfdata_nr_events(s->file); i++)
		if (!open_event_dump(s, perfdata_event(s->file, i)))
			return false;
	return true;
}

/* -C needs to know where a sample was taken. */
static int check_cpus(const struct script *s, struct err *e)
{
	for (size_t i = 0; s->o.rec.opts.cpus && i < perfdata_nr_events(s->file); i++)
		if (!(perfdata_event(s->file, i)->attr.sample_type & PERF_SAMPLE_CPU))
			return err_set(e, EINVAL,
				       "File does not contain CPU events. "
				       "Remove -C option to proceed.");
	return 0;
}

static void print_last_metric(struct script *s)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	metric_flush(s->metric, &text);
	if (text.len)
		on_text(s, text.buf, text.len);
	metric_free(s->metric);
}

/* The records that the options ask for. */
static unsigned int shown_records(const struct script_opts *o)
{
	return (o->show_task ? SHOW_TASK : 0) | (o->show_mmap ? SHOW_MMAP : 0) |
	       (o->show_switch ? SHOW_SWITCH : 0) | (o->show_namespace ? SHOW_NAMESPACE : 0) |
	       (o->show_lost ? SHOW_LOST : 0) | (o->show_round ? SHOW_ROUND : 0) |
	       (o->show_bpf ? SHOW_BPF : 0) | (o->show_cgroup ? SHOW_CGROUP : 0) |
	       (o->show_text_poke ? SHOW_TEXT_POKE : 0) | (!o->merge_chains ? SHOW_DEFERRED : 0);
}

static int make_text(struct script *s, struct err *e)
{
	const struct script_opts *o = &s->o;
	const struct sample_text_opts to = {
		.escape = s->terminal && !o->json,
		.json = o->json,
		.latency = o->latency,
		.ns = o->ns,
		.reltime = o->reltime,
		.deltatime = o->deltatime,
		.hide_chain = o->hide_chain,
		.kernel_path = o->kernel_path,
		.full_source_path = o->full_source_path,
		.inlines = o->inlines,
		.max_stack = s->max_stack,
		.max_blocks = o->max_blocks,
		.stop = s->stop_names.v,
		.nr_stop = s->stop_names.nr,
	};

	return sample_text_new(&s->text, s->session, &o->fields, &to, e);
}

/* Before the samples: a header, the files of events, what the options need of the recording. */
static int prepare(struct script *s, struct err *e)
{
	s->header_due = s->o.header && perfdata_is_pipe(s->file);
	if (s->o.header && !s->header_due)
		print_header(s);
	if (make_text(s, e) < 0 || check_cpus(s, e) < 0 ||
	    event_switch_start(&s->o.switches, s->file, e) < 0)
		return -1;
	if (!open_event_dumps(s)) {
		*e = s->failure;
		return -1;
	}
	s->show = shown_records(&s->o);
	s->has_counts = perfdata_is_pipe(s->file) || info_has(perfdata_info(s->file), FEAT_STAT);
	s->filters = script_has_filters(s);
	s->metric = metric_new(s->o.json);
	return 0;
}

static int show_samples(struct script *s, struct err *e)
{
	const struct script_opts *o = &s->o;

	if (prepare(s, e) < 0)
		return -1;
	const struct session_consumer c = {
		.order = SESSION_ORDERED,
		.ctx = s,
		.record = on_record,
		.emit = on_text,
		.all_records = s->show || o->dump || s->has_counts || s->header_due,
		.serial = sample_text_needs_order(s->text) || o->show_task || o->per_event_dump ||
			  event_switch_used(&o->switches) || s->has_counts ||
			  o->rec.opts.stitch_lbr,
	};

	if (o->json)
		puts("{\"schema\":\"perf script\",\"version\":1}");
	fflush(stdout);
	int ret = session_run(s->session, &c, e);
	const struct err *failure = sample_text_failure(s->text);

	print_last_metric(s);
	finish_dumps(s);
	if (s->failed || failure) {
		*e = failure ? *failure : s->failure;
		return -1;
	}
	if (ret == 0) {
		tell_losses(s);
		losses_tell(s->session);
	}
	return ret;
}

static u32 default_max_stack(const struct script_opts *o)
{
	u64 v;

	if (o->max_stack != NO_MAX_STACK)
		return (u32)o->max_stack;
	if (rw_read_u64("/proc/sys/kernel/perf_event_max_stack", &v) && v && v < UINT32_MAX)
		return (u32)v;
	return DEFAULT_MAX_STACK;
}

/* As perf: without -i, what comes through a pipe on stdin, else ./perf.data. */
static const char *default_input(void)
{
	struct stat st;

	return fstat(STDIN_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static int script_open(struct script *s, struct err *e)
{
	struct script_opts *o = &s->o;
	struct session_opts *so = &o->rec.opts;

	if (!so->input.path)
		so->input.path = default_input();
	if (o->header_only)
		so->time = NULL;
	so->max_stack = o->max_stack > 0 ? (u32)o->max_stack : 0;
	so->unwind = !o->hide_chain;
	so->guesses = !o->script_name;
	so->lbr = true;
	so->tell_left_out = o->dump;
	so->deferred_apart = !o->merge_chains || o->dump;
	so->dso.demangle_params = o->rec.verbose > 0;
	s->terminal = isatty(STDOUT_FILENO) || pager_in_use();
	s->max_stack = default_max_stack(o);
	pthread_mutex_init(&s->lock, NULL);
	if (script_filters_init(s, e) < 0 || recording_open(&o->rec, e) < 0)
		return -1;
	s->session = o->rec.session;
	s->file = session_file(s->session);
	if (o->traces && info_has(perfdata_info(s->file), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP,
			       "--%s is not supported yet: hardware traces are not decoded",
			       o->traces);
	s->model = session_model(s->session);
	s->dsos = session_dsos(s->session);
	return 0;
}

/* What says things that no object has a place for. */
static int check_json(const struct script_opts *o, struct err *e)
{
	const struct {
		bool given;
		const char *option;
	} others[] = {
		{ o->dump, "-D" },       { o->header || o->header_only, "--header" },
		{ o->show_info, "-I" },  { o->latency, "-L" },
		{ o->xed, "--xed" },     { o->script_name, "-s" },
		{ o->gen_script, "-g" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (others[i].given)
			return err_set(e, EINVAL, "--json and %s exclude each other",
				       others[i].option);
	return 0;
}

static int check_opts(const struct script_opts *o, struct err *e)
{
	if (o->json && check_json(o, e) < 0)
		return -1;
	if (o->reltime && o->deltatime)
		return err_set(e, EINVAL,
			       "reltime and deltatime - the two don't get along well. "
			       "Please limit to --reltime or --deltatime.");
	if (o->max_stack < 0 && o->max_stack != NO_MAX_STACK)
		return err_set(e, EINVAL, "--max-stack needs a number from 0 on");
	return 0;
}

/* -s, -g */
static int run_engine(struct script *s, const struct script_language *generated,
		      const struct engine_script *script, int argc, const char **argv,
		      struct err *e)
{
	if (script_open(s, e) < 0)
		return -1;
	if (generated)
		return engine_generate(s, generated, e);
	if (check_cpus(s, e) < 0)
		return -1;
	s->filters = script_has_filters(s);
	return engine_run(s, script, argc, argv, e);
}

/* A script in place of the text; 0 as for script_main(). */
static int engine_main(struct script *s, int argc, const char **argv, struct err *e)
{
	const struct script_language *generated = NULL;
	struct engine_script script = { 0 };
	int ret = 0;

	if (s->o.gen_script && !(generated = engine_generated_language(s->o.gen_script, e)))
		return -1;
	if (!generated)
		ret = engine_find_script(&script, s->o.script_name, e);
	/* before a thread is made: each has rights of its own */
	if (ret == 0)
		ret = secure_drop(e);
	if (ret == 0)
		ret = run_engine(s, generated, &script, argc, argv, e);
	free(script.path);
	return ret;
}

static int script_main(struct script *s, struct err *e)
{
	FILE *xed = NULL;
	int ret = 0;

	if (script_open(s, e) < 0)
		return -1;
	if (s->o.xed && !(xed = xed_start(e)))
		return -1;
	if (s->o.header_only)
		print_header(s);
	else
		ret = show_samples(s, e);
	xed_finish(xed);
	return ret;
}

/* What needs no recording: lists, wrong names, installed scripts, which call this command again.
 * -1: none of it. */
static int run_apart(const struct script_opts *o, int argc, const char **argv)
{
	struct err e = ERR_INIT;

	if (o->list_scripts) {
		shipped_list(program_exec_path());
		return 0;
	}
	if (o->script_name && !strcmp(o->script_name, "lang")) {
		engine_list_languages();
		return 0;
	}
	if (o->script_name && !o->gen_script && !engine_script_language(o->script_name, &e)) {
		err_print(&e);
		return EXIT_USAGE;
	}
	if (o->script_name || o->gen_script || !argc)
		return -1;
	int code = shipped_run(program_exec_path(), o->all_cpus, argc, argv, &e);

	if (code < 0)
		err_print(&e);
	if (code < 0)
		code = !strcmp(argv[0], "record") || !strcmp(argv[0], "report") ? EXIT_FAILED
										: EXIT_USAGE;
	return code;
}

static int script_run(const struct config *config, int argc, const char **argv)
{
	struct script *s = XNEW(struct script);
	struct err e = ERR_INIT;

#ifdef __GLIBC__
	/* Arrays grow in place then, and what was large goes back when it is freed. */
	mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
#endif
	s->o.max_stack = NO_MAX_STACK;
	s->o.merge_chains = true;
	fields_init(&s->o.fields);
	accept_old_fields(argc, argv);
	if (recording_configure(&s->o.rec, config)) {
		free(s);
		return EXIT_FAILED;
	}
	argc = opts_parse(script_table, &s->o, argc, argv, script_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0) {
		free(s);
		return EXIT_USAGE;
	}
	int code = run_apart(&s->o, argc, argv);

	if (code >= 0) {
		free(s);
		return code;
	}
	int ret = check_opts(&s->o, &e);

	if (ret == 0)
		ret = s->o.script_name || s->o.gen_script ? engine_main(s, argc, argv, &e)
							  : script_main(s, &e);
	if (ret < 0)
		err_print(&e);
	sample_text_free(s->text);
	script_filters_release(s);
	counts_free(s->counts);
	int status = recording_close(&s->o.rec);

	free(s);
	return ret < 0 ? EXIT_FAILED : status;
}

static const char *script_value(const char *option, size_t i)
{
	return strcmp(option, "fields") ? NULL : fields_name(i);
}

const struct command cmd_script = {
	.name = "script",
	.summary = "print the samples of a recording",
	.usage = script_usage,
	.opts = script_table,
	.run = script_run,
	.flags = CMD_PAGER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
	.value = script_value,
};
