/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa: the processes and threads of `numa mem`: each works through memory that all share, that its
 * process shares, and that is its own, bound to CPUs and nodes as asked for.
 *
 * Sources: set_mempolicy(2), sched_setaffinity(2), madvise(2).
 */
#ifndef CMD_BENCH_NUMA_H
#define CMD_BENCH_NUMA_H

#include "base/types.h"
#include "base/vec.h"

enum { NUMA_MAX_TASKS = 4096, NUMA_MAX_MB = 1 << 24 };

struct numa_opts {
	u64 nr_proc, nr_threads;
	u64 mb_global, mb_proc, mb_locked, mb_thread;
	u64 loops, seconds, usleep, perturb; /* loops 0 = until the time is over */
	const char *cpus, *nodes;
	int thp;
	bool all, init_cpu0, init_zero, init_random;
	bool reads, writes, backwards, zero_memset, rand_walk;
	bool show_convergence, measure_convergence, details, quiet, serialize;
};

typedef VEC(u32) numa_list;

/* What one thread did; in memory that all processes share. */
struct numa_task {
	u64 ns, bytes;
	s32 node; /* where it ran last, -1 = not started */
};

struct numa_result {
	struct numa_task *tasks; /* nr_proc * nr_threads */
	u64 startup_ns, converged_ns; /* 0 = not converged */
};

/*
 * Runs it: cpus and nodes: for the n-th thread, may be shorter. Dies with a line on failure. The
 * tasks are to be unmapped with numa_release(). progress is called about once a second, with the
 * time since the start; started when all threads are there.
 */
struct numa_hooks {
	void (*started)(const struct numa_opts *o, u64 startup_ns, const pid_t *pids);
	void (*progress)(const struct numa_opts *o, u64 ns, const struct numa_task *tasks);
};
void numa_run(const struct numa_opts *o, const numa_list *cpus, const numa_list *nodes,
	      const struct numa_hooks *hooks, struct numa_result *out);
void numa_release(const struct numa_opts *o, struct numa_result *r);

#endif
