/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf/off_cpu: the time that tasks sleep, measured in the kernel: from where a task gives up its
 * CPU to wait for something (states S and D) to where it gets one again. A task that was only
 * interrupted by others does not sleep. Threads of the kernel are left out.
 *
 * With off_cpu_opts.wall it is all the time of tasks, threads of the kernel, too: blocks are spans
 * in which a task did one thing, and tell what that was and who woke it up. What a task does when
 * measuring begins is known where its first switch is one that it leaves its CPU at: it ran.
 *
 * Of a task that switches very often stacks are looked at for some of its switches
 * (off_cpu_program.h); their times stand for the others of the same task, kind and waker, so that
 * the sum is the one that was measured.
 *
 * A block is one such time of a task, with the stacks at its beginning. Blocks of at least the
 * threshold are told one by one as they end, shorter ones as sums over equal stacks of a task. What
 * does not fit into the maps is counted. Times are those of CLOCK_MONOTONIC, in ns. One thread.
 *
 * Needs Linux 5.8 with type information (BTF), CAP_BPF and CAP_PERFMON, and the initial pid
 * namespace.
 */
#ifndef BPF_OFF_CPU_H
#define BPF_OFF_CPU_H

#include "base/err.h"
#include "base/types.h"
#include "bpf/off_cpu_program.h"

struct off_cpu;

enum { OFF_CPU_FOUND_FRAMES = 1024 };

/* Whose sleep is measured: tasks that match each list that is not empty. */
struct off_cpu_opts {
	u64 threshold; /* ns */
	unsigned int frames; /* of a stack, at most OFF_CPU_FRAMES; 0 = as many */
	bool kernel_stacks;
	bool wall; /* all the time of tasks: also what they wait for a CPU, and run */
	u64 interrupts_from,
		interrupts_to; /* x86: the code that interrupts enter the kernel by; 0 = not known:
				* wall tells no waker of those that came while user code ran */
	bool registers; /* are kept, for off_cpu_look() */
	const s32 *tids;
	size_t nr_tids;
	bool children; /* of the tids, too */
	const u32 *cpus; /* on which they begin to sleep */
	size_t nr_cpus;
	const int *cgroups; /* descriptors of cgroup2 directories */
	size_t nr_cgroups;
};

struct off_cpu_stack {
	const u64 *ips; /* innermost first */
	size_t nr;
	bool found; /* by off_cpu_look(), not by frame pointers */
};

struct off_cpu_block {
	u64 end; /* of the latest one */
	u64 time; /* of all */
	bool sum; /* of several */
	s32 pid, tid;
	u32 cpu; /* of the latest end */
	struct off_cpu_stack user, kernel; /* nr 0 = none */
	/* off_cpu_opts.wall: enum off_cpu_kind and off_cpu_waker, and of a thread who it is */
	u32 kind, waker, waker_pid, waker_tid;
	const char *waker_comm; /* OFF_CPU_COMM bytes */
};

/* What is missing in the blocks. */
struct off_cpu_losses {
	u64 tasks; /* blocks of more tasks than there is room for, and tasks whose children were not
		      followed */
	u64 stacks; /* blocks without their stack: more different ones in a second than there is
		       room for */
	u64 blocks; /* ended while the buffer was full, or with no room for their sums */
	u64 missed; /* switches of tasks that the program was not told of */
};

/* Loaded and attached, but not enabled. NULL: e says why. */
struct off_cpu *off_cpu_new(const struct off_cpu_opts *o, struct err *e);
void off_cpu_free(struct off_cpu *o);
/* Readable when there are blocks of the threshold. */
int off_cpu_fd(const struct off_cpu *o);
/* Measure from now on, or no longer: then what tasks have slept until now becomes blocks. */
void off_cpu_enable(struct off_cpu *o, bool on);
/*
 * Blocks that have ended, until fn returns -1, which is passed on; valid within fn. sums: those
 * below the threshold as well, but for what is being added at this moment.
 */
int off_cpu_read(struct off_cpu *o, bool sums, int (*fn)(void *ctx, const struct off_cpu_block *b),
		 void *ctx);
/*
 * With off_cpu_opts.registers: hands out tasks that have slept for `least` ns by now, each sleep
 * once, at most `most` of them. fn looks at the task's stack and says how many frames it has found
 * (0 = it is not known). While a task sleeps its stack does not move; whether it has slept all the
 * time is looked at afterwards, and only then the frames count, for all of that sleep. False:
 * registers are not kept, or not by this kernel (Linux 5.15).
 */
struct off_cpu_sleeper {
	s32 pid, tid;
	const u64 *regs; /* OFF_CPU_REGS */
};
typedef size_t off_cpu_find_fn(void *ctx, const struct off_cpu_sleeper *task, u64 *ips, size_t max);
bool off_cpu_look(struct off_cpu *o, u64 least, size_t most, off_cpu_find_fn *fn, void *ctx);
struct off_cpu_losses off_cpu_losses(const struct off_cpu *o);

#endif
