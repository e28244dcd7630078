/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/trace_args.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bpf/library.h"
#include "bpf/trace_args.skel.h"

static const char doing[] = "read what arguments point to";

struct trace_args {
	struct trace_args_bpf *bpf;
	bool on_exec;
};

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

static int load(struct trace_args *t, const struct trace_args_opts *o, struct err *e)
{
	int r;

	if (bpf_check_pids(doing, e) < 0 || bpf_check_types(doing, e) < 0)
		return -1;
	t->bpf = trace_args_bpf__open();
	if (!t->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	t->on_exec = o->on_exec;
	t->bpf->rodata->only_tids = o->nr_tids != 0;
	t->bpf->rodata->leaves_out = o->nr_not_tids != 0;
	t->bpf->rodata->not_pid = (u32)o->not_pid;
	t->bpf->rodata->max_bytes = MIN(o->max_bytes, (u32)CALL_TEXT);
	bpf_program__set_autoload(t->bpf->progs.call_fork, o->children && o->nr_tids);
	bpf_program__set_autoload(t->bpf->progs.call_exec, o->on_exec);
	bpf_program__set_autoload(t->bpf->progs.call_task_ends, o->nr_tids != 0);
	r = trace_args_bpf__load(t->bpf);
	if (r < 0)
		return refuse(e, -r, "the kernel does not take the BPF program");
	r = bpf_put_numbers(t->bpf->maps.tids, o->tids, o->nr_tids);
	if (r >= 0)
		r = bpf_put_numbers(t->bpf->maps.left_out, o->not_tids, o->nr_not_tids);
	return r < 0 ? refuse(e, -r, "too many threads") : 0;
}

struct trace_args *trace_args_new(const struct trace_args_opts *o, struct err *e)
{
	struct trace_args *t = XNEW(struct trace_args);

	if (load(t, o, e) == 0)
		return t;
	trace_args_free(t);
	return NULL;
}

void trace_args_free(struct trace_args *t)
{
	if (!t)
		return;
	trace_args_bpf__destroy(t->bpf);
	free(t);
}

static int put(const struct bpf_map *map, u32 key, const void *value, struct err *e)
{
	int r = bpf_map_update_elem(bpf_map__fd(map), &key, value, BPF_ANY);

	return r < 0 ? refuse(e, -r, "the BPF program cannot be set up") : 0;
}

int trace_args_rules(struct trace_args *t, u32 nr, const struct call_rules *rules, struct err *e)
{
	return put(t->bpf->maps.rules, nr, rules, e);
}

int trace_args_events(struct trace_args *t, u32 cpu, int enter_fd, int exit_fd, struct err *e)
{
	if (put(t->bpf->maps.enter_events, cpu, &enter_fd, e) < 0)
		return -1;
	return put(t->bpf->maps.exit_events, cpu, &exit_fd, e);
}

int trace_args_begin(struct trace_args *t, struct err *e)
{
	int r = trace_args_bpf__attach(t->bpf);

	if (r < 0)
		return refuse(e, -r, "the BPF program cannot be attached");
	if (!t->on_exec)
		__atomic_store_n(&t->bpf->bss->enabled, 1, __ATOMIC_RELEASE);
	return 0;
}

u64 trace_args_unfollowed(const struct trace_args *t)
{
	return t->bpf->bss->unfollowed;
}
