/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* The text of `perf` without arguments: usage and the list of commands. */
void help_print_commands(FILE *out);
/* A command of the kernel's perf that this one lacks: say so on stderr. */
bool help_print_missing(const char *name);
/* Suggest commands with a similar name on stderr. */
void help_print_similar(const char *name);

/*
 * help.autocorrect = N: tell on stderr which command was meant, wait N tenths of a second and
 * return it. NULL when that is not set, or no single command is near.
 */
const struct command *help_autocorrect(const struct config *config, const char *name);

extern const char help_perf_usage[];

#endif
