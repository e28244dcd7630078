/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * programs: counters and BPF programs: those that decide what counts, and those that run meanwhile.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "bpf/program_counts.h"
#include "capture/event_programs.h"
#include "count/counters.h"

int counting_set_programs(struct counting *c, struct err *e)
{
	struct event_fds *all = XNEW_ARRAY(struct event_fds, MAX(c->all.nr, (size_t)1));
	int r;

	for (size_t i = 0; i < c->all.nr; i++) {
		const struct counter *counter = &c->all.v[i];

		all[i] = (struct event_fds){ counter->event, counter->fds, counter->cpus,
					     counter->nr_cpus, counter->nr_tasks };
	}
	r = event_programs_set(all, c->all.nr, c->target, e);
	free(all);
	return r;
}

static int put(struct counting *c, u32 i, struct err *e)
{
	const struct counter *counter = &c->all.v[i];

	for (size_t n = 0; n < counter->nr_cpus * counter->nr_tasks; n++) {
		int r = counter->fds[n] < 0
				? 0
				: program_counts_put(c->in_programs, i, (u32)counter->cpus[n],
						     counter->fds[n]);

		if (r)
			return err_sys(e, -r, "'%s' cannot be counted in BPF programs",
				       counter->event->name);
	}
	return 0;
}

int counting_in_programs(struct counting *c, const u32 *ids, size_t nr, struct err *e)
{
	c->in_programs = program_counts_new(ids, nr, (u32)c->all.nr, e);
	if (!c->in_programs)
		return -1;
	for (u32 i = 0; i < c->all.nr; i++)
		if (put(c, i, e))
			return -1;
	return program_counts_attach(c->in_programs, e);
}

void counting_read_programs(struct counting *c)
{
	for (u32 i = 0; i < c->all.nr; i++) {
		struct counter *counter = &c->all.v[i];

		for (size_t n = 0; n < counter->nr_cpus * counter->nr_tasks; n++) {
			struct program_count v = { 0 };

			if (counter->fds[n] >= 0)
				v = program_counts_read(c->in_programs, i, (u32)counter->cpus[n]);
			counter->values[n] = (struct count_value){ v.value, v.enabled, v.running };
		}
	}
}
