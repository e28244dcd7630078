/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * internals inject-build-id: how long `perf inject -b` and `--buildid-all` of this program take for
 * a made-up stream: mappings of libraries that are there, each with samples in it.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/records.h"
#include "cli/print_err.h"
#include "cmd/bench/measure.h"
#include "dso/dso.h"
#include "perfdata/writer.h"

enum { MAX_LIBRARIES = 400, MAX_RECORDS = 10000000, OPEN_FOLDERS = 16, RECORDED_PID = 1234 };

static const u64 map_size = 0x100000, first_address = 0x400000;

struct bench_inject_opts {
	u64 rounds, maps, samples;
	int verbose;
};

static const struct bench_inject_opts inject_defaults = { .rounds = 100,
							  .maps = 100,
							  .samples = 100 };

static const struct opt inject_table[] = {
	OPT_U64('i', "iterations", struct bench_inject_opts, rounds, "n",
		"Number of iterations used to compute average (default: 100)"),
	OPT_U64('m', "nr-mmaps", struct bench_inject_opts, maps, "n",
		"Number of mmap events for each iteration (default: 100)"),
	OPT_U64('n', "nr-samples", struct bench_inject_opts, samples, "n",
		"Number of sample events per mmap event (default: 100)"),
	OPT_INCR('v', "verbose", struct bench_inject_opts, verbose,
		 "be more verbose (show iteration count, DSO name, etc)"),
	OPT_END
};

static const char *const inject_usage[] = { "perf bench internals inject-build-id <options>",
					    NULL };

/* nftw() takes no context. */
static char *libraries[MAX_LIBRARIES];
static size_t nr_libraries;

static int take_file(const char *path, const struct stat *st UNUSED, int kind,
		     struct FTW *where UNUSED)
{
	struct build_id id = { 0 };

	if (kind == FTW_F && build_id_of_file(path, &id, NULL) == 0 && id.size)
		libraries[nr_libraries++] = xstrdup(path);
	return nr_libraries == MAX_LIBRARIES;
}

static void find_libraries(void)
{
	for (size_t i = 0; i < nr_libraries; i++)
		free(libraries[i]);
	nr_libraries = 0;
	nftw("/usr/lib", take_file, OPEN_FOLDERS, FTW_PHYS);
	if (!nr_libraries)
		bench_die_text("there is no library with a build id in /usr/lib");
}

static void add_sample(struct records *r, u64 ip, u64 time)
{
	struct {
		struct perf_event_header h;
		u64 ip;
		u32 pid, tid;
		u64 time;
	} s = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(s) },
		ip,
		RECORDED_PID,
		RECORDED_PID,
		time };

	strbuf_add(&r->out, &s, sizeof(s));
}

static void add_records(struct records *r, const struct bench_inject_opts *o)
{
	u64 time = 1;

	records_comm(r, RECORDED_PID, RECORDED_PID, "bench");
	for (u64 i = 0; i < o->maps; i++) {
		struct records_map m = { .pid = RECORDED_PID,
					 .tid = RECORDED_PID,
					 .addr = first_address + i * map_size,
					 .len = map_size,
					 .cpumode = PERF_RECORD_MISC_USER,
					 .name = libraries[i % nr_libraries] };

		records_mmap2(r, &m);
		for (u64 k = 0; k < o->samples; k++)
			add_sample(r, m.addr + k % map_size, time++);
	}
	records_empty(r, PERF_RECORD_FINISHED_ROUND);
}

/* A descriptor that the stream can be read from. */
static int make_stream(const struct bench_inject_opts *o)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = PERF_ATTR_SIZE_VER7,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME };
	struct records r = { .out = STRBUF_INIT };
	struct err e = ERR_INIT;
	struct perfdata_writer_opts w_opts = { .fd = memfd_create("inject-build-id", MFD_CLOEXEC) };
	struct perfdata_writer *w;
	u64 id = 1;

	if (w_opts.fd < 0)
		bench_die("memfd_create");
	add_records(&r, o);
	if (perfdata_writer_open(&w, &w_opts, &e) < 0)
		goto failed;
	writer_add_event(w, &attr, "cpu-clock", &id, 1);
	if (writer_begin(w, &e) < 0 || writer_append(w, r.out.buf, r.out.len, &e) < 0 ||
	    writer_finish(w, &e) < 0)
		goto failed;
	strbuf_release(&r.out);
	return w_opts.fd;
failed:
	err_print(&e);
	exit(1);
}

static void run_child(int stream, const char *option)
{
	int out = open("/dev/null", O_WRONLY);

	if (out < 0 || dup2(stream, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(1);
	execl("/proc/self/exe", "perf", "inject", option, "-i", "-", "-o", "-", (char *)NULL);
	_exit(1);
}

static void inject_once(int stream, const char *option, struct bench_stats *ms,
			struct bench_stats *kb, int verbose)
{
	struct rusage used;
	u64 start = clock_now();
	int status;
	pid_t pid;

	if (lseek(stream, 0, SEEK_SET))
		bench_die("lseek");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		bench_die("fork");
	if (!pid)
		run_child(stream, option);
	if (wait4(pid, &status, 0, &used) < 0)
		bench_die("wait4");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		bench_die_text("perf inject failed");
	if (verbose)
		printf("   Child %d exited with %d\n", pid, WEXITSTATUS(status));
	bench_stats_add(ms, (double)(clock_now() - start) / 1e6);
	bench_stats_add(kb, (double)used.ru_maxrss);
}

static void measure_option(const struct bench_inject_opts *o, int stream, bool all)
{
	const char *what = all ? "build-id-all" : "build-id";
	struct bench_stats ms = { 0 }, kb = { 0 };
	double events = (double)(o->maps * (o->samples + 2));

	if (o->verbose)
		printf("  %c%s injection benchmark\n", 'B', what + 1);
	for (u64 i = 0; i < o->rounds; i++) {
		if (o->verbose)
			printf("  Iteration #%lu\n", i + 1);
		inject_once(stream, all ? "--buildid-all" : "-b", &ms, &kb, o->verbose);
	}
	printf("  Average %s injection took: %.3f msec (+- %.3f msec)\n", what, ms.mean,
	       bench_stats_error(&ms));
	printf("  Average time per event: %.3f usec (+- %.3f usec)\n", ms.mean * 1e3 / events,
	       bench_stats_error(&ms) * 1e3 / events);
	printf("  Average memory usage: %.0f KB (+- %.0f KB)\n", kb.mean, bench_stats_error(&kb));
}

static int inject_run(const struct bench_ctx *ctx UNUSED, void *opts)
{
	const struct bench_inject_opts *o = opts;
	int stream;

	if (!o->rounds || !o->maps || o->maps > MAX_RECORDS || o->samples > MAX_RECORDS / o->maps)
		bench_die_text("there must be an iteration, and 1 to 10000000 events in each");
	find_libraries();
	if (o->verbose)
		printf("  Collected %zu DSOs\n", nr_libraries);
	stream = make_stream(o);
	measure_option(o, stream, false);
	measure_option(o, stream, true);
	close(stream);
	return 0;
}

BENCHMARK(bench_internals_inject, "inject-build-id", "Benchmark build-id injection", inject_table,
	  inject_usage, inject_defaults, inject_run);
