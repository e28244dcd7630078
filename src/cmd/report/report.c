/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf report: where the samples of a file are.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/pager.h"
#include "cli/print_err.h"
#include "cmd/commands.h"
#include "cmd/report/screen.h"
#include "perfdata/info.h"
#include "render/profile.h"
#include "text/dump_all.h"
#include "text/header.h"

#define NO_MAX_STACK UINT64_MAX /* not given */
enum { GRAPH_MARGIN = 12 };
enum { EXIT_REFUSED = 255, EXIT_INVALID = 234 }; /* as perf's -1 and -EINVAL */

static bool file_has(struct session *s, u64 sample_type)
{
	return perfdata_has_sample_type(session_file(s), sample_type);
}

static bool only_tracepoints(struct session *s)
{
	struct perfdata *f = session_file(s);
	bool only = perfdata_nr_events(f) > 0 && !perfdata_is_pipe(f);
	const void *formats;
	size_t size;

	/* an unfinished recording has no formats: one row of unknown text would tell nothing */
	perfdata_tracing_data(f, &formats, &size);
	only = only && formats;
	for (size_t i = 0; only && i < perfdata_nr_events(f); i++)
		only = perfdata_event(f, i)->attr.type == PERF_TYPE_TRACEPOINT;
	return only;
}

/* What a sample needs one of to have a chain. */
static u64 chain_types(const struct report_opts *o)
{
	return PERF_SAMPLE_CALLCHAIN | (o->branch_history ? PERF_SAMPLE_BRANCH_STACK : 0);
}

/*
 * Chains decide what is on by default. A stream does not tell before it is read: as in perf,
 * callers are not accumulated then.
 */
static void settle_chains(struct report_opts *o, struct session *s)
{
	bool pipe = perfdata_is_pipe(session_file(s));
	bool has = pipe || file_has(s, chain_types(o));

	/* callers of branches alone are not accumulated either */
	if (pipe || !file_has(s, PERF_SAMPLE_CALLCHAIN)) {
		if (o->graph.order == ORDER_DEFAULT && o->profile.children)
			o->graph.order = ORDER_CALLER;
		o->profile.no_chains = o->profile.children;
		o->profile.children = false;
	}
	if (!has)
		o->graph.off = true;
	if (!pipe && !file_has(s, PERF_SAMPLE_BRANCH_STACK))
		o->profile.agg.notes = false;
}

/* Whether what counts are the branches of samples: with -b, or where they were recorded so. */
static bool counts_branches(const struct report_opts *o, struct session *s)
{
	if (o->branch_stack >= 0)
		return o->branch_stack;
	return info_has(perfdata_info(session_file(s)), FEAT_BRANCH_STACK);
}

static int settle_mode(struct report_opts *o, struct session *s, struct err *e)
{
	o->profile.agg.branches = counts_branches(o, s);
	if (o->profile.agg.branches)
		o->graph.off = true;
	if (o->profile.agg.branches || o->mem_mode)
		o->profile.children = false;
	o->profile.agg.memory = o->mem_mode;
	if (o->profile.agg.branches && o->profile.agg.memory)
		return err_set(e, EINVAL, "branch and mem mode incompatible");
	o->total_cycles = o->total_cycles && o->profile.agg.branches;
	if (o->total_cycles && o->profile.hierarchy)
		return err_set(e, EINVAL,
			       "--total-cycles has no --hierarchy: its rows are blocks of code");
	if (o->total_cycles) {
		o->profile.sort = BLOCKS_SORT;
		o->profile.fields = NULL;
		o->group = GROUP_NONE;
	}
	if (o->itrace && info_has(perfdata_info(session_file(s)), FEAT_AUXTRACE))
		return err_set(e, ENOTSUP, "--itrace is not supported yet");
	return 0;
}

/* perf's word for an option whose data was not recorded: what is missing, and how to get it. */
static const char *missing_data(const struct report_opts *o, struct session *s)
{
	bool parent = o->profile.agg.parent ||
		      (o->profile.sort && strstr(o->profile.sort, "parent"));

	if (perfdata_is_pipe(session_file(s)))
		return NULL;
	if (parent && !file_has(s, PERF_SAMPLE_CALLCHAIN))
		return "Selected --sort parent, but no callchain data. Did you call 'perf record' "
		       "without -g?";
	if (o->graph.given && !o->graph.off && !file_has(s, chain_types(o)))
		return "Selected -g or --branch-history.\n"
		       "But no callchain or branch data.\n"
		       "Did you call 'perf record' without -g or -b?";
	if (o->branch_stack > 0 && !file_has(s, PERF_SAMPLE_BRANCH_STACK))
		return "Selected -b but no branch data. Did you call perf record without -b?";
	if (o->mem_mode && !file_has(s, PERF_SAMPLE_DATA_SRC))
		return "Selected --mem-mode but no mem data. Did you call perf record without -d?";
	return NULL;
}

/* Chains of the CPU's branch records are stitched only where there are any. */
static void tell_no_lbr(const struct report_opts *o, struct session *s)
{
	struct perfdata *f = session_file(s);
	bool has = perfdata_is_pipe(f);

	if (!o->rec.opts.stitch_lbr)
		return;
	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		has |= perfdata_event(f, i)->attr.branch_sample_type &
		       PERF_SAMPLE_BRANCH_CALL_STACK;
	if (!has)
		fprintf(stderr, "Warning:\nCan't find LBR callchain. Switch off --stitch-lbr.\n"
				"Please apply --call-graph lbr when recording.\n");
}

/* Callers come first where they are accumulated by default, whatever the file has. */
static bool caller_first(const struct report_opts *o)
{
	enum graph_order order = o->inverted ? ORDER_CALLER : o->graph.order;

	return order == ORDER_CALLER || (order == ORDER_DEFAULT && o->profile.children);
}

static void settle_order(struct report_opts *o)
{
	struct graph_opts *g = &o->graph;

	o->profile.agg.graphs = !g->off;
	o->profile.agg.graph_min = g->style == TEXT_TREE_FRACTAL ? 0 : g->min_percent;
	o->profile.agg.chains = !g->off || o->profile.children;
	o->profile.agg.group = o->group != GROUP_NONE;
	o->profile.agg.one_group = o->group == GROUP_ALL;
	o->profile.agg.group_sort = (u32)o->group_sort;
	o->profile.agg.socket = o->socket;
	o->profile.agg.plain_widths = o->separator || o->profile.widths;
}

/* What went wrong while recording or reading, once, with what helps. */
static void tell_losses(struct session *s)
{
	const struct session_stats *st = session_stats(s);

	/* where both go to one place, what is told stands behind the report, not in a line of it */
	fflush(stdout);
	if (st->lost_events)
		log_warn("%llu events were lost in %llu chunks while recording: "
			 "a larger buffer (record -m) or a lower rate (-F) helps",
			 (unsigned long long)st->lost_events, (unsigned long long)st->lost_chunks);
	if (st->throttled)
		log_warn("the kernel held sampling back %llu time%s: lower the rate (record -F)",
			 (unsigned long long)st->throttled, st->throttled == 1 ? "" : "s");
	if (st->bad_samples || st->unknown_id)
		log_warn("%llu samples could not be read, %llu belong to no event of the file",
			 (unsigned long long)st->bad_samples, (unsigned long long)st->unknown_id);
	losses_tell_damage(session_file(s));
	losses_tell(s);
}

static void print_header(const struct report_opts *o, struct session *s)
{
	struct strbuf text = STRBUF_INIT;

	header_text(session_file(s), o->header_full, isatty(STDOUT_FILENO) || pager_in_use(),
		    &text);
	fwrite(text.buf, 1, text.len, stdout);
	strbuf_release(&text);
}

static void print_top(const struct report_opts *o, struct session *s)
{
	if (o->quiet || o->json || o->folded || o->screen)
		return;
	if (o->header && !perfdata_is_pipe(session_file(s)))
		print_header(o, s);
	else if (!o->header)
		printf("# To display the perf.data header info, please use "
		       "--header/--header-only options.\n#\n");
}

/* A stream only tells while it is read that it has no chains. */
static void forget_chains(struct report_opts *o, struct profile_columns *cols, struct agg *a)
{
	agg_forget_children(a);
	o->graph.off = true;
	o->profile.children = false;
	o->profile.agg.children = false;
	if (o->profile.no_chains && (!o->profile.fields || *o->profile.fields == '+'))
		profile_columns_drop_accumulated(cols);
}

/*
 * Switches are recorded for other reasons, too. Who typed the command tells, unless it is not in
 * the file or without its arguments, as in those of perf 7.3.
 */
static bool may_mean_latency(const struct info_string_list *cmdline)
{
	for (u32 i = 1; i < cmdline->nr && strcmp(cmdline->v[i], "--"); i++)
		if (strlen(cmdline->v[i]) >= strlen("--lat") &&
		    !strncmp(cmdline->v[i], "--latency", strlen(cmdline->v[i])))
			return true;
	return cmdline->nr < 2;
}

static bool has_any_group(const struct report_opts *o, struct session *s)
{
	struct perfdata *f = session_file(s);

	return perfdata_has_groups(f) || (o->group == GROUP_ALL && perfdata_nr_events(f) > 1);
}

/* What is asked for, once the file is known. */
static int settle(struct report_opts *o, struct session *s, struct profile_columns *cols,
		  struct err *e)
{
	if (recording_check_cpus(&o->rec, "-C", e) < 0)
		return -1;
	if (o->group_sort && !perfdata_is_pipe(session_file(s)) && !has_any_group(o, s)) {
		o->bad_option = "group-sort-idx";
		return err_set(e, EINVAL,
			       "there is no group of events whose member could order the rows");
	}
	if (settle_mode(o, s, e) < 0)
		return -1;
	settle_chains(o, s);
	o->profile.tracepoints = only_tracepoints(s);
	settle_order(o);
	if (o->profile.hierarchy)
		o->profile.children = false; /* rows add up to the one above */
	/* accumulated even where -F shows no column of it, as in perf */
	o->profile.agg.children = o->profile.children;
	if (o->profile.children)
		mem_keep();
	o->profile.latency_recorded = !o->wall && !perfdata_is_pipe(session_file(s)) &&
				      !o->profile.agg.branches && !o->profile.agg.memory &&
				      profile_has_switches(s) &&
				      may_mean_latency(&perfdata_info(session_file(s))->cmdline);
	if (profile_columns_make(&o->profile, s, cols, e) < 0) {
		o->bad_option = cols->bad_option;
		return -1;
	}
	if (!perfdata_is_pipe(session_file(s)) && profile_lacks_switches(&o->profile, s))
		return profile_refuse_latency(e);
	return 0;
}

struct report_run {
	struct agg *a;
	struct blocks *blocks; /* --total-cycles, else NULL */
	struct event_switch *switches;
	struct thread_counts *counts; /* -T, else NULL */
	struct wall *wall; /* --wall, else NULL */
	struct report_opts *on_screen; /* NULL = not */
};

static bool take_samples(void *ctx, struct session_worker *w, unsigned int worker,
			 const struct session_record *r, size_t nr)
{
	struct report_run *run = ctx;

	for (size_t i = 0; run->blocks && i < nr; i++)
		blocks_add(run->blocks, w, &r[i]);
	for (size_t i = 0; run->on_screen && i < nr; i++)
		report_screen_time(run->on_screen, worker, r[i].time);
	return agg_samples(run->a, w, worker, r, nr);
}

static bool take_round(void *ctx, const struct session_round *r)
{
	struct report_run *run = ctx;

	return agg_round(run->a, r) && (!run->on_screen || report_screen_round(run->on_screen));
}

static u64 take_spots(void *ctx, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	struct report_run *run = ctx;
	u64 done = agg_take_spots(run->a, w, v, nr);

	/* (the others come as samples) */
	for (size_t i = 0; run->on_screen && i < nr; i++)
		if (done & 1ULL << i)
			report_screen_time(run->on_screen, session_worker_number(w), v[i].time);
	return done;
}

/* In order of time, for --switch-on and --switch-off. */
static bool take_in_order(void *ctx, struct session_worker *w, unsigned int worker,
			  const struct session_record *r, struct strbuf *out UNUSED)
{
	struct report_run *run = ctx;

	if (r->h->type != PERF_RECORD_SAMPLE) {
		if (run->counts)
			thread_counts_add(run->counts, r);
		return true;
	}
	if (!r->sample || event_switch_skips(run->switches, r->event))
		return true;
	return take_samples(run, w, worker, r, 1);
}

static bool take_wall(void *ctx, struct session_worker *w, unsigned int worker UNUSED,
		      const struct session_record *r, struct strbuf *out UNUSED)
{
	return wall_record(((struct report_run *)ctx)->wall, w, r);
}

static bool take_span(void *ctx, struct session_worker *w, const struct session_record *r)
{
	return take_samples(ctx, w, session_worker_number(w), r, 1);
}

static bool take_other(void *ctx, const struct session_record *r)
{
	struct report_run *run = ctx;

	thread_counts_add(run->counts, r);
	return true;
}

/* Samples that were taken; what rows are shown of them is another matter. */
static u64 nr_taken(const struct agg *a)
{
	u64 nr = 0;

	for (size_t i = 0; i < agg_nr_sections(a); i++)
		for (u32 m = 0; m < agg_section(a, i)->nr_members; m++)
			nr += agg_section(a, i)->nr[m];
	return nr;
}

/* The empty table is perf's; why it is empty is told beside it. */
static void warn_no_symbol(const struct report_opts *o)
{
	fflush(stdout);
	log_warn("no row has a symbol with '%s' in its name", o->profile.symbol_filter);
	if (o->filter_word)
		log_hint("nor is there a recording of this name");
}

/* What is known of the graph and of the session only now. */
static void settle_profile(struct report_opts *o)
{
	const struct graph_opts *g = &o->graph;

	o->profile.graph = (struct profile_graph){
		.off = g->off,
		.flat = g->style == TEXT_TREE_FLAT || g->style == TEXT_TREE_FOLDED,
		.relative = g->style == TEXT_TREE_FRACTAL,
		.min_percent = g->min_percent,
	};
	o->profile.separated = o->separator;
	o->profile.time = o->rec.opts.time;
	o->profile.ref_chains = o->rec.opts.ref_chains;
}

static struct text_tree_opts tree_opts(const struct report_opts *o)
{
	const struct profile_opts *p = &o->profile;

	return (struct text_tree_opts){
		.style = o->graph.style,
		.value = o->graph.value,
		.limit = o->graph.limit,
		.margin = GRAPH_MARGIN,
		.skip_first = p->sort && !p->fields && !strncmp(p->sort, "sym", 3),
		.separator = o->separator ? *o->separator : 0,
		.coloured = o->coloured,
	};
}

/* The number of rows that there were. run NULL: nothing was summed up. */
static size_t print_profile(struct report_opts *o, const struct profile_columns *cols,
			    struct session *s, const struct report_run *run)
{
	const struct profile_ops *ops = o->json     ? &profile_json_ops
					: o->folded ? &profile_folded_ops
						    : &profile_text_ops;
	struct profile_out out = { .write = profile_write_stdout,
				   .par = session_par(s),
				   .separator = o->separator,
				   .quiet = o->quiet,
				   .coloured = o->coloured,
				   .tree = tree_opts(o) };
	struct profile *p;
	size_t nr;

	settle_profile(o);
	p = profile_new(&o->profile, cols, s, run ? run->a : NULL, run ? run->blocks : NULL);
	ops->begin(&out, profile_head(p));
	for (size_t i = 0; run && i < profile_nr_sections(p); i++) {
		const struct view_section *section = profile_section(p, i);

		if (section)
			ops->section(&out, section);
	}
	ops->end(&out, run ? profile_tail(p) : profile_head(p));
	nr = profile_nr_rows(p);
	profile_free(p);
	return nr;
}

/* A program that reads JSON gets some whatever there is. */
static void print_nothing(struct report_opts *o, const struct profile_columns *cols,
			  struct session *s)
{
	if (!o->json)
		return;
	print_profile(o, cols, s, NULL);
	fflush(stdout);
}

static void print_threads(const struct thread_counts *counts, struct session *s)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;

	thread_counts_add_text(counts, s, &text);
	fwrite(text.buf, 1, text.len, stdout);
}

static int print_result(struct report_opts *o, struct profile_columns *cols, struct session *s,
			struct report_run *run, struct err *e)
{
	if (!session_stats(s)->nr_samples && !o->wall) {
		print_nothing(o, cols, s);
		log_error("there are no samples in '%s'", perfdata_name(session_file(s)));
		return 0;
	}
	if (profile_lacks_switches(&o->profile, s)) /* a stream tells only now */
		return profile_refuse_latency(e);
	if (!file_has(s, chain_types(o)))
		forget_chains(o, cols, run->a);
	if (o->header && !o->json && perfdata_is_pipe(session_file(s)))
		print_header(o, s); /* known only now */
	agg_finish(run->a);
	if (!nr_taken(run->a)) {
		print_nothing(o, cols, s);
		log_error("no sample of '%s' is left by what was chosen",
			  perfdata_name(session_file(s)));
		return 0;
	}
	if (cols->latency_implied && !agg_is_parallel(run->a))
		profile_columns_drop_latency(cols);
	if (run->blocks)
		blocks_finish(run->blocks, run->a);
	if (!print_profile(o, cols, s, run) && o->profile.symbol_filter)
		warn_no_symbol(o);
	if (run->counts)
		print_threads(run->counts, s);
	return 0;
}

static int show_result(struct report_opts *o, struct session *s, struct err *e)
{
	if (session_stats(s)->nr_samples || o->wall)
		return report_screen_browse(o, e);
	return err_set(e, ENODATA, "there are no samples in '%s'", perfdata_name(session_file(s)));
}

static int report_columns(struct report_opts *o, struct session *s, struct profile_columns *cols,
			  struct err *e)
{
	struct report_run run = { .switches = &o->switches, .on_screen = o->screen ? o : NULL };
	const char *missing = missing_data(o, s);
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .samples = take_samples,
					     .other = take_other,
					     .round = take_round,
					     .ctx = &run,
					     .all_records = o->threads };
	int ret;

	if (settle(o, s, cols, e) < 0)
		return -1;
	if (o->screen) {
		report_screen_settle(o);
		settle_profile(o);
	}
	if (missing && o->screen)
		return err_set(e, EINVAL, "%s", missing);
	if (missing) {
		print_top(o, s);
		print_nothing(o, cols, s);
		fflush(stdout);
		fprintf(stderr, "Error:\n%s\n", missing);
		return 0;
	}
	tell_no_lbr(o, s);
	if (event_switch_start(&o->switches, session_file(s), e) < 0 ||
	    agg_new(&run.a, s, &o->profile.agg, e) < 0)
		return -1;
	if (o->total_cycles)
		run.blocks = blocks_new(s, false);
	if (o->threads)
		run.counts = thread_counts_new(s);
	if (event_switch_used(&o->switches) || o->rec.opts.stitch_lbr || o->rec.opts.ref_chains) {
		consumer.order = SESSION_ORDERED;
		consumer.serial = true;
		consumer.record = take_in_order;
	}
	if (o->wall) {
		const struct wall_opts wo = { .take = take_span, .ctx = &run };

		if (wall_new(&run.wall, s, &wo, e) < 0) {
			agg_free(run.a);
			return -1;
		}
		consumer.order = SESSION_ORDERED;
		consumer.serial = consumer.all_records = true;
		consumer.record = take_wall;
	}
	agg_set_consumer(run.a, &consumer);
	if (consumer.spots)
		consumer.spots = run.blocks ? NULL : take_spots;
	print_top(o, s);
	if (o->screen)
		report_screen_begin(o, s, cols,
				    &(struct report_shown){ run.a, run.blocks, run.counts });
	ret = session_run(s, &consumer, e);
	if (!ret && run.wall)
		ret = wall_finish(run.wall, e);
	if (!ret && run.wall)
		report_wall_summarise(o, run.wall);
	if (o->rec.opts.progress && !o->screen)
		progress_finish(o->rec.opts.progress_ctx);
	if (!ret)
		ret = o->screen ? show_result(o, s, e) : print_result(o, cols, s, &run, e);
	if (!ret && !o->quiet)
		tell_losses(s);
	agg_free(run.a);
	wall_free(run.wall);
	blocks_free(run.blocks);
	thread_counts_free(run.counts);
	return ret;
}

static int report_samples(struct report_opts *o, struct session *s, struct err *e)
{
	struct profile_columns cols = { .order = STRBUF_INIT };
	int ret = report_columns(o, s, &cols, e);

	profile_columns_release(&cols);
	return ret;
}

static void print_only(const struct report_opts *o, const struct profile_columns *cols)
{
	_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
	struct view_only only[PROFILE_MAX_ONLY];
	struct view_profile p = { .only = only };

	p.nr_only = profile_only(&o->profile, cols, only);
	profile_text_only(&text, &p);
	fwrite(text.buf, 1, text.len, stdout);
}

/* What the head of a report tells of filters stands above other listings, too. */
static int print_filters(struct report_opts *o, struct session *s, struct err *e)
{
	struct profile_columns cols = { .order = STRBUF_INIT };
	int ret = 0;

	if (o->profile.agg.comms || o->profile.agg.dsos || o->profile.agg.symbols) {
		ret = settle(o, s, &cols, e);
		if (!ret)
			print_only(o, &cols);
		profile_columns_release(&cols);
	}
	return ret;
}

static int read_all(struct session *s, struct err *e)
{
	struct session_consumer c = { .order = SESSION_UNORDERED };

	return session_run(s, &c, e);
}

/* What is no profile: the header, records, counts of them, tasks. */
static int report_listing(struct report_opts *o, struct session *s, struct err *e)
{
	if (o->header_only) {
		if (perfdata_is_pipe(session_file(s)) && read_all(s, e) < 0)
			return -1;
		print_header(o, s);
		return 0;
	}
	if (o->dump || o->header)
		print_top(o, s);
	if (print_filters(o, s, e) < 0)
		return -1;
	if (o->stats)
		return report_stats(s, o->profile.skip_empty, e);
	if (o->tasks || o->mmaps)
		return report_tasks(s, o->mmaps, e);
	return dump_all(s, counts_branches(o, s), stdout, e);
}

static int report(struct report_opts *o, struct session *s, struct err *e)
{
	int ret;

	if (!o->header_only && !o->dump && !o->stats && !o->tasks && !o->mmaps)
		return report_samples(o, s, e);
	ret = report_listing(o, s, e);
	fflush(stdout);
	if (!o->dump || perfdata_is_cut(session_file(s))) /* a dump shows all other damage itself */
		losses_tell_damage(session_file(s));
	return ret;
}

/* "old.data", "perf.data.old": no symbol, whether there is such a file or not. */
static bool names_recording(const char *word)
{
	const char *data = strstr(word, ".data");

	return data && (!data[strlen(".data")] || data[strlen(".data")] == '.');
}

/* A lone word names the recording if there is such a file or it looks like one, else it selects
 * symbols. */
static bool take_word(struct report_opts *o, int argc, const char **argv)
{
	if (argc > 1)
		return false;
	if (!argc)
		return true;
	if (!o->rec.opts.input.path && (access(argv[0], F_OK) == 0 || names_recording(argv[0]))) {
		o->rec.opts.input.path = argv[0];
	} else if (!o->profile.symbol_filter) {
		o->profile.symbol_filter = argv[0];
		o->filter_word = true;
	}
	return true;
}

/* Options that cannot be together or name what is not there: an exit status, or 0. */
static int check_options(struct report_opts *o)
{
	const char *files[] = { o->rec.opts.dso.vmlinux, o->rec.opts.dso.kallsyms };

	if (o->profile.hierarchy && o->profile.fields)
		return opts_usage_error(report_table, report_usage, "hierarchy",
					"Error: --hierarchy and --fields options cannot be used "
					"together");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (!files[i] || access(files[i], R_OK) == 0)
			continue;
		fprintf(stderr, "Invalid file: %s\n", files[i]);
		return EXIT_INVALID;
	}
	if (o->stats && (o->tasks || o->mmaps))
		return opts_usage_error(report_table, report_usage, "stats",
					"--tasks and --mmaps can't be used together with --stats");
	if (o->prefix_strip && !o->prefix) {
		fprintf(stderr, "--prefix-strip requires --prefix\n");
		return EXIT_INVALID;
	}
	if (o->json &&
	    (o->stats || o->tasks || o->mmaps || o->dump || o->header_only || o->threads))
		return opts_usage_error(report_table, report_usage, "json",
					"--json shows a profile: it cannot be used together with "
					"--stats, --tasks, --mmaps, --header-only, -D and -T");
	if (o->json && o->folded)
		return opts_usage_error(report_table, report_usage, "folded",
					"--json and --folded are two formats: choose one");
	if (report_wall_check(o))
		return EXIT_USAGE;
	if (o->separator && *o->separator == '.')
		return opts_usage_error(report_table, report_usage, "field-separator",
					"'.' is the only non valid --field-separator argument");
	if (o->json) /* how it would look does not matter */
		o->separator = o->profile.widths = NULL;
	return 0;
}

/* Branches in front of callchains, all by address, and rows that tell their ends apart. */
static void show_history(struct report_opts *o)
{
	o->branch_stack = 0;
	o->graph.given = o->graph.branch = o->graph.address = true;
	o->graph.lines = false;
	o->profile.agg.notes = o->rec.opts.branch_notes = !o->graph.off;
	if (!o->profile.sort)
		o->profile.sort = "srcline,symbol,dso";
}

/* Whole stacks of all rows. */
static void fold(struct report_opts *o)
{
	o->use_stdio = true;
	o->profile.children = false;
	o->graph.style = TEXT_TREE_FOLDED;
	o->graph.order = ORDER_CALLER;
	o->graph.min_percent = 0;
	o->graph.limit = 0;
	if (!o->profile.sort && !o->profile.fields)
		o->profile.sort = "comm";
}

static int read_recording(struct report_opts *o, struct err *e)
{
	return recording_open(&o->rec, e) < 0 ? -1 : report(o, o->rec.session, e);
}

/* -1 and *e, or an exit status. */
static int print_recording(struct report_opts *o, struct err *e)
{
	int ret, status;

	pager_start();
	o->coloured = colour_wanted(o->colour);
	ret = read_recording(o, e);
	status = recording_close(&o->rec);
	return ret < 0 ? ret : status;
}

static int report_run(const struct config *config, int argc, const char **argv)
{
	struct report_opts o = {
		.graph = { .min_percent = 0.5 },
		.profile.agg.time_quantum = 100000000,
		.profile.children = true,
		.profile.ipc = true,
		.rec.opts.inlines = true,
		.group = GROUP_RECORDED,
		.profile.skip_empty = true,
		.demangle = true,
		.tui = true,
		.socket = -1,
		.branch_stack = -1,
		.max_stack = NO_MAX_STACK,
	};
	struct report_screen *screen;
	struct err e = ERR_INIT;
	int ret;

	if (config_apply(config, report_config, &o) || recording_configure(&o.rec, config))
		return EXIT_REFUSED;
	argc = opts_parse(report_table, &o, argc, argv, report_usage, 0);
	if (argc < 0)
		return EXIT_USAGE;
	if (!take_word(&o, argc, argv)) {
		opts_print_usage(report_table, report_usage, NULL);
		return EXIT_USAGE;
	}
	ret = check_options(&o);
	if (ret)
		return ret;
	o.profile.agg.verbose = o.rec.verbose > 0 && !o.quiet;
	o.rec.quiet = o.quiet;
	o.rec.progress = "Processing events";
	o.rec.opts.dso.no_demangle = !o.demangle;
	o.rec.opts.dso.demangle_params = o.profile.agg.verbose;
	if (o.stats || o.header_only)
		o.rec.opts.time = NULL; /* what is in the file */
	o.rec.opts.tell_left_out = o.dump && !o.stats && !o.tasks && !o.mmaps;
	if (!o.max_stack) {
		o.graph.off = true;
		o.profile.children = false;
	} else if (o.max_stack != NO_MAX_STACK)
		o.rec.opts.max_stack = (u32)MIN(o.max_stack, (u64)UINT32_MAX);
	o.rec.opts.drop_unresolved = o.profile.agg.hide_unresolved;
	if (o.branch_history)
		show_history(&o);
	report_wall_prepare(&o);
	if (o.folded)
		fold(&o);
	o.rec.opts.lbr = true;
	o.rec.opts.branches = o.graph.branch && !o.graph.off;
	o.rec.opts.by_address = ((o.graph.address || o.graph.lines) && !o.graph.off) ||
				profile_needs_addresses(&o.profile) ||
				(o.profile.agg.verbose && o.profile.children);
	o.profile.agg.join_addresses = o.rec.opts.by_address && !o.graph.address;
	o.profile.agg.join_lines = o.profile.agg.join_addresses && o.graph.lines && !o.graph.off;
	o.profile.agg.caller_first = o.rec.opts.keep_outermost = caller_first(&o);
	o.rec.opts.unwind = !o.graph.off || o.profile.children;
	screen = report_screen_open(&o);
	ret = screen ? report_on_screen(screen, &o, read_recording, &e) : print_recording(&o, &e);
	if (ret < 0 && o.bad_option)
		return opts_usage_error(report_table, report_usage, o.bad_option, "Error:\n%s%s%s",
					e.text, e.hint[0] ? "\nhint: " : "", e.hint);
	if (ret < 0) {
		err_print(&e);
		return EXIT_REFUSED;
	}
	return ret;
}

static const char *report_value(const char *option, size_t i)
{
	size_t nr;
	const char *const *graph = graph_words(&nr);

	if (!strcmp(option, "sort") || !strcmp(option, "fields"))
		return profile_field_name(i, option[0] == 'f');
	return !strcmp(option, "call-graph") && i < nr ? graph[i] : NULL;
}

const struct command cmd_report = {
	.name = "report",
	.summary = "read a recording and display the profile",
	.usage = report_usage,
	.opts = report_table,
	.run = report_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = report_config,
	.settings_size = sizeof(struct report_opts),
	.value = report_value,
};
