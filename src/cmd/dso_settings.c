/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/dso_settings.h"

struct settings {
	bool moved_text;
};

static const struct config_row rows[] = {
	CONFIG_ROW("core.moved-text", CONFIG_BOOL, struct settings, moved_text, NULL),
	CONFIG_END
};

int dso_settings_apply(const struct config *c, struct dso_config *dso)
{
	struct settings s = { .moved_text = true };

	if (config_apply(c, rows, &s))
		return -1;
	dso->plain_maps = !s.moved_text;
	return 0;
}
