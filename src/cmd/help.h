/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <stdio.h>

/* The text of `perf` without arguments: usage and the list of commands. */
void help_print_commands(FILE *out);
/* Suggest commands with a similar name on stderr. */
void help_print_similar(const char *name);

extern const char help_perf_usage[];

#endif
