/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text/chain_lines.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"

struct chain_line {
	chain_id chain;
	size_t at, len; /* in chain_lines.text */
};

struct chain_lines {
	struct chain_lines_opts o;
	struct map by_chain;
	VEC(struct chain_line) lines;
	struct strbuf text; /* of all of them */
};

struct chain_lines *chain_lines_new(const struct chain_lines_opts *o)
{
	struct chain_lines *c = XNEW(struct chain_lines);

	c->o = *o;
	c->text = (struct strbuf)STRBUF_INIT;
	return c;
}

void chain_lines_forget(struct chain_lines *c)
{
	map_release(&c->by_chain);
	vec_free(&c->lines);
	strbuf_release(&c->text);
}

void chain_lines_free(struct chain_lines *c)
{
	if (!c)
		return;
	chain_lines_forget(c);
	free(c);
}

static const char *frame_name(const struct chain_lines *c, frame_id id)
{
	const struct frame *f = session_frame_get(c->o.session, id);

	if (f->inlined)
		return f->inlined;
	if (!f->dso || f->sym == SYM_NONE)
		return "[unknown]";
	return symtab_name(dso_symtab(dso_table_get(session_dsos(c->o.session), f->dso)), f->sym);
}

/* How many frames there are to look at. */
static size_t frames_wanted(const struct chain_lines *c, const frame_id *frames, size_t nr)
{
	if (c->o.most)
		nr = MIN(nr, c->o.most);
	for (size_t i = 0; c->o.ends && i < nr; i++)
		if (c->o.ends(frame_name(c, frames[i])))
			return i + 1;
	return nr;
}

static void make_line(struct chain_lines *c, struct chain_line *line)
{
	size_t nr;
	const frame_id *frames = session_chain_frames(c->o.session, line->chain, &nr);

	line->at = c->text.len;
	nr = frames_wanted(c, frames, nr);
	for (size_t i = 0; i < nr; i++) {
		const char *name = frame_name(c, frames[c->o.folded ? nr - 1 - i : i]);

		if (c->o.leaves_out && c->o.leaves_out(name))
			continue;
		if (c->text.len > line->at)
			strbuf_adds(&c->text, c->o.between);
		if (c->o.folded)
			strbuf_add_part(&c->text, name, c->o.between[0]);
		else if (c->o.as_is)
			strbuf_adds(&c->text, name);
		else
			strbuf_add_escaped(&c->text, name);
	}
	line->len = c->text.len - line->at;
}

void chain_lines_add(struct chain_lines *c, chain_id chain, struct strbuf *out)
{
	u64 hash = hash_u64(chain);
	struct chain_line *line = NULL;
	u32 i;

	for (struct map_probe p = map_first(&c->by_chain, hash);
	     !line && map_next(&c->by_chain, &p, &i);)
		if (c->lines.v[i].chain == chain)
			line = &c->lines.v[i];
	if (!line) {
		map_add(&c->by_chain, hash, (u32)c->lines.nr);
		line = VEC_PUSH(&c->lines);
		line->chain = chain;
		make_line(c, line);
	}
	strbuf_add(out, c->text.buf + line->at, line->len);
}
