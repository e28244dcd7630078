/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tui/ask.h"
#include "tui/export.h"

enum { FIRST_LINE = 1, LINES_BELOW = 2 };

/* Frames of less are left out: no terminal has a thousand columns. */
static const struct ask_opts asked = { .key = "comm", .caller_first = true, .min_percent = 0.05 };

/* Node 0 is all; children lie behind their parents. */
struct flame_node {
	const char *label;
	u64 total;
	u32 parent, child, next; /* 0 = none */
};

struct flame_view {
	struct browse *b;
	VEC(struct flame_node) nodes;
	VEC(struct view_tree) trees; /* which have the labels */
	VEC(char *) names; /* of commands */
	u64 whole; /* period of all samples of the event, whatever is zoomed into */
	u32 focus, chosen;
	u32 top; /* levels that are left out above */
	struct err problem; /* why it could not be made */
	char *search;
	struct strbuf text;
};

/* ---- making it ---- */

static u32 add_node(struct flame_view *v, u32 parent, const char *label, u64 total)
{
	u32 n = (u32)v->nodes.nr;

	*VEC_PUSH(&v->nodes) = (struct flame_node){ .label = label,
						    .total = total,
						    .parent = parent,
						    .next = n ? v->nodes.v[parent].child : 0 };
	if (n)
		v->nodes.v[parent].child = n;
	return n;
}

/* The first of a list of siblings becomes the last. */
static void turn_children(struct flame_view *v, u32 parent)
{
	u32 turned = 0;

	for (u32 c = v->nodes.v[parent].child, next; c; c = next) {
		next = v->nodes.v[c].next;
		v->nodes.v[c].next = turned;
		turned = c;
	}
	v->nodes.v[parent].child = turned;
}

/* Nodes of several labels are a node for each. Parents have lower numbers than their children. */
static void add_tree(struct flame_view *v, u32 command, const struct view_tree *tree)
{
	u32 *node_of = XNEW_ARRAY(u32, tree->nodes.nr);
	VEC(u32) todo = { 0 };

	node_of[0] = command;
	*VEC_PUSH(&todo) = 0;
	for (size_t i = 0; i < todo.nr; i++) {
		u32 from = todo.v[i];

		for (u32 c = tree->nodes.v[from].child; c; c = tree->nodes.v[c].next) {
			const struct view_node *n = &tree->nodes.v[c];
			u32 at = node_of[from];

			for (u32 l = 0; l < n->nr_labels; l++)
				at = add_node(v, at, tree->labels.v[n->labels + l].text, n->total);
			node_of[c] = at;
			*VEC_PUSH(&todo) = c;
		}
	}
	vec_free(&todo);
	free(node_of);
}

static void add_command(struct flame_view *v, struct agg *rows, const struct agg_section *s,
			const struct agg_entry *e)
{
	struct view_tree tree = { 0 };
	u32 node;

	strbuf_reset(&v->text);
	agg_key_find(asked.key, strlen(asked.key))->text(rows, e, e->words[0], 0, &v->text);
	*VEC_PUSH(&v->names) = xstrdup(v->text.buf);
	node = add_node(v, 0, *VEC_LAST(&v->names), agg_value(rows, e, 0, AGG_OVERHEAD));
	if (ask_tree(rows, s, e, &asked, &tree)) {
		*VEC_PUSH(&v->trees) = tree;
		add_tree(v, node, &tree);
	} else {
		view_tree_release(&tree);
	}
}

static void forget(struct flame_view *v)
{
	VEC_FOR(&v->trees, t)
		view_tree_release(t);
	VEC_FOR(&v->names, n)
		free(*n);
	v->trees.nr = v->names.nr = v->nodes.nr = 0;
	v->focus = v->chosen = v->top = 0;
}

static int make(struct flame_view *v, const bool *unwanted, struct err *e)
{
	const struct agg_section *s;
	struct agg *rows;

	forget(v);
	if (ask_rows(v->b, browse_snapshot(v->b), &asked, &rows, e) < 0)
		return -1;
	s = ask_section(v->b, rows);
	v->whole = s ? s->period[0] : 0;
	add_node(v, 0, "all", s ? s->shown_period[0] : 0);
	if (s) {
		ask_prepare(rows, s, s->rows, s->nr_rows, &asked);
		for (size_t i = 0; i < s->nr_rows && !__atomic_load_n(unwanted, __ATOMIC_RELAXED);
		     i++)
			add_command(v, rows, s, s->rows[i]);
	}
	for (u32 n = 0; n < v->nodes.nr; n++)
		turn_children(v, n);
	agg_free(rows);
	return 0;
}

/* ---- drawing ---- */

static double percent_of_all(const struct flame_view *v, u64 period)
{
	return v->whole ? 100.0 * (double)period / (double)v->whole : 0.0;
}

static double share(const struct flame_view *v, u32 node, u32 of)
{
	u64 whole = v->nodes.v[of].total;

	return whole ? (double)v->nodes.v[node].total / (double)whole : 0.0;
}

static enum style style_of(const struct flame_view *v, u32 node)
{
	const char *label = v->nodes.v[node].label;

	if (node == v->chosen)
		return STYLE_SELECTED;
	if (v->search && strstr(label, v->search))
		return STYLE_MATCH;
	return STYLE_FLAME + (enum style)(hash_bytes(label, strlen(label), 0) % FLAMES);
}

/* A piece of the screen for a node: half a column is none. */
struct flame_place {
	u32 node, level;
	double x, width;
};

static void draw_node(struct tui *t, struct flame_view *v, const struct flame_place *p)
{
	u32 from = (u32)(p->x + 0.5), to = (u32)(p->x + p->width + 0.5);
	u32 y = FIRST_LINE + p->level - v->top;
	enum style style = style_of(v, p->node);

	if (p->level < v->top || y + LINES_BELOW >= screen_height(t->screen) || to <= from)
		return;
	screen_fill(t->screen, y, from, to - from, style);
	/* a gap between neighbours that would look like one */
	screen_text(t->screen, y, from, to - from > 2 ? to - from - 1 : to - from, style,
		    v->nodes.v[p->node].label);
	if (to - from > 2)
		screen_text(t->screen, y, to - 1, 1, STYLE_PLAIN, "|");
}

static void draw_below(struct tui *t, struct flame_view *v, const struct flame_place *root)
{
	VEC(struct flame_place) todo = { 0 };

	*VEC_PUSH(&todo) = *root;
	while (todo.nr) {
		struct flame_place p = todo.v[--todo.nr];
		double x = p.x;

		draw_node(t, v, &p);
		for (u32 c = v->nodes.v[p.node].child; c; c = v->nodes.v[c].next) {
			double width = p.width * share(v, c, p.node);

			if (width >= 0.5)
				*VEC_PUSH(&todo) = (struct flame_place){ c, p.level + 1, x, width };
			x += width;
		}
	}
	vec_free(&todo);
}

static u32 level_of(const struct flame_view *v, u32 node)
{
	u32 level = 0;

	for (; node && node != v->focus; node = v->nodes.v[node].parent)
		level++;
	return level;
}

/* The chosen frame's level is on the screen. */
static void scroll(const struct tui *t, struct flame_view *v)
{
	u32 room = screen_height(t->screen) - FIRST_LINE - LINES_BELOW;
	u32 level = level_of(v, v->chosen);

	if (level < v->top)
		v->top = level;
	if (level >= v->top + room)
		v->top = level - room + 1;
}

static void draw_flame(struct tui *t, void *view)
{
	struct flame_view *v = view;
	struct flame_place all = { .node = v->focus, .width = screen_width(t->screen) };
	u32 bottom = screen_height(t->screen) - LINES_BELOW;

	strbuf_reset(&v->text);
	strbuf_adds(&v->text, "Flame graph of ");
	if (v->b->shown.view)
		view_add_events(&v->text, v->b->shown.view);
	strbuf_addch(&v->text, ' ');
	browse_add_scope(v->b, &v->text);
	if (v->focus)
		strbuf_addf(&v->text, "> %s ", v->nodes.v[v->focus].label);
	if (!v->b->complete)
		strbuf_adds(&v->text, "(still being read: in part)");
	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, v->text.buf);
	scroll(t, v);
	draw_below(t, v, &all);
	strbuf_reset(&v->text);
	strbuf_addf(&v->text, "%6.2f%% of all, %6.2f%% of what is shown: %s",
		    percent_of_all(v, v->nodes.v[v->chosen].total),
		    100.0 * share(v, v->chosen, v->focus), v->nodes.v[v->chosen].label);
	screen_text(t->screen, bottom, 0, UINT32_MAX, STYLE_HEADER, v->text.buf);
}

/* ---- what keys do ---- */

static void go_down(struct flame_view *v)
{
	u32 heaviest = v->nodes.v[v->chosen].child;

	for (u32 c = heaviest; c; c = v->nodes.v[c].next)
		if (v->nodes.v[c].total > v->nodes.v[heaviest].total)
			heaviest = c;
	if (heaviest)
		v->chosen = heaviest;
}

static void go_left(struct flame_view *v)
{
	u32 c = v->nodes.v[v->nodes.v[v->chosen].parent].child;

	if (v->chosen == v->focus)
		return;
	while (c && c != v->chosen && v->nodes.v[c].next != v->chosen)
		c = v->nodes.v[c].next;
	if (c)
		v->chosen = c;
}

static bool take_flame(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct flame_view *v = view;

	if (k->code == KEY_OF_UP && v->chosen != v->focus)
		v->chosen = v->nodes.v[v->chosen].parent;
	else if (k->code == KEY_OF_DOWN)
		go_down(v);
	else if (k->code == KEY_OF_LEFT)
		go_left(v);
	else if (k->code == KEY_OF_RIGHT && v->chosen != v->focus && v->nodes.v[v->chosen].next)
		v->chosen = v->nodes.v[v->chosen].next;
	else
		return k->code == KEY_OF_UP || k->code == KEY_OF_RIGHT;
	return true;
}

static void focus(struct tui *t UNUSED, void *view, const struct key *k UNUSED)
{
	struct flame_view *v = view;

	v->focus = v->chosen;
	v->top = 0;
}

/* Out of the frame that fills the screen, then out of the view. */
static void go_back(struct tui *t, void *view, const struct key *k)
{
	struct flame_view *v = view;

	if (v->focus) {
		v->focus = k->code == 'u' ? 0 : v->nodes.v[v->focus].parent;
		v->top = 0;
	} else if (k->code != 'u') {
		tui_pop(t);
	}
}

static void search_for(struct tui *t, void *ctx, const char *answer)
{
	struct flame_view *v = ctx;
	u64 found = 0;

	free(v->search);
	v->search = answer && *answer ? xstrdup(answer) : NULL;
	/* (a frame below one that was found is in its share already) */
	for (u32 n = 1; v->search && n < v->nodes.nr; n++) {
		u32 above = v->nodes.v[n].parent;

		while (above && !strstr(v->nodes.v[above].label, v->search))
			above = v->nodes.v[above].parent;
		if (!above && strstr(v->nodes.v[n].label, v->search))
			found += v->nodes.v[n].total;
	}
	if (v->search)
		tui_say(t, "%.2f%% of all are in or below frames with '%s'",
			percent_of_all(v, found), v->search);
	t->redraw = true;
}

static void ask_search(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct tui_question q = {
		.text = "Mark frames with: ", .changed = search_for, .done = search_for, .ctx = view
	};

	tui_ask(t, &q);
}

static bool is_below(const struct flame_view *v, u32 node, u32 above)
{
	while (node && node != above)
		node = v->nodes.v[node].parent;
	return node == above;
}

/* "a;b;c" of the frames from the one that fills the screen. */
static void add_path(struct flame_view *v, u32 node)
{
	if (node != v->focus && v->nodes.v[node].parent != 0)
		add_path(v, v->nodes.v[node].parent);
	if (v->text.len)
		strbuf_addch(&v->text, ';');
	strbuf_add_part(&v->text, v->nodes.v[node].label, ';');
}

/* Lines of "a;b;c WEIGHT", as --folded prints them, of what the screen is filled with. Frames that
 * are too small to be drawn are part of their callers. */
static void export_flame(struct tui *t, void *view, const struct key *k UNUSED)
{
	_cleanup_(strbuf_releasep) struct strbuf lines = STRBUF_INIT;
	struct flame_view *v = view;

	for (u32 n = 1; n < v->nodes.nr; n++) {
		u64 own = v->nodes.v[n].total;

		if (!is_below(v, n, v->focus))
			continue;
		for (u32 c = v->nodes.v[n].child; c; c = v->nodes.v[c].next)
			own -= MIN(own, v->nodes.v[c].total);
		strbuf_reset(&v->text);
		add_path(v, n);
		if (own)
			strbuf_addf(&lines, "%s %llu\n", v->text.buf, (unsigned long long)own);
	}
	tui_export(t, "perf.folded", lines.buf);
}

static const struct key_row flame_keys[] = {
	{ { KEY_OF_ENTER }, "Enter", "the chosen frame fills the screen", focus },
	{ { KEY_OF_ESCAPE }, "ESC", "the frame above it does; go back", go_back },
	{ { 'u' }, "u", "all of it again", go_back },
	{ { '/' }, "/", "mark frames with a text, and how much they are", ask_search },
	{ { 'P' }, "P", "write its stacks to perf.folded.N", export_flame },
	{ .name = NULL },
};

/* A frame by the names that lead to it. */
static u64 path_of(const struct flame_view *v, u32 node)
{
	u64 path = 0;

	for (; node; node = v->nodes.v[node].parent) {
		const char *label = v->nodes.v[node].label;

		path = hash_bytes(label, strlen(label), path + 1);
	}
	return path;
}

/* 0, all, if it is not there. */
static u32 find_path(const struct flame_view *v, u64 path)
{
	for (u32 n = 1; path && n < v->nodes.nr; n++)
		if (path_of(v, n) == path)
			return n;
	return 0;
}

/* The same frames stay chosen, if they are there still. */
static void flame_changed(struct tui *t, void *view)
{
	struct flame_view *v = view;
	u64 focus = path_of(v, v->focus), chosen = path_of(v, v->chosen);
	u32 top = v->top;
	struct err e = ERR_INIT;

	if (make(v, &(const bool){ false }, &e) < 0)
		tui_complain_err(t, &e);
	if (!v->nodes.nr)
		return;
	v->focus = find_path(v, focus);
	v->chosen = find_path(v, chosen);
	if (!is_below(v, v->chosen, v->focus))
		v->chosen = v->focus;
	v->top = top;
}

static void close_flame(struct tui *t UNUSED, void *view)
{
	struct flame_view *v = view;

	forget(v);
	vec_free(&v->nodes);
	vec_free(&v->trees);
	vec_free(&v->names);
	free(v->search);
	strbuf_release(&v->text);
	free(v);
}

static const struct tui_view_ops flame_ops = {
	.title = "Flame graph",
	.keys = flame_keys,
	.draw = draw_flame,
	.take = take_flame,
	.changed = flame_changed,
	.close = close_flame,
};

/* Beside the loop: nothing of it is drawn yet. */
static void make_beside(void *view, const bool *unwanted)
{
	struct flame_view *v = view;

	make(v, unwanted, &v->problem);
}

static void show(struct tui *t, void *view, bool wanted)
{
	struct flame_view *v = view;

	if (wanted && !v->problem.code) {
		tui_push(t, &flame_ops, v);
		return;
	}
	if (wanted)
		tui_complain_err(t, &v->problem);
	close_flame(t, v);
}

void flame_view_open(struct tui *t, struct browse *b)
{
	struct flame_view *v;
	struct err e = ERR_INIT;
	struct tui_work work = { .what = "drawing",
				 .run = make_beside,
				 .done = show,
				 .at_once = !b->complete || browse_is_small(b) };

	if (ask_possible(b, &e) < 0)
		tui_complain_err(t, &e);
	if (e.code || !b->shown.rows)
		return;
	v = XNEW(struct flame_view);
	v->b = b;
	v->text = (struct strbuf)STRBUF_INIT;
	work.ctx = v;
	tui_work(t, &work);
}
