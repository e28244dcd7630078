/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf check feature NAME[,NAME...]: is it built in? Exit 0 when all are, 1 when one is not. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/commands.h"
#include "program/build_options.h"

struct check_opts {
	bool quiet;
};

static const struct opt check_table[] = { OPT_BOOL('q', "quiet", struct check_opts, quiet,
						   "do not show any warnings or messages"),
					  OPT_END };

static const char *const check_usage[] = { "perf check [<options>] {feature}", NULL };
static const char *const feature_usage[] = { "perf check feature <feature_list>", NULL };

/* All rows that carry the name, as a feature or as its macro (one macro may stand for several). */
static bool check_name(const char *name, bool quiet)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	bool known = false, on = false;
	for (const struct build_option *o = build_options; o->name; o++) {
		if (strcasecmp(o->name, name) && strcasecmp(o->macro, name))
			continue;
		if (!known && !quiet)
			build_option_text(o, &text);
		known = true;
		on = on || o->on;
	}
	if (text.len)
		fputs(text.buf, stdout);
	if (!known && !quiet) {
		fflush(stdout);
		fprintf(stderr,
			"Unknown feature '%s', please use 'perf version --build-options' to "
			"see which ones are available.\n",
			name);
		struct similar near;
		similar_init(&near, name);
		for (const struct build_option *o = build_options; o->name; o++)
			similar_offer(&near, o->name);
		print_similar(&near);
	}
	return on;
}

static int check_feature(const char *list, bool quiet)
{
	_cleanup_(mem_freep) char *names = xstrdup(list);
	bool all_on = true;
	for (char *name = names, *next; name; name = next) {
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		all_on = check_name(name, quiet) && all_on;
	}
	return all_on ? 0 : 1;
}

static int check_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct check_opts opts = { 0 };
	argc = opts_parse(check_table, &opts, argc, argv, check_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (!argc)
		return opts_usage_error(check_table, check_usage, NULL, "%s", "");
	if (strcmp(argv[0], "feature"))
		return opts_usage_error(check_table, check_usage, NULL, "Unknown subcommand: %s",
					argv[0]);
	if (argc == 1)
		return opts_usage_error(check_table, feature_usage, NULL, "%s", "");
	if (argc > 2) {
		log_error("too many arguments for 'perf check feature'");
		log_hint("give several features as one list: perf check feature %s,%s", argv[1],
			 argv[2]);
		return 255;
	}
	return check_feature(argv[1], opts.quiet);
}

const struct command cmd_check = {
	.name = "check",
	.summary = "check if a feature is present in perf",
	.usage = check_usage,
	.opts = check_table,
	.run = check_run,
};
