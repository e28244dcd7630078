/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/tasks.h"

#include <stdio.h>

#include "base/hash.h"

void tasks_release(struct tasks *t)
{
	vec_free(&t->v);
	vec_free(&t->slots);
	map_release(&t->by_tid);
	intern_release(&t->names);
}

static u32 add_task(struct tasks *t, u32 pid, u32 tid)
{
	*VEC_PUSH(&t->v) = (struct analyze_task){ .tid = tid, .pid = pid, .parent = (u32)-1 };
	return (u32)t->v.nr - 1;
}

static struct task_slot *find_slot(struct tasks *t, u32 tid)
{
	u64 h = hash_u64(tid);
	u32 i;

	if (t->last < t->slots.nr && t->slots.v[t->last].tid == tid)
		return &t->slots.v[t->last];
	for (struct map_probe p = map_first(&t->by_tid, h); map_next(&t->by_tid, &p, &i);) {
		if (t->slots.v[i].tid == tid) {
			t->last = i;
			return &t->slots.v[i];
		}
	}
	t->last = (u32)t->slots.nr;
	map_add(&t->by_tid, h, t->last);
	*VEC_PUSH(&t->slots) = (struct task_slot){ .tid = tid, .task = (u32)-1 };
	return VEC_LAST(&t->slots);
}

u32 tasks_find_in(struct tasks *t, u32 pid, u32 tid)
{
	struct task_slot *s = find_slot(t, tid);

	if (UNLIKELY(s->task == (u32)-1))
		s->task = add_task(t, pid, tid);
	if (UNLIKELY(t->v.v[s->task].pid == (u32)-1))
		t->v.v[s->task].pid = pid;
	return s->task;
}

u32 tasks_find(struct tasks *t, u32 tid)
{
	return tasks_find_in(t, (u32)-1, tid);
}

static void take_fork(struct tasks *t, const struct analyze_row *r)
{
	u32 parent_tid = (u32)r->values[FORK_PARENT_TID], tid = (u32)r->values[FORK_TID];
	u32 pid = (u32)r->values[FORK_PID], parent_pid = (u32)r->values[FORK_PARENT_PID];
	bool synthesised = !r->time;
	u32 parent = tasks_find_in(t, parent_pid, parent_tid);
	struct task_slot *s = find_slot(t, tid);
	struct analyze_task *child;

	if (tid == parent_tid)
		return;
	/* what existed before the recording is told in no order */
	if (s->task == (u32)-1 || !synthesised)
		s->task = add_task(t, pid, tid);
	child = &t->v.v[s->task];
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
