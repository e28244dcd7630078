/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording that a subcommand of perf sched reads, and what is told of it. */
#include "cmd/sched/sched.h"

#include "base/log.h"
#include "cli/print_err.h"

int sched_open(struct sched_opts *o, const char *cpus, struct err *e)
{
	struct session_opts *so = &o->rec.opts;

	so->cpus = cpus;
	so->tell_left_out = cpus != NULL;
	so->unwind = o->call_graph;
	so->lbr = true;
	return recording_open(&o->rec, e);
}

void sched_tell_odd(u64 nr)
{
	if (nr)
		log_warn("%llu switches are left out: no kernel has CPUs of their numbers",
			 (unsigned long long)nr);
}

int sched_fail(struct err *e)
{
	err_print(e);
	return SCHED_FAILED;
}
