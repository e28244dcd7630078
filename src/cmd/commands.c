/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/commands.h"

#include <string.h>

#define COMMAND_ROW(name) &cmd_##name,
const struct command *const commands[] = { COMMANDS(COMMAND_ROW) NULL };

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}
