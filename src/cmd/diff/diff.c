/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf diff: how the profiles of recordings differ.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/par.h"
#include "base/similar.h"
#include "cli/colour.h"
#include "cli/config.h"
#include "cli/print_err.h"
#include "cli/pager.h"
#include "cmd/diff/judge.h"
#include "cmd/diff/screen.h"
#include "cmd/run_other.h"
#include "profile/comparable.h"
#include "profile/streams.h"
#include "render/profile.h"

enum { MAX_FILES = 1000 };

/* ---- options ---- */

static const struct {
	const char *word;
	enum diff_compute compute;
} computes[] = {
	{ "delta", DIFF_DELTA }, { "delta-abs", DIFF_DELTA_ABS }, { "ratio", DIFF_RATIO },
	{ "wdiff", DIFF_WDIFF }, { "cycles", DIFF_CYCLES },
};

static int parse_weights(struct diff_opts *o, const char *text, struct err *e)
{
	char *end = NULL;

	if (text) {
		o->base_weight = strtoll(text, &end, 10);
		if (end != text && *end == ',') {
			text = end + 1;
			o->weight = strtoll(text, &end, 10);
			if (end != text && (!*end || *end == ',') && o->weight && o->base_weight)
				return 0;
		}
	}
	return err_set(e, EINVAL, "Failed: wrong weight data, use 'wdiff:w1,w2'\n");
}

static int parse_compute_word(struct diff_opts *o, const char *word, struct err *e)
{
	size_t len = strcspn(word, ":");
	const char *more = word[len] ? word + len + 1 : NULL;

	for (size_t i = 0; i < ARRAY_SIZE(computes); i++) {
		if (strlen(computes[i].word) != len || strncmp(computes[i].word, word, len))
			continue;
		o->compute = computes[i].compute;
		if (o->compute == DIFF_WDIFF)
			return parse_weights(o, more, e);
		if (more)
			return err_set(e, EINVAL, "Failed: extra option specified '%s'", more);
		return 0;
	}
	return err_set(e, EINVAL,
		       "Failed: '%s' is not computation method (use 'delta','delta-abs','ratio', "
		       "'wdiff' or 'cycles')\n",
		       word);
}

static int parse_compute(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			 struct err *e)
{
	return parse_compute_word(target, unset ? "delta-abs" : arg, e);
}

static int parse_percentage(const struct opt *opt UNUSED, void *target, const char *arg,
			    bool unset UNUSED, struct err *e)
{
	return profile_parse_percentage(arg, target, e);
}

static int parse_whole(const struct opt *opt UNUSED, void *target, const char *arg,
		       bool unset UNUSED, struct err *e)
{
	static const char *const words[] = { [DIFF_OF_PERIOD] = "period",
					     [DIFF_OF_SAMPLES] = "samples",
					     [DIFF_OF_TIME] = "time",
					     [DIFF_OF_BASE] = "base" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], arg))
			continue;
		*(enum diff_whole *)target = (enum diff_whole)i;
		return 0;
	}
	err_set(e, EINVAL, "--normalize: period, samples, time or base, not '%s'", arg);
	similar_hint_of(arg, words, ARRAY_SIZE(words), e);
	return -1;
}

static int parse_points(const char *arg, double *out, const char *option, struct err *e)
{
	char *end;
	double v = strtod(arg, &end);

	end += *end == '%';
	if (end == arg || *end || !(v >= 0 && v <= 100))
		return err_set(e, EINVAL, "%s: percentage points from 0 to 100, not '%s'", option,
			       arg);
	*out = v;
	return 0;
}

static int parse_noise(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
		       struct err *e)
{
	return parse_points(unset ? "0" : arg, target, "--noise", e);
}

static int parse_fail_above(const struct opt *opt UNUSED, void *target, const char *arg, bool unset,
			    struct err *e)
{
	struct diff_cmd *o = target;

	o->fails = !unset;
	return parse_points(unset ? "0" : arg, &o->fail_above, "--fail-above", e);
}

static int begin_base(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
		      bool unset UNUSED, struct err *e UNUSED)
{
	struct diff_cmd *o = target;

	o->word = BASE_SIDE;
	return 0;
}

static int begin_new(const struct opt *opt UNUSED, void *target, const char *arg UNUSED,
		     bool unset UNUSED, struct err *e UNUSED)
{
	struct diff_cmd *o = target;

	o->word = NEW_SIDE;
	o->nr_new++;
	return 0;
}

#define D struct diff_cmd

static const struct opt diff_table[] = {
	RECORDING_VERBOSE(D, rec),
	OPT_BOOL('q', "quiet", D, rec.quiet, "Do not show any warnings or messages"),
	OPT_BOOL('b', "baseline-only", D, diff.base_only, "Show only items with match in baseline"),
	OPT_CALL('c', "compute", D, diff,
		 "delta,delta-abs,ratio,wdiff:w1,w2 (default delta-abs),cycles",
		 "Entries differential computation selection", parse_compute),
	OPT_BOOL('p', "period", D, diff.period, "Show period values."),
	OPT_BOOL('F', "formula", D, diff.formula, "Show formula."),
	OPT_BOOL(
		0, "cycles-hist", D, diff.spread,
		"Show cycles histogram and standard deviation - WARNING: use only with -c cycles."),
	OPT_BOOL('D', "dump-raw-trace", D, dump, "dump raw trace in ASCII"),
	RECORDING_FORCE(D, rec),
	OPT_STR(0, "kallsyms", D, rec.opts.dso.kallsyms, "file", "kallsyms pathname"),
	RECORDING_MODULES(D, rec),
	OPT_STR('d', "dsos", D, profile.agg.dsos, "dso[,dso...]",
		"only consider symbols in these dsos"),
	OPT_STR('C', "comms", D, profile.agg.comms, "comm[,comm...]",
		"only consider symbols in these comms"),
	OPT_STR('S', "symbols", D, profile.agg.symbols, "symbol[,symbol...]",
		"only consider these symbols"),
	OPT_STR('s', "sort", D, profile.sort, "key[,key2...]",
		"sort by key(s): pid, comm, dso, symbol, parent, cpu, srcline, ... Please refer the "
		"man page for the complete list."),
	OPT_STR('t', "field-separator", D, separator, "separator",
		"separator for columns, no spaces will be added between columns '.' is reserved."),
	RECORDING_SYMFS(D, rec),
	RECORDING_GUESTS(D, rec.opts.dso),
	OPT_U64('o', "order", D, order, "n", "Specify compute sorting."),
	OPT_CALL(0, "percentage", D, diff.relative, "relative|absolute",
		 "How to display percentage of filtered entries", parse_percentage),
	OPT_STR(0, "time", D, time, "str", "Time span (time percent or absolute timestamp)"),
	OPT_STR(0, "cpu", D, rec.opts.cpus, "cpu", "list of cpus to profile"),
	OPT_STR(0, "pid", D, profile.agg.pids, "pid[,pid...]",
		"only consider symbols in these pids"),
	OPT_STR(0, "tid", D, profile.agg.tids, "tid[,tid...]",
		"only consider symbols in these tids"),
	OPT_BOOL(0, "stream", D, diff.streams, "Enable hot streams comparison."),
	OPT_BOOL('g', "call-paths", D, profile.call_paths,
		 "a row for each call path: which ones gained and lost"),
	OPT_BOOL(0, "exact-names", D, diff.exact,
		 "do not match symbols and objects whose names differ by what compilers and "
		 "versions change"),
	OPT_CALL_F(0, "base", D, diff /* the whole struct */, "",
		   "the recordings that follow are runs of the base: --base A1 A2 --new B1 B2",
		   begin_base, OPT_NOARG | OPT_NONEG),
	OPT_CALL_F(0, "new", D, diff /* the same */, "",
		   "the recordings that follow are runs of what is compared with it", begin_new,
		   OPT_NOARG | OPT_NONEG),
	OPT_CALL(0, "normalize", D, diff.whole, "period|samples|time|base",
		 "what shares are of: each recording's periods or samples, the base's cost for the "
		 "same time, or the base's cost",
		 parse_whole),
	OPT_CALL(0, "noise", D, diff.noise, "points",
		 "leave out rows that differ by less percentage points", parse_noise),
	OPT_BOOL(0, "significant", D, diff.sure,
		 "of several runs: only rows that differ by more than their interval"),
	OPT_CALL(0, "fail-above", D, diff /* the same */, "points",
		 "exit with 1 when a row grew by more percentage points", parse_fail_above),
	OPT_BOOL(0, "json", D, json, "print the differences as JSON"),
	OPT_BOOL(0, "tui", D, use_tui, "Use the TUI interface"),
	OPT_BOOL(0, "stdio", D, use_stdio, "Use the stdio interface"),
	OPT_END
};

static const char *const diff_usage[] = { "perf diff [<options>] [old_file] [new_file]",
					  "perf diff [<options>] --base <file>... --new <file>...",
					  NULL };

static int set_order(const char *value, void *target, struct err *e)
{
	char *end;
	unsigned long v = strtoul(value, &end, 10);

	if (end == value || *end || v >= MAX_FILES)
		return err_set(e, EINVAL, "diff.order is the number of a file, not '%s'", value);
	*(u64 *)target = v;
	return 0;
}

static int set_compute(const char *value, void *target, struct err *e)
{
	return parse_compute_word(target, value, e);
}

static int set_percentage(const char *value, void *target, struct err *e)
{
	return profile_parse_percentage(value, target, e);
}

static const struct config_row diff_config[] = {
	CONFIG_ROW("diff.order", CONFIG_CALL, D, order, set_order),
	CONFIG_ROW("diff.compute", CONFIG_CALL, D, diff, set_compute),
	CONFIG_ROW("hist.percentage", CONFIG_CALL, D, diff.relative, set_percentage),
	CONFIG_ROW("tui.diff", CONFIG_BOOL, D, tui, NULL),
	TUI_COLOUR_ROWS(D, colours),
	CONFIG_END
};

/* ---- reading ---- */

/* The n-th part of --time, between colons; without colons it is for all. */
static char *time_of(const char *text, size_t n)
{
	if (!text)
		return NULL;
	if (!strchr(text, ':'))
		return xstrdup(text);
	for (; n && text; n--) {
		text = strchr(text, ':');
		text += text != NULL;
	}
	return text && *text != ':' && *text ? xstrndup(text, strcspn(text, ":")) : NULL;
}

/* A stream of records does not tell before it is read. */
static bool has_branches(struct session *s)
{
	const struct perfdata *f = session_file(s);
	bool has = perfdata_is_pipe(f);

	for (size_t i = 0; i < perfdata_nr_events(f); i++)
		has |= (perfdata_event(f, i)->attr.sample_type & PERF_SAMPLE_BRANCH_STACK) != 0;
	return has;
}

static bool take_samples(void *ctx, struct session_worker *w, unsigned int worker,
			 const struct session_record *records, size_t nr)
{
	struct compared *r = ctx;

	for (size_t i = 0; r->blocks && i < nr; i++)
		blocks_add(r->blocks, w, &records[i]);
	return agg_samples(r->a, w, worker, records, nr);
}

static u64 take_spots(void *ctx, struct session_worker *w, const struct session_spot *v, size_t nr)
{
	return agg_take_spots(((struct compared *)ctx)->a, w, v, nr);
}

static bool take_round(void *ctx, const struct session_round *round UNUSED)
{
	return !__atomic_load_n(((struct compared *)ctx)->unwanted, __ATOMIC_RELAXED);
}

static int sum_up(struct compared *r, const struct diff_opts *o, struct err *e)
{
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .samples = take_samples,
					     .round = r->unwanted ? take_round : NULL,
					     .ctx = r };
	bool cycles = o->compute == DIFF_CYCLES && !o->streams;

	if ((cycles || o->streams) && !has_branches(r->rec.session))
		return err_set(e, EINVAL, "there are no branch records to compare (record -b)");
	if (profile_columns_make(&r->o, r->rec.session, &r->columns, e) < 0)
		return -1;
	if (cycles && diff_key(&r->o.agg, "symbol") == r->o.agg.nr_keys) {
		r->columns.bad_option = "sort";
		return err_set(e, EINVAL, "-c cycles needs 'symbol' among the sort keys");
	}
	if (profile_lacks_switches(&r->o, r->rec.session))
		return profile_refuse_latency(e);
	if (agg_new(&r->a, r->rec.session, &r->o.agg, e) < 0)
		return -1;
	agg_set_consumer(r->a, &consumer);
	if (consumer.spots)
		consumer.spots = take_spots;
	if (cycles) {
		r->blocks = blocks_new(r->rec.session, true);
		consumer.heads = false;
		consumer.spots = NULL;
	}
	if (session_run(r->rec.session, &consumer, e) < 0)
		return -1;
	agg_finish(r->a);
	if (r->blocks)
		blocks_finish(r->blocks, NULL);
	return 0;
}

/*
 * Recordings are read side by side, each by as many workers as its size asks for. All are opened
 * before: that is done by one thread.
 */
struct side_by_side {
	struct diff_cmd *o;
	struct compared *r;
	struct par *par;
	int ret; /* what came of it, with the error */
	struct err *e;
};

static u64 size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) || !S_ISREG(st.st_mode) ? 0 : (u64)st.st_size;
}

/* Its share of them, rounded; all where it is not known how large it is. */
static unsigned int workers_of(const struct side_by_side *x, u64 size, u64 all)
{
	unsigned int nr = par_workers(x->par);

	return size ? MAX((unsigned int)((double)size / (double)all * nr + 0.5), 1U) : nr;
}

static int open_recording(struct side_by_side *x, size_t nr, u64 all, bool bar, struct err *e)
{
	const char *path = x->o->files.v[nr].path;
	struct compared *r = &x->r[nr];

	r->o = x->o->profile;
	r->time = time_of(x->o->time, nr);
	r->rec = x->o->rec;
	r->rec.progress = bar && !x->o->screen ? path : NULL;
	r->rec.opts.workers = workers_of(x, r->size, all);
	r->rec.opts.input.path = path;
	r->rec.opts.time = r->o.time = r->time;
	r->unread = r->rec;
	if (recording_open(&r->rec, e) < 0)
		return -1;
	return recording_check_cpus(&r->rec, "--cpu", e);
}

/* The progress is that of the largest one. */
static int open_recordings(struct side_by_side *x, struct err *e)
{
	size_t nr = x->o->files.nr, largest = 0;
	u64 all = 0;

	for (size_t i = 0; i < nr; i++) {
		x->r[i].columns.order = (struct strbuf)STRBUF_INIT;
		x->r[i].size = size_of(x->o->files.v[i].path);
		all += x->r[i].size;
		if (x->r[i].size > x->r[largest].size)
			largest = i;
	}
	for (size_t i = 0; i < nr; i++)
		if (open_recording(x, i, all, i == largest, e) < 0)
			return -1;
	return 0;
}

static void read_some(void *ctx, unsigned int worker UNUSED, size_t from, size_t to)
{
	struct side_by_side *x = ctx;

	for (size_t i = from; i < to; i++) {
		struct compared *r = &x->r[i];

		r->failed = sum_up(r, &x->o->diff, &r->e) < 0;
		if (r->failed && !r->columns.bad_option)
			err_prefix(&r->e, "%s", x->o->files.v[i].path);
	}
}

/* The first that something is wrong with is told. */
static int read_recordings(struct side_by_side *x, struct err *e)
{
	const struct diff_cmd *o = x->o;
	struct compared *r = x->r;

	if (open_recordings(x, e) < 0)
		return -1;
	par_for(x->par, o->files.nr, 1, read_some, x);
	for (size_t i = 0; i < o->files.nr; i++) {
		if (r[i].rec.opts.progress)
			progress_finish(&r[i].rec.bar);
		if (r[i].failed) {
			*e = r[i].e;
			return -1;
		}
		if (r[i].columns.nr != r[0].columns.nr)
			return err_set(e, EINVAL,
				       "%s: its events do not have the fields that '-s %s' names",
				       o->files.v[i].path, o->profile.sort);
	}
	return 0;
}

/* In a thread of its own, while the screen answers keys. */
static void read_beside(void *ctx, const bool *unwanted)
{
	struct side_by_side *x = ctx;

	for (size_t i = 0; i < x->o->files.nr; i++)
		x->r[i].unwanted = unwanted;
	x->ret = read_recordings(x, x->e);
}

/* The exit status of recording_close(). */
static int release_recording(struct compared *r)
{
	int cut;

	compared_forget_code(r);
	blocks_free(r->blocks);
	agg_free(r->a);
	profile_columns_release(&r->columns);
	cut = recording_close(&r->rec);
	free(r->time);
	return cut;
}

static void tell_losses(const struct diff_cmd *o, const struct compared *r, const char *path)
{
	const struct session_stats *st = session_stats(r->rec.session);
	const struct perfdata_damage *d = perfdata_damage(session_file(r->rec.session));

	if (o->rec.quiet)
		return;
	if (!st->nr_samples)
		log_warn("there are no samples in '%s'", path);
	if (st->lost_events)
		log_warn("%s: %llu events were lost while recording", path,
			 (unsigned long long)st->lost_events);
	if (d->first[0])
		log_warn("%s: %s", path, d->first);
}

static void tell_events(const struct diff_cmd *o, const struct diff_input *in)
{
	for (size_t i = 1; i < o->files.nr && !o->rec.quiet; i++)
		for (size_t s = 0; s < agg_nr_sections(in[0].a); s++)
			if (!comparable_section(in, i, s))
				log_warn("%s has no event '%s', which %s has", in[i].name,
					 comparable_event(&in[0], s), in[0].name);
}

/* ---- printing ---- */

/* The status to exit with: growth that is certain comes before doubts. */
static int print_diff(struct diff_cmd *o, const struct diff_input *inputs, size_t nr,
		      struct par *par)
{
	const struct profile_ops *ops = o->json ? &profile_json_ops : &profile_text_ops;
	struct profile_out out = { .write = profile_write_stdout,
				   .par = par,
				   .separator = o->separator,
				   .quiet = o->rec.quiet,
				   .coloured = colour_wanted(COLOUR_AUTO) };
	struct diff *d = diff_new(&o->diff, inputs, nr);
	int ret = 0;

	ops->begin(&out, diff_head(d));
	for (size_t i = 0; i < diff_nr_sections(d); i++) {
		int verdict;

		ops->section(&out, diff_section(d, i));
		verdict = diff_judge(o, d);
		if (ret != EXIT_GREW && verdict)
			ret = verdict;
	}
	ops->end(&out, diff_head(d));
	diff_free(d);
	return ret;
}

static int compare_all(struct diff_cmd *o, struct err *e)
{
	size_t nr = o->files.nr;
	_cleanup_(mem_freep) struct compared *r = xcalloc(nr, sizeof(*r));
	_cleanup_(mem_freep) struct diff_input *inputs = xcalloc(nr, sizeof(*inputs));
	struct side_by_side x = {
		.o = o, .r = r, .par = par_new(session_wanted_workers()), .e = e
	};
	const char *bad_option = NULL;
	bool wanted = true;
	int ret, cut = 0;

	if (o->screen)
		wanted = diff_screen_read(o, read_beside, &x);
	else
		x.ret = read_recordings(&x, e);
	ret = x.ret;
	for (size_t i = 0; i < nr; i++) {
		bad_option = bad_option ? bad_option : r[i].columns.bad_option;
		inputs[i] = (struct diff_input){ .name = o->files.v[i].path,
						 .s = r[i].rec.session,
						 .a = r[i].a,
						 .o = &r[i].o,
						 .columns = &r[i].columns,
						 .blocks = r[i].blocks,
						 .side = o->files.v[i].side };
	}
	if (!ret && !o->fails && wanted)
		tell_events(o, inputs);
	else if (!ret && wanted)
		ret = comparable_check(&o->diff, inputs, nr, e);
	if (!ret && o->screen && wanted)
		diff_screen_browse(o, r, inputs, nr);
	else if (!ret && !o->screen)
		ret = print_diff(o, inputs, nr, x.par);
	diff_screen_close(o); /* (what is told now is seen) */
	par_free(x.par);
	fflush(stdout);
	for (size_t i = 0; i < nr; i++) {
		if (ret >= 0 && wanted)
			tell_losses(o, &r[i], o->files.v[i].path);
		cut |= release_recording(&r[i]);
	}
	if (!ret)
		ret = cut;
	if (ret < 0 && bad_option)
		return opts_usage_error(diff_table, diff_usage, bad_option, "Error:\n%s%s%s",
					e->text, e->hint[0] ? "\nhint: " : "", e->hint);
	return ret;
}

/* ---- the command ---- */

static void add_file(struct diff_cmd *o, const char *path)
{
	u32 side = (u32)o->files.nr;

	if (o->word != EACH_ITS_OWN)
		side = o->word == BASE_SIDE ? 0 : o->nr_new;
	*VEC_PUSH(&o->files) = (struct diff_file){ .path = path, .side = side };
}

/* Words between options belong to the side that was begun last. -1: told. */
static int parse_words(struct diff_cmd *o, int argc, const char **argv)
{
	/* opts_parse() leaves out the first word, which is the command's name */
	_cleanup_(mem_freep) const char **words = xcalloc((size_t)argc + 2, sizeof(*words));

	for (int i = 0; i < argc; i++)
		words[i] = argv[i];
	for (;;) {
		int i = 0;

		argc = opts_parse(diff_table, o, argc, words, diff_usage, OPTS_STOP_AT_NON_OPTION);
		if (argc < 0)
			return -1;
		while (i < argc && words[i][0] != '-')
			add_file(o, words[i++]);
		if (i == argc)
			return 0;
		memmove(words + 1, words + i, (size_t)(argc - i) * sizeof(*words));
		words[0] = "diff";
		argc = argc - i + 1;
		words[argc] = NULL;
	}
}

static int by_side(const void *a, const void *b)
{
	const struct diff_file *x = a, *y = b;

	return x->side != y->side ? (x->side < y->side ? -1 : 1) : x < y ? -1 : x > y;
}

/* perf's names where none or only the new one is given. */
static void settle_files(struct diff_cmd *o)
{
	struct diff_file first = { .path = "perf.data.old" };

	if (o->word != EACH_ITS_OWN || o->files.nr > 1) {
		qsort(o->files.v, o->files.nr, sizeof(*o->files.v), by_side);
		return;
	}
	if (!o->files.nr)
		add_file(o, "perf.data");
	*VEC_PUSH(&o->files) = (struct diff_file){ .path = o->files.v[0].path, .side = 1 };
	o->files.v[0] = first;
}

/* What makes sense of one run a side only, or of several. */
static int check_runs(const struct diff_cmd *o)
{
	bool shares = o->diff.compute == DIFF_DELTA || o->diff.compute == DIFF_DELTA_ABS;
	size_t nr = o->files.nr;
	u32 last = o->files.v[nr - 1].side;

	if (o->diff.streams && nr != 2)
		return opts_usage_error(diff_table, diff_usage, "stream",
					"--stream compares two recordings");
	if (o->diff.formula && shares && last + 1 < nr)
		return opts_usage_error(
			diff_table, diff_usage, "formula",
			"what differs are means of several runs: there is no formula "
			"of one line");
	for (size_t i = 0; i < nr && o->diff.sure; i++)
		if ((!i || o->files.v[i - 1].side != o->files.v[i].side) &&
		    (i + 1 == nr || o->files.v[i + 1].side != o->files.v[i].side))
			return opts_usage_error(diff_table, diff_usage, "significant",
						"--significant needs several runs on each side, "
						"'%s' is alone",
						o->files.v[i].path);
	return 0;
}

static int check_sides(const struct diff_cmd *o)
{
	size_t nr = o->files.nr;

	if (o->files.v[0].side)
		return opts_usage_error(diff_table, diff_usage, "base",
					"no recording is on the side of the base");
	for (size_t i = 1; i < nr; i++)
		if (o->files.v[i].side > o->files.v[i - 1].side + 1)
			return opts_usage_error(diff_table, diff_usage, "new",
						"no recording follows --new");
	if (!o->files.v[nr - 1].side || o->files.v[nr - 1].side < o->nr_new)
		return opts_usage_error(diff_table, diff_usage, "new",
					"no recording follows --new");
	if (nr > MAX_FILES) {
		log_error("at most %d recordings can be compared", MAX_FILES);
		return EXIT_REFUSED;
	}
	return check_runs(o);
}

static int check(const struct diff_cmd *o)
{
	if (o->diff.spread && o->diff.compute != DIFF_CYCLES)
		return opts_usage_error(diff_table, diff_usage, "cycles-hist",
					"--cycles-hist is of -c cycles");
	if (o->profile.call_paths && (o->diff.streams || o->diff.compute == DIFF_CYCLES))
		return opts_usage_error(diff_table, diff_usage, "call-paths",
					"-g has a row for each call path: not with -c cycles, "
					"--stream");
	if (o->fails && (o->diff.compute == DIFF_CYCLES || o->diff.streams))
		return opts_usage_error(diff_table, diff_usage, "fail-above",
					"--fail-above compares shares: not with -c cycles, "
					"--stream");
	if (o->fails && o->diff.noise > o->fail_above)
		return opts_usage_error(diff_table, diff_usage, "noise",
					"--noise %g leaves out what --fail-above %g is to tell",
					o->diff.noise, o->fail_above);
	if (o->fails && o->diff.base_only)
		return opts_usage_error(diff_table, diff_usage, "baseline-only",
					"-b leaves out what is new, which --fail-above is to tell");
	if (o->separator && *o->separator == '.') {
		fprintf(stderr, "'.' is the only non valid --field-separator argument\n");
		return EXIT_REFUSED;
	}
	return 0;
}

static void dump(const struct config *config, const struct diff_cmd *o)
{
	for (size_t i = 0; i < o->files.nr; i++) {
		struct words line = { .v = NULL };

		words_add(&line, "report");
		words_add(&line, "-D");
		words_add(&line, "-i");
		words_add(&line, o->files.v[i].path);
		if (o->rec.opts.input.force)
			words_add(&line, "-f");
		run_other(config, &line);
	}
}

static int run_diff(const struct config *config, struct diff_cmd *o)
{
	struct err e = ERR_INIT;
	int ret;

	settle_files(o);
	ret = check_sides(o);
	if (ret)
		return ret;
	if (o->order > o->files.v[o->files.nr - 1].side) {
		log_error("Order option out of limit.");
		return EXIT_REFUSED;
	}
	o->diff.order = (u32)o->order;
	o->diff.separated = o->separator;
	o->diff.apart = o->json;
	o->diff.told = o->rec.verbose > 0 && !o->rec.quiet;
	o->profile.agg.verbose = o->diff.told;
	o->profile.relative = o->diff.relative;
	o->profile.separated = o->separator;
	o->rec.opts.by_address = profile_needs_addresses(&o->profile);
	o->profile.agg.join_addresses = o->rec.opts.by_address;
	o->profile.agg.join_unnamed = !o->diff.told && !o->profile.call_paths && !o->diff.streams &&
				      o->diff.compute != DIFF_CYCLES;
	o->profile.agg.by_first = !o->diff.streams;
	o->rec.opts.unwind = o->profile.call_paths;
	if (o->diff.streams)
		streams_options(&o->rec.opts, &o->profile);
	if (!diff_screen_open(o))
		pager_start();
	if (o->dump)
		dump(config, o);
	ret = compare_all(o, &e);
	if (ret >= 0)
		return ret;
	err_print(&e);
	return EXIT_REFUSED;
}

static int diff_run(const struct config *config, int argc, const char **argv)
{
	struct diff_cmd o = {
		.order = 1,
		.profile = { .agg = { .time_quantum = 100000000, .socket = -1 },
			     .graph = { .off = true },
			     .ipc = true,
			     .usual_sort = "dso,symbol" },
		.tui = true,
	};
	int ret;

	if (config_apply(config, diff_config, &o) || recording_configure(&o.rec, config))
		return EXIT_REFUSED;
	ret = parse_words(&o, argc, argv) < 0 ? EXIT_USAGE : check(&o);
	if (!ret)
		ret = run_diff(config, &o);
	vec_free(&o.files);
	return ret;
}

static const char *diff_value(const char *option, size_t i)
{
	if (!strcmp(option, "sort"))
		return profile_field_name(i, false);
	return !strcmp(option, "compute") && i < ARRAY_SIZE(computes) ? computes[i].word : NULL;
}

const struct command cmd_diff = {
	.name = "diff",
	.summary = "show how the profiles of recordings differ",
	.usage = diff_usage,
	.opts = diff_table,
	.run = diff_run,
	.flags = CMD_PAGER | CMD_PAGER_LATER,
	.settings = diff_config,
	.settings_size = sizeof(struct diff_cmd),
	.value = diff_value,
};
