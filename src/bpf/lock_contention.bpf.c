/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of bpf/lock_contention, where a task begins and ends to wait for a lock. */
#include "bpf/lock_contention_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

/* Set before the programs are loaded. */
const volatile bool only_tids, only_pids, only_cpus, only_locks, only_cgroups;
const volatile bool with_stacks;
const volatile bool with_delays;
const volatile bool by_lock, by_task, by_cgroup, by_owner; /* none: by caller */
const volatile bool types[LOCK_CONTENTION_FLAGS]; /* by flags: are wanted */

struct lock_contention_shared shared;

MAP(BPF_MAP_TYPE_HASH, struct lock_contention_wait, struct lock_contention_begin, 16384)
waits SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, struct lock_contention_key, struct lock_contention_sums, 16384)
rows SEC(".maps");
/* the keys alone count */
MAP(BPF_MAP_TYPE_HASH, u32, u64, LOCK_CONTENTION_TASKS) tids SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, u32, u64, LOCK_CONTENTION_TASKS) pids SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, u32, u64, 8192) cpus SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, u64, u64, 8192) locks SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, u64, u64, 8192) cgroups SEC(".maps");
MAP(BPF_MAP_TYPE_HASH, u64, u64, LOCK_CONTENTION_DELAYS) delays SEC(".maps"); /* ns, by lock */

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(u32));
	__uint(value_size, LOCK_CONTENTION_FRAMES * sizeof(u64));
} stacks SEC(".maps");

/* In the owner of a semaphore. */
enum { READERS = 1 };

static __always_inline bool is_wanted(u64 lock, u32 flags)
{
	u64 id = bpf_get_current_pid_tgid(), cgroup;
	u32 tid = (u32)id, pid = (u32)(id >> 32), cpu = bpf_get_smp_processor_id();

	if (!shared.enabled || !types[flags % LOCK_CONTENTION_FLAGS])
		return false;
	if ((only_tids || only_pids) && !(only_tids && bpf_map_lookup_elem(&tids, &tid)) &&
	    !(only_pids && bpf_map_lookup_elem(&pids, &pid)))
		return false;
	if (only_cpus && !bpf_map_lookup_elem(&cpus, &cpu))
		return false;
	if (only_locks && !bpf_map_lookup_elem(&locks, &lock))
		return false;
	if (!only_cgroups)
		return true;
	cgroup = bpf_get_current_cgroup_id();
	return bpf_map_lookup_elem(&cgroups, &cgroup);
}

/* Its tid, and above it bits of when it began, since the kernel gives tids again. */
static __always_inline u64 id_of(const struct task_struct *task)
{
	return (u32)BPF_CORE_READ(task, pid) | BPF_CORE_READ(task, start_time) >> 20 << 32;
}

/* The idle tasks have one tid. */
static __always_inline u64 this_task(void)
{
	const struct task_struct *task = (void *)bpf_get_current_task();
	u32 tid = (u32)bpf_get_current_pid_tgid();

	return tid ? id_of(task) : (u64)(bpf_get_smp_processor_id() + 1) << 32;
}

/* Who has the lock: mutexes and semaphores keep a task's address, and bits of theirs below it. 0 =
 * nobody, readers, or it is not told. */
static __always_inline u64 owner_of(u64 lock, u32 flags)
{
	struct task_struct *task;
	u64 owner = 0;

	if (flags & LOCK_CONTENTION_MUTEX)
		owner = (u64)BPF_CORE_READ((struct mutex *)lock, owner.counter);
	else if (flags == LOCK_CONTENTION_READ || flags == LOCK_CONTENTION_WRITE)
		owner = (u64)BPF_CORE_READ((struct rw_semaphore *)lock, owner.counter);
	if (!(flags & LOCK_CONTENTION_MUTEX) && owner & READERS)
		return 0;
	task = (struct task_struct *)(owner & ~7ULL);
	return task ? id_of(task) : 0;
}

SEC("tp_btf/contention_begin")
int lock_wait_begins(u64 *ctx)
{
	struct lock_contention_wait wait = { .lock = ctx[0], .task = this_task() };
	struct lock_contention_begin begin = { .stack = -1, .flags = (u32)ctx[1] };

	/* a mutex spins first, and sleeps then: one wait */
	if (!is_wanted(wait.lock, begin.flags) || bpf_map_lookup_elem(&waits, &wait))
		return 0;
	if (with_stacks) {
		begin.stack = (s32)bpf_get_stackid(ctx, &stacks, 0);
		if (begin.stack < 0) {
			begin.stack = -1;
			count(&shared.lost_stacks);
		}
	}
	if (by_owner) {
		begin.owner = owner_of(wait.lock, begin.flags);
		if (!begin.owner)
			count(&shared.unowned);
	}
	begin.since = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&waits, &wait, &begin, BPF_NOEXIST))
		count(&shared.lost_waits);
	return 0;
}

/* Others do the same at the same time. */
static __always_inline void set_extreme(u64 *at, u64 ns, bool most)
{
	for (int i = 0; i < 8; i++) {
		u64 seen = *(volatile u64 *)at;

		if ((most ? seen >= ns : seen <= ns) ||
		    __sync_val_compare_and_swap(at, seen, ns) == seen)
			return;
	}
}

static __always_inline struct lock_contention_sums *find_sums(const struct lock_contention_key *key)
{
	struct lock_contention_sums *sums = bpf_map_lookup_elem(&rows, key),
				    new = { .least = ~0ULL };

	if (sums)
		return sums;
	if (by_task)
		bpf_get_current_comm(new.comm, sizeof(new.comm));
	/* it may be there by now */
	bpf_map_update_elem(&rows, key, &new, BPF_NOEXIST);
	return bpf_map_lookup_elem(&rows, key);
}

static long is_over(u32 round __attribute__((unused)), const u64 *until)
{
	return bpf_ktime_get_ns() >= *until;
}

/* Keeps a lock, which the task has just got, for the longer. */
static __always_inline void keep(u64 lock)
{
	enum { ROUNDS = 1 << 23 }; /* as many as the kernel allows: more than 10 ms */
	const u64 *ns = bpf_map_lookup_elem(&delays, &lock);
	u64 until;

	if (!ns)
		return;
	until = bpf_ktime_get_ns() + *ns;
	bpf_loop(ROUNDS, is_over, &until, 0);
	count(&shared.delayed);
}

SEC("tp_btf/contention_end")
int lock_wait_ends(u64 *ctx)
{
	struct lock_contention_wait wait = { .lock = ctx[0], .task = this_task() };
	struct lock_contention_begin *found = bpf_map_lookup_elem(&waits, &wait), begin;
	struct lock_contention_key key = { .stack = -1 };
	struct lock_contention_sums *sums;
	u64 ns;

	if (!found)
		return 0;
	begin = *found;
	bpf_map_delete_elem(&waits, &wait);
	if (!shared.enabled)
		return 0;
	ns = bpf_ktime_get_ns() - begin.since;
	if (with_delays)
		keep(wait.lock);
	key.stack = begin.stack;
	if (by_lock)
		key.id = wait.lock;
	else if (by_task)
		key.id = (u32)wait.task ? wait.task : 0;
	else if (by_cgroup)
		key.id = bpf_get_current_cgroup_id();
	else if (by_owner)
		key.id = begin.owner;
	if (!by_task && !by_cgroup && !by_owner)
		key.flags = begin.flags;
	sums = find_sums(&key);
	if (!sums) {
		count(&shared.lost_rows);
		return 0;
	}
	count(&sums->count);
	__sync_fetch_and_add(&sums->total, ns);
	set_extreme(&sums->least, ns, false);
	set_extreme(&sums->most, ns, true);
	return 0;
}

/* Others get its numbers. */
SEC("raw_tp/sched_process_exit")
int lock_task_ends(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	u64 id = bpf_get_current_pid_tgid();
	u32 tid = (u32)id, pid = (u32)(id >> 32);

	bpf_map_delete_elem(&tids, &tid);
	if (!BPF_CORE_READ(task, signal, live.counter))
		bpf_map_delete_elem(&pids, &pid);
	return 0;
}

/* A child of one that is watched is watched, too. */
SEC("raw_tp/task_newtask")
int lock_task_begins(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &shared.lost_waits);
}
