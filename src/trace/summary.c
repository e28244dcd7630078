/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/summary.h"

#include <math.h>

#include "base/hash.h"

void trace_summary_release(struct trace_summary *s)
{
	vec_free(&s->sums);
	vec_free(&s->errors);
	map_release(&s->by_key);
}

struct trace_sum *trace_summary_row(struct trace_summary *s, u32 task,
				    const struct trace_syscall *c)
{
	u64 hash = hash_u64((u64)task << 32 | (c->nr ^ (u32)c->arch << 30));
	u32 i;

	for (struct map_probe p = map_first(&s->by_key, hash); map_next(&s->by_key, &p, &i);)
		if (s->sums.v[i].task == task && s->sums.v[i].syscall == c)
			return &s->sums.v[i];
	map_add(&s->by_key, hash, (u32)s->sums.nr);
	*VEC_PUSH(&s->sums) = (struct trace_sum){ .task = task, .syscall = c, .least = UINT64_MAX };
	return VEC_LAST(&s->sums);
}

void trace_summary_add_errors(struct trace_summary *s, struct trace_sum *row, u32 error, u64 nr)
{
	for (u32 i = row->errors_head; i; i = s->errors.v[i - 1].next) {
		if (s->errors.v[i - 1].error != error)
			continue;
		s->errors.v[i - 1].nr += nr;
		return;
	}
	*VEC_PUSH(&s->errors) =
		(struct trace_error){ .error = error, .next = row->errors_head, .nr = nr };
	row->errors_head = (u32)s->errors.nr;
}

void trace_summary_add(struct trace_summary *s, u32 task, const struct trace_syscall *c, u64 time,
		       s64 result)
{
	struct trace_sum *x = trace_summary_row(s, task, c);

	x->nr++;
	x->total += time;
	x->squares += (unsigned __int128)time * time;
	x->least = MIN(x->least, time);
	x->most = MAX(x->most, time);
	if (result >= 0 || result < -4095)
		return;
	x->nr_errors++;
	if (s->by_error)
		trace_summary_add_errors(s, x, (u32)-result, 1);
}

double trace_sum_deviation(const struct trace_sum *s)
{
	double n = (double)s->nr, mean = (double)s->total / n, variance;

	if (s->nr < 2 || !s->total)
		return 0;
	variance = ((double)s->squares - mean * (double)s->total) / (n - 1);
	return variance > 0 ? 100 * sqrt(variance / n) / mean : 0;
}
