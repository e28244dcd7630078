/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program/command_line: this program's path and a command's words, as the CMDLINE feature of a
 * recording keeps them.
 */
#ifndef PROGRAM_COMMAND_LINE_H
#define PROGRAM_COMMAND_LINE_H

/* NULL at the end; the caller frees the array, the words stay the caller's. One thread. */
const char **command_line_words(int argc, const char **argv);

#endif
