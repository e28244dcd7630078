/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/commands.h"

#include <errno.h>
#include <stdio.h>
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

const char *command_word(const struct command *c, size_t i, char word[COMMAND_WORD])
{
	const char *at = NULL;

	for (size_t line = 0; !at && c->usage[line]; line++)
		at = strchr(c->usage[line], '{');
	if (!at)
		return c->value ? c->value("words", i) : NULL;
	for (; *at != '}'; at += 1 + strcspn(at + 1, "|}"))
		if (!i--) {
			snprintf(word, COMMAND_WORD, "%.*s", (int)strcspn(at + 1, "|}"), at + 1);
			return word;
		}
	return NULL;
}

void command_tell_unknown(const struct command *c, const char *word)
{
	struct err e = ERR_INIT;
	struct similar near;
	char known[COMMAND_WORD];

	err_set(&e, EINVAL, "'%s' is no word of perf %s", word, c->name);
	similar_init(&near, word);
	for (size_t i = 0; command_word(c, i, known); i++)
		similar_offer(&near, known);
	similar_hint(&near, &e);
	err_print(&e);
}
