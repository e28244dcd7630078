/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/tasks.h"

#include <stdio.h>

#include "base/hash.h"

/* No kernel gives larger numbers. */
enum { TIDS_MAX = 1 << 22 };

void tasks_release(struct tasks *t)
{
	vec_free(&t->v);
	VEC_FOR(&t->pages, p)
		free(*p);
	vec_free(&t->pages);
	map_release(&t->odd);
	vec_free(&t->free);
	intern_release(&t->names);
}

static u32 add_task(struct tasks *t, u32 pid, u32 tid)
{
	u32 task = t->free.nr ? t->free.v[--t->free.nr] : (u32)t->v.nr;

	if (task == t->v.nr)
		VEC_PUSH(&t->v);
	t->v.v[task] = (struct analyze_task){ .tid = tid, .pid = pid, .parent = (u32)-1 };
	return task;
}

static __attribute__((noinline)) struct tasks_page *add_page(struct tasks *t, u32 page)
{
	while (t->pages.nr <= page)
		*VEC_PUSH(&t->pages) = NULL;
	if (!t->pages.v[page])
		t->pages.v[page] = XNEW(struct tasks_page);
	return t->pages.v[page];
}

/* Where the task is that has the number now. */
static inline u32 *find_place(struct tasks *t, u32 tid)
{
	u32 page = tid / TASKS_PAGE;
	struct tasks_page *p = page < t->pages.nr ? t->pages.v[page] : NULL;

	if (UNLIKELY(!p))
		p = add_page(t, page);
	return &p->task[tid % TASKS_PAGE];
}

/* There is one task of each such number. */
static u32 find_odd(struct tasks *t, u32 pid, u32 tid)
{
	u64 h = hash_u64(tid);
	u32 task;

	for (struct map_probe p = map_first(&t->odd, h); map_next(&t->odd, &p, &task);)
		if (t->v.v[task].tid == tid)
			return task;
	task = add_task(t, pid, tid);
	map_add(&t->odd, h, task);
	return task;
}

u32 tasks_find_in(struct tasks *t, u32 pid, u32 tid)
{
	u32 *place, task;

	if (UNLIKELY(tid >= TIDS_MAX)) {
		task = find_odd(t, pid, tid);
	} else {
		place = find_place(t, tid);
		if (UNLIKELY(!*place))
			*place = add_task(t, pid, tid) + 1;
		task = *place - 1;
	}
	if (UNLIKELY(t->v.v[task].pid == (u32)-1))
		t->v.v[task].pid = pid;
	return task;
}

u32 tasks_find(struct tasks *t, u32 tid)
{
	return tasks_find_in(t, (u32)-1, tid);
}

void tasks_forget(struct tasks *t, u32 task)
{
	u32 tid = t->v.v[task].tid, *place;

	if (tid >= TIDS_MAX)
		return; /* there are few */
	place = find_place(t, tid);
	if (*place == task + 1)
		*place = 0;
	*VEC_PUSH(&t->free) = task;
}

static void take_fork(struct tasks *t, const struct analyze_row *r)
{
	u32 parent_tid = (u32)r->values[FORK_PARENT_TID], tid = (u32)r->values[FORK_TID];
	u32 pid = (u32)r->values[FORK_PID], parent_pid = (u32)r->values[FORK_PARENT_PID];
	bool synthesised = !r->time;
	u32 parent = tasks_find_in(t, parent_pid, parent_tid);
	struct analyze_task *child;
	u32 task;

	if (tid == parent_tid)
		return;
	/* what existed before the recording is told in no order */
	if (tid < TIDS_MAX && !synthesised)
		*find_place(t, tid) = 0;
	task = tasks_find_in(t, pid, tid);
	child = &t->v.v[task];
	child->pid = pid;
	child->parent = parent_tid;
	if (!child->comm)
		child->comm = t->v.v[parent].comm;
}

void tasks_take(struct tasks *t, const struct analyze_row *r, unsigned int which)
{
	u32 task;

	switch (which) {
	case TASKS_EVENT_FORK:
		take_fork(t, r);
		break;
	case TASKS_EVENT_COMM:
		task = tasks_find_in(t, (u32)r->values[COMM_PID], (u32)r->values[COMM_TID]);
		t->v.v[task].named++;
		t->v.v[task].comm = intern_adds(&t->names, analyze_text(r, COMM_NAME));
		break;
	default:
		task = tasks_find_in(t, (u32)r->values[FORK_PID], (u32)r->values[FORK_TID]);
		t->v.v[task].exited = true;
		break;
	}
}

const char *tasks_comm(const struct tasks *t, u32 task, char buf[16])
{
	const struct analyze_task *x = &t->v.v[task];

	if (x->comm)
		return intern_str(&t->names, x->comm);
	if (!x->tid)
		return "swapper";
	snprintf(buf, 16, ":%d", (s32)x->tid);
	return buf;
}
