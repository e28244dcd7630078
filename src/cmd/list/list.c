/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf list: what can stand behind -e.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/safe_file.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/list/list.h"
#include "event/names.h"
#include "sys/cpu_id.h"
#include "sys/tracefs.h"

#define L struct list_opts
static const struct opt list_table[] = {
	OPT_BOOL('j', "json", L, json, "JSON encode events and metrics"),
	OPT_BOOL(0, "raw-dump", L, raw, "Dump raw events"),
	OPT_BOOL('d', "desc", L, desc, "Print extra event descriptions. --no-desc to not print."),
	OPT_BOOL('v', "long-desc", L, long_desc, "Print longer event descriptions."),
	OPT_BOOL(0, "details", L, details,
		 "Print information on the perf event names and expressions used internally by "
		 "events."),
	OPT_STR('o', "output", L, output, "file", "output file name"),
	OPT_BOOL(0, "deprecated", L, deprecated, "Print deprecated events."),
	OPT_STR(0, "cputype", L, cputype, "hybrid cpu type",
		"Print events applying cpu with this type for hybrid platform (e.g. core or atom)"),
	OPT_STR(0, "unit", L, unit, "PMU name",
		"Limit PMU or metric printing to the specified PMU."),
	OPT_BOOL(0, "debug", L, debug, "Enable debugging output"),
	OPT_END
};

static const char *const list_usage[] = {
	"perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|tool|event_glob]",
	NULL
};

static void query_tracepoints(struct list_query *q)
{
	list_tracepoints(q, NULL, NULL);
}

static void query_sdt(struct list_query *q)
{
	list_sdt(q, NULL, NULL);
}

static void query_software(struct list_query *q)
{
	list_software(q);
	list_tool_times(q);
}

static void query_groups(struct list_query *q)
{
	list_metric_groups(q, true);
}

/* Words that name a kind of events. */
static const struct {
	const char *word;
	void (*show)(struct list_query *q);
} kinds[] = {
	{ "tracepoint", query_tracepoints },
	{ "hw", list_hardware },
	{ "hardware", list_hardware },
	{ "sw", query_software },
	{ "software", query_software },
	{ "tool", list_tools },
	{ "cache", list_caches },
	{ "hwcache", list_caches },
	{ "pmu", list_pmus },
	{ "hwmon", list_sensors },
	{ "pfm", list_vendor },
	{ "raw", list_descriptors },
	{ "sdt", query_sdt },
	{ "metric", list_metrics },
	{ "metrics", list_metrics },
	{ "metricgroup", query_groups },
	{ "metricgroups", query_groups },
};

static void show_all(struct list_query *q)
{
	list_hardware(q);
	list_software(q);
	list_tools(q);
	list_caches(q);
	list_pmus(q);
	list_sensors(q);
	list_vendor_countable(q);
	list_descriptors(q);
	list_tracepoints(q, NULL, NULL);
	list_sdt(q, NULL, NULL);
	list_metric_groups(q, false);
}

/* sys:name, both globs. */
static void show_system(struct list_query *q, const char *word, const char *colon)
{
	_cleanup_(mem_freep) char *system = xstrndup(word, (size_t)(colon - word));

	list_tracepoints(q, system, colon + 1);
	list_sdt(q, system, colon + 1);
}

/* Part of a name. */
static void show_matching(struct list_query *q, const char *word)
{
	_cleanup_(mem_freep) char *glob = xasprintf("*%s*", word);

	q->glob = glob;
	list_hardware(q);
	list_software(q);
	list_tools(q);
	list_caches(q);
	list_pmus(q);
	list_sensors(q);
	list_vendor_countable(q);
	list_tracepoints(q, NULL, NULL);
	list_sdt(q, NULL, glob);
	if (q->nr_models)
		list_metrics(q);
	q->glob = NULL;
}

/* Nothing was listed for a word. */
static void suggest(struct list_query *q, const char *word)
{
	char tracefs[PATH_MAX] = "";
	struct similar near;

	fflush(q->out->f);
	log_warn("no event and no kind of events is called '%s'", word);
	sys_tracefs_find(q->debugfs_dir, NULL, tracefs, sizeof(tracefs));
	similar_init(&near, word);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		similar_offer(&near, kinds[i].word);
	event_offer_names(&near, &q->pmus, tracefs);
	if (!print_similar(&near))
		log_hint("'perf list' alone lists all");
}

/* Virtual machines often pass no counters on. */
static void tell_no_pmu(struct list_query *q)
{
	fflush(q->out->f);
	log_warn("this machine counts no hardware events");
	log_hint("perf doctor tells why");
}

static void show_word(struct list_query *q, const char *word)
{
	const char *colon = strchr(word, ':');
	u64 before = q->out->nr;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].word, word)) {
			kinds[i].show(q);
			if (q->out->nr == before &&
			    (kinds[i].show == list_hardware || kinds[i].show == list_caches))
				tell_no_pmu(q);
			return; /* there may be none of a kind */
		}
	}
	if (colon)
		show_system(q, word, colon);
	else
		show_matching(q, word);
	if (q->out->nr == before)
		suggest(q, word);
}

static void show(struct list_query *q, int argc, const char **argv)
{
	list_begin(q->out);
	if (!argc)
		show_all(q);
	for (int i = 0; i < argc; i++)
		show_word(q, argv[i]);
	list_end(q->out);
}

/* --cputype means nothing where all cores are alike. */
static void check_cputype(struct list_query *q, struct list_opts *o)
{
	_cleanup_(mem_freep) char *name = NULL;

	if (!o->cputype)
		return;
	name = xasprintf("cpu_%s", o->cputype);
	if (pmu_is_hybrid(&q->pmus) && pmu_find(&q->pmus, name))
		return;
	fprintf(stderr, "WARNING: hybrid cputype is not supported!\n");
	o->cputype = NULL;
}

static void find_models(struct list_query *q)
{
	char id[128] = "";
	bool known = sys_cpu_id(id, sizeof(id));

	q->nr_models = metric_models_of(known ? id : "", q->models);
	if (known) {
		log_debug("metrics of CPU %s", id);
	} else if (getenv("PERF_CPUID")) {
		log_warn(
			"PERF_CPUID is not an id of a CPU: VENDOR-FAMILY-MODEL-STEPPING or 0xMIDR");
	}
}

static int list_run(const struct config *config, int argc, const char **argv)
{
	struct list_opts opts = { .desc = true };
	struct list_out out = { .f = stdout, .opts = &opts };
	struct list_query q = { .out = &out,
				.buildid_dir = config_get(config, "buildid.dir"),
				.debugfs_dir = config->debugfs_dir };
	int rc = 0;

	argc = opts_parse(list_table, &opts, argc, argv, list_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (opts.output) {
		struct err e = ERR_INIT;

		out.f = output_file_stream(opts.output, &e);
		if (!out.f) {
			err_print(&e);
			return 255;
		}
	} else if (!opts.raw && !opts.json) {
		opts.pager = pager_start() || pager_in_use();
	}
	if (opts.debug)
		log_set_verbosity(2);
	pmu_catalog_init(&q.pmus, NULL);
	find_models(&q);
	check_cputype(&q, &opts);
	show(&q, argc, argv);
	pmu_catalog_release(&q.pmus);
	if (opts.output && (ferror(out.f) | fclose(out.f))) {
		log_error("cannot write '%s': %s", opts.output, strerror(errno));
		rc = 255;
	}
	return rc;
}

const struct command cmd_list = {
	.name = "list",
	.summary = "list all symbolic event types",
	.usage = list_usage,
	.opts = list_table,
	.run = list_run,
};
