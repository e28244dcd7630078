/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parallelism: how many threads of a recording run at the time of a sample.
 *
 * One number over all of them, as in perf: a thread that gets a CPU (PERF_RECORD_SWITCH,
 * SWITCH_CPU_WIDE) adds one, one that gives it up or ends takes one away, whether it was known to
 * run or not. It begins at one, since the thread whose exec starts the recording has its CPU
 * already. The number may get below one, or above that of the CPUs, where records are missing; what
 * a sample gets does not.
 *
 * The serial part of a batch makes a list of the steps, workers look up samples there by time and,
 * at the same time, by place in the file.
 */
#include "session/parallelism.h"

#include "session/worker.h"

enum { MAX_CPUS = 4096 };

void parallelism_init(struct parallelism *p)
{
	*p = (struct parallelism){ .count = 1 };
}

void parallelism_release(struct parallelism *p)
{
	vec_free(&p->steps);
}

static u32 shown(const struct parallelism *p, s64 count)
{
	return (u32)MIN(MAX(count, (s64)1), (s64)p->max);
}

void parallelism_begin(struct parallelism *p, u32 cpus, bool timeless)
{
	p->steps.nr = 0;
	p->max = cpus ? MIN(cpus, (u32)MAX_CPUS) : MAX_CPUS;
	p->timeless = timeless;
	p->before = shown(p, p->count);
}

void parallelism_note(struct parallelism *p, const struct perf_event_header *h, u64 time, u64 pos)
{
	bool switches = h->type == PERF_RECORD_SWITCH || h->type == PERF_RECORD_SWITCH_CPU_WIDE;

	if (!switches && h->type != PERF_RECORD_EXIT)
		return;
	p->count += switches && !(h->misc & PERF_RECORD_MISC_SWITCH_OUT) ? 1 : -1;
	*VEC_PUSH(&p->steps) = (struct parallel_step){ .time = p->timeless ? 0 : time,
						       .pos = pos,
						       .running = shown(p, p->count) };
}

static bool is_before(const struct parallel_step *s, u64 time, u64 pos)
{
	return s->time != time ? s->time < time : s->pos < pos;
}

/* Steps before the place; samples come in order mostly, so the last answer is tried first. */
static size_t steps_before(const struct parallelism *p, u64 time, u64 pos, size_t from)
{
	const struct parallel_step *v = p->steps.v;
	size_t nr = p->steps.nr, low = 0;

	if (from <= nr && (!from || is_before(&v[from - 1], time, pos)) &&
	    (from == nr || !is_before(&v[from], time, pos)))
		return from;
	while (low < nr) {
		size_t mid = low + (nr - low) / 2;

		if (is_before(&v[mid], time, pos))
			low = mid + 1;
		else
			nr = mid;
	}
	return low;
}

u32 parallelism_at(const struct parallelism *p, u64 time, u64 pos, size_t *last)
{
	*last = steps_before(p, time, pos, *last);
	return *last ? p->steps.v[*last - 1].running : p->before;
}

u32 session_parallelism(struct session_worker *w, const struct session_record *r)
{
	return w->parallelism ? parallelism_at(w->parallelism, r->time, r->pos, &w->last_step) : 1;
}
