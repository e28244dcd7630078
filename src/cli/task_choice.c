/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/task_choice.h"

#include "base/vec.h"

int task_choice_parse(struct task_choice *c, const char *pids, const char *tids, struct err *e)
{
	if (number_list_parse(&c->pids, pids, "processes", e) ||
	    number_list_parse(&c->tids, tids, "threads", e))
		return -1;
	return 0;
}

void task_choice_release(struct task_choice *c)
{
	vec_free(&c->pids);
	vec_free(&c->tids);
}

bool task_choice_has(const struct task_choice *c, u32 pid, u32 tid)
{
	return task_choice_is_all(c) || number_list_has(&c->pids, pid == (u32)-1 ? tid : pid) ||
	       number_list_has(&c->tids, tid);
}
