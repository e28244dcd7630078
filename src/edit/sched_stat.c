/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task goes to sleep in sched_switch, with a callchain that tells why; how long it slept is known
 * when it wakes up, in sched_stat_*, whose callchain tells nothing. So a sample of the latter
 * becomes the task's last sample of the former, with the time and the period of the latter.
 */
#include <errno.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "base/hash.h"
#include "base/log.h"
#include "edit/pass.h"

/* The last sched_switch sample of a task that went to sleep. */
struct sleeper {
	u32 tid;
	u8 *record; /* NULL = gone */
	u16 time_at, period_at;
};

struct edit_sched {
	struct analyze *analyze;
	VEC(struct sleeper) sleepers;
	struct map by_tid;
	u64 read, made; /* bytes of samples */
	bool left_out; /* samples were left out, see is_bounded() */
	/* of the sample that goes through the machine */
	const struct session_record *record;
	struct strbuf *out;
};

static void take_switch(void *ctx, const struct analyze_row *row);
static void take_exit(void *ctx, const struct analyze_row *row);
static void take_stat(void *ctx, const struct analyze_row *row);

enum { STAT_PID };
static const struct analyze_field stat_fields[] = {
	[STAT_PID] = { .names = { "pid" } },
	{ .names = { NULL } },
};

enum { SLEEP_SWITCH, SLEEP_EXIT, SLEEP_STAT };
static const struct analyze_event sleep_events[] = {
	[SLEEP_SWITCH] = { .names = { "sched:sched_switch" }, .take = take_switch },
	[SLEEP_EXIT] = { .names = { "sched:sched_process_exit" }, .take = take_exit },
	[SLEEP_STAT] = { .names = { "sched:sched_stat_wait", "sched:sched_stat_sleep",
				    "sched:sched_stat_iowait", "sched:sched_stat_blocked",
				    "sched:sched_stat_runtime" },
			 .fields = stat_fields,
			 .take = take_stat },
};
static const struct analyze_machine sleep_machine = { .events = sleep_events,
						      .nr = ARRAY_SIZE(sleep_events) };

struct edit_sched *sched_new(struct edit *in, struct err *e)
{
	struct edit_sched *s = XNEW(struct edit_sched);
	struct analyze_opts o = { .machine = &sleep_machine, .ctx = s };

	if (analyze_new(&s->analyze, in->s, &o, e)) {
		sched_free(s);
		return NULL;
	}
	if (perfdata_is_pipe(in->file) ||
	    (analyze_has(s->analyze, SLEEP_SWITCH) && analyze_has(s->analyze, SLEEP_STAT)))
		return s;
	sched_free(s);
	err_set(e, EINVAL,
		"--sched-stat needs samples of sched:sched_switch and of sched:sched_stat_*");
	err_hint(
		e,
		"perf record -e sched:sched_stat_sleep -e sched:sched_switch -e sched:sched_process_exit -g");
	return NULL;
}

void sched_free(struct edit_sched *s)
{
	if (!s)
		return;
	VEC_FOR(&s->sleepers, p)
		free(p->record);
	vec_free(&s->sleepers);
	analyze_free(s->analyze);
	map_release(&s->by_tid);
	free(s);
}

static struct sleeper *find(struct edit_sched *s, u32 tid, bool add)
{
	u64 h = hash_u64(tid);
	u32 i;

	for (struct map_probe p = map_first(&s->by_tid, h); map_next(&s->by_tid, &p, &i);)
		if (s->sleepers.v[i].tid == tid)
			return &s->sleepers.v[i];
	if (!add)
		return NULL;
	map_add(&s->by_tid, h, (u32)s->sleepers.nr);
	*VEC_PUSH(&s->sleepers) = (struct sleeper){ .tid = tid };
	return VEC_LAST(&s->sleepers);
}

static void take_switch(void *ctx, const struct analyze_row *row)
{
	struct edit_sched *s = ctx;
	const struct session_record *r = s->record;
	struct sleeper *p = find(s, row->tid, true);

	free(p->record);
	p->record = xmalloc(r->h->size);
	memcpy(p->record, r->h, r->h->size);
	p->time_at = r->event->layout.time;
	p->period_at = r->event->layout.period;
}

static void take_exit(void *ctx, const struct analyze_row *row)
{
	struct sleeper *p = find(ctx, row->tid, false);

	if (!p)
		return;
	free(p->record);
	p->record = NULL;
}

/*
 * The result is limited to 16 times the input, plus 1 MB. Up to four samples (sleep, blocked,
 * iowait, wait) tell of a sleep, each smaller than the copied one, which was read, too; those of
 * sched_stat_runtime are more, but not much smaller. Only a recording made to fill disks goes
 * beyond that.
 */
static bool is_bounded(struct edit_sched *s, size_t size)
{
	enum { TIMES = 15, SLACK = 1 << 20 };

	if (s->made + size <= TIMES * s->read + SLACK) {
		s->made += size;
		return true;
	}
	if (!s->left_out)
		log_warn("samples that would make the recording more than %d times as large "
			 "are left out",
			 TIMES + 1);
	s->left_out = true;
	return false;
}

static void take_stat(void *ctx, const struct analyze_row *row)
{
	struct edit_sched *s = ctx;
	const struct sample *smp = s->record->sample;
	struct sleeper *p = find(s, (u32)row->values[STAT_PID], false);
	const struct perf_event_header *h;
	size_t at = s->out->len;

	if (!p || !p->record)
		return;
	h = (const void *)p->record;
	if (!is_bounded(s, h->size))
		return;
	strbuf_add(s->out, h, h->size);
	if (p->time_at)
		memcpy(s->out->buf + at + p->time_at, &smp->time, sizeof(smp->time));
	if (p->period_at)
		memcpy(s->out->buf + at + p->period_at, &smp->period, sizeof(smp->period));
}

void sched_sample(struct edit_sched *s, const struct session_record *r, struct strbuf *out)
{
	s->read += r->h->size;
	s->record = r;
	s->out = out;
	if (!analyze_record(s->analyze, NULL, r))
		strbuf_add(out, r->h, r->h->size);
}
