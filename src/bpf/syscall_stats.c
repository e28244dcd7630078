/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/syscall_stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bpf/library.h"
#include "bpf/syscall_stats.skel.h"

enum { AT_ONCE = 1024 };

static const char doing[] = "count system calls";

struct syscall_stats {
	struct syscall_stats_bpf *bpf;
};

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

static int start(struct syscall_stats *s, const struct syscall_stats_opts *o, struct err *e)
{
	int r;

	if (bpf_check_pids(doing, e) < 0 || bpf_check_types(doing, e) < 0)
		return -1;
	s->bpf = syscall_stats_bpf__open();
	if (!s->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	s->bpf->rodata->only_tids = o->nr_tids != 0;
	s->bpf->rodata->not_pid = (u32)o->not_pid;
	s->bpf->rodata->by_error = o->by_error;
	s->bpf->rodata->by_time = o->by_time;
	if (!o->by_error && !o->by_time)
		bpf_map__set_max_entries(s->bpf->maps.parts, 1);
	bpf_program__set_autoload(s->bpf->progs.syscall_fork, o->children && o->nr_tids);
	bpf_program__set_autoload(s->bpf->progs.syscall_exec, o->on_exec && o->nr_tids);
	r = syscall_stats_bpf__load(s->bpf);
	if (r < 0)
		return refuse(e, -r, "the kernel does not take the BPF program");
	r = bpf_put_numbers(s->bpf->maps.tids, o->tids, o->nr_tids);
	if (r < 0)
		return refuse(e, -r, "too many threads");
	r = syscall_stats_bpf__attach(s->bpf);
	return r < 0 ? refuse(e, -r, "the BPF program cannot be attached") : 0;
}

struct syscall_stats *syscall_stats_new(const struct syscall_stats_opts *o, struct err *e)
{
	struct syscall_stats *s = XNEW(struct syscall_stats);

	if (start(s, o, e) == 0)
		return s;
	syscall_stats_free(s);
	return NULL;
}

void syscall_stats_free(struct syscall_stats *s)
{
	if (!s)
		return;
	syscall_stats_bpf__destroy(s->bpf);
	free(s);
}

void syscall_stats_enable(struct syscall_stats *s, bool on)
{
	__atomic_store_n(&s->bpf->bss->shared.enabled, on, __ATOMIC_RELEASE);
}

/* Each entry of a map. */
static void each(const struct bpf_map *map,
		 int (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	size_t key_size = bpf_map__key_size(map), value_size = bpf_map__value_size(map);
	_cleanup_(mem_freep) char *keys = xcalloc(AT_ONCE, key_size);
	_cleanup_(mem_freep) char *values = xcalloc(AT_ONCE, value_size);
	u32 cursor = 0, nr;
	int r = 0;

	for (bool first = true; !r; first = false) {
		nr = AT_ONCE;
		r = bpf_map_lookup_batch(bpf_map__fd(map), first ? NULL : &cursor, &cursor, keys,
					 values, &nr, NULL);
		if (r < 0 && r != -ENOENT)
			return;
		for (u32 i = 0; i < nr; i++)
			if (fn(ctx, keys + i * key_size, values + i * value_size) ==
			    SYSCALL_STATS_FORGET)
				bpf_map_delete_elem(bpf_map__fd(map), keys + i * key_size);
	}
}

/* What is passed on to whom. */
struct stats_reader {
	int (*row)(void *ctx, const struct syscall_stats_row *row);
	int (*part)(void *ctx, const struct syscall_stats_part *part);
	void *ctx;
};

static int pass_row(void *ctx, const void *k, const void *v)
{
	const struct stats_reader *r = ctx;
	const struct syscall_key *key = k;
	const struct syscall_sum *sum = v;
	const struct syscall_stats_row row = {
		.pid = (s32)sum->pid,
		.tid = (s32)key->tid,
		.comm = sum->comm,
		.nr = key->nr,
		.cgroup = sum->cgroup,
		.count = sum->count,
		.errors = sum->errors,
		.begun = sum->begun,
		.total = sum->total,
		.least = sum->least,
		.most = sum->most,
		.squares = (unsigned __int128)sum->squares_high << 64 | sum->squares,
	};

	return r->row(r->ctx, &row);
}

static int pass_running(void *ctx, const void *k, const void *v)
{
	const struct stats_reader *r = ctx;
	const struct syscall_call *call = v;
	const struct syscall_stats_row row = {
		.pid = -1, .tid = *(const s32 *)k, .comm = "", .nr = call->nr, .begun = 1
	};

	return call->start ? r->row(r->ctx, &row) : 0;
}

static int pass_part(void *ctx, const void *k, const void *v)
{
	const struct stats_reader *r = ctx;
	const struct syscall_part_key *key = k;
	const struct syscall_stats_part part = {
		.tid = (s32)key->tid,
		.nr = key->nr,
		.is_time = key->is_time,
		.part = key->part,
		.count = *(const u64 *)v,
	};

	return r->part(r->ctx, &part);
}

void syscall_stats_rows(const struct syscall_stats *s,
			int (*fn)(void *ctx, const struct syscall_stats_row *row), void *ctx)
{
	each(s->bpf->maps.sums, pass_row, &(struct stats_reader){ .row = fn, .ctx = ctx });
}

void syscall_stats_running(const struct syscall_stats *s,
			   int (*fn)(void *ctx, const struct syscall_stats_row *row), void *ctx)
{
	each(s->bpf->maps.calls, pass_running, &(struct stats_reader){ .row = fn, .ctx = ctx });
}

void syscall_stats_parts(const struct syscall_stats *s,
			 int (*fn)(void *ctx, const struct syscall_stats_part *part), void *ctx)
{
	each(s->bpf->maps.parts, pass_part, &(struct stats_reader){ .part = fn, .ctx = ctx });
}

struct syscall_stats_losses syscall_stats_losses(const struct syscall_stats *s)
{
	const struct syscall_shared *shared = &s->bpf->bss->shared;

	return (struct syscall_stats_losses){ shared->lost_threads, shared->lost_rows };
}
