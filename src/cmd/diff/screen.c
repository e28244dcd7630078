/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/diff/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "profile/comparable.h"
#include "cmd/diff/judge.h"
#include "text/header.h"
#include "tui/recording.h"
#include "tui/sections.h"

/* What is compared, while it is shown. */
struct shown_diff {
	struct diff_cmd *o;
	struct compared *compared;
	const struct diff_input *inputs;
	size_t nr;
	struct diff *diff;
};

static bool is_for_text(const struct diff_cmd *o)
{
	bool stream = false;

	VEC_FOR(&o->files, f)
		stream |= !strcmp(f->path, "-");
	/* (what a script waits for is an exit status) */
	return o->use_stdio || o->json || o->separator || o->dump || o->fails || o->diff.streams ||
	       (!o->use_tui && stream);
}

bool diff_screen_open(struct diff_cmd *o)
{
	struct err e = ERR_INIT;

	if (is_for_text(o) || (!o->use_tui && !(o->tui && tui_is_possible())))
		return false;
	if (tui_sections_open(&o->screen, &o->colours, &e) == 0) {
		o->diff.outline = true;
		return true;
	}
	/* (perf prints where standard output is no terminal, whatever was asked for) */
	if (isatty(STDOUT_FILENO)) {
		log_warn("%s", e.text);
		log_hint("%s", e.hint);
	}
	return false;
}

void diff_screen_close(struct diff_cmd *o)
{
	tui_sections_close(o->screen);
	o->screen = NULL;
}

bool diff_screen_read(struct diff_cmd *o, void (*read)(void *ctx, const bool *unwanted), void *ctx)
{
	return tui_sections_read(o->screen, read, ctx);
}

/* ---- what is asked of the differences ---- */

static const struct view_section *section_of(void *ctx, size_t i)
{
	return diff_section(((const struct shown_diff *)ctx)->diff, i);
}

static const char *event_of(void *ctx, size_t i)
{
	return comparable_event(&((const struct shown_diff *)ctx)->inputs[0], i);
}

/* (the screen escapes) */
static void add_header(void *ctx, struct strbuf *out)
{
	const struct shown_diff *s = ctx;

	for (size_t i = 0; i < s->nr; i++) {
		strbuf_addf(out, "%s%s (%s)\n", i ? "\n" : "", s->inputs[i].name,
			    s->inputs[i].side ? "new" : "base");
		header_text(session_file(s->inputs[i].s), true, false, out);
	}
}

static double limit(void *ctx, const double *new_limit)
{
	struct shown_diff *s = ctx;

	if (new_limit)
		s->o->diff.noise = *new_limit;
	return s->o->diff.noise;
}

static void add_note(void *ctx, struct strbuf *out)
{
	const struct shown_diff *s = ctx;
	struct diff_doubt doubt = diff_doubt(s->diff);

	if (doubt.name)
		diff_add_doubt(&doubt, out);
}

static bool function_of(void *ctx, size_t n, const struct view_rows *level, size_t row,
			struct section_code *out)
{
	const struct shown_diff *s = ctx;
	const struct diff_input *in = &s->inputs[n];
	const struct agg_section *section;
	const struct agg_entry *e = diff_entry(s->diff, level, row, n, &section);
	size_t key = diff_key(&in->o->agg, "symbol");
	const struct frame *f;
	struct dso *d;

	if (!e || key == in->o->agg.nr_keys)
		return false;
	f = session_frame_get(in->s, (frame_id)e->words[key]);
	d = dso_table_get(session_dsos(in->s), f->dso);
	if (f->sym == SYM_NONE || !d)
		return false;
	*out = (struct section_code){ .dso = dso_long_name(d),
				      .symbol = symtab_name(dso_symtab(d), f->sym),
				      .event = section->event,
				      .nr_events = section->nr_members };
	return true;
}

void compared_forget_code(struct compared *r)
{
	code_source_release(&r->code);
	if (r->code_recording.prepared)
		recording_close(&r->code_recording);
	r->code_recording = (struct recording){ .session = NULL };
}

static const struct code_source *code_of(void *ctx, size_t n, struct err *e)
{
	struct compared *r = &((const struct shown_diff *)ctx)->compared[n];
	static const struct annotate_opts usual;

	if (r->code.session)
		return &r->code;
	if (recording_open_addresses(&r->code_recording, &r->unread, e) < 0 ||
	    code_source_read(&r->code, r->code_recording.session, &usual, e) < 0) {
		compared_forget_code(r);
		return NULL;
	}
	r->code.note = r->unread.opts.input.path;
	return &r->code;
}

/* ---- showing ---- */

/* "old and new", "base-1, base-2 and 4 more" */
static void add_files(const struct shown_diff *s, struct strbuf *out)
{
	strbuf_addf(out, "%s%s %s", s->inputs[0].name, s->nr > 2 ? "," : " and", s->inputs[1].name);
	if (s->nr > 2)
		strbuf_addf(out, " and %zu more", s->nr - 2);
}

void diff_screen_browse(struct diff_cmd *o, struct compared *compared,
			const struct diff_input *inputs, size_t nr)
{
	_cleanup_(strbuf_releasep) struct strbuf files = STRBUF_INIT;
	_cleanup_(mem_freep) const char **names = XNEW_ARRAY(const char *, nr);
	struct shown_diff s = { .o = o, .compared = compared, .inputs = inputs, .nr = nr };
	struct sections_source source = { .ctx = &s,
					  .section = section_of,
					  .event = event_of,
					  .add_header = add_header,
					  .add_note = add_note,
					  .limit = limit,
					  .nr_codes = nr,
					  .codes = names,
					  .function = function_of,
					  .code = code_of };

	for (size_t i = 0; i < nr; i++)
		names[i] = inputs[i].name;
	add_files(&s, &files);
	s.diff = diff_new(&o->diff, inputs, nr);
	source.nr = diff_nr_sections(s.diff);
	source.files = files.buf;
	if (source.nr)
		tui_sections_browse(o->screen, &source);
	diff_screen_close(o); /* (it lists rows of the differences) */
	diff_free(s.diff);
}
