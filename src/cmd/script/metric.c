/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/metric.h"

#include "agg/ratios.h"
#include "base/mem.h"
#include "render/counters.h"

struct counter {
	const struct perfdata_event *event;
	u64 value;
};

struct metric {
	VEC(struct counter) counters;
	struct strbuf start;
};

struct metric *metric_new(void)
{
	struct metric *m = XNEW(struct metric);

	m->start = (struct strbuf)STRBUF_INIT;
	return m;
}

void metric_free(struct metric *m)
{
	if (!m)
		return;
	vec_free(&m->counters);
	strbuf_release(&m->start);
	free(m);
}

/* CPUs utilized would need the time that passed for the task. */
static void add_lines(const struct metric *m, const struct ratio_set *set, const struct counter *c,
		      struct strbuf *out)
{
	struct view_ratio ratios[VIEW_MAX_RATIOS];
	size_t nr;

	if (ratio_is_clock(&c->event->attr))
		return;
	nr = ratio_compute(set, &c->event->attr, c->event->name, (double)c->value, 0, ratios);
	for (size_t i = 0; i < nr; i++) {
		if (!ratios[i].known)
			continue;
		strbuf_add(out, m->start.buf, m->start.len);
		strbuf_adds(out, "\tmetric: ");
		counters_number(out, &ratios[i]);
		strbuf_addch(out, ' ');
		strbuf_adds(out, ratios[i].label);
		strbuf_addch(out, '\n');
	}
}

void metric_flush(struct metric *m, struct strbuf *out)
{
	struct ratio_set set = { 0 };

	VEC_FOR(&m->counters, c)
		ratio_set_add(&set, &c->event->attr, c->event->name, (double)c->value);
	if (m->counters.nr > 1)
		VEC_FOR(&m->counters, c)
			add_lines(m, &set, c, out);
	ratio_set_release(&set);
	m->counters.nr = 0;
}

void metric_add(struct metric *m, const struct session_record *r, const char *start, size_t len,
		struct strbuf *out)
{
	if (!r->again)
		metric_flush(m, out);
	if (!(r->event->attr.sample_type & PERF_SAMPLE_READ))
		return;
	strbuf_reset(&m->start);
	strbuf_add(&m->start, start, len);
	*VEC_PUSH(&m->counters) = (struct counter){ .event = r->event, .value = r->sample->period };
}
