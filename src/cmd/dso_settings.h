/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dso_settings: what all commands that look at objects take from the configuration.
 */
#ifndef CMD_DSO_SETTINGS_H
#define CMD_DSO_SETTINGS_H

#include "cli/config.h"
#include "dso/dso.h"

struct dso_settings {
	bool moved_text;
};
extern const struct config_row dso_settings_rows[];

/* 0, or -1 after telling on stderr which setting is wrong. */
int dso_settings_apply(const struct config *c, struct dso_config *dso);

#endif
