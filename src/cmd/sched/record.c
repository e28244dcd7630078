/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf sched record, and what perf sched has other commands do. */
#include "cmd/run_other.h"
#include "cmd/sched/sched.h"

/* What the analyses need. */
static const struct recorded_event recorded_events[] = {
	{ { "sched:sched_switch" }, true },
	{ { "sched:sched_stat_wait" }, false },
	{ { "sched:sched_stat_sleep" }, false },
	{ { "sched:sched_stat_iowait" }, false },
	{ { "sched:sched_stat_runtime" }, false },
	{ { "sched:sched_process_fork" }, true },
	{ { "sched:sched_wakeup_new" }, true },
	{ { "sched:sched_migrate_task" }, true },
	{ { "sched:sched_waking", "sched:sched_wakeup" }, true },
	{ { NULL }, false },
};

int sched_record_main(const struct config *config, int argc, const char **argv)
{
	static const char *const begin[] = { "-a", "-R", "-m", "1024", "-c", "1", NULL };

	return run_record(config, begin, recorded_events, argc, argv);
}
