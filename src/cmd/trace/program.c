/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf trace: calls as a program in the kernel tells them, with the memory of their arguments. */
#include <unistd.h>

#include "base/log.h"
#include "bpf/trace_args.h"
#include "cmd/trace/trace.h"
#include "trace/paths.h"
#include "trace/reads.h"

/* Whether one of the calls that are wanted has a descriptor, whose file is to be known. */
static bool shows_files(struct trace_opts *o, struct trace_syscalls *table)
{
	const struct trace_syscall *s;

	for (size_t i = 0; (s = trace_syscall_at(table, i)) != NULL; i++)
		for (unsigned int a = 0; a < s->nr_args; a++)
			if ((s->args[a].kind == KIND_FD || s->args[a].kind == KIND_DIR_FD) &&
			    trace_selection_wants(&o->selection, s))
				return true;
	return false;
}

static int set_rules(struct trace_opts *o, struct trace_syscalls *table, u32 from, struct err *e)
{
	/* the last stands for all beyond */
	for (u32 nr = 0; nr < CALL_NUMBERS; nr++) {
		const struct trace_syscall *s = trace_syscall(
			table, nr < CALL_NUMBERS - 1 ? nr : UINT32_MAX);
		struct call_rules rules;

		if (!trace_selection_wants(&o->selection, s) &&
		    !(o->follows_files && trace_call_changes_files(s)))
			continue;
		trace_call_rules(&rules, s, o->layouts);
		if (trace_args_rules(o->program, from + nr, &rules, e) < 0)
			return -1;
	}
	return 0;
}

static struct event *add_samples(struct trace_opts *o, const char *name)
{
	struct event *ev = event_list_add(&o->sampling.events, name, PERF_TYPE_SOFTWARE,
					  PERF_COUNT_SW_BPF_OUTPUT);

	ev->system_wide = true;
	ev->by_program = true;
	return ev;
}

static int open_program(struct trace_opts *o, const struct capture_target *target, bool everybody,
			struct err *e)
{
	const struct sampling *s = &o->sampling;
	trace_tids left_out = { 0 };
	struct trace_args_opts opts = {
		.tids = target->cpu_wide ? NULL : target->tasks.v,
		.nr_tids = target->cpu_wide ? 0 : target->tasks.nr,
		.children = !s->cfg.no_inherit && !target->by_tid,
		.on_exec = target->workload && !target->cpu_wide,
		.max_bytes = (u32)MIN(o->max_string, (u64)CALL_TEXT),
	};

	trace_left_out(o, everybody, &left_out);
	opts.not_tids = left_out.v;
	opts.nr_not_tids = left_out.nr;
	opts.not_pid = everybody && !o->filter_pids ? getpid() : 0;
	o->program = trace_args_new(&opts, e);
	vec_free(&left_out);
	if (!o->program)
		return -1;
	o->follows_files = trace_sees_processes(o) && shows_files(o, o->syscalls);
	o->layouts = trace_layouts_new(NULL, e);
	if (!o->layouts || set_rules(o, o->syscalls, 0, e) < 0)
		return -1;
	return o->compat ? set_rules(o, o->compat, CALL_COMPAT, e) : 0;
}

bool trace_program_open(struct trace_opts *o, const struct capture_target *target, bool everybody,
			struct err *why)
{
	/* it knows no cgroups, and sums need no memory of arguments, unless files are looked for */
	if (o->cgroup || (o->summary && !o->touched.nr) || target->per_thread)
		return false;
	if (open_program(o, target, everybody, why) < 0) {
		trace_program_close(o);
		return false;
	}
	o->enter = add_samples(o, "syscalls-enter");
	o->exit = add_samples(o, "syscalls-exit");
	/* callers are the same when it returns */
	o->enter->terms.stacks.mode = EVENT_CG_NONE;
	return true;
}

int trace_program_begin(struct trace_opts *o, const struct capture *c, struct err *e)
{
	int enter, leave;
	u32 cpu;

	for (size_t i = 0; capture_event_on(c, o->enter, i, &cpu, &enter) &&
			   capture_event_on(c, o->exit, i, &cpu, &leave);
	     i++)
		if (enter >= 0 && leave >= 0 &&
		    trace_args_events(o->program, cpu, enter, leave, e) < 0)
			return -1;
	return trace_args_begin(o->program, e);
}

void trace_program_close(struct trace_opts *o)
{
	u64 missing = o->program ? trace_args_unfollowed(o->program) : 0;

	if (missing)
		log_warn("%llu tasks were not traced: there were too many at a time",
			 (unsigned long long)missing);
	trace_args_free(o->program);
	trace_layouts_free(o->layouts);
	o->program = NULL;
	o->layouts = NULL;
}
