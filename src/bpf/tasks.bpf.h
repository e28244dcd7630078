/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks: what several BPF programs (*.bpf.c) do: maps, counts, and children of measured threads. */
#ifndef BPF_TASKS_BPF_H
#define BPF_TASKS_BPF_H

#include "bpf/vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* MAP(BPF_MAP_TYPE_HASH, u32, u64, 8192) name SEC(".maps"); */
#define MAP(map_type, key_type, value_type, entries)                                               \
	struct {                                                                                   \
		__uint(type, map_type);                                                            \
		__uint(max_entries, entries);                                                      \
		__type(key, key_type);                                                             \
		__type(value, value_type);                                                         \
	}
#define HASH_MAP(key_type, value_type, entries)                                                    \
	MAP(BPF_MAP_TYPE_HASH, key_type, value_type, entries)

static __always_inline void count(u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

/* Bits that tell what it does, or how it sleeps. */
static __always_inline u64 task_state(struct task_struct *task)
{
	struct task_struct___before_5_14 *old = (void *)task;

	if (bpf_core_field_exists(task->__state))
		return BPF_CORE_READ(task, __state);
	return (u64)BPF_CORE_READ(old, state);
}

/*
 * At raw_tp/task_newtask: a child of a thread that is in the map is put there, too, with the same
 * value. lost: counts those for which there is no room.
 */
static __always_inline int add_child(void *tids, struct bpf_raw_tracepoint_args *ctx, u64 *lost)
{
	struct task_struct *child = (void *)ctx->args[0];
	u32 tid = (u32)bpf_get_current_pid_tgid(), new_tid;
	const u64 *mine = bpf_map_lookup_elem(tids, &tid);
	u64 value;

	if (!mine)
		return 0;
	value = *mine;
	new_tid = (u32)BPF_CORE_READ(child, pid);
	if (bpf_map_update_elem(tids, &new_tid, &value, BPF_ANY))
		count(lost);
	return 0;
}

#endif
