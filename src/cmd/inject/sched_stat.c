/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task goes to sleep in sched_switch, with a callchain that tells why; how long it slept is known
 * when it wakes up, in sched_stat_*, whose callchain tells nothing. So a sample of the latter
 * becomes the task's last sample of the former, with the time and the period of the latter.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/log.h"
#include "cmd/inject/inject.h"

enum sched_kind { SCHED_OTHER, SCHED_SWITCH, SCHED_EXIT, SCHED_STAT };

struct sched_event {
	enum sched_kind kind;
	const struct tracefmt_field *pid; /* of SCHED_STAT */
};

/* The last switch of a task. */
struct sleeper {
	u32 tid;
	u8 *record; /* NULL = gone */
	u16 time_at, period_at;
};

struct inject_sched {
	struct inject *in;
	VEC(struct sched_event) events; /* by index */
	VEC(struct sleeper) sleepers;
	struct map by_tid;
	u64 read, made; /* bytes of samples */
	bool left_out; /* since they would be too many */
};

static enum sched_kind kind_of(const char *name)
{
	if (!strcmp(name, "sched:sched_switch"))
		return SCHED_SWITCH;
	if (!strcmp(name, "sched:sched_process_exit"))
		return SCHED_EXIT;
	return strncmp(name, "sched:sched_stat_", 17) ? SCHED_OTHER : SCHED_STAT;
}

/* The events so far; a stream tells of them, and of their formats, before the first sample. */
static void learn_events(struct inject_sched *s)
{
	const struct tracefmt_set *formats = session_tracefmt(s->in->s);

	for (size_t i = s->events.nr; formats && i < perfdata_nr_events(s->in->file); i++) {
		const struct perfdata_event *ev = perfdata_event(s->in->file, i);
		struct sched_event *out = VEC_PUSH(&s->events);
		const struct tracefmt *t;

		*out = (struct sched_event){ .kind = kind_of(ev->name) };
		t = out->kind == SCHED_STAT ? tracefmt_by_id(formats, ev->attr.config) : NULL;
		out->pid = t ? tracefmt_find_field(t, "pid") : NULL;
	}
}

struct inject_sched *sched_new(struct inject *in, struct err *e)
{
	struct inject_sched *s = XNEW(struct inject_sched);
	unsigned int seen = 0;

	s->in = in;
	learn_events(s);
	VEC_FOR(&s->events, ev)
		seen |= 1U << ev->kind;
	if (perfdata_is_pipe(in->file) || (seen >> SCHED_SWITCH & seen >> SCHED_STAT & 1))
		return s;
	sched_free(s);
	err_set(e, EINVAL,
		"--sched-stat needs samples of sched:sched_switch and of sched:sched_stat_*");
	err_hint(
		e,
		"perf record -e sched:sched_stat_sleep -e sched:sched_switch -e sched:sched_process_exit -g");
	return NULL;
}

void sched_free(struct inject_sched *s)
{
	if (!s)
		return;
	VEC_FOR(&s->sleepers, p)
		free(p->record);
	vec_free(&s->sleepers);
	vec_free(&s->events);
	map_release(&s->by_tid);
	free(s);
}

static struct sleeper *find(struct inject_sched *s, u32 tid, bool add)
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

static void fall_asleep(struct inject_sched *s, const struct session_record *r)
{
	struct sleeper *p = find(s, r->sample->tid, true);

	free(p->record);
	p->record = xmalloc(r->h->size);
	memcpy(p->record, r->h, r->h->size);
	p->time_at = r->event->layout.time;
	p->period_at = r->event->layout.period;
}

/*
 * The result is at most 16 times as large as the input, and 1 MB. A sleep is told of in up to four
 * samples (sleep, blocked, iowait, wait), each smaller than the one that is copied for it, which
 * was read, too; sched_stat_runtime comes more often, in samples that are not that much smaller. A
 * recording in which small ones stand for very large ones again and again is made to fill disks.
 */
static bool is_bounded(struct inject_sched *s, size_t size)
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

static void wake_up(struct inject_sched *s, const struct sched_event *ev,
		    const struct session_record *r, struct strbuf *out)
{
	const struct sample *smp = r->sample;
	const struct perf_event_header *h;
	struct sleeper *p;
	size_t at = out->len;
	u64 pid;

	if (!ev->pid || !tracefmt_u64(ev->pid, smp->raw, smp->raw_size, &pid))
		return;
	p = find(s, (u32)pid, false);
	if (!p || !p->record)
		return;
	h = (const void *)p->record;
	if (!is_bounded(s, h->size))
		return;
	strbuf_add(out, h, h->size);
	if (p->time_at)
		memcpy(out->buf + at + p->time_at, &smp->time, sizeof(smp->time));
	if (p->period_at)
		memcpy(out->buf + at + p->period_at, &smp->period, sizeof(smp->period));
}

void sched_sample(struct inject_sched *s, const struct session_record *r, struct strbuf *out)
{
	const struct sched_event *ev = NULL;
	struct sleeper *p;

	learn_events(s);
	s->read += r->h->size;
	if (r->event && r->event->index < s->events.nr)
		ev = &s->events.v[r->event->index];
	switch (ev ? ev->kind : SCHED_OTHER) {
	case SCHED_SWITCH:
		fall_asleep(s, r);
		break;
	case SCHED_EXIT:
		p = find(s, r->sample->tid, false);
		if (p) {
			free(p->record);
			p->record = NULL;
		}
		break;
	case SCHED_STAT:
		wake_up(s, ev, r, out);
		break;
	default:
		strbuf_add(out, r->h, r->h->size);
		break;
	}
}
