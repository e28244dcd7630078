/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task_choice: the processes and threads that -p and -t name. Everything is chosen if neither
 * option is given. One thread changes it, any may ask.
 */
#ifndef CLI_TASK_CHOICE_H
#define CLI_TASK_CHOICE_H

#include "cli/number_list.h"

/* All 0: everything is chosen. */
struct task_choice {
	struct number_list pids, tids;
};

/* Lists of numbers, or NULL. */
int task_choice_parse(struct task_choice *c, const char *pids, const char *tids, struct err *e);
void task_choice_release(struct task_choice *c);
/* pid (u32)-1: unknown; then tid is taken for the pid, too. */
bool task_choice_has(const struct task_choice *c, u32 pid, u32 tid);

static inline bool task_choice_is_all(const struct task_choice *c)
{
	return !c->pids.nr && !c->tids.nr;
}

#endif
