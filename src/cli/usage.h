/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * usage: pieces of the -h text, shared by options.c and usage.c; nothing here prints.
 */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include "base/strbuf.h"
#include "cli/options.h"

bool opt_takes_arg(const struct opt *o);
/* " Usage: ..." and "    or: ..." lines and a blank line. */
void usage_add_head(struct strbuf *out, const char *const *usage);
void usage_add_row(struct strbuf *out, const struct opt *o);
/* The head and the rows called name; without an exact match, those whose long names begin so. */
void usage_add_option(struct strbuf *out, const struct opt *table, const char *const *usage,
		      const char *name);

#endif
