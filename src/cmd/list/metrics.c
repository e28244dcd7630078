/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics of this CPU. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cmd/list/list.h"
#include "event/metric.h"

VEC_TYPE(metric_list, const struct metric *);

static int compare_metrics(const void *a, const void *b)
{
	return strcmp((*(const struct metric *const *)a)->name,
		      (*(const struct metric *const *)b)->name);
}

/* Those of the models that this CPU is, by name; of equal names (one per kind of core) the first.
 */
static void collect(const struct list_query *q, const char *group, struct metric_list *out)
{
	for (size_t m = 0; m < q->nr_models; m++) {
		const struct metric_model *model = q->models[m];

		for (size_t i = 0; i < model->nr_metrics; i++) {
			const struct metric *x = &model->metrics[i];
			bool known = false;

			VEC_FOR(out, o)
				known = known || !strcmp((*o)->name, x->name);
			if (!known && (!group || metric_in_group(x, group)) &&
			    (!q->glob || !fnmatch(q->glob, x->name, FNM_CASEFOLD)))
				*VEC_PUSH(out) = x;
		}
	}
	VEC_SORT(out, compare_metrics);
}

static void show(struct list_query *q, const char *group, struct metric_list *list)
{
	bool raw = q->out->opts->raw && !q->out->opts->json;

	for (size_t i = 0; i < list->nr; i++) {
		const struct metric *x = list->v[i];
		char scaled[32] = "100%";

		if (raw && (i || group))
			putc(' ', q->out->f);
		if (x->unit)
			snprintf(scaled, sizeof(scaled), "%g%s", x->scale, x->unit);
		list_metric(q->out, &(struct list_metric){
					    .name = x->name,
					    .group = group ? group : x->groups,
					    .desc = x->desc,
					    .expr = x->expr,
					    .threshold = x->threshold,
					    .scale_unit = x->percent || x->unit ? scaled : NULL });
	}
	if (raw && list->nr)
		putc('\n', q->out->f);
	vec_free(list);
}

void list_metrics(struct list_query *q)
{
	struct metric_list list = { 0 };

	collect(q, NULL, &list);
	if (!q->glob || list.nr)
		list_heading(q->out, "Metrics");
	show(q, NULL, &list);
}

void list_metric_groups(struct list_query *q, bool names_only)
{
	char **groups;
	size_t nr = metric_groups(q->models, q->nr_models, &groups);

	list_heading(q->out, "Metric Groups");
	for (size_t i = 0; i < nr; i++) {
		struct metric_list list = { 0 };

		list_group(q->out, groups[i], names_only);
		if (!names_only) {
			collect(q, groups[i], &list);
			show(q, groups[i], &list);
		}
		free(groups[i]);
	}
	free(groups);
}
