/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf version: which perf this is and what was built in. */
#include <stdio.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cmd/commands.h"
#include "program/build_options.h"

struct version_opts {
	bool build_options;
	int verbose;
};

static const struct opt version_table[] = { OPT_BOOL(0, "build-options", struct version_opts,
						     build_options, "display the build options"),
					    OPT_INCR('v', "verbose", struct version_opts, verbose,
						     "display the build options too"),
					    OPT_END };

static const char *const version_usage[] = { "perf version [<options>]", NULL };

static int version_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct version_opts opts = { 0 };
	argc = opts_parse(version_table, &opts, argc, argv, version_usage, OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	strbuf_addf(&text, "perf version %s\n", perf_version);
	if (opts.build_options || opts.verbose) {
		for (const struct build_option *o = build_options; o->name; o++)
			build_option_text(o, &text);
	}
	fputs(text.buf, stdout);
	return 0;
}

const struct command cmd_version = {
	.name = "version",
	.summary = "display the version of perf",
	.usage = version_usage,
	.opts = version_table,
	.run = version_run,
};
