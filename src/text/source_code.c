/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/source_code.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "dso/source.h"
#include "dso/source_files.h"

enum {
	NUMBER_WIDTH = 8,
	PLACE_SLOTS = 1 << 14,
};

/* File number (0 = unknown) and line of an address in an object. */
struct line_place {
	u64 addr;
	dso_id dso; /* 0 = empty */
	u32 file, line;
};

/* What was shown for a thread last. */
struct shown {
	u32 file, line;
};

struct source_code {
	struct source_files *files;
	struct line_place *places; /* direct-mapped */
	VEC(struct shown) threads;
};

struct source_code *source_code_new(void)
{
	struct source_code *c = XNEW(struct source_code);

	c->files = source_files_new();
	c->places = XNEW_ARRAY(struct line_place, PLACE_SLOTS);
	return c;
}

void source_code_free(struct source_code *c)
{
	if (!c)
		return;
	source_files_free(c->files);
	free(c->places);
	vec_free(&c->threads);
	free(c);
}

static struct line_place find_place(struct source_code *c, struct dso_table *dsos,
				    const struct location *loc)
{
	struct line_place p = { .addr = loc->addr, .dso = loc->dso };
	struct source_frame frame;
	struct strbuf path = STRBUF_INIT;

	if (dso_source(dso_table_get(dsos, loc->dso), loc->addr, &frame, 1) && frame.file &&
	    frame.line) {
		source_add_file(&path, &frame, true);
		if (path.len < PATH_MAX) {
			p.file = source_files_number(c->files, path.buf);
			p.line = frame.line;
		}
	}
	strbuf_release(&path);
	return p;
}

bool source_code_find(struct source_code *c, struct dso_table *dsos, const struct location *loc,
		      struct source_line *out)
{
	struct line_place *p = &c->places[hash_u64(loc->addr ^ (u64)loc->dso << 40) % PLACE_SLOTS];

	if (!loc->dso)
		return false;
	if (p->dso != loc->dso || p->addr != loc->addr)
		*p = find_place(c, dsos, loc);
	*out = (struct source_line){ .file = p->file, .line = p->line };
	if (!p->file)
		return false;
	out->path = source_files_path(c->files, p->file);
	out->text = source_files_line(c->files, p->file, p->line, &out->len);
	return out->text;
}

void source_code_add(struct source_code *c, struct dso_table *dsos, u32 thread,
		     const struct location *loc, bool escape, struct strbuf *out)
{
	struct source_line l;

	while (c->threads.nr <= thread)
		*VEC_PUSH(&c->threads) = (struct shown){ 0 };
	struct shown *last = &c->threads.v[thread];

	if (!source_code_find(c, dsos, loc, &l) || (last->file == l.file && last->line == l.line))
		return;
	*last = (struct shown){ l.file, l.line };
	strbuf_addf(out, "|%-*u ", NUMBER_WIDTH, l.line);
	if (escape) {
		struct strbuf line = STRBUF_INIT;

		strbuf_add(&line, l.text, l.len && l.text[l.len - 1] == '\r' ? l.len - 1 : l.len);
		strbuf_add_escaped_lines(out, line.buf);
		strbuf_release(&line);
	} else {
		strbuf_add(out, l.text, l.len);
	}
	strbuf_addch(out, '\n');
}
