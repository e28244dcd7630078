/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * style_words: options of other perfs that name which library does something, in the order in which
 * they try
 * (--addr2line-style libdw,llvm). Here one way does it all; the words are checked.
 */
#ifndef CMD_STYLE_WORDS_H
#define CMD_STYLE_WORDS_H

#include "cli/options.h"

/* For OPT_CALL; nothing is written to the target. */
int style_parse_lines(const struct opt *o, void *target, const char *arg, bool unset,
		      struct err *e);
int style_parse_unwind(const struct opt *o, void *target, const char *arg, bool unset,
		       struct err *e);

#endif
