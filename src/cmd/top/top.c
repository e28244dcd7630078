/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf top: the heaviest functions of the running machine, every few seconds.
 *
 * A capture feeds a live source, a session resolves its samples, agg adds them up; between two
 * rounds a snapshot is taken and shown, and what was added up ages.
 */
#include "cmd/top/top.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/safe_file.h"
#include "cli/command.h"
#include "cli/print_err.h"
#include "cmd/watching.h"
#include "live/live.h"
#include "perfdata/writer.h"
#include "program/command_line.h"
#include "selection/open_note.h"
#include "sys/end_signals.h"

enum {
	EXIT_FAILED = 255,
	ROUND_MS = 100,
	MAX_SYNTH_THREADS = 256,
	BACKLOG_PER_CPU = 2 << 20, /* what waits while rows are put together; more is lost */
	MANY_PAIRS =
		4 * AGG_AGED_PAIRS, /* of a row and a callchain: with more, light ones go at once */
	FIRST_MS = 600, /* the full screen shows something so soon */
	AGE_NUM = 7, /* what was counted becomes 7/8 of itself at each refresh */
	AGE_DEN = 8,
};

/* ---- samples ---- */

static bool is_hidden(const struct top_opts *o, u8 cpumode)
{
	bool kernel = cpumode == PERF_RECORD_MISC_KERNEL ||
		      cpumode == PERF_RECORD_MISC_GUEST_KERNEL;
	bool user = cpumode == PERF_RECORD_MISC_USER || cpumode == PERF_RECORD_MISC_GUEST_USER;

	return (o->choice.hide_kernel && kernel) || (o->choice.hide_user && user);
}

static bool take_samples(void *ctx, struct session_worker *w, unsigned int worker,
			 const struct session_record *r, size_t nr)
{
	struct top *t = ctx;
	struct top_counts *c = &t->workers[worker].counts;
	const struct top_opts *o = t->o;

	c->samples += nr;
	top_code_samples(t->code, w, worker, r, nr);
	for (size_t i = 0; i < nr; i++) {
		u8 mode = r[i].h->misc & PERF_RECORD_MISC_CPUMODE_MASK;

		c->kernel += mode == PERF_RECORD_MISC_KERNEL;
		c->exact += (r[i].h->misc & PERF_RECORD_MISC_EXACT_IP) != 0;
		if ((o->choice.hide_kernel || o->choice.hide_user) && !is_hidden(o, mode))
			agg_samples(t->agg, w, worker, &r[i], 1);
	}
	return o->choice.hide_kernel || o->choice.hide_user ||
	       agg_samples(t->agg, w, worker, r, nr);
}

/* For --switch-on and --stitch-lbr: one record after the other, in order of time. */
static bool take_in_order(void *ctx, struct session_worker *w, unsigned int worker,
			  const struct session_record *r, struct strbuf *out UNUSED)
{
	struct top *t = ctx;

	if (r->h->type != PERF_RECORD_SAMPLE || !r->sample ||
	    event_switch_skips(&t->o->switches, r->event))
		return true;
	return take_samples(t, w, worker, r, 1);
}

static struct top_counts take_counts(struct top *t)
{
	struct top_counts sum = { 0 };
	u64 lost = session_stats(t->session)->lost_events;

	for (size_t i = 0; i < t->nr_workers; i++) {
		sum.samples += t->workers[i].counts.samples;
		sum.kernel += t->workers[i].counts.kernel;
		sum.exact += t->workers[i].counts.exact;
		t->workers[i].counts = (struct top_counts){ 0 };
	}
	sum.lost = lost - t->lost;
	t->lost = lost;
	return sum;
}

static void age(struct top *t)
{
	u32 num = t->o->choice.zero ? 0 : AGE_NUM, den = t->o->choice.zero ? 1 : AGE_DEN;

	agg_decay(t->agg, num, den);
	top_code_age(t->code, num, den);
}

static bool refresh(struct top *t, u64 now)
{
	struct top_counts c = take_counts(t);
	bool open = true;

	if (t->tui)
		top_terminal_refresh(t, &c);
	else
		open = !top_show(t, &c, now - t->last);
	age(t);
	mem_give_back();
	t->last = now;
	/* counted from its end: samples are read between two, also where one takes that long */
	t->next = clock_now() + t->o->choice.delay * 1000000000;
	return open;
}

/* Until there is something to read, or the next refresh is due: keys. False: to be quit. */
static bool wait_text(struct top *t, u64 now)
{
	bool keys = keyboard_is_ours(&t->keyboard);
	int ms = t->next > now ? (int)MIN((t->next - now) / 1000000 + 1, (u64)INT32_MAX) : 0;

	live_wait_round(t->live, keys ? STDIN_FILENO : -1, ms);
	return top_take_keys(t);
}

static bool on_round(void *ctx, const struct session_round *r UNUSED)
{
	struct top *t = ctx;

	if (agg_size(t->agg).pairs > MANY_PAIRS)
		agg_decay(t->agg, 1, 1); /* many CPUs: not all of them are kept until then */
	do {
		u64 now = clock_now();

		if (now >= t->next)
			t->over = !refresh(t, now);
		if (!t->over)
			t->over = t->tui ? !top_terminal_wait(t, t->next) : !wait_text(t, now);
	} while (!t->over && !live_wait_round(t->live, -1, 0));
	return !t->over;
}

static void on_renew(void *ctx, struct session_renewal *r)
{
	struct top *t = ctx;

	if (t->tui)
		tui_running_renew(t->tui, r);
	else
		agg_renew(t->agg, r, NULL, 0);
	top_code_renew(t->code);
}

/* ---- what is watched ---- */

static int watch(struct top *t, struct err *e)
{
	struct session_consumer c = {
		.ctx = t, .samples = take_samples, .round = on_round, .renew = on_renew
	};
	int ret;

	if (event_switch_used(&t->o->switches) || t->o->stitch_lbr) {
		c.order = SESSION_ORDERED;
		c.serial = true;
		c.record = take_in_order;
	}
	t->nr_workers = session_workers(t->session);
	t->workers = aligned_alloc(64, t->nr_workers * sizeof(*t->workers));
	memset(t->workers, 0, t->nr_workers * sizeof(*t->workers));
	t->screen = isatty(STDOUT_FILENO) && !t->o->json;
	t->last = clock_now();
	t->next = t->last + (t->tui ? FIRST_MS * 1000000ULL : t->o->choice.delay * 1000000000);
	if (t->tui)
		top_terminal_begin(t);
	else
		keyboard_open(&t->keyboard);
	ret = session_run(t->session, &c, e);
	keyboard_close(&t->keyboard);
	if (!ret && live_wait(t->live, e) < 0 && !t->over)
		ret = -1;
	/* what was seen of tasks that have ended before it was due */
	if (!ret && !t->over)
		refresh(t, clock_now());
	if (!ret && !t->over && t->tui && !capture_result(t->capture)->signal)
		top_terminal_stay(t);
	top_terminal_close(t);
	free(t->workers);
	return ret;
}

/* The objects that samples were in, with all their symbols. */
static void dump_symbols(struct top *t)
{
	struct dso_table *dsos = session_dsos(t->session);
	u8 *used = xcalloc(dso_table_count(dsos) + 1, 1);

	for (u32 f = 1; f <= session_nr_frames(t->session); f++)
		used[session_frame_get(t->session, f)->dso] = 1;
	for (dso_id id = 1; id <= dso_table_count(dsos); id++) {
		const struct dso *d = dso_table_get(dsos, id);
		_cleanup_(strbuf_releasep) struct strbuf text = STRBUF_INIT;
		const struct symtab *st = used[id] ? dso_symtab((struct dso *)d) : NULL;

		if (!used[id])
			continue;
		strbuf_adds(&text, "dso: ");
		strbuf_add_escaped(&text, dso_short_name(d));
		strbuf_adds(&text, " (");
		strbuf_add_escaped(&text, dso_long_name(d));
		strbuf_adds(&text, ", loaded, ");
		fmt_build_id(&text, dso_build_id(d)->bytes, dso_build_id(d)->size);
		strbuf_adds(&text, ")\n");
		for (u32 s = 0; s < symtab_count(st); s++) {
			strbuf_addf(&text, " %llx-%llx ", (unsigned long long)symtab_start(st, s),
				    (unsigned long long)symtab_end(st, s));
			strbuf_add_escaped(&text, symtab_name(st, s));
			strbuf_addch(&text, '\n');
		}
		fputs(text.buf, stderr);
	}
	free(used);
}

static int run_session(struct top *t, struct err *e)
{
	struct session_opts so = { .source = t->live, .dso = t->o->dso };
	const struct graph_opts *g = &t->o->graph;
	int ret;

	so.max_stack = (u32)MIN(t->o->max_stack, (u64)UINT32_MAX);
	so.unwind = so.lbr = so.drop_unmapped = t->o->callgraph;
	so.keep_outermost = t->o->profile.children;
	so.stitch_lbr = t->o->stitch_lbr;
	so.branches = g->branch;
	so.by_address = g->address || g->lines || profile_needs_addresses(&t->o->profile);
	t->o->profile.agg.join_addresses = so.by_address && !g->address;
	t->o->profile.agg.join_lines = so.by_address && g->lines;
	if (session_open(&t->session, &so, e) < 0)
		return -1;
	t->columns.order = (struct strbuf)STRBUF_INIT;
	t->typed = t->o->profile;
	top_terminal_open(t);
	t->code = top_code_new(t);
	ret = top_settle(t, e);
	if (!ret)
		ret = watch(t, e);
	top_terminal_close(t);
	if (!ret && t->o->dump_symtab)
		dump_symbols(t);
	top_code_free(t->code);
	agg_free(t->agg);
	session_close(t->session);
	return ret;
}

static void on_open_note(void *ctx, enum capture_open_note kind, const struct event *ev,
			 const char *text)
{
	const struct sampling *s = &((const struct top *)ctx)->o->sampling;

	/* what is sampled in its place stands above the rows */
	if (kind != CAPTURE_NOTE_CHANGED || s->verbose)
		open_note_tell(s->verbose, s->quiet, kind, ev, text);
}

static int tell_failure(const struct top *t, const struct err *e)
{
	if (t->columns.bad_option)
		return opts_usage_error(top_table, top_usage, t->columns.bad_option,
					"Error:\n%s%s%s", e->text, e->hint[0] ? "\nhint: " : "",
					e->hint);
	err_print(e);
	return EXIT_FAILED;
}

/* Opens --record FILE for a stream; a recording that is there becomes FILE.old. */
static int open_copy(const char *path, int *fd, struct err *e)
{
	if (perfdata_keep_old(path, e) < 0)
		return -1;
	*fd = output_file_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600, e);
	return *fd < 0 ? -1 : 0;
}

static int run(void *ctx, struct capture *c, struct source *live, struct err *e)
{
	struct top *t = ctx;
	int ret;

	t->capture = c;
	t->live = live;
	ret = run_session(t, e);
	if (ret < 0) {
		ret = tell_failure(t, e);
	} else if (capture_result(c)->overwritten) {
		log_warn("%.1f MB of samples were overwritten before they were read",
			 (double)capture_result(c)->overwritten / 1e6);
		log_hint("-m makes rings larger");
	}
	profile_columns_release(&t->columns);
	free(t->sort);
	return ret;
}

/* Opens the events and shows what they say. An exit status. */
static int run_top(struct top *t, struct capture_target *target, const char *const *line)
{
	struct watching w = { .sampling = &t->o->sampling,
			      .target = target,
			      .line = line,
			      .tee_fd = -1,
			      .backlog = (size_t)BACKLOG_PER_CPU * MAX(target->nr_cpus, (size_t)2),
			      .on_note = on_open_note,
			      .run = run,
			      .ctx = t };
	struct err e = ERR_INIT;
	int ret;

	if (t->o->record && open_copy(t->o->record, &w.tee_fd, &e) < 0) {
		err_print(&e);
		return EXIT_FAILED;
	}
	ret = watch_events(&w);
	mem_closep(&w.tee_fd);
	return ret < 0 ? EXIT_FAILED : ret;
}

/* How code is shown. */
static int check_code(struct top_opts *o)
{
	struct err e = ERR_INIT;

	if (o->prefix_strip && !o->annotate.prefix) {
		log_error("--prefix-strip requires --prefix");
		return EXIT_FAILED;
	}
	o->annotate.prefix_strip = (u32)MIN(o->prefix_strip, (u64)UINT32_MAX);
	o->annotate.no_source = !o->source;
	if (annotate_check_style(&o->annotate, &e) == 0)
		return 0;
	err_print(&e);
	return EXIT_FAILED;
}

static int check(struct top_opts *o)
{
	struct err e = ERR_INIT;

	if (!o->choice.delay)
		o->choice.delay = 1;
	o->sampling.cfg.synth_threads = (unsigned int)MIN(o->synth_threads, (u64)MAX_SYNTH_THREADS);
	VEC_FOR(&o->sampling.events.events, ev) {
		if ((*ev)->kind == EVENT_TOOL) {
			log_error("event '%s' cannot be sampled", (*ev)->name);
			return EXIT_FAILED;
		}
		if ((*ev)->cgroup && !o->sampling.system_wide && !o->sampling.cpus)
			return opts_usage_error(top_table, top_usage, "cgroup",
						"cgroup monitoring only available in system-wide "
						"mode");
	}
	if (o->stitch_lbr && o->sampling.cfg.callgraph.mode != EVENT_CG_LBR) {
		log_error("--stitch-lbr must be used with --call-graph lbr");
		return EXIT_FAILED;
	}
	if (event_switch_start_live(&o->switches, &o->sampling.events, &e) < 0) {
		err_print(&e);
		return EXIT_FAILED;
	}
	if (check_code(o))
		return EXIT_FAILED;
	return sampling_set_rate(&o->sampling);
}

/* Only now: threads that read the rings take it over. */
static int set_realtime(const struct top_opts *o)
{
	struct sched_param p = { .sched_priority = o->realtime };

	if (!o->realtime || !sched_setscheduler(0, SCHED_FIFO, &p))
		return 0;
	log_error("Could not set realtime priority.");
	return EXIT_FAILED;
}

/* Whether a list of keys ("dso,+cgroup") has this one. */
static bool names_key(const char *list, const char *key)
{
	size_t len = strlen(key);

	for (const char *p = list; p && *p; p += *p == ',') {
		size_t n;

		p += *p == '+';
		n = strcspn(p, ",");
		if (n == len && !strncmp(p, key, n))
			return true;
		p += n;
	}
	return false;
}

/* What keys show is recorded, whether that was asked for or not. */
static void record_keys(struct top_opts *o)
{
	const char *const lists[] = { o->profile.sort, o->profile.fields };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		o->sampling.cfg.cgroups |= names_key(lists[i], "cgroup");
		o->sampling.cfg.namespaces |= names_key(lists[i], "cgroup_id");
	}
}

static int start(struct top *t, const char *const *line)
{
	struct sampling *s = &t->o->sampling;
	struct capture_target target = { 0 };
	struct held_signals held = { 0 };
	struct err e = ERR_INIT;
	int ret;

	record_keys(t->o);
	sampling_choose_target(s, false, &target);
	ret = check(t->o);
	if (ret)
		return ret;
	if (sampling_add_default(s) < 0) {
		log_error("the default event cannot be set up");
		return EXIT_FAILED;
	}
	if (s->group)
		event_list_group(&s->events, 0, s->events.events.nr, NULL);
	if (sampling_resolve_target(s, &target, NULL, NULL, true, &e) < 0) {
		sampling_print_target_error(s, &e);
		ret = EXIT_FAILED;
	} else {
		t->target = &target;
		sampling_choose_stacks(s, &target, NULL);
		held_signals_begin(&held, 0);
		ret = set_realtime(t->o);
	}
	if (!ret)
		ret = run_top(t, &target, line);
	capture_target_release(&target);
	return ret;
}

static int top_run(const struct config *config, int argc, const char **argv)
{
	struct top_opts o = {
		.sampling.cfg = { .synth = CAPTURE_SYNTH_ALL,
				  .moved_text = true,
				  .to_pipe = true,
				  .build_ids = true,
				  .round_ms = ROUND_MS },
		.profile = { .usual_sort = "dso,symbol",
			     .min_samples = 5,
			     .agg = { .time_quantum = 100000000, .socket = -1 } },
		.graph = { .min_percent = 0.5 },
		.choice.delay = 2,
		.source = true,
		.code_percent = 5,
		.tui = true,
	};
	const char *const *line = command_line_words(argc, argv);
	struct top t = { .o = &o };
	int ret = EXIT_USAGE;

	mem_one_heap();
	event_args_init(&o.sampling.env, config);
	event_list_init(&o.sampling.events);
	signal(SIGPIPE, SIG_IGN);
	if (config_apply(config, top_config, &o)) {
		ret = EXIT_FAILED;
		goto out;
	}
	argc = opts_parse(top_table, &o, argc, argv, top_usage, 0);
	if (argc > 0)
		opts_print_usage(top_table, top_usage, NULL);
	if (!argc)
		ret = start(&t, line);
out:
	sampling_release(&o.sampling);
	free((void *)(uintptr_t)line);
	return ret;
}

static const char *top_value(const char *option, size_t i)
{
	if (!strcmp(option, "sort") || !strcmp(option, "fields"))
		return profile_field_name(i, option[0] == 'f');
	return strcmp(option, "call-graph") ? NULL : event_stacks_word(i);
}

const struct command cmd_top = {
	.name = "top",
	.summary = "show the heaviest functions of the running machine",
	.usage = top_usage,
	.opts = top_table,
	.run = top_run,
	.settings = top_config,
	.settings_size = sizeof(struct top_opts),
	.value = top_value,
};
