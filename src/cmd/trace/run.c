/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace: of the running machine, of a recording, and into one. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/safe_file.h"
#include "capture/attr.h"
#include "cli/print_err.h"
#include "cmd/run_other.h"
#include "cmd/trace/trace.h"
#include "cmd/watching.h"
#include "sys/end_signals.h"
#include "trace/paths.h"

/* Live: how late lines may come. */
enum { ROUND_MS = 50, MAX_ALIGNMENT = 4096 };

/* How many more samples of an event are wanted (term nr=). */
struct trace_limit {
	bool known;
	u32 left; /* UINT32_MAX = any number */
};

struct trace_job {
	struct trace_opts *o;
	FILE *out;
	const struct capture_target *target; /* live */
	struct tracer *tracer;
	VEC(struct trace_limit) limits; /* by index of the event */
};

/* ------------------------------------------------------------------ what both have */

static FILE *open_output(const struct trace_opts *o, struct err *e)
{
	if (!o->output)
		return stderr;
	if (perfdata_keep_old(o->output, e) < 0)
		return NULL;
	return output_file_stream(o->output, e);
}

static int close_output(FILE *out, struct err *e)
{
	bool failed = fflush(out) || ferror(out);

	if (out != stderr && fclose(out))
		failed = true;
	return failed ? err_sys(e, errno, "the trace could not be written") : 0;
}

static bool write_lines(void *ctx, const char *text, size_t len)
{
	struct trace_job *r = ctx;

	return fwrite(text, 1, len, r->out) == len && !fflush(r->out);
}

static bool wants_call(void *ctx, const struct trace_syscall *s)
{
	struct trace_job *r = ctx;

	return trace_selection_wants(&r->o->selection, s);
}

static u32 limit_of(const struct trace_opts *o, const struct perfdata_event *ev)
{
	VEC_FOR(&o->sampling.events.events, e)
		if ((*e)->terms.nr && !strcmp((*e)->name, ev->name))
			return (*e)->terms.nr;
	return UINT32_MAX;
}

/* Whether as many samples of the event have come as nr= says; counts this one. */
static bool is_enough(struct trace_job *r, const struct perfdata_event *ev)
{
	struct trace_limit *limit;

	while (r->limits.nr <= ev->index)
		*VEC_PUSH(&r->limits) = (struct trace_limit){ .known = false };
	limit = &r->limits.v[ev->index];
	if (!limit->known)
		*limit = (struct trace_limit){ true, limit_of(r->o, ev) };
	if (limit->left == UINT32_MAX)
		return false;
	if (!limit->left)
		return true;
	limit->left--;
	return false;
}

static bool skips_sample(void *ctx, const struct perfdata_event *ev)
{
	struct trace_job *r = ctx;

	return event_switch_skips(&r->o->switches, ev) || is_enough(r, ev);
}

static void thread_ended(void *ctx, u32 tid)
{
	struct trace_job *r = ctx;

	trace_stats_ended(r->o, r->tracer, tid);
}

static bool has_limits(const struct trace_opts *o)
{
	VEC_FOR(&o->sampling.events.events, ev)
		if ((*ev)->terms.nr)
			return true;
	return false;
}

static struct tracer_opts tracer_options(struct trace_job *r, struct session *s)
{
	const struct trace_opts *o = r->o;

	return (struct tracer_opts){
		.session = s,
		.lines = !o->summary,
		.sums = (o->summary || o->with_summary) && !o->stats,
		.by_error = o->errno_summary,
		.by_time = o->hist,
		.syscalls = o->trace_syscalls,
		.full_time = o->full_time,
		.no_time = !o->show_time,
		.no_duration = !o->show_duration,
		.zeros = o->show_zeros,
		.no_comm = !o->show_comm,
		.no_arg_names = !o->show_arg_names,
		.full_names = o->show_prefix,
		.result_column = (u32)MIN(o->args_alignment - !!o->args_alignment,
					  (u64)MAX_ALIGNMENT),
		.touched = (const char *const *)o->touched.v,
		.nr_touched = o->touched.nr,
		.show_cpu = o->show_cpu,
		.failures = o->failures,
		.min_time = (u64)(o->duration * 1e6 + 0.5),
		.max_events = o->max_events,
		.stacks = o->has_stacks,
		.kernel_stacks = o->kernel_stacks,
		.min_stack = (u32)MIN(o->min_stack, (u64)UINT32_MAX),
		.max_stack = (u32)MIN(o->max_stack, (u64)UINT32_MAX),
		.by_program = o->program != NULL,
		.layouts = o->layouts,
		.plain_layouts = o->force_btf,
		.print_fmt = o->print_fmt,
		.bit_lists = o->bit_lists,
		.show_sample = o->print_sample,
		.wants = o->selection.words.nr ? wants_call : NULL,
		.skips = event_switch_used(&o->switches) || has_limits(o) ? skips_sample : NULL,
		.ended = o->stats ? thread_ended : NULL,
		.write = write_lines,
		.ctx = r,
	};
}

/* How files of descriptors were found; the words are those of other perfs. NULL: nothing was
 * looked for. */
static void print_tool_stats(const struct trace_paths *paths, FILE *out)
{
	struct trace_path_counts n = { 0 };

	if (paths)
		n = trace_paths_counts(paths);
	fprintf(out, "Stats:\n  vfs_getname : %llu\n proc_getname: %llu\n",
		(unsigned long long)n.seen, (unsigned long long)n.read);
}

/* The session is traced, and told what came of it. */
static int trace_session(struct trace_job *r, const struct tracer_opts *to, struct err *e)
{
	struct tracer *t = tracer_new(to, e);
	int ret;

	if (!t)
		return -1;
	r->tracer = t;
	ret = tracer_run(t, e);
	if (!ret && r->o->stats)
		trace_stats_read(r->o, t);
	if (!ret && (r->o->summary || r->o->with_summary))
		trace_print_summary(r->o, t, r->out);
	if (!ret && r->o->tool_stats)
		print_tool_stats(to->paths, r->out);
	tracer_free(t);
	return ret;
}

static void tell_lost(struct session *s)
{
	const struct session_stats *st = session_stats(s);
	u64 lost = st->lost_events ? st->lost_events : st->lost_samples;

	if (!lost)
		return;
	log_warn("%llu events were lost: the trace has gaps", (unsigned long long)lost);
	log_hint("larger buffers help (-m 8M), and fewer calls (-e)");
}

/* ------------------------------------------------------------------ a recording */

int trace_recorded(struct trace_opts *o)
{
	struct trace_job r = { .o = o };
	struct err e = ERR_INIT;
	struct tracer_opts to;
	int ret;

	o->rec.opts.input.path = o->input;
	o->rec.opts.max_stack = (u32)MIN(o->max_stack, (u64)UINT32_MAX);
	o->rec.opts.unwind = true;
	o->has_stacks = true;
	o->trace_syscalls = o->trace_syscalls || !o->syscalls_given;
	ret = recording_open(&o->rec, &e);
	if (!ret)
		ret = event_switch_start(&o->switches, session_file(o->rec.session), &e);
	if (!ret) {
		r.out = open_output(o, &e);
		ret = r.out ? 0 : -1;
	}
	if (!ret) {
		to = tracer_options(&r, o->rec.session);
		to.stacks = perfdata_has_sample_type(session_file(o->rec.session),
						     PERF_SAMPLE_CALLCHAIN);
		ret = trace_session(&r, &to, &e);
		if (close_output(r.out, ret ? &(struct err)ERR_INIT : &e) && !ret)
			ret = -1;
	}
	if (ret)
		err_print(&e);
	else
		recording_tell(&o->rec);
	if (!ret)
		tell_lost(o->rec.session);
	return recording_close(&o->rec) || ret ? TRACE_FAILED : 0;
}

/* ------------------------------------------------------------------ the running machine */

static int add_event(struct trace_opts *o, const char *name, struct event **ev, struct err *e)
{
	struct event_error ee = { 0 };

	if (event_parse(&o->sampling.events, name, &o->sampling.env, &ee)) {
		err_set(e, EINVAL, "perf trace cannot use %s: %s", name, ee.text);
		if (geteuid())
			err_hint(e, "tracepoints are root's: sudo mount -o remount,mode=755 "
				    "/sys/kernel/tracing");
		return -1;
	}
	*ev = *VEC_LAST(&o->sampling.events.events);
	return 0;
}

static int add_syscall_events(struct trace_opts *o, bool everybody, struct err *e)
{
	static const char *const names[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };
	_cleanup_(strbuf_releasep) struct strbuf filter = STRBUF_INIT;
	struct event *ev;

	trace_selection_filter(o, everybody, &filter);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (add_event(o, names[i], &ev, e))
			return -1;
		if (filter.len)
			ev->filter = xstrdup(filter.buf);
		/* callers are the same when it returns */
		if (!i)
			ev->terms.stacks.mode = EVENT_CG_NONE;
	}
	return 0;
}

static int add_fault_events(struct trace_opts *o, struct err *e)
{
	static const struct {
		const char *name;
		enum trace_faults not_of;
	} rows[] = { { "major-faults", FAULTS_MINOR }, { "minor-faults", FAULTS_MAJOR } };
	struct event *ev;

	for (size_t i = 0; o->faults && i < ARRAY_SIZE(rows); i++) {
		if (o->faults == rows[i].not_of)
			continue;
		if (add_event(o, rows[i].name, &ev, e))
			return -1;
		ev->terms.has_period = true;
		ev->terms.period = 1;
	}
	o->sampling.cfg.addr = o->sampling.cfg.addr || o->faults;
	o->sampling.cfg.data_maps = o->sampling.cfg.data_maps || o->faults;
	return 0;
}

/* Whether perf itself would be among those that are traced. */
static bool is_everybody(const struct sampling *s)
{
	return s->system_wide || s->cpus || s->uid;
}

static void tell_pointers(const struct err *why)
{
	if (why->text[0])
		log_warn("strings and structures are shown as pointers: %s", why->text);
	if (why->hint[0])
		log_hint("%s", why->hint);
}

static int add_events(struct trace_opts *o, const struct capture_target *target, struct err *e)
{
	bool everybody = is_everybody(&o->sampling);
	struct err why = ERR_INIT;
	struct event *ev;

	if (o->bpf_summary && (trace_stats_open(o, target, everybody, e) < 0 || !o->with_summary))
		return o->stats ? 0 : -1;
	if (o->summary && trace_stats_can(o, target)) {
		if (trace_stats_open(o, target, everybody, e) == 0)
			return 0;
		*e = (struct err)ERR_INIT;
	}
	if (o->trace_syscalls && !trace_program_open(o, target, everybody, &why)) {
		if (add_syscall_events(o, everybody, e))
			return -1;
		tell_pointers(&why);
	}
	if (o->touched.nr && !o->program)
		return err_set(e, ENOTSUP, "-P needs a BPF program that reads names of files%s",
			       o->cgroup ? ", which knows no control groups (--cgroup)" : "");
	/* names of enums in their fields */
	if (!o->layouts && o->sampling.events.events.nr)
		o->layouts = trace_layouts_new(NULL, &(struct err)ERR_INIT);
	if (add_fault_events(o, e))
		return -1;
	if (o->sched && add_event(o, "sched:sched_stat_runtime", &ev, e))
		return -1;
	if (o->cgroup)
		return event_args_cgroup(&o->sampling.events, o->cgroup, e);
	return 0;
}

/* Whether lines need not tell whose they are. */
static bool is_one_task(const struct capture_target *t)
{
	return !t->cpu_wide && !t->workload && t->tasks.nr == 1;
}

/* Whether each call that changes what a process's descriptors are is seen. */
static bool sees_files(const struct trace_opts *o)
{
	return trace_sees_processes(o) && (!o->selection.words.nr || o->follows_files);
}

static int run_live(void *ctx, struct capture *c UNUSED, struct source *live, struct err *e)
{
	struct trace_job *r = ctx;
	struct session_opts so = { .source = live, .unwind = true, .lbr = true };
	struct trace_paths *paths = trace_paths_new(sees_files(r->o));
	struct session *s;
	struct tracer_opts to;
	int ret;

	so.max_stack = (u32)MIN(r->o->max_stack, (u64)UINT32_MAX);
	if (session_open(&s, &so, e) < 0) {
		trace_paths_free(paths);
		return -1;
	}
	to = tracer_options(r, s);
	to.no_task = is_one_task(r->target);
	to.paths = paths;
	to.not_pid = is_everybody(&r->o->sampling) ? (u32)getpid() : 0;
	ret = trace_session(r, &to, e);
	if (live_wait(live, e) < 0)
		ret = -1;
	if (!ret)
		tell_lost(s);
	session_close(s);
	trace_paths_free(paths);
	return ret;
}

static int on_prepared(void *ctx, struct capture *c, struct err *e)
{
	struct trace_job *r = ctx;

	if (r->o->stats)
		trace_stats_begin(r->o, r->target);
	return r->o->program ? trace_program_begin(r->o, c, e) : 0;
}

static void set_up(struct trace_opts *o)
{
	struct capture_config *c = &o->sampling.cfg;

	c->to_pipe = true;
	c->round_ms = ROUND_MS;
	c->deep_rings = true;
	c->cpu_field = true;
	c->delay_ms = o->delay;
	c->only_user_chain = o->has_stacks && !o->kernel_stacks && !o->sampling.events.events.nr;
	c->synth = o->has_stacks || o->faults ? CAPTURE_SYNTH_ALL : CAPTURE_SYNTH_TASK;
}

/*
 * Two events for each call fill the rings within a tenth of a second, and where all CPUs make calls
 * a thread that waits that long for its turn loses some. As perf record does it with copies of
 * stacks: the user's own choice (nice) stands. Returns whether there is something to undo.
 */
static bool come_first(const struct trace_opts *o)
{
	enum { EARLIER = -15 };

	/* that of this thread, and of those that it starts; the command is there already */
	return !o->stats && !getpriority(PRIO_PROCESS, 0) && !setpriority(PRIO_PROCESS, 0, EARLIER);
}

int trace_live(struct trace_opts *o, const char *const *line, const char *const *command)
{
	struct capture_target target = { 0 };
	struct trace_job r = { .o = o, .target = &target };
	struct held_signals held = { 0 };
	struct workload w = { 0 };
	struct watching watching = { .sampling = &o->sampling,
				     .target = &target,
				     .workload = command ? &w : NULL,
				     .line = line,
				     .tee_fd = -1,
				     .prepared = on_prepared,
				     .run = run_live,
				     .ctx = &r };
	struct err e = ERR_INIT;
	int ret = TRACE_FAILED;
	bool first;

	sampling_choose_target(&o->sampling, command != NULL, &target);
	set_up(o);
	r.out = open_output(o, &e);
	if (!r.out) {
		err_print(&e);
		return TRACE_FAILED;
	}
	if (sampling_set_rate(&o->sampling)) {
		ret = TRACE_FAILED;
	} else if (sampling_resolve_target(&o->sampling, &target, &w, command, false, &e) < 0) {
		sampling_print_target_error(&o->sampling, &e);
	} else if (add_events(o, &target, &e) < 0) {
		err_print(&e);
	} else {
		if (o->has_stacks)
			sampling_choose_stacks(&o->sampling, &target, command ? *command : NULL);
		held_signals_begin(&held, 0);
		first = come_first(o);
		ret = watch_events(&watching) ? TRACE_FAILED : 0;
		if (first)
			setpriority(PRIO_PROCESS, 0, 0);
	}
	if (close_output(r.out, &e) && !ret) {
		err_print(&e);
		ret = TRACE_FAILED;
	}
	workload_stop(&w);
	capture_target_release(&target);
	trace_program_close(o);
	trace_stats_close(o);
	return ret;
}

/* ------------------------------------------------------------------ into a recording */

int trace_record(const struct config *config, int argc, const char **argv)
{
	static const char *const begin[] = { "-R", "-m", "1024", "-c", "1", NULL };
	static const struct recorded_event events[] = {
		{ { "raw_syscalls:sys_enter" }, true },
		{ { "raw_syscalls:sys_exit" }, true },
		{ { NULL }, false },
	};

	return run_record(config, begin, events, argc, argv);
}
