/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf annotate: the code of functions, with the samples that fell on each instruction.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/data_types.h"
#include "base/fmt.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/annotate/screen.h"
#include "cmd/commands.h"
#include "perfdata/info.h"
#include "render/type_profile.h"
#include "text/dump_all.h"

enum { EXIT_REFUSED = 255, EXIT_INVALID = 234 }; /* as perf's -1 and -EINVAL */

struct annotate_run {
	struct annotate_cmd *o;
	struct session *s;
	struct addresses *counts;
	struct annotator *annotator;
	struct types *types; /* NULL = not wanted */
	const struct annotation_ops *ops;
	bool *told; /* by object: that its code is not here */
	bool stopped; /* somebody quit before all was read */
};

static bool take_sample(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r)
{
	struct annotate_run *run = ctx;

	addresses_add(run->counts, w, worker, r);
	return true;
}

/* The disassembler and debug information are loaded while the rest of the file is read. */
static void found_function(void *ctx, struct dso *d)
{
	struct annotate_run *run = ctx;

	annotator_load_ahead(run->annotator, d, run->o->addresses.symbol);
}

static bool take_round(void *ctx, const struct session_round *r UNUSED)
{
	struct annotate_run *run = ctx;

	run->stopped = run->o->screen && !tui_functions_round(run->o->screen);
	return !run->stopped;
}

static u64 take_spots(void *ctx, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	struct annotate_run *run = ctx;

	return addresses_add_spots(run->counts, w, v, nr);
}

static void flush(struct annotate_run *run)
{
	fwrite(run->o->out.text.buf, 1, run->o->out.text.len, stdout);
	strbuf_reset(&run->o->out.text);
}

/* ------------------------------------------------------------------ what cannot be shown */

static void tell_no_kernel(const struct dso *d, const char *name)
{
	_cleanup_(strbuf_releasep) struct strbuf id = STRBUF_INIT;

	if (dso_build_id(d)->size) {
		strbuf_adds(&id, " with build id ");
		fmt_build_id(&id, dso_build_id(d)->bytes, dso_build_id(d)->size);
	}
	if (dso_kind(d) == DSO_MODULE) {
		fprintf(stderr,
			"No file of the module '%s'%s that fits to the kernel's list of its symbols\n"
			"is below /lib/modules or in the build-id cache, nor the kernel's memory.\n",
			name, id.buf);
		return;
	}
	fprintf(stderr,
		"No vmlinux file%s\nwas found in the path.\n\n"
		"Note that annotation using /proc/kcore requires CAP_SYS_RAWIO capability.\n\n"
		"Please use:\n\n  perf buildid-cache -vu vmlinux\n\nor:\n\n  --vmlinux vmlinux\n",
		id.buf);
}

static void tell_code_problem(const struct dso *d, enum dso_code_problem problem)
{
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	strbuf_add_escaped(&name, dso_long_name(d));
	switch (problem) {
	case DSO_CODE_NO_KERNEL:
		tell_no_kernel(d, name.buf);
		break;
	case DSO_CODE_REPLACED:
		fprintf(stderr,
			"'%s' is another object than the recorded one, as its build id tells.\n",
			name.buf);
		break;
	case DSO_CODE_NOT_RECORDED:
		fprintf(stderr, "Its code is in memory alone ('%s'), and was not recorded.\n",
			name.buf);
		break;
	case DSO_CODE_ENDED:
		fprintf(stderr,
			"Its code was in the memory of process %u, which is not here any more.\n",
			dso_pid(d));
		break;
	case DSO_CODE_NO_ACCESS:
		fprintf(stderr, "The memory of process %u, where its code is, cannot be read.\n",
			dso_pid(d));
		break;
	case DSO_CODE_THERE:
	case DSO_CODE_NO_FILE:
		fprintf(stderr, "'%s' is not here, nor in the build-id cache.\n", name.buf);
		break;
	}
}

static void tell_problem(const struct annotate_run *run, const struct hot_function *hot,
			 enum annotate_problem problem, enum dso_code_problem code,
			 const struct err *e)
{
	const struct dso *d = dso_table_get(session_dsos(run->s), hot->function->dso);
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;

	if (run->o->skip_missing || run->o->rec.quiet || run->told[hot->function->dso])
		return;
	run->told[hot->function->dso] = true;
	fflush(stdout);
	strbuf_add_escaped(&name, hot->name);
	fprintf(stderr, "Error:\nCouldn't annotate %s:\n", name.buf);
	if (problem == ANNOTATE_NO_CODE)
		tell_code_problem(d, code);
	else if (problem == ANNOTATE_UNREADABLE)
		fprintf(stderr, "There is no code at the function's address.\n");
	else
		err_print(e);
}

/* What a compiler put in memory may have been replaced since. */
static void tell_process(const struct annotate_run *run, dso_id dso,
			 const struct view_annotation *v)
{
	if (!v->process || run->o->rec.quiet || run->told[dso])
		return;
	run->told[dso] = true;
	log_warn("code of process %u is shown as it is in its memory now: nothing tells whether "
		 "it was the same when it was recorded",
		 v->process);
}

/* ------------------------------------------------------------------ functions */

static void print_function(struct annotate_run *run, const struct hot_function *hot,
			   const struct perfdata_event *leader, u32 nr_events)
{
	struct annotate_request request = { .counts = run->counts,
					    .function = hot->function,
					    .leader = leader,
					    .nr_events = nr_events };
	enum annotate_problem problem;
	enum dso_code_problem code;
	struct err e = ERR_INIT;
	struct annotation *n = annotate(run->annotator, &request, &problem, &code, &e);

	if (!n) {
		tell_problem(run, hot, problem, code, &e);
		return;
	}
	if (annotation_view(n)->cut)
		log_warn("'%s' is larger than %u MB: its beginning is shown", hot->name, 4);
	tell_process(run, hot->function->dso, annotation_view(n));
	run->ops->function(&run->o->out, annotation_view(n));
	flush(run);
	annotation_free(n);
}

static void print_section(struct annotate_run *run, const struct perfdata_event *leader,
			  u32 nr_events)
{
	struct hot_functions functions = { 0 };
	u64 total = leader->index < run->counts->totals.nr
			    ? run->counts->totals.v[leader->index].period
			    : 0;

	/* (as in perf: functions that the leader has samples of) */
	addresses_hot(run->counts, leader->index, &functions);
	VEC_FOR(&functions, hot) {
		if (100.0 * (double)hot->period < run->o->percent_limit * (double)total)
			continue;
		print_function(run, hot, leader, nr_events);
	}
	vec_free(&functions);
}

/* An event or a group each, those with samples. */
static void find_events(const struct annotate_run *run, struct code_events_list *out)
{
	struct perfdata *f = session_file(run->s);
	size_t nr = perfdata_nr_events(f);
	bool all = run->o->group && !perfdata_has_groups(f);

	for (size_t i = 0; i < nr; i++) {
		const struct perfdata_event *ev = perfdata_event(f, i);
		struct code_events events = { ev->index, all ? (u32)nr : ev->nr_members };

		if (all ? i == 0 : ev->leader == ev->index)
			*VEC_PUSH(out) = events;
	}
}

static void print_sections(struct annotate_run *run)
{
	struct code_events_list events = { 0 };

	find_events(run, &events);
	VEC_FOR(&events, v)
		print_section(run, perfdata_event(session_file(run->s), v->first), v->nr);
	vec_free(&events);
}

static bool has_samples(const struct annotate_run *run, u32 event)
{
	return event < run->counts->totals.nr && run->counts->totals.v[event].nr;
}

static void show_functions(struct annotate_run *run)
{
	struct code_events_list events = { 0 };
	struct code_source code = { .session = run->s,
				    .counts = run->counts,
				    .annotator = run->annotator,
				    .look = run->o->out,
				    .types = run->o->annotate.types };
	struct functions_source source = { .code = &code, .percent_limit = run->o->percent_limit };

	find_events(run, &events);
	for (size_t i = 0; i < events.nr; i++)
		if (has_samples(run, events.v[i].first))
			events.v[source.nr_events++] = events.v[i];
	source.events = events.v;
	if (source.nr_events)
		tui_functions_browse(run->o->screen, &source);
	vec_free(&events);
}

static void print_functions(struct annotate_run *run)
{
	run->told = XNEW_ARRAY(bool, dso_table_count(session_dsos(run->s)) + 1);
	run->ops->begin(&run->o->out);
	if (run->counts->functions.nr)
		print_sections(run);
	run->ops->end(&run->o->out);
	flush(run);
}

static bool wants_types(const struct annotate_cmd *o)
{
	return o->data_type || o->type_stat || o->insn_stat;
}

static void print_types(struct annotate_run *run)
{
	const struct type_profile_ops *ops = run->o->json ? &type_profile_json_ops
							  : &type_profile_text_ops;
	struct annotate_cmd *o = run->o;
	struct data_types *d = data_types_new(run->s, run->counts, run->types);
	const struct view_type_stats *stats = data_types_stats(d);
	struct code_events_list events = { 0 };
	size_t nr = 0;

	ops->begin(&o->out);
	ops->stats(&o->out, o->type_stat ? stats : NULL, o->insn_stat ? stats : NULL);
	find_events(run, &events);
	VEC_FOR(&events, v) {
		const struct view_types *types = data_types_view(d, v->first, v->nr,
								 o->data_type_name);

		nr += types->nr_types;
		if (o->data_type)
			ops->types(&o->out, types);
		flush(run);
	}
	ops->end(&o->out);
	flush(run);
	if (o->data_type && !nr && run->counts->functions.nr && !o->rec.quiet)
		log_hint(o->data_type_name ? "no sample is of that type: see --data-type without "
					     "a name, and --type-stat"
					   : "no type is known: --type-stat tells why");
	vec_free(&events);
	data_types_free(d);
}

static void tell_no_samples(const struct annotate_run *run)
{
	fflush(stdout);
	fprintf(stderr, "Error:\nThe %s data has no samples!\n",
		perfdata_name(session_file(run->s)));
	if (run->o->addresses.symbol && session_stats(run->s)->nr_samples)
		log_hint("none of them is in a function '%s': see 'perf report'",
			 run->o->addresses.symbol);
}

static int annotate_samples(struct annotate_run *run, struct err *e)
{
	struct annotate_cmd *o = run->o;
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .heads = true,
					     .spots = take_spots,
					     .sample = take_sample,
					     .round = take_round,
					     .ctx = run,
					     .kernel_symbols = true };

	run->annotator = annotator_new(run->s, &o->annotate);
	if (o->addresses.symbol) {
		o->addresses.found = found_function;
		o->addresses.ctx = run;
	} else {
		annotator_load_ahead(run->annotator, NULL, NULL);
	}
	run->counts = addresses_new(run->s, &o->addresses);
	if (session_run(run->s, &consumer, e) < 0)
		return -1;
	addresses_finish(run->counts);
	if (wants_types(o))
		run->types = types_new(session_dsos(run->s));
	if (wants_types(o))
		print_types(run);
	else if (!o->screen)
		print_functions(run);
	else if (run->counts->functions.nr)
		show_functions(run);
	annotate_screen_close(o); /* (what is told now is seen) */
	if (!run->counts->functions.nr && !run->stopped)
		tell_no_samples(run);
	if (!o->rec.quiet)
		recording_tell(&o->rec);
	return 0;
}

static int annotate_session(struct annotate_cmd *o, struct session *s, struct err *e)
{
	struct annotate_run run = { .o = o, .s = s };
	int ret;

	if (o->itrace && info_has(perfdata_info(session_file(s)), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP, "--itrace is not supported yet");
	if (o->dump)
		return dump_all(s, false, stdout, e);
	if (recording_check_cpus(&o->rec, "-C", e) < 0)
		return -1;
	run.ops = o->json        ? &annotation_json_ops
		  : o->use_stdio ? &annotation_stdio_ops
				 : &annotation_view_ops;
	ret = annotate_samples(&run, e);
	annotator_free(run.annotator);
	types_free(run.types);
	addresses_free(run.counts);
	free(run.told);
	return ret;
}

/* ------------------------------------------------------------------ options */

/* Options that cannot be together: an exit status, or 0. */
static int check_options(struct annotate_cmd *o)
{
	struct err e = ERR_INIT;
	char *end;

	if (o->show_samples && o->show_period)
		return opts_usage_error(annotate_table, annotate_usage, "show-total-period",
					"Error: -n and --show-total-period are one column");
	if (o->prefix_strip && !o->annotate.prefix) {
		fprintf(stderr, "--prefix-strip requires --prefix\n");
		return EXIT_INVALID;
	}
	if (o->prefix_strip) {
		o->annotate.prefix_strip = (u32)strtoul(o->prefix_strip, &end, 10);
		if (end == o->prefix_strip || *end)
			return opts_usage_error(annotate_table, annotate_usage, "prefix-strip",
						"'%s' is not a number", o->prefix_strip);
	}
	if (annotate_check_style(&o->annotate, &e) < 0) {
		err_print(&e);
		return EXIT_USAGE;
	}
	if (o->rec.opts.dso.vmlinux && access(o->rec.opts.dso.vmlinux, R_OK) != 0) {
		fprintf(stderr, "Invalid file: %s\n", o->rec.opts.dso.vmlinux);
		return EXIT_INVALID;
	}
	return 0;
}

static void settle(struct annotate_cmd *o)
{
	o->out.coloured = colour_wanted(o->colour);
	o->out.column = o->show_period    ? ANNOTATION_PERIOD
			: o->show_samples ? ANNOTATION_SAMPLES
					  : ANNOTATION_PERCENT;
	o->out.raw = o->annotate.raw;
	o->out.addresses = !o->use_offset;
	o->out.no_source = o->hide_source;
	o->out.no_arrows = !o->jump_arrows;
	o->annotate.no_source = !o->source;
	o->annotate.types = o->code_with_type;
	/* what is written to a pipe or file is perf's --stdio */
	if (!o->use_stdio2 && !isatty(STDOUT_FILENO))
		o->use_stdio = true;
	o->rec.opts.by_address = true;
	o->rec.opts.dso.no_demangle = !o->demangle;
	o->rec.opts.dso.only_function = o->addresses.symbol;
	o->rec.opts.dso.force = o->rec.opts.input.force;
}

static int annotate_run(const struct config *config, int argc, const char **argv)
{
	struct annotate_cmd o = { .out = { .text = STRBUF_INIT, .offset_level = 1 },
				  .source = true,
				  .demangle = true,
				  .use_offset = true,
				  .jump_arrows = true,
				  .tui = true,
				  .rec.progress = "Processing events" };
	struct err e = ERR_INIT;
	int ret;

	if (config_apply(config, annotate_config, &o) || recording_configure(&o.rec, config))
		return EXIT_REFUSED;
	argc = opts_parse(annotate_table, &o, argc, argv, annotate_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (argc > 1 || (argc && o.addresses.symbol)) {
		opts_print_usage(annotate_table, annotate_usage, NULL);
		return EXIT_USAGE;
	}
	if (argc)
		o.addresses.symbol = argv[0];
	ret = check_options(&o);
	if (ret)
		return ret;
	settle(&o);
	if (!annotate_screen_open(&o))
		pager_start();
	ret = recording_open(&o.rec, &e) < 0 ? -1 : annotate_session(&o, o.rec.session, &e);
	annotate_screen_close(&o);
	int status = recording_close(&o.rec);

	strbuf_release(&o.out.text);
	if (ret < 0) {
		err_print(&e);
		return EXIT_REFUSED;
	}
	return status;
}

static const char *annotate_value(const char *option, size_t i)
{
	static const char *const types[] = { "local-period", "local-hits", "global-period",
					     "global-hits" };
	static const char *const styles[] = { "att", "intel" };

	if (!strcmp(option, "percent-type"))
		return i < ARRAY_SIZE(types) ? types[i] : NULL;
	return !strcmp(option, "disassembler-style") && i < ARRAY_SIZE(styles) ? styles[i] : NULL;
}

const struct command cmd_annotate = {
	.name = "annotate",
	.summary = "show functions' code with the samples that fell on it",
	.usage = annotate_usage,
	.opts = annotate_table,
	.run = annotate_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = annotate_config,
	.settings_size = sizeof(struct annotate_cmd),
	.value = annotate_value,
};
