/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * futex hash, wake, wake-parallel, requeue, lock-pi: the futex(2) operations under load.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"

enum { DEFAULT_FUTEXES = 1024, DEFAULT_SECONDS = 10, SETTLE_NS = 100000000 };

#define ANY_BUCKETS UINT64_MAX /* as many as the kernel likes */

/* prctl(2) of Linux 6.16: the hash table of a process' private futexes, 0 slots = the global one.
 */
enum { FUTEX_HASH = 78, FUTEX_HASH_SET = 1, FUTEX_HASH_GET = 2 };

struct futex_opts {
	u64 threads, seconds, futexes, at_once, buckets;
	bool shared, silent, lock_memory, broadcast, pi, multi;
};

static const struct futex_opts futex_defaults = {
	.seconds = DEFAULT_SECONDS, .futexes = DEFAULT_FUTEXES, .at_once = 1, .buckets = ANY_BUCKETS
};
static const struct futex_opts parallel_defaults = { .at_once = 0, .buckets = ANY_BUCKETS };

#define COMMON_ROWS                                                                                \
	OPT_U64('b', "buckets", struct futex_opts, buckets, "n",                                   \
		"Specify amount of hash buckets"),                                                 \
		OPT_U64('t', "threads", struct futex_opts, threads, "n",                           \
			"Specify amount of threads"),                                              \
		OPT_BOOL('S', "shared", struct futex_opts, shared,                                 \
			 "Use shared futexes instead of private ones"),                            \
		OPT_BOOL('s', "silent", struct futex_opts, silent,                                 \
			 "Silent mode: do not display data/details"),                              \
		OPT_BOOL('m', "mlockall", struct futex_opts, lock_memory,                          \
			 "Lock all current and future memory")
#define RUNTIME_ROW                                                                                \
	OPT_U64('r', "runtime", struct futex_opts, seconds, "n", "Specify runtime (in seconds)")

typedef _Atomic u32 futex_t;

static long futex(futex_t *at, int op, const struct futex_opts *o, u32 val, unsigned long val2,
		  futex_t *at2, u32 val3)
{
	return syscall(SYS_futex, at, op | (o->shared ? 0 : FUTEX_PRIVATE_FLAG), val, val2, at2,
		       val3);
}

static const char *kind(const struct futex_opts *o)
{
	return o->shared ? "shared" : "private";
}

/* Before the threads are there: sizes the table, locks memory. */
static void prepare(const struct futex_opts *o)
{
	bench_lock_memory(o->lock_memory);
	if (o->buckets == ANY_BUCKETS)
		return;
	errno = EINVAL;
	if (o->buckets > UINT32_MAX || prctl(FUTEX_HASH, FUTEX_HASH_SET, o->buckets, 0UL, 0UL)) {
		int error = errno;

		fflush(stdout);
		fprintf(stderr, "Requesting %lu hash buckets failed: -1/%s\n", o->buckets,
			strerror(error));
		errno = error;
		bench_die("prctl(PR_FUTEX_HASH)");
	}
}

/* The last line: which table it was, where the kernel (6.16) tells. Returns the exit code. */
static int tell_buckets(const struct futex_opts *o)
{
	int nr = prctl(FUTEX_HASH, FUTEX_HASH_GET, 0UL, 0UL, 0UL);

	if (nr < 0)
		return 0;
	if (o->buckets != ANY_BUCKETS && o->buckets != (u64)nr) {
		fflush(stdout);
		fprintf(stderr, "perf: the kernel went over from %lu hash buckets to %d\n",
			o->buckets, nr);
		return 1;
	}
	if (!nr)
		printf("Futex hashing: global hash\n");
	else if (o->buckets == ANY_BUCKETS)
		printf("Futex hashing: auto resized to %d buckets\n", nr);
	else
		printf("Futex hashing: %d hash buckets\n", nr);
	return 0;
}

static atomic_bool stop; /* the running benchmark's threads shall end */

/* Threads that count operations for some seconds: hash and lock-pi. */
struct counter_thread {
	const struct futex_opts *o;
	struct bench_gate *gate;
	futex_t *futexes;
	unsigned long ops;
};

/* Starts them, lets them run, and prints the mean; show prints a line for each. */
static void run_counters(const struct futex_opts *o, struct counter_thread *threads,
			 unsigned int nr, void *(*fn)(void *),
			 void (*show)(const struct counter_thread *, unsigned int, unsigned long))
{
	struct bench_gate gate;
	struct bench_threads t;
	struct bench_stats stats = { 0 };
	double seconds;
	u64 ns;

	fflush(stdout);
	atomic_store(&stop, false);
	bench_gate_init(&gate, nr + 1);
	for (unsigned int i = 0; i < nr; i++) {
		threads[i].o = o;
		threads[i].gate = &gate;
	}
	bench_threads_start(&t, nr, true, fn, threads, sizeof(*threads));
	bench_gate_wait(&gate);
	ns = bench_run_seconds(o->seconds);
	atomic_store(&stop, true);
	bench_threads_join(&t);
	seconds = (double)ns / 1e9;
	for (unsigned int i = 0; i < nr; i++) {
		unsigned long rate = (unsigned long)((double)threads[i].ops / seconds);

		bench_stats_add(&stats, (double)rate);
		if (!o->silent)
			show(&threads[i], i, rate);
	}
	printf("%sAveraged %ld operations/sec (+- %.2f%%), total secs = %d\n",
	       o->silent ? "" : "\n", (long)stats.mean, bench_stats_percent(&stats),
	       (int)(seconds + 0.05));
}

/* ---- hash: waits that fail at once, on many futexes ---- */

static void *hash_thread(void *arg)
{
	struct counter_thread *t = arg;

	bench_gate_wait(t->gate);
	do {
		for (u64 i = 0; i < t->o->futexes; i++, t->ops++)
			/* the value differs, so the kernel returns after its look into the table */
			if (futex(&t->futexes[i], FUTEX_WAIT, t->o, 1234, 0, NULL, 0) >= 0)
				bench_die_text("a wait for another value succeeded");
	} while (!atomic_load_explicit(&stop, memory_order_relaxed));
	return NULL;
}

static void hash_show(const struct counter_thread *t, unsigned int i, unsigned long rate)
{
	if (t->o->futexes == 1)
		printf("[thread %2u] futex: %p [ %lu ops/sec ]\n", i, (void *)t->futexes, rate);
	else
		printf("[thread %2u] futexes: %p ... %p [ %lu ops/sec ]\n", i, (void *)t->futexes,
		       (void *)&t->futexes[t->o->futexes - 1], rate);
}

static int hash_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct futex_opts *o = opts;
	unsigned int nr = bench_nr_threads(o->threads);
	struct counter_thread *threads;

	if (!o->futexes || o->futexes > BENCH_MAX_FDS)
		bench_die_text("the number of futexes must be from 1 to 1048576");
	prepare(o);
	threads = XNEW_ARRAY(struct counter_thread, nr);
	for (unsigned int i = 0; i < nr; i++)
		threads[i].futexes = XNEW_ARRAY(futex_t, o->futexes);
	printf("Run summary [PID %d]: %u threads, each operating on %lu [%s] futexes for %lu secs.\n\n",
	       getpid(), nr, o->futexes, kind(o), o->seconds);
	run_counters(o, threads, nr, hash_thread, hash_show);
	for (unsigned int i = 0; i < nr; i++)
		free(threads[i].futexes);
	free(threads);
	return tell_buckets(o);
}

/* ---- lock-pi: locks with priority inheritance ---- */

static void *pi_thread(void *arg)
{
	struct counter_thread *t = arg;
	struct timespec hold = { .tv_nsec = 1000 };

	bench_gate_wait(t->gate);
	do {
		while (futex(t->futexes, FUTEX_LOCK_PI, t->o, 0, 0, NULL, 0) < 0) {
			if (errno != EINTR && errno != EAGAIN)
				bench_die("FUTEX_LOCK_PI");
		}
		nanosleep(&hold, NULL); /* the others run into the lock */
		if (futex(t->futexes, FUTEX_UNLOCK_PI, t->o, 0, 0, NULL, 0) < 0)
			bench_die("FUTEX_UNLOCK_PI");
		t->ops++;
	} while (!atomic_load_explicit(&stop, memory_order_relaxed));
	return NULL;
}

static void pi_show(const struct counter_thread *t, unsigned int i, unsigned long rate)
{
	printf("[thread %3u] futex: %p [ %lu ops/sec ]\n", i, (void *)t->futexes, rate);
}

static int lock_pi_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct futex_opts *o = opts;
	unsigned int nr = bench_nr_threads(o->threads);
	struct counter_thread *threads = XNEW_ARRAY(struct counter_thread, nr);
	futex_t *locks = XNEW_ARRAY(futex_t, nr);

	prepare(o);
	for (unsigned int i = 0; i < nr; i++)
		threads[i].futexes = &locks[o->multi ? i : 0];
	printf("Run summary [PID %d]: %u threads doing pi lock/unlock pairing for %lu secs.\n\n",
	       getpid(), nr, o->seconds);
	run_counters(o, threads, nr, pi_thread, pi_show);
	free(threads);
	free(locks);
	return tell_buckets(o);
}

/* ---- wake, wake-parallel, requeue: threads that are blocked ---- */

struct blocked {
	const struct futex_opts *o;
	futex_t first, second; /* where they block; where requeue moves them */
	atomic_uint arrived;
	unsigned int nr;
	struct bench_threads threads;
};

static void *block_thread(void *arg)
{
	struct blocked *b = arg;

	atomic_fetch_add(&b->arrived, 1);
	if (b->o->pi) {
		while (futex(&b->first, FUTEX_WAIT_REQUEUE_PI, b->o, 0, 0, &b->second, 0) < 0) {
			if (errno != EINTR && errno != EAGAIN)
				bench_die("FUTEX_WAIT_REQUEUE_PI");
		}
		if (futex(&b->second, FUTEX_UNLOCK_PI, b->o, 0, 0, NULL, 0) < 0)
			bench_die("FUTEX_UNLOCK_PI");
		return NULL;
	}
	while (futex(&b->first, FUTEX_WAIT, b->o, 0, 0, NULL, 0) < 0 && errno == EINTR)
		continue;
	return NULL;
}

/* Returns when all of them sleep in the kernel, as far as one can tell. */
static void block_threads(struct blocked *b)
{
	struct timespec settle = { .tv_nsec = SETTLE_NS };

	fflush(stdout);
	atomic_store(&b->first, 0);
	atomic_store(&b->second, 0);
	atomic_store(&b->arrived, 0);
	bench_threads_start(&b->threads, b->nr, true, block_thread, b, 0);
	while (atomic_load(&b->arrived) < b->nr)
		sched_yield();
	nanosleep(&settle, NULL);
}

static double ms(u64 ns)
{
	return (double)ns / 1e6;
}

static int wake_run(const struct bench_ctx *ctx, void *opts)
{
	struct futex_opts *o = opts;
	struct blocked b = { .o = o, .nr = bench_nr_threads(o->threads) };
	struct bench_stats times = { 0 }, woken_by_run = { 0 };
	u32 at_once = (u32)MIN(o->at_once, (u64)b.nr);

	if (!at_once)
		bench_die_text("the number of threads to wake at once must not be 0");
	prepare(o);
	printf("Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), "
	       "waking up %u at a time.\n\n",
	       getpid(), b.nr, kind(o), (void *)&b.first, at_once);
	for (unsigned int run = 1; run <= ctx->repeat; run++) {
		unsigned int woken = 0;
		u64 start, ns;

		block_threads(&b);
		start = clock_now();
		while (woken < b.nr)
			woken += (unsigned int)futex(&b.first, FUTEX_WAKE, o, at_once, 0, NULL, 0);
		ns = clock_now() - start;
		bench_threads_join(&b.threads);
		bench_stats_add(&times, ms(ns));
		bench_stats_add(&woken_by_run, woken);
		if (!o->silent)
			printf("[Run %u]: Wokeup %u of %u threads in %.4f ms\n", run, woken, b.nr,
			       ms(ns));
	}
	printf("Wokeup %.0f of %u threads in %.4f ms (+-%.2f%%)\n", woken_by_run.mean, b.nr,
	       times.mean, bench_stats_percent(&times));
	return tell_buckets(o);
}

struct waker {
	struct blocked *b;
	struct bench_gate *gate;
	u32 nr; /* to be woken */
	u64 ns;
};

static void *waker_thread(void *arg)
{
	struct waker *w = arg;
	u64 start;

	bench_gate_wait(w->gate);
	start = clock_now();
	if (futex(&w->b->first, FUTEX_WAKE, w->b->o, w->nr, 0, NULL, 0) < 0)
		bench_die("FUTEX_WAKE");
	w->ns = clock_now() - start;
	return NULL;
}

/* The wakers' mean time of one run. */
static struct bench_stats wake_parallel_once(struct blocked *b, struct waker *wakers,
					     unsigned int nr_wakers)
{
	struct bench_stats times = { 0 };
	struct bench_threads t;
	struct bench_gate gate;

	block_threads(b);
	bench_gate_init(&gate, nr_wakers + 1);
	for (unsigned int i = 0; i < nr_wakers; i++)
		wakers[i] = (struct waker){ .b = b, .gate = &gate, .nr = b->nr / nr_wakers };
	bench_threads_start(&t, nr_wakers, true, waker_thread, wakers, sizeof(*wakers));
	bench_gate_wait(&gate);
	bench_threads_join(&t);
	/* one that came late, on a machine with little time for us */
	atomic_store(&b->first, 1);
	futex(&b->first, FUTEX_WAKE, b->o, INT_MAX, 0, NULL, 0);
	bench_threads_join(&b->threads);
	for (unsigned int i = 0; i < nr_wakers; i++)
		bench_stats_add(&times, ms(wakers[i].ns));
	return times;
}

static int wake_parallel_run(const struct bench_ctx *ctx, void *opts)
{
	struct futex_opts *o = opts;
	struct blocked b = { .o = o, .nr = bench_nr_threads(o->threads) };
	unsigned int nr_wakers = o->at_once ? bench_nr_threads(o->at_once) : b.nr;
	struct bench_stats times = { 0 };
	struct waker *wakers;

	if (b.nr % nr_wakers)
		bench_die_text("Must be perfectly divisible");
	prepare(o);
	printf("Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), "
	       "%u threads waking up %u at a time.\n\n",
	       getpid(), b.nr, kind(o), (void *)&b.first, nr_wakers, b.nr / nr_wakers);
	wakers = XNEW_ARRAY(struct waker, nr_wakers);
	for (unsigned int run = 1; run <= ctx->repeat; run++) {
		struct bench_stats one = wake_parallel_once(&b, wakers, nr_wakers);

		bench_stats_add(&times, one.mean);
		if (!o->silent)
			printf("[Run %u]: Avg per-thread latency (waking %u/%u threads) "
			       "in %.4f ms (+-%.2f%%)\n",
			       run, b.nr / nr_wakers, b.nr, one.mean, bench_stats_percent(&one));
	}
	free(wakers);
	printf("Avg per-thread latency (waking %u/%u threads) in %.4f ms (+-%.2f%%)\n",
	       b.nr / nr_wakers, b.nr, times.mean, bench_stats_percent(&times));
	return tell_buckets(o);
}

/* Moves all threads; returns how many calls found the second futex free and so woke one (PI). */
static unsigned int requeue_all(struct blocked *b, u32 at_once)
{
	const struct futex_opts *o = b->o;
	unsigned int moved = 0, woken = 0;

	while (moved < b->nr) {
		bool is_free = o->pi && !atomic_load(&b->second);
		long n = futex(&b->first, o->pi ? FUTEX_CMP_REQUEUE_PI : FUTEX_CMP_REQUEUE, o,
			       o->pi ? 1 : 0, at_once, &b->second, 0);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			bench_die("FUTEX_CMP_REQUEUE");
		moved += n > 0 ? (unsigned int)n : 0;
		woken += n > 0 && is_free;
	}
	return woken;
}

static int requeue_run(const struct bench_ctx *ctx, void *opts)
{
	struct futex_opts *o = opts;
	struct blocked b = { .o = o, .nr = bench_nr_threads(o->threads) };
	u32 at_once = o->broadcast ? b.nr : (u32)MIN(o->at_once, (u64)b.nr);
	struct bench_stats times = { 0 };

	if (!at_once)
		bench_die_text("the number of threads to requeue at once must not be 0");
	prepare(o);
	printf("Run summary [PID %d]: Requeuing %u threads (from [%s] %p to %s%p), "
	       "%u at a time.\n\n",
	       getpid(), b.nr, kind(o), (void *)&b.first, o->pi ? "PI " : "", (void *)&b.second,
	       at_once);
	for (unsigned int run = 1; run <= ctx->repeat; run++) {
		unsigned int woken;
		u64 start, ns;

		block_threads(&b);
		start = clock_now();
		woken = requeue_all(&b, at_once);
		ns = clock_now() - start;
		if (!o->pi)
			futex(&b.second, FUTEX_WAKE, o, b.nr, 0, NULL, 0);
		bench_threads_join(&b.threads);
		bench_stats_add(&times, ms(ns));
		if (o->silent)
			continue;
		if (o->pi)
			printf("[Run %u]: Awoke and Requeued (%u+%u) of %u threads in %.4f ms\n",
			       run, woken, b.nr - woken, b.nr, ms(ns));
		else
			printf("[Run %u]: Requeued %u of %u threads in %.4f ms\n", run, b.nr, b.nr,
			       ms(ns));
	}
	printf("Requeued %u of %u threads in %.4f ms (+-%.2f%%)\n", b.nr, b.nr, times.mean,
	       bench_stats_percent(&times));
	return tell_buckets(o);
}

static const struct opt hash_table[] = { COMMON_ROWS, RUNTIME_ROW,
					 OPT_U64('f', "futexes", struct futex_opts, futexes, "n",
						 "Specify amount of futexes per threads"),
					 OPT_END };
static const struct opt lock_pi_table[] = {
	COMMON_ROWS, RUNTIME_ROW,
	OPT_BOOL('M', "multi", struct futex_opts, multi, "Use multiple futexes"), OPT_END
};
static const struct opt wake_table[] = { COMMON_ROWS,
					 OPT_U64('w', "nwakes", struct futex_opts, at_once, "n",
						 "Specify amount of threads to wake at once"),
					 OPT_END };
static const struct opt parallel_table[] = { COMMON_ROWS,
					     OPT_U64('w', "nwakers", struct futex_opts, at_once,
						     "n", "Specify amount of waking threads"),
					     OPT_END };
static const struct opt requeue_table[] = {
	COMMON_ROWS,
	OPT_U64('q', "nrequeue", struct futex_opts, at_once, "n",
		"Specify amount of threads to requeue at once"),
	OPT_BOOL('B', "broadcast", struct futex_opts, broadcast, "Requeue all threads at once"),
	OPT_BOOL('p', "pi", struct futex_opts, pi, "Use PI-aware variants of FUTEX_CMP_REQUEUE"),
	OPT_END
};

static const char *const hash_usage[] = { "perf bench futex hash <options>", NULL };
static const char *const lock_pi_usage[] = { "perf bench futex lock-pi <options>", NULL };
static const char *const wake_usage[] = { "perf bench futex wake <options>", NULL };
static const char *const parallel_usage[] = { "perf bench futex wake-parallel <options>", NULL };
static const char *const requeue_usage[] = { "perf bench futex requeue <options>", NULL };

BENCHMARK(bench_futex_hash, "hash", "Benchmark for futex hash table", hash_table, hash_usage,
	  futex_defaults, hash_run);
BENCHMARK(bench_futex_wake, "wake", "Benchmark for futex wake calls", wake_table, wake_usage,
	  futex_defaults, wake_run);
BENCHMARK(bench_futex_wake_parallel, "wake-parallel", "Benchmark for parallel futex wake calls",
	  parallel_table, parallel_usage, parallel_defaults, wake_parallel_run);
BENCHMARK(bench_futex_requeue, "requeue", "Benchmark for futex requeue calls", requeue_table,
	  requeue_usage, futex_defaults, requeue_run);
BENCHMARK(bench_futex_lock_pi, "lock-pi", "Benchmark for futex lock_pi calls", lock_pi_table,
	  lock_pi_usage, futex_defaults, lock_pi_run);
