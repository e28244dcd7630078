/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epoll wait: events delivered to threads per second. epoll ctl: descriptors added and removed. */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "cmd/bench/measure.h"

enum { DEFAULT_FDS = 64, DEFAULT_SECONDS = 8, SPARE_FDS = 50, WAIT_MS = 100, MAX_NESTING = 4 };

struct epoll_opts {
	u64 threads, seconds, fds, nesting;
	bool no_affinity, randomize, verbose, nonblocking, edge, oneshot, multiq;
};

static const struct epoll_opts epoll_defaults = { .seconds = DEFAULT_SECONDS, .fds = DEFAULT_FDS };

#define COMMON_ROWS                                                                                \
	OPT_U64('t', "threads", struct epoll_opts, threads, "n", "Specify amount of threads"),     \
		OPT_U64('r', "runtime", struct epoll_opts, seconds, "n",                           \
			"Specify runtime (in seconds)"),                                           \
		OPT_U64('f', "nfds", struct epoll_opts, fds, "n",                                  \
			"Specify amount of file descriptors to monitor for each thread"),          \
		OPT_BOOL('n', "noaffinity", struct epoll_opts, no_affinity,                        \
			 "Disables CPU affinity"),                                                 \
		OPT_U64('N', "nested", struct epoll_opts, nesting, "n",                            \
			"Nesting level epoll hierarchy (default is 0, no nesting)"),               \
		OPT_BOOL('v', "verbose", struct epoll_opts, verbose, "Verbose mode")

enum ctl_op { OP_ADD, OP_MOD, OP_DEL, NR_OPS };

struct epoll_worker {
	const struct epoll_opts *o;
	struct bench_gate *gate;
	int epfd;
	int *fds;
	u64 seed;
	unsigned long ops[NR_OPS]; /* wait counts in ops[0] */
};

struct epoll_bench {
	const struct epoll_opts *o;
	unsigned int nr;
	struct epoll_worker *workers;
	int *epfds; /* the one that all share, or one per worker, and the nested ones */
	size_t nr_epfds;
	double seconds;
};

static atomic_bool stop; /* the running benchmark's threads shall end */

static bool stopped(void)
{
	return atomic_load_explicit(&stop, memory_order_relaxed);
}

/* xorshift: which descriptor comes next need not be unpredictable. */
static u64 next_random(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static int new_epoll(struct epoll_bench *b)
{
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0)
		bench_die("epoll_create");
	b->epfds = xrealloc_array(b->epfds, b->nr_epfds + 1, sizeof(int));
	b->epfds[b->nr_epfds++] = fd;
	return fd;
}

/* An epoll instance inside of others; waiting is done on the innermost. */
static int new_nested_epoll(struct epoll_bench *b)
{
	int inner = new_epoll(b), below = inner;

	for (u64 i = 0; i < b->o->nesting; i++) {
		struct epoll_event ev = { .events = EPOLLIN };
		int outer = new_epoll(b);

		ev.data.fd = below;
		if (epoll_ctl(outer, EPOLL_CTL_ADD, below, &ev))
			bench_die("epoll_ctl");
		below = outer;
	}
	return inner;
}

static void set_nofile(const struct epoll_opts *o, unsigned int nr)
{
	struct rlimit r;
	u64 wanted = o->fds * nr * 2 + SPARE_FDS;

	if (getrlimit(RLIMIT_NOFILE, &r))
		bench_die("getrlimit");
	if (o->verbose)
		printf("Setting RLIMIT_NOFILE rlimit from %lu to: %lu\n", (unsigned long)r.rlim_max,
		       wanted);
	if (r.rlim_cur >= wanted)
		return;
	r.rlim_cur = wanted;
	r.rlim_max = r.rlim_max > wanted ? r.rlim_max : wanted;
	if (setrlimit(RLIMIT_NOFILE, &r))
		bench_die("setrlimit");
}

static void epoll_init(struct epoll_bench *b)
{
	const struct epoll_opts *o = b->o;

	if (!o->fds || o->fds > BENCH_MAX_FDS)
		bench_die_text("the number of file descriptors must be from 1 to 1048576");
	if (o->nesting > MAX_NESTING)
		bench_die_text("the kernel nests epoll no deeper than 4 levels");
	b->workers = XNEW_ARRAY(struct epoll_worker, b->nr);
	for (unsigned int i = 0; i < b->nr; i++) {
		struct epoll_worker *w = &b->workers[i];

		w->o = o;
		w->seed = i + 1;
		w->fds = XNEW_ARRAY(int, o->fds);
		for (u64 j = 0; j < o->fds; j++) {
			w->fds[j] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
			if (w->fds[j] < 0)
				bench_die("eventfd");
		}
	}
}

static void epoll_release(struct epoll_bench *b)
{
	for (unsigned int i = 0; i < b->nr; i++) {
		for (u64 j = 0; j < b->o->fds; j++)
			close(b->workers[i].fds[j]);
		free(b->workers[i].fds);
	}
	for (size_t i = 0; i < b->nr_epfds; i++)
		close(b->epfds[i]);
	free(b->workers);
	free(b->epfds);
}

/* Starts the workers, runs for the given time, stops them. during runs beside them, may be NULL. */
static void run_workers(struct epoll_bench *b, void *(*fn)(void *), void *(*during)(void *))
{
	struct bench_threads t;
	struct bench_gate gate;
	pthread_t extra = 0;

	atomic_store(&stop, false);
	fflush(stdout);
	bench_gate_init(&gate, b->nr + 1);
	for (unsigned int i = 0; i < b->nr; i++)
		b->workers[i].gate = &gate;
	bench_threads_start(&t, b->nr, !b->o->no_affinity, fn, b->workers, sizeof(*b->workers));
	errno = during ? pthread_create(&extra, NULL, during, b) : 0;
	if (errno)
		bench_die("pthread_create");
	bench_gate_wait(&gate);
	b->seconds = (double)bench_run_seconds(b->o->seconds) / 1e9;
	if (b->o->verbose)
		printf("main thread: toggling done\n");
	atomic_store(&stop, true);
	if (during)
		pthread_join(extra, NULL);
	bench_threads_join(&t);
}

static void print_fdmap(const struct epoll_worker *w, unsigned int i)
{
	printf("[thread %2u] fdmap: %p", i, (void *)w->fds);
	if (w->o->fds > 1)
		printf(" ... %p", (void *)&w->fds[w->o->fds - 1]);
}

/* ---- wait ---- */

static void *wait_thread(void *arg)
{
	struct epoll_worker *w = arg;
	const struct epoll_opts *o = w->o;
	u32 events = EPOLLIN | (o->oneshot ? EPOLLONESHOT : 0) | (o->edge ? EPOLLET : 0);

	bench_gate_wait(w->gate);
	while (!stopped()) {
		struct epoll_event ev;
		u64 value;

		if (epoll_wait(w->epfd, &ev, 1, o->nonblocking ? 0 : WAIT_MS) <= 0)
			continue;
		/* another thread may have been faster */
		if (read(ev.data.fd, &value, sizeof(value)) < 0 && errno != EAGAIN)
			bench_die("read");
		if (o->oneshot) {
			struct epoll_event again = { .events = events, .data = ev.data };

			if (epoll_ctl(w->epfd, EPOLL_CTL_MOD, ev.data.fd, &again))
				bench_die("epoll_ctl");
		}
		w->ops[0]++;
	}
	return NULL;
}

static void *writer_thread(void *arg)
{
	struct epoll_bench *b = arg;
	unsigned long loops = 0;
	u64 one = 1, seed = 1;

	if (b->o->verbose)
		printf("starting writer-thread: doing %s writes ...\n",
		       b->o->randomize ? "random" : "lineal");
	for (; !stopped(); loops++) {
		for (unsigned int i = 0; i < b->nr && !stopped(); i++) {
			for (u64 j = 0; j < b->o->fds; j++) {
				u64 at = b->o->randomize ? next_random(&seed) % b->o->fds : j;

				if (write(b->workers[i].fds[at], &one, sizeof(one)) < 0 &&
				    errno != EAGAIN)
					bench_die("write");
			}
		}
	}
	if (b->o->verbose)
		printf("exiting writer-thread (total full-loops: %lu)\n", loops);
	return NULL;
}

static void wait_watch(struct epoll_bench *b)
{
	const struct epoll_opts *o = b->o;
	int shared = o->multiq ? -1 : new_nested_epoll(b);

	for (unsigned int i = 0; i < b->nr; i++) {
		struct epoll_worker *w = &b->workers[i];

		w->epfd = o->multiq ? new_nested_epoll(b) : shared;
		for (u64 j = 0; j < o->fds; j++) {
			struct epoll_event ev = {
				.events = EPOLLIN | (o->oneshot ? EPOLLONESHOT : 0) |
					  (o->edge ? EPOLLET : 0),
				.data.fd = w->fds[j],
			};

			if (epoll_ctl(w->epfd, EPOLL_CTL_ADD, w->fds[j], &ev))
				bench_die("epoll_ctl");
		}
	}
}

static int wait_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct epoll_opts *o = opts;
	struct epoll_bench b = { .o = o, .nr = bench_nr_threads(o->threads) };
	struct bench_stats stats = { 0 };

	if (o->verbose) {
		printf("Using %s queue model\n", o->multiq ? "multi" : "single");
		printf("Nesting level(s): %lu\n", o->nesting);
	}
	set_nofile(o, b.nr);
	epoll_init(&b);
	wait_watch(&b);
	printf("Run summary [PID %d]: %u threads monitoring%s on %lu file-descriptors for %lu secs.\n\n",
	       getpid(), b.nr, o->oneshot ? " (EPOLLONESHOT semantics)" : "", o->fds, o->seconds);
	if (o->verbose)
		printf("starting worker/consumer %sthreads\n",
		       o->no_affinity ? "" : "CPU affinity ");
	run_workers(&b, wait_thread, writer_thread);
	for (unsigned int i = 0; i < b.nr; i++) {
		unsigned long rate = (unsigned long)((double)b.workers[i].ops[0] / b.seconds);

		bench_stats_add(&stats, (double)rate);
		print_fdmap(&b.workers[i], i);
		printf(" [ %lu ops/sec ]\n", rate);
	}
	printf("\nAveraged %ld operations/sec (+- %.2f%%), total secs = %d\n", (long)stats.mean,
	       bench_stats_percent(&stats), (int)(b.seconds + 0.05));
	epoll_release(&b);
	return 0;
}

/* ---- ctl ---- */

static const struct {
	const char *name;
	int op;
} ctl_ops[NR_OPS] = {
	[OP_ADD] = { "ADD", EPOLL_CTL_ADD },
	[OP_MOD] = { "MOD", EPOLL_CTL_MOD },
	[OP_DEL] = { "DEL", EPOLL_CTL_DEL },
};

/* Counts what succeeded: at random, a descriptor may be there already, or not yet. */
static void do_ctl(struct epoll_worker *w, enum ctl_op op, u64 at)
{
	struct epoll_event ev = { .events = op == OP_MOD ? EPOLLOUT : EPOLLIN,
				  .data.fd = w->fds[at] };

	if (!epoll_ctl(w->epfd, ctl_ops[op].op, w->fds[at], &ev))
		w->ops[op]++;
	else if (!w->o->randomize)
		bench_die("epoll_ctl");
}

static void *ctl_thread(void *arg)
{
	struct epoll_worker *w = arg;

	bench_gate_wait(w->gate);
	do {
		if (w->o->randomize) {
			u64 r = next_random(&w->seed);

			do_ctl(w, r % NR_OPS, r / NR_OPS % w->o->fds);
			continue;
		}
		for (enum ctl_op op = 0; op < NR_OPS; op++) {
			for (u64 i = 0; i < w->o->fds; i++)
				do_ctl(w, op, i);
		}
	} while (!stopped());
	return NULL;
}

static int ctl_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	struct epoll_opts *o = opts;
	struct epoll_bench b = { .o = o, .nr = bench_nr_threads(o->threads) };
	struct bench_stats stats[NR_OPS] = { 0 };
	int epfd;

	set_nofile(o, b.nr);
	epoll_init(&b);
	epfd = new_nested_epoll(&b);
	for (unsigned int i = 0; i < b.nr; i++)
		b.workers[i].epfd = epfd;
	printf("Run summary [PID %d]: %u threads doing epoll_ctl ops %lu file-descriptors "
	       "for %lu secs.\n\n",
	       getpid(), b.nr, o->fds, o->seconds);
	run_workers(&b, ctl_thread, NULL);
	for (unsigned int i = 0; i < b.nr; i++) {
		unsigned long rate[NR_OPS];

		for (enum ctl_op op = 0; op < NR_OPS; op++) {
			rate[op] = (unsigned long)((double)b.workers[i].ops[op] / b.seconds);
			bench_stats_add(&stats[op], (double)rate[op]);
		}
		print_fdmap(&b.workers[i], i);
		printf(" [ add: %lu ops; mod: %lu ops; del: %lu ops ]\n", rate[OP_ADD],
		       rate[OP_MOD], rate[OP_DEL]);
	}
	printf("\n");
	for (enum ctl_op op = 0; op < NR_OPS; op++)
		printf("Averaged %ld %s operations (+- %.2f%%)\n", (long)stats[op].mean,
		       ctl_ops[op].name, bench_stats_percent(&stats[op]));
	epoll_release(&b);
	return 0;
}

static const struct opt wait_table[] = {
	COMMON_ROWS,
	OPT_BOOL('R', "randomize", struct epoll_opts, randomize,
		 "Enable random write behaviour (default is lineal)"),
	OPT_BOOL('m', "multiq", struct epoll_opts, multiq,
		 "Use multiple epoll instances (one per thread)"),
	OPT_BOOL('B', "nonblocking", struct epoll_opts, nonblocking,
		 "Nonblocking epoll_wait(2) behaviour"),
	OPT_BOOL('S', "oneshot", struct epoll_opts, oneshot, "Use EPOLLONESHOT semantics"),
	OPT_BOOL('E', "edge", struct epoll_opts, edge,
		 "Use Edge-triggered interface (default is LT)"),
	OPT_END
};
static const struct opt ctl_table[] = { COMMON_ROWS,
					OPT_BOOL('R', "randomize", struct epoll_opts, randomize,
						 "Perform random operations on random fds"),
					OPT_END };

static const char *const wait_usage[] = { "perf bench epoll wait <options>", NULL };
static const char *const ctl_usage[] = { "perf bench epoll ctl <options>", NULL };

BENCHMARK(bench_epoll_wait, "wait", "Benchmark epoll concurrent epoll_waits", wait_table,
	  wait_usage, epoll_defaults, wait_run);
BENCHMARK(bench_epoll_ctl, "ctl", "Benchmark epoll concurrent epoll_ctls", ctl_table, ctl_usage,
	  epoll_defaults, ctl_run);
