/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands: the list of subcommands, in the order that `perf` prints them (alphabetical). A row
 * NAME means `const struct command cmd_NAME` in src/cmd/NAME.c or src/cmd/NAME/NAME.c; a dash in
 * the command's name is an underscore here.
 */
#ifndef CMD_COMMANDS_H
#define CMD_COMMANDS_H

#include "cli/command.h"

/* One row per line; keep them sorted. */
#define COMMANDS(X)                                                                                \
	X(annotate)                                                                                \
	X(archive)                                                                                 \
	X(bench)                                                                                   \
	X(buildid_cache)                                                                           \
	X(buildid_list)                                                                            \
	X(check)                                                                                   \
	X(config)                                                                                  \
	X(daemon)                                                                                  \
	X(diff)                                                                                    \
	X(doctor)                                                                                  \
	X(evlist)                                                                                  \
	X(ftrace)                                                                                  \
	X(help)                                                                                    \
	X(inject)                                                                                  \
	X(kallsyms)                                                                                \
	X(kmem)                                                                                    \
	X(kvm)                                                                                     \
	X(kwork)                                                                                   \
	X(list)                                                                                    \
	X(lock)                                                                                    \
	X(probe)                                                                                   \
	X(record)                                                                                  \
	X(report)                                                                                  \
	X(sched)                                                                                   \
	X(script)                                                                                  \
	X(stat)                                                                                    \
	X(test)                                                                                    \
	X(timechart)                                                                               \
	X(top)                                                                                     \
	X(trace)                                                                                   \
	X(version)

#define COMMAND_DECLARE(name) extern const struct command cmd_##name;
COMMANDS(COMMAND_DECLARE)

extern const struct command *const commands[]; /* the rows above, NULL at the end */
const struct command *command_find(const char *name); /* NULL when there is none */
enum { COMMAND_WORD = 32 };
/* The i-th word that stands behind the command, as its usage says ("{record|report}"), else
 * c->value("words"). NULL: there are no more. */
const char *command_word(const struct command *c, size_t i, char word[COMMAND_WORD]);
/* Tells on stderr that word is none of them, and the nearest of them. */
void command_tell_unknown(const struct command *c, const char *word);

#endif
