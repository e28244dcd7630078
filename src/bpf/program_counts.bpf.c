/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs of bpf/program_counts, at the begin and the end of another BPF program. */
#include "bpf/program_counts_program.h"

#include "bpf/tasks.bpf.h"

char LICENSE[] SEC("license") = "GPL"; /* which some of the kernel's functions ask for */

/* Set before the programs are loaded. */
const volatile u32 nr_events, nr_cpus;

bool enabled;

/* The event's descriptors: [event * nr_cpus + cpu]. */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u32));
} events SEC(".maps");

MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct program_count, PROGRAM_COUNTS_EVENTS)
before SEC(".maps");
MAP(BPF_MAP_TYPE_PERCPU_ARRAY, u32, struct program_count, PROGRAM_COUNTS_EVENTS) sums SEC(".maps");

/* 0, or the event is not counted there. */
static __always_inline int read(u32 event, struct program_count *now)
{
	u64 at = (u64)event * nr_cpus + bpf_get_smp_processor_id();

	return bpf_perf_event_read_value(&events, at, (void *)now, sizeof(*now));
}

SEC("fentry/program") int begin(void *ctx __attribute__((unused)))
{
	for (u32 i = 0; enabled && i < nr_events && i < PROGRAM_COUNTS_EVENTS; i++) {
		u32 event = i;
		struct program_count now = { 0 };

		if (!read(event, &now))
			bpf_map_update_elem(&before, &event, &now, BPF_ANY);
	}
	return 0;
}

static __always_inline void add(u32 event)
{
	struct program_count *from = bpf_map_lookup_elem(&before, &event);
	struct program_count *sum = bpf_map_lookup_elem(&sums, &event);
	struct program_count now = { 0 };

	if (!from || !sum || !from->enabled || read(event, &now))
		return;
	sum->value += now.value - from->value;
	sum->enabled += now.enabled - from->enabled;
	sum->running += now.running - from->running;
	from->enabled = 0;
}

SEC("fexit/program") int end(void *ctx __attribute__((unused)))
{
	for (u32 i = 0; enabled && i < nr_events && i < PROGRAM_COUNTS_EVENTS; i++)
		add(i);
	return 0;
}
