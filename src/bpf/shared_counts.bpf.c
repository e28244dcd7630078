/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of bpf/shared_counts. When a CPU goes from one task to another, what its counters
 * have counted since they were last read belongs to the task that leaves, and to its cgroups.
 */
#include "bpf/shared_counts_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

enum { STATE_DEAD = 0x80, CGROUP_DEPTH = 32 };

/* Arguments of sched_switch (preempt, prev, next, prev's state). */
enum { ARG_PREEMPT, ARG_PREV, ARG_NEXT };

/* Set before the programs are loaded. */
const volatile u32 nr_counters;
const volatile bool only_tids; /* those in the map; else the first owner is everybody */
const volatile bool by_cgroup;

struct shared_counts_state state;

/* The counters' descriptors by CPU: one map for each counter, which others may use as well. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__array(
		values, struct {
			__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
			__uint(max_entries, 1);
			__uint(map_flags, BPF_F_PRESERVE_ELEMS);
			__uint(key_size, sizeof(u32));
			__uint(value_size, sizeof(u32));
		});
} counters SEC(".maps");

MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct shared_count, SHARED_COUNTS_COUNTERS)
counts SEC(".maps");
/* [owner * nr_counters + counter] */
MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct program_count, 1) sums SEC(".maps");
/* The number of the owner, by tid and by the cgroup's id. */
HASH_MAP(u32, u64, SHARED_COUNTS_THREADS) tids SEC(".maps");
HASH_MAP(u64, u64, SHARED_COUNTS_CGROUPS) cgroups SEC(".maps");

/* Read all counters of this CPU. */
static __noinline int read_counters(void *ctx __attribute__((unused)))
{
	u64 epoch = state.epoch;

	for (u32 i = 0; i < nr_counters && i < SHARED_COUNTS_COUNTERS; i++) {
		u32 counter = i;
		void *fds = bpf_map_lookup_elem(&counters, &counter);
		struct shared_count *c = bpf_map_lookup_elem(&counts, &counter);
		struct program_count now = { 0 };

		if (!fds || !c)
			continue;
		if (bpf_perf_event_read_value(fds, BPF_F_CURRENT_CPU, (void *)&now, sizeof(now))) {
			c->epoch = 0;
			continue;
		}
		if (c->epoch == epoch) {
			c->since.value = now.value - c->last.value;
			c->since.enabled = now.enabled - c->last.enabled;
			c->since.running = now.running - c->last.running;
		} else {
			c->since.value = c->since.enabled = c->since.running = 0;
		}
		c->last = now;
		c->epoch = epoch;
	}
	return 0;
}

static __noinline int add_to(u64 owner)
{
	for (u32 i = 0; i < nr_counters && i < SHARED_COUNTS_COUNTERS; i++) {
		u32 counter = i, at = (u32)owner * nr_counters + i;
		const struct shared_count *c = bpf_map_lookup_elem(&counts, &counter);
		struct program_count *sum = bpf_map_lookup_elem(&sums, &at);

		if (!c || !sum || c->epoch != state.epoch)
			continue;
		sum->value += c->since.value;
		sum->enabled += c->since.enabled;
		sum->running += c->since.running;
	}
	return 0;
}

/* A group's counts are its parents' as well. */
static __always_inline void add_to_cgroups(void)
{
	for (int level = 0; level < CGROUP_DEPTH; level++) {
		u64 id = bpf_get_current_ancestor_cgroup_id(level);
		const u64 *owner = id ? bpf_map_lookup_elem(&cgroups, &id) : NULL;

		if (!id)
			break;
		if (owner)
			add_to(*owner);
	}
}

/* The task that runs until now: its tid. */
static __always_inline void account(void *ctx, u32 tid)
{
	const u64 *owner = only_tids ? bpf_map_lookup_elem(&tids, &tid) : NULL;

	if (only_tids && !owner)
		return;
	read_counters(ctx);
	add_to(owner ? *owner : 0);
	if (by_cgroup)
		add_to_cgroups();
}

SEC("raw_tp/sched_switch")
int shared_counts_switch(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *prev = (void *)ctx->args[ARG_PREV], *next = (void *)ctx->args[ARG_NEXT];
	u32 tid = (u32)bpf_get_current_pid_tgid();

	if (!state.epoch)
		return 0;
	account(ctx, tid);
	if (!only_tids)
		return 0;
	if (task_state(prev) & STATE_DEAD)
		bpf_map_delete_elem(&tids, &tid);
	tid = (u32)BPF_CORE_READ(next, pid);
	if (bpf_map_lookup_elem(&tids, &tid))
		read_counters(ctx);
	return 0;
}

/* Run by the loader on each CPU, when counting begins, when sums are read, and when it ends. */
SEC("raw_tp")
int shared_counts_now(struct bpf_raw_tracepoint_args *ctx)
{
	if (state.epoch)
		account(ctx, (u32)bpf_get_current_pid_tgid());
	return 0;
}

/* exec gives the task its new name where the kernel enables counters with enable_on_exec. */
SEC("raw_tp/task_rename")
int shared_counts_exec(struct bpf_raw_tracepoint_args *ctx)
{
	u32 tid = (u32)bpf_get_current_pid_tgid();

	if (state.epoch || !bpf_map_lookup_elem(&tids, &tid))
		return 0;
	state.epoch = 1;
	read_counters(ctx);
	return 0;
}

SEC("raw_tp/task_newtask")
int shared_counts_fork(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &state.lost);
}
