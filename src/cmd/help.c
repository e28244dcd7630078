/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf help [CMD]: the list of commands, or the manual page of one. */
#include "cmd/help.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/similar.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cmd/commands.h"
#include "cmd/help_pages.h"

const char help_perf_usage[] = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";

struct help_opts {
	bool all, man;
	const char *viewer; /* of manual pages */
	int autocorrect; /* tenths of a second */
};

static const struct opt help_table[] = {
	OPT_BOOL('a', "all", struct help_opts, all, "print all available commands"),
	OPT_BOOL('m', "man", struct help_opts, man, "show the installed manual page with man"),
	OPT_END
};

static int parse_format(const char *value, void *target, struct err *e)
{
	struct help_opts *o = target;
	if (!strcmp(value, "man"))
		o->man = true;
	else if (!strcmp(value, "info") || !strcmp(value, "web") || !strcmp(value, "html"))
		log_warn("help.format: there are no %s pages; showing the built-in one", value);
	else if (strcmp(value, "text"))
		return err_set(e, EINVAL, "unrecognized help format '%s'", value);
	return 0;
}

static int parse_viewer(const char *value, void *target, struct err *e UNUSED)
{
	struct help_opts *o = target;
	o->viewer = value;
	o->man = true;
	return 0;
}

static int parse_autocorrect(const char *value, void *target, struct err *e UNUSED)
{
	char *end;
	*(int *)target = (int)strtol(value, &end, 10);
	return end == value || *end ? -1 : 0;
}

static const struct config_row help_config[] = { { "help.format", CONFIG_CALL, 0, parse_format },
						 { "man.viewer", CONFIG_CALL, 0, parse_viewer },
						 CONFIG_ROW("help.autocorrect", CONFIG_CALL,
							    struct help_opts, autocorrect,
							    parse_autocorrect),
						 CONFIG_END };

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

static void find_similar(const char *name, struct similar *near)
{
	similar_init(near, name);
	for (size_t i = 0; commands[i]; i++)
		similar_offer(near, commands[i]->name);
}

/* Commands of the kernel's perf that this one lacks. */
static const char *const missing[] = { "c2c", "data", "mem" };

bool help_print_missing(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(missing); i++) {
		if (strcmp(missing[i], name) != 0)
			continue;
		log_error("this perf has no command '%s' yet", name);
		return true;
	}
	return false;
}

void help_print_similar(const char *name)
{
	struct similar near;
	find_similar(name, &near);
	if (near.nr)
		fprintf(stderr, "\nDid you mean %s?\n", near.nr > 1 ? "one of these" : "this");
	for (size_t i = 0; i < near.nr; i++)
		fprintf(stderr, "\t%s\n", near.names[i]);
}

const struct command *help_autocorrect(const struct config *config, const char *name)
{
	struct help_opts opts = { .autocorrect = 0 };
	struct similar near;
	if (config_apply(config, help_config, &opts) || !opts.autocorrect)
		return NULL;
	find_similar(name, &near);
	if (near.nr != 1)
		return NULL;
	fprintf(stderr,
		"WARNING: You called a perf program named '%s', which does not exist.\n"
		"Continuing under the assumption that you meant '%s'\n",
		name, near.names[0]);
	if (opts.autocorrect > 0) {
		fprintf(stderr, "in %0.1f seconds automatically...\n", opts.autocorrect / 10.0);
		for (int i = 0; i < opts.autocorrect; i++)
			usleep(100000);
	}
	return command_find(near.names[0]);
}

/* Run the viewer of manual pages; returns when there is none. */
static void show_man(const struct config *config, const char *viewer, const char *page)
{
	static const char *const names[] = { "man", "woman", "konqueror" };
	_cleanup_(mem_freep) char *cmd_key = xasprintf("man.%s.cmd", viewer);
	_cleanup_(mem_freep) char *path_key = xasprintf("man.%s.path", viewer);
	const char *command = config_get(config, cmd_key), *path = config_get(config, path_key);
	_cleanup_(mem_freep) char *line = NULL;
	bool known = false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		known = known || !strcmp(viewer, names[i]);
	if (command) {
		line = xasprintf("%s %s", command, page);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	} else if (!known) {
		log_warn("'%s': unknown man viewer", viewer);
		log_hint("'man.%s.cmd' in the configuration says how to run it", viewer);
		viewer = "man";
		path = NULL;
	}
	if (!strcmp(viewer, "woman")) {
		line = xasprintf("(woman \"%s\")", page);
		execlp(path ? path : "emacsclient", "emacsclient", "-e", line, (char *)NULL);
	} else if (!strcmp(viewer, "konqueror")) {
		line = xasprintf("man:%s(1)", page);
		execlp(path ? path : "kfmclient", "kfmclient", "newTab", line, (char *)NULL);
	}
	execlp(path && !strcmp(viewer, "man") ? path : "man", "man", page, (char *)NULL);
	log_warn("cannot run 'man'; showing the built-in page");
}

static const char *find_page(const char *name)
{
	for (const struct help_page *p = help_pages; p->name; p++) {
		if (!strcmp(p->name, name))
			return p->text;
	}
	return NULL;
}

static int help_run(const struct config *config, int argc, const char **argv)
{
	struct help_opts opts = { .viewer = "man" };
	if (config_apply(config, help_config, &opts))
		return 255;
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
	const char *text = find_page(name);
	if (!text && help_print_missing(name))
		return 1;
	if (!text) {
		log_error("no help page for '%s'", name);
		help_print_similar(name);
		return 1;
	}
	if (opts.man) {
		bool whole = !strcmp(name, "perf");
		_cleanup_(mem_freep) char *page = xasprintf("perf%s%s", whole ? "" : "-",
							    whole ? "" : name);
		show_man(config, opts.viewer, page);
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
	.settings = help_config,
	.settings_size = sizeof(struct help_opts),
};
