/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf help [CMD]: the list of commands, or the manual page of one. */
#include "cmd/help.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/similar.h"
#include "cmd/commands.h"
#include "cmd/help_pages.h"

const char help_perf_usage[] = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";

struct help_opts {
	bool all, man;
};

static const struct opt help_table[] = {
	OPT_BOOL('a', "all", struct help_opts, all, "print all available commands"),
	OPT_BOOL('m', "man", struct help_opts, man, "show the installed manual page with man"),
	OPT_END
};

static const char *const help_usage[] = { "perf help [--all] [--man] [COMMAND]", NULL };

void help_print_commands(FILE *out)
{
	fprintf(out, "\n usage: %s\n\n The most commonly used perf commands are:\n",
		help_perf_usage);
	for (size_t i = 0; commands[i]; i++) {
		if (!(commands[i]->flags & CMD_HIDDEN))
			fprintf(out, "   %-15s %s\n", commands[i]->name, commands[i]->summary);
	}
	fprintf(out, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

void help_print_similar(const char *name)
{
	const struct command *similar[8];
	size_t n = 0;
	unsigned int best = 0, distance;
	for (size_t i = 0; commands[i]; i++) {
		if (!similar_is_close(name, commands[i]->name, &distance))
			continue;
		if (distance < best)
			n = 0;
		if (!n)
			best = distance;
		if (distance == best && n < ARRAY_SIZE(similar))
			similar[n++] = commands[i];
	}
	if (n)
		fprintf(stderr, "\nDid you mean %s?\n", n > 1 ? "one of these" : "this");
	for (size_t i = 0; i < n; i++)
		fprintf(stderr, "\t%s\n", similar[i]->name);
}

static const char *find_page(const char *name)
{
	for (const struct help_page *p = help_pages; p->name; p++) {
		if (!strcmp(p->name, name))
			return p->text;
	}
	return NULL;
}

static int help_run(int argc, const char **argv)
{
	struct help_opts opts = { 0 };
	argc = opts_parse(help_table, &opts, argc, argv, help_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (!argc || opts.all) {
		help_print_commands(stdout);
		return 0;
	}
	const char *name = argv[0];
	if (!strncmp(name, "perf-", 5))
		name += 5;
	if (opts.man) {
		_cleanup_(mem_freep) char *page = xasprintf("perf-%s", name);
		execlp("man", "man", page, (char *)NULL);
		log_warn("cannot run 'man'; showing the built-in page");
	}
	const char *text = find_page(name);
	if (!text) {
		log_error("no help page for '%s'", name);
		help_print_similar(name);
		return 1;
	}
	pager_start();
	fputs(text, stdout);
	return 0;
}

const struct command cmd_help = {
	.name = "help",
	.summary = "display the manual page of a command",
	.usage = help_usage,
	.opts = help_table,
	.run = help_run,
};
