/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --call-graph auto: the cheapest way that gives whole stacks of what is going to be recorded.
 * Where all of its code keeps frame pointers, the kernel follows them; else the stack is copied and
 * unwound, with frame pointers where the copy or the unwind tables end.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/attr.h"
#include "dso/files.h"
#include "selection/sampling.h"
#include "sys/proc.h"
#include "unwind/frame_pointers.h"

enum { OBJECTS_MAX = 256 };

struct stacks_choice {
	struct sampling *sampling;
	struct dso_table *dsos;
	u32 seen; /* dsos that have been looked at */
	const char *why; /* copies are needed; NULL = not yet known to be */
};

/* Keeps a note for the file's header and prints it with -v. Takes the text over. */
static void note(struct stacks_choice *c, char *text)
{
	*VEC_PUSH(&c->sampling->code_notes) = text;
	if (c->sampling->verbose)
		fprintf(stderr, "call-graph auto: %s\n", text);
}

static void look_at(struct stacks_choice *c, const char *path, pid_t pid)
{
	static const char *const verdicts[] = {
		[FP_UNKNOWN] = "no function makes a frame",
		[FP_KEPT] = "keeps frame pointers",
		[FP_MIXED] = "keeps frame pointers in parts",
		[FP_LOST] = "has no frame pointers",
	};
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;
	struct dso_key key = { .name = path, .kind = DSO_USER, .pid = (u32)pid };
	dso_id id = dso_table_add(c->dsos, &key);
	struct frame_pointers fp;
	enum fp_verdict verdict;

	if (id <= c->seen)
		return;
	c->seen = id;
	if (!dso_open_runtime(dso_table_get(c->dsos, id), &f)) {
		c->why = "some of the code cannot be read";
		return;
	}
	frame_pointers_read(&f, NULL, FP_GLANCE, &fp);
	verdict = frame_pointers_verdict(&fp);
	if (verdict == FP_LOST || verdict == FP_MIXED)
		c->why = "some of the code has no frame pointers";
	note(c, xasprintf("%s %s (%u %% of %u functions)", path, verdicts[verdict],
			  frame_pointers_percent(&fp), fp.framed + fp.frameless));
}

static void look_at_process(struct stacks_choice *c, struct sys_proc *proc, pid_t pid)
{
	struct sys_maps_iter it;
	struct sys_map m;

	if (!sys_proc_maps(proc, pid, &it)) {
		c->why = "the mappings of a process cannot be read";
		return;
	}
	/* One object without frame pointers decides. Code without a file is left out: JIT compilers
	 * make it, which keep frame pointers or leave nothing to unwind by. */
	while (!c->why && sys_maps_next(&it, &m)) {
		if (!(m.prot & SYS_MAP_EXEC) || m.path[0] != '/')
			continue;
		if (c->seen == OBJECTS_MAX) {
			c->why = "there is too much code to look at";
			return;
		}
		look_at(c, m.path, pid);
	}
}

static bool has_loader(const char *path)
{
	_cleanup_(elf_close) struct elf_file f = ELF_FILE_INIT;

	/* a script, too, runs what is not known yet */
	if (elf_open(&f, path, NULL) < 0)
		return true;
	for (u32 i = 0; i < f.nr_segments; i++)
		if (f.segments[i].type == PT_INTERP)
			return true;
	return false;
}

/* A program that is not started yet: its libraries are not known. */
static void look_at_program(struct stacks_choice *c, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf path = STRBUF_INIT;
	const char *dir = strchr(name, '/') ? NULL : getenv("PATH");

	strbuf_adds(&path, name);
	for (size_t len; dir && *dir; dir += len + (dir[len] == ':')) {
		len = strcspn(dir, ":");
		strbuf_reset(&path);
		strbuf_addf(&path, "%.*s/%s", (int)len, dir, name);
		if (!access(path.buf, X_OK))
			break;
	}
	look_at(c, path.buf, 0);
	if (has_loader(path.buf))
		c->why = "a program's libraries are not known before it runs";
}

bool sampling_wants_choice(const struct sampling *s)
{
	bool any = s->cfg.callgraph.mode == EVENT_CG_AUTO;

	VEC_FOR(&s->events.events, ev)
		any |= (*ev)->terms.stacks.mode == EVENT_CG_AUTO;
	return any;
}

static void choose(struct event_stacks *stacks, bool copies)
{
	if (stacks->mode != EVENT_CG_AUTO)
		return;
	stacks->mode = copies ? EVENT_CG_DWARF : EVENT_CG_FP;
	stacks->frame_pointers = copies;
	stacks->watched = !copies;
}

void sampling_choose_stacks(struct sampling *s, const struct capture_target *target,
			    const char *program)
{
	const struct dso_config config = { .live = true, .buildid_dir = s->cfg.buildid_dir };
	struct stacks_choice c = { .sampling = s };
	const char *code = "all code keeps them";
	struct sys_proc proc;

	if (!sampling_wants_choice(s))
		return;
	c.dsos = dso_table_new(&config);
	if (s->cfg.only_kernel_chain) {
		code = "the user's part of chains is not wanted";
	} else if (target->cpu_wide || !sys_proc_init(&proc, NULL)) {
		c.why = "everything is recorded";
	} else {
		if (target->workload)
			look_at_program(&c, program);
		for (size_t i = 0; i < target->tasks.nr && !target->workload && !c.why; i++)
			look_at_process(&c, &proc, target->tasks.v[i]);
		sys_proc_release(&proc);
	}
	dso_table_free(c.dsos);
	if (!capture_all_user_regs() && c.why) {
		c.why = NULL;
		code = "no stacks are copied on this machine";
	}
	choose(&s->cfg.callgraph, c.why);
	VEC_FOR(&s->events.events, ev)
		choose(&(*ev)->terms.stacks, c.why);
	note(&c, xasprintf("%s: %s", c.why ? "copies of stacks" : "frame pointers",
			   c.why ? c.why : code));
	s->judged = true;
}
