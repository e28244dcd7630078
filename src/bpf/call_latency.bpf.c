/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of bpf/call_latency, at a function's begin and end, or at two tracepoints. */
#include "bpf/call_latency_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

/* Set before the programs are loaded. */
const volatile bool only_tids, only_cpus;
const volatile u64 unit; /* ns */
const volatile u64 range, least; /* units; 0 = powers of two, as wide as the others */
const volatile u32 nr_buckets;

struct call_latency_shared shared;

MAP(BPF_MAP_TYPE_HASH, u64, u64, CALL_LATENCY_TASKS) begun SEC(".maps"); /* by task: when */
MAP(BPF_MAP_TYPE_HASH, u32, u64, CALL_LATENCY_TASKS) tids SEC(".maps"); /* the keys alone count */
MAP(BPF_MAP_TYPE_HASH, u32, u64, 8192) cpus SEC(".maps");
MAP(BPF_MAP_TYPE_ARRAY, u32, u64, 1) buckets SEC(".maps");
MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct call_latency_sums, 1) sums SEC(".maps");

/* The idle tasks have one tid. */
static __always_inline u64 task_key(u32 tid)
{
	return tid ? tid : (u64)(bpf_get_smp_processor_id() + 1) << 32;
}

static __always_inline int begin(void)
{
	u32 tid = (u32)bpf_get_current_pid_tgid();
	u64 key = task_key(tid), now;

	if (!shared.enabled || (only_tids && !bpf_map_lookup_elem(&tids, &tid)))
		return 0;
	now = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&begun, &key, &now, BPF_ANY))
		count(&shared.lost);
	return 0;
}

/* floor(log2(v)) + 1, 0 for 0 */
static __always_inline u32 bits_of(u64 v)
{
	u32 bits = 0;

	for (u32 step = 32; step; step /= 2) {
		if (v >> step) {
			bits += step;
			v >>= step;
		}
	}
	return bits + !!v;
}

static __always_inline u32 bucket_of(u64 time)
{
	u64 value = time / unit, i;

	if (!range)
		i = bits_of(value);
	else if (!least)
		i = value / range;
	else
		i = value < least ? 0 : (value - least) / range + 1;
	return i < nr_buckets ? (u32)i : nr_buckets - 1;
}

static __always_inline int end(void)
{
	u64 key = task_key((u32)bpf_get_current_pid_tgid()), *start, time, *count;
	u32 cpu = bpf_get_smp_processor_id(), zero = 0, bucket;
	struct call_latency_sums *s;

	start = bpf_map_lookup_elem(&begun, &key);
	if (!start)
		return 0;
	time = bpf_ktime_get_ns() - *start;
	bpf_map_delete_elem(&begun, &key);
	if (!shared.enabled || (only_cpus && !bpf_map_lookup_elem(&cpus, &cpu)))
		return 0;
	bucket = bucket_of(time);
	count = bpf_map_lookup_elem(&buckets, &bucket);
	s = bpf_map_lookup_elem(&sums, &zero);
	if (!count || !s)
		return 0;
	__sync_fetch_and_add(count, 1);
	__sync_fetch_and_add(&s->total, time);
	if (!__sync_fetch_and_add(&s->count, 1) || time < s->least)
		s->least = time;
	if (time > s->most)
		s->most = time;
	return 0;
}

SEC("kprobe")
int function_begin(void *ctx __attribute__((unused)))
{
	return begin();
}

SEC("kretprobe")
int function_end(void *ctx __attribute__((unused)))
{
	return end();
}

SEC("tracepoint")
int event_begin(void *ctx __attribute__((unused)))
{
	return begin();
}

SEC("tracepoint")
int event_end(void *ctx __attribute__((unused)))
{
	return end();
}

/* The same event twice: from one to the next. */
SEC("tracepoint")
int event_again(void *ctx __attribute__((unused)))
{
	end();
	return begin();
}

SEC("raw_tp/sched_process_exit")
int task_ends(void *ctx __attribute__((unused)))
{
	u32 tid = (u32)bpf_get_current_pid_tgid();
	u64 key = task_key(tid);

	bpf_map_delete_elem(&begun, &key);
	bpf_map_delete_elem(&tids, &tid);
	return 0;
}

/* A child of one that is measured is measured, too. */
SEC("raw_tp/task_newtask")
int task_begins(struct bpf_raw_tracepoint_args *ctx)
{
	return add_child(&tids, ctx, &shared.lost);
}
