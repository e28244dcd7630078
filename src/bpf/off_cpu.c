/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/off_cpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/rw.h"
#include "base/vec.h"
#include "bpf/btf.h"
#include "bpf/kernel.h"
#include "bpf/off_cpu_program.h"

enum {
	MAX_TASKS = 65536, /* that sleep at the same time */
	MAX_STACKS = 16384, /* different ones, 1 KB each */
	MAX_SUMS = 32768, /* between two looks at them */
	MAX_INSNS = 512,
	RING_BYTES = 1 << 20,
	TAKEN_AT_ONCE = 1024,
	PID_INIT_INO = 0xEFFFFFFC, /* inode of the initial pid namespace */
};
#define HASH_FACTOR 0x9e3779b97f4a7c15ULL

enum { SWITCH, FORK, NR_PROGRAMS };

static const struct program {
	const char *name, *tracepoint;
	const struct bpf_line *lines;
	const size_t *nr_lines;
} programs[NR_PROGRAMS] = {
	[SWITCH] = { "off_cpu_switch", "sched_switch", off_cpu_switch, &off_cpu_switch_lines },
	[FORK] = { "off_cpu_fork", "task_newtask", off_cpu_fork, &off_cpu_fork_lines },
};

#define HASH BPF_MAP_TYPE_HASH
static const struct bpf_map_spec map_specs[OFF_CPU_NR_MAPS] = {
	[OFF_CPU_SHARED] = { "shared", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct off_cpu_shared), 1,
			     BPF_F_MMAPABLE },
	[OFF_CPU_TASKS] = { "tasks", HASH, 4, sizeof(struct off_cpu_task), MAX_TASKS, 0 },
	[OFF_CPU_STACKS] = { "stacks", HASH, 8, sizeof(struct off_cpu_frames), MAX_STACKS, 0 },
	[OFF_CPU_SCRATCH] = { "scratch", BPF_MAP_TYPE_PERCPU_ARRAY, 4,
			      sizeof(struct off_cpu_frames), 1, 0 },
	[OFF_CPU_SUMS] = { "sums", HASH, sizeof(struct off_cpu_key), sizeof(struct off_cpu_sum),
			   MAX_SUMS, 0 },
	[OFF_CPU_SUMS_ODD] = { "sums_odd", HASH, sizeof(struct off_cpu_key),
			       sizeof(struct off_cpu_sum), MAX_SUMS, 0 },
	[OFF_CPU_RING] = { "told", BPF_MAP_TYPE_RINGBUF, 0, 0, RING_BYTES, 0 },
	[OFF_CPU_TIDS] = { "tids", HASH, 4, 8, MAX_TASKS, 0 },
	[OFF_CPU_CPUS] = { "cpus", HASH, 4, 8, 8192, 0 },
	[OFF_CPU_ASLEEP] = { "asleep", HASH, 4, sizeof(struct off_cpu_asleep), MAX_TASKS, 0 },
	[OFF_CPU_KNOWN] = { "known", HASH, 4, sizeof(struct off_cpu_known), MAX_TASKS, 0 },
	[OFF_CPU_CGROUPS] = { "cgroups", BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, OFF_CPU_CGROUPS_MAX, 0 },
};

/* A stack that was read once. */
struct known_stack {
	u64 hash;
	size_t at, nr; /* in ips */
	bool found; /* by off_cpu_look() */
};

/* A sleep that was looked at. */
struct looked_at {
	u32 tid;
	u64 start;
};

struct off_cpu {
	int map[OFF_CPU_NR_MAPS];
	int program[NR_PROGRAMS], attached[NR_PROGRAMS];
	struct off_cpu_shared *shared;
	struct bpf_ring ring;
	VEC(struct known_stack) stacks;
	struct map by_hash;
	VEC(u64) ips;
	VEC(struct off_cpu_told) asleep; /* blocks of tasks that slept when measuring stopped */
	bool keeps_regs;
	VEC(struct looked_at) looked; /* the latest of each task */
	struct map looked_by_tid;
};

static u64 now_ns(void)
{
	struct timespec ts = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ULL + (u64)ts.tv_nsec;
}

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

static int create_maps(struct off_cpu *o, struct err *e)
{
	for (size_t i = 0; i < OFF_CPU_NR_MAPS; i++) {
		struct bpf_map_spec spec = map_specs[i];

		if (!o->keeps_regs && (i == OFF_CPU_ASLEEP || i == OFF_CPU_KNOWN))
			spec.entries = 1;
		o->map[i] = bpf_map_create(&spec);
		if (o->map[i] < 0)
			return refuse(e, -o->map[i], "no BPF map");
	}
	o->shared = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED,
			 o->map[OFF_CPU_SHARED], 0);
	if (o->shared == MAP_FAILED) {
		o->shared = NULL;
		return refuse(e, errno, "no memory shared with BPF");
	}
	if (bpf_ring_map(&o->ring, o->map[OFF_CPU_RING], RING_BYTES) < 0)
		return refuse(e, ENOMEM, "no BPF ring buffer");
	return 0;
}

static int fill_numbers(int map, const void *numbers, size_t nr, struct err *e)
{
	const u64 one = 1;

	for (size_t i = 0; i < nr; i++) {
		int r = bpf_map_set(map, (const u32 *)numbers + i, &one);

		if (r < 0)
			return refuse(e, -r, "too many tasks or CPUs");
	}
	return 0;
}

static int fill_filters(struct off_cpu *o, const struct off_cpu_opts *opts, struct err *e)
{
	if (opts->nr_cgroups > OFF_CPU_CGROUPS_MAX)
		return err_set(e, E2BIG,
			       "the time off the CPU can be measured in at most %d control groups",
			       OFF_CPU_CGROUPS_MAX);
	for (u32 i = 0; i < opts->nr_cgroups; i++) {
		int r = bpf_map_set(o->map[OFF_CPU_CGROUPS], &i, &opts->cgroups[i]);

		if (r < 0)
			return refuse(e, -r, "the control group is not of cgroup2");
	}
	if (fill_numbers(o->map[OFF_CPU_TIDS], opts->tids, opts->nr_tids, e) < 0)
		return -1;
	return fill_numbers(o->map[OFF_CPU_CPUS], opts->cpus, opts->nr_cpus, e);
}

/* Where a task's number and state are. The state's member has been renamed in 5.14. */
static int find_members(u64 *values, struct err *e)
{
	static const char path[] = "/sys/kernel/btf/vmlinux";
	_cleanup_(strbuf_releasep) struct strbuf btf = STRBUF_INIT;
	u32 pid, state;

	if (rw_slurp(path, &btf, e) < 0) {
		err_prefix(e, "cannot measure the time off the CPU");
		err_hint(e, "it needs a kernel with type information (CONFIG_DEBUG_INFO_BTF)");
		return -1;
	}
	if (!btf_member(btf.buf, btf.len, "task_struct", "pid", &pid) ||
	    (!btf_member(btf.buf, btf.len, "task_struct", "__state", &state) &&
	     !btf_member(btf.buf, btf.len, "task_struct", "state", &state)))
		return err_set(
			e, ENOTSUP,
			"cannot measure the time off the CPU: '%s' does not tell what a task is",
			path);
	values[OFF_CPU_PID] = pid;
	values[OFF_CPU_STATE] = state;
	return 0;
}

static int load(struct off_cpu *o, unsigned int program, const struct bpf_meanings *m,
		struct err *e)
{
	struct bpf_insn insns[MAX_INSNS];
	struct bpf_program p = { .name = programs[program].name,
				 .type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				 .insns = insns };
	char why[256];

	if (bpf_assemble(programs[program].lines, *programs[program].nr_lines, m, insns, MAX_INSNS,
			 &p.nr) < 0)
		return err_set(e, EINVAL, "the program '%s' cannot be put together", p.name);
	o->program[program] = bpf_program_load(&p, why, sizeof(why));
	if (o->program[program] >= 0)
		return 0;
	refuse(e, -o->program[program], "the kernel does not take the BPF program");
	if (why[0])
		err_hint(e, "the kernel says: %s", why);
	return -1;
}

/* Kernels before 5.18 do not pass the state: then the program reads it. Those before 5.15 do not
 * tell registers. */
static int start_program(struct off_cpu *o, unsigned int program, u64 *values, struct err *e)
{
	const struct bpf_meanings m = { .maps = o->map, .values = values };
	int fd = -EINVAL;

	for (int arg = 1; arg >= 0 && fd == -EINVAL; arg--) {
		mem_closep(&o->program[program]);
		values[OFF_CPU_STATE_ARG] = (u64)arg;
		if (o->keeps_regs && load(o, program, &m, NULL) < 0) {
			values[OFF_CPU_WANT_REGS] = 0;
			o->keeps_regs = false;
		}
		if (o->program[program] < 0 && load(o, program, &m, e) < 0)
			return -1;
		fd = bpf_attach(o->program[program], programs[program].tracepoint);
	}
	if (fd < 0)
		return refuse(e, -fd, "the BPF program cannot be attached");
	o->attached[program] = fd;
	return 0;
}

static int start(struct off_cpu *o, const struct off_cpu_opts *opts, struct err *e)
{
	unsigned int frames = opts->frames ? MIN(opts->frames, (unsigned int)OFF_CPU_FRAMES)
					   : OFF_CPU_FRAMES;
	u64 values[OFF_CPU_NR_VALUES] = {
		[OFF_CPU_THRESHOLD] = opts->threshold,
		[OFF_CPU_STACK_BYTES] = frames * 8ULL,
		[OFF_CPU_WANT_KERNEL] = opts->kernel_stacks,
		[OFF_CPU_WANT_REGS] = opts->registers,
		[OFF_CPU_ONLY_TIDS] = opts->nr_tids != 0,
		[OFF_CPU_ONLY_CPUS] = opts->nr_cpus != 0,
		[OFF_CPU_ONLY_CGROUPS] = opts->nr_cgroups != 0,
		[OFF_CPU_HASH_FACTOR] = HASH_FACTOR,
	};
	bool follow = opts->children && opts->nr_tids;

	o->keeps_regs = opts->registers;
	if (create_maps(o, e) < 0 || fill_filters(o, opts, e) < 0 || find_members(values, e) < 0)
		return -1;
	for (unsigned int i = 0; i < NR_PROGRAMS; i++) {
		if ((i != FORK || follow) && start_program(o, i, values, e) < 0)
			return -1;
	}
	return 0;
}

struct off_cpu *off_cpu_new(const struct off_cpu_opts *opts, struct err *e)
{
	struct off_cpu *o;
	struct stat st;

	/* the kernel's programs see other pids than we do */
	if (!stat("/proc/self/ns/pid", &st) && st.st_ino != PID_INIT_INO) {
		err_set(e, ENOTSUP,
			"the time off the CPU cannot be measured inside of a pid namespace");
		return NULL;
	}
	o = XNEW(struct off_cpu);
	for (size_t i = 0; i < OFF_CPU_NR_MAPS; i++)
		o->map[i] = -1;
	for (size_t i = 0; i < NR_PROGRAMS; i++)
		o->program[i] = o->attached[i] = -1;
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
	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		mem_closep(&o->attached[i]);
		mem_closep(&o->program[i]);
	}
	bpf_ring_unmap(&o->ring);
	if (o->shared)
		munmap(o->shared, (size_t)sysconf(_SC_PAGESIZE));
	for (size_t i = 0; i < OFF_CPU_NR_MAPS; i++)
		mem_closep(&o->map[i]);
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
	return o->map[OFF_CPU_RING];
}

/* The stack of a sleep, if it was found. */
static u64 known_user(const struct off_cpu *o, u32 tid, const struct off_cpu_task *task)
{
	struct off_cpu_known known;

	return o->keeps_regs && bpf_map_get(o->map[OFF_CPU_KNOWN], &tid, &known) &&
			       known.start == task->start
		       ? known.user
		       : task->user;
}

/* Those who sleep right now have slept until now. */
static void end_sleep(struct off_cpu *o, u64 since, u64 now)
{
	u32 tid, *last = NULL;
	struct off_cpu_task task;

	while (bpf_map_next(o->map[OFF_CPU_TASKS], last, &tid)) {
		last = &tid;
		if (!bpf_map_get(o->map[OFF_CPU_TASKS], &tid, &task) || !task.start ||
		    task.start >= now)
			continue;
		*VEC_PUSH(&o->asleep) = (struct off_cpu_told){
			.end = now,
			.time = now - MAX(task.start, since),
			.key = { known_user(o, tid, &task), task.kernel, task.pid, tid },
			.cpu = task.cpu,
		};
	}
}

void off_cpu_enable(struct off_cpu *o, bool on)
{
	u64 now = now_ns();

	if (on == (__atomic_load_n(&o->shared->enabled, __ATOMIC_RELAXED) != 0))
		return;
	if (on)
		__atomic_store_n(&o->shared->since, now, __ATOMIC_RELEASE);
	__atomic_store_n(&o->shared->enabled, on, __ATOMIC_RELEASE);
	if (!on)
		end_sleep(o, o->shared->since, now);
}

static void learn_stack(struct off_cpu *o, u64 hash, struct known_stack *known)
{
	struct off_cpu_frames frames;

	*known = (struct known_stack){ .hash = hash, .at = o->ips.nr };
	if (!bpf_map_get(o->map[OFF_CPU_STACKS], &hash, &frames))
		return;
	known->nr = MIN(frames.bytes / 8, (u64)OFF_CPU_FRAMES);
	for (size_t i = 0; i < known->nr; i++)
		*VEC_PUSH(&o->ips) = frames.ips[i];
}

static struct known_stack *find_stack(const struct off_cpu *o, u64 hash)
{
	u32 i;

	for (struct map_probe p = map_first(&o->by_hash, hash); map_next(&o->by_hash, &p, &i);)
		if (o->stacks.v[i].hash == hash)
			return &o->stacks.v[i];
	return NULL;
}

static void add_stack(struct off_cpu *o, const struct known_stack *known)
{
	map_add(&o->by_hash, known->hash, (u32)o->stacks.nr);
	*VEC_PUSH(&o->stacks) = *known;
}

/* Where its frames are in o->ips. */
static struct known_stack stack_of(struct off_cpu *o, u64 hash)
{
	struct known_stack *old = hash ? find_stack(o, hash) : NULL, known = { 0 };

	if (old || !hash)
		return old ? *old : known;
	learn_stack(o, hash, &known);
	add_stack(o, &known);
	return known;
}

/* The number of one that was found; 0: there are too many. */
static u64 keep_found(struct off_cpu *o, const u64 *ips, size_t nr)
{
	enum { FOUND_MAX = 1 << 17 };
	struct known_stack known = { .hash = hash_bytes(ips, nr * sizeof(*ips), nr) | 1,
				     .at = o->ips.nr,
				     .nr = nr,
				     .found = true };

	if (find_stack(o, known.hash))
		return known.hash;
	if (o->stacks.nr >= FOUND_MAX)
		return 0;
	for (size_t i = 0; i < nr; i++)
		*VEC_PUSH(&o->ips) = ips[i];
	add_stack(o, &known);
	return known.hash;
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

	if (!bpf_map_get(o->map[OFF_CPU_ASLEEP], &tid, &asleep) || asleep.start != task->start)
		return false;
	nr = fn(ctx, &sleeper, ips, ARRAY_SIZE(ips));
	/* it has not run if it still sleeps that sleep: what was read is what it went to sleep with
	 */
	if (!nr || !bpf_map_get(o->map[OFF_CPU_TASKS], &tid, &then) || then.start != task->start)
		return true;
	known.user = keep_found(o, ips, nr);
	if (known.user)
		bpf_map_set(o->map[OFF_CPU_KNOWN], &tid, &known);
	return true;
}

bool off_cpu_look(struct off_cpu *o, u64 least, size_t most, off_cpu_find_fn *fn, void *ctx)
{
	struct off_cpu_task *tasks;
	u64 now = now_ns();
	u32 *tids, cursor = 0, nr;
	bool more = true;

	if (!o->keeps_regs)
		return false;
	tids = XNEW_ARRAY(u32, TAKEN_AT_ONCE);
	tasks = XNEW_ARRAY(struct off_cpu_task, TAKEN_AT_ONCE);
	for (bool first = true; more && most; first = false) {
		nr = TAKEN_AT_ONCE;
		more = bpf_map_look(o->map[OFF_CPU_TASKS], first, &cursor, tids, tasks, &nr);
		for (u32 i = 0; i < nr && most; i++)
			if (tasks[i].start && tasks[i].start + least <= now &&
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
	};

	return r->fn(r->ctx, &block);
}

static int read_sums(const struct reading *r, int map)
{
	struct off_cpu_key *keys = XNEW_ARRAY(struct off_cpu_key, TAKEN_AT_ONCE);
	struct off_cpu_sum *sums = XNEW_ARRAY(struct off_cpu_sum, TAKEN_AT_ONCE);
	u32 cursor = 0, nr;
	bool more = true;
	int ret = 0;

	for (bool first = true; more && !ret; first = false) {
		nr = TAKEN_AT_ONCE;
		more = bpf_map_take(map, first, &cursor, keys, sums, &nr);
		for (u32 i = 0; i < nr && !ret; i++) {
			const struct off_cpu_told told = { .end = sums[i].end,
							   .time = sums[i].time,
							   .key = keys[i],
							   .cpu = sums[i].cpu };

			ret = pass(r, &told, true);
		}
	}
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
	struct off_cpu_shared *shared = r->o->shared;
	bool odd = __atomic_load_n(&shared->odd, __ATOMIC_RELAXED) != 0;

	if (read_sums(r, r->o->map[odd ? OFF_CPU_SUMS : OFF_CPU_SUMS_ODD]) < 0)
		return -1;
	if (!__atomic_load_n(&shared->enabled, __ATOMIC_RELAXED))
		return read_sums(r, r->o->map[odd ? OFF_CPU_SUMS_ODD : OFF_CPU_SUMS]);
	__atomic_store_n(&shared->odd, !odd, __ATOMIC_RELEASE);
	return 0;
}

int off_cpu_read(struct off_cpu *o, bool sums, int (*fn)(void *ctx, const struct off_cpu_block *b),
		 void *ctx)
{
	const struct reading r = { .o = o, .fn = fn, .ctx = ctx };
	struct off_cpu_told told;

	while (bpf_ring_take(&o->ring, &told, sizeof(told))) {
		if (pass(&r, &told, false) < 0)
			return -1;
	}
	VEC_FOR(&o->asleep, t) {
		if (pass(&r, t, false) < 0)
			return -1;
	}
	o->asleep.nr = 0;
	return sums ? read_all_sums(&r) : 0;
}

struct off_cpu_losses off_cpu_losses(const struct off_cpu *o)
{
	const struct off_cpu_shared *s = o->shared;
	struct off_cpu_losses l = { .tasks = s->lost_tasks,
				    .stacks = s->lost_stacks,
				    .blocks = s->lost_sums + s->lost_told };

	for (size_t i = 0; i < NR_PROGRAMS; i++) {
		if (o->program[i] >= 0)
			l.missed += bpf_program_missed(o->program[i]);
	}
	return l;
}
