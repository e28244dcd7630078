/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/dso_settings.h"

const struct config_row dso_settings_rows[] = { CONFIG_ROW("core.moved-text", CONFIG_BOOL,
							   struct dso_settings, moved_text, NULL),
						CONFIG_END };

int dso_settings_apply(const struct config *c, struct dso_config *dso)
{
	struct dso_settings s = { .moved_text = true };

	if (config_apply(c, dso_settings_rows, &s))
		return -1;
	dso->plain_maps = !s.moved_text;
	return 0;
}
