/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/graph_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/similar.h"

const char *const *graph_words(size_t *nr)
{
	static const char *const words[] = { "graph",  "fractal", "flat",     "folded",  "none",
					     "caller", "callee",  "function", "address", "srcline",
					     "branch", "percent", "period",   "count" };

	*nr = ARRAY_SIZE(words);
	return words;
}

static bool begins(const char *word, size_t len, const char *name)
{
	return len && len <= strlen(name) && !strncmp(word, name, len);
}

static bool graph_type(struct graph_opts *g, const char *w, size_t len)
{
	static const char *const styles[] = { "graph", "fractal", "flat", "folded" };

	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		if (!begins(w, len, styles[i]))
			continue;
		g->style = (enum text_tree_style)i;
		return true;
	}
	if (!begins(w, len, "none"))
		return false;
	g->off = true;
	return true;
}

static void tell_apart_by(struct graph_opts *g, bool address, bool lines)
{
	g->address = address;
	g->lines = lines;
}

static bool graph_word(struct graph_opts *g, const char *w, size_t len)
{
	if (graph_type(g, w, len))
		return true;
	if (begins(w, len, "caller"))
		g->order = ORDER_CALLER;
	else if (begins(w, len, "callee"))
		g->order = ORDER_CALLEE;
	else if (begins(w, len, "function"))
		tell_apart_by(g, false, false);
	else if (begins(w, len, "address"))
		tell_apart_by(g, true, false);
	else if (begins(w, len, "srcline"))
		tell_apart_by(g, false, true);
	else if (begins(w, len, "branch"))
		g->branch = true;
	else if (begins(w, len, "percent"))
		g->value = TEXT_TREE_PERCENT;
	else if (begins(w, len, "period"))
		g->value = TEXT_TREE_PERIOD;
	else if (begins(w, len, "count"))
		g->value = TEXT_TREE_COUNT;
	else
		return false;
	return true;
}

static int fail_word(const char *w, size_t len, struct err *e)
{
	_cleanup_(mem_freep) char *typed = xstrndup(w, len);
	size_t nr;
	const char *const *names = graph_words(&nr);

	err_set(e, EINVAL, "unknown call-graph option '%s'", typed);
	similar_hint_of(typed, names, nr, e);
	return -1;
}

int graph_words_parse(struct graph_opts *g, const char *text, struct err *e)
{
	bool has_min = false;

	for (const char *w = text; w && *w;) {
		size_t len = strcspn(w, ",");
		char *end;
		double v = strtod(w, &end);

		if (len && end == w + len && v >= 0) {
			if (has_min)
				g->limit = (u32)v;
			else
				g->min_percent = v;
			has_min = true;
		} else if (len && !graph_word(g, w, len)) {
			return fail_word(w, len, e);
		}
		if (g->off) /* as perf: what follows "none" says nothing */
			break;
		w += len + (w[len] == ',');
	}
	return 0;
}
