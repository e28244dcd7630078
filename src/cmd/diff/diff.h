/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff: what the files of perf diff share: its options, and a recording that is compared. */
#ifndef CMD_DIFF_DIFF_H
#define CMD_DIFF_DIFF_H

#include "base/vec.h"
#include "profile/diff.h"
#include "recording/recording.h"
#include "tui/code.h"
#include "tui/colours.h"

/* Words of the command line: which side a recording is on. */
enum side_word { EACH_ITS_OWN, BASE_SIDE, NEW_SIDE };

struct diff_file {
	const char *path;
	u32 side;
};

struct tui_sections;

struct diff_cmd {
	struct diff_opts diff; /* first: some options take the whole struct */
	struct profile_opts profile;
	struct recording rec; /* of each */
	const char *separator, *time;
	bool dump, json, fails;
	bool use_stdio, use_tui;
	bool tui; /* tui.diff: on a terminal, a screen */
	struct screen_colours colours;
	double fail_above;
	u64 order;
	enum side_word word;
	u32 nr_new; /* sides begun by --new */
	VEC(struct diff_file) files;
	struct tui_sections *screen; /* NULL = text is printed */
};

/* A recording. */
struct compared {
	struct recording unread; /* as it was before it was opened */
	struct recording rec;
	struct agg *a;
	struct blocks *blocks; /* -c cycles, else NULL */
	struct profile_opts o;
	struct profile_columns columns;
	char *time;
	u64 size; /* of the file; 0 = unknown */
	struct err e; /* what was wrong with it */
	bool failed;
	const bool *unwanted; /* whether reading shall stop; NULL = it shall not */
	/* samples by address, read when code is asked for first */
	struct recording code_recording;
	struct code_source code;
};

#endif
