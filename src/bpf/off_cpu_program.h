/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/off_cpu_program: the programs of off_cpu that run in the kernel, and the memory that they
 * share with it.
 */
#ifndef BPF_OFF_CPU_PROGRAM_H
#define BPF_OFF_CPU_PROGRAM_H

#include "bpf/assembler.h"
#include "bpf/off_cpu.h"

enum off_cpu_map {
	OFF_CPU_SHARED, /* array of one struct off_cpu_shared */
	OFF_CPU_TASKS, /* u32 tid: struct off_cpu_task */
	OFF_CPU_STACKS, /* u64 hash: struct off_cpu_frames */
	OFF_CPU_SCRATCH, /* struct off_cpu_frames per CPU */
	OFF_CPU_SUMS, /* struct off_cpu_key: struct off_cpu_sum; one map is filled while the other
			 is read */
	OFF_CPU_SUMS_ODD,
	OFF_CPU_RING, /* struct off_cpu_told */
	OFF_CPU_TIDS, /* u32: u8 */
	OFF_CPU_CPUS, /* u32: u8 */
	OFF_CPU_CGROUPS,
	OFF_CPU_ASLEEP, /* u32 tid: struct off_cpu_asleep */
	OFF_CPU_KNOWN, /* u32 tid: struct off_cpu_known; written by the reader */
	OFF_CPU_NR_MAPS,
};

enum off_cpu_value {
	OFF_CPU_THRESHOLD,
	OFF_CPU_STACK_BYTES,
	OFF_CPU_WANT_KERNEL, /* these five: 0 or 1 */
	OFF_CPU_WANT_REGS,
	OFF_CPU_ONLY_TIDS,
	OFF_CPU_ONLY_CPUS,
	OFF_CPU_ONLY_CGROUPS,
	OFF_CPU_HASH_FACTOR,
	OFF_CPU_PID, /* offset in struct task_struct */
	OFF_CPU_STATE, /* the same; used if not ... */
	OFF_CPU_STATE_ARG, /* ... 1: the tracepoint has the state as an argument (5.18) */
	OFF_CPU_NR_VALUES,
};

enum { OFF_CPU_FRAMES = 127, OFF_CPU_CGROUPS_MAX = 8 };

struct off_cpu_shared {
	u64 enabled; /* else nothing is told or summed up */
	u64 since; /* blocks count from here */
	u64 odd; /* which map sums go to: 0 or 1 */
	u64 lost_tasks, lost_stacks, lost_sums, lost_told;
};

struct off_cpu_task {
	u64 start; /* 0 = does not sleep */
	u64 user, kernel; /* stacks, 0 = none */
	u32 pid, cpu;
};

/* The registers of user space at the beginning of a sleep, as in the kernel's struct pt_regs. */
struct off_cpu_asleep {
	u64 start; /* of that sleep */
	u64 regs[OFF_CPU_REGS];
};

/* What was found out about a sleep meanwhile: its stack. */
struct off_cpu_known {
	u64 start, user;
};

struct off_cpu_frames {
	u64 bytes;
	u64 ips[OFF_CPU_FRAMES];
};

struct off_cpu_key {
	u64 user, kernel;
	u32 pid, tid;
};

struct off_cpu_sum {
	u64 time, end;
	u64 cpu;
};

struct off_cpu_told {
	u64 end, time;
	struct off_cpu_key key;
	u64 cpu;
};

/* At the raw tracepoints sched_switch and task_newtask. */
extern const struct bpf_line off_cpu_switch[], off_cpu_fork[];
extern const size_t off_cpu_switch_lines, off_cpu_fork_lines;

#endif
