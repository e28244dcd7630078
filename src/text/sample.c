/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan of each event, and lines made by it. */
#include "text/sample.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "perfdata/info.h"
#include "text/print.h"

/* ------------------------------------------------------------------ plans */

static unsigned int frame_form(const struct sample_text *t, u64 fields)
{
	return fields_form(fields) | (t->o.kernel_path ? FORM_KERNEL_PATH : 0) |
	       (t->o.escape ? FORM_ESCAPE : 0);
}

static void plan_label(const struct sample_text *t, const struct perfdata_event *ev, size_t width,
		       struct sample_plan *p)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct strbuf label = STRBUF_INIT;

	add_foreign(t, &name, ev->name);
	strbuf_add_aligned(&label, name.buf, (int)width);
	strbuf_add(&label, ": ", 2);
	p->label_len = label.len;
	strbuf_pad(&label, '\0', LABEL_ROOM - MIN(label.len, (size_t)LABEL_ROOM));
	p->label = strbuf_detach(&label);
}

static void plan_event(struct sample_text *t, const struct perfdata_event *ev, size_t width,
		       struct sample_plan *p)
{
	const struct tracefmt_set *formats = NULL;

	p->fields = t->fields.type[fields_type(&ev->attr)].fields;
	p->form = frame_form(t, p->fields);
	p->chain = ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN && !t->o.hide_chain;
	p->task_fields = p->fields & TASK_FIELDS;
	/* a stack has lines of its own */
	if (!p->chain || !(p->fields & FIELD_BIT(IP)))
		p->task_fields |= TASK_ALIGNED;
	p->inlines = t->o.inlines == INLINES_OF_ALL ||
		     (t->o.inlines == INLINES_OF_COPIES && ev->attr.sample_stack_user);
	if (ev->attr.type == PERF_TYPE_TRACEPOINT && p->fields & FIELD_BIT(TRACE))
		formats = session_tracefmt(t->session);
	p->format = formats ? tracefmt_by_id(formats, ev->attr.config) : NULL;
	p->plain_trace = p->format && tracefmt_is_plain(p->format);
	plan_label(t, ev, width, p);
	fields_steps(p);
}

static struct plan_table *make_plans(struct sample_text *t, struct plan_table *older, struct err *e)
{
	const struct perfdata_info *info = perfdata_info(t->file);
	struct plan_table *plans;
	size_t width = 0;

	t->has_clock = info_has(info, FEAT_CLOCK_DATA);
	t->clock_offset = (s64)(info->wall_clock_ns - info->clock_ns);
	/* as perf: counts have no fields that could be missing */
	if (!info_has(info, FEAT_STAT) &&
	    fields_check(&t->fields, t->file, t->has_clock, t->o.hide_chain, e) < 0)
		return NULL;
	plans = XNEW(struct plan_table);
	plans->nr = perfdata_nr_events(t->file);
	plans->v = XNEW_ARRAY(struct sample_plan, plans->nr + 1);
	plans->older = older;
	for (size_t i = 0; i < plans->nr; i++)
		width = MAX(width, strlen(perfdata_event(t->file, i)->name));
	for (size_t i = 0; i < plans->nr; i++)
		plan_event(t, perfdata_event(t->file, i), width, &plans->v[i]);
	return plans;
}

static void free_plans(struct plan_table *plans)
{
	for (struct plan_table *older; plans; plans = older) {
		older = plans->older;
		for (size_t i = 0; i < plans->nr; i++)
			free(plans->v[i].label);
		free(plans->v);
		free(plans);
	}
}

const struct sample_plan *sample_text_plan(struct sample_text *t, const struct perfdata_event *ev)
{
	struct plan_table *plans = atomic_load_explicit(&t->plans, memory_order_acquire);

	if (LIKELY(plans && ev->index < plans->nr))
		return &plans->v[ev->index];
	pthread_mutex_lock(&t->lock);
	plans = t->plans;
	if (!t->failed && (!plans || ev->index >= plans->nr)) {
		struct plan_table *more = make_plans(t, plans, &t->failure);

		t->failed = !more;
		if (more)
			atomic_store_explicit(&t->plans, more, memory_order_release);
		plans = more;
	}
	pthread_mutex_unlock(&t->lock);
	return plans && ev->index < plans->nr ? &plans->v[ev->index] : NULL;
}

const struct err *sample_text_failure(const struct sample_text *t)
{
	return t->failed ? &t->failure : NULL;
}

bool sample_text_needs_order(struct sample_text *t)
{
	const struct plan_table *plans = t->plans;

	for (size_t i = 0; plans && i < plans->nr; i++)
		if (plans->v[i].fields & ORDERED_FIELDS)
			return true;
	/* a stream: what it has is not known yet */
	return t->o.reltime || t->o.deltatime || !plans;
}

/* ------------------------------------------------------------------ life */

static void make_workers(struct sample_text *t)
{
	const struct frames_opts fo = { .dsos = t->dsos,
					.stop = t->o.stop,
					.nr_stop = t->o.nr_stop,
					.full_source_path = t->o.full_source_path };

	t->workers = XNEW_PER_THREAD(struct text_worker, session_workers(t->session));
	for (unsigned int i = 0; i < session_workers(t->session); i++) {
		struct text_worker *tw = &t->workers[i];

		tw->frames = frames_new(&fo);
		tw->chains = chains_new(tw->frames, t->o.max_stack);
		tw->insns = insns_new();
		tw->scratch = (struct strbuf)STRBUF_INIT;
	}
}

int sample_text_new(struct sample_text **out, struct session *s, const struct field_set *fields,
		    const struct sample_text_opts *o, struct err *e)
{
	struct sample_text *t = XNEW(struct sample_text);

	*out = NULL;
	t->o = *o;
	t->fields = *fields;
	t->session = s;
	t->file = session_file(s);
	t->model = session_model(s);
	t->dsos = session_dsos(s);
	t->source_code = source_code_new();
	pthread_mutex_init(&t->lock, NULL);
	make_workers(t);
	if (fields_have(fields, MACHINE_FIELDS) && machines_read(&t->machines, t->file, e) < 0) {
		sample_text_free(t);
		return -1;
	}
	if (perfdata_nr_events(t->file) && !perfdata_is_pipe(t->file)) {
		t->plans = make_plans(t, NULL, e);
		if (!t->plans) {
			sample_text_free(t);
			return -1;
		}
	}
	*out = t;
	return 0;
}

void sample_text_free(struct sample_text *t)
{
	if (!t)
		return;
	for (unsigned int i = 0; i < session_workers(t->session); i++) {
		chains_free(t->workers[i].chains);
		frames_free(t->workers[i].frames);
		insns_free(t->workers[i].insns);
		strbuf_release(&t->workers[i].scratch);
	}
	free(t->workers);
	free_plans(t->plans);
	source_code_free(t->source_code);
	machines_release(&t->machines);
	map_release(&t->task_ids);
	vec_free(&t->tasks);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

/* ------------------------------------------------------------------ lines */

static inline struct sample_print print_of(struct sample_text *t, struct session_worker *w,
					   const struct sample_plan *plan,
					   const struct session_record *r)
{
	return (struct sample_print){
		.t = t,
		.tw = &t->workers[session_worker_number(w)],
		.w = w,
		.plan = plan,
		.r = r,
	};
}

static void add_object(const struct sample_print *x, struct strbuf *out)
{
	struct json j;

	json_init(&j, out);
	json_object(&j, NULL, JSON_TIGHT);
	for (unsigned int i = 0; i < x->plan->nr_json; i++)
		x->plan->json[i](x, &j);
	json_end(&j);
	strbuf_addch(out, '\n');
}

void sample_text_add(struct sample_text *t, struct session_worker *w,
		     const struct sample_plan *plan, const struct session_record *r,
		     struct strbuf *out)
{
	const struct sample_print x = print_of(t, w, plan, r);
	unsigned int i = 0;

	if (t->o.json) {
		add_object(&x, out);
		return;
	}
	for (; i < plan->nr_line; i++)
		plan->steps[i](&x, out);
	strbuf_addch(out, '\n');
	for (; i < plan->nr_steps; i++)
		plan->steps[i](&x, out);
}

void sample_text_add_front(struct sample_text *t, struct session_worker *w,
			   const struct sample_plan *plan, const struct session_record *r,
			   struct strbuf *out, struct json *open)
{
	const struct sample_print x = print_of(t, w, plan, r);

	for (unsigned int i = 0; i < plan->nr_front && !t->o.json; i++)
		plan->steps[i](&x, out);
	if (!t->o.json)
		return;
	json_init(open, out);
	json_object(open, NULL, JSON_TIGHT);
	for (unsigned int i = 0; i < plan->nr_json_front; i++)
		plan->json[i](&x, open);
}

void sample_text_locate(struct sample_text *t, struct session_worker *w,
			const struct session_record *r, struct location *loc)
{
	frames_locate(t->workers[session_worker_number(w)].frames, w, &r->site, r->sample->cpumode,
		      r->sample->ip, loc);
}
