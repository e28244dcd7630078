/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script: every sample of a recording as text. */
#include "cmd/script/script.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rw.h"
#include "base/safe_file.h"
#include "base/secure.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/dso_settings.h"
#include "cmd/dump.h"
#include "cmd/fetching.h"
#include "cmd/header_text.h"
#include "cmd/losses.h"
#include "cmd/script/engine_run.h"
#include "cmd/script/shipped.h"
#include "cmd/script/xed.h"
#include "cmd/style_words.h"
#include "perfdata/info.h"

#define NO_MAX_STACK INT_MIN /* not given */
enum { EXIT_FAILED = 255, DEFAULT_MAX_STACK = 127, MAPPED_MIN = 256 << 10 };

/* ------------------------------------------------------------------ options */

static int parse_fields(const struct opt *o UNUSED, void *target, const char *arg, bool unset,
			struct err *e)
{
	if (unset || !arg)
		return 0;
	return fields_parse(target, arg, e);
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

/* Accepted because scripts for newer perfs pass it; nothing depends on it. */
static int parse_ignored(const struct opt *o UNUSED, void *target UNUSED, const char *arg UNUSED,
			 bool unset UNUSED, struct err *e UNUSED)
{
	return 0;
}

/* By itself for callers from copied stacks; asked for, of all chains. */
static int parse_inline(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
			bool unset, struct err *e UNUSED)
{
	enum script_inlines *inlines = target;

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
		return fields_parse(&opts->fields, trace_views[i].fields, e);
	}
	return 0;
}

#define UNSUPPORTED(s, l, a, h, f)                                                                 \
	OPT_CALL_F(s, l, struct script_opts, itrace, a, h, parse_unsupported, f)

static const struct opt script_table[] = {
	OPT_BOOL('D', "dump-raw-trace", struct script_opts, dump, "dump raw trace in ASCII"),
	OPT_BOOL(0, "dump-unsorted-raw-trace", struct script_opts, dump,
		 "dump unsorted raw trace in ASCII"),
	OPT_INCR('v', "verbose", struct script_opts, verbose,
		 "be more verbose (show symbol address, etc)"),
	OPT_BOOL('L', "Latency", struct script_opts, latency,
		 "show latency attributes (irqs/preemption disabled, etc)"),
	OPT_BOOL('l', "list", struct script_opts, list_scripts, "list available scripts"),
	OPT_STR('s', "script", struct script_opts, script_name, "name",
		"script file name (lang:script name, script name, or *)"),
	OPT_STR('g', "gen-script", struct script_opts, gen_script, "lang",
		"generate perf-script.xx script in specified language"),
	OPT_STR('i', "input", struct script_opts, input, "file", "input file name"),
	OPT_BOOL('d', "debug-mode", struct script_opts, debug_mode,
		 "do various checks like samples ordering and lost events"),
	OPT_CALL_F(0, "header", struct script_opts, header, NULL, "Show data header.", parse_header,
		   OPT_NOARG),
	OPT_BOOL(0, "header-only", struct script_opts, header_only, "Show only data header."),
	OPT_STR('k', "vmlinux", struct script_opts, dso.vmlinux, "file", "vmlinux pathname"),
	OPT_STR(0, "kallsyms", struct script_opts, dso.kallsyms, "file", "kallsyms pathname"),
	OPT_BOOL('m', "modules", struct script_opts, dso.load_modules,
		 "load module symbols - WARNING: use only with -k and LIVE kernel"),
	OPT_BOOL(0, "ignore-vmlinux", struct script_opts, dso.ignore_vmlinux,
		 "don't load vmlinux even if found"),
	OPT_BOOL('G', "hide-call-graph", struct script_opts, hide_chain,
		 "When printing symbols do not display call chain"),
	OPT_STR(0, "symfs", struct script_opts, dso.symfs, "directory",
		"Look for files with symbols relative to this directory"),
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
	OPT_STR('C', "cpu", struct script_opts, cpus, "cpu", "list of cpus to profile"),
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
	OPT_BOOL(0, "show-on-off-events", struct script_opts, switches.show,
		 "Show the on/off switch events, used with --switch-on and --switch-off"),
	OPT_BOOL(0, "per-event-dump", struct script_opts, per_event_dump,
		 "Dump trace output to files named by the monitored events"),
	OPT_BOOL('f', "force", struct script_opts, force, "don't complain, do it"),
	OPT_BOOL(0, "ns", struct script_opts, ns, "Use 9 decimal places when displaying time"),
	OPT_STR(0, "time", struct script_opts, time, "str", "Time span of interest (start,stop)"),
	OPT_CALL_F(0, "inline", struct script_opts, inlines, NULL, "Show inline function",
		   parse_inline, OPT_NOARG),
	OPT_BOOL(0, "full-source-path", struct script_opts, full_source_path,
		 "Show full source file name path for source lines"),
	OPT_CALL(0, "addr2line", struct script_opts, verbose, "path",
		 "accepted for scripts: perf reads source lines by itself", parse_ignored),
	OPT_CALL(0, "addr2line-style", struct script_opts, verbose, "addr2line style",
		 "accepted for scripts: perf reads source lines by itself", style_parse_lines),
	OPT_CALL(0, "unwind-style", struct script_opts, verbose, "unwind style",
		 "accepted for scripts: perf finds callers by itself", style_parse_unwind),
	OPT_BOOL(0, "demangle-kernel", struct script_opts, dso.demangle_kernel,
		 "Enable kernel symbol demangling"),
	OPT_BOOL(0, "no-demangle", struct script_opts, dso.no_demangle,
		 "Disable symbol demangling"),
	OPT_STR(0, "graph-function", struct script_opts, graph_function, "symbol[,symbol...]",
		"Only print symbols and callees with --call-trace/--call-ret-trace"),
	OPT_STR(0, "switch-on", struct script_opts, switches.on, "event",
		"Consider events after the ocurrence of this event"),
	OPT_STR(0, "switch-off", struct script_opts, switches.off, "event",
		"Stop considering events after the ocurrence of this event"),
	OPT_CALL_F(0, "itrace", struct script_opts, traces, "opts", "Instruction Tracing options",
		   parse_traces, OPT_OPTARG),
	OPT_CALL_F(0, "call-trace", struct script_opts, traces, NULL, "Decode calls from itrace",
		   parse_traces, OPT_NOARG),
	OPT_CALL_F(0, "call-ret-trace", struct script_opts, traces, NULL,
		   "Decode calls and returns from itrace", parse_traces, OPT_NOARG),
	OPT_CALL_F(0, "insn-trace", struct script_opts, traces, "raw",
		   "Decode instructions from itrace", parse_traces, OPT_OPTARG),
	OPT_BOOL(0, "xed", struct script_opts, xed, "Run xed disassembler on output"),
	OPT_U64(0, "max-blocks", struct script_opts, max_blocks, "n",
		"Maximum number of code blocks to dump with brstackinsn"),
	OPT_BOOL(0, "stitch-lbr", struct script_opts, stitch_lbr,
		 "Enable LBR callgraph stitching approach"),
	UNSUPPORTED(0, "dlfilter", "file", "filter .so file name", 0),
	UNSUPPORTED(0, "dlarg", "argument", "filter argument", 0),
	UNSUPPORTED(0, "list-dlfilters", NULL, "list available dlfilters", OPT_NOARG),
	OPT_STR(0, "guestmount", struct script_opts, dso.guest.mount, "directory",
		"guest mount directory under which every guest os instance has a subdir"),
	OPT_STR(0, "guestvmlinux", struct script_opts, dso.guest.vmlinux, "file",
		"file saving guest os vmlinux"),
	OPT_STR(0, "guestkallsyms", struct script_opts, dso.guest.kallsyms, "file",
		"file saving guest os /proc/kallsyms"),
	OPT_STR(0, "guestmodules", struct script_opts, dso.guest.modules, "file",
		"file saving guest os /proc/modules"),
	OPT_CALL_F(0, "guest-code", struct script_opts, traces, NULL,
		   "Guest code can be found in hypervisor process (for traces alone)", parse_traces,
		   OPT_NOARG),
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

/* ------------------------------------------------------------------ plans */

static unsigned int frame_form(const struct script *s, u64 fields)
{
	return (fields & FIELD_BIT(SYM) ? FORM_SYM : 0) |
	       (fields & FIELD_BIT(SYMOFF) ? FORM_SYMOFF : 0) |
	       (fields & FIELD_BIT(DSO) ? FORM_DSO : 0) |
	       (fields & FIELD_BIT(DSOFF) ? FORM_DSOFF : 0) |
	       (fields & FIELD_BIT(SRCLINE) ? FORM_SRCLINE : 0) |
	       (s->o.kernel_path ? FORM_KERNEL_PATH : 0) | (s->terminal ? FORM_ESCAPE : 0);
}

static void plan_event(struct script *s, const struct perfdata_event *ev, size_t width,
		       struct event_plan *p)
{
	const struct tracefmt_set *formats = NULL;
	struct strbuf name = STRBUF_INIT;
	struct strbuf label = STRBUF_INIT;

	p->fields = s->o.fields.type[fields_type(&ev->attr)].fields;
	p->form = frame_form(s, p->fields);
	p->chain = ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !s->o.hide_chain;
	p->inlines = s->o.inlines == INLINES_OF_ALL ||
		     (s->o.inlines == INLINES_OF_COPIES && ev->attr.sample_stack_user);
	if (ev->attr.type == PERF_TYPE_TRACEPOINT && p->fields & FIELD_BIT(TRACE))
		formats = session_tracefmt(s->session);
	p->format = formats ? tracefmt_by_id(formats, ev->attr.config) : NULL;
	if (s->terminal)
		strbuf_add_escaped(&name, ev->name);
	else
		strbuf_add_one_line(&name, ev->name);
	strbuf_add_aligned(&label, name.buf, (int)width);
	strbuf_add(&label, ": ", 2);
	p->label_len = label.len;
	p->label = strbuf_detach(&label);
	strbuf_release(&name);
}

static struct plan_table *make_plans(struct script *s, struct plan_table *older, struct err *e)
{
	struct plan_table *t = XNEW(struct plan_table);
	size_t width = 0;

	t->nr = perfdata_nr_events(s->file);
	t->v = XNEW_ARRAY(struct event_plan, t->nr + 1);
	t->older = older;
	/* as perf: counts have no fields that could be missing */
	if (!info_has(perfdata_info(s->file), FEAT_STAT) &&
	    fields_check(&s->o.fields, s->file, s->has_clock, s->o.hide_chain, e) < 0) {
		free(t->v);
		free(t);
		return NULL;
	}
	for (size_t i = 0; i < t->nr; i++)
		width = MAX(width, strlen(perfdata_event(s->file, i)->name));
	for (size_t i = 0; i < t->nr; i++)
		plan_event(s, perfdata_event(s->file, i), width, &t->v[i]);
	return t;
}

static void learn_clock(struct script *s)
{
	const struct perfdata_info *info = perfdata_info(s->file);

	s->has_clock = info_has(info, FEAT_CLOCK_DATA);
	s->clock_offset = (s64)(info->wall_clock_ns - info->clock_ns);
}

/* NULL after a failure, which is kept in s->failure. */
static struct event_plan *plan_of(struct script *s, const struct perfdata_event *ev)
{
	struct plan_table *t = atomic_load_explicit(&s->plans, memory_order_acquire);

	if (LIKELY(t && ev->index < t->nr))
		return &t->v[ev->index];
	pthread_mutex_lock(&s->lock);
	t = s->plans;
	if (!s->failed && (!t || ev->index >= t->nr)) {
		learn_clock(s);
		struct plan_table *more = make_plans(s, t, &s->failure);

		s->failed = !more;
		if (more)
			atomic_store_explicit(&s->plans, more, memory_order_release);
		t = more;
	}
	pthread_mutex_unlock(&s->lock);
	return t && ev->index < t->nr ? &t->v[ev->index] : NULL;
}

static void free_plans(struct script *s)
{
	for (struct plan_table *t = s->plans, *older; t; t = older) {
		older = t->older;
		for (size_t i = 0; i < t->nr; i++) {
			free(t->v[i].label);
			free(t->v[i].dump_path);
		}
		free(t->v);
		free(t);
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
static void dump_place(struct script *s, struct session_worker *w, struct script_worker *sw,
		       const struct session_record *r, struct strbuf *out)
{
	struct location loc;

	frames_locate(sw->frames, w, &r->site, r->sample->cpumode, r->sample->ip, &loc);
	const struct dso *d = dso_table_get(s->dsos, loc.dso);

	dump_site(out, model_str(s->model, r->site.comm), r->sample->tid,
		  d ? dso_long_name(d) : NULL);
}

static bool open_event_dump(struct script *s, struct event_plan *p, const char *event)
{
	if (p->dump)
		return true;
	p->dump_path = xasprintf("%s.%s.dump", perfdata_path(s->file), event);
	p->dump = output_file_stream(p->dump_path, &s->failure);
	if (p->dump)
		return true;
	s->failed = true;
	return false;
}

/* Lines of the sample before; what this one counts. */
static void add_metric(struct script *s, struct script_worker *sw, const struct event_plan *p,
		       const struct session_record *r, struct strbuf *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	const struct sample *smp = r->sample;
	const struct line_start start = { .fields = p->fields,
					  .chain = p->chain,
					  .pid = smp->pid,
					  .tid = smp->tid,
					  .cpu = smp->cpu,
					  .time = r->time };

	script_add_start(s, sw, r, &start, &text);
	metric_add(s->metric, r, text.buf, text.len, out);
}

/* One sample of one event: filter it and add its text. */
static bool show_sample(struct script *s, struct session_worker *w, struct script_worker *sw,
			const struct session_record *r, struct strbuf *out)
{
	struct event_plan *p = plan_of(s, r->event);

	if (!p)
		return false;
	if (s->o.dump && r->left_out != LEFT_OUT_BY_TIME && !s->o.debug_mode)
		dump_place(s, w, sw, r, out);
	if (r->left_out || s->o.debug_mode || !p->fields || s->o.graph_function ||
	    (s->filters && (!script_pass_thread(s, r) || !script_pass_code(s, w, sw, r) ||
			    event_switch_skips(&s->o.switches, r->event))))
		return true;
	if (p->fields & FIELD_BIT(METRIC) && !s->o.per_event_dump)
		add_metric(s, sw, p, r, out);
	size_t start = out->len;

	script_add_sample(s, w, sw, p, r, out);
	if (!s->o.per_event_dump)
		return true;
	if (!open_event_dump(s, p, r->event->name))
		return false;
	fwrite(out->buf + start, 1, out->len - start, p->dump);
	p->nr_dumped++;
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

	if (ret > 0)
		counts_add_text(s->counts, s->file, time, s->terminal, out);
	s->failed = ret < 0;
	return ret >= 0;
}

static bool on_record(void *ctx, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, struct strbuf *out)
{
	struct script *s = ctx;
	struct script_worker *sw = &s->workers[worker];

	if (s->header_due && r->h->type < PERF_RECORD_USER_TYPE_START)
		add_late_header(s, out);
	if (s->o.dump)
		dump(s, r, out);
	if (!r->sample) {
		if (s->has_counts && !r->again && !s->failed && !show_counts(s, r, out))
			return false;
		const struct event_plan *p = s->show_records && r->event ? plan_of(s, r->event)
									 : NULL;

		if (s->show_records && (p || !r->event))
			script_add_record(s, w, sw, p, r, out);
		return true;
	}
	return show_sample(s, w, sw, r, out);
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
	struct plan_table *t = s->plans;

	for (size_t i = 0; t && i < t->nr; i++) {
		struct event_plan *p = &t->v[i];

		if (!p->dump)
			continue;
		long size = ftell(p->dump);

		if (fclose(p->dump))
			log_error("cannot write '%s'", p->dump_path);
		else
			printf("[ perf script: Wrote %.3f MB %s (%llu samples) ]\n",
			       (double)size / 1024 / 1024, p->dump_path,
			       (unsigned long long)p->nr_dumped);
	}
}

static bool needs_order(const struct script *s)
{
	if (s->o.show_task || s->o.reltime || s->o.deltatime || s->o.per_event_dump ||
	    event_switch_used(&s->o.switches))
		return true;
	const struct plan_table *t = s->plans;

	for (size_t i = 0; t && i < t->nr; i++)
		if (script_plan_orders(&t->v[i]))
			return true;
	return !t; /* a stream: what it has is not known yet */
}

/* Lost records make what is shown incomplete: say so, as perf does. */
static void tell_losses(const struct script *s)
{
	const struct session_stats *st = session_stats(s->session);
	u64 events = 0;

	if (perfdata_damage(s->file)->first[0])
		log_warn("%s", perfdata_damage(s->file)->first);
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

static void make_workers(struct script *s)
{
	const struct frames_opts fo = { .dsos = s->dsos,
					.stop = s->stop_names.v,
					.nr_stop = s->stop_names.nr,
					.full_source_path = s->o.full_source_path };

	s->workers = XNEW_ARRAY(struct script_worker, session_workers(s->session));
	for (unsigned int i = 0; i < session_workers(s->session); i++) {
		s->workers[i].frames = frames_new(&fo);
		s->workers[i].chains = chains_new(s->workers[i].frames, s->max_stack);
		s->workers[i].insns = insns_new();
		s->workers[i].scratch = (struct strbuf)STRBUF_INIT;
	}
}

static void free_workers(struct script *s)
{
	for (unsigned int i = 0; s->workers && i < session_workers(s->session); i++) {
		chains_free(s->workers[i].chains);
		frames_free(s->workers[i].frames);
		insns_free(s->workers[i].insns);
		strbuf_release(&s->workers[i].scratch);
	}
	free(s->workers);
}

/* A file tells its events at once; those of a stream come later. */
/* Every event gets its file, also one without samples. */
static bool open_event_dumps(struct script *s)
{
	struct plan_table *t = s->plans;

	for (size_t i = 0; s->o.per_event_dump && t && i < t->nr; i++)
		if (!open_event_dump(s, &t->v[i], perfdata_event(s->file, i)->name))
			return false;
	return true;
}

/* -C needs to know where a sample was taken. */
static int check_cpus(const struct script *s, struct err *e)
{
	for (size_t i = 0; s->o.cpus && i < perfdata_nr_events(s->file); i++)
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

static int show_samples(struct script *s, struct err *e)
{
	const struct script_opts *o = &s->o;
	struct session_consumer c = {
		.order = SESSION_ORDERED,
		.ctx = s,
		.record = on_record,
		.emit = on_text,
	};

	s->show_records = o->show_task || o->show_mmap || o->show_switch || o->show_namespace ||
			  o->show_lost || o->show_round || o->show_bpf || o->show_cgroup ||
			  o->show_text_poke || !o->merge_chains;
	learn_clock(s);
	s->header_due = o->header && perfdata_is_pipe(s->file);
	if (o->header && !s->header_due)
		print_header(s);
	if (perfdata_nr_events(s->file) && !perfdata_is_pipe(s->file)) {
		s->plans = make_plans(s, NULL, e);
		if (!s->plans)
			return -1;
	}
	if (check_cpus(s, e) < 0 || event_switch_start(&s->o.switches, s->file, e) < 0)
		return -1;
	if (!open_event_dumps(s)) {
		*e = s->failure;
		return -1;
	}
	s->filters = s->pids.nr || s->tids.nr || s->comms.nr || s->filter_symbols ||
		     event_switch_used(&o->switches);
	s->has_counts = perfdata_is_pipe(s->file) || info_has(perfdata_info(s->file), FEAT_STAT);
	c.all_records = s->show_records || o->dump || s->has_counts;
	c.serial = needs_order(s) || s->has_counts || o->stitch_lbr;
	c.all_records |= s->header_due;
	fflush(stdout);
	s->source_code = source_code_new();
	make_workers(s);
	s->metric = metric_new();
	int ret = session_run(s->session, &c, e);

	print_last_metric(s);
	free_workers(s);
	finish_dumps(s);
	if (s->failed) {
		*e = s->failure;
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

static bool wants_machines(const struct script_opts *o)
{
	bool any = false;

	for (unsigned int i = 0; i < TYPE_NR; i++)
		any |= (o->fields.type[i].fields & MACHINE_FIELDS) != 0;
	return any;
}

static int script_open(struct script *s, struct err *e)
{
	struct script_opts *o = &s->o;
	struct session_opts so = {
		.input = { .path = o->input ? o->input : default_input(), .force = o->force },
		.dso = o->dso,
		.time = o->header_only ? NULL : o->time,
		.cpus = o->cpus,
		.max_stack = o->max_stack > 0 ? (u32)o->max_stack : 0,
		.unwind = !o->hide_chain,
		.guesses = !o->script_name,
		.lbr = true,
		.stitch_lbr = o->stitch_lbr,
		.tell_left_out = o->dump,
		.deferred_apart = !o->merge_chains || o->dump,
	};

	so.dso.force = o->force;
	so.dso.demangle_params = o->verbose > 0;
	s->terminal = isatty(STDOUT_FILENO) || pager_in_use();
	s->max_stack = default_max_stack(o);
	pthread_mutex_init(&s->lock, NULL);
	if (script_filters_init(s, e) < 0 || session_open(&s->session, &so, e) < 0)
		return -1;
	s->file = session_file(s->session);
	if (o->traces && info_has(perfdata_info(s->file), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP,
			       "--%s is not supported yet: hardware traces are not decoded",
			       o->traces);
	s->model = session_model(s->session);
	s->dsos = session_dsos(s->session);
	return wants_machines(o) ? machines_read(&s->machines, s->file, e) : 0;
}

static int check_opts(const struct script_opts *o, struct err *e)
{
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
	s->filters = s->pids.nr || s->tids.nr || s->comms.nr || s->filter_symbols ||
		     event_switch_used(&s->o.switches);
	make_workers(s);
	int ret = engine_run(s, script, argc, argv, e);

	free_workers(s);
	return ret;
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
		shipped_list(engine_exec_path());
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
	int code = shipped_run(engine_exec_path(), o->all_cpus, argc, argv, &e);

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
	struct fetching fetching;
	struct err e = ERR_INIT;

#ifdef __GLIBC__
	/* Arrays grow in place then, and what was large goes back when it is freed. */
	mallopt(M_MMAP_THRESHOLD, MAPPED_MIN);
#endif
	s->o.max_stack = NO_MAX_STACK;
	s->o.merge_chains = true;
	fields_init(&s->o.fields);
	accept_old_fields(argc, argv);
	if (dso_settings_apply(config, &s->o.dso)) {
		free(s);
		return EXIT_FAILED;
	}
	argc = opts_parse(script_table, &s->o, argc, argv, script_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0) {
		free(s);
		return EXIT_USAGE;
	}
	if (s->o.verbose)
		log_set_verbosity(s->o.verbose);
	int code = run_apart(&s->o, argc, argv);

	if (code >= 0) {
		free(s);
		return code;
	}
	int ret = check_opts(&s->o, &e);

	const char *urls = config_get(config, "buildid-cache.debuginfod");

	fetching_init(&fetching, urls ? urls : "system", &s->o.dso.fetch);
	if (ret == 0)
		ret = s->o.script_name || s->o.gen_script ? engine_main(s, argc, argv, &e)
							  : script_main(s, &e);
	if (ret < 0)
		err_print(&e);
	free_plans(s);
	script_filters_release(s);
	map_release(&s->task_ids);
	counts_free(s->counts);
	source_code_free(s->source_code);
	vec_free(&s->tasks);
	fetching_finish(&fetching);
	session_close(s->session);
	machines_release(&s->machines);
	free(s);
	return ret < 0 ? EXIT_FAILED : 0;
}

static const char *script_value(const char *option, size_t i)
{
	return strcmp(option, "fields") ? NULL : script_field_name(i);
}

const struct command cmd_script = {
	.name = "script",
	.summary = "print the samples of a recording",
	.usage = script_usage,
	.opts = script_table,
	.run = script_run,
	.flags = CMD_PAGER,
	.settings = dso_settings_rows,
	.settings_size = sizeof(struct dso_settings),
	.value = script_value,
};
