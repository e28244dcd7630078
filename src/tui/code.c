/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rw.h"
#include "tui/list.h"
#include "tui/scripts.h"

enum {
	FIRST_LINE = 2, /* lines above: titles */
	FILE_NAME = 200,
};

/* Percent from which lines are hot, and warm. */
static const double HOT = 5.0, WARM = 0.5;

struct code_view {
	const struct code_source *source;
	struct code_events events;
	struct address_function function;
	struct annotation *annotation;
	const struct view_annotation *v;
	struct annotation_out out;
	struct annotation_columns columns;
	VEC(u32) shown; /* numbers of lines */
	VEC(u32) hot; /* places in shown, the hottest first */
	size_t next_hot;
	struct list list;
	char *search;
	bool backwards, types;
	struct scripts scripts;
};

enum style code_style_of(double percent)
{
	return percent >= HOT ? STYLE_HOT : percent >= WARM ? STYLE_WARM : STYLE_PLAIN;
}

/* ---- what is shown ---- */

static double percent_of(const struct code_view *c, u32 line)
{
	return annotation_percent(&c->out, c->v, &c->v->lines[line], 0);
}

static int hottest_first(const void *x, const void *y, void *view)
{
	const struct code_view *c = view;
	const u32 *a = x, *b = y;
	double p = percent_of(c, c->shown.v[*a]), q = percent_of(c, c->shown.v[*b]);

	return p > q ? -1 : p < q ? 1 : *a < *b ? -1 : *a > *b;
}

/* The chosen line stays chosen, or the one before it that is shown. */
static void settle(struct code_view *c)
{
	u32 chosen = c->shown.nr ? c->shown.v[c->list.cursor] : 0;
	size_t cursor = 0;

	c->columns = annotation_view_columns(&c->out, c->v);
	c->shown.nr = c->hot.nr = 0;
	for (u32 i = 0; i < c->v->nr_lines; i++) {
		if (!c->v->lines[i].is_code && c->out.no_source)
			continue;
		if (i <= chosen)
			cursor = c->shown.nr;
		if (percent_of(c, i) > 0)
			*VEC_PUSH(&c->hot) = (u32)c->shown.nr;
		*VEC_PUSH(&c->shown) = i;
	}
	if (c->hot.nr > 1)
		qsort_r(c->hot.v, c->hot.nr, sizeof(*c->hot.v), hottest_first, c);
	c->list.nr = c->shown.nr;
	list_go(&c->list, cursor);
}

static const struct view_line *chosen_line(const struct code_view *c)
{
	return c->shown.nr ? &c->v->lines[c->shown.v[c->list.cursor]] : NULL;
}

/* The place of an address among what is shown; false: it is not. */
static bool find_address(const struct code_view *c, u64 addr, size_t *at)
{
	for (size_t i = 0; i < c->shown.nr; i++) {
		const struct view_line *line = &c->v->lines[c->shown.v[i]];

		if (line->is_code && line->addr == addr && !line->goes_on) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* ---- another function ---- */

static void tell_problem(struct tui *t, const char *symbol, enum annotate_problem problem,
			 enum dso_code_problem code, const struct err *e)
{
	static const char *const codes[] = {
		[DSO_CODE_THERE] = "",
		[DSO_CODE_NO_FILE] = "its file is not here, nor in the build-id cache",
		[DSO_CODE_REPLACED] = "the file is another one than was recorded (build id)",
		[DSO_CODE_NO_KERNEL] = "there is no vmlinux, and no copy of the kernel's code",
		[DSO_CODE_NOT_RECORDED] = "its code is in memory alone, and was not recorded",
	};

	tui_complain(t, "no code of '%s': %s", symbol,
		     problem == ANNOTATE_NO_CODE      ? codes[code]
		     : problem == ANNOTATE_UNREADABLE ? "its file has none at this address"
						      : e->text);
}

/* NULL: it is told why not. */
static struct annotation *annotate_function(struct tui *t, const struct code_view *c,
					    const struct address_function *f)
{
	const struct code_source *s = c->source;
	struct annotate_request request = {
		.counts = s->counts,
		.function = f,
		.leader = perfdata_event(session_file(s->session), c->events.first),
		.nr_events = c->events.nr,
	};
	struct dso *d = dso_table_get(session_dsos(s->session), f->dso);
	enum annotate_problem problem;
	enum dso_code_problem code = DSO_CODE_THERE;
	struct err e = ERR_INIT;
	struct annotation *n = annotate(s->annotator, &request, &problem, &code, &e);

	if (!n)
		tell_problem(t, symtab_name(dso_symtab(d), f->sym), problem, code, &e);
	return n;
}

static void set_annotation(struct code_view *c, const struct address_function *f,
			   struct annotation *n)
{
	annotation_free(c->annotation);
	c->annotation = n;
	c->v = annotation_view(n);
	c->function = *f;
}

/* False: it is told why not, and nothing has changed. */
static bool show_function(struct tui *t, struct code_view *c, const struct address_function *f)
{
	struct annotation *n = annotate_function(t, c, f);

	if (!n)
		return false;
	set_annotation(c, f, n);
	c->out.moved = 0;
	c->shown.nr = c->next_hot = c->list.shift = 0;
	settle(c);
	list_go_middle(&c->list, c->hot.nr ? c->hot.v[0] : 0);
	if (c->source->want)
		c->source->want(c->source->ctx, f->dso, f->sym);
	return true;
}

/* ---- drawing ---- */

static void draw_titles(struct tui *t, struct code_view *c)
{
	const struct view_annotation_event *ev = c->v->events;
	struct strbuf *text = &c->out.text;

	strbuf_reset(text);
	strbuf_addf(text, "%s  %s  [percent: ", c->v->symbol, c->v->dso);
	annotation_add_percent_type(&c->out, text);
	strbuf_addf(text, "]%s", c->v->cut ? "  (its beginning: it is larger)" : "");
	screen_text(t->screen, 0, 0, UINT32_MAX, STYLE_TITLE, text->buf);
	strbuf_reset(text);
	strbuf_addf(text, "%llu of %llu samples of '%s'%s%s", (unsigned long long)ev->nr,
		    (unsigned long long)ev->total_nr, c->v->group ? c->v->group : ev->name,
		    c->source->note ? ", " : "", c->source->note ? c->source->note : "");
	screen_text(t->screen, 1, 0, UINT32_MAX, STYLE_HEADER, text->buf);
}

static void draw_line(struct tui *t, struct code_view *c, u32 y, u32 number, bool chosen)
{
	double percent = percent_of(c, number);
	enum style style = chosen                         ? STYLE_SELECTED
			   : !c->v->lines[number].is_code ? STYLE_SOURCE
							  : code_style_of(percent);

	strbuf_reset(&c->out.text);
	annotation_view_line(&c->out, c->v, &c->columns, number);
	screen_text(t->screen, y, 0, UINT32_MAX, style, list_shifted(&c->list, c->out.text.buf));
	if (style == STYLE_PLAIN && !c->list.shift && c->columns.address <= c->out.text.len)
		screen_text_n(t->screen, y, c->columns.numbers, c->columns.address, STYLE_ADDRESS,
			      c->out.text.buf + c->columns.numbers, c->columns.address);
}

/* A line from the chosen jump to where it leads. */
static void draw_arrow(struct tui *t, const struct code_view *c)
{
	const struct view_line *line = chosen_line(c);
	u32 x = annotation_view_arrows(&c->columns);
	size_t from = c->list.cursor, to;

	if (c->out.no_arrows || c->list.shift || !line || line->flow != VIEW_FLOW_JUMP ||
	    !line->target_inside || !find_address(c, line->target, &to))
		return;
	for (size_t i = MIN(from, to); i <= MAX(from, to); i++) {
		enum mark mark = i == MIN(from, to)   ? MARK_FROM_TOP
				 : i == MAX(from, to) ? MARK_FROM_BOTTOM
						      : MARK_DOWN;

		if (i >= c->list.top && i < c->list.top + c->list.height)
			screen_mark(t->screen, FIRST_LINE + (u32)(i - c->list.top), x - 1,
				    i == from ? STYLE_SELECTED : STYLE_JUMP, mark);
	}
	if (to >= c->list.top && to < c->list.top + c->list.height)
		screen_mark(t->screen, FIRST_LINE + (u32)(to - c->list.top), x, STYLE_JUMP,
			    MARK_ARROW_RIGHT);
}

static void draw_code(struct tui *t, void *view)
{
	struct code_view *c = view;
	u32 height = screen_height(t->screen) - FIRST_LINE - 1;

	list_fit(&c->list, c->shown.nr, FIRST_LINE, height);
	draw_titles(t, c);
	for (u32 i = 0; i < height && c->list.top + i < c->shown.nr; i++)
		draw_line(t, c, FIRST_LINE + i, c->shown.v[c->list.top + i],
			  c->list.top + i == c->list.cursor);
	draw_arrow(t, c);
}

/* ---- what keys do ---- */

/* The name in "name+0x12", "name@plt". */
static char *called_name(const char *target)
{
	const char *at = strstr(target, "@plt");
	size_t len = at ? (size_t)(at - target) : strcspn(target, "+");

	return xstrndup(target, len);
}

static void follow(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;
	const struct view_line *line = chosen_line(c);
	_cleanup_(mem_freep) char *name = NULL;
	size_t to;

	if (!line || (line->flow != VIEW_FLOW_JUMP && line->flow != VIEW_FLOW_CALL))
		return;
	if (line->has_target && line->target_inside && find_address(c, line->target, &to)) {
		list_go_middle(&c->list, to);
		return;
	}
	if (!line->has_target || !line->target_name) {
		tui_say(t, "where this leads to is not known");
		return;
	}
	name = called_name(line->target_name);
	code_view_open_named(t, c->source, c->v->dso, name, c->events);
}

static void next_hot(struct tui *t, void *view, const struct key *k)
{
	struct code_view *c = view;

	if (!c->hot.nr) {
		tui_say(t, "no line has samples");
		return;
	}
	if (k->code == 'H')
		c->next_hot = 0;
	else
		c->next_hot = (c->next_hot + (k->code == KEY_OF_TAB ? 1 : c->hot.nr - 1)) %
			      c->hot.nr;
	list_go_middle(&c->list, c->hot.v[c->next_hot]);
}

/* By how hot they are; those whose code is not here are passed over. */
static void next_function(struct tui *t, void *view, const struct key *k)
{
	struct code_view *c = view;
	struct hot_functions all = { 0 };
	size_t at = 0;

	addresses_hot(c->source->counts, c->events.first, &all);
	while (at < all.nr && (all.v[at].function->dso != c->function.dso ||
			       all.v[at].function->sym != c->function.sym))
		at++;
	do
		at = k->code == '>' ? at + 1 : at - 1;
	while (at < all.nr && !show_function(t, c, all.v[at].function));
	if (at >= all.nr)
		tui_say(t, "no %s function's code is here", k->code == '>' ? "cooler" : "hotter");
	vec_free(&all);
}

/* Keys that turn something on and off: where it is. */
static void toggle(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct code_view *c = view;
	struct {
		u32 code;
		bool *what;
	} toggles[] = { { 'o', &c->out.addresses },   { 's', &c->out.no_source },
			{ 'p', &c->out.global },      { 'b', &c->out.hits },
			{ 'j', &c->out.no_arrows },   { 'J', &c->out.jump_counts },
			{ 'k', &c->out.line_numbers } };

	for (size_t i = 0; i < ARRAY_SIZE(toggles); i++)
		if (toggles[i].code == k->code)
			*toggles[i].what = !*toggles[i].what;
	settle(c);
}

static void next_column(struct tui *t UNUSED, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;

	c->out.column = (c->out.column + 1) % (ANNOTATION_PERIOD + 1);
	settle(c);
}

static void next_level(struct tui *t UNUSED, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;

	c->out.offset_level = (u8)((c->out.offset_level + 1) % 4);
}

/* How far from its address as shown the function lay when it ran, in which process; false: that is
 * not known. */
static bool find_moved(const struct code_view *c, u64 *moved, u32 *process)
{
	const struct model *m = session_model(c->source->session);
	struct dso *d = dso_table_get(session_dsos(c->source->session), c->function.dso);
	u64 start = symtab_start(dso_symtab(d), c->function.sym);
	bool found = false;

	for (u32 thread = 1; thread <= model_nr_threads(m) && !found; thread++) {
		const struct model_map **maps = NULL;
		size_t nr = model_maps_at(m, thread, UINT64_MAX - 1, &maps);

		for (size_t i = 0; i < nr && !found; i++) {
			if (maps[i]->dso != c->function.dso ||
			    start - model_map_ip(maps[i], maps[i]->start) >=
				    maps[i]->end - maps[i]->start)
				continue;
			found = true;
			*moved = start - model_map_ip(maps[i], maps[i]->start) + maps[i]->start -
				 c->v->start;
			*process = model_thread_pid(m, thread);
		}
		free(maps);
	}
	return found;
}

static void toggle_memory(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;
	u32 process;

	if (c->out.moved) {
		c->out.moved = 0;
	} else if (!find_moved(c, &c->out.moved, &process)) {
		tui_complain(t, "where the code lay in memory is not known");
	} else {
		c->out.addresses = true;
		tui_say(t, "addresses are those in the memory of process %u%s", process,
			c->out.moved ? "" : ", which are the same");
	}
	settle(c);
}

static void toggle_types(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;
	struct annotation *n;

	annotator_tell_types(c->source->annotator, !c->types);
	n = annotate_function(t, c, &c->function);
	if (!n)
		return;
	c->types = !c->types;
	set_annotation(c, &c->function, n);
	settle(c);
	if (c->types)
		tui_say(t, "types of what instructions access, where they are known");
}

static void show_place(struct tui *t, void *view, const struct key *k UNUSED)
{
	const struct view_line *line = chosen_line(view);

	if (!line || !line->place.file)
		tui_say(t, "the line's place in a source file is not known");
	else
		tui_say(t, "%s:%u", line->place.file, line->place.line);
}

static void toggle_cycles(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;

	c->out.least_most = !c->out.least_most;
	settle(c);
	if (!c->columns.cycles)
		tui_say(t, "no cycles were recorded with branches");
}

static void show_counters(struct tui *t, void *view, const struct key *k UNUSED)
{
	const struct code_view *c = view;
	const struct perfdata_event *ev = perfdata_event(session_file(c->source->session),
							 c->events.first);

	tui_say(t, ev->attr.branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS
			   ? "counters of branches were recorded, but are not shown here"
			   : "no counters of branches were recorded");
}

static void show_scripts(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;

	if (c->source->want)
		tui_complain(t, "scripts need a recording, and samples go on here");
	else
		scripts_open(t, &c->scripts, c->source->session, NULL);
}

static bool line_has(struct code_view *c, size_t at, const char *text)
{
	strbuf_reset(&c->out.text);
	annotation_view_line(&c->out, c->v, &c->columns, c->shown.v[at]);
	return strstr(c->out.text.buf, text) != NULL;
}

/* From so many lines behind the chosen one on, in the direction of the search, and all around. */
static bool go_to_text(struct code_view *c, size_t from)
{
	for (size_t n = from; n < from + c->shown.nr; n++) {
		size_t way = n % c->shown.nr;
		size_t at = (c->list.cursor + (c->backwards ? c->shown.nr - way : way)) %
			    c->shown.nr;

		if (!line_has(c, at, c->search))
			continue;
		list_go(&c->list, at);
		return true;
	}
	return false;
}

static void search_for(struct tui *t, void *ctx, const char *answer)
{
	struct code_view *c = ctx;

	free(c->search);
	c->search = answer && *answer ? xstrdup(answer) : NULL;
	if (c->search && !go_to_text(c, 0))
		tui_say(t, "no line has '%s'", c->search);
	t->redraw = true;
}

static void ask_search(struct tui *t, void *view, const struct key *k)
{
	bool backwards = k->code == '?';
	struct tui_question q = { .text = backwards ? "Find backwards: " : "Find: ",
				  .changed = search_for,
				  .done = search_for,
				  .ctx = view };

	((struct code_view *)view)->backwards = backwards;
	tui_ask(t, &q);
}

static void search_again(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;

	if (!c->search)
		tui_say(t, "nothing is looked for");
	else if (!go_to_text(c, 1))
		tui_say(t, "no line has '%s'", c->search);
}

/* A file name that a symbol gives, which may be anything: no folder, no control characters. */
static void add_file_name(struct strbuf *out, const char *symbol)
{
	for (const char *p = symbol; *p && out->len < FILE_NAME; p++)
		strbuf_addch(out, *p == '/' || (u8)*p < ' ' || (u8)*p >= 0x7f ? '_' : *p);
	strbuf_adds(out, ".annotation");
	if (out->buf[0] == '.')
		out->buf[0] = '_';
}

static void write_lines(struct tui *t, void *view, const struct key *k UNUSED)
{
	struct code_view *c = view;
	_cleanup_(strbuf_releasep) struct strbuf name = STRBUF_INIT;
	_cleanup_(mem_closep) int fd = -1;

	add_file_name(&name, c->v->symbol);
	fd = open(name.buf, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	strbuf_reset(&c->out.text);
	annotation_view_ops.function(&c->out, c->v);
	if (fd < 0 || rw_write_full(fd, c->out.text.buf, c->out.text.len) < 0)
		tui_complain(t, "cannot write '%s': %s", name.buf, strerror(errno));
	else
		tui_say(t, "written to %s", name.buf);
}

static bool take_code(struct tui *t UNUSED, void *view, const struct key *k)
{
	struct code_view *c = view;

	return list_take(&c->list, k);
}

/* clang-format off */
static const struct key_row code_keys[] = {
	{ { KEY_OF_ENTER, KEY_OF_DOUBLE_CLICK }, "Enter", "follow a jump or a call", follow },
	{ { 'H' }, "H", "go to the hottest line", next_hot },
	{ { KEY_OF_TAB, KEY_OF_UNTAB }, "TAB", "the next hottest line (with Shift: the one before)", next_hot },
	{ { '>', '<' }, "> <", "the next cooler function, the next hotter one", next_function },
	{ { '/', '?' }, "/ ?", "find a text, forwards or backwards", ask_search },
	{ { 'n' }, "n", "find it again", search_again },
	{ { 's' }, "s", "source lines, or code alone", toggle },
	{ { 't' }, "t", "percentages, samples, periods", next_column },
	{ { 'p' }, "p", "percentages of the function, or of all", toggle },
	{ { 'b' }, "b", "percentages of periods, or of samples", toggle },
	{ { 'o' }, "o", "addresses of all lines, or offsets of targets of jumps", toggle },
	{ { 'O' }, "O", "offsets at more lines, or at less", next_level },
	{ { 'j' }, "j", "line from a jump to its target", toggle },
	{ { 'J' }, "J", "how many jumps lead to a line", toggle },
	{ { 'k' }, "k", "numbers of source lines", toggle },
	{ { 'l' }, "l", "file and line of the chosen line's source", show_place },
	{ { 'f' }, "f", "addresses in the memory of a process that ran it", toggle_memory },
	{ { 'c' }, "c", "the least and the most cycles beside their mean", toggle_cycles },
	{ { 'B' }, "B", "counters of branches", show_counters },
	{ { 'T' }, "T", "types of what instructions access", toggle_types },
	{ { 'r' }, "r", "samples and scripts, by perf script", show_scripts },
	{ { 'P' }, "P", "write the lines to SYMBOL.annotation", write_lines },
	{ .name = NULL },
};
/* clang-format on */

static void close_code(struct tui *t UNUSED, void *view)
{
	struct code_view *c = view;

	vec_free(&c->shown);
	vec_free(&c->hot);
	strbuf_release(&c->out.text);
	annotation_free(c->annotation);
	free(c->search);
	scripts_release(&c->scripts);
	free(c);
}

/* dso 0: whichever. */
static const struct address_function *with_samples(const struct code_source *s, dso_id dso,
						   const char *symbol)
{
	struct dso_table *dsos = session_dsos(s->session);

	VEC_FOR(&s->counts->functions, f)
		if ((!dso || f->dso == dso) &&
		    !strcmp(symtab_name(dso_symtab(dso_table_get(dsos, f->dso)), f->sym), symbol))
			return f;
	return NULL;
}

/* The same lines with what was counted by now. */
static void code_changed(struct tui *t, void *view)
{
	struct code_view *c = view;
	struct dso *d = dso_table_get(session_dsos(c->source->session), c->function.dso);
	const struct address_function *f;
	struct address_function none = { .dso = c->function.dso };
	struct annotation *n = NULL;

	if (!c->source->want)
		return;
	f = with_samples(c->source, none.dso, c->v->symbol);
	none.sym = f ? f->sym : symtab_find_name(dso_symtab(d), c->v->symbol);
	if (none.sym != SYM_NONE)
		n = annotate_function(t, c, f ? f : &none);
	if (!n)
		return;
	set_annotation(c, f ? f : &none, n);
	settle(c);
}

static const struct tui_view_ops code_ops = {
	.title = "Code",
	.keys = code_keys,
	.draw = draw_code,
	.take = take_code,
	.changed = code_changed,
	.close = close_code,
};

/* ---- opening ---- */

bool code_view_open(struct tui *t, const struct code_source *s, const struct address_function *f,
		    struct code_events events)
{
	struct code_view *c = XNEW(struct code_view);

	c->source = s;
	c->events = events;
	c->out = s->look;
	c->out.text = (struct strbuf)STRBUF_INIT;
	c->types = s->types;
	annotator_tell_types(s->annotator, s->types);
	c->list.height = screen_height(t->screen) - FIRST_LINE - 1;
	if (!show_function(t, c, f)) {
		close_code(t, c);
		return false;
	}
	tui_push(t, &code_ops, c);
	return true;
}

static dso_id find_dso(const struct code_source *s, const char *name)
{
	struct dso_table *dsos = session_dsos(s->session);

	for (dso_id d = 1; d <= dso_table_count(dsos); d++)
		if (!strcmp(dso_long_name(dso_table_get(dsos, d)), name))
			return d;
	return 0;
}

bool code_view_open_named(struct tui *t, const struct code_source *s, const char *dso,
			  const char *symbol, struct code_events events)
{
	dso_id id = find_dso(s, dso);
	const struct address_function *f = with_samples(s, id, symbol);
	struct address_function none = { .dso = id, .sym = SYM_NONE };

	if (!f && id)
		none.sym = symtab_find_name(dso_symtab(dso_table_get(session_dsos(s->session), id)),
					    symbol);
	if (!f && none.sym == SYM_NONE)
		f = with_samples(s, 0, symbol);
	if (f)
		return code_view_open(t, s, f, events);
	if (none.sym != SYM_NONE)
		return code_view_open(t, s, &none, events);
	tui_complain(t, "no code of '%s' in '%s' is known", symbol, dso);
	return false;
}

/* ---- samples by address ---- */

static bool take_sample(void *ctx, struct session_worker *w, unsigned int worker,
			const struct session_record *r)
{
	addresses_add(ctx, w, worker, r);
	return true;
}

int code_source_read(struct code_source *s, struct session *session, const struct annotate_opts *o,
		     struct err *e)
{
	static const struct addresses_opts all;
	struct session_consumer consumer = { .order = SESSION_UNORDERED,
					     .sample = take_sample,
					     .kernel_symbols = true };

	*s = (struct code_source){ .counts = addresses_new(session, &all),
				   .look = { .offset_level = 1 } };
	consumer.ctx = s->counts;
	if (session_run(session, &consumer, e) < 0)
		return -1;
	addresses_finish(s->counts);
	s->session = session;
	s->annotator = annotator_new(session, o);
	return 0;
}

void code_source_release(struct code_source *s)
{
	annotator_free(s->annotator);
	addresses_free(s->counts);
	*s = (struct code_source){ .session = NULL };
}
