/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/sandwich.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/ask.h"
#include "tui/export.h"
#include "tui/folds.h"
#include "tui/list.h"

enum { FIRST_LINE = 1 };

/* The two halves, in their order on the screen. */
static const struct half {
	const char *title;
	struct ask_opts opts;
} halves[] = {
	{ "Callers: who calls it", { .key = "symbol", .children = true, .min_percent = 0.05 } },
	{ "Callees: what it calls",
	  { .key = "symbol", .children = true, .caller_first = true, .min_percent = 0.05 } },
};

struct sandwich {
	struct browse *b;
	struct snapshot_condition
		condition; /* the function's samples, and those of what it calls */
	/* the function: an object and where it begins in it, or an address without a symbol */
	dso_id dso;
	u64 addr;
	bool nameless;
	char *inlined; /* struct frame.inlined */
	char *name;
	struct snapshot *snapshot; /* of these */
	struct agg *rows[ARRAY_SIZE(halves)];
	const struct agg_entry *entry[ARRAY_SIZE(halves)]; /* NULL = no sample passes it */
	struct view_table table;
	struct folds folds;
	struct list list;
	bool made; /* once */
	struct err problem; /* why it could not be made */
	u64 whole, own, with_callees; /* periods: of what is 100 %; of the function */
	struct strbuf text;
};

static bool make_tree(void *ctx, size_t row, struct view_tree *out)
{
	struct sandwich *s = ctx;

	return s->entry[row] && ask_tree(s->rows[row], ask_section(s->b, s->rows[row]),
					 s->entry[row], &halves[row].opts, out);
}

/* (numbers of frames may change) */
static bool is_same(const struct sandwich *s, const struct frame *f)
{
	return f->dso == s->dso && f->addr == s->addr && (f->sym == SYM_NONE) == s->nameless &&
	       !f->inlined == !s->inlined && (!f->inlined || !strcmp(f->inlined, s->inlined));
}

/* Its number now; 0 = it is not there. */
static frame_id find_frame(const struct sandwich *s)
{
	struct session *session = s->b->source.session;

	for (frame_id f = 1; f <= session_nr_frames(session); f++)
		if (is_same(s, session_frame_get(session, f)))
			return f;
	return 0;
}

static const struct agg_entry *find_row(const struct sandwich *s, struct agg *rows)
{
	const struct agg_section *section = ask_section(s->b, rows);

	for (size_t i = 0; section && i < section->nr_rows; i++)
		if (is_same(s, session_frame_get(s->b->source.session,
						 (frame_id)section->rows[i]->words[0])))
			return section->rows[i];
	return NULL;
}

static void forget(struct sandwich *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(halves); i++) {
		agg_free(s->rows[i]);
		s->rows[i] = NULL;
		s->entry[i] = NULL;
	}
	snapshot_free(s->snapshot);
	s->snapshot = NULL;
	s->whole = s->own = s->with_callees = 0;
}

static void take_sums(struct sandwich *s, size_t half)
{
	const struct agg_section *all = agg_section(s->b->shown.rows, s->b->shown.look.event);

	s->whole = s->b->shown.look.relative ? all->shown_period[0] : all->period[0];
	s->own = agg_value(s->rows[half], s->entry[half], 0, AGG_OVERHEAD);
	s->with_callees = agg_value(s->rows[half], s->entry[half], 0, AGG_OVERHEAD_CHILDREN);
}

/* Both halves are unfolded at first; what is unfolded stays so. */
static int make(struct sandwich *s, struct err *e)
{
	forget(s);
	if (s->condition.word &&
	    snapshot_zoom(&s->snapshot, browse_snapshot(s->b), &s->condition, 1, e) < 0)
		return -1;
	for (size_t i = 0; s->snapshot && i < ARRAY_SIZE(halves); i++) {
		const struct ask_opts *o = &halves[i].opts;

		if (ask_rows(s->b, s->snapshot, o, &s->rows[i], e) < 0)
			return -1;
		s->entry[i] = find_row(s, s->rows[i]);
		if (!s->entry[i])
			continue;
		take_sums(s, i);
		ask_prepare(s->rows[i], ask_section(s->b, s->rows[i]), &s->entry[i], 1, o);
	}
	s->table =
		(struct view_table){ .nr_rows = ARRAY_SIZE(halves), .ctx = s, .tree = make_tree };
	folds_reset(&s->folds, &s->table, NULL, ARRAY_SIZE(halves));
	for (size_t i = 0; !s->made && i < ARRAY_SIZE(halves); i++) {
		struct fold_place p = folds_at(&s->folds, folds_line_of(&s->folds, i));

		folds_open(&s->folds, &p, false);
	}
	s->made = true;
	return 0;
}

static double percent(const struct sandwich *s, u64 period)
{
	return s->whole ? 100.0 * (double)period / (double)s->whole : 0.0;
}

static void add_line(struct sandwich *s, const struct fold_place *p)
{
	strbuf_reset(&s->text);
	if (p->line)
		folds_add_node(&s->folds, p, percent(s, p->fold->tree.nodes.v[p->line->node].total),
			       &s->text);
	else
		strbuf_addf(&s->text, "%c %s", folds_sign(&s->folds, p), halves[p->row].title);
}

static void add_title(struct sandwich *s)
{
	strbuf_reset(&s->text);
	strbuf_addf(&s->text, "%s: %.2f%% with what it calls, %.2f%% of its own ", s->name,
		    percent(s, s->with_callees), percent(s, s->own));
	browse_add_scope(s->b, &s->text);
	if (!s->b->complete)
		strbuf_adds(&s->text, "(still being read: in part)");
}

static void draw_sandwich(struct tui *t, void *view)
{
	struct sandwich *s = view;
	u32 height = screen_height(t->screen) - FIRST_LINE - 1;

	add_title(s);
	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, s->text.buf);
	list_fit(&s->list, folds_nr_lines(&s->folds), FIRST_LINE, height);
	for (u32 i = 0; i < height && s->list.top + i < s->list.nr; i++) {
		struct fold_place p = folds_at(&s->folds, s->list.top + i);
		enum style style = p.line ? STYLE_PLAIN : STYLE_HEADER;

		add_line(s, &p);
		screen_text(t->screen, FIRST_LINE + i, 0, UINT32_MAX,
			    s->list.top + i == s->list.cursor ? STYLE_SELECTED : style,
			    list_shifted(&s->list, s->text.buf));
	}
}

static void fold(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct sandwich *s = view;
	struct fold_place p = folds_at(&s->folds, s->list.cursor);
	bool deep = k->code == 'e';

	if (deep || folds_sign(&s->folds, &p) == '+')
		folds_open(&s->folds, &p, deep);
	else
		folds_close(&s->folds, &p);
	s->list.cursor = folds_stay(&s->folds, s->list.cursor, p.at);
}

/* Its title and all lines, as on the screen. */
static void export_sandwich(struct tui *t, void *view, const struct key *k UNUSED)
{
	_cleanup_(strbuf_releasep) struct strbuf lines = STRBUF_INIT;
	struct sandwich *s = view;

	add_title(s);
	strbuf_addf(&lines, "%s\n", s->text.buf);
	for (size_t i = 0; i < folds_nr_lines(&s->folds); i++) {
		struct fold_place p = folds_at(&s->folds, i);

		add_line(s, &p);
		strbuf_addf(&lines, "%s\n", s->text.buf);
	}
	tui_export(t, "perf.hist", lines.buf);
}

static bool take_sandwich(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct sandwich *s = view;

	return list_take(&s->list, k);
}

static void sandwich_changed(struct tui *t, void *view)
{
	struct sandwich *s = view;
	struct err e = ERR_INIT;

	if (s->b->goes_on)
		s->condition.word = find_frame(s);
	if (make(s, &e) < 0)
		tui_complain_err(t, &e);
}

static const struct key_row sandwich_keys[] = {
	{ { KEY_OF_ENTER, '+', '-', KEY_OF_DOUBLE_CLICK },
	  "Enter + -",
	  "unfold or fold one level",
	  fold },
	{ { 'e' }, "e", "unfold with all below", fold },
	{ { 'P' }, "P", "write the lines as they are to perf.hist.N", export_sandwich },
	{ .name = NULL },
};

static void close_sandwich(struct tui *t UNUSED, void *view)
{
	struct sandwich *s = view;

	folds_release(&s->folds);
	forget(s);
	free(s->name);
	free(s->inlined);
	strbuf_release(&s->text);
	free(s);
}

static const struct tui_view_ops sandwich_ops = {
	.title = "Callers and callees",
	.keys = sandwich_keys,
	.draw = draw_sandwich,
	.take = take_sandwich,
	.changed = sandwich_changed,
	.close = close_sandwich,
};

/* Beside the loop: nothing of it is drawn yet. */
static void make_beside(void *view, const bool *unwanted UNUSED)
{
	struct sandwich *s = view;

	make(s, &s->problem);
}

static void show(struct tui *t, void *view, bool wanted)
{
	struct sandwich *s = view;

	if (wanted && !s->problem.code) {
		tui_push(t, &sandwich_ops, s);
		return;
	}
	if (wanted)
		tui_complain_err(t, &s->problem);
	close_sandwich(t, s);
}

void sandwich_view_open(struct tui *t, struct browse *b, const struct snapshot_condition *c,
			const char *name)
{
	const struct frame *f = session_frame_get(b->source.session, (frame_id)c->word);
	struct sandwich *s;
	struct err e = ERR_INIT;
	struct tui_work work = { .what = "looking for callers and callees",
				 .run = make_beside,
				 .done = show,
				 .at_once = !b->complete || browse_is_small(b) };

	if (ask_possible(b, &e) < 0) {
		tui_complain_err(t, &e);
		return;
	}
	s = XNEW(struct sandwich);
	s->b = b;
	s->condition = *c;
	s->condition.callers = true;
	s->dso = f->dso;
	s->addr = f->addr;
	s->nameless = f->sym == SYM_NONE;
	s->inlined = f->inlined ? xstrdup(f->inlined) : NULL;
	s->folds.remembers = true;
	s->name = xstrdup(name);
	s->text = (struct strbuf)STRBUF_INIT;
	work.ctx = s;
	tui_work(t, &work);
}
