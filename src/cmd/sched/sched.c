/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched: what the scheduler did, from a recording of its events. */
#include "cmd/sched/sched.h"

#include <stdlib.h>
#include <string.h>

#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/run_other.h"

static const struct opt sched_table[] = {
	RECORDING_FILE(struct sched_opts, rec),
	RECORDING_VERBOSE(struct sched_opts, rec),
	OPT_BOOL('D', "dump-raw-trace", struct sched_opts, dump, "dump raw trace in ASCII"),
	RECORDING_FORCE(struct sched_opts, rec),
	OPT_END,
};

static const char *const sched_usage[] = {
	"perf sched [<options>] {record|latency|map|replay|script|timehist|timeline|wakers|top|stats}",
	NULL
};
static const struct sched_subcommand {
	const char *name;
	const struct opt *table;
	const char *const *usage;
	int (*run)(struct sched_opts *o);
	bool writes; /* to a file that a word behind it names */
} subcommands[] = {
	{ "latency", sched_latency_table, sched_latency_usage, sched_latency_main },
	{ "timehist", sched_timehist_table, sched_timehist_usage, sched_timehist_main },
	{ "map", sched_map_table, sched_map_usage, sched_map_main },
	{ "replay", sched_replay_table, sched_replay_usage, sched_replay_main },
	{ "timeline", sched_timeline_table, sched_timeline_usage, sched_timeline_main, true },
	{ "wakers", sched_wakers_table, sched_wakers_usage, sched_wakers_main },
	{ "lat", sched_latency_table, sched_latency_usage, sched_latency_main },
};

static int run_subcommand(const struct config *config, const struct sched_subcommand *sub,
			  struct sched_opts *o, int argc, const char **argv)
{
	argc = opts_parse(sub->table, o, argc, argv, sub->usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc == 1 && sub->writes) {
		o->output = argv[0];
		argc = 0;
	}
	if (argc) {
		opts_print_usage(sub->table, sub->usage, NULL);
		return EXIT_USAGE;
	}
	if (o->dump)
		run_other_dump(config, &o->rec);
	int status = sub->run(o), cut = recording_close(&o->rec);

	return status ? status : cut;
}

/* The whole command line again, of which argv is what stands behind "sched". */
static const char **whole_line(int argc, const char **argv)
{
	const char **line = XNEW_ARRAY(const char *, (size_t)argc + 2);

	line[0] = "sched";
	memcpy(line + 1, argv, (size_t)argc * sizeof(*line));
	return line;
}

/* Its own subcommand comes first, options before or behind it. */
static int run_stats(struct sched_opts *o, int argc, const char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	bool named = !strcmp(what, "record") || !strcmp(what, "report") || !strcmp(what, "diff");
	const char **line = whole_line(argc, argv), **words;
	int left, r;

	o->line = line;
	left = opts_parse(sched_stats_table, o, argc - named, argv + named, sched_stats_usage,
			  OPTS_STOP_AT_NON_OPTION);
	words = XNEW_ARRAY(const char *, (size_t)argc + 1);
	for (int i = 0; i < left; i++)
		words[i] = argv[i + named];
	if (!strcmp(what, "report") || !strcmp(what, "diff"))
		pager_start();
	r = left < 0 ? EXIT_USAGE : sched_stats_main(o, what, left, words);
	free(words);
	free(line);
	return r;
}

static int run_top(const struct config *config, struct sched_opts *o, int argc, const char **argv)
{
	const char **line;
	int r;

	if (o->rec.opts.input.path || o->rec.opts.input.force || o->dump)
		return opts_usage_error(sched_top_table, sched_top_usage, NULL,
					" Error: top reads no recording: -i, -f and -D have no "
					"place\n");
	line = whole_line(argc, argv);
	r = opts_parse(sched_top_table, o, argc, argv, sched_top_usage, 0);
	if (r > 0)
		opts_print_usage(sched_top_table, sched_top_usage, NULL);
	r = r ? EXIT_USAGE : sched_top_main(config, o, line);
	free(line);
	return r;
}

static int sched_run(const struct config *config, int argc, const char **argv)
{
	struct sched_opts o = {
		.cpu = -1, .max_stack = 5, .call_graph = true, .repeat = 10, .delay = 1
	};

	if (recording_configure(&o.rec, config))
		return SCHED_FAILED;
	argc = opts_parse(sched_table, &o, argc, argv, sched_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc && !strncmp(argv[0], "rec", 3))
		return sched_record_main(config, argc, argv);
	if (argc && !strcmp(argv[0], "script"))
		return run_other_script(config, &o.rec, argc, argv);
	if (argc && !strcmp(argv[0], "stats"))
		return run_stats(&o, argc, argv);
	if (argc && !strcmp(argv[0], "top"))
		return run_top(config, &o, argc, argv);
	for (size_t i = 0; argc && i < ARRAY_SIZE(subcommands); i++) {
		if (strcmp(subcommands[i].name, argv[0]) != 0)
			continue;
		pager_start();
		return run_subcommand(config, &subcommands[i], &o, argc, argv);
	}
	if (argc)
		command_tell_unknown(&cmd_sched, argv[0]);
	opts_print_usage(sched_table, sched_usage, NULL);
	return EXIT_USAGE;
}

const struct command cmd_sched = {
	.name = "sched",
	.summary = "record and analyse what the scheduler does",
	.usage = sched_usage,
	.opts = sched_table,
	.run = sched_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
};
