/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/row_form.h"

#include "render/rows.h"

int row_form_check(bool json, const char *separator, const struct opt *table,
		   const char *const *usage)
{
	if (!separator)
		return 0;
	if (json)
		return opts_usage_error(table, usage, NULL,
					" Error: --json and -x are mutually exclusive.\n");
	if (!*separator)
		return opts_usage_error(table, usage, "field-separator",
					" Error: -x needs a separator\n");
	if (!row_separator_fits(separator))
		return opts_usage_error(table, usage, "field-separator",
					" Error: -x: '%s' cannot stand between columns: it has "
					"something that is in numbers\n",
					separator);
	return 0;
}
