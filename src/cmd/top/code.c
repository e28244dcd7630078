/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * code: the code of functions that are being sampled, with the samples since somebody looks at it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agg/watched.h"
#include "base/fmt.h"
#include "base/mem.h"
#include "cmd/top/top.h"
#include "tui/code.h"

enum { CONTEXT = 4 }; /* lines before one that has samples */

struct top_code {
	struct top *t;
	struct watched *watched;
	struct code_source source;
	/* --sym-annotate, or the key s: of that name, in whichever object it is sampled first */
	char *symbol;
	struct address_function found; /* dso 0 = not yet; it has no rows */
	u32 looked_at; /* frames that are not it */
};

static void want(void *ctx, dso_id dso, u32 sym)
{
	watched_add(((struct top_code *)ctx)->watched, dso, sym);
}

struct top_code *top_code_new(struct top *t)
{
	const struct top_opts *o = t->o;
	struct top_code *c = XNEW(struct top_code);

	c->t = t;
	c->watched = watched_new(t->session);
	c->source = (struct code_source){ .session = t->session,
					  .counts = watched_counts(c->watched),
					  .annotator = annotator_new(t->session, &o->annotate),
					  .look = { .offset_level = 1, .raw = o->annotate.raw },
					  .want = want,
					  .ctx = c };
	if (o->sym_annotate)
		c->symbol = xstrdup(o->sym_annotate);
	return c;
}

void top_code_free(struct top_code *c)
{
	if (!c)
		return;
	annotator_free(c->source.annotator);
	watched_free(c->watched);
	free(c->symbol);
	free(c);
}

void top_code_samples(struct top_code *c, struct session_worker *w, unsigned int worker,
		      const struct session_record *r, size_t nr)
{
	watched_samples(c->watched, w, worker, r, nr);
}

void top_code_renew(struct top_code *c)
{
	watched_renew(c->watched);
	c->looked_at = 0;
	c->found.dso = 0;
}

const struct code_source *top_code_source(struct top_code *c)
{
	watched_sum(c->watched);
	return &c->source;
}

void top_code_age(struct top_code *c, u32 num, u32 den)
{
	watched_decay(c->watched, num, den);
}

/* ---- a function by its name ---- */

/* Among what was sampled so far, callers too, from frame `from` on. */
static bool find_symbol(struct top_code *c, const char *symbol, u32 *from,
			struct address_function *out)
{
	struct session *s = c->t->session;
	u32 nr = session_nr_frames(s);

	for (; *from < nr; ++*from) {
		const struct frame *f = session_frame_get(s, *from + 1);
		struct dso *d = dso_table_get(session_dsos(s), f->dso);

		if (!d || f->sym == SYM_NONE || f->inlined ||
		    strcmp(symtab_name(dso_symtab(d), f->sym), symbol) != 0)
			continue;
		*out = (struct address_function){ .dso = f->dso, .sym = f->sym };
		return true;
	}
	return false;
}

bool top_code_find(struct top_code *c, const char *symbol, struct address_function *out)
{
	u32 from = 0;

	return find_symbol(c, symbol, &from, out);
}

void top_code_choose(struct top_code *c, const char *symbol)
{
	free(c->symbol);
	c->symbol = symbol ? xstrdup(symbol) : NULL;
	c->found.dso = 0;
	c->looked_at = 0;
}

const char *top_code_chosen(const struct top_code *c)
{
	return c->symbol;
}

const struct address_function *top_code_found(struct top_code *c)
{
	if (!c->symbol || !find_symbol(c, c->symbol, &c->looked_at, &c->found))
		return NULL;
	free(c->symbol);
	c->symbol = NULL;
	return &c->found;
}

/* ---- as text ---- */

/* Lines with enough samples, and some before each. */
static void add_lines(struct top_code *c, const struct view_annotation *v, struct strbuf *out)
{
	struct annotation_out look = c->source.look;
	struct annotation_columns columns = annotation_view_columns(&look, v);
	size_t shown = 0; /* lines before it are done */

	look.text = (struct strbuf)STRBUF_INIT;
	for (size_t i = 0; i < v->nr_lines; i++) {
		if (annotation_percent(&look, v, &v->lines[i], 0) < (double)c->t->o->code_percent)
			continue;
		for (shown = MAX(shown, i > CONTEXT ? i - CONTEXT : 0); shown <= i; shown++)
			if (annotation_view_line(&look, v, &columns, shown))
				strbuf_addch(&look.text, '\n');
	}
	strbuf_add_escaped_lines(out, look.text.buf);
	strbuf_release(&look.text);
}

static const char *problem_text(enum annotate_problem problem, const struct err *e)
{
	return problem == ANNOTATE_NO_CODE      ? "its code is not here"
	       : problem == ANNOTATE_UNREADABLE ? "its file has none at this address"
						: e->text;
}

static void add_code(struct top_code *c, const struct perfdata_event *ev, struct strbuf *out)
{
	struct addresses *counts = watched_counts(c->watched);
	struct annotate_request request = {
		.counts = counts, .function = &c->found, .leader = ev, .nr_events = 1
	};
	enum annotate_problem problem;
	enum dso_code_problem code;
	struct err e = ERR_INIT;
	struct annotation *n;

	watched_add(c->watched, c->found.dso, c->found.sym);
	watched_sum(c->watched);
	VEC_FOR(&counts->functions, f)
		if (f->dso == c->found.dso && f->sym == c->found.sym)
			request.function = f;
	n = annotate(c->source.annotator, &request, &problem, &code, &e);
	if (n)
		add_lines(c, annotation_view(n), out);
	else
		strbuf_addf(out, "no code is shown: %s\n", problem_text(problem, &e));
	annotation_free(n);
}

bool top_code_text(struct top_code *c, const struct perfdata_event *ev, struct strbuf *out)
{
	if (!c->symbol)
		return false;
	strbuf_adds(out, "Showing ");
	strbuf_add_escaped(out, ev->name);
	strbuf_adds(out, " for ");
	strbuf_add_escaped(out, c->symbol);
	strbuf_addf(out, "\n  Events  Pcnt (>=%llu%%)\n",
		    (unsigned long long)c->t->o->code_percent);
	if (c->found.dso || find_symbol(c, c->symbol, &c->looked_at, &c->found))
		add_code(c, ev, out);
	else
		strbuf_adds(out, "It has not been sampled yet.\n");
	return true;
}
