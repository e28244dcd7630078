/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alias: commands of the user's own, from the configuration:
 *
 *	[alias]
 *		hot = report --stdio --sort dso,sym
 *		top5 = !perf report --stdio "$@" | grep -v '^#' | head -5
 *
 * A first '!' hands the rest to sh, with the further words behind it, or where it says "$@" or $1.
 */
#ifndef CLI_ALIAS_H
#define CLI_ALIAS_H

#include "cli/config.h"
#include "cli/words.h"

struct alias_line {
	struct words words;
	char *text; /* what the new words point into */
};

/*
 * Replace argv[0] by the words of its alias: 1 and *out filled, 0 when there is no such alias, -1
 * and *e when its text cannot be split ("open quote"; cli/words.h). out borrows the further words
 * of argv. For a '!' alias the words are "!", then the program to run and its arguments.
 */
int alias_expand(const struct config *c, int argc, const char **argv, struct alias_line *out,
		 struct err *e);
void alias_line_release(struct alias_line *line);

#endif
