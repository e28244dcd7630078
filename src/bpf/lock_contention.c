/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/lock_contention.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bpf/library.h"
#include "bpf/lock_contention.skel.h"

static const char doing[] = "watch waits for locks in the kernel";

struct lock_contention {
	struct lock_contention_bpf *bpf;
	u32 frames;
};

static int refuse(struct err *e, int code, const char *what)
{
	return bpf_refuse(e, code, doing, what);
}

static int set_sizes(const struct lock_contention_bpf *b, const struct lock_contention_opts *o)
{
	struct bpf_map *const sized[] = { b->maps.waits, b->maps.rows, b->maps.stacks };
	int r = bpf_map__set_value_size(b->maps.stacks, o->frames * (u32)sizeof(u64));

	for (size_t i = 0; !r && o->entries && i < ARRAY_SIZE(sized); i++)
		r = bpf_map__set_max_entries(sized[i], o->entries);
	return r;
}

static int load(const struct lock_contention_bpf *b, const struct lock_contention_opts *o,
		struct err *e)
{
	int r;

	b->rodata->only_tids = o->tids != NULL;
	b->rodata->only_pids = o->pids != NULL;
	b->rodata->only_cpus = o->cpus != NULL;
	b->rodata->only_locks = o->locks != NULL;
	b->rodata->only_cgroups = o->cgroups != NULL;
	b->rodata->with_stacks = o->stacks || o->by == LOCK_CONTENTION_BY_STACK;
	b->rodata->with_delays = o->nr_delays != 0;
	b->rodata->by_lock = o->by == LOCK_CONTENTION_BY_LOCK;
	b->rodata->by_task = o->by == LOCK_CONTENTION_BY_TASK;
	b->rodata->by_cgroup = o->by == LOCK_CONTENTION_BY_CGROUP;
	b->rodata->by_owner = o->by == LOCK_CONTENTION_BY_OWNER;
	for (size_t i = 0; i < LOCK_CONTENTION_FLAGS; i++)
		b->rodata->types[i] = o->types[i];
	bpf_program__set_autoload(b->progs.lock_task_begins, o->tids != NULL);
	bpf_program__set_autoload(b->progs.lock_task_ends, o->tids || o->pids);
	r = set_sizes(b, o);
	if (!r)
		r = lock_contention_bpf__load((struct lock_contention_bpf *)b);
	return r < 0 ? refuse(e, -r, "the kernel does not take the BPF program") : 0;
}

static int put_long_numbers(const struct bpf_map *map, const u64 *numbers, size_t nr)
{
	const u64 one = 1;
	int r = 0;

	for (size_t i = 0; r >= 0 && i < nr; i++)
		r = bpf_map_update_elem(bpf_map__fd(map), &numbers[i], &one, BPF_ANY);
	return r;
}

static int fill(const struct lock_contention_bpf *b, const struct lock_contention_opts *o,
		struct err *e)
{
	int r = bpf_put_numbers(b->maps.tids, o->tids, o->nr_tids);

	if (r >= 0)
		r = bpf_put_numbers(b->maps.pids, o->pids, o->nr_pids);
	if (r >= 0)
		r = bpf_put_numbers(b->maps.cpus, o->cpus, o->nr_cpus);
	if (r >= 0)
		r = put_long_numbers(b->maps.locks, o->locks, o->nr_locks);
	if (r >= 0)
		r = put_long_numbers(b->maps.cgroups, o->cgroups, o->nr_cgroups);
	for (size_t i = 0; r >= 0 && i < o->nr_delays; i++)
		r = bpf_map_update_elem(bpf_map__fd(b->maps.delays), &o->delays[i].lock,
					&o->delays[i].ns, BPF_ANY);
	return r < 0 ? refuse(e, -r, "too many threads, CPUs, locks or groups") : 0;
}

static int start(struct lock_contention *l, const struct lock_contention_opts *o, struct err *e)
{
	int r;

	if (((o->tids || o->pids) && bpf_check_pids(doing, e) < 0) || bpf_check_types(doing, e) < 0)
		return -1;
	l->frames = o->frames;
	l->bpf = lock_contention_bpf__open();
	if (!l->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	if (load(l->bpf, o, e) || fill(l->bpf, o, e))
		return -1;
	r = lock_contention_bpf__attach(l->bpf);
	return r < 0 ? refuse(e, -r, "the BPF program cannot be attached") : 0;
}

struct lock_contention *lock_contention_new(const struct lock_contention_opts *o, struct err *e)
{
	struct lock_contention *l = XNEW(struct lock_contention);

	if (start(l, o, e) == 0)
		return l;
	lock_contention_free(l);
	return NULL;
}

void lock_contention_free(struct lock_contention *l)
{
	if (!l)
		return;
	lock_contention_bpf__destroy(l->bpf);
	free(l);
}

void lock_contention_enable(struct lock_contention *l, bool on)
{
	__atomic_store_n(&l->bpf->bss->shared.enabled, on, __ATOMIC_RELEASE);
}

int lock_contention_read(const struct lock_contention *l,
			 void (*fn)(void *ctx, const struct lock_contention_row *row), void *ctx,
			 struct err *e)
{
	_cleanup_(mem_freep) u64 *stack = XNEW_ARRAY(u64, l->frames);
	struct lock_contention_row row = { .stack = stack };
	struct lock_contention_key *last = NULL, before;
	int rows = bpf_map__fd(l->bpf->maps.rows), stacks = bpf_map__fd(l->bpf->maps.stacks);

	while (!bpf_map_get_next_key(rows, last, &row.key)) {
		before = row.key;
		last = &before;
		if (bpf_map_lookup_elem(rows, &row.key, &row.sums))
			return refuse(e, errno, "its results cannot be read");
		row.nr = 0;
		if (row.key.stack >= 0 && !bpf_map_lookup_elem(stacks, &row.key.stack, stack))
			while (row.nr < l->frames && stack[row.nr])
				row.nr++;
		fn(ctx, &row);
	}
	return 0;
}

struct lock_contention_losses lock_contention_losses(const struct lock_contention *l)
{
	const struct lock_contention_shared *s = &l->bpf->bss->shared;

	return (struct lock_contention_losses){ s->lost_waits, s->lost_rows, s->lost_stacks,
						s->unowned, s->delayed };
}
