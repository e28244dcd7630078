/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/off_cpu_program: what the programs of off_cpu.bpf.c, which run in the kernel, share with
 * off_cpu.c: keys and values of their maps.
 */
#ifndef BPF_OFF_CPU_PROGRAM_H
#define BPF_OFF_CPU_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum { OFF_CPU_FRAMES = 127, OFF_CPU_CGROUPS_MAX = 8 };

/* Words of the kernel's struct pt_regs. */
#if defined(__aarch64__) || defined(__TARGET_ARCH_arm64)
enum { OFF_CPU_REGS = 34 };
#else
enum { OFF_CPU_REGS = 21 };
#endif

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

#endif
