/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What latency, timehist, map and stats have in common for --json and -x. */
#include "render/rows.h"

#include <stdio.h>

#include "cmd/row_form.h"
#include "cmd/sched/sched.h"

bool sched_rows_wanted(const struct sched_opts *o)
{
	return o->json || o->separator;
}

int sched_rows_init(struct row_writer *w, struct strbuf *out, const struct sched_opts *o,
		    const char *schema, const struct opt *table, const char *const *usage)
{
	int r = row_form_check(o->json, o->separator, table, usage);

	if (!r)
		row_writer_init(w, out, o->separator, schema);
	return r;
}

void sched_row_task(struct row_writer *w, const char *prefix, const struct tasks *tasks, u32 task)
{
	const struct analyze_task *x = &tasks->v.v[task];
	char buf[16], names[3][32];

	snprintf(names[0], sizeof(names[0]), "%scomm", prefix);
	snprintf(names[1], sizeof(names[1]), "%stid", prefix);
	snprintf(names[2], sizeof(names[2]), "%spid", prefix);
	row_string(w, names[0], tasks_comm(tasks, task, buf));
	row_s64(w, names[1], (s32)x->tid);
	if (x->pid == (u32)-1)
		row_null(w, names[2]);
	else
		row_s64(w, names[2], (s32)x->pid);
}

void sched_row_losses(struct row_writer *w, const struct session *s)
{
	row_u64(w, "lost_events", session_stats(s)->lost_events);
	row_u64(w, "lost_chunks", session_stats(s)->lost_chunks);
}
