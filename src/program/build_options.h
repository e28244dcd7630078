/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program/build_options: what this binary is and what was built in. One table feeds
 * `perf version --build-options` and `perf check feature`.
 *
 * Names and macros are those of the kernel's perf, so that scripts which ask for a feature get the
 * right answer; a feature that is not there (yet) is listed as OFF.
 */
#ifndef PROGRAM_BUILD_OPTIONS_H
#define PROGRAM_BUILD_OPTIONS_H

#include "base/strbuf.h"

struct build_option {
	const char *name;
	const char *macro;
	bool on;
	const char *tip; /* why it is off and what helps, NULL = nothing to say */
};

extern const struct build_option build_options[]; /* name NULL at the end */
/* Appends the option's line of perf version --build-options. */
void build_option_text(const struct build_option *o, struct strbuf *out);

/* "7.0.0.gREVISION", also written into perf.data's VERSION feature. */
extern const char perf_version[];

#endif
