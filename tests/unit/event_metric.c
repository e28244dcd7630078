/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every formula of every model can be computed from what its tables name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "event/metric.h"

enum { DEPTH_MAX = 8 };

struct ask {
	const struct metric_model *model;
	int depth;
};

static bool value(void *ctx, const char *name, double *out);

static bool literal(void *ctx UNUSED, const char *name, double *out)
{
	*out = 1;
	return !strcmp(name, "smt_on") || !strcmp(name, "system_tsc_freq") ||
	       !strcmp(name, "num_cpus_online");
}

static bool compute(struct ask *a, const char *text, double *out)
{
	struct expr_env env = { .ctx = a, .value = value, .literal = literal };
	struct err e = ERR_INIT;
	struct expr *x = expr_parse(text, &e);
	bool ok;

	if (!x)
		fail_msg("%s: %s", text, e.text);
	ok = expr_eval(x, &env, out);
	expr_free(x);
	return ok;
}

/* Counts that grow with the position in the table, so that no difference of them is 0. */
static bool value(void *ctx, const char *name, double *out)
{
	struct ask *a = ctx;
	const struct metric_event *ev = metric_event_find(a->model, name);
	const struct metric *m = metric_find(a->model, name);
	bool ok;

	*out = ev ? (double)(1000 + 7 * (ev - a->model->events)) : 1e9;
	if (ev || !strcmp(name, "duration_time"))
		return true;
	if (!m)
		fail_msg("%s: neither event nor metric of %s", name, a->model->cpus);
	if (++a->depth > DEPTH_MAX)
		fail_msg("%s needs itself", name);
	ok = compute(a, m->expr, out);
	a->depth--;
	return ok;
}

static void check_model(const struct metric_model *model)
{
	struct ask a = { .model = model };
	double v;

	for (size_t i = 0; i < model->nr_metrics; i++) {
		const struct metric *m = &model->metrics[i];

		assert_ptr_equal(metric_find(model, m->name), m);
		if (!compute(&a, m->expr, &v))
			fail_msg("%s of %s has no value", m->name, model->cpus);
		if (m->threshold)
			assert_true(compute(&a, m->threshold, &v));
		assert_true(m->desc[0] && m->groups[0]);
	}
	for (size_t i = 0; i < model->nr_events; i++)
		assert_ptr_equal(metric_event_find(model, model->events[i].name),
				 &model->events[i]);
}

static void tables(void **state UNUSED)
{
	size_t nr;
	const struct metric_model *m = metric_models_intel(&nr);

	for (size_t i = 0; i < nr; i++)
		check_model(&m[i]);
	m = metric_models_amd(&nr);
	for (size_t i = 0; i < nr; i++)
		check_model(&m[i]);
	m = metric_models_arm(&nr);
	for (size_t i = 0; i < nr; i++)
		check_model(&m[i]);
}

static void models(void **state UNUSED)
{
	static const struct {
		const char *id;
		size_t nr;
		bool top_down;
	} cases[] = {
		{ "GenuineIntel-6-55-7", 1, true },   { "GenuineIntel-6-8E-A", 1, true },
		{ "GenuineIntel-6-6A-6", 1, true },   { "GenuineIntel-6-8F-8", 1, true },
		{ "GenuineIntel-6-97-2", 2, true },   { "GenuineIntel-6-0-0", 0, false },
		{ "AuthenticAMD-23-31-0", 1, false }, { "AuthenticAMD-25-1-1", 1, false },
		{ "AuthenticAMD-25-50-0", 1, false }, { "AuthenticAMD-25-11-1", 1, true },
		{ "AuthenticAMD-25-61-2", 1, true },  { "AuthenticAMD-26-2-1", 1, true },
		{ "0x00000000410fd0c0", 1, true },    { "0x00000000410fd490", 1, true },
		{ "0x00000000410fd400", 1, true },    { "0x00000000410fd4f0", 1, true },
		{ "0x00000000410fd080", 0, false },
	};
	const struct metric_model *found[METRIC_MODELS_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t nr = metric_models_of(cases[i].id, found);
		bool top_down = false;

		/* and those of any CPU */
		if (nr != cases[i].nr + 1)
			fail_msg("%s: %zu models", cases[i].id, nr);
		for (size_t m = 0; nr && m < found[0]->nr_metrics; m++)
			top_down = top_down || metric_in_group(&found[0]->metrics[m], "topdownl1");
		assert_int_equal(top_down, cases[i].top_down);
	}
}

static void groups(void **state UNUSED)
{
	const struct metric_model *found[METRIC_MODELS_MAX];
	size_t nr = metric_models_of("GenuineIntel-6-97-2", found);
	char **names;
	size_t n = metric_groups(found, nr, &names);

	assert_true(n > 3);
	for (size_t i = 0; i < n; i++) {
		assert_true(!i || strcmp(names[i - 1], names[i]) < 0);
		if (i)
			free(names[i - 1]);
	}
	free(names[n - 1]);
	free(names);
	assert_false(metric_in_group(&found[0]->metrics[0], "Topdown"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables),
		cmocka_unit_test(models),
		cmocka_unit_test(groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
