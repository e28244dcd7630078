/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session/filter: which samples --time and -C leave.
 */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H

#include "session/session.h"
#include "session/source.h"

struct time_range {
	u64 from, to; /* ns, both included */
};

struct filter {
	VEC(struct time_range) times; /* none = all */
	u64 *cpus; /* bit set, NULL = all */
	size_t nr_cpus;
};

int filter_init(struct filter *f, const struct session_opts *o, struct source *source,
		struct err *e);
void filter_release(struct filter *f);
static inline bool filter_is_empty(const struct filter *f)
{
	return !f->times.nr && !f->cpus;
}
enum session_left_out filter_judge(const struct filter *f, u64 time, u32 cpu);

#endif
