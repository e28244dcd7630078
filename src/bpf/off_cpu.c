/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/off_cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "bpf/library.h"
#include "bpf/off_cpu.skel.h"

enum {
	TAKEN_AT_ONCE = 1024,
	STACKS_KEPT = 1 << 16, /* more are looked through for those that nobody needs any more */
	/* Readings of sums for which a stack is kept: those before the last two are read by then.
	 */
	ROUNDS_KEPT = 3,
};

static const char doing[] = "measure the time off the CPU";

/* A stack that was read once. */
struct known_stack {
	u64 hash;
	size_t at, nr; /* in ips */
	u32 used; /* the round in which a span had it, or it was new */
	bool found; /* by off_cpu_look() */
};
VEC_TYPE(known_stacks, struct known_stack);
VEC_TYPE(stack_ips, u64);

/* A sleep that was looked at. */
struct looked_at {
	u32 tid;
	u64 start;
};

struct off_cpu {
	struct off_cpu_bpf *bpf;
	struct ring_buffer *ring;
	const struct reading *reading; /* while the ring is read */
	/* that were read, until no span can name them any more */
	struct known_stacks stacks;
	struct map by_hash;
	struct stack_ips ips;
	u32 round;
	size_t stacks_most; /* before they are looked through again */
	u64 taken; /* of the program's count of new stacks: when they were taken last */
	u64 lost_stacks; /* that were gone when a span named them */
	VEC(struct off_cpu_told) asleep; /* blocks of tasks that slept when measuring stopped */
	bool tells_regs, keeps_regs;
	VEC(struct looked_at) looked; /* the latest of each task */
	struct map looked_by_tid;
};

static void hint_privilege(struct err *e)
{
	err_hint(e, "it needs root, or the capabilities CAP_BPF and CAP_PERFMON");
}

static int refuse(struct err *e, int code, const char *what)
{
	err_sys(e, code, "cannot measure the time off the CPU: %s", what);
	if (code == EPERM || code == EACCES)
		hint_privilege(e);
	else if (code == EINVAL || code == ENOSYS || code == ENOENT)
		err_hint(e, "it needs Linux 5.8 or newer, with BPF");
	return -1;
}

static int map_of(const struct bpf_map *map)
{
	return bpf_map__fd(map);
}

static bool get(const struct bpf_map *map, const void *key, void *value)
{
	return bpf_map_lookup_elem(map_of(map), key, value) >= 0;
}

static int fill_numbers(const struct bpf_map *map, const void *numbers, size_t nr, struct err *e)
{
	int r = bpf_put_numbers(map, numbers, nr);

	return r < 0 ? refuse(e, -r, "too many tasks or CPUs") : 0;
}

static int fill_filters(struct off_cpu *o, const struct off_cpu_opts *opts, struct err *e)
{
	for (u32 i = 0; i < opts->nr_cgroups; i++) {
		int r = bpf_map_update_elem(map_of(o->bpf->maps.cgroups), &i, &opts->cgroups[i],
					    BPF_ANY);

		if (r < 0)
			return refuse(e, -r, "the control group is not of cgroup2");
	}
	if (fill_numbers(o->bpf->maps.tids, opts->tids, opts->nr_tids, e) < 0)
		return -1;
	return fill_numbers(o->bpf->maps.cpus, opts->cpus, opts->nr_cpus, e);
}

static void configure(struct off_cpu *o, const struct off_cpu_opts *opts, bool state_is_argument)
{
	unsigned int frames = opts->frames ? MIN(opts->frames, (unsigned int)OFF_CPU_FRAMES)
					   : OFF_CPU_FRAMES;
	struct off_cpu_bpf__rodata *values = o->bpf->rodata;

	values->threshold = opts->threshold;
	values->stack_bytes = frames * 8;
	values->want_kernel = opts->kernel_stacks;
	values->want_regs = o->keeps_regs;
	values->wall = opts->wall;
	values->interrupts_from = opts->interrupts_from;
	values->interrupts_to = opts->interrupts_to;
	values->tells_regs = o->tells_regs;
	values->only_tids = opts->nr_tids != 0;
	values->only_cpus = opts->nr_cpus != 0;
	values->only_cgroups = opts->nr_cgroups != 0;
	values->state_is_argument = state_is_argument;
	if (!o->keeps_regs) {
		bpf_map__set_max_entries(o->bpf->maps.asleep, 1);
		bpf_map__set_max_entries(o->bpf->maps.known, 1);
	}
	bpf_program__set_autoload(o->bpf->progs.off_cpu_fork, opts->children && opts->nr_tids);
	bpf_program__set_autoload(o->bpf->progs.off_cpu_new,
				  opts->wall && (opts->children || !opts->nr_tids));
	bpf_program__set_autoload(o->bpf->progs.off_cpu_waking, opts->wall);
}

static void unload(struct off_cpu *o)
{
	off_cpu_bpf__destroy(o->bpf);
	o->bpf = NULL;
}

/* 0, -1, or -EINVAL: sched_switch does not have these arguments. */
static int try_to_start(struct off_cpu *o, const struct off_cpu_opts *opts, bool state_is_argument,
			struct err *e)
{
	int r;

	o->bpf = off_cpu_bpf__open();
	if (!o->bpf)
		return refuse(e, errno, "libbpf does not take the BPF program");
	configure(o, opts, state_is_argument);
	r = off_cpu_bpf__load(o->bpf);
	if (r < 0) {
		refuse(e, -r, "the kernel does not take the BPF program");
		if (r != -EPERM && r != -EACCES)
			bpf_library_hint(e);
		return -1;
	}
	if (fill_filters(o, opts, e) < 0)
		return -1;
	r = off_cpu_bpf__attach(o->bpf);
	if (r < 0)
		refuse(e, -r, "the BPF program cannot be attached");
	return r == -EINVAL ? r : r < 0 ? -1 : 0;
}

static int take_told(void *ctx, void *data, size_t size);

/* Kernels before 5.18 do not pass the state: then the program reads it. Those before 5.15 do not
 * tell registers. */
static int start(struct off_cpu *o, const struct off_cpu_opts *opts, struct err *e)
{
	int r;

	if (opts->nr_cgroups > OFF_CPU_CGROUPS_MAX)
		return err_set(e, E2BIG,
			       "the time off the CPU can be measured in at most %d control groups",
			       OFF_CPU_CGROUPS_MAX);
	if (bpf_check_types(doing, e) < 0)
		return -1;
	o->tells_regs = (opts->registers || opts->wall) &&
			libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_task_pt_regs,
						NULL) == 1;
	o->keeps_regs = opts->registers && o->tells_regs;
	r = try_to_start(o, opts, true, e);
	if (r == -EINVAL) {
		unload(o);
		r = try_to_start(o, opts, false, e);
	}
	if (r < 0)
		return -1;
	o->ring = ring_buffer__new(map_of(o->bpf->maps.told), take_told, o, NULL);
	return o->ring ? 0 : refuse(e, errno, "no BPF ring buffer");
}

struct off_cpu *off_cpu_new(const struct off_cpu_opts *opts, struct err *e)
{
	struct off_cpu *o;

	if (bpf_check_pids(doing, e) < 0)
		return NULL;
	o = XNEW(struct off_cpu);
	if (start(o, opts, e) < 0) {
		off_cpu_free(o);
		return NULL;
	}
	return o;
}

void off_cpu_free(struct off_cpu *o)
{
	if (!o)
		return;
	if (o->ring)
		ring_buffer__free(o->ring);
	unload(o);
	vec_free(&o->stacks);
	map_release(&o->by_hash);
	vec_free(&o->ips);
	vec_free(&o->asleep);
	vec_free(&o->looked);
	map_release(&o->looked_by_tid);
	free(o);
}

int off_cpu_fd(const struct off_cpu *o)
{
	return map_of(o->bpf->maps.told);
}

/* The stack of a sleep, if it was found. */
static u64 known_user(const struct off_cpu *o, u32 tid, const struct off_cpu_task *task)
{
	struct off_cpu_known known;

	return o->keeps_regs && get(o->bpf->maps.known, &tid, &known) && known.start == task->start
		       ? known.user
		       : task->user;
}

/* Those who sleep right now have slept until now. */
static void end_sleep(struct off_cpu *o, u64 since, u64 now)
{
	u32 tid, *last = NULL;
	struct off_cpu_task task;

	while (!bpf_map_get_next_key(map_of(o->bpf->maps.tasks), last, &tid)) {
		last = &tid;
		if (!get(o->bpf->maps.tasks, &tid, &task) || !task.start || task.start >= now)
			continue;
		*VEC_PUSH(&o->asleep) = (struct off_cpu_told){
			.end = now,
			.time = now - MAX(task.start, since),
			.key = { known_user(o, tid, &task), task.kernel, task.pid, tid, task.kind,
				 task.waker, task.waker_pid, task.waker_tid },
			.cpu = task.cpu,
		};
		memcpy(VEC_LAST(&o->asleep)->waker_comm, task.waker_comm, OFF_CPU_COMM);
	}
}

void off_cpu_enable(struct off_cpu *o, bool on)
{
	u64 now = clock_now();

	if (on == (__atomic_load_n(&o->bpf->bss->shared.enabled, __ATOMIC_RELAXED) != 0))
		return;
	if (on)
		__atomic_store_n(&o->bpf->bss->shared.since, now, __ATOMIC_RELEASE);
	__atomic_store_n(&o->bpf->bss->shared.enabled, on, __ATOMIC_RELEASE);
	if (!on)
		end_sleep(o, o->bpf->bss->shared.since, now);
}

static struct known_stack *find_stack(const struct off_cpu *o, u64 hash)
{
	u32 i;

	for (struct map_probe p = map_first(&o->by_hash, hash); map_next(&o->by_hash, &p, &i);)
		if (o->stacks.v[i].hash == hash)
			return &o->stacks.v[i];
	return NULL;
}

static struct known_stack *add_stack(struct off_cpu *o, u64 hash, const u64 *ips, size_t nr)
{
	const struct known_stack known = {
		.hash = hash, .at = o->ips.nr, .nr = nr, .used = o->round
	};

	for (size_t i = 0; i < nr; i++)
		*VEC_PUSH(&o->ips) = ips[i];
	map_add(&o->by_hash, hash, (u32)o->stacks.nr);
	*VEC_PUSH(&o->stacks) = known;
	return VEC_LAST(&o->stacks);
}

static struct known_stack *learn_stack(struct off_cpu *o, u64 hash,
				       const struct off_cpu_frames *frames)
{
	return add_stack(o, hash, frames->ips, MIN(frames->bytes / 8, (u64)OFF_CPU_FRAMES));
}

/* Where its frames are in o->ips. */
static struct known_stack stack_of(struct off_cpu *o, u64 hash)
{
	struct known_stack *known = hash ? find_stack(o, hash) : NULL;
	struct off_cpu_frames frames;

	if (!hash)
		return (struct known_stack){ 0 };
	if (!known && get(o->bpf->maps.stacks, &hash, &frames))
		known = learn_stack(o, hash, &frames);
	if (!known) {
		o->lost_stacks++;
		return (struct known_stack){ 0 };
	}
	known->used = o->round;
	return *known;
}

/* The number of one that was found; 0: there are too many. */
static u64 keep_found(struct off_cpu *o, const u64 *ips, size_t nr)
{
	enum { FOUND_MAX = 1 << 17 };
	u64 hash = hash_bytes(ips, nr * sizeof(*ips), nr) | 1;
	struct known_stack *known = find_stack(o, hash);

	if (!known && o->stacks.nr >= FOUND_MAX)
		return 0;
	if (!known)
		known = add_stack(o, hash, ips, nr);
	known->found = true;
	known->used = o->round;
	return hash;
}

/* Whether there is more behind a batch of entries; *nr: how many came. */
static bool came(int r, u32 *nr)
{
	if (r < 0 && r != -ENOENT)
		*nr = 0;
	return r >= 0;
}

/* All stacks of the programs, so that there is room for others. */
static void take_stacks(struct off_cpu *o)
{
	u64 *hashes = XNEW_ARRAY(u64, TAKEN_AT_ONCE);
	struct off_cpu_frames *frames = XNEW_ARRAY(struct off_cpu_frames, TAKEN_AT_ONCE);
	u32 cursor = 0, nr;
	bool more = true;

	o->taken = __atomic_load_n(&o->bpf->bss->shared.new_stacks, __ATOMIC_RELAXED);
	for (bool first = true; more; first = false) {
		nr = TAKEN_AT_ONCE;
		more = came(bpf_map_lookup_and_delete_batch(map_of(o->bpf->maps.stacks),
							    first ? NULL : &cursor, &cursor, hashes,
							    frames, &nr, NULL),
			    &nr);
		for (u32 i = 0; i < nr; i++) {
			struct known_stack *known = find_stack(o, hashes[i]);

			if (known)
				known->used = o->round;
			else
				learn_stack(o, hashes[i], &frames[i]);
		}
	}
	free(hashes);
	free(frames);
}

static void use(struct off_cpu *o, u64 hash)
{
	struct known_stack *known = hash ? find_stack(o, hash) : NULL;

	if (known)
		known->used = o->round;
}

/* Stacks of spans that go on. */
static void use_stacks_of_tasks(struct off_cpu *o)
{
	struct off_cpu_task *tasks = XNEW_ARRAY(struct off_cpu_task, TAKEN_AT_ONCE);
	u32 *tids = XNEW_ARRAY(u32, TAKEN_AT_ONCE), cursor = 0, nr;
	bool more = true;

	for (bool first = true; more; first = false) {
		nr = TAKEN_AT_ONCE;
		more = came(bpf_map_lookup_batch(map_of(o->bpf->maps.tasks), first ? NULL : &cursor,
						 &cursor, tids, tasks, &nr, NULL),
			    &nr);
		for (u32 i = 0; i < nr; i++) {
			if (!tasks[i].start)
				continue;
			use(o, tasks[i].user);
			use(o, known_user(o, tids[i], &tasks[i]));
			use(o, tasks[i].kernel);
		}
	}
	free(tids);
	free(tasks);
}

static void forget_stacks(struct off_cpu *o)
{
	struct known_stacks old = o->stacks;
	struct stack_ips ips = o->ips;

	map_release(&o->by_hash);
	o->stacks = (struct known_stacks){ 0 };
	o->ips = (struct stack_ips){ 0 };
	o->by_hash = (struct map){ .nr = 0 };
	VEC_FOR(&old, s) {
		struct known_stack *kept;

		if (o->round - s->used > ROUNDS_KEPT)
			continue;
		kept = add_stack(o, s->hash, ips.v + s->at, s->nr);
		kept->used = s->used;
		kept->found = s->found;
	}
	vec_free(&old);
	vec_free(&ips);
	o->stacks_most = MAX(2 * o->stacks.nr, (size_t)STACKS_KEPT);
}

/* Each time that sums are read. */
static void begin_round(struct off_cpu *o)
{
	u64 new_stacks = __atomic_load_n(&o->bpf->bss->shared.new_stacks, __ATOMIC_RELAXED);

	o->round++;
	if (new_stacks - o->taken > OFF_CPU_STACKS / 4)
		take_stacks(o);
	if (o->taken || o->stacks.nr > STACKS_KEPT / 2)
		use_stacks_of_tasks(o);
	if (o->stacks.nr > MAX(o->stacks_most, (size_t)STACKS_KEPT))
		forget_stacks(o);
}

/* Whether this sleep is another than the one of the task that was looked at before; then it is that
 * one from now on. */
static bool is_new_sleep(struct off_cpu *o, u32 tid, u64 start)
{
	u32 i;

	for (struct map_probe p = map_first(&o->looked_by_tid, hash_u64(tid));
	     map_next(&o->looked_by_tid, &p, &i);) {
		struct looked_at *l = &o->looked.v[i];
		bool is_new = l->start != start;

		if (l->tid != tid)
			continue;
		l->start = start;
		return is_new;
	}
	map_add(&o->looked_by_tid, hash_u64(tid), (u32)o->looked.nr);
	*VEC_PUSH(&o->looked) = (struct looked_at){ tid, start };
	return true;
}

/* False: it woke up before its registers were read. */
static bool look_at(struct off_cpu *o, u32 tid, const struct off_cpu_task *task,
		    off_cpu_find_fn *fn, void *ctx)
{
	struct off_cpu_asleep asleep;
	struct off_cpu_sleeper sleeper = { .pid = (s32)task->pid,
					   .tid = (s32)tid,
					   .regs = asleep.regs };
	struct off_cpu_known known = { .start = task->start };
	struct off_cpu_task then;
	u64 ips[OFF_CPU_FOUND_FRAMES];
	size_t nr;

	if (!get(o->bpf->maps.asleep, &tid, &asleep) || asleep.start != task->start)
		return false;
	nr = fn(ctx, &sleeper, ips, ARRAY_SIZE(ips));
	/* it has not run if it still sleeps that sleep: what was read is what it went to sleep with
	 */
	if (!nr || !get(o->bpf->maps.tasks, &tid, &then) || then.start != task->start)
		return true;
	known.user = keep_found(o, ips, nr);
	if (known.user)
		bpf_map_update_elem(map_of(o->bpf->maps.known), &tid, &known, BPF_ANY);
	return true;
}

bool off_cpu_look(struct off_cpu *o, u64 least, size_t most, off_cpu_find_fn *fn, void *ctx)
{
	struct off_cpu_task *tasks;
	u64 now = clock_now();
	u32 *tids, cursor = 0, nr;
	bool more = true;

	if (!o->keeps_regs)
		return false;
	tids = XNEW_ARRAY(u32, TAKEN_AT_ONCE);
	tasks = XNEW_ARRAY(struct off_cpu_task, TAKEN_AT_ONCE);
	for (bool first = true; more && most; first = false) {
		nr = TAKEN_AT_ONCE;
		more = came(bpf_map_lookup_batch(map_of(o->bpf->maps.tasks), first ? NULL : &cursor,
						 &cursor, tids, tasks, &nr, NULL),
			    &nr);
		for (u32 i = 0; i < nr && most; i++)
			if (tasks[i].kind >= OFF_CPU_SLEEPS && tasks[i].start &&
			    tasks[i].start + least <= now &&
			    is_new_sleep(o, tids[i], tasks[i].start))
				most -= look_at(o, tids[i], &tasks[i], fn, ctx);
	}
	free(tids);
	free(tasks);
	return true;
}

struct reading {
	struct off_cpu *o;
	int (*fn)(void *ctx, const struct off_cpu_block *b);
	void *ctx;
};

static int pass(const struct reading *r, const struct off_cpu_told *t, bool sum)
{
	struct off_cpu *o = r->o;
	struct known_stack user = stack_of(o, t->key.user), kernel = stack_of(o, t->key.kernel);
	const struct off_cpu_block block = {
		.end = t->end,
		.time = t->time,
		.sum = sum,
		.pid = (s32)t->key.pid,
		.tid = (s32)t->key.tid,
		.cpu = (u32)t->cpu,
		.user = { user.nr ? o->ips.v + user.at : NULL, user.nr, user.found },
		.kernel = { kernel.nr ? o->ips.v + kernel.at : NULL, kernel.nr, false },
		.kind = t->key.kind & ~(u32)OFF_CPU_SKIPPED,
		.waker = t->key.waker,
		.waker_pid = t->key.waker_pid,
		.waker_tid = t->key.waker_tid,
		.waker_comm = t->waker_comm,
	};

	return r->fn(r->ctx, &block);
}

static int take_told(void *ctx, void *data, size_t size)
{
	const struct off_cpu *o = ctx;
	struct off_cpu_told told;

	if (size < sizeof(told))
		return 0;
	memcpy(&told, data, sizeof(told));
	return pass(o->reading, &told, false);
}

VEC_TYPE(told_vec, struct off_cpu_told);

/* Sums that differ by nothing but their stacks lie together, those without one last. */
static int compare_sums(const void *a, const void *b)
{
	const struct off_cpu_key *x = &((const struct off_cpu_told *)a)->key;
	const struct off_cpu_key *y = &((const struct off_cpu_told *)b)->key;
	const u64 words[][2] = {
		{ x->tid, y->tid },
		{ x->kind & ~(u32)OFF_CPU_SKIPPED, y->kind & ~(u32)OFF_CPU_SKIPPED },
		{ x->waker, y->waker },
		{ x->waker_tid, y->waker_tid },
		{ x->kind, y->kind },
		{ x->user, y->user },
		{ x->kernel, y->kernel },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0] != words[i][1])
			return words[i][0] < words[i][1] ? -1 : 1;
	return 0;
}

static bool is_skipped(const struct off_cpu_told *t)
{
	return t->key.kind & OFF_CPU_SKIPPED;
}

static bool same_but_stack(const struct off_cpu_told *a, const struct off_cpu_told *b)
{
	return a->key.tid == b->key.tid && a->key.waker == b->key.waker &&
	       a->key.waker_tid == b->key.waker_tid &&
	       !((a->key.kind ^ b->key.kind) & ~(u32)OFF_CPU_SKIPPED);
}

/* What was spent with stacks that were not looked at is shared by those that were. */
static void share_skipped(struct off_cpu_told *v, size_t nr)
{
	u64 known = 0, skipped = 0, before = 0, given = 0;

	for (size_t i = 0; i < nr; i++)
		*(is_skipped(&v[i]) ? &skipped : &known) += v[i].time;
	if (!known || !skipped)
		return;
	for (size_t i = 0; i < nr; i++) {
		u64 part;

		if (is_skipped(&v[i])) {
			v[i].time = 0;
			continue;
		}
		before += v[i].time;
		part = (u64)((unsigned __int128)skipped * before / known) - given;
		given += part;
		v[i].time += part;
	}
}

static int pass_sums(const struct reading *r, struct told_vec *sums)
{
	int ret = 0;

	VEC_SORT(sums, compare_sums);
	for (size_t i = 0, end; i < sums->nr && !ret; i = end) {
		for (end = i + 1; end < sums->nr && same_but_stack(&sums->v[i], &sums->v[end]);)
			end++;
		share_skipped(sums->v + i, end - i);
		for (size_t k = i; k < end && !ret; k++)
			ret = sums->v[k].time ? pass(r, &sums->v[k], true) : 0;
	}
	return ret;
}

static int read_sums(const struct reading *r, const struct bpf_map *from)
{
	struct told_vec all = { 0 };
	int map = map_of(from);
	struct off_cpu_key *keys = XNEW_ARRAY(struct off_cpu_key, TAKEN_AT_ONCE);
	struct off_cpu_sum *sums = XNEW_ARRAY(struct off_cpu_sum, TAKEN_AT_ONCE);
	u32 cursor = 0, nr;
	bool more = true;
	int ret;

	for (bool first = true; more; first = false) {
		nr = TAKEN_AT_ONCE;
		more = came(bpf_map_lookup_and_delete_batch(map, first ? NULL : &cursor, &cursor,
							    keys, sums, &nr, NULL),
			    &nr);
		for (u32 i = 0; i < nr; i++) {
			*VEC_PUSH(&all) = (struct off_cpu_told){ .end = sums[i].end,
								 .time = sums[i].time,
								 .key = keys[i],
								 .cpu = sums[i].cpu };
			memcpy(VEC_LAST(&all)->waker_comm, sums[i].waker_comm, OFF_CPU_COMM);
		}
	}
	ret = pass_sums(r, &all);
	vec_free(&all);
	free(keys);
	free(sums);
	return ret;
}

/*
 * The map that is filled now is read when the next ones are asked for, so that no program still has
 * an entry of it in hand; both when nothing is measured.
 */
static int read_all_sums(const struct reading *r)
{
	struct off_cpu_shared *shared = &r->o->bpf->bss->shared;
	const __typeof__(r->o->bpf->maps) *maps = &r->o->bpf->maps;
	bool odd = __atomic_load_n(&shared->odd, __ATOMIC_RELAXED) != 0;

	if (read_sums(r, odd ? maps->sums : maps->sums_odd) < 0)
		return -1;
	if (!__atomic_load_n(&shared->enabled, __ATOMIC_RELAXED))
		return read_sums(r, odd ? maps->sums_odd : maps->sums);
	__atomic_store_n(&shared->odd, !odd, __ATOMIC_RELEASE);
	return 0;
}

int off_cpu_read(struct off_cpu *o, bool sums, int (*fn)(void *ctx, const struct off_cpu_block *b),
		 void *ctx)
{
	const struct reading r = { .o = o, .fn = fn, .ctx = ctx };

	o->reading = &r;
	if (sums)
		begin_round(o);
	if (ring_buffer__consume(o->ring) < 0)
		return -1;
	VEC_FOR(&o->asleep, t) {
		if (pass(&r, t, false) < 0)
			return -1;
	}
	o->asleep.nr = 0;
	return sums ? read_all_sums(&r) : 0;
}

/* How often the kernel skipped it because it was running on that CPU already. */
static u64 missed(const struct bpf_program *program)
{
	struct bpf_prog_info info = { 0 };
	u32 len = sizeof(info);
	int fd = bpf_program__fd(program);

	return fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &len) < 0 ? 0 : info.recursion_misses;
}

struct off_cpu_losses off_cpu_losses(const struct off_cpu *o)
{
	const struct off_cpu_shared *s = &o->bpf->bss->shared;
	struct off_cpu_losses l = { .tasks = s->lost_tasks,
				    .stacks = s->lost_stacks + o->lost_stacks,
				    .blocks = s->lost_sums + s->lost_told };

	l.missed = missed(o->bpf->progs.off_cpu_switch) + missed(o->bpf->progs.off_cpu_fork) +
		   missed(o->bpf->progs.off_cpu_new) + missed(o->bpf->progs.off_cpu_waking);
	return l;
}
