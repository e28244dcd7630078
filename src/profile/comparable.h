/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * comparable: which events of recordings belong together, and whether there is anything to compare.
 * What was not measured did not grow, nor shrink: that must not pass for a comparison.
 */
#ifndef PROFILE_COMPARABLE_H
#define PROFILE_COMPARABLE_H

#include "profile/diff.h"

/* What input i has of the event of a section of the first input; NULL = it lacks the event. */
const struct agg_section *comparable_section(const struct diff_input *in, size_t i, size_t section);

/* The name of a section's event. */
const char *comparable_event(const struct diff_input *in, size_t section);

/*
 * ENODATA, with a text that names the recording, where it cannot be told what grew: it has no
 * samples, none that pass the filters, lacks an event of the base, or a side has no samples of an
 * event that another has. Only of -S and -d one recording may have none: functions come and go.
 */
int comparable_check(const struct diff_opts *o, const struct diff_input *in, size_t nr,
		     struct err *e);

#endif
