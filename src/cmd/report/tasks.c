/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tasks: --stats, --tasks and --mmaps: what is in the file besides samples.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi/perf_event.h"
#include "base/mem.h"
#include "cmd/report/report.h"

int report_stats(struct session *s UNUSED, struct err *e)
{
	return err_set(e, ENOTSUP, "--stats is not supported yet");
}

int report_tasks(struct session *s UNUSED, bool mmaps UNUSED, struct err *e)
{
	return err_set(e, ENOTSUP, "--tasks is not supported yet");
}
