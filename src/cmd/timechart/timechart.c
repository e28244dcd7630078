/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf timechart: a picture of what tasks and CPUs did when, or of calls that read and write. */
#include "cmd/timechart/timechart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/safe_file.h"
#include "cli/print_err.h"
#include "cmd/row_form.h"
#include "perfdata/perfdata.h"
#include "render/timechart.h"
#include "text/chain_lines.h"

enum { OUT_SIZE = 64 << 10, USUAL_WIDTH = 1000, MOST_WIDTH = 1000000, USUAL_TASKS = 15 };
enum { LEAST_WIDTH = 500, MOST_FRAMES = 24 };
#define US 1000ULL
#define MS 1000000ULL

/* ------------------------------------------------------------------ options */

/* A number with or without a unit: ns. */
static int parse_time(const struct opt *o, void *target, const char *arg, bool unset UNUSED,
		      struct err *e)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = { { "", 1 }, { "ns", 1 }, { "us", US }, { "ms", MS }, { "s", 1000 * MS } };
	char *end;
	u64 n = strtoull(arg, &end, 10), *ns = target;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (*arg < '0' || *arg > '9' || strcmp(end, units[i].name) != 0 ||
		    n > INT64_MAX / 4 / units[i].ns)
			continue;
		*ns = n * units[i].ns;
		return 0;
	}
	return err_set(e, EINVAL, "--%s: '%s' is no time, as 500, 10us or 1ms", o->long_name, arg);
}

static int add_process(const struct opt *o UNUSED, void *target, const char *arg, bool unset UNUSED,
		       struct err *e UNUSED)
{
	struct timechart_opts *t = target;

	*VEC_PUSH(&t->processes) = arg;
	return 0;
}

static int parse_marked(const struct opt *o UNUSED, void *target, const char *arg,
			bool unset UNUSED, struct err *e UNUSED)
{
	struct timechart_opts *t = target;
	char *end;

	t->marked_time = strtoull(arg, &end, 10);
	t->marked_name = NULL;
	if (*end || !t->marked_time) {
		t->marked_time = 0;
		t->marked_name = arg;
	}
	return 0;
}

#define T struct timechart_opts
static const struct opt timechart_table[] = {
	RECORDING_INPUT(T, rec),
	RECORDING_VERBOSE(T, rec),
	RECORDING_SYMFS(T, rec),
	OPT_STR('o', "output", T, output, "file", "output file name"),
	OPT_INT('w', "width", T, width, "n", "page width"),
	OPT_CALL_F(0, "highlight", T, rec, "duration or task name",
		   "highlight tasks. Pass duration in ns or process name.", parse_marked,
		   OPT_NONEG),
	OPT_BOOL('P', "power-only", T, power_only, "output power data only"),
	OPT_BOOL('T', "tasks-only", T, tasks_only, "output processes data only"),
	OPT_BOOL('I', "io-only", T, io, "output IO data, where there is other data, too"),
	OPT_CALL_F('p', "process", T, rec, "process",
		   "process selector. Pass a pid or process name.", add_process, OPT_NONEG),
	OPT_INT('n', "proc-num", T, at_least, "n", "min. number of tasks to print"),
	OPT_BOOL('t', "topology", T, topology, "sort CPUs according to topology"),
	OPT_BOOL(0, "io-skip-eagain", T, skip_eagain, "skip EAGAIN errors"),
	OPT_CALL_F(0, "io-min-time", T, min_time, "time",
		   "all IO faster than min-time will visually appear longer", parse_time,
		   OPT_NONEG),
	OPT_CALL_F(0, "io-merge-dist", T, merge_dist, "time",
		   "merge events that are merge-dist us apart", parse_time, OPT_NONEG),
	OPT_STR('C', "cpu", T, rec.opts.cpus, "cpu", "only what ran, or began, on these CPUs"),
	OPT_STR(0, "time", T, time, "str", "only this time (start,stop)"),
	OPT_BOOL(0, "json", T, json, "print the chart as JSON"),
	OPT_STR('x', "field-separator", T, separator, "separator",
		"print values with this between them (doc/cmd/timechart.md)"),
	OPT_END,
};
static const char *const timechart_usage[] = { "perf timechart [<options>] {record}", NULL };

/* ------------------------------------------------------------------ the chart */

struct chart_file {
	FILE *file;
	struct chain_lines *stacks; /* NULL: there are none */
};

static void add_stack(void *ctx, u32 stack, struct strbuf *out)
{
	const struct chart_file *f = ctx;

	chain_lines_add(f->stacks, stack, out);
}

static void write_out(void *ctx, struct strbuf *out)
{
	const struct chart_file *f = ctx;

	if (out->len < OUT_SIZE)
		return;
	fwrite(out->buf, 1, out->len, f->file);
	strbuf_reset(out);
}

static int write_chart(const struct timechart *c, const struct timechart_opts *o, bool stacks,
		       struct err *e)
{
	bool picture = !o->json && !o->separator;
	const char *path = o->output ? o->output : picture ? "output.svg" : NULL;
	struct chart_file f = { .file = stdout };
	struct timechart_drawing d = { .chart = c,
				       .width = (u32)o->width,
				       .add_stack = add_stack,
				       .flush = write_out,
				       .ctx = &f };
	struct strbuf out = STRBUF_INIT;
	int r = 0;

	if (path)
		f.file = output_file_stream(path, e);
	if (!f.file)
		return -1;
	if (stacks)
		f.stacks = chain_lines_new(
			&(struct chain_lines_opts){ .session = o->rec.session,
						    .between = o->separator ? " <- " : "\n",
						    .as_is = !picture,
						    .most = MOST_FRAMES });
	if (o->separator)
		timechart_add_rows(&out, &d, o->separator);
	else
		(o->json ? timechart_add_json : timechart_add_svg)(&out, &d);
	fwrite(out.buf, 1, out.len, f.file);
	if (path && (fflush(f.file) || ferror(f.file)))
		r = err_set(e, errno, "cannot write '%s'", path);
	if (path)
		fclose(f.file);
	if (!r && path)
		fprintf(stderr, "Written %2.1f seconds of trace to %s.\n",
			(double)(c->until - c->from) / 1e9, path);
	chain_lines_free(f.stacks);
	strbuf_release(&out);
	return r;
}

static void tell(const struct timechart *c, const struct timechart_opts *o)
{
	losses_tell_events(o->rec.session, "times are");
	if (c->resolution)
		log_info("%llu spans are %zu shapes: what lies within %llu ns is one",
			 (unsigned long long)c->nr_spans, c->nr_shapes,
			 (unsigned long long)c->resolution);
}

static int run(struct timechart_opts *o)
{
	struct timechart c = { .min_time = o->min_time, .merge_gap = o->merge_dist };
	struct err e = ERR_INIT;
	bool stacks = false;
	int r;

	o->rec.opts.max_stack = MOST_FRAMES;
	o->rec.opts.tell_left_out = o->rec.opts.cpus != NULL;
	r = recording_parse_window(o->time, &o->from, &o->until, &e);
	if (!r)
		r = recording_open(&o->rec, &e);
	if (!r) {
		stacks = perfdata_has_sample_type(session_file(o->rec.session),
						  PERF_SAMPLE_CALLCHAIN);
		r = timechart_fill(&c, o, stacks, &e);
	}
	if (!r) {
		timechart_choose(&c, o);
		r = write_chart(&c, o, stacks, &e);
	}
	if (r)
		err_print(&e);
	else
		tell(&c, o);
	timechart_release(&c);
	return r ? TIMECHART_FAILED : 0;
}

static int timechart_run_command(const struct config *config, int argc, const char **argv)
{
	struct timechart_opts o = {
		.width = USUAL_WIDTH, .at_least = USUAL_TASKS, .merge_dist = US, .min_time = MS
	};
	int status, cut;

	if (recording_configure(&o.rec, config))
		return TIMECHART_FAILED;
	argc = opts_parse(timechart_table, &o, argc, argv, timechart_usage,
			  OPTS_STOP_AT_NON_OPTION);
	if (argc < 0)
		return EXIT_USAGE;
	if (!timechart_one_of_both(&o))
		return TIMECHART_FAILED;
	if (argc && strlen(argv[0]) >= 3 && !strncmp("record", argv[0], strlen(argv[0])))
		return timechart_record_main(config, &o, argc, argv);
	if (argc) {
		opts_print_usage(timechart_table, timechart_usage, NULL);
		return EXIT_USAGE;
	}
	if (row_form_check(o.json, o.separator, timechart_table, timechart_usage))
		return EXIT_USAGE;
	o.width = MIN(MAX(o.width, LEAST_WIDTH), MOST_WIDTH);
	status = run(&o);
	cut = recording_close(&o.rec);
	vec_free(&o.processes);
	return status ? status : cut;
}

const struct command cmd_timechart = {
	.name = "timechart",
	.summary = "a picture of what tasks and CPUs did when",
	.usage = timechart_usage,
	.opts = timechart_table,
	.run = timechart_run_command,
	.settings = recording_settings,
	.settings_size = sizeof(struct recording),
};
