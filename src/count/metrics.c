/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "count/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/similar.h"
#include "count/tools.h"
#include "event/expr.h"
#include "event/metric.h"
#include "event/names.h"
#include "event/pmu.h"
#include "sys/cpu_id.h"

enum { DEPTH_MAX = 16 };

VEC_TYPE(name_list, char *);

struct count_metric {
	const struct metric *metric;
	const struct metric_model *model;
	struct expr *expr;
	struct name_list names; /* events it needs, those of other metrics included */
	char *label;
	u32 group;
};

struct count_metrics {
	VEC(struct count_metric) all;
	char cpuid[128];
	u32 nr_groups;
	const struct recorded_machine *recorded; /* stat report; NULL = of this machine */
	size_t next_event; /* of the recording, behind the last group */
};

static bool literal_value(const struct count_metrics *set, const char *name, double *out)
{
	enum event_tool tool = event_tool_find(name, strlen(name));

	if (!tool || !event_tool_is_level(tool))
		return false;
	if (set->recorded)
		return set->recorded->level(set->recorded->ctx, tool, out);
	*out = (double)count_tool_level(tool);
	return true;
}

static bool is_this_cpu(void *ctx, const char *id)
{
	const struct count_metrics *set = ctx;

	return metric_cpu_matches(id, set->cpuid);
}

/* Collecting the events of a formula. */
struct finder {
	struct count_metrics *set;
	const struct metric_model *model;
	struct name_list *names;
	int depth;
	const char *endless; /* a metric that needs itself */
};

static bool has_event(void *ctx, const char *name)
{
	const struct finder *f = ctx;

	return metric_event_find(f->model, name) != NULL;
}

static bool finder_literal(void *ctx, const char *name, double *out)
{
	const struct finder *f = ctx;

	return literal_value(f->set, name, out);
}

static bool finder_is_cpu(void *ctx, const char *id)
{
	const struct finder *f = ctx;

	return is_this_cpu(f->set, id);
}

static bool is_in(const struct name_list *names, const char *name)
{
	VEC_FOR(names, n)
		if (!strcasecmp(*n, name))
			return true;
	return false;
}

static bool find_name(void *ctx, const char *name)
{
	struct finder *f = ctx;
	const struct metric *m = metric_find(f->model, name);
	const struct expr_env env = {
		.ctx = f, .literal = finder_literal, .has_event = has_event, .is_cpu = finder_is_cpu
	};
	struct expr *x;

	if (!m) {
		if (!is_in(f->names, name))
			*VEC_PUSH(f->names) = xstrdup(name);
		return true;
	}
	x = f->depth < DEPTH_MAX ? expr_parse(m->expr, NULL) : NULL;
	if (!x) {
		f->endless = m->name;
		return false;
	}
	f->depth++;
	expr_names(x, &env, find_name, f);
	f->depth--;
	expr_free(x);
	return !f->endless;
}

/* The PMU's own shares of slots can only be read behind the counter of slots. */
static void put_leader_first(const struct metric_model *model, struct name_list *names)
{
	bool needed = false;
	size_t at = names->nr;

	if (!model->leader)
		return;
	for (size_t i = 0; i < names->nr; i++) {
		needed = needed || !strncmp(names->v[i], "topdown-", 8);
		if (!strcmp(names->v[i], model->leader))
			at = i;
	}
	if (!needed)
		return;
	if (at == names->nr)
		*VEC_PUSH(names) = xstrdup(model->leader);

	char *leader = names->v[at];

	memmove(names->v + 1, names->v, at * sizeof(*names->v));
	names->v[0] = leader;
}

static int add_metric(struct count_metrics *set, const struct metric_model *model,
		      const struct metric *m, struct err *e)
{
	struct count_metric new = { .metric = m, .model = model };
	struct finder f = { .set = set, .model = model, .names = &new.names };

	VEC_FOR(&set->all, known)
		if (known->metric == m && known->model == model)
			return 0;
	new.expr = expr_parse(m->expr, e);
	if (!new.expr) {
		err_prefix(e, "metric '%s'", m->name);
		return -1;
	}
	find_name(&f, m->name);
	put_leader_first(model, &new.names);
	new.label = xasprintf("%s%s%s",
			      m->percent ? "%"
			      : m->unit  ? m->unit
					 : "",
			      m->percent || m->unit ? "  " : "", m->name);
	*VEC_PUSH(&set->all) = new;
	return 0;
}

/* All metrics of a name or group, on every kind of core. 0, -1, or 1 = there is none. */
static int add_word(struct count_metrics *set, const struct metric_model *const *models, size_t nr,
		    const char *word, struct err *e)
{
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct metric_model *model = models[i];

		for (size_t k = 0; k < model->nr_metrics && !ret; k++) {
			const struct metric *m = &model->metrics[k];

			if (strcasecmp(m->name, word) != 0 && !metric_in_group(m, word) &&
			    strcmp(word, "all") != 0)
				continue;
			any = true;
			ret = add_metric(set, model, m, e);
		}
	}
	return any ? ret : 1;
}

static const struct pmu *core_pmu(struct pmu_catalog *pmus, const struct metric_model *model)
{
	if (model->pmu)
		return pmu_find(pmus, model->pmu);
	if (pmu_find(pmus, "cpu"))
		return pmu_find(pmus, "cpu");
	pmu_catalog_scan(pmus);
	VEC_FOR(&pmus->pmus, p)
		if ((*p)->core)
			return *p;
	return NULL;
}

/* One event behind the list. Without a description of the PMU it is a raw one. */
static int add_event(struct count_opts *o, struct pmu_catalog *pmus, const struct count_metric *m,
		     const char *name, struct strbuf *told)
{
	const struct metric_event *me = metric_event_find(m->model, name);
	size_t first = o->events.events.nr;

	if (me) {
		const struct pmu *pmu = core_pmu(pmus, m->model);
		struct event *ev = event_list_add(&o->events, me->name,
						  pmu ? pmu->type : PERF_TYPE_RAW, me->config);

		ev->kind = pmu ? EVENT_PMU : EVENT_RAW;
		ev->attr.exclude_guest = 1;
		ev->pmu_name = pmu ? xstrdup(pmu->name) : NULL;
		if (pmu && pmu->nr_cpus) {
			ev->cpus = XNEW_ARRAY(u32, pmu->nr_cpus);
			ev->nr_cpus = pmu->nr_cpus;
			memcpy(ev->cpus, pmu->cpus, pmu->nr_cpus * sizeof(u32));
		}
	} else {
		struct event_error ee = { 0 };

		if (event_parse(&o->events, name, &o->env, &ee)) {
			strbuf_addf(told, "metric '%s' needs event '%s': %s\n", m->metric->name,
				    name, ee.text);
			return -1;
		}
	}
	for (size_t i = first; i < o->events.events.nr; i++)
		o->events.events.v[i]->metric_group = m->group;
	return 0;
}

static bool fits_counters(const struct count_metric *m)
{
	u32 used = 0;

	VEC_FOR(&m->names, n) {
		const struct metric_event *me = metric_event_find(m->model, *n);

		used += me && !me->fixed;
	}
	return used <= m->model->counters;
}

/* Those that no counter of the cores counts cannot be in the group. */
static void group_events(struct count_opts *o, size_t first)
{
	size_t n = 0;

	while (first + n < o->events.events.nr && o->events.events.v[first + n]->kind != EVENT_TOOL)
		n++;
	if (n > 1) {
		event_list_group(&o->events, first, n, NULL);
		o->events.events.v[first]->weak_group = true;
	}
}

static bool covers(const struct count_metric *big, const struct count_metric *small)
{
	if (big->model != small->model)
		return false;
	VEC_FOR(&small->names, n)
		if (!is_in(&big->names, *n))
			return false;
	return true;
}

/* Events of PMUs first: tool events stay outside of groups. */
static int add_events(struct count_opts *o, struct pmu_catalog *pmus, const struct count_metric *m,
		      struct strbuf *told)
{
	size_t first = o->events.events.nr;
	int ret = 0;

	for (int tools = 0; tools < 2; tools++) {
		for (size_t i = 0; i < m->names.nr && !ret; i++) {
			const char *name = m->names.v[i];

			if ((event_tool_find(name, strlen(name)) != EVENT_TOOL_NONE) == tools)
				ret = add_event(o, pmus, m, name, told);
		}
	}
	if (!ret && !o->metric_no_group && fits_counters(m))
		group_events(o, first);
	return ret;
}

/* Are these, as many as the metric has, its events? */
static bool are_events_of(const struct count_metric *m, struct event *const *v)
{
	VEC_FOR(&m->names, name) {
		bool found = false;

		for (size_t i = 0; i < m->names.nr && !found; i++)
			found = !strcasecmp(v[i]->name, *name);
		if (!found)
			return false;
	}
	return true;
}

/* The events of a recording that were counted for a metric stand behind each other, groups in
 * order. */
static void find_events(struct count_opts *o, struct count_metrics *set, struct count_metric *m)
{
	struct event **v = o->events.events.v;
	size_t nr = o->events.events.nr, n = m->names.nr;

	for (size_t i = set->next_event; i + n <= nr; i++) {
		if (!are_events_of(m, v + i))
			continue;
		for (size_t k = i; k < i + n; k++)
			v[k]->metric_group = m->group;
		set->next_event = i + n;
		return;
	}
	m->group = 0; /* not counted */
}

static int compare_sizes(const void *a, const void *b)
{
	const struct count_metric *x = *(struct count_metric *const *)a;
	const struct count_metric *y = *(struct count_metric *const *)b;

	if (x->names.nr != y->names.nr)
		return x->names.nr > y->names.nr ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The largest first, so that others find their events in its group. */
static int make_groups(struct count_opts *o, struct count_metrics *set, struct strbuf *told)
{
	struct count_metric **order = XNEW_ARRAY(struct count_metric *,
						 MAX(set->all.nr, (size_t)1));
	struct pmu_catalog pmus;
	int ret = 0;

	for (size_t i = 0; i < set->all.nr; i++)
		order[i] = &set->all.v[i];
	if (!o->metric_no_merge)
		qsort(order, set->all.nr, sizeof(*order), compare_sizes);
	pmu_catalog_init(&pmus, o->env.sysfs);
	for (size_t i = 0; i < set->all.nr && !ret; i++) {
		for (size_t k = 0; k < i && !order[i]->group && !o->metric_no_merge; k++)
			if (covers(order[k], order[i]))
				order[i]->group = order[k]->group;
		if (order[i]->group)
			continue;
		order[i]->group = ++set->nr_groups;
		if (set->recorded)
			find_events(o, set, order[i]);
		else
			ret = add_events(o, &pmus, order[i], told);
	}
	pmu_catalog_release(&pmus);
	free(order);
	return ret;
}

/* The words of -M and --topdown, NULL = none; to be freed. */
static char *wanted_words(const struct count_opts *o)
{
	struct strbuf words = STRBUF_INIT;

	if (o->topdown && o->td_level)
		strbuf_addf(&words, "TopdownL%d", o->td_level);
	else if (o->topdown)
		strbuf_adds(&words, "TopdownL1,TopdownL2");
	if (o->metrics)
		strbuf_addf(&words, "%s%s", o->topdown ? "," : "", o->metrics);
	if (o->topdown || o->metrics)
		return words.buf;
	strbuf_release(&words);
	return NULL;
}

static bool suggest_metrics(const struct metric_model *const *models, size_t nr, const char *word,
			    struct strbuf *out)
{
	struct similar near;
	char **groups;
	size_t nr_groups = metric_groups(models, nr, &groups);

	similar_init(&near, word);
	for (size_t i = 0; i < nr_groups; i++) {
		similar_offer(&near, groups[i]);
		free(groups[i]);
	}
	free(groups);
	for (size_t m = 0; m < nr; m++)
		for (size_t i = 0; i < models[m]->nr_metrics; i++)
			similar_offer(&near, models[m]->metrics[i].name);
	return similar_question(&near, out);
}

static enum metrics_result unknown_word(const struct count_metrics *set,
					const struct metric_model *const *models, size_t nr_models,
					const char *word, struct strbuf *told)
{
	const char *cpu = set->cpuid[0] ? set->cpuid : "unknown";
	_cleanup_(strbuf_releasep) struct strbuf near = STRBUF_INIT;

	if (set->recorded) {
		strbuf_adds(told, "warning: metric '");
		strbuf_add_escaped(told, word);
		strbuf_addf(told,
			    "' was recorded, but there is none of that name for its CPU (%s)\n",
			    cpu);
		return METRICS_OK;
	}
	if (!strncmp(word, "TopdownL", 8)) {
		strbuf_addf(told,
			    "Topdown requested but the topdown metric groups aren't present.\n"
			    "(perf has none for this model of CPU: %s)\n",
			    cpu);
		return METRICS_NO_TOPDOWN;
	}
	strbuf_addf(told, "Cannot find metric or group `%s'\n", word);
	if (suggest_metrics(models, nr_models, word, &near))
		strbuf_addf(told, "hint: %s\n", near.buf);
	else if (nr_models > 1)
		strbuf_adds(told, "hint: 'perf list metric metricgroup' names those of this CPU\n");
	else
		strbuf_addf(told, "hint: there are no metrics for this model of CPU (%s)\n", cpu);
	return METRICS_FAILED;
}

static enum metrics_result make_set(struct count_opts *o, const char *list, struct strbuf *told,
				    struct err *e)
{
	const struct metric_model *models[METRIC_MODELS_MAX];
	struct count_metrics *set = o->metric_set;
	size_t nr = metric_models_of(set->cpuid, models);
	bool unknown = false;

	for (const char *s = list;; s++) {
		size_t n = strcspn(s, ",");
		_cleanup_(mem_freep) char *word = xstrndup(s, n);
		int ret = add_word(set, models, nr, word, e);
		enum metrics_result result = METRICS_OK;

		if (ret < 0)
			return METRICS_FAILED;
		if (ret && !unknown)
			result = unknown_word(set, models, nr, word, told);
		unknown = unknown || ret;
		if (result)
			return result;
		s += n;
		if (!*s)
			break;
	}
	return make_groups(o, set, told) ? METRICS_FAILED : METRICS_OK;
}

enum metrics_result count_metrics_prepare(struct count_opts *o, struct strbuf *told, struct err *e)
{
	_cleanup_(mem_freep) char *list = wanted_words(o);

	if (!list)
		return METRICS_OK;
	o->metric_set = XNEW(struct count_metrics);
	if (!sys_cpu_id(o->metric_set->cpuid, sizeof(o->metric_set->cpuid)))
		o->metric_set->cpuid[0] = '\0';
	return make_set(o, list, told, e);
}

enum metrics_result count_metrics_restore(struct count_opts *o,
					  const struct recorded_machine *recorded,
					  struct strbuf *told, struct err *e)
{
	_cleanup_(mem_freep) char *list = wanted_words(o);

	if (!list)
		return METRICS_OK;
	o->metric_set = XNEW(struct count_metrics);
	o->metric_set->recorded = recorded;
	snprintf(o->metric_set->cpuid, sizeof(o->metric_set->cpuid), "%s", recorded->cpuid);
	return make_set(o, list, told, e);
}

void count_metrics_free(struct count_metrics *set)
{
	if (!set)
		return;
	VEC_FOR(&set->all, m) {
		VEC_FOR(&m->names, n)
			free(*n);
		vec_free(&m->names);
		expr_free(m->expr);
		free(m->label);
	}
	vec_free(&set->all);
	free(set);
}

/* Computing one metric of one row. */
struct asker {
	const struct count_metric *m;
	struct count_metrics *set;
	count_metric_value_fn value;
	void *ctx;
	int depth;
};

static bool compute(struct asker *a, const struct expr *x, double *out);

static bool name_value(void *ctx, const char *name, double *out)
{
	struct asker *a = ctx;
	const struct metric *m = metric_find(a->m->model, name);
	struct expr *x;
	bool ok;

	if (!m)
		return a->value(a->ctx, name, a->m->group, out);
	x = a->depth < DEPTH_MAX ? expr_parse(m->expr, NULL) : NULL;
	a->depth++;
	ok = x && compute(a, x, out);
	a->depth--;
	expr_free(x);
	return ok;
}

static bool asker_literal(void *ctx, const char *name, double *out)
{
	const struct asker *a = ctx;

	return literal_value(a->set, name, out);
}

static bool asker_has(void *ctx, const char *name)
{
	const struct asker *a = ctx;

	return metric_event_find(a->m->model, name) != NULL;
}

static bool asker_is_cpu(void *ctx, const char *id)
{
	const struct asker *a = ctx;

	return is_this_cpu(a->set, id);
}

/* Events of the cores come from one PMU. */
static bool one_source(void *ctx UNUSED, const char *name UNUSED, double *out)
{
	*out = 1;
	return true;
}

static bool compute(struct asker *a, const struct expr *x, double *out)
{
	const struct expr_env env = { .ctx = a,
				      .value = name_value,
				      .sources = one_source,
				      .has_event = asker_has,
				      .literal = asker_literal,
				      .is_cpu = asker_is_cpu };

	return expr_eval(x, &env, out);
}

/* Is the value worth a look? */
static const char *threshold_of(struct asker *a)
{
	struct expr *x = a->m->metric->threshold ? expr_parse(a->m->metric->threshold, NULL) : NULL;
	const char *text = NULL;
	double v;

	if (x && compute(a, x, &v))
		text = v != 0 ? "bad" : "good";
	expr_free(x);
	return text;
}

size_t count_metrics_of(struct count_metrics *set, u32 group, count_metric_value_fn value,
			void *ctx, struct view_ratio *out, size_t room)
{
	size_t n = 0;

	if (!set || !group)
		return 0;
	VEC_FOR(&set->all, m) {
		struct asker a = { .m = m, .set = set, .value = value, .ctx = ctx };
		double v;

		if (m->group != group || n == room)
			continue;
		out[n] = (struct view_ratio){ .label = m->label,
					      .form = m->metric->percent || m->metric->unit
							      ? VIEW_METRIC1
							      : VIEW_METRIC2 };
		out[n].known = compute(&a, m->expr, &v);
		if (out[n].known) {
			out[n].value = m->metric->percent ? 100 * v
				       : m->metric->unit  ? m->metric->scale * v
							  : v;
			out[n].threshold = threshold_of(&a);
			if (out[n].threshold && !strcmp(out[n].threshold, "bad"))
				out[n].alarm = VIEW_ALARM_BAD;
		}
		n++;
	}
	return n;
}
