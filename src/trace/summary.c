/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/summary.h"

#include <math.h>

#include "base/hash.h"

void trace_summary_release(struct trace_summary *s)
{
	vec_free(&s->sums);
	vec_free(&s->errors);
	vec_free(&s->times);
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
	if (s->by_time) {
		*VEC_PUSH(&s->times) = (struct trace_times){ 0 };
		VEC_LAST(&s->sums)->times = (u32)s->times.nr;
	}
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

void trace_summary_add_times(struct trace_summary *s, struct trace_sum *row, u32 bucket, u64 nr)
{
	if (row->times && bucket < TRACE_BUCKETS)
		s->times.v[row->times - 1].nr[bucket] += nr;
}

static unsigned int bucket_of(u64 time)
{
	return time ? MIN(64U - (unsigned int)__builtin_clzll(time), TRACE_BUCKETS - 1U) : 0;
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
	trace_summary_add_times(s, x, bucket_of(time), 1);
	if (result >= 0 || result < -4095)
		return;
	x->nr_errors++;
	if (s->by_error)
		trace_summary_add_errors(s, x, (u32)-result, 1);
}

void trace_summary_join(struct trace_summary *s, struct trace_sum *row,
			const struct trace_summary *from, const struct trace_sum *x)
{
	row->nr += x->nr;
	row->nr_errors += x->nr_errors;
	row->total += x->total;
	row->squares += x->squares;
	row->least = MIN(row->least, x->least);
	row->most = MAX(row->most, x->most);
	for (u32 i = x->errors_head; i; i = from->errors.v[i - 1].next)
		trace_summary_add_errors(s, row, from->errors.v[i - 1].error,
					 from->errors.v[i - 1].nr);
	for (u32 i = 0; row->times && x->times && i < TRACE_BUCKETS; i++)
		s->times.v[row->times - 1].nr[i] += from->times.v[x->times - 1].nr[i];
}

double trace_sum_deviation(const struct trace_sum *s)
{
	double n = (double)s->nr, mean = (double)s->total / n, variance;

	if (s->nr < 2 || !s->total)
		return 0;
	variance = ((double)s->squares - mean * (double)s->total) / (n - 1);
	return variance > 0 ? 100 * sqrt(variance / n) / mean : 0;
}
