/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf ftrace: the kernel's function tracer: as text, latencies, a profile. */
#include "cmd/ftrace/ftrace.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/log.h"

static const struct ftrace_subcommand {
	const char *name;
	const struct opt *table;
	int (*run)(struct ftrace_opts *o, const char *const *command);
} subcommands[] = {
	{ "trace", ftrace_trace_table, ftrace_trace },
	{ "latency", ftrace_latency_table, ftrace_latency },
	{ "profile", ftrace_profile_table, ftrace_profile },
};

static int set_tracer(const char *value, void *target, struct err *e)
{
	if (strcmp(value, "function") != 0 && strcmp(value, "function_graph") != 0)
		return err_set(e, EINVAL,
			       "Please select \"function_graph\" (default) or \"function\"");
	*(const char **)target = value;
	return 0;
}

static const struct config_row ftrace_settings_rows[] = {
	CONFIG_ROW("ftrace.tracer", CONFIG_CALL, struct ftrace_opts, config_tracer, set_tracer),
	CONFIG_END,
};

static int run_subcommand(struct ftrace_opts *o, const struct ftrace_subcommand *sub, int argc,
			  const char **argv)
{
	argc = opts_parse(sub->table, o, argc, argv, ftrace_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	log_set_verbosity(o->sampling.verbose);
	if (o->list)
		return ftrace_list(o);
	return sub->run(o, argc ? argv : NULL);
}

static int ftrace_main(const struct config *config, int argc, const char **argv)
{
	struct ftrace_opts o = { .debugfs = config->debugfs_dir };
	const struct ftrace_subcommand *sub = &subcommands[0];
	int r;

	signal(SIGPIPE, SIG_IGN);
	event_list_init(&o.sampling.events);
	if (config_apply(config, ftrace_settings_rows, &o))
		return FTRACE_FAILED;
	for (size_t i = 0; argc > 1 && i < ARRAY_SIZE(subcommands); i++) {
		if (strcmp(argv[1], subcommands[i].name) != 0)
			continue;
		sub = &subcommands[i];
		argc--;
		argv++;
		break;
	}
	r = run_subcommand(&o, sub, argc, argv);
	vec_free(&o.settings.functions);
	vec_free(&o.settings.not_functions);
	vec_free(&o.settings.graphs);
	vec_free(&o.settings.not_graphs);
	sampling_release(&o.sampling);
	return r;
}

/* For completion. */
static const char *ftrace_value(const char *option, size_t i)
{
	static const char *const tracers[] = { "function", "function_graph" };
	static const char *const keys[] = { "total", "avg", "max", "count", "name" };

	if (!strcmp(option, "tracer"))
		return i < ARRAY_SIZE(tracers) ? tracers[i] : NULL;
	if (!strcmp(option, "sort"))
		return i < ARRAY_SIZE(keys) ? keys[i] : NULL;
	return NULL;
}

const struct command cmd_ftrace = {
	.name = "ftrace",
	.summary = "trace functions of the kernel, and how long they take",
	.usage = ftrace_usage,
	.opts = ftrace_trace_table,
	.run = ftrace_main,
	.flags = CMD_PAGER,
	.settings = ftrace_settings_rows,
	.settings_size = sizeof(struct ftrace_opts),
	.value = ftrace_value,
};
