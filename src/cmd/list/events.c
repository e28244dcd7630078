/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that this machine has: the fixed names the kernel accepts, what PMUs describe in
 * sysfs, tracepoints.
 */
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compare.h"
#include "base/event_names.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/list/list.h"
#include "event/hwmon.h"
#include "event/names.h"
#include "sys/perf_open.h"
#include "sys/tracefs.h"

/* Kinds of events that each cache may have: operations by results. */
enum { CACHE_KINDS = PERF_COUNT_HW_CACHE_OP_MAX * PERF_COUNT_HW_CACHE_RESULT_MAX };

static bool wanted(const struct list_query *q, const char *name)
{
	return !q->glob || (name && !fnmatch(q->glob, name, 0));
}

static bool wanted_any_case(const struct list_query *q, const char *name)
{
	return !q->glob || !fnmatch(q->glob, name, FNM_CASEFOLD);
}

/* Would the kernel count it? Users that may not count the kernel are asked again without it. */
static bool is_supported(u32 type, u64 config)
{
	struct perf_event_attr attr = { .type = type, .config = config, .disabled = 1 };
	int fd = sys_perf_event_open(&attr, 0, -1, -1, 0);

	if (fd == -EACCES || fd == -EPERM) {
		attr.exclude_kernel = 1;
		fd = sys_perf_event_open(&attr, 0, -1, -1, 0);
	}
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void list_symbols(struct list_query *q, const struct event_symbol *table, size_t nr,
			 u32 type, const char *label)
{
	struct event_symbol *sorted = XNEW_ARRAY(struct event_symbol, nr);

	memcpy(sorted, table, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), by_string);
	for (size_t i = 0; i < nr; i++) {
		const struct event_symbol *s = &sorted[i];

		if ((!wanted(q, s->name) && !(s->alias && wanted(q, s->alias))) ||
		    !is_supported(type, s->config))
			continue;
		list_item(q->out,
			  &(struct list_item){ .name = s->name, .alias = s->alias, .type = label });
	}
	free(sorted);
	list_section(q->out);
}

void list_hardware(struct list_query *q)
{
	size_t nr;
	const struct event_symbol *table = event_hw_symbols(&nr);

	list_symbols(q, table, nr, PERF_TYPE_HARDWARE, "Hardware event");
}

void list_software(struct list_query *q)
{
	size_t nr;
	const struct event_symbol *table = event_sw_symbols(&nr);

	list_symbols(q, table, nr, PERF_TYPE_SOFTWARE, "Software event");
}

static void list_tools_until(struct list_query *q, int last)
{
	for (int i = EVENT_TOOL_DURATION; i <= last && event_tool_name((enum event_tool)i); i++) {
		const char *name = event_tool_name((enum event_tool)i);

		if (wanted(q, name))
			list_item(q->out,
				  &(struct list_item){ .name = name, .type = "Tool event" });
	}
	list_section(q->out);
}

void list_tools(struct list_query *q)
{
	list_tools_until(q, INT_MAX - 1);
}

void list_tool_times(struct list_query *q)
{
	list_tools_until(q, EVENT_TOOL_SYSTEM);
}

static int compare_sensors(const void *a, const void *b)
{
	const struct hwmon_sensor *x = a, *y = b;
	int r = strcmp(x->device, y->device);

	if (!r)
		r = strcmp(x->alias ? x->alias : x->name, y->alias ? y->alias : y->name);
	return r ? r
		 : (x->device_number > y->device_number) - (x->device_number < y->device_number);
}

void list_sensors(struct list_query *q)
{
	const struct list_opts *o = q->out->opts;
	struct hwmon_sensors all = { 0 };

	hwmon_scan(NULL, &all);
	VEC_SORT(&all, compare_sensors);
	VEC_FOR(&all, s) {
		_cleanup_(strbuf_releasep) struct strbuf desc = STRBUF_INIT;
		_cleanup_(mem_freep) char *term = xasprintf("%s/%s/", s->device, s->name);
		_cleanup_(mem_freep) char *scale = xasprintf("%g%s", s->kind->scale, s->kind->unit);

		if ((!wanted(q, s->name) && !(s->alias && wanted(q, s->alias)) &&
		     !wanted(q, term)) ||
		    (o->unit && strcmp(o->unit, s->device) != 0))
			continue;
		hwmon_sensor_describe(s, &desc);
		if (!o->json)
			strbuf_addf(&desc, "%s Unit: %s", desc.buf[desc.len - 1] == '.' ? "" : ".",
				    s->device);
		list_item(q->out, &(struct list_item){ .name = s->alias ? s->alias : s->name,
						       .alias = s->alias ? s->name : NULL,
						       .raw_name = o->raw ? s->name : NULL,
						       .type = "Hwmon event",
						       .unit = s->device,
						       .topic = "hwmon",
						       .desc = desc.buf,
						       .encoding = term,
						       .scale_unit = scale });
	}
	hwmon_sensors_release(&all);
	list_section(q->out);
}

/*
 * A cache event on Intel's hybrid machines, where the upper half of config names the kind of core:
 * by its plain name when all kinds have it, else as PMU/NAME/.
 */
static void add_hybrid_cache(struct list_query *q, const char *name, u64 config, sys_names *names)
{
	size_t nr_core = 0;
	size_t before = names->nr;

	VEC_FOR(&q->pmus.pmus, p) {
		if (!(*p)->core)
			continue;
		nr_core++;
		if (is_supported(PERF_TYPE_HW_CACHE, config | (u64)(*p)->type << 32))
			*VEC_PUSH(names) = xasprintf("%s/%s/", (*p)->name, name);
	}
	if (names->nr - before != nr_core)
		return;
	while (names->nr > before)
		free(names->v[--names->nr]);
	*VEC_PUSH(names) = xstrdup(name);
}

static void find_caches(struct list_query *q, sys_names *names)
{
	bool hybrid = pmu_find(&q->pmus, "cpu_core") && pmu_is_hybrid(&q->pmus);
	char name[64];

	pmu_catalog_scan(&q->pmus);
	for (u32 i = 0; i < PERF_COUNT_HW_CACHE_MAX * CACHE_KINDS; i++) {
		u32 type = i / CACHE_KINDS;
		u32 op = i % CACHE_KINDS / PERF_COUNT_HW_CACHE_RESULT_MAX;
		u32 result = i % PERF_COUNT_HW_CACHE_RESULT_MAX;
		u64 config = type | op << 8 | (u64)result << 16;

		if (!event_cache_op_valid(type, op) ||
		    !event_cache_name(config, name, sizeof(name)) || !wanted(q, name))
			continue;
		if (hybrid)
			add_hybrid_cache(q, name, config, names);
		else if (is_supported(PERF_TYPE_HW_CACHE, config))
			*VEC_PUSH(names) = xstrdup(name);
	}
}

void list_caches(struct list_query *q)
{
	sys_names names = { 0 };

	find_caches(q, &names);
	VEC_SORT(&names, by_string);
	VEC_FOR(&names, n)
		list_item(q->out,
			  &(struct list_item){ .name = *n, .type = "Hardware cache event" });
	sys_names_release(&names);
	list_section(q->out);
}

struct pmu_row {
	bool core;
	char *text; /* what rows are sorted by */
	char *name; /* cpu/cycles/ */
	char *event; /* cycles, for core PMUs */
	char *encoding, *scale;
	const char *pmu;
};
VEC_TYPE(pmu_rows, struct pmu_row);

static int compare_rows(const void *a, const void *b)
{
	const struct pmu_row *x = a;
	const struct pmu_row *y = b;

	if (x->core != y->core)
		return x->core ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* "hpm,domain=?": terms that the user has to fill in are part of the name. */
static void add_parameters(struct strbuf *out, const char *terms)
{
	while (*terms) {
		size_t n = strcspn(terms, ",");
		const char *equal = memchr(terms, '=', n);

		if (equal && equal + 1 < terms + n && equal[1] == '?')
			strbuf_addf(out, ",%.*s", (int)n, terms);
		terms += n;
		terms += *terms == ',';
	}
}

static void add_row(struct list_query *q, struct pmu_rows *rows, const struct pmu *pmu,
		    const struct pmu_event *e)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	struct pmu_row row = { .core = pmu->core, .pmu = pmu->name };

	strbuf_addf(&name, "%s/%s", pmu->name, e ? e->name : "");
	if (e)
		add_parameters(&name, e->terms);
	strbuf_addch(&name, '/');
	row.event = pmu->core && e ? xstrdup(e->name) : NULL;
	row.name = strbuf_detach(&name);
	row.text = row.event && !q->out->opts->raw ? xasprintf("%s OR %s", row.event, row.name)
						   : xstrdup(row.name);
	if (wanted_any_case(q, row.name)) {
		row.encoding = e ? xasprintf("%s/%s/", pmu->name, e->terms) : NULL;
		if (e && e->unit)
			row.scale = xasprintf("%g%s", e->scale, e->unit);
		*VEC_PUSH(rows) = row;
		return;
	}
	free(row.event);
	free(row.name);
	free(row.text);
}

/* PMUs that trace: events without a name. */
static bool is_tracer(const char *name)
{
	static const char *const tracers[] = {
#if defined(__aarch64__)
		"cs_etm",
		"arm_spe_*",
		"hisi_ptt*",
#else
		"intel_pt",
		"intel_bts",
#endif
	};

	for (size_t i = 0; i < ARRAY_SIZE(tracers); i++)
		if (!fnmatch(tracers[i], name, 0))
			return true;
	return false;
}

static bool pmu_wanted(struct list_query *q, const struct pmu *pmu)
{
	const struct list_opts *o = q->out->opts;

	if (o->unit && strcmp(o->unit, pmu->name) != 0)
		return false;
	if (!o->cputype || !pmu->core || !pmu_is_hybrid(&q->pmus))
		return true;
	return !strncmp(pmu->name, "cpu_", 4) && !strcmp(pmu->name + 4, o->cputype);
}

void list_pmus(struct list_query *q)
{
	struct pmu_rows rows = { 0 };

	pmu_catalog_scan(&q->pmus);
	log_debug("%zu PMUs from %s", q->pmus.pmus.nr, q->pmus.dir);
	VEC_FOR(&q->pmus.pmus, it) {
		struct pmu *pmu = *it;

		if (!pmu_wanted(q, pmu))
			continue;
		pmu_load(&q->pmus, pmu);
		VEC_FOR(&pmu->events, e)
			add_row(q, &rows, pmu, e);
		if (is_tracer(pmu->name))
			add_row(q, &rows, pmu, NULL);
	}
	VEC_SORT(&rows, compare_rows);
	VEC_FOR(&rows, r) {
		list_item(q->out, &(struct list_item){ .name = r->event ? r->event : r->name,
						       .alias = r->event ? r->name : NULL,
						       .raw_name = r->name,
						       .type = "Kernel PMU event",
						       .unit = r->pmu,
						       .encoding = r->encoding,
						       .scale_unit = r->scale });
		free(r->text);
		free(r->name);
		free(r->event);
		free(r->encoding);
		free(r->scale);
	}
	vec_free(&rows);
	list_section(q->out);
}

void list_descriptors(struct list_query *q)
{
	static const char *const raw[] = { "rNNN", "cpu/t1=v1[,t2=v2,t3 ...]/modifier" };

	if (q->out->opts->raw)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(raw); i++)
		list_item(q->out, &(struct list_item){ .name = raw[i],
						       .type = "Raw hardware event descriptor" });
	if (q->out->opts->pager && !q->out->opts->json)
		fputs("   (see 'man perf-list' on how to encode it)\n", q->out->f);
	list_section(q->out);
	list_item(q->out, &(struct list_item){ .name = "mem:<addr>[/len][:access]",
					       .type = "Hardware breakpoint" });
	list_section(q->out);
}

/* All that the kernel names in one file, sorted; others have to be asked for one by one. */
static void read_available(const char *root, sys_names *out)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	char *rest = NULL;

	if (sys_tracefs_read(root, "available_events", &text, NULL) < 0 || !text.len)
		return;
	for (char *line = strtok_r(text.buf, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		*VEC_PUSH(out) = xstrdup(line);
	VEC_SORT(out, by_string);
}

static bool is_among(const sys_names *names, const char *name)
{
	return names->nr && bsearch(&name, names->v, names->nr, sizeof(*names->v), by_string);
}

/* Append those of one system. */
static void find_system(struct list_query *q, const char *root, const char *system,
			const char *event, const sys_names *available, sys_names *out)
{
	_cleanup_(mem_closep) int dirfd = sys_tracefs_open_system(root, system);
	sys_names names = { 0 };
	u64 id;

	if (dirfd >= 0 && !sys_tracefs_list(root, system, &names)) {
		VEC_FOR(&names, n) {
			char *name;

			if ((event && fnmatch(event, *n, 0)) || !wanted(q, *n))
				continue;
			name = xasprintf("%s:%s", system, *n);
			/* Directories without an id (ftrace's own records) are no events. */
			if (is_among(available, name) || !sys_tracefs_id_at(dirfd, *n, &id))
				*VEC_PUSH(out) = name;
			else
				free(name);
		}
	}
	sys_names_release(&names);
}

void list_tracepoints(struct list_query *q, const char *system, const char *event)
{
	char root[PATH_MAX];
	sys_names systems = { 0 };
	sys_names available = { 0 };
	sys_names names = { 0 };

	if (!sys_tracefs_find(q->debugfs_dir, NULL, root, sizeof(root)))
		return;
	log_debug("trace points from %s", root);
	if (!sys_tracefs_list(root, NULL, &systems)) {
		read_available(root, &available);
		VEC_FOR(&systems, s)
			if (!system || !fnmatch(system, *s, 0))
				find_system(q, root, *s, event, &available, &names);
	}
	VEC_SORT(&names, by_string);
	VEC_FOR(&names, n)
		list_item(q->out, &(struct list_item){ .name = *n, .type = "Tracepoint event" });
	sys_names_release(&systems);
	sys_names_release(&available);
	sys_names_release(&names);
	list_section(q->out);
}
