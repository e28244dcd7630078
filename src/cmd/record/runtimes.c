/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runtimes: whether what is recorded is a runtime (Java) that compiles code without frame pointers,
 * as it was started. Looked up before the recording, told after it.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/rw.h"
#include "base/strbuf.h"
#include "cmd/record/record.h"
#include "dso/jit/runtimes.h"
#include "perfdata/info.h"
#include "sys/proc.h"

static const struct jit_runtime *runtime_of_maps(pid_t pid)
{
	const struct jit_runtime *jit = NULL;
	struct sys_maps_iter it;
	struct sys_proc proc;
	struct sys_map m;

	if (!sys_proc_init(&proc, NULL))
		return NULL;
	if (sys_proc_maps(&proc, pid, &it))
		while (!jit && sys_maps_next(&it, &m))
			if (m.prot & SYS_MAP_EXEC && m.path[0] == '/')
				jit = jit_of_file(m.path);
	sys_proc_release(&proc);
	return jit;
}

static const struct jit_runtime *without_frames(pid_t pid)
{
	static const char *const files[] = { "cmdline", "environ" };
	_cleanup_(strbuf_releasep) struct strbuf words = STRBUF_INIT;
	const struct jit_runtime *jit = runtime_of_maps(pid);
	char path[64];

	if (!jit || !jit->frames)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		if (rw_slurp(path, &words, NULL) < 0)
			return NULL;
		strbuf_addch(&words, '\0');
	}
	return jit_keeps_frames(jit, words.buf, words.len) ? NULL : jit;
}

static const struct jit_runtime *command_without_frames(const char *const *argv)
{
	_cleanup_(strbuf_releasep) struct strbuf words = STRBUF_INIT;
	const struct jit_runtime *jit = jit_of_file(argv[0]);

	if (!jit || !jit->frames)
		return NULL;
	for (size_t i = 1; argv[i]; i++) {
		strbuf_adds(&words, argv[i]);
		strbuf_addch(&words, '\0');
	}
	for (char **e = environ; *e; e++) {
		strbuf_adds(&words, *e);
		strbuf_addch(&words, '\0');
	}
	return jit_keeps_frames(jit, words.buf, words.len) ? NULL : jit;
}

static bool wants_chains(const struct record_opts *opts)
{
	bool any = opts->sampling.cfg.callgraph.mode > EVENT_CG_NONE;

	VEC_FOR(&opts->sampling.events.events, ev)
		any |= (*ev)->terms.stacks.mode > EVENT_CG_NONE;
	return any;
}

void record_look_at_runtimes(struct record_opts *opts, const struct capture_target *target,
			     const char *const *command)
{
	if (!wants_chains(opts) || opts->sampling.cfg.only_kernel_chain)
		return;
	if (target->workload)
		opts->frameless = command_without_frames(command);
	for (size_t i = 0; i < target->groups.nr && !opts->frameless; i++) {
		opts->frameless = without_frames(target->groups.v[i]);
		opts->frameless_pid = target->groups.v[i];
	}
	if (!opts->frameless)
		return;
	if (!opts->frameless_pid)
		*VEC_PUSH(&opts->sampling.code_notes) = xasprintf(
			INFO_STACKS_JIT "%s was started without %s", opts->frameless->name,
			opts->frameless->frames);
	else
		*VEC_PUSH(&opts->sampling.code_notes) = xasprintf(
			INFO_STACKS_JIT "%s (process %d) was started without %s",
			opts->frameless->name, opts->frameless_pid, opts->frameless->frames);
}

bool record_print_runtime(const struct record_opts *opts, const struct capture_result *r)
{
	enum { INCOMPLETE_SHARE = 10 };
	const struct unwind_stats *s = &r->stats.stacks;
	char pid[32] = "";

	if (!opts->frameless || !r->stats.samples)
		return false;
	if (s->stacks && (s->incomplete + s->guessed) * INCOMPLETE_SHARE <= s->stacks)
		return false;
	if (opts->frameless_pid)
		snprintf(pid, sizeof(pid), " (process %d)", opts->frameless_pid);
	fprintf(stderr,
		"warning: %s%s was started without %s: callers of its code cannot be followed\n"
		"hint: java %s ...\n",
		opts->frameless->name, pid, opts->frameless->frames, opts->frameless->flags);
	return true;
}
