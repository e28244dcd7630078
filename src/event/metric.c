/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "event/metric.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compare.h"
#include "base/mem.h"

bool metric_cpu_matches(const char *globs, const char *cpuid)
{
	for (const char *s = globs; *s;) {
		size_t n = strcspn(s, "|");
		_cleanup_(mem_freep) char *glob = xstrndup(s, n);

		if (!fnmatch(glob, cpuid, FNM_CASEFOLD))
			return true;
		s += n + (s[n] == '|');
	}
	return false;
}

size_t metric_models_of(const char *cpuid, const struct metric_model **out)
{
	static const struct metric_model *(*const vendors[])(size_t * nr) = {
		metric_models_intel,
		metric_models_amd,
		metric_models_arm,
		metric_models_any,
	};
	size_t found = 0;

	for (size_t v = 0; v < ARRAY_SIZE(vendors); v++) {
		size_t nr;
		const struct metric_model *models = vendors[v](&nr);

		for (size_t i = 0; i < nr && found < METRIC_MODELS_MAX; i++)
			if (metric_cpu_matches(models[i].cpus, cpuid))
				out[found++] = &models[i];
	}
	return found;
}

const struct metric *metric_find(const struct metric_model *m, const char *name)
{
	for (size_t i = 0; i < m->nr_metrics; i++)
		if (!strcasecmp(m->metrics[i].name, name))
			return &m->metrics[i];
	return NULL;
}

const struct metric_event *metric_event_find(const struct metric_model *m, const char *name)
{
	for (size_t i = 0; i < m->nr_events; i++)
		if (!strcasecmp(m->events[i].name, name))
			return &m->events[i];
	return NULL;
}

bool metric_in_group(const struct metric *m, const char *group)
{
	size_t len = strlen(group);

	for (const char *s = m->groups; *s;) {
		size_t n = strcspn(s, ";");

		if (n == len && !strncasecmp(s, group, n))
			return true;
		s += n + (s[n] == ';');
	}
	return false;
}

size_t metric_groups(const struct metric_model *const *models, size_t nr, char ***out)
{
	VEC(char *) groups = { 0 };
	size_t kept = 0;

	for (size_t m = 0; m < nr; m++) {
		for (size_t i = 0; i < models[m]->nr_metrics; i++) {
			for (const char *s = models[m]->metrics[i].groups; *s;) {
				size_t n = strcspn(s, ";");

				*VEC_PUSH(&groups) = xstrndup(s, n);
				s += n + (s[n] == ';');
			}
		}
	}
	VEC_SORT(&groups, by_string);
	for (size_t i = 0; i < groups.nr; i++) {
		if (kept && !strcmp(groups.v[kept - 1], groups.v[i]))
			free(groups.v[i]);
		else
			groups.v[kept++] = groups.v[i];
	}
	*out = groups.v;
	return kept;
}
