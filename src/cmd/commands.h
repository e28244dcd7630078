/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands: the list of subcommands, in the order that `perf` prints them (alphabetical). A row NAME
 * means `const struct command cmd_NAME` in src/cmd/NAME.c or src/cmd/NAME/NAME.c.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cli/command.h"

#define COMMANDS(X)  \
	X(version)

#define COMMAND_DECLARE(name) extern const struct command cmd_##name;
COMMANDS(COMMAND_DECLARE)

#endif
