/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf timechart record: record with those of the chart's events that the kernel has. */
#include "base/log.h"
#include "cmd/run_other.h"
#include "cmd/timechart/timechart.h"

#define T struct timechart_opts
static const struct opt record_table[] = {
	OPT_BOOL('P', "power-only", T, power_only, "record power events only"),
	OPT_BOOL('T', "tasks-only", T, tasks_only, "record events of tasks only"),
	OPT_BOOL('I', "io-only", T, io, "record only IO data"),
	OPT_BOOL('g', "callchain", T, callchain, "record callchain"),
	OPT_STR('o', "output", T, recording, "file", "output file name"),
	OPT_END,
};
static const char *const record_usage[] = { "perf timechart record [<options>]", NULL };

/* clang-format off */
#define POWER                                                                                      \
	{ .names = { "power:cpu_frequency" }, .told = true },                                      \
	{ .names = { "power:cpu_idle" }, .told = true }
/* of a wake-up sched_waking knows who, and sched_wakeup is what other perfs' charts are made of */
#define TASKS                                                                                      \
	{ .names = { "sched:sched_switch" }, .needed = true },                                     \
	{ .names = { "sched:sched_waking" }, .told = true },                                       \
	{ .names = { "sched:sched_wakeup" }, .told = true },                                       \
	{ .names = { "sched:sched_wakeup_new" }, .told = true }
/* clang-format on */
static const struct recorded_event all_events[] = { TASKS, POWER, { .needed = false } };
static const struct recorded_event task_events[] = { TASKS, { .needed = false } };
static const struct recorded_event power_events[] = {
	{ .names = { "power:cpu_idle" }, .needed = true },
	{ .names = { "power:cpu_frequency" }, .told = true },
	{ .needed = false },
};

/* What perf itself writes would be most of it. */
#define CALL(name)                                                                                 \
	{ .names = { "syscalls:sys_enter_" name }, .told = true, .option = "--exclude-perf" },     \
	{                                                                                          \
		.names = { "syscalls:sys_exit_" name }, .told = true, .option = "--exclude-perf"   \
	}
static const struct recorded_event io_events[] = {
	{ .names = { "syscalls:sys_enter_read" }, .needed = true, .option = "--exclude-perf" },
	{ .names = { "syscalls:sys_exit_read" }, .needed = true, .option = "--exclude-perf" },
	CALL("pread64"),
	CALL("readv"),
	CALL("preadv"),
	CALL("preadv2"),
	CALL("write"),
	CALL("pwrite64"),
	CALL("writev"),
	CALL("pwritev"),
	CALL("pwritev2"),
	CALL("sync"),
	CALL("sync_file_range"),
	CALL("fsync"),
	CALL("fdatasync"),
	CALL("syncfs"),
	CALL("msync"),
	CALL("recvfrom"),
	CALL("recvmmsg"),
	CALL("recvmsg"),
	CALL("sendto"),
	CALL("sendmsg"),
	CALL("sendmmsg"),
	CALL("epoll_pwait"),
	CALL("epoll_pwait2"),
	CALL("epoll_wait"),
	CALL("poll"),
	CALL("ppoll"),
	CALL("pselect6"),
	CALL("select"),
	{ .needed = false },
};

bool timechart_one_of_both(const struct timechart_opts *o)
{
	if (o->power_only && o->tasks_only)
		log_error("-P and -T options cannot be used at the same time.");
	return !(o->power_only && o->tasks_only);
}

int timechart_record_main(const struct config *config, struct timechart_opts *o, int argc,
			  const char **argv)
{
	static const char *const begin[] = { "-a", "-R", "-m", "1024", "-c", "1", NULL };
	static const char *const with_chains[] = {
		"-a", "-R", "-m", "1024", "-c", "1", "-g", NULL
	};
	const struct recorded_event *events = all_events;
	struct words line = { .v = NULL };
	int r;

	argc = opts_parse(record_table, o, argc, argv, record_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (!timechart_one_of_both(o))
		return TIMECHART_FAILED;
	if (o->io)
		events = io_events;
	else if (o->power_only)
		events = power_events;
	else if (o->tasks_only)
		events = task_events;
	words_add(&line, "record");
	if (o->recording) {
		words_add(&line, "-o");
		words_add(&line, o->recording);
	}
	for (int i = 0; i < argc; i++)
		words_add(&line, argv[i]);
	r = run_record(config, o->callchain ? with_chains : begin, events, line.nr, line.v);
	words_release(&line);
	return r;
}
