/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of bpf/off_cpu, at the raw tracepoints sched_switch and task_newtask. */
#include "bpf/off_cpu_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

enum {
	MAX_TASKS = 65536, /* that sleep at the same time */
	MAX_STACKS = 16384, /* different ones, 1 KB each */
	MAX_SUMS = 32768, /* between two looks at them */
	RING_BYTES = 1 << 20,
};
#define HASH_FACTOR 0x9e3779b97f4a7c15ULL

/* Bits of a task's state: interruptible and uninterruptible sleep (S and D of ps), dead. */
enum { STATE_SLEEPS = 1 | 2, STATE_DEAD = 0x80 };

/* Arguments of sched_switch (preempt, prev, next, prev's state) and of task_newtask (task, ...). */
enum { ARG_PREEMPT, ARG_PREV, ARG_NEXT, ARG_STATE };

/* Set before the programs are loaded. */
const volatile u64 threshold; /* ns */
const volatile u32 stack_bytes;
const volatile bool want_kernel, want_regs, only_tids, only_cpus, only_cgroups;
const volatile bool state_is_argument; /* sched_switch has it as one (Linux 5.18) */

struct off_cpu_shared shared;

HASH_MAP(u32, struct off_cpu_task, MAX_TASKS) tasks SEC(".maps"); /* by tid, as the next ones */
HASH_MAP(u32, struct off_cpu_asleep, MAX_TASKS) asleep SEC(".maps");
HASH_MAP(u32, struct off_cpu_known, MAX_TASKS) known SEC(".maps"); /* written by the reader */
HASH_MAP(u32, u64, MAX_TASKS) tids SEC(".maps"); /* the keys alone count; so those of cpus */
HASH_MAP(u32, u64, 8192) cpus SEC(".maps");
HASH_MAP(u64, struct off_cpu_frames, MAX_STACKS) stacks SEC(".maps"); /* by hash */
/* One map is filled while the other one is read. */
HASH_MAP(struct off_cpu_key, struct off_cpu_sum, MAX_SUMS) sums SEC(".maps");
HASH_MAP(struct off_cpu_key, struct off_cpu_sum, MAX_SUMS) sums_odd SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct off_cpu_frames);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} told SEC(".maps"); /* struct off_cpu_told */

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, OFF_CPU_CGROUPS_MAX);
	__type(key, u32);
	__type(value, u32);
} cgroups SEC(".maps");

static __always_inline u64 state_of(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task;
	struct task_struct___before_5_14 *old;

	if (state_is_argument)
		return ctx->args[ARG_STATE];
	task = (void *)ctx->args[ARG_PREV];
	if (bpf_core_field_exists(task->__state))
		return BPF_CORE_READ(task, __state);
	old = (void *)task;
	return (u64)BPF_CORE_READ(old, state);
}

static __always_inline bool in_cgroups(void)
{
	for (u32 i = 0; i < OFF_CPU_CGROUPS_MAX; i++)
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return true;
	return false;
}

static __always_inline bool is_measured(u32 tid, u32 cpu)
{
	if (only_tids && !bpf_map_lookup_elem(&tids, &tid))
		return false;
	if (only_cpus && !bpf_map_lookup_elem(&cpus, &cpu))
		return false;
	return !only_cgroups || in_cgroups();
}

/* The stack into the map of stacks. False: there is none; *hash is 0 if there is no room for it. */
static __always_inline bool take_stack(void *ctx, struct off_cpu_frames *frames, u64 flags,
				       u64 *hash)
{
	long bytes = bpf_get_stack(ctx, frames->ips, stack_bytes, flags);
	u64 h;

	if (bytes <= 0)
		return false;
	frames->bytes = (u64)bytes;
	h = (u64)bytes;
	for (u32 i = 0; i < OFF_CPU_FRAMES && i * 8 < (u64)bytes; i++) {
		h = (h ^ frames->ips[i]) * HASH_FACTOR;
		h ^= h >> 32;
	}
	*hash = h;
	if (bpf_map_lookup_elem(&stacks, hash) ||
	    !bpf_map_update_elem(&stacks, hash, frames, BPF_ANY))
		return true;
	count(&shared.lost_stacks);
	*hash = 0;
	return true;
}

/* For who looks at its stack while it sleeps. */
static __always_inline void keep_registers(u32 tid, u64 now)
{
	struct off_cpu_asleep a;
	void *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	if (bpf_probe_read_kernel(a.regs, sizeof(a.regs), regs))
		return;
	a.start = now;
	bpf_map_update_elem(&asleep, &tid, &a, BPF_ANY);
}

/* The current task gives up its CPU. */
static __always_inline void goes(struct bpf_raw_tracepoint_args *ctx, u64 now)
{
	u64 ids = bpf_get_current_pid_tgid();
	struct off_cpu_task task = { .start = now, .pid = (u32)(ids >> 32) };
	struct off_cpu_frames *frames;
	u32 tid = (u32)ids, zero = 0;
	u64 state;

	if (!tid) /* the idle task */
		return;
	state = state_of(ctx);
	if (state & STATE_DEAD) {
		bpf_map_delete_elem(&tasks, &tid);
		bpf_map_delete_elem(&tids, &tid);
		bpf_map_delete_elem(&asleep, &tid);
		bpf_map_delete_elem(&known, &tid);
		return;
	}
	task.cpu = bpf_get_smp_processor_id();
	frames = bpf_map_lookup_elem(&scratch, &zero);
	if (!(state & STATE_SLEEPS) || !is_measured(tid, task.cpu) || !frames)
		return;
	/* a thread of the kernel has no stack in user space */
	if (!take_stack(ctx, frames, BPF_F_USER_STACK, &task.user))
		return;
	if (want_kernel)
		take_stack(ctx, frames, 0, &task.kernel);
	if (want_regs) /* before it is known to sleep */
		keep_registers(tid, now);
	if (bpf_map_update_elem(&tasks, &tid, &task, BPF_ANY))
		count(&shared.lost_tasks);
}

/* A task is switched to by one CPU at a time, so nobody else adds to its sum. */
static __always_inline void sum_up(const struct off_cpu_told *t)
{
	void *map = shared.odd ? (void *)&sums_odd : (void *)&sums;
	struct off_cpu_sum *sum = bpf_map_lookup_elem(map, &t->key);
	struct off_cpu_sum first = { .time = t->time, .end = t->end, .cpu = t->cpu };

	if (sum) {
		sum->time += t->time;
		sum->end = t->end;
		sum->cpu = t->cpu;
	} else if (bpf_map_update_elem(map, &t->key, &first, BPF_ANY)) {
		count(&shared.lost_sums);
	}
}

/* The task gets a CPU: did it sleep? */
static __always_inline void comes(struct task_struct *next, u64 now)
{
	u32 tid = (u32)BPF_CORE_READ(next, pid);
	struct off_cpu_task *task = tid ? bpf_map_lookup_elem(&tasks, &tid) : NULL;
	struct off_cpu_told t = { .end = now };
	struct off_cpu_known *found;
	u64 start, from;

	if (!task || !task->start)
		return;
	start = task->start;
	task->start = 0;
	from = start < shared.since ? shared.since : start;
	if (!shared.enabled || from >= now)
		return;
	t.time = now - from;
	t.key.user = task->user;
	t.key.kernel = task->kernel;
	t.key.pid = task->pid;
	t.key.tid = tid;
	t.cpu = bpf_get_smp_processor_id();
	/* a stack that was found while it slept is a better one */
	found = want_regs ? bpf_map_lookup_elem(&known, &tid) : NULL;
	if (found && found->start == start)
		t.key.user = found->user;
	if (t.time < threshold)
		sum_up(&t);
	else if (bpf_ringbuf_output(&told, &t, sizeof(t), 0))
		count(&shared.lost_told);
}

SEC("raw_tp/sched_switch")
int off_cpu_switch(struct bpf_raw_tracepoint_args *ctx)
{
	u64 now = bpf_ktime_get_ns();

	if (!(ctx->args[ARG_PREEMPT] & 0xff))
		goes(ctx, now);
	comes((void *)ctx->args[ARG_NEXT], now);
	return 0;
}

/* A child of one that is measured is measured, too. */
SEC("raw_tp/task_newtask")
int off_cpu_fork(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &shared.lost_tasks);
}
