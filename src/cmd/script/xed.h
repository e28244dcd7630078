/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xed: --xed, the text goes through Intel's disassembler of that name, which turns "insn: 48 89 e5"
 * into the instruction. It is a program of its own: github.com/intelxed/xed.
 */
#ifndef CMD_SCRIPT_XED_H
#define CMD_SCRIPT_XED_H

#include <stdio.h>

#include "base/err.h"

/* From now on stdout goes through the program. NULL with *e: it is not installed or does not start.
 */
FILE *xed_start(struct err *e);
/* Waits until it has written everything. NULL is allowed. */
void xed_finish(FILE *xed);

#endif
