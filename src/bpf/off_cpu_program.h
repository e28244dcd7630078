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

/* A task's stacks that are looked at in a window of time; of further switches one in so many. */
enum { OFF_CPU_WINDOW_NS = 50000000, OFF_CPU_WINDOW_STACKS = 100, OFF_CPU_FURTHER = 32 };

/* Different ones that the programs keep, 1 KB each: until the reader takes them. */
enum { OFF_CPU_STACKS = 16384 };

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
	u64 new_stacks; /* that were put into the map of stacks */
	u64 lost_tasks, lost_stacks, lost_sums, lost_told;
};

/* What a task does. Without off_cpu_opts.wall it sleeps or is not measured. */
enum off_cpu_kind {
	OFF_CPU_RUNS = 1,
	OFF_CPU_NEW,
	OFF_CPU_PREEMPTED,
	OFF_CPU_WOKEN,
	OFF_CPU_SLEEPS, /* this and the next ones wait for something */
	OFF_CPU_UNINTERRUPTIBLE,
	OFF_CPU_STOPPED,
	OFF_CPU_UNKNOWN,
	OFF_CPU_KINDS,
	/* with one of them, in keys: the stack was not looked at, since the task switches often */
	OFF_CPU_SKIPPED = 0x80,
};

/* Who woke a task up. */
enum off_cpu_waker { OFF_CPU_NOBODY, OFF_CPU_NOT_TOLD, OFF_CPU_INTERRUPT, OFF_CPU_THREAD };
enum { OFF_CPU_COMM = 16 };

struct off_cpu_task {
	u64 start; /* of what it does; 0 = it is not measured now */
	u64 user, kernel; /* stacks, 0 = none */
	u32 pid, cpu;
	u32 kind, waker, waker_pid, waker_tid;
	u32 skipped; /* OFF_CPU_SKIPPED or 0 */
	u32 switches; /* in this window of time: */
	u64 window;
	char waker_comm[OFF_CPU_COMM];
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
	u32 kind, waker, waker_pid, waker_tid; /* 0 without off_cpu_opts.wall */
};

struct off_cpu_sum {
	u64 time, end;
	u64 cpu;
	char waker_comm[OFF_CPU_COMM];
};

struct off_cpu_told {
	u64 end, time;
	struct off_cpu_key key;
	u64 cpu;
	char waker_comm[OFF_CPU_COMM];
};

#endif
