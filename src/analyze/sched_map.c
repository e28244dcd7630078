/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analyze/sched_map.h"

#include <stdlib.h>

enum { LETTERS = 26, NAMES = LETTERS * 10 };

struct map_task {
	u16 letters; /* + 1; 0 = none yet */
	bool is_new; /* got them by the switch that is told of now */
	u32 named; /* when it got them or was introduced */
};

struct map_cpu {
	s64 current;
};

struct sched_map {
	struct sched_map_opts o;
	struct analyze *analyze;
	struct tasks tasks;
	VEC(struct map_task) letters; /* by task */
	VEC(struct map_cpu) cpus;
	VEC(u32) seen;
	u16 next_letters;
	bool idle_shown;
	u64 odd;
};

static struct map_task *letters_of(struct sched_map *m, u32 task)
{
	while (m->letters.nr <= task)
		*VEC_PUSH(&m->letters) = (struct map_task){ .letters = 0 };
	return &m->letters.v[task];
}

bool sched_map_introduce(struct sched_map *m, s64 task)
{
	struct map_task *t;
	u32 named;
	bool first = !m->idle_shown;

	if (task == MAP_IDLE) {
		m->idle_shown = true;
		return first;
	}
	t = letters_of(m, (u32)task);
	named = m->tasks.v.v[task].named;
	first = t->is_new || t->named != named;
	t->named = named;
	return first;
}

static void give_letters(struct sched_map *m, s64 task)
{
	struct map_task *t;

	if (task == MAP_IDLE)
		return;
	t = letters_of(m, (u32)task);
	t->is_new = !t->letters;
	if (t->letters)
		return;
	t->named = m->tasks.v.v[task].named;
	t->letters = m->next_letters + 1;
	m->next_letters = (u16)((m->next_letters + 1) % NAMES);
}

static s64 task_of(struct sched_map *m, u32 pid)
{
	return pid ? (s64)tasks_find(&m->tasks, pid) : MAP_IDLE;
}

static void take_switch(void *ctx, const struct analyze_row *r)
{
	struct sched_map *m = ctx;
	struct map_switch s = { .time = r->time, .cpu = r->cpu };

	if (r->cpu >= SCHED_MAX_CPUS) {
		m->odd++;
		return;
	}
	while (m->cpus.nr <= r->cpu)
		*VEC_PUSH(&m->cpus) = (struct map_cpu){ .current = MAP_UNKNOWN };
	s.prev = task_of(m, (u32)r->values[SWITCH_PREV_PID]);
	s.next = task_of(m, (u32)r->values[SWITCH_NEXT_PID]);
	s.new_cpu = m->cpus.v[r->cpu].current == MAP_UNKNOWN;
	if (s.new_cpu)
		*VEC_PUSH(&m->seen) = r->cpu;
	m->cpus.v[r->cpu].current = s.next;
	if (!m->o.wants || m->o.wants(m->o.ctx, s.next))
		give_letters(m, s.next);
	m->o.on_switch(m->o.ctx, &s);
}

TASKS_HANDLERS(struct sched_map)

static const struct analyze_event map_events[] = {
	{ .names = { "sched:sched_switch" },
	  .needed = true,
	  .fields = sched_switch_brief_fields,
	  .take = take_switch },
	TASKS_ROWS,
};
static const struct analyze_machine map_machine = {
	.events = map_events,
	.nr = ARRAY_SIZE(map_events),
	.hint = sched_record_hint,
};

int sched_map_new(struct sched_map **out, struct session *s, const struct sched_map_opts *o,
		  struct err *e)
{
	struct sched_map *m = XNEW(struct sched_map);
	struct analyze_opts ao = { .machine = &map_machine, .ctx = m };

	m->o = *o;
	if (analyze_new(&m->analyze, s, &ao, e)) {
		sched_map_free(m);
		return -1;
	}
	*out = m;
	return 0;
}

void sched_map_free(struct sched_map *m)
{
	if (!m)
		return;
	analyze_free(m->analyze);
	tasks_release(&m->tasks);
	vec_free(&m->letters);
	vec_free(&m->cpus);
	vec_free(&m->seen);
	free(m);
}

int sched_map_run(struct sched_map *m, struct err *e)
{
	return analyze_run(m->analyze, e);
}

const struct tasks *sched_map_tasks(const struct sched_map *m)
{
	return &m->tasks;
}

s64 sched_map_current(const struct sched_map *m, u32 cpu)
{
	return cpu < m->cpus.nr ? m->cpus.v[cpu].current : MAP_UNKNOWN;
}

const u32 *sched_map_seen(const struct sched_map *m, size_t *nr)
{
	*nr = m->seen.nr;
	return m->seen.v;
}

u64 sched_map_odd(const struct sched_map *m)
{
	return m->odd;
}

void sched_map_letters(const struct sched_map *m, s64 task, char out[3])
{
	u16 n;

	out[0] = task == MAP_IDLE ? '.' : ' ';
	out[1] = ' ';
	out[2] = '\0';
	if (task < 0 || (size_t)task >= m->letters.nr || !m->letters.v[task].letters)
		return;
	n = m->letters.v[task].letters - 1;
	out[0] = (char)('A' + n % LETTERS);
	out[1] = (char)('0' + n / LETTERS);
}
