/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/script/metric.h"

#include "count/ratios.h"
#include "base/mem.h"
#include "render/counters.h"

struct metric_counter {
	const struct perfdata_event *event;
	u64 value;
};

struct script_metric {
	VEC(struct metric_counter) counters;
	struct strbuf start;
	struct json open; /* behind start */
	bool json;
};

struct script_metric *metric_new(bool json)
{
	struct script_metric *m = XNEW(struct script_metric);

	m->start = (struct strbuf)STRBUF_INIT;
	m->json = json;
	return m;
}

void metric_free(struct script_metric *m)
{
	if (!m)
		return;
	vec_free(&m->counters);
	strbuf_release(&m->start);
	free(m);
}

static void add_line(const struct script_metric *m, const struct view_ratio *ratio,
		     struct strbuf *out)
{
	strbuf_add(out, m->start.buf, m->start.len);
	strbuf_adds(out, "\tmetric: ");
	counters_number(out, ratio);
	strbuf_addch(out, ' ');
	strbuf_adds(out, ratio->label);
	strbuf_addch(out, '\n');
}

static void add_member(const char *event, const struct view_ratio *ratio, struct json *j)
{
	json_object(j, NULL, JSON_TIGHT);
	json_string(j, "event", event);
	json_fixed(j, "value", ratio->value, 6);
	json_string(j, "unit", ratio->label);
	json_end(j);
}

/* CPUs utilized would need the time that passed for the task. */
static void add_ratios(const struct script_metric *m, const struct ratio_set *set,
		       const struct metric_counter *c, struct json *j)
{
	struct view_ratio ratios[VIEW_MAX_RATIOS];
	size_t nr;

	if (ratio_is_clock(&c->event->attr))
		return;
	nr = ratio_compute(set, &c->event->attr, c->event->name, (double)c->value, 0, ratios);
	for (size_t i = 0; i < nr; i++) {
		if (ratios[i].known && m->json)
			add_member(c->event->name, &ratios[i], j);
		else if (ratios[i].known)
			add_line(m, &ratios[i], j->out);
	}
}

void metric_flush(struct script_metric *m, struct strbuf *out)
{
	struct ratio_set set = { 0 };
	struct json j = m->open;

	VEC_FOR(&m->counters, c)
		ratio_set_add(&set, &c->event->attr, c->event->name, (double)c->value);
	j.out = out;
	if (m->counters.nr > 1) {
		if (m->json) {
			strbuf_add(out, m->start.buf, m->start.len);
			json_array(&j, "metrics", JSON_TIGHT);
		}
		VEC_FOR(&m->counters, c)
			add_ratios(m, &set, c, &j);
		if (m->json) {
			json_end(&j);
			json_end(&j);
			strbuf_addch(out, '\n');
		}
	}
	ratio_set_release(&set);
	m->counters.nr = 0;
}

void metric_add(struct script_metric *m, const struct session_record *r, const struct strbuf *start,
		const struct json *open, struct strbuf *out)
{
	if (!r->again)
		metric_flush(m, out);
	if (!(r->event->attr.sample_type & PERF_SAMPLE_READ))
		return;
	strbuf_reset(&m->start);
	strbuf_add(&m->start, start->buf, start->len);
	m->open = *open;
	*VEC_PUSH(&m->counters) = (struct metric_counter){ .event = r->event,
							   .value = r->sample->period };
}
