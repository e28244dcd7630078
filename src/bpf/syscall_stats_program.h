/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/syscall_stats_program: what the programs of syscall_stats.bpf.c share with syscall_stats.c.
 */
#ifndef BPF_SYSCALL_STATS_PROGRAM_H
#define BPF_SYSCALL_STATS_PROGRAM_H

#ifdef __bpf__
#include "bpf/vmlinux.h"
#else
#include "base/types.h"
#endif

enum {
	SYSCALL_STATS_COMM = 16,
	SYSCALL_STATS_THREADS = 16384, /* that are followed at the same time */
	SYSCALL_STATS_ROWS = 65536, /* different (thread, call) */
	SYSCALL_STATS_PARTS = 4 * SYSCALL_STATS_ROWS,
	SYSCALL_STATS_TIMES = 36, /* the last one has no end */
};

/* In the number of a call: it is a 32-bit program's on a 64-bit kernel. */
#define SYSCALL_STATS_COMPAT 0x80000000U

/* What a thread is in; its entry goes when it ends. */
struct syscall_call {
	u64 start; /* 0 = in none */
	u32 nr;
	u32 unused;
};

struct syscall_key {
	u32 tid, nr;
};

/* Times in ns. */
struct syscall_sum {
	u64 count, errors; /* that returned */
	u64 begun;
	u64 cgroup; /* id of the thread's control group at the first call */
	u64 total, least, most;
	u64 squares, squares_high; /* 128 bits: of the sum of the squares */
	u32 pid, unused;
	char comm[SYSCALL_STATS_COMM]; /* at the first call */
};

/* What some of a row's calls have in common: how they failed, or how long they took. */
struct syscall_part_key {
	u32 tid, nr;
	u32 is_time;
	u32 part; /* an errno value, or i: from 2^(i - 1) ns on, less than 2^i */
};

struct syscall_shared {
	u64 enabled;
	u64 lost_threads, lost_rows; /* calls that are not counted: no room */
};

#endif
