/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of bpf/off_cpu, at the raw tracepoints sched_switch, sched_waking and task_newtask.
 *
 * A task that is measured has an entry in `tasks` that says what it does since when. An event that
 * ends that tells of the span, and begins another.
 */
#include "bpf/off_cpu_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

enum {
	MAX_TASKS = 65536, /* that sleep at the same time */
	MAX_SUMS = 32768, /* between two looks at them */
	RING_BYTES = 1 << 20,
};
#define HASH_FACTOR 0x9e3779b97f4a7c15ULL

/* Bits of a task's state: interruptible and uninterruptible sleep (S and D of ps), dead. */
enum {
	STATE_INTERRUPTIBLE = 1,
	STATE_UNINTERRUPTIBLE = 2,
	STATE_SLEEPS = STATE_INTERRUPTIBLE | STATE_UNINTERRUPTIBLE,
	STATE_STOPPED = 4 | 8 | 0x40, /* by a signal, a tracer, parked */
	STATE_DEAD = 0x80,
	STATE_NO_LOAD = 0x400, /* a kernel thread without work */
};

enum {
	FLAG_KERNEL_THREAD = 0x200000, /* of task_struct.flags */
	STACK_BYTES = 1 << 14, /* of a task in the kernel: x86-64, arm64 */
};

/* Arguments of sched_switch (preempt, prev, next, prev's state) and of task_newtask (task, ...). */
enum { ARG_PREEMPT, ARG_PREV, ARG_NEXT, ARG_STATE };

/* Set before the programs are loaded. */
const volatile u64 threshold; /* ns */
const volatile u32 stack_bytes;
const volatile u64 interrupts_from, interrupts_to; /* their entries' code; x86 */
const volatile bool tells_regs; /* bpf_task_pt_regs() is there */
const volatile bool wall; /* all the time, not only that of sleeps */
const volatile bool want_kernel, want_regs, only_tids, only_cpus, only_cgroups;
const volatile bool state_is_argument; /* sched_switch has it as one (Linux 5.18) */

struct off_cpu_shared shared;

HASH_MAP(u32, struct off_cpu_task, MAX_TASKS) tasks SEC(".maps"); /* by tid, as the next ones */
HASH_MAP(u32, struct off_cpu_asleep, MAX_TASKS) asleep SEC(".maps");
HASH_MAP(u32, struct off_cpu_known, MAX_TASKS) known SEC(".maps"); /* written by the reader */
HASH_MAP(u32, u64, MAX_TASKS) tids SEC(".maps"); /* the keys alone count; so those of cpus */
HASH_MAP(u32, u64, 8192) cpus SEC(".maps");
HASH_MAP(u64, struct off_cpu_frames, OFF_CPU_STACKS) stacks SEC(".maps"); /* by hash */
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
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} running SEC(".maps"); /* tid that the CPU was switched to last */

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
	return state_is_argument ? ctx->args[ARG_STATE] : task_state((void *)ctx->args[ARG_PREV]);
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
	if (bpf_map_lookup_elem(&stacks, hash))
		return true;
	if (bpf_map_update_elem(&stacks, hash, frames, BPF_ANY)) {
		count(&shared.lost_stacks);
		*hash = 0;
	} else {
		count(&shared.new_stacks);
	}
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

/*
 * Who is at work: the current task or an interrupt. Interrupts have stacks of their own, except
 * those that meet x86 in user space: these begin on the task's, as exceptions do, and both leave -1
 * where a system call leaves its number. The arguments of a raw tracepoint lie on the stack in use.
 */
static __always_inline u32 who_works(struct bpf_raw_tracepoint_args *ctx, u32 tid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct pt_regs *regs;
	void *args = ctx;
	u64 at = 0, stack = (u64)BPF_CORE_READ(task, stack);

	if (!tid) /* the idle task wakes nobody up */
		return OFF_CPU_INTERRUPT;
	if (bpf_probe_read_kernel(&at, sizeof(at), &args))
		return OFF_CPU_NOT_TOLD;
	if (at - stack >= STACK_BYTES)
		return OFF_CPU_INTERRUPT;
	if (BPF_CORE_READ(task, flags) & FLAG_KERNEL_THREAD)
		return OFF_CPU_THREAD;
	if (!tells_regs)
		return OFF_CPU_NOT_TOLD;
	regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	if (!bpf_core_field_exists(regs->orig_ax) || (s64)BPF_CORE_READ(regs, orig_ax) != -1)
		return OFF_CPU_THREAD;
	/* behind the registers is where the entry from user space goes on */
	if (bpf_probe_read_kernel(&at, sizeof(at), (void *)regs - sizeof(at)))
		return OFF_CPU_NOT_TOLD;
	return at > interrupts_from && at <= interrupts_to ? OFF_CPU_INTERRUPT : OFF_CPU_NOT_TOLD;
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
		return;
	}
	__builtin_memcpy(first.waker_comm, t->waker_comm, sizeof(first.waker_comm));
	if (bpf_map_update_elem(map, &t->key, &first, BPF_ANY))
		count(&shared.lost_sums);
}

/* What the task did ends now; afterwards it does nothing that is measured. */
static __always_inline void end_span(struct off_cpu_task *task, u32 tid, u64 now)
{
	struct off_cpu_told t = { .end = now };
	struct off_cpu_known *found;
	u64 start = task->start, from;

	if (!start)
		return;
	task->start = 0;
	from = start < shared.since ? shared.since : start;
	if (!shared.enabled || from >= now)
		return;
	/* a stack that was found while it slept is a better one */
	found = want_regs ? bpf_map_lookup_elem(&known, &tid) : NULL;
	if (found && found->start == start)
		task->user = found->user;
	t.time = now - from;
	t.key.user = task->user;
	t.key.kernel = task->kernel;
	t.key.pid = task->pid;
	t.key.tid = tid;
	t.cpu = bpf_get_smp_processor_id();
	if (wall) {
		t.key.kind = task->kind | task->skipped;
		t.key.waker = task->waker;
		t.key.waker_pid = task->waker_pid;
		t.key.waker_tid = task->waker_tid;
		__builtin_memcpy(t.waker_comm, task->waker_comm, sizeof(t.waker_comm));
	}
	if (t.time < threshold)
		sum_up(&t);
	else if (bpf_ringbuf_output(&told, &t, sizeof(t), 0))
		count(&shared.lost_told);
}

static __always_inline void forget(u32 tid)
{
	bpf_map_delete_elem(&tasks, &tid);
	bpf_map_delete_elem(&tids, &tid);
	bpf_map_delete_elem(&asleep, &tid);
	bpf_map_delete_elem(&known, &tid);
}

static __always_inline u32 kind_of(u64 state)
{
	if (state & STATE_INTERRUPTIBLE || state & STATE_NO_LOAD)
		return OFF_CPU_SLEEPS;
	if (state & STATE_UNINTERRUPTIBLE)
		return OFF_CPU_UNINTERRUPTIBLE;
	return state & STATE_STOPPED ? OFF_CPU_STOPPED : OFF_CPU_PREEMPTED;
}

/* Following a stack takes longer than a switch. Whether this one is left out. */
static __always_inline bool skips_stack(struct off_cpu_task *task, const struct off_cpu_task *old,
					u64 now)
{
	task->window = now;
	if (!old || now - old->window >= OFF_CPU_WINDOW_NS)
		return false;
	task->window = old->window;
	task->switches = old->switches + 1;
	return task->switches >= OFF_CPU_WINDOW_STACKS && task->switches % OFF_CPU_FURTHER;
}

/* A task that was not met before: what it did since the beginning, its own or that of all. */
static __always_inline void end_first_span(const struct task_struct *t, u32 tid, u32 kind, u64 now)
{
	u64 born = BPF_CORE_READ(t, start_time);
	struct off_cpu_task task = { .start = born > shared.since ? born : shared.since,
				     .pid = (u32)BPF_CORE_READ(t, tgid),
				     .kind = kind };

	if (shared.enabled)
		end_span(&task, tid, now);
}

/*
 * Some machines hide switches of tasks of theirs: one that is not the current task any more, though
 * nobody told that it left its CPU, does what is not known. Whether this is the CPU's first switch.
 */
static __always_inline bool check_running(u32 next_tid)
{
	u32 zero = 0, tid = (u32)bpf_get_current_pid_tgid();
	u32 *before = bpf_map_lookup_elem(&running, &zero);
	struct off_cpu_task *lost;
	bool first;

	if (!before)
		return false;
	first = !*before;
	lost = *before && *before != tid ? bpf_map_lookup_elem(&tasks, before) : NULL;
	if (lost && lost->kind == OFF_CPU_RUNS && lost->cpu == bpf_get_smp_processor_id())
		lost->kind = OFF_CPU_UNKNOWN;
	/* (no task has this tid; the idle task is not 0) */
	*before = next_tid ? next_tid : ~0U;
	return first;
}

/*
 * The current task gives up its CPU. One that has no entry had the CPU since the beginning if
 * nobody else did: else its number is another one now, as that of a thread is which calls exec.
 */
static __always_inline void goes(struct bpf_raw_tracepoint_args *ctx, bool preempted, bool first,
				 u64 now)
{
	u64 ids = bpf_get_current_pid_tgid();
	struct off_cpu_task task = { .start = now, .pid = (u32)(ids >> 32) }, *old;
	struct off_cpu_frames *frames;
	u32 tid = (u32)ids, zero = 0;
	u64 state;

	if (!tid) /* the idle task */
		return;
	state = state_of(ctx);
	old = wall ? bpf_map_lookup_elem(&tasks, &tid) : NULL;
	if (old)
		end_span(old, tid, now);
	if (state & STATE_DEAD) {
		forget(tid);
		return;
	}
	task.cpu = bpf_get_smp_processor_id();
	frames = bpf_map_lookup_elem(&scratch, &zero);
	if ((!wall && !(state & STATE_SLEEPS)) || !is_measured(tid, task.cpu) || !frames)
		return;
	if (wall && !old)
		end_first_span((void *)ctx->args[ARG_PREV], tid,
			       first ? OFF_CPU_RUNS : OFF_CPU_UNKNOWN, now);
	task.kind = preempted ? OFF_CPU_PREEMPTED : kind_of(state);
	if (wall && skips_stack(&task, old, now))
		task.skipped = OFF_CPU_SKIPPED;
	/* a thread of the kernel has no stack in user space */
	if (!task.skipped && !take_stack(ctx, frames, BPF_F_USER_STACK, &task.user) && !wall)
		return;
	if (want_kernel && !task.skipped)
		take_stack(ctx, frames, 0, &task.kernel);
	if (want_regs && !preempted) /* before it is known to sleep */
		keep_registers(tid, now);
	if (bpf_map_update_elem(&tasks, &tid, &task, BPF_ANY))
		count(&shared.lost_tasks);
}

/* The task gets a CPU. */
static __always_inline void comes(struct task_struct *next, u64 now)
{
	u32 tid = (u32)BPF_CORE_READ(next, pid);
	struct off_cpu_task *task = tid ? bpf_map_lookup_elem(&tasks, &tid) : NULL;
	struct off_cpu_task first = { .start = now,
				      .kind = OFF_CPU_RUNS,
				      .cpu = bpf_get_smp_processor_id() };

	if (task && wall && !task->waker && task->kind >= OFF_CPU_SLEEPS)
		task->waker = OFF_CPU_NOT_TOLD;
	if (task)
		end_span(task, tid, now);
	if (!wall || !tid)
		return;
	if (task) {
		first.pid = task->pid;
		first.window = task->window;
		first.switches = task->switches;
		*task = first;
		return;
	}
	if (only_tids && !bpf_map_lookup_elem(&tids, &tid))
		return;
	first.pid = (u32)BPF_CORE_READ(next, tgid);
	end_first_span(next, tid, OFF_CPU_UNKNOWN, now);
	if (bpf_map_update_elem(&tasks, &tid, &first, BPF_ANY))
		count(&shared.lost_tasks);
}

SEC("raw_tp/sched_switch")
int off_cpu_switch(struct bpf_raw_tracepoint_args *ctx)
{
	u64 now = bpf_ktime_get_ns();
	bool preempted = ctx->args[ARG_PREEMPT] & 0xff, first = false;

	if (wall)
		first = check_running(
			(u32)BPF_CORE_READ((struct task_struct *)ctx->args[ARG_NEXT], pid));
	if (wall || !preempted)
		goes(ctx, preempted, first, now);
	comes((void *)ctx->args[ARG_NEXT], now);
	return 0;
}

/* A new task waits for its first CPU. */
SEC("raw_tp/task_newtask")
int off_cpu_new(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *child = (void *)ctx->args[0];
	struct off_cpu_task task = { .start = bpf_ktime_get_ns(), .kind = OFF_CPU_NEW };
	u32 tid = (u32)bpf_get_current_pid_tgid(), new_tid = (u32)BPF_CORE_READ(child, pid);

	if (only_tids && !bpf_map_lookup_elem(&tids, &tid))
		return 0;
	task.pid = (u32)BPF_CORE_READ(child, tgid);
	if (bpf_map_update_elem(&tasks, &new_tid, &task, BPF_ANY))
		count(&shared.lost_tasks);
	return 0;
}

/* A task that waits for something need not any more: from now on it waits for a CPU. */
SEC("raw_tp/sched_waking")
int off_cpu_waking(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *woken = (void *)ctx->args[0];
	u32 tid = (u32)BPF_CORE_READ(woken, pid);
	struct off_cpu_task *task = bpf_map_lookup_elem(&tasks, &tid);
	u64 now = bpf_ktime_get_ns(), ids = bpf_get_current_pid_tgid();

	if (!task || !task->start || task->kind < OFF_CPU_SLEEPS)
		return 0;
	task->waker = who_works(ctx, (u32)ids);
	if (task->waker == OFF_CPU_THREAD) {
		task->waker_pid = (u32)(ids >> 32);
		task->waker_tid = (u32)ids;
		bpf_get_current_comm(task->waker_comm, sizeof(task->waker_comm));
	}
	end_span(task, tid, now);
	task->kind = OFF_CPU_WOKEN;
	task->start = now;
	return 0;
}

/* A child of one that is measured is measured, too. */
SEC("raw_tp/task_newtask")
int off_cpu_fork(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &shared.lost_tasks);
}
