/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of bpf/syscall_stats, at the raw tracepoints of system calls. A thread is in one
 * call and on one CPU at a time, so nobody else writes to what is kept by thread.
 */
#include "bpf/syscall_stats_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

enum { ERRORS = 4095, TS_COMPAT = 2 };

/* Where a signal's handler has returned by rt_sigreturn. */
#define NO_CALL (~0U)

/* Set before the programs are loaded. */
const volatile bool only_tids; /* those in the map, and their children if fork is loaded */
const volatile u32 not_pid; /* a process that is left out */
const volatile bool by_error, by_time; /* parts of rows are counted, too */

struct syscall_shared shared;

HASH_MAP(u32, u64, SYSCALL_STATS_THREADS) tids SEC(".maps"); /* the keys alone count */
HASH_MAP(u32, struct syscall_call, SYSCALL_STATS_THREADS) calls SEC(".maps"); /* by tid */
HASH_MAP(struct syscall_key, struct syscall_sum, SYSCALL_STATS_ROWS) sums SEC(".maps");
HASH_MAP(struct syscall_part_key, u64, SYSCALL_STATS_PARTS) parts SEC(".maps");

/* The call that the task is in. */
static __always_inline u32 call_number(u64 nr)
{
#ifdef __TARGET_ARCH_x86
	struct task_struct *task = (void *)bpf_get_current_task();

	if (BPF_CORE_READ(task, thread_info.status) & TS_COMPAT)
		return (u32)nr | SYSCALL_STATS_COMPAT;
#endif
	return (u32)nr;
}

/* Whose calls are counted. */
static __always_inline bool is_measured(u64 ids)
{
	u32 tid = (u32)ids;

	return shared.enabled && (u32)(ids >> 32) != not_pid &&
	       (!only_tids || bpf_map_lookup_elem(&tids, &tid));
}

SEC("raw_tp/sys_enter")
int syscall_enter(struct bpf_raw_tracepoint_args *ctx)
{
	struct syscall_call first = { .nr = call_number(ctx->args[1]) }, *call;
	u64 ids = bpf_get_current_pid_tgid();
	u32 tid = (u32)ids;

	if (!shared.enabled)
		return 0;
	call = bpf_map_lookup_elem(&calls, &tid);
	if (call) {
		call->nr = first.nr;
		call->start = bpf_ktime_get_ns();
		return 0;
	}
	if (!is_measured(ids))
		return 0;
	first.start = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&calls, &tid, &first, BPF_ANY))
		count(&shared.lost_threads);
	return 0;
}

/* sum += time * time, in 128 bits */
static __always_inline void add_square(struct syscall_sum *sum, u64 time)
{
	u64 low = (u32)time, high = time >> 32, middle = 2 * low * high;
	u64 add = low * low, before = sum->squares;

	sum->squares_high += high * high + (middle >> 32);
	sum->squares += add;
	sum->squares_high += sum->squares < before;
	before = sum->squares;
	sum->squares += middle << 32;
	sum->squares_high += sum->squares < before;
}

static __always_inline void count_part(const struct syscall_key *key, bool is_time, u32 part)
{
	struct syscall_part_key of = { key->tid, key->nr, is_time, part };
	u64 one = 1, *nr = bpf_map_lookup_elem(&parts, &of);

	if (nr)
		++*nr;
	else if (bpf_map_update_elem(&parts, &of, &one, BPF_ANY))
		count(&shared.lost_rows);
}

/* How many bits the time has. */
static __always_inline u32 part_of_time(u64 time)
{
	u32 bits = 0;

	for (u32 step = 32; step; step /= 2)
		if (time >> step) {
			bits += step;
			time >>= step;
		}
	bits += time != 0;
	return bits < SYSCALL_STATS_TIMES ? bits : SYSCALL_STATS_TIMES - 1;
}

/* The thread's first call of that number. */
static __always_inline struct syscall_sum *new_sum(const struct syscall_key *key, u32 pid)
{
	struct syscall_sum sum = { .least = ~0ULL,
				   .pid = pid,
				   .cgroup = bpf_get_current_cgroup_id() };

	bpf_get_current_comm(sum.comm, sizeof(sum.comm));
	if (bpf_map_update_elem(&sums, key, &sum, BPF_ANY)) {
		count(&shared.lost_rows);
		return NULL;
	}
	return bpf_map_lookup_elem(&sums, key);
}

static __always_inline struct syscall_sum *find_sum(const struct syscall_key *key, u32 pid)
{
	struct syscall_sum *sum = bpf_map_lookup_elem(&sums, key);

	return sum ? sum : new_sum(key, pid);
}

/* Of the call that returns where it was not seen to begin: one that made this task, or executed
 * this program. */
static __always_inline u64 number_at_end(struct pt_regs *regs)
{
#ifdef __TARGET_ARCH_arm64
	return (u32)BPF_CORE_READ(regs, syscallno);
#else
	return (u32)BPF_CORE_READ(regs, orig_ax);
#endif
}

SEC("raw_tp/sys_exit")
int syscall_exit(struct bpf_raw_tracepoint_args *ctx)
{
	u64 ids = bpf_get_current_pid_tgid(), time = 0;
	s64 result = (s64)ctx->args[1];
	struct syscall_key key = { .tid = (u32)ids };
	struct syscall_call *call;
	struct syscall_sum *sum;
	bool began;

	if (!shared.enabled)
		return 0;
	call = bpf_map_lookup_elem(&calls, &key.tid);
	began = call && call->start;
	if (began) {
		time = bpf_ktime_get_ns() - call->start;
		call->start = 0;
		key.nr = call->nr;
	} else {
		if (!is_measured(ids))
			return 0;
		key.nr = number_at_end((struct pt_regs *)ctx->args[0]);
		if (key.nr == NO_CALL)
			return 0;
		key.nr = call_number(key.nr);
	}
	sum = find_sum(&key, (u32)(ids >> 32));
	if (!sum)
		return 0;
	sum->count++;
	sum->begun += began;
	sum->total += time;
	add_square(sum, time);
	if (time < sum->least)
		sum->least = time;
	if (time > sum->most)
		sum->most = time;
	if (result < 0 && result >= -ERRORS) {
		sum->errors++;
		if (by_error)
			count_part(&key, false, (u32)-result);
	}
	if (by_time)
		count_part(&key, true, part_of_time(time));
	return 0;
}

/* A command that was started to be measured: from here on it is what was asked for. */
SEC("raw_tp/sched_process_exec")
int syscall_exec(void *ctx __attribute__((unused)))
{
	u32 tid = (u32)bpf_get_current_pid_tgid();

	if (!shared.enabled && bpf_map_lookup_elem(&tids, &tid))
		shared.enabled = 1;
	return 0;
}

SEC("raw_tp/sched_process_exit")
int syscall_thread_ends(void *ctx __attribute__((unused)))
{
	u64 ids = bpf_get_current_pid_tgid();
	u32 tid = (u32)ids;
	struct syscall_call *call = bpf_map_lookup_elem(&calls, &tid);
	struct syscall_key key = { .tid = tid };
	struct syscall_sum *sum;

	/* the one that it ends in has begun and does not return */
	if (call && call->start && shared.enabled) {
		key.nr = call->nr;
		sum = find_sum(&key, (u32)(ids >> 32));
		if (sum)
			sum->begun++;
	}
	bpf_map_delete_elem(&calls, &tid);
	bpf_map_delete_elem(&tids, &tid);
	return 0;
}

/* A child of one that is measured is measured, too. */
SEC("raw_tp/task_newtask")
int syscall_fork(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &shared.lost_threads);
}
