/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row_form: --json and -x, which ask for rows (render/rows.h) in place of a text.
 */
#ifndef CMD_ROW_FORM_H
#define CMD_ROW_FORM_H

#include <stdbool.h>

#include "cli/options.h"

/* separator: of -x, NULL = not given. 0, or EXIT_USAGE once it has told what is wrong and how the
 * command is used. */
int row_form_check(bool json, const char *separator, const struct opt *table,
		   const char *const *usage);

#endif
