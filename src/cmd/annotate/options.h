/* SPDX-License-Identifier: GPL-2.0-or-later */
/* annotate: the options of `perf annotate` as typed. */
#ifndef CMD_ANNOTATE_OPTIONS_H
#define CMD_ANNOTATE_OPTIONS_H

#include "agg/addresses.h"
#include "annotate/annotate.h"
#include "cli/colour.h"
#include "cli/config.h"
#include "cli/options.h"
#include "recording/recording.h"
#include "render/annotation.h"
#include "tui/colours.h"

struct tui_functions;

struct annotate_cmd {
	struct recording rec;
	struct annotate_opts annotate;
	struct addresses_opts addresses;
	struct annotation_out out;
	bool use_stdio, use_stdio2, use_tui, use_gtk, json;
	bool tui; /* tui.annotate: on a terminal, a screen */
	struct screen_colours colours;
	bool dump, group, skip_missing, source, demangle, itrace;
	bool code_with_type, data_type, type_stat, insn_stat;
	const char *data_type_name; /* the only one, NULL = all */
	bool show_samples, show_period, hide_source, use_offset, jump_arrows;
	const char *percent_type;
	const char *prefix_strip;
	double percent_limit;
	u64 offset_level;
	enum colour_mode colour;
	struct tui_functions *screen; /* where they are shown, see screen.h; NULL = text */
};

extern const struct opt annotate_table[];
extern const char *const annotate_usage[];
extern const struct config_row annotate_config[];

#endif
