/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf evlist: the events of a recording. */
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "perfdata/attr_text.h"
#include "perfdata/info.h"
#include "perfdata/perfdata.h"
#include "recording/losses.h"
#include "tracefmt/tracefmt.h"

struct evlist_opts {
	const char *input;
	bool force, freq, group, trace_fields;
	int verbose;
};

static const struct opt evlist_table[] = {
	OPT_STR('i', "input", struct evlist_opts, input, "file", "Input file name"),
	OPT_BOOL('F', "freq", struct evlist_opts, freq, "Show the sample frequency"),
	OPT_INCR('v', "verbose", struct evlist_opts, verbose, "Show all event attr details"),
	OPT_BOOL('g', "group", struct evlist_opts, group, "Show event group information"),
	OPT_BOOL('f', "force", struct evlist_opts, force, "don't complain, do it"),
	OPT_BOOL(0, "trace-fields", struct evlist_opts, trace_fields, "Show tracepoint fields"),
	OPT_END
};

static const char *const evlist_usage[] = { "perf evlist [<options>]", NULL };

/* The description of a stream stands in its first records; what follows need not be read. */
static int read_description(struct perfdata *f, struct err *e)
{
	enum { SIZE = 1 << 18 };
	_cleanup_(mem_freep) u8 *buf = NULL;
	struct perfdata_chunk c;
	int r;

	if (!perfdata_is_pipe(f))
		return 0;
	buf = aligned_alloc(64, SIZE);
	if (!buf)
		return err_set(e, 0, "out of memory");
	while ((r = perfdata_read(f, buf, SIZE, &c, e)) > 0) {
		for (size_t off = 0; off < c.len;) {
			const struct perf_event_header *h = (const void *)(buf + off);

			if (h->type == PERF_RECORD_SAMPLE ||
			    h->type == PERF_RECORD_FINISHED_ROUND ||
			    h->type == PERF_RECORD_FINISHED_INIT)
				return 0;
			off += h->size;
		}
	}
	return r;
}

static void add_trace_fields(struct strbuf *out, const struct tracefmt_set *formats,
			     const struct perfdata_event *ev, const char *sep)
{
	const struct tracefmt *t = NULL;
	bool first = true;

	strbuf_adds(out, sep);
	if (ev->attr.type != PERF_TYPE_TRACEPOINT) {
		strbuf_adds(out, "(not a tracepoint)");
		return;
	}
	if (formats)
		t = tracefmt_by_id(formats, ev->attr.config);
	if (!t) {
		strbuf_adds(out, "(format not in the file)");
		return;
	}
	strbuf_adds(out, "trace_fields: ");
	for (size_t i = 0; i < tracefmt_nr_fields(t); i++) {
		const struct tracefmt_field *f = tracefmt_field(t, i);

		if (f->flags & TRACEFMT_COMMON)
			continue;
		if (!first)
			strbuf_addch(out, ',');
		strbuf_add_escaped(out, f->name);
		first = false;
	}
}

static void add_event(struct strbuf *out, const struct evlist_opts *o,
		      const struct tracefmt_set *formats, const struct perfdata_event *ev)
{
	const char *sep = ": ";

	strbuf_add_escaped(out, ev->name);
	if (o->verbose) {
		strbuf_adds(out, sep);
		attr_text_line(out, &ev->attr, ": ");
		sep = ", ";
	} else if (o->freq) {
		strbuf_addf(out, "%ssample_%s=%llu", sep, ev->attr.freq ? "freq" : "period",
			    (unsigned long long)ev->attr.sample_period);
		sep = ", ";
	}
	if (o->trace_fields)
		add_trace_fields(out, formats, ev, sep);
	strbuf_addch(out, '\n');
}

static void add_group(struct strbuf *out, const struct perfdata *f, const struct perfdata_event *ev)
{
	if (ev->leader != ev->index)
		return;
	if (ev->nr_members < 2) {
		strbuf_add_escaped(out, ev->name);
		strbuf_addch(out, '\n');
		return;
	}
	if (ev->group_name && strcmp(ev->group_name, "{anon_group}") != 0)
		strbuf_add_escaped(out, ev->group_name);
	for (u32 i = 0; i < ev->nr_members; i++) {
		strbuf_addch(out, i ? ',' : '{');
		strbuf_add_escaped(out, perfdata_event(f, ev->index + i)->name);
	}
	strbuf_adds(out, "}\n");
}

static void show(const struct evlist_opts *o, struct perfdata *f)
{
	_cleanup_(strbuf_releasep) struct strbuf out = STRBUF_INIT;
	struct tracefmt_set *formats = NULL;
	bool tracepoints = false;
	const void *blob;
	size_t size;

	if (o->trace_fields) {
		perfdata_tracing_data(f, &blob, &size);
		if (blob)
			tracefmt_set_from_blob(&formats, blob, size, NULL);
	}
	for (size_t i = 0; i < perfdata_nr_events(f); i++) {
		const struct perfdata_event *ev = perfdata_event(f, i);

		tracepoints = tracepoints || ev->attr.type == PERF_TYPE_TRACEPOINT;
		if (o->group)
			add_group(&out, f, ev);
		else
			add_event(&out, o, formats, ev);
	}
	if (tracepoints && !o->trace_fields)
		strbuf_adds(&out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				  "tracepoint events\n");
	fwrite(out.buf, 1, out.len, stdout);
	tracefmt_set_free(formats);
}

static int evlist_run(const struct config *config UNUSED, int argc, const char **argv)
{
	struct evlist_opts o = { 0 };
	struct perfdata *f;
	struct err e = ERR_INIT;
	int r;

	argc = opts_parse(evlist_table, &o, argc, argv, evlist_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc)
		return opts_usage_error(evlist_table, evlist_usage, NULL, "%s", "");
	if (o.group && (o.verbose || o.freq))
		return opts_usage_error(evlist_table, evlist_usage, NULL,
					"  Error: --group option is not compatible with other "
					"options\n\n");
	if (perfdata_open(&f, &(struct perfdata_opts){ .path = o.input, .force = o.force }, &e)) {
		err_print(&e);
		return 255;
	}
	r = read_description(f, &e);
	if (r < 0)
		err_print(&e);
	show(&o, f);
	losses_tell_damage(f);
	r = r < 0 || perfdata_is_cut(f) ? 255 : 0;
	perfdata_close(f);
	return r;
}

const struct command cmd_evlist = {
	.name = "evlist",
	.summary = "list the event names in a perf.data file",
	.usage = evlist_usage,
	.opts = evlist_table,
	.run = evlist_run,
};
