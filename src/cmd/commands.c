/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/commands.h"

#include <errno.h>
#include <string.h>

#include "base/similar.h"
#include "cli/print_err.h"

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

void command_tell_unknown(const struct command *c, const char *word)
{
	struct err e = ERR_INIT;
	struct similar near;
	const char *known;

	err_set(&e, EINVAL, "'%s' is no word of perf %s", word, c->name);
	similar_init(&near, word);
	for (size_t i = 0; (known = c->value("words", i)); i++)
		similar_offer(&near, known);
	similar_hint(&near, &e);
	err_print(&e);
}
