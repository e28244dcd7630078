/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf lock: waits for locks of the kernel. */
#include "cmd/lock/lock.h"

#include <string.h>

#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/run_other.h"

static const struct opt lock_table[] = {
	RECORDING_INPUT(struct lock_opts, rec),
	RECORDING_VERBOSE(struct lock_opts, rec),
	OPT_BOOL('q', "quiet", struct lock_opts, rec.quiet, "Do not show any warnings or messages"),
	OPT_BOOL('D', "dump-raw-trace", struct lock_opts, dump, "dump raw trace in ASCII"),
	OPT_STR(0, "vmlinux", struct lock_opts, rec.opts.dso.vmlinux, "file", "vmlinux pathname"),
	OPT_STR(0, "kallsyms", struct lock_opts, rec.opts.dso.kallsyms, "file",
		"kallsyms pathname"),
	OPT_END,
};
static const char *const lock_usage[] = {
	"perf lock [<options>] {record|report|script|info|contention}", NULL
};

static const struct lock_subcommand {
	const char *name;
	const struct opt *table;
	const char *const *usage;
	int (*run)(struct lock_opts *o);
} subcommands[] = {
	{ "report", lock_report_table, lock_report_usage, lock_report_main },
	{ "info", lock_info_table, lock_info_usage, lock_info_main },
	{ "contention", lock_contention_table, lock_contention_usage, lock_contention_main },
};

static int run_recorder(const struct config *config, int argc, const char **argv)
{
	static const char *const begin[] = { "-R", "-m",           "1024", "-c",
					     "1",  "--call-graph", "fp",   NULL };
	static const char *const begin_lockdep[] = { "-R", "-m", "1024", "-c", "1", NULL };
	/* eight frames: the locks' own code, and who called it */
	static const struct recorded_event events[] = {
		{ { "lock:contention_begin/max-stack=8/" }, true },
		{ { "lock:contention_end/max-stack=8/" }, true },
		{ { NULL }, false },
	};
	/* lockdep's: they tell more */
	static const struct recorded_event lockdep[] = {
		{ { "lock:lock_acquire" }, true },
		{ { "lock:lock_acquired" }, true },
		{ { "lock:lock_contended" }, true },
		{ { "lock:lock_release" }, true },
		{ { NULL }, false },
	};
	/* the first event of CONFIG_LOCK_STAT, without which there are no waits */
	bool has = kernel_has_event(config, "lock:lock_contended");

	return run_record(config, has ? begin_lockdep : begin, has ? lockdep : events, argc, argv);
}

static int run_subcommand(const struct config *config, const struct lock_subcommand *sub,
			  struct lock_opts *o, int argc, const char **argv)
{
	argc = opts_parse(sub->table, o, argc, argv, sub->usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	o->command = argc ? argv : NULL;
	if (argc && !o->live) {
		opts_print_usage(sub->table, sub->usage, NULL);
		return EXIT_USAGE;
	}
	if (!o->live)
		pager_start();
	if (o->dump)
		run_other_dump(config, &o->rec);
	int status = sub->run(o), cut = recording_close(&o->rec);

	return status ? status : cut;
}

/* As in perf, the beginning of a name is enough. */
static bool is_word(const char *given, const char *name, size_t at_least)
{
	return !strcmp(given, name) ||
	       (strlen(given) >= at_least && !strncmp(given, name, strlen(given)));
}

static int lock_run_command(const struct config *config, int argc, const char **argv)
{
	struct lock_opts o = { .stack_skip = 3, .max_stack = 8 };
	int r;

	if (recording_configure(&o.rec, config))
		return LOCK_FAILED;
	argc = opts_parse(lock_table, &o, argc, argv, lock_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && is_word(argv[0], "record", 3))
		return run_recorder(config, argc, argv);
	if (argc && is_word(argv[0], "script", 6))
		return run_other_script(config, &o.rec, argc, argv);
	for (size_t i = 0; argc && i < ARRAY_SIZE(subcommands); i++)
		if (is_word(argv[0], subcommands[i].name, 3)) {
			r = run_subcommand(config, &subcommands[i], &o, argc, argv);
			words_release(&o.delays);
			return r;
		}
	if (argc)
		command_tell_unknown(&cmd_lock, argv[0]);
	opts_print_usage(lock_table, lock_usage, NULL);
	return EXIT_USAGE;
}

const struct command cmd_lock = {
	.name = "lock",
	.summary = "who waits for which locks of the kernel, and for how long",
	.usage = lock_usage,
	.opts = lock_table,
	.run = lock_run_command,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
};
