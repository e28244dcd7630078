/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/report/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "base/log.h"
#include "base/mem.h"
#include "text/header.h"
#include "tui/code.h"

struct report_screen {
	struct tui_recording *tui;
	struct browse_wish wish;
	bool again;
	struct session *session; /* while one is shown */
	struct report_shown shown;
	struct browse_wish now, before; /* all wishes; without the last. NULL = as typed. */
	/* when there were samples, by worker; those of the first reading, of any time */
	struct time_strip *strips;
	unsigned int nr_strips;
	struct time_strip all;
	bool keeps_all;
	/* samples by address, read when code is asked for first */
	struct recording unread; /* as it was before it was opened */
	struct recording code_recording;
	struct code_source code;
};

static bool is_for_text(const struct report_opts *o)
{
	const char *path = o->rec.opts.input.path;

	return o->use_stdio || o->json || o->separator || o->header || o->header_only || o->stats ||
	       o->tasks || o->mmaps || o->dump ||
	       (!o->use_tui && path && !strcmp(path, "-")); /* as perf */
}

struct report_screen *report_screen_open(const struct report_opts *o)
{
	struct err e = ERR_INIT;
	struct report_screen *s;

	if (is_for_text(o) || (!o->use_tui && !(o->tui && tui_is_possible())))
		return NULL;
	s = XNEW(struct report_screen);
	if (!tui_recording_open(&s->tui, &o->colours, &e))
		return s;
	/* (perf prints where standard output is no terminal, whatever was asked for) */
	if (isatty(STDOUT_FILENO)) {
		log_warn("%s", e.text);
		log_hint("%s", e.hint);
	}
	free(s);
	return NULL;
}

void report_screen_settle(struct report_opts *o)
{
	/* one look at a tree, whatever style was configured for text */
	if (o->graph.style != TEXT_TREE_GRAPH) {
		o->graph.style = TEXT_TREE_GRAPH;
		o->profile.agg.graph_min = o->graph.min_percent;
	}
	o->profile.agg.again = o->profile.agg.chains;
	o->profile.names_left = true;
}

static void add_header(void *ctx, struct strbuf *out)
{
	struct report_opts *o = ctx;

	/* (the screen escapes) */
	header_text(session_file(o->screen->session), true, false, out);
}

/* ---- samples by address ---- */

static void forget_code(struct report_screen *s)
{
	code_source_release(&s->code);
	if (s->code_recording.prepared)
		recording_close(&s->code_recording);
	s->code_recording = (struct recording){ .session = NULL };
}

/* What comes through a pipe cannot be read again. */
static bool is_read_once(struct session *s)
{
	struct stat st;

	return !strcmp(perfdata_path(session_file(s)), "-") &&
	       (fstat(STDIN_FILENO, &st) || !S_ISREG(st.st_mode));
}

static const struct code_source *find_code(void *ctx, struct err *e)
{
	const struct report_opts *o = ctx;
	struct report_screen *s = o->screen;
	struct annotate_opts opts = { .prefix = o->prefix };
	u64 strip = 0;

	if (s->code.session)
		return &s->code;
	if (is_read_once(s->session)) {
		err_set(e, ENOTSUP, "that needs another reading, and standard input is read once");
		return NULL;
	}
	if (o->prefix_strip && (!fmt_parse_u64(o->prefix_strip, &strip) || strip > UINT32_MAX)) {
		err_set(e, EINVAL, "--prefix-strip: '%s' is not a number", o->prefix_strip);
		return NULL;
	}
	opts.prefix_strip = (u32)strip;
	if (recording_open_addresses(&s->code_recording, &s->unread, e) < 0 ||
	    code_source_read(&s->code, s->code_recording.session, &opts, e) < 0) {
		forget_code(s);
		return NULL;
	}
	s->code.note = "whatever was zoomed into";
	return &s->code;
}

static const struct blocks *find_blocks(void *ctx, const struct agg *rows)
{
	struct blocks *b = ((struct report_opts *)ctx)->screen->shown.blocks;

	blocks_finish(b, rows);
	return b;
}

static void add_threads(void *ctx, struct strbuf *out)
{
	const struct report_screen *s = ((struct report_opts *)ctx)->screen;

	thread_counts_add_text(s->shown.threads, s->session, out);
}

/* ---- when there were samples ---- */

void report_screen_time(struct report_opts *o, unsigned int worker, u64 time)
{
	time_strip_add(&o->screen->strips[worker], time);
}

static void add_strip(void *ctx, struct time_strip *out)
{
	const struct report_screen *s = ((struct report_opts *)ctx)->screen;

	if (s->keeps_all) {
		*out = s->all;
		return;
	}
	for (unsigned int i = 0; i < s->nr_strips; i++)
		time_strip_merge(out, &s->strips[i]);
}

static bool has_time(const struct report_screen *s)
{
	return s->now.time && *s->now.time;
}

/* Another reading begins: of a part of the time, all that could be chosen is remembered. */
static void renew_strips(struct report_opts *o, struct session *session)
{
	struct report_screen *s = o->screen;

	if (has_time(s) && !s->keeps_all && s->strips) {
		for (unsigned int i = 0; i < s->nr_strips; i++)
			time_strip_merge(&s->all, &s->strips[i]);
		s->keeps_all = true;
	} else if (!has_time(s)) {
		s->keeps_all = false;
		s->all = (struct time_strip){ .used = false };
	}
	free(s->strips);
	s->nr_strips = session_workers(session);
	s->strips = XNEW_ARRAY(struct time_strip, s->nr_strips);
}

void report_screen_begin(struct report_opts *o, struct session *s, struct profile_columns *cols,
			 const struct report_shown *shown)
{
	struct browse_source source = { .session = s,
					.opts = &o->profile,
					.columns = cols,
					.agg = shown->agg,
					.ctx = o,
					.add_header = add_header,
					.code = find_code,
					.strip = add_strip,
					.blocks = shown->blocks ? find_blocks : NULL,
					.add_threads = shown->threads ? add_threads : NULL,
					.once = is_read_once(s),
					.time = o->rec.opts.time,
					.time_undoes = has_time(o->screen) };

	o->screen->session = s;
	o->screen->shown = *shown;
	renew_strips(o, s);
	tui_recording_begin(o->screen->tui, &source);
}

int report_screen_browse(struct report_opts *o, struct err *e)
{
	struct err mine = ERR_INIT;

	o->screen->again = tui_recording_browse(o->screen->tui, &o->screen->wish, &mine);
	if (!mine.code)
		return 0;
	*e = mine;
	return -1;
}

bool report_screen_round(struct report_opts *o)
{
	return tui_recording_round(o->screen->tui);
}

/* ---- reading again ---- */

static void free_wish(struct browse_wish *w)
{
	free(w->path);
	free(w->sort);
	free(w->time);
	*w = (struct browse_wish){ .path = NULL };
}

/* The wish, or what was wished before. */
static char *word_of(const char *wish, const char *before)
{
	const char *word = wish ? wish : before;

	return word ? xstrdup(word) : NULL;
}

static void take_wish(struct report_screen *s)
{
	free_wish(&s->before);
	s->before = s->now;
	s->now = (struct browse_wish){
		.path = word_of(s->wish.path, s->before.path),
		.sort = word_of(s->wish.sort, s->before.sort),
		/* (times of another recording are others) */
		.time = word_of(s->wish.time, s->wish.path ? NULL : s->before.time),
		.verbose = s->wish.verbose != s->before.verbose,
	};
	free_wish(&s->wish);
}

static void apply_wishes(struct report_opts *o, const struct report_screen *s)
{
	const struct browse_wish *w = &s->now;

	if (w->path)
		o->rec.opts.input.path = w->path;
	if (w->sort) {
		o->profile.sort = w->sort;
		o->profile.fields = NULL;
	}
	if (w->time)
		o->rec.opts.time = *w->time ? w->time : NULL;
	if (w->verbose)
		o->profile.agg.verbose = !o->profile.agg.verbose;
	o->rec.progress = NULL;
	o->rec.opts.progress = tui_recording_progress;
	o->rec.opts.progress_ctx = s->tui;
}

/* A wish that cannot be fulfilled is told, and things are as they were before it. */
static void drop_wish(struct report_screen *s, struct err *e)
{
	free_wish(&s->now);
	s->now = s->before;
	s->before = (struct browse_wish){ .path = NULL };
	tui_recording_complain(s->tui, e);
	*e = (struct err)ERR_INIT;
}

int report_on_screen(struct report_screen *s, struct report_opts *o,
		     int (*read)(struct report_opts *o, struct err *e), struct err *e)
{
	bool wished = false;
	int ret, status;

	do {
		struct report_opts mine = *o;

		mine.screen = s;
		s->again = false;
		apply_wishes(&mine, s);
		s->unread = mine.rec;
		ret = read(&mine, e);
		tui_recording_end(s->tui);
		forget_code(s);
		status = recording_close(&mine.rec);
		o->bad_option = mine.bad_option;
		if (s->again)
			take_wish(s);
		else if (ret < 0 && wished)
			drop_wish(s, e);
		else
			break;
		wished = s->again;
	} while (true);
	tui_recording_close(s->tui);
	free_wish(&s->now);
	free_wish(&s->before);
	free(s->strips);
	free(s);
	return ret < 0 ? ret : status;
}
