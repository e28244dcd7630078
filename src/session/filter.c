/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: --time and -C, decided before a consumer sees a sample.
 *
 * Times: "START,STOP" in seconds (either may be missing), or percentages of the recorded time:
 * "10%/2" (the second tenth), "0%-10%", several separated by commas.
 */
#include "session/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmt.h"
#include "perfdata/info.h"
#include "session/batch.h"
#include "session/opened.h"

/* First and last sample time: what the header says, as perf has it, else by reading through the
 * file once. */
static int time_span(struct source *source, u64 *first, u64 *last, struct err *e)
{
	const struct perfdata_info *info = perfdata_info(source->tables);
	const struct session_consumer none = { .order = SESSION_UNORDERED };
	struct session_stats st = { 0 };
	struct batcher b;
	struct batch batch = { 0 };
	int got;

	if (!source->ops->rewind)
		return err_set(e, EINVAL, "percentages in --time need a file, not a pipe");
	*first = info->first_sample_time;
	*last = info->last_sample_time;
	if (info_has(info, FEAT_SAMPLE_TIME) && *first < *last && *last - *first <= INT64_MAX)
		return 0;
	batcher_init(&b, source, &st, &none);
	while ((got = batcher_next(&b, NULL, &batch, e)) > 0)
		;
	batch_release(&batch);
	batcher_release(&b);
	if (got < 0)
		return -1;
	source->ops->rewind(source);
	*first = st.first_time;
	*last = st.last_time;
	return 0;
}

/* "12.5%" to thousandths of a percent. */
static bool parse_percent(const char **s, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(*s, &end);
	if (end == *s || errno || *end != '%' || !(*value >= 0 && *value <= 100))
		return false;
	*s = end + 1;
	return true;
}

static bool parse_percent_range(const char **s, double *from, double *to)
{
	double a;
	char *end;
	unsigned long n;

	if (!parse_percent(s, &a))
		return false;
	if (**s == '-') {
		(*s)++;
		*from = a;
		return parse_percent(s, to) && *to >= *from;
	}
	if (**s != '/') {
		*from = 0;
		*to = a;
		return true;
	}
	errno = 0;
	n = strtoul(*s + 1, &end, 10);
	if (errno || end == *s + 1 || !n)
		return false;
	*s = end;
	*from = a * (double)(n - 1);
	*to = a * (double)n;
	return *to <= 100;
}

static int add_percent(struct filter *f, const char *text, struct source *source, struct err *e)
{
	const char *s = text;
	u64 first, last;

	if (time_span(source, &first, &last, e) < 0)
		return -1;
	for (;;) {
		double from, to;
		double span = (double)(last - first);
		struct time_range r;

		if (!parse_percent_range(&s, &from, &to))
			return err_set(e, EINVAL, "Invalid time string");
		r.from = first + (u64)(from / 100 * span + 0.5);
		r.to = first + (u64)(to / 100 * span + 0.5);
		if (r.from > first)
			r.from++;
		*VEC_PUSH(&f->times) = r;
		if (!*s)
			return 0;
		if (*s++ != ',')
			return err_set(e, EINVAL, "Invalid time string");
	}
}

static int add_range(struct filter *f, const char *text, struct err *e)
{
	const char *comma = strchr(text, ',');
	_cleanup_(mem_freep) char *from = comma ? xstrndup(text, (size_t)(comma - text))
						: xstrdup(text);
	const char *to = comma ? comma + 1 : "";
	struct time_range r = { .from = 0, .to = UINT64_MAX };

	if ((*from && !fmt_parse_time_ns(from, &r.from)) ||
	    (*to && !fmt_parse_time_ns(to, &r.to)) || r.to < r.from)
		return err_set(e, EINVAL, "Invalid time string");
	*VEC_PUSH(&f->times) = r;
	return 0;
}

static int add_ranges(struct filter *f, const char *text, struct err *e)
{
	_cleanup_(mem_freep) char *copy = xstrdup(text);
	char *save = NULL;

	for (char *part = strtok_r(copy, " ", &save); part; part = strtok_r(NULL, " ", &save))
		if (add_range(f, part, e) < 0)
			return -1;
	return 0;
}

static int parse_cpus(struct filter *f, const char *text, struct err *e)
{
	_cleanup_(mem_freep) u32 *list = NULL;
	size_t nr;

	if (!fmt_parse_cpu_list(text, &list, &nr))
		return err_set(e, EINVAL, "invalid CPU list '%s'", text);
	f->nr_cpus = (size_t)list[nr - 1] + 1;
	f->cpus = XNEW_ARRAY(u64, f->nr_cpus / 64 + 1);
	for (size_t i = 0; i < nr; i++)
		f->cpus[list[i] / 64] |= 1ULL << (list[i] % 64);
	return 0;
}

int filter_init(struct filter *f, const struct session_opts *o, struct source *source,
		struct err *e)
{
	*f = (struct filter){ 0 };
	if (o->cpus && parse_cpus(f, o->cpus, e) < 0)
		return -1;
	if (!o->time)
		return 0;
	return strchr(o->time, '%') ? add_percent(f, o->time, source, e)
				    : add_ranges(f, o->time, e);
}

void filter_release(struct filter *f)
{
	vec_free(&f->times);
	free(f->cpus);
}

static bool pass_time(const struct filter *f, u64 time)
{
	if (!f->times.nr)
		return true;
	VEC_FOR(&f->times, r)
		if (time >= r->from && time <= r->to)
			return true;
	return false;
}

static bool pass_cpu(const struct filter *f, u32 cpu)
{
	return !f->cpus || (cpu < f->nr_cpus && f->cpus[cpu / 64] >> (cpu % 64) & 1);
}

enum session_left_out filter_judge(const struct filter *f, u64 time, u32 cpu)
{
	return !pass_time(f, time) ? LEFT_OUT_BY_TIME
	       : !pass_cpu(f, cpu) ? LEFT_OUT_BY_CPU
				   : LEFT_OUT_NOT;
}

bool session_wants_cpu(const struct session *s, u32 cpu)
{
	return pass_cpu(&s->filter, cpu);
}

bool session_wants_task(const struct session *s, u32 pid, u32 tid)
{
	return !s->opts.wants_task || s->opts.wants_task(s->opts.wants_task_ctx, pid, tid);
}

u64 session_time_within(const struct session *s, u64 from, u64 until)
{
	u64 ns = 0;

	if (!s->filter.times.nr)
		return until > from ? until - from : 0;
	VEC_FOR(&s->filter.times, r) {
		u64 first = MAX(from, r->from),
		    end = MIN(until, r->to == UINT64_MAX ? r->to : r->to + 1);

		ns += end > first ? end - first : 0;
	}
	return ns;
}
