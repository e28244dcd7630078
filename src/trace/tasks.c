/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

void trace_tasks_release(struct trace_tasks *t)
{
	VEC_FOR(&t->v, x)
		free(x->read);
	vec_free(&t->v);
	vec_free(&t->tids);
	map_release(&t->by_tid);
}

static struct trace_tid *find_tid(const struct trace_tasks *t, u32 tid)
{
	u32 i;

	for (struct map_probe p = map_first(&t->by_tid, hash_u64(tid));
	     map_next(&t->by_tid, &p, &i);)
		if (t->tids.v[i].tid == tid)
			return &t->tids.v[i];
	return NULL;
}

u32 trace_task_get(const struct trace_tasks *t, u32 tid)
{
	const struct trace_tid *x = find_tid(t, tid);

	return x ? x->task : (u32)-1;
}

static u32 new_task(struct trace_tasks *t, u32 pid, u32 tid)
{
	*VEC_PUSH(&t->v) = (struct trace_task){ .tid = tid, .pid = pid };
	return (u32)t->v.nr - 1;
}

u32 trace_task_find(struct trace_tasks *t, u32 pid, u32 tid)
{
	struct trace_tid *x = find_tid(t, tid);

	if (!x) {
		map_add(&t->by_tid, hash_u64(tid), (u32)t->tids.nr);
		x = VEC_PUSH(&t->tids);
		*x = (struct trace_tid){ tid, new_task(t, pid, tid) };
	}
	if (pid != (u32)-1)
		t->v.v[x->task].pid = pid;
	return x->task;
}

void trace_task_read(struct trace_task *task, const u8 *data, u32 size)
{
	if (size > task->room) {
		free(task->read);
		task->read = xmalloc(size);
		task->room = size;
	}
	if (size)
		memcpy(task->read, data, size);
	task->nr_read = size;
}

void trace_task_named(struct trace_tasks *t, u32 pid, u32 tid, const char *comm, size_t len)
{
	u32 i = trace_task_find(t, pid, tid);
	struct trace_task *x = &t->v.v[i];

	len = MIN(len, (size_t)TRACE_COMM - 1);
	memcpy(x->comm, comm, len);
	x->comm[len] = '\0';
}

void trace_task_forked(struct trace_tasks *t, u32 pid, u32 tid, u32 parent)
{
	struct trace_tid *x = find_tid(t, tid);
	u32 from = trace_task_get(t, parent), child;

	if (x && (t->v.v[x->task].comm[0] || t->v.v[x->task].nr_events))
		x->task = new_task(t, pid, tid);
	child = trace_task_find(t, pid, tid);
	if (from != (u32)-1 && from != child)
		memcpy(t->v.v[child].comm, t->v.v[from].comm, TRACE_COMM);
}
