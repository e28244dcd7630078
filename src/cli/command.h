/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command: what main.c knows of a subcommand. One const struct per command, defined in
 * cmd/<name>.c or cmd/<name>/<name>.c, listed in cmd/commands.h.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/config.h"
#include "cli/options.h"

enum command_flags {
	CMD_PAGER = 1 << 0, /* stdout through the pager on a terminal */
	CMD_PAGER_LATER = 1 << 3, /* with it: the command calls pager_start() itself, unless the
				   * terminal becomes its screen */
	CMD_HIDDEN = 1 << 1, /* not in the list of commands */
	CMD_NO_CONFIG = 1 << 2, /* reads the configuration itself: gets an empty one */
};

struct command {
	const char *name;
	const char *summary; /* one line for the list of commands */
	const char *const *usage; /* NULL-terminated */
	const struct opt *opts; /* for --list-opts and the documentation test */
	/* argv[0] is the command; returns the exit code. What the configuration says is applied
	 * (config_apply) before the options are read. */
	int (*run)(const struct config *config, int argc, const char **argv);
	unsigned int flags;
	/* What it takes from the configuration, and the size of the struct that these rows are for:
	 * `perf config` checks a value by them. NULL = nothing. */
	const struct config_row *settings;
	size_t settings_size;
	/* For completion (--list-values): the i-th word that the option of this long name takes, in
	 * a list separated by commas; NULL at the end. May be NULL. */
	const char *(*value)(const char *option, size_t i);
};

#endif
