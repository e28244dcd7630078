/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work beside the loop. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/par.h"
#include "tui/tui.h"

struct tui_job {
	struct tui_work work;
	struct par_task *task;
	char *text;
	bool ended, unwanted; /* read and written by both threads */
};

static void run(void *ctx)
{
	struct tui_job *j = ctx;

	j->work.run(j->work.ctx, &j->unwanted);
	__atomic_store_n(&j->ended, true, __ATOMIC_RELEASE);
}

void tui_work(struct tui *t, const struct tui_work *w)
{
	struct tui_job *j;

	tui_work_wait(t);
	j = XNEW(struct tui_job);
	j->work = *w;
	j->text = xasprintf("%s ...   ESC: stop", w->what);
	t->job = j;
	t->redraw = true;
	if (!w->at_once)
		j->task = par_task_start(run, j);
	else
		run(j);
	tui_work_ended(t);
}

bool tui_work_ended(struct tui *t)
{
	struct tui_job *j = t->job;

	if (!j)
		return true;
	if (!__atomic_load_n(&j->ended, __ATOMIC_ACQUIRE))
		return false;
	par_task_wait(j->task);
	t->job = NULL;
	t->redraw = true;
	j->work.done(t, j->work.ctx, !j->unwanted);
	free(j->text);
	free(j);
	return true;
}

bool tui_work_give_up(struct tui *t)
{
	bool was_wanted = t->job && !t->job->unwanted;

	if (was_wanted)
		__atomic_store_n(&t->job->unwanted, true, __ATOMIC_RELAXED);
	t->redraw |= was_wanted;
	return was_wanted;
}

void tui_work_wait(struct tui *t)
{
	struct tui_job *j = t->job;

	if (!j)
		return;
	par_task_wait(j->task);
	j->task = NULL;
	tui_work_ended(t);
}

const char *tui_work_text(const struct tui *t)
{
	if (!t->job)
		return NULL;
	return t->job->unwanted ? "stopping ..." : t->job->text;
}
