/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench/numa.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"

enum { POLICY_BIND = 2, MAX_NODES = 1024, POLL_NS = 10000000, CHUNK = 4096 };

/* Shared by all processes. */
struct numa_shared {
	atomic_uint ready; /* threads that have their memory */
	atomic_bool go, stop;
	struct numa_task tasks[];
};

struct numa_process {
	const struct numa_opts *o;
	const numa_list *cpus, *nodes;
	struct numa_shared *shared;
	u8 *global, *own;
	u64 first; /* number of its first task */
	pthread_mutex_t lock;
};

struct worker {
	struct numa_process *p;
	u64 index; /* among all tasks */
	u32 seed;
};

static u64 mb(u64 n)
{
	return n << 20;
}

static void bind_cpu(u32 cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		bench_die("sched_setaffinity");
}

static void bind_node(u32 node)
{
	unsigned long mask[MAX_NODES / (8 * sizeof(long)) + 1] = { 0 };

	mask[node / (8 * sizeof(long))] = 1UL << (node % (8 * sizeof(long)));
	if (syscall(SYS_set_mempolicy, POLICY_BIND, mask, (unsigned long)MAX_NODES))
		bench_die("set_mempolicy");
}

/* Memory as the options want it, NULL for none. */
static u8 *get_memory(const struct numa_opts *o, u64 bytes, bool shared)
{
	cpu_set_t before;
	u8 *p;

	if (!bytes)
		return NULL;
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		 MAP_ANONYMOUS | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE), -1, 0);
	if (p == MAP_FAILED)
		bench_die("mmap");
	if (o->thp)
		madvise(p, bytes, o->thp > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	if (o->init_cpu0) {
		sched_getaffinity(0, sizeof(before), &before);
		bind_cpu(0);
	}
	if (o->init_zero)
		memset(p, 0, bytes);
	for (u64 i = 0, r = 1; o->init_random && i + 8 <= bytes; i += 8) {
		r = r * 6364136223846793005ULL + 1442695040888963407ULL;
		memcpy(p + i, &r, 8);
	}
	if (o->init_cpu0)
		sched_setaffinity(0, sizeof(before), &before);
	return p;
}

/* One chunk, a word per cache line and more; the sum keeps the compiler from leaving it out. */
static u64 walk_chunk(const struct numa_opts *o, u8 *chunk, bool back)
{
	volatile u64 *words = (volatile u64 *)(void *)chunk;
	size_t nr = CHUNK / sizeof(u64);
	u64 sum = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t at = back ? nr - 1 - i : i;

		if (o->reads)
			sum += words[at];
		if (o->writes)
			words[at] = sum + i;
	}
	return sum;
}

/* All of it once (twice with -B); the bytes that were accessed. */
static u64 access_memory(struct worker *w, u8 *data, u64 bytes)
{
	const struct numa_opts *o = w->p->o;
	u64 chunks = bytes / CHUNK;

	if (!bytes)
		return 0;
	if (o->zero_memset) {
		memset(data, 0, bytes);
		__asm__ volatile("" : : "r"(data) : "memory");
		return bytes;
	}
	for (u64 i = 0; i < chunks; i++) {
		u64 at = i;

		if (o->rand_walk) { /* a 32-bit linear feedback shift register */
			w->seed = w->seed >> 1 ^ (w->seed & 1 ? 0xd0000001U : 0);
			at = w->seed % chunks;
		}
		walk_chunk(o, data + at * CHUNK, false);
	}
	for (u64 i = chunks; o->backwards && i > 0; i--)
		walk_chunk(o, data + (i - 1) * CHUNK, true);
	return chunks * CHUNK * (o->backwards ? 2 : 1);
}

static void one_loop(struct worker *w, u8 *own)
{
	struct numa_process *p = w->p;
	const struct numa_opts *o = p->o;
	struct numa_task *task = &p->shared->tasks[w->index];
	unsigned int cpu, node;
	u64 bytes = access_memory(w, p->global, mb(o->mb_global));

	bytes += access_memory(w, p->own, mb(o->mb_proc));
	if (o->mb_locked) {
		pthread_mutex_lock(&p->lock);
		bytes += access_memory(w, p->own, mb(o->mb_locked));
		pthread_mutex_unlock(&p->lock);
	}
	bytes += access_memory(w, own, mb(o->mb_thread));
	task->bytes += bytes;
	if (!getcpu(&cpu, &node))
		__atomic_store_n(&task->node, (s32)node, __ATOMIC_RELAXED);
	if (o->usleep)
		usleep((useconds_t)o->usleep);
}

/* The first thread is moved to another CPU for one round, again and again. */
static void perturb(const struct worker *w, u64 *last)
{
	const struct numa_opts *o = w->p->o;
	cpu_set_t before;
	unsigned int now;

	if (w->index || !o->perturb || clock_now() - *last < o->perturb * 1000000000)
		return;
	*last = clock_now();
	if (sched_getaffinity(0, sizeof(before), &before) || getcpu(&now, NULL))
		return;
	for (unsigned int cpu = now + 1; cpu != now; cpu = (cpu + 1) % CPU_SETSIZE) {
		if (CPU_ISSET(cpu % CPU_SETSIZE, &before)) {
			bind_cpu(cpu % CPU_SETSIZE);
			break;
		}
	}
	sched_setaffinity(0, sizeof(before), &before);
}

static void *worker_run(void *arg)
{
	struct worker *w = arg;
	struct numa_process *p = w->p;
	const struct numa_opts *o = p->o;
	struct numa_shared *s = p->shared;
	u64 start, last, i = 0;
	u8 *own;

	if (w->index < p->cpus->nr)
		bind_cpu(p->cpus->v[w->index]);
	if (w->index < p->nodes->nr)
		bind_node(p->nodes->v[w->index]);
	while (o->serialize && atomic_load(&s->ready) < w->index)
		sched_yield();
	own = get_memory(o, mb(o->mb_thread), false);
	atomic_fetch_add(&s->ready, 1);
	while (!atomic_load(&s->go))
		sched_yield();
	start = last = clock_now();
	do {
		one_loop(w, own);
		perturb(w, &last);
		i++;
	} while (!atomic_load(&s->stop) && (!o->loops || i < o->loops) &&
		 clock_now() - start < o->seconds * 1000000000);
	s->tasks[w->index].ns = clock_now() - start;
	if (own)
		munmap(own, mb(o->mb_thread));
	return NULL;
}

/* A child: its memory and threads. */
static void process_run(struct numa_process *p)
{
	const struct numa_opts *o = p->o;
	struct worker *workers = XNEW_ARRAY(struct worker, o->nr_threads);
	struct bench_threads t;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_mutex_init(&p->lock, NULL);
	if (p->first < p->nodes->nr)
		bind_node(p->nodes->v[p->first]);
	p->own = get_memory(o, mb(MAX(o->mb_proc, o->mb_locked)), false);
	for (u64 i = 0; i < o->nr_threads; i++)
		workers[i] = (struct worker){ p, p->first + i, (u32)(p->first + i + 1) };
	bench_threads_start(&t, (unsigned int)o->nr_threads, false, worker_run, workers,
			    sizeof(*workers));
	bench_threads_join(&t);
	_exit(0);
}

/* All threads of each process on one node. */
static bool converged(const struct numa_opts *o, const struct numa_task *tasks)
{
	for (u64 i = 0; i < o->nr_proc * o->nr_threads; i++) {
		s32 node = __atomic_load_n(&tasks[i].node, __ATOMIC_RELAXED);

		if (node < 0 || node != tasks[i / o->nr_threads * o->nr_threads].node)
			return false;
	}
	return true;
}

static bool all_ended(pid_t *pids, u64 nr, bool wait)
{
	bool ended = true;

	for (u64 i = 0; i < nr; i++) {
		int status = 0;
		pid_t pid = pids[i] ? waitpid(pids[i], &status, wait ? 0 : WNOHANG) : 0;

		if (pid > 0) {
			pids[i] = 0;
			if (!WIFEXITED(status) || WEXITSTATUS(status))
				bench_die_text("a process of the benchmark failed");
		}
		ended = ended && !pids[i];
	}
	return ended;
}

/* Until all have ended, or are on their nodes and that is what is measured. */
static void watch(const struct numa_opts *o, struct numa_shared *s, pid_t *pids,
		  const struct numa_hooks *hooks, struct numa_result *out)
{
	struct timespec poll = { .tv_nsec = POLL_NS };
	u64 start = clock_now(), shown = 0;

	while (!all_ended(pids, o->nr_proc, false)) {
		u64 ns = clock_now() - start;

		if (ns >= shown * 1000000000 && ns < o->seconds * 1000000000) {
			hooks->progress(o, ns, s->tasks);
			shown++;
		}
		if (!out->converged_ns && converged(o, s->tasks)) {
			out->converged_ns = ns;
			if (o->measure_convergence)
				atomic_store(&s->stop, true);
		}
		nanosleep(&poll, NULL);
	}
}

static size_t shared_size(const struct numa_opts *o)
{
	return sizeof(struct numa_shared) + o->nr_proc * o->nr_threads * sizeof(struct numa_task);
}

void numa_run(const struct numa_opts *o, const numa_list *cpus, const numa_list *nodes,
	      const struct numa_hooks *hooks, struct numa_result *out)
{
	u64 nr = o->nr_proc * o->nr_threads, start = clock_now();
	struct numa_shared *s = mmap(NULL, shared_size(o), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t *pids = XNEW_ARRAY(pid_t, o->nr_proc), *running = XNEW_ARRAY(pid_t, o->nr_proc);
	struct numa_process p = { .o = o, .cpus = cpus, .nodes = nodes, .shared = s };

	if (s == MAP_FAILED)
		bench_die("mmap");
	*out = (struct numa_result){ .tasks = s->tasks };
	p.global = get_memory(o, mb(o->mb_global), true);
	for (u64 i = 0; i < nr; i++)
		s->tasks[i].node = -1;
	fflush(NULL);
	for (u64 i = 0; i < o->nr_proc; i++) {
		p.first = i * o->nr_threads;
		pids[i] = fork();
		if (pids[i] < 0)
			bench_die("fork");
		if (!pids[i])
			process_run(&p);
	}
	memcpy(running, pids, o->nr_proc * sizeof(*pids));
	while (atomic_load(&s->ready) < nr) {
		if (all_ended(running, o->nr_proc, false))
			bench_die_text("the processes of the benchmark ended early");
		usleep(1000);
	}
	out->startup_ns = clock_now() - start;
	hooks->started(o, out->startup_ns, pids);
	atomic_store(&s->go, true);
	watch(o, s, running, hooks, out);
	if (p.global)
		munmap(p.global, mb(o->mb_global));
	free(pids);
	free(running);
}

void numa_release(const struct numa_opts *o, struct numa_result *r)
{
	munmap((char *)r->tasks - offsetof(struct numa_shared, tasks), shared_size(o));
}
