/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat report: the counts of a file of perf stat record, summed up anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print_err.h"
#include "cmd/stat/stat.h"
#include "count/metrics.h"
#include "count/replay.h"
#include "perfdata/info.h"

struct stat_report_opts {
	const char *input, *separator;
	bool no_aggr, per_socket, per_die, per_core, per_node, json, force;
};

#define S struct stat_report_opts
static const struct opt report_table[] = {
	OPT_STR('i', "input", S, input, "file", "input file name"),
	OPT_BOOL(0, "per-socket", S, per_socket, "aggregate counts per processor socket"),
	OPT_BOOL(0, "per-die", S, per_die, "aggregate counts per processor die"),
	OPT_BOOL(0, "per-core", S, per_core, "aggregate counts per physical processor core"),
	OPT_BOOL(0, "per-node", S, per_node, "aggregate counts per numa node"),
	OPT_BOOL('A', "no-aggr", S, no_aggr, "disable CPU count aggregation"),
	OPT_STR('x', "field-separator", S, separator, "separator",
		"print counts with custom separator"),
	OPT_BOOL('j', "json-output", S, json, "print counts in JSON format"),
	OPT_BOOL('f', "force", S, force, "read the file whoever owns it"),
	OPT_END
};

static const struct {
	enum count_aggr aggr;
	size_t offset;
} aggr_options[] = {
	{ COUNT_CPU, offsetof(S, no_aggr) },   { COUNT_CORE, offsetof(S, per_core) },
	{ COUNT_DIE, offsetof(S, per_die) },   { COUNT_SOCKET, offsetof(S, per_socket) },
	{ COUNT_NODE, offsetof(S, per_node) },
};
#undef S

static const char *const report_usage[] = { "perf stat report [<options>]", NULL };

/* The aggregation that was asked for; false: none. */
static bool wanted_aggr(const struct stat_report_opts *o, enum count_aggr *aggr)
{
	for (size_t i = 0; i < ARRAY_SIZE(aggr_options); i++) {
		if (!*(const bool *)((const char *)o + aggr_options[i].offset))
			continue;
		*aggr = aggr_options[i].aggr;
		return true;
	}
	return false;
}

/* ---- what a replay tells while it goes on ---- */

static void take_options(void *ctx, const char *const *words, size_t nr)
{
	struct stat_run *s = ctx;

	stat_options_recorded(s->opts, s->recorded, words, nr);
}

static void show_round(void *ctx, bool final)
{
	stat_show(ctx, !final);
}

static void tell_line(void *ctx UNUSED, const char *line)
{
	fputs(line, stderr);
}

static void make_title(struct perfdata *f, struct strbuf *title)
{
	const struct perfdata_info *info = perfdata_info(f);

	if (perfdata_is_pipe(f))
		strbuf_adds(title, "pipe");
	for (u32 i = 0; !perfdata_is_pipe(f) && i < info->cmdline.nr; i++)
		strbuf_addf(title, "%s%s", i ? " " : "", info->cmdline.v[i]);
}

static int replay(struct stat_run *s, struct perfdata *f, bool aggr_given)
{
	const struct replay_ops ops = {
		.options = take_options, .round = show_round, .tell = tell_line, .ctx = s
	};
	_cleanup_(strbuf_releasep) struct strbuf title = STRBUF_INIT;
	struct replayed got = { .any = false };
	struct err e = ERR_INIT;

	make_title(f, &title);
	s->title = title.buf ? title.buf : "";
	if (count_replay(f, &s->m, aggr_given, &ops, &got, &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	if (perfdata_damage(f)->first[0])
		fprintf(stderr, "warning: %s\n", perfdata_damage(f)->first);
	if (got.skipped)
		fprintf(stderr,
			"warning: %llu values belong to no event, CPU or task of the file\n",
			(unsigned long long)got.skipped);
	if (got.nr_extra)
		fprintf(stderr,
			"warning: %zu maps of CPUs and tasks behind the first were ignored\n",
			got.nr_extra);
	if (got.any)
		return perfdata_is_cut(f) ? STAT_EXIT_FAILED : 0;
	fprintf(stderr, "error: '%s' holds no counts\nhint: 'perf stat record' writes such files\n",
		perfdata_path(f));
	return STAT_EXIT_FAILED;
}

int stat_report(const struct opt *recorded, int argc, const char **argv)
{
	struct stat_report_opts o = { 0 };
	struct stat_opts shown = {
		.count = { .scale = true, .aggr = COUNT_GLOBAL },
		.repeat = 1,
		.out_fd = STDERR_FILENO,
		.big_num = true,
	};
	struct stat_run s = { .opts = &shown, .recorded = recorded, .m = { .o = &shown.count } };
	struct perfdata *f;
	struct err e = ERR_INIT;
	bool aggr_given;
	int ret;

	argc = opts_parse(report_table, &o, argc, argv, report_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (o.separator && o.json)
		return opts_usage_error(report_table, report_usage, "x",
					"-x and -j options cannot be used together\n\n");
	shown.separator = o.separator && !strcmp(o.separator, "\\t") ? "\t" : o.separator;
	shown.json = o.json;
	aggr_given = wanted_aggr(&o, &shown.count.aggr);
	if (perfdata_open(&f,
			  &(struct perfdata_opts){
				  .path = o.input, .force = o.force, .no_events_ok = true },
			  &e) < 0) {
		err_print(&e);
		return STAT_EXIT_FAILED;
	}
	event_list_init(&shown.count.events);
	ret = replay(&s, f, aggr_given);
	free(s.m.comms);
	stat_run_release(&s);
	count_metrics_free(shown.count.metric_set);
	event_list_release(&shown.count.events);
	perfdata_close(f);
	return ret;
}
