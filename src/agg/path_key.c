/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * path_key: the functions that called one, as a key.
 */
#include "agg/private.h"

u64 agg_get_callers(struct agg_sample_ctx *c)
{
	return agg_chain_of(c);
}

/* A function, else the object in brackets. */
static void add_caller(struct agg *a, const struct frame *f, struct strbuf *out)
{
	const char *name;

	if (f->sym != SYM_NONE || f->inlined) {
		strbuf_adds(out, agg_symbol_name(a, f));
		return;
	}
	name = agg_dso_name(a, f->dso);
	if (name[0] == '[')
		strbuf_adds(out, name);
	else
		strbuf_addf(out, "[%s]", name);
}

/* "main;run": of callers without names that are in one object, one. */
void agg_text_callers(struct agg *a, const struct agg_entry *e UNUSED, u64 word, u32 width,
		      struct strbuf *out)
{
	size_t nr = 0, from = out->len;
	const frame_id *frames = word ? session_chain_frames(a->s, (chain_id)word, &nr) : NULL;
	dso_id unnamed = 0;

	for (size_t i = nr; i-- > 1;) {
		const struct frame *f = session_frame_get(a->s, frames[i]);
		bool named = f->sym != SYM_NONE || f->inlined;

		if (!named && f->dso == unnamed && out->len > from)
			continue;
		unnamed = named ? 0 : f->dso;
		if (out->len > from)
			strbuf_addch(out, ';');
		add_caller(a, f, out);
	}
	strbuf_pad_from(out, from, width);
}
